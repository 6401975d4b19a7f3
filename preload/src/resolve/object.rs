//! Files that are written: what counts is the object behind a descriptor, whatever it was opened by.

use core::ffi::{c_char, c_int};

use blastradius_policy::{PathBuffer, canonicalise};

use crate::disk::Disk;
use crate::loan::Loan;
use crate::memory::{self, PathCopy};
use crate::resolve::{Room, Whereabouts, directory, link_of, name};
use crate::sys::{self, CWD, Status};

/// Finds where an open file is.
pub(crate) fn object(fd: c_int, found: &mut Whereabouts) {
    found.shortened = false;
    if link_of(fd, &mut found.text).is_err() || !found.text.as_bytes().starts_with(b"/") {
        found.forget();
    }
}

/// Finds where an open file is, of which the path is known by which it was opened: where the kernel does not
/// say, a look at that path may.
pub(crate) fn object_at(
    fd: c_int,
    status: &Status,
    dirfd: c_int,
    path: *const c_char,
    found: &mut Whereabouts,
) {
    object(fd, found);
    if found.text.len() == 0 {
        looked_up(status, dirfd, path, found);
    }
}

/// Finds where the file is to which a path leads now, if it is the one of which the status is known.
#[cold]
#[inline(never)]
pub(crate) fn looked_up(
    status: &Status,
    dirfd: c_int,
    path: *const c_char,
    found: &mut Whereabouts,
) {
    if by_parent(status, dirfd, path, found).is_none()
        && by_path(status, dirfd, path, found).is_none()
    {
        found.forget();
    }
}

/// The path leads to a directory that can be known, and the object has the final component as its name there.
fn by_parent(
    status: &Status,
    dirfd: c_int,
    path: *const c_char,
    found: &mut Whereabouts,
) -> Option<()> {
    let mut room = Loan::<Room>::new().ok()?;
    let name = name(dirfd, path, &mut room).ok()??;
    let there = sys::lstatat(name.dirfd(), name.base()).ok()?;
    let whereabouts = name.whereabouts();
    found.forget();
    found.text.append(whereabouts.text.as_bytes()).ok()?;
    found.shortened = whereabouts.shortened;
    (there.identity() == status.identity() && found.text.len() > 0).then_some(())
}

/// The path resolves to a name of the object.
fn by_path(
    status: &Status,
    dirfd: c_int,
    path: *const c_char,
    found: &mut Whereabouts,
) -> Option<()> {
    let mut copy = PathCopy::new();
    memory::copy_path(path, &mut copy).ok()?;
    directory(dirfd, found);
    let start = found.path().map_or(&b""[..], |path| path.as_bytes());
    let mut buffer = PathBuffer::new();
    let path = copy.as_c_str().to_bytes();
    let canonical = canonicalise(&Disk, start, path, true, &mut buffer).ok()?;
    found.forget();
    found.text.append(canonical.as_bytes()).ok()?;
    found.text.push(0).ok()?;
    let there = sys::lstatat(CWD, found.text.as_c_str()).ok()?;
    found.text.truncate(canonical.as_bytes().len());
    (there.identity() == status.identity()).then_some(())
}
