//! The verdict on one call, which the policy gives to both lower layers alike ([`blastradius_policy::calls`]): here
//! is how the disk is looked at for it, and what becomes of a refusal.

mod below;
mod free;
mod link;
mod name;
mod object;
mod remove;
mod rename;

use core::ffi::c_int;

use blastradius_policy::calls::{End, Guard, Stop};
use blastradius_policy::{Act, Canonical, Kind};

use crate::disk;
use crate::loan::Loan;
use crate::memory::PATH_MAX;
use crate::report::{self, Deed};
use crate::resolve::{Name, Whereabouts};

use crate::start::state;
use crate::sys::{self, Errno, Result, Status};
use crate::text::Text;

use object::Object;

pub(crate) use blastradius_policy::calls::{Refusal, Removal, Rename};
pub(crate) use link::{new_name, second_name, second_name_of_object};
pub(crate) use remove::remove;
pub(crate) use rename::{rename, replace_appeared};

/// What every refusal answers. Never EXDEV: programs would then copy and remove.
pub(crate) const REFUSED: Errno = Errno(libc::EPERM);

fn guard() -> Guard<'static, 'static> {
    Guard(state().policy.as_ref())
}

/// Asks the policy.
#[inline]
pub(crate) fn judge(
    whereabouts: &Whereabouts,
    act: Act,
    kind: Option<Kind>,
) -> Option<Refusal<'static>> {
    guard().judge(whereabouts.place(), act, kind)
}

/// Refuses: says so, and gives the error that the caller of the hook sees.
#[cold]
#[inline(never)]
pub(crate) fn refuse(deed: Deed, whereabouts: &Whereabouts, refusal: Refusal<'_>) -> Errno {
    report::refusal(deed, whereabouts.path(), refusal);
    REFUSED
}

/// The error for a call that is not made, of which these are the names.
#[cold]
#[inline(never)]
fn stop(stop: Stop<'_, Errno>, source: &Name<'_>, target: &Name<'_>) -> Errno {
    match stop {
        Stop::Fails(errno) => errno,
        Stop::IsDirectory => sys::UNLINKED_DIRECTORY,
        Stop::NotDirectory => Errno(libc::ENOTDIR),
        Stop::NotEmpty => Errno(libc::ENOTEMPTY),
        Stop::Refused { deed, end, refusal } => {
            let name = match end {
                End::Source => source,
                End::Target => target,
            };
            refuse(deed, name.whereabouts(), refusal)
        }
    }
}

/// Whether a refused path is newborn: nothing that existed before the session is lost with it.
pub(crate) fn is_newborn(refusal: Refusal<'_>, path: Canonical<'_>) -> bool {
    refusal.spares_newborn() && is_born_later(path)
}

/// Whether what has a path was born after the session began.
pub(crate) fn is_born_later(path: Canonical<'_>) -> bool {
    let Ok(mut text) = Loan::<Text<PATH_MAX>>::new() else {
        return false;
    };
    let whole = text.append(path.as_bytes()).and_then(|()| text.push(0));
    let object = Object {
        dirfd: sys::CWD,
        path: text.as_c_str(),
        flags: 0,
    };
    whole.is_ok() && guard().is_newborn(&object)
}

/// Whether an open file may be written as `deed` says.
#[inline]
pub(crate) fn write(
    deed: Deed,
    fd: c_int,
    status: &Status,
    whereabouts: &Whereabouts,
) -> Result<()> {
    match refusal_to_write(deed, fd, status, whereabouts) {
        None => Ok(()),
        Some(refusal) => Err(refuse(deed, whereabouts, refusal)),
    }
}

/// As [`write()`], without a word.
#[inline]
pub(crate) fn refusal_to_write(
    deed: Deed,
    fd: c_int,
    status: &Status,
    whereabouts: &Whereabouts,
) -> Option<Refusal<'static>> {
    let object = Object::opened(fd);
    guard().refusal_to_write(deed, whereabouts.place(), disk::kind(status), &object)
}
