//! The verdict on one call. The policy is asked first; only where it refuses does it matter whether anything
//! would be lost.

mod below;
mod free;
mod link;
mod remove;
mod rename;

use core::ffi::{CStr, c_int};

use blastradius_policy::{Act, Below, By, Canonical, Judgement, Kind, Rule, Subject};

use crate::disk;
use crate::loan::Loan;
use crate::memory::PATH_MAX;
use crate::report::{self, Deed};
use crate::resolve::{Name, Whereabouts};

use crate::start::state;
use crate::sys::{self, Errno, Result, Status};
use crate::text::Text;

pub(crate) use link::{new_name, second_name, second_name_of_object};
pub(crate) use remove::{Removal, remove};
pub(crate) use rename::{Rename, rename, replace_appeared};

/// Why the policy refuses.
#[derive(Clone, Copy)]
pub(crate) struct Refusal<'p> {
    pub(crate) rule: Rule,
    /// The pattern, floor path or message that decided; may be empty.
    pub(crate) by: &'p [u8],
}

/// What every refusal answers. Never EXDEV: programs would then copy and remove.
pub(crate) const REFUSED: Errno = Errno(libc::EPERM);

/// Asks the policy.
#[inline]
pub(crate) fn judge(
    whereabouts: &Whereabouts,
    act: Act,
    kind: Option<Kind>,
) -> Option<Refusal<'static>> {
    let Some(policy) = &state().policy else {
        // Adding destroys nothing, whatever the policy says.
        return (act != Act::Append).then_some(Refusal {
            rule: Rule::PolicyInDoubt,
            by: b"BLASTRADIUS_POLICY holds no policy",
        });
    };
    let Some(path) = whereabouts.path() else {
        return (act != Act::Append).then_some(Refusal {
            rule: Rule::UnresolvableTarget,
            by: b"",
        });
    };
    let subject = Subject {
        path,
        act,
        by: By::Program,
        kind,
    };
    if let Judgement::Refuse { rule, by } = policy.judge(&subject) {
        return Some(Refusal { rule, by });
    }
    match policy.denies_below(whereabouts.shortened_after()?) {
        Below::No => None,
        Below::Certain(by) | Below::Possible(by) => Some(Refusal {
            rule: Rule::Denied,
            by,
        }),
    }
}

/// Refuses: says so, and gives the error that the caller of the hook sees.
#[cold]
#[inline(never)]
pub(crate) fn refuse(deed: Deed, whereabouts: &Whereabouts, refusal: Refusal<'_>) -> Errno {
    report::refusal(deed, whereabouts.path(), refusal);
    REFUSED
}

/// Whether a refused name is newborn: nothing that existed before the session is lost with it.
fn is_exempt(refusal: Refusal<'_>, name: &Name<'_>) -> bool {
    can_be_exempt(refusal) && born_later(name.dirfd(), name.base(), 0)
}

/// As [`is_exempt`], for a path.
pub(crate) fn is_newborn(refusal: Refusal<'_>, path: Canonical<'_>) -> bool {
    can_be_exempt(refusal) && is_born_later(path)
}

/// Whether what has a path was born after the session began.
pub(crate) fn is_born_later(path: Canonical<'_>) -> bool {
    let Ok(mut text) = Loan::<Text<PATH_MAX>>::new() else {
        return false;
    };
    let whole = text.append(path.as_bytes()).and_then(|()| text.push(0));
    whole.is_ok() && born_later(sys::CWD, text.as_c_str(), 0)
}

/// The floor, deny lines and the guard's own files hold for what is newborn too.
const fn can_be_exempt(refusal: Refusal<'_>) -> bool {
    matches!(refusal.rule, Rule::OutOfScope | Rule::SystemPath)
}

/// No birth time, no exemption. An overlay gives a file a new one when its mode is changed, and keeps what the
/// content is dated: there both must be later.
fn born_later(dirfd: c_int, path: &CStr, flags: c_int) -> bool {
    let (Some(policy), Ok(times)) = (&state().policy, sys::times(dirfd, path, flags)) else {
        return false;
    };
    let start = policy.session_start();
    times.birth.is_some_and(|birth| birth > start)
        && (times.modified > start || sys::is_on_overlay(dirfd, path, flags) == Ok(false))
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
    let refusal = judge(whereabouts, deed.act, Some(disk::kind(status)))?;
    let is_exempt = can_be_exempt(refusal) && born_later(fd, c"", sys::EMPTY_PATH);
    (!is_exempt).then_some(refusal)
}
