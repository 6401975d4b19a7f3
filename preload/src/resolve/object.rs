//! Files that are written: what counts is the object behind a descriptor, whatever it was opened by.

use core::ffi::{c_char, c_int};

use blastradius_policy::{PathBuffer, canonicalise};

use crate::disk::Disk;
use crate::memory::{self, PathCopy};
use crate::resolve::{Whereabouts, directory, link_of, name};
use crate::sys::{self, CWD, Status};
use crate::text::Text;

/// Where an open file is.
pub(crate) fn object(fd: c_int) -> Whereabouts {
    let mut text = Text::new();
    match link_of(fd, &mut text) {
        Ok(()) if text.as_bytes().starts_with(b"/") => Whereabouts {
            text,
            shortened: false,
        },
        _ => Whereabouts::unknown(),
    }
}

/// Where an open file is, of which the path is known by which it was opened: where the kernel does not say, a
/// look at that path may.
pub(crate) fn object_at(
    fd: c_int,
    status: &Status,
    dirfd: c_int,
    path: *const c_char,
) -> Whereabouts {
    let told = object(fd);
    if told.path().is_some() {
        return told;
    }
    looked_up(status, dirfd, path)
}

/// Where the file is to which a path leads now, if it is the one of which the status is known.
#[cold]
#[inline(never)]
pub(crate) fn looked_up(status: &Status, dirfd: c_int, path: *const c_char) -> Whereabouts {
    by_parent(status, dirfd, path)
        .or_else(|| by_path(status, dirfd, path))
        .unwrap_or(Whereabouts::unknown())
}

/// The path leads to a directory that can be known, and the object has the final component as its name there.
#[cold]
#[inline(never)]
fn by_parent(status: &Status, dirfd: c_int, path: *const c_char) -> Option<Whereabouts> {
    let mut copy = PathCopy::new();
    let name = name(dirfd, path, &mut copy).ok()??;
    let there = sys::lstatat(name.dirfd(), name.base()).ok()?;
    (there.identity() == status.identity()).then(|| name.into_whereabouts())
}

/// The path resolves to a name of the object.
#[cold]
#[inline(never)]
fn by_path(status: &Status, dirfd: c_int, path: *const c_char) -> Option<Whereabouts> {
    let mut copy = PathCopy::new();
    memory::copy_path(path, &mut copy).ok()?;
    let start = directory(dirfd);
    let start = start.path().map_or(&b""[..], |path| path.as_bytes());
    let path = copy.as_c_str().to_bytes();
    let mut buffer = PathBuffer::new();
    let canonical = canonicalise(&Disk, start, path, true, &mut buffer).ok()?;
    let mut text = Text::new();
    text.append(canonical.as_bytes()).ok()?;
    text.push(0).ok()?;
    let there = sys::lstatat(CWD, text.as_c_str()).ok()?;
    text.truncate(canonical.as_bytes().len());
    (there.identity() == status.identity()).then_some(Whereabouts {
        text,
        shortened: false,
    })
}
