//! The floor: directories that nothing may remove, move or replace.

use crate::Canonical;
use crate::path::same_bytes;

/// Directories of the system at the root. Any other directory there is on the floor too, but may be a
/// project root (`/app` in a container).
const TOP: [&[u8]; 26] = [
    b"/bin",
    b"/boot",
    b"/dev",
    b"/etc",
    b"/home",
    b"/lost+found",
    b"/media",
    b"/mnt",
    b"/opt",
    b"/proc",
    b"/root",
    b"/run",
    b"/sbin",
    b"/snap",
    b"/srv",
    b"/sys",
    b"/tmp",
    b"/usr",
    b"/var",
    b"/System",
    b"/Library",
    b"/Applications",
    b"/Users",
    b"/Volumes",
    b"/cores",
    b"/private",
];

/// Deeper directories of the system.
const DEEP: [&[u8]; 12] = [
    b"/var/lib",
    b"/var/log",
    b"/var/cache",
    b"/var/spool",
    b"/var/tmp",
    // The home of root, the databases and the temporary directories of macOS.
    b"/var/root",
    b"/var/db",
    b"/var/folders",
    b"/private/tmp",
    b"/private/etc",
    b"/private/var",
    b"/System/Volumes",
];

/// Directories whose every child is on the floor.
const PARENTS: [(&[u8], &[u8]); 5] = [
    (b"/usr", b"/usr/*"),
    (b"/home", b"/home/*"),
    (b"/Users", b"/Users/*"),
    (b"/Volumes", b"/Volumes/*"),
    (b"/System/Volumes", b"/System/Volumes/*"),
];

/// Below these no `allow` line of a project file counts.
const SYSTEM: [&[u8]; 9] = [
    b"/etc", b"/usr", b"/bin", b"/sbin", b"/boot", b"/dev", b"/proc", b"/sys", b"/System",
];

/// Where a system directory is by custom a place for sources, so that a starting directory may be a project.
const SOURCES: [&[u8]; 2] = [b"/usr/src", b"/usr/local/src"];

const PRIVATE: Canonical<'static> = Canonical::literal(b"/private");

/// Where macOS keeps what other systems have at the root: `/private/etc` is `/etc`.
fn without_private(path: Canonical<'_>) -> Canonical<'_> {
    if path.is_below(PRIVATE) {
        Canonical::new(&path.as_bytes()[PRIVATE.as_bytes().len()..]).unwrap_or(path)
    } else {
        path
    }
}

fn named(path: Canonical<'_>, list: &[&'static [u8]]) -> Option<&'static [u8]> {
    list.iter()
        .copied()
        .find(|name| same_bytes(name, path.as_bytes()))
}

/// `/lib`, `/lib64` and their like.
fn is_lib(top: Canonical<'_>) -> bool {
    top.name()
        .get(..3)
        .is_some_and(|start| same_bytes(start, b"lib"))
}

/// The entry of the fixed list that `path` is on.
pub(crate) fn fixed(path: Canonical<'_>) -> Option<&'static [u8]> {
    let bytes = path.as_bytes();
    // Three components at most are on the list, and most paths are deeper.
    if bytes.iter().filter(|&&byte| byte == b'/').count() > 3 {
        return None;
    }
    match path.parent() {
        None => return Some(b"/"),
        Some(parent) if parent.is_root() => {
            return Some(named(path, &TOP).unwrap_or(if is_lib(path) { b"/lib*" } else { b"/*" }));
        }
        Some(_) => {}
    }
    let bare = without_private(path);
    named(path, &DEEP)
        .or_else(|| named(bare, &DEEP))
        .or_else(|| children(path))
}

fn children(path: Canonical<'_>) -> Option<&'static [u8]> {
    let parent = path.parent()?;
    let found = PARENTS
        .iter()
        .find(|(top, _)| same_bytes(top, parent.as_bytes()))?;
    Some(found.1)
}

/// The first of the fixed list that lies strictly below `path`.
pub(crate) fn fixed_below(path: Canonical<'_>) -> Option<&'static [u8]> {
    if path.is_root() {
        return Some(TOP[0]);
    }
    if let Some((_, pattern)) = PARENTS
        .iter()
        .find(|(top, _)| Canonical::literal(top).is_at_or_below(path))
    {
        return Some(pattern);
    }
    DEEP.iter()
        .copied()
        .find(|name| Canonical::literal(name).is_below(path))
}

/// The system directory that `path` is, or is below of.
pub(crate) fn system(path: Canonical<'_>) -> Option<&'static [u8]> {
    const VAR_LIB: Canonical<'static> = Canonical::literal(b"/var/lib");
    let path = without_private(path);
    if path.is_at_or_below(VAR_LIB) {
        return Some(VAR_LIB.as_bytes());
    }
    let first = path.components().next()?;
    if let Some(name) = SYSTEM
        .iter()
        .copied()
        .find(|name| same_bytes(&name[1..], first))
    {
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
        return named(path, &TOP).is_some() || is_lib(path);
    }
    let volume = same_bytes(parent.as_bytes(), b"/Volumes");
    fixed(path).is_some() && !volume
}

/// Whether a directory can be a project root without a marker in it.
pub(crate) fn plain_root(path: Canonical<'_>) -> bool {
    let source = |top: &&'static [u8]| path.is_below(Canonical::literal(top));
    !never_root(path) && (system(path).is_none() || SOURCES.iter().any(source))
}

#[cfg(test)]
mod tests;
