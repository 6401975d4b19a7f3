//! The floor: directories that nothing may remove, move or replace.

use crate::Canonical;
use crate::packed::{Packed, names};
use crate::path::same_bytes;

/// Directories of the system at the root. Any other directory there is on the floor too, but may be a
/// project root (`/app` in a container).
const TOP: Packed = names![
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lost+found",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/snap",
    "/srv",
    "/sys",
    "/tmp",
    "/usr",
    "/var",
    "/System",
    "/Library",
    "/Applications",
    "/Users",
    "/Volumes",
    "/cores",
    "/private",
];

/// Deeper directories of the system.
const DEEP: Packed = names![
    "/var/lib",
    "/var/log",
    "/var/cache",
    "/var/spool",
    "/var/tmp",
    // The home of root, the databases and the temporary directories of macOS.
    "/var/root",
    "/var/db",
    "/var/folders",
    "/private/tmp",
    "/private/etc",
    "/private/var",
    "/System/Volumes",
];

/// Every child of these is on the floor.
const PARENTS: Packed = names![
    "/usr/*",
    "/home/*",
    "/Users/*",
    "/Volumes/*",
    "/System/Volumes/*",
];

/// Below these no `allow` line of a project file counts.
const SYSTEM: Packed = names![
    "/etc", "/usr", "/bin", "/sbin", "/boot", "/dev", "/proc", "/sys", "/System",
];

/// Where a system directory is by custom a place for sources, so that a starting directory may be a project.
const SOURCES: Packed = names!["/usr/src", "/usr/local/src"];

const PRIVATE: Canonical<'static> = Canonical::literal(b"/private");

/// Where macOS keeps what other systems have at the root: `/private/etc` is `/etc`.
fn without_private(path: Canonical<'_>) -> Canonical<'_> {
    if path.is_below(PRIVATE) {
        Canonical::new(&path.as_bytes()[PRIVATE.as_bytes().len()..]).unwrap_or(path)
    } else {
        path
    }
}

fn named(path: Canonical<'_>, list: Packed) -> Option<&'static [u8]> {
    list.texts().find(|name| same_bytes(name, path.as_bytes()))
}

/// The directory whose children a pattern of [`PARENTS`] stands for.
fn parent_of(pattern: &'static [u8]) -> Canonical<'static> {
    Canonical::literal(pattern.strip_suffix(b"/*").unwrap_or(pattern))
}

/// `/lib`, `/lib64` and their like.
fn is_lib(top: Canonical<'_>) -> bool {
    top.name()
        .get(..3)
        .is_some_and(|start| same_bytes(start, b"lib"))
}

/// How many components the deepest path on the list has.
pub(crate) const DEEPEST: usize = 3;

/// The entry of the fixed list that `path` is on.
pub(crate) fn fixed(path: Canonical<'_>) -> Option<&'static [u8]> {
    let bytes = path.as_bytes();
    // Most paths are deeper than the list.
    let mut slashes = bytes.iter().filter(|&&byte| byte == b'/');
    if slashes.nth(DEEPEST).is_some() {
        return None;
    }
    match path.parent() {
        None => return Some(b"/"),
        Some(parent) if parent.is_root() => {
            return Some(named(path, TOP).unwrap_or(if is_lib(path) { b"/lib*" } else { b"/*" }));
        }
        Some(_) => {}
    }
    let bare = without_private(path);
    named(path, DEEP)
        .or_else(|| named(bare, DEEP))
        .or_else(|| children(path))
}

fn children(path: Canonical<'_>) -> Option<&'static [u8]> {
    let parent = path.parent()?;
    PARENTS.texts().find(|pattern| parent_of(pattern) == parent)
}

/// The first of the fixed list that lies strictly below `path`.
pub(crate) fn fixed_below(path: Canonical<'_>) -> Option<&'static [u8]> {
    if path.is_root() {
        return TOP.texts().next();
    }
    PARENTS
        .texts()
        .find(|pattern| parent_of(pattern).is_at_or_below(path))
        .or_else(|| {
            DEEP.texts()
                .find(|name| Canonical::literal(name).is_below(path))
        })
}

/// The system directory that `path` is, or is below of.
pub(crate) fn system(path: Canonical<'_>) -> Option<&'static [u8]> {
    const VAR_LIB: Canonical<'static> = Canonical::literal(b"/var/lib");
    let path = without_private(path);
    if path.is_at_or_below(VAR_LIB) {
        return Some(VAR_LIB.as_bytes());
    }
    let first = path.components().next()?;
    let at_root = |name: &&'static [u8]| {
        name.strip_prefix(b"/")
            .is_some_and(|name| same_bytes(name, first))
    };
    if let Some(name) = SYSTEM.texts().find(at_root) {
        return Some(name);
    }
    first
        .get(..3)
        .is_some_and(|start| same_bytes(start, b"lib"))
        .then_some(b"/lib*")
}

/// Whether a directory can never be a project root, whatever it holds: the system's, and homes by custom.
pub(crate) fn never_root(path: Canonical<'_>) -> bool {
    let Some(parent) = path.parent() else {
        return true;
    };
    if parent.is_root() {
        return named(path, TOP).is_some() || is_lib(path);
    }
    let volume = same_bytes(parent.as_bytes(), b"/Volumes");
    fixed(path).is_some() && !volume
}

/// Whether a directory can be a project root without a marker in it.
pub(crate) fn plain_root(path: Canonical<'_>) -> bool {
    let source = |top: &'static [u8]| path.is_below(Canonical::literal(top));
    !never_root(path) && (system(path).is_none() || SOURCES.texts().any(source))
}

#[cfg(test)]
mod tests;
