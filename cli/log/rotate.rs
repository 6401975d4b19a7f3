//! Older logs: `log.1` is the last one, and so on.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FlockOperation, flock, renameat};

/// A log that is longer than this makes room for a new one.
const LONGEST: u64 = 4 << 20;

/// So many older ones are kept.
const KEPT: u32 = 3;

/// Puts the log aside if it is too long. Whoever has it open goes on writing to the same file under its new name, so
/// that no line is lost. What fails here is left: the log is only longer then.
pub fn rotate(path: &Path) {
    let long = |meta: &fs::Metadata| meta.is_file() && meta.len() > LONGEST;
    if !fs::symlink_metadata(path).is_ok_and(|meta| long(&meta)) {
        return;
    }
    let Ok(log) = super::append::open(path) else {
        return;
    };
    // One process does it; the others write on.
    if flock(&log, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    let same = log.metadata().and_then(|held| {
        let named = fs::symlink_metadata(path)?;
        Ok((held.dev(), held.ino()) == (named.dev(), named.ino()) && long(&named))
    });
    if !matches!(same, Ok(true)) {
        return;
    }
    for number in (1..=KEPT).rev() {
        let from = match number {
            1 => path.to_owned(),
            number => aside(path, number - 1),
        };
        // By system call: the library keeps the log from everybody, this process too.
        renameat(CWD, &from, CWD, aside(path, number)).ok();
    }
}

/// Every log there may be, the oldest first.
pub(super) fn all(path: &Path) -> impl Iterator<Item = PathBuf> {
    older(path).chain([path.to_owned()])
}

/// Those that were put aside.
pub(crate) fn older(path: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=KEPT).rev().map(|number| aside(path, number))
}

fn aside(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}
