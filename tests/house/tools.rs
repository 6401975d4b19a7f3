//! Programs that a machine may or may not have.

use std::path::PathBuf;

/// Where programs are looked for. The test's own PATH may lead to shims that need a home.
pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// The program's path, if it is installed.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    PATH.split(':')
        .map(|folder| PathBuf::from(folder).join(name))
        .find(|path| path.is_file())
}

/// Whether every one is installed; says so if not.
pub(crate) fn has(row: &str, programs: &[&str]) -> bool {
    let missing: Vec<_> = programs
        .iter()
        .filter(|program| find(program).is_none())
        .collect();
    if !missing.is_empty() {
        eprintln!("skipped {row}: {missing:?} not installed");
    }
    missing.is_empty()
}
