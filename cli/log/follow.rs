//! What comes, as it comes.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::read::{Filter, lines};

/// How often is looked.
const PAUSE: Duration = Duration::from_millis(250);

/// Hands over every line that is wanted and comes from now on, until one cannot be taken.
///
/// # Errors
/// When the log is there and cannot be read.
pub fn follow(
    path: &Path,
    filter: &Filter,
    mut take: impl FnMut(&str, &Value) -> bool,
) -> io::Result<()> {
    let mut log = opened(path)?;
    if let Some(log) = &mut log {
        log.seek(SeekFrom::End(0))?;
    }
    let mut pending = Vec::new();
    loop {
        if let Some(log) = &mut log {
            log.read_to_end(&mut pending)?;
        }
        if let Some(end) = pending.iter().rposition(|byte| *byte == b'\n') {
            let rest = pending.split_off(end + 1);
            for (line, entry) in lines(&pending, filter) {
                if !take(&line, &entry) {
                    return Ok(());
                }
            }
            pending = rest;
        }
        if is_another(path, log.as_ref()) {
            // It was put aside, and who had it open has written to it to the last.
            if let Some(log) = &mut log {
                log.read_to_end(&mut pending)?;
            }
            log = opened(path)?;
        }
        sleep(PAUSE);
    }
}

fn opened(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_another(path: &Path, log: Option<&File>) -> bool {
    let named = path.metadata().map(|meta| (meta.dev(), meta.ino()));
    let held = log.map(|log| log.metadata().map(|meta| (meta.dev(), meta.ino())));
    match (named, held) {
        (Ok(named), Some(Ok(held))) => named != held,
        (Ok(_), _) => true,
        (Err(_), _) => false,
    }
}
