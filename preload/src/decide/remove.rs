//! Removing a name.

use blastradius_policy::{Act, Kind};

use super::free::is_free;
use super::{is_exempt, judge, refuse};
use crate::disk::{self, Walk};
use crate::report::Deed;
use crate::resolve::Name;
use crate::sys::{self, Errno, Result};

/// How a name is to be removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    Unlink,
    Rmdir,
    /// `remove`: whichever fits.
    Either,
}

/// Whether a name may be removed. An error is the answer to give.
#[inline]
pub(crate) fn remove(name: &Name<'_>, removal: Removal) -> Result<()> {
    if name.whereabouts().directory().is_some_and(is_free)
        || judge(name.whereabouts(), Act::Remove, None).is_none()
    {
        return Ok(());
    }
    remove_refused(name, removal)
}

#[cold]
#[inline(never)]
fn remove_refused(name: &Name<'_>, removal: Removal) -> Result<()> {
    // A name that does not exist keeps its error.
    let status = sys::lstatat(name.dirfd(), name.base())?;
    let deed = match (status.is_directory(), removal) {
        (true, Removal::Unlink) => return Err(sys::UNLINKED_DIRECTORY),
        (false, Removal::Rmdir) => return Err(Errno(libc::ENOTDIR)),
        (true, _) => Deed::RMDIR,
        (false, _) => Deed::UNLINK,
    };
    let kind = disk::kind(&status);
    let Some(refusal) = judge(name.whereabouts(), Act::Remove, Some(kind)) else {
        return Ok(());
    };
    if kind == Kind::Directory && holds_something(name) {
        return Err(Errno(libc::ENOTEMPTY));
    }
    if is_exempt(refusal, name) {
        return Ok(());
    }
    Err(refuse(deed, name.whereabouts(), refusal))
}

/// Whether a directory is certainly not empty: then removing it fails anyway.
fn holds_something(name: &Name<'_>) -> bool {
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let (dirfd, base) = name.pair();
    let mut found = false;
    if let Ok(directory) = sys::openat(dirfd, base, flags, 0) {
        let listed = disk::names(directory.number(), |_| {
            found = true;
            Walk::Stop
        });
        return found && listed.is_ok();
    }
    false
}
