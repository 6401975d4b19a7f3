//! Where the ledger lies: a file a session, below the folder of the log, and never longer than can be read at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use super::line;
use crate::case::Past;
use crate::environment::Environment;
use crate::log::append_line;
use crate::report::Report;

/// A ledger that is longer than this begins anew; one older part is kept. Both are read for each call.
const LONGEST: u64 = 48 << 10;

/// Ledgers that nobody has written to for so long are removed.
const OLDEST: Duration = Duration::from_secs(14 * 86_400);

/// The ledger of one session.
pub(crate) struct Ledger {
    path: Option<PathBuf>,
}

impl Ledger {
    /// The ledger of a session; without an id there is none.
    pub(crate) fn of(environment: &Environment, session: Option<&str>) -> Self {
        let folder = environment
            .state_home()
            .map(|state| state.join("blastradius/sessions"));
        // An id may be any text, and is no name for a file.
        let name = session.map(|id| {
            let hash = Sha256::digest(id.as_bytes());
            hash.iter()
                .take(12)
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        });
        Self {
            path: folder.zip(name).map(|(folder, name)| folder.join(name)),
        }
    }

    /// What the session has done so far, as far as the ledger tells.
    pub(crate) fn read(&self) -> Past {
        let mut past = Past::default();
        let Some(path) = &self.path else {
            return past;
        };
        for part in [older(path), path.clone()] {
            read_part(&part, &mut past);
        }
        past
    }

    /// Notes a call. If that fails, later calls are judged without it.
    pub(crate) fn note(&self, tool: &str, report: &Report) {
        let Some(path) = &self.path else {
            return;
        };
        match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_file() && meta.len() > LONGEST => {
                let mut dropped = Past::default();
                read_part(&older(path), &mut dropped);
                rustix::fs::renameat(rustix::fs::CWD, path, rustix::fs::CWD, older(path)).ok();
                // What is counted over a session goes on.
                append_line(path, &line::count(dropped.removed)).ok();
            }
            Ok(_) => {}
            Err(_) => remove_old(path),
        }
        append_line(path, &line::of(tool, report)).ok();
    }
}

fn read_part(part: &Path, past: &mut Past) {
    let short = |meta: fs::Metadata| meta.is_file() && meta.len() <= 2 * LONGEST;
    if fs::metadata(part).is_ok_and(short)
        && let Ok(content) = fs::read(part)
    {
        for entry in content.split(|byte| *byte == b'\n') {
            line::take(entry, past);
        }
    }
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("1")
}

/// Each new session takes away what sessions of long ago have left.
fn remove_old(path: &Path) {
    let Some(Ok(entries)) = path.parent().map(fs::read_dir) else {
        return;
    };
    let now = SystemTime::now();
    for entry in entries.take(1000).flatten() {
        let age = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .map(|then| now.duration_since(then));
        if matches!(age, Ok(Ok(age)) if age > OLDEST) {
            rustix::fs::unlink(entry.path()).ok();
        }
    }
}
