//! The verdict on one call. The policy is asked first; only where it refuses does it matter whether anything
//! would be lost.

use core::ffi::c_int;

use blastradius_policy::{Act, Below, By, Canonical, Judgement, Kind, Rule, Subject};

use crate::disk::{self, Walk};
use crate::memory::PATH_MAX;
use crate::report::{self, Deed};
use crate::resolve::{Name, Whereabouts};
use crate::start::state;
use crate::sys::{self, Errno, Result, Status};
use crate::text::Text;

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
    match judge(name.whereabouts(), Act::Remove, None) {
        None => Ok(()),
        Some(_) => remove_refused(name, removal),
    }
}

#[cold]
#[inline(never)]
fn remove_refused(name: &Name<'_>, removal: Removal) -> Result<()> {
    // A name that does not exist keeps its error.
    let status = sys::lstatat(name.dirfd(), name.base())?;
    let deed = match (status.is_directory(), removal) {
        (true, Removal::Unlink) => return Err(Errno(libc::EISDIR)),
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

/// Whether a refused name is newborn: nothing that existed before the session is lost with it.
fn is_exempt(refusal: Refusal<'_>, name: &Name<'_>) -> bool {
    can_be_exempt(refusal) && born_later(sys::birth(name.dirfd(), name.base(), 0))
}

/// As [`is_exempt`], for a path.
pub(crate) fn is_newborn(refusal: Refusal<'_>, path: Canonical<'_>) -> bool {
    let mut text = Text::<PATH_MAX>::new();
    let whole = text.append(path.as_bytes()).and_then(|()| text.push(0));
    whole.is_ok() && can_be_exempt(refusal) && born_later(sys::birth(sys::CWD, text.as_c_str(), 0))
}

/// The floor, deny lines and the guard's own files hold for what is newborn too.
const fn can_be_exempt(refusal: Refusal<'_>) -> bool {
    matches!(refusal.rule, Rule::OutOfScope | Rule::SystemPath)
}

/// No birth time, no exemption.
fn born_later(birth: Result<Option<(i64, u32)>>) -> bool {
    match (birth, &state().policy) {
        (Ok(Some(birth)), Some(policy)) => birth > policy.session_start(),
        _ => false,
    }
}

/// What a rename needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rename {
    /// It may be made as it was asked for.
    AsAsked,
    /// The target may come into being, but must not replace anything.
    NoReplace,
}

/// Whether `from` may be moved to `to` with the flags of `renameat2`.
#[inline]
pub(crate) fn rename(from: &Name<'_>, to: &Name<'_>, flags: u32) -> Result<Rename> {
    let swaps = flags & libc::RENAME_EXCHANGE != 0;
    let keeps = flags & libc::RENAME_NOREPLACE != 0;
    move_away(from)?;
    if swaps {
        move_away(to)?;
        replace(from, to)?;
    }
    if !keeps {
        return replace(to, from);
    }
    match judge(to.whereabouts(), Act::Replace, None) {
        Some(refusal) => create(to, refusal),
        None => Ok(Rename::AsAsked),
    }
}

#[inline]
fn move_away(name: &Name<'_>) -> Result<()> {
    match judge(name.whereabouts(), Act::MoveAway, None) {
        None => Ok(()),
        Some(_) => move_away_refused(name),
    }
}

#[cold]
#[inline(never)]
fn move_away_refused(name: &Name<'_>) -> Result<()> {
    let status = sys::lstatat(name.dirfd(), name.base())?;
    let kind = disk::kind(&status);
    match judge(name.whereabouts(), Act::MoveAway, Some(kind)) {
        Some(refusal) if !is_exempt(refusal, name) => {
            Err(refuse(Deed::RENAME, name.whereabouts(), refusal))
        }
        _ => Ok(()),
    }
}

/// Whether `name` may be replaced by `from`.
#[inline]
fn replace(name: &Name<'_>, from: &Name<'_>) -> Result<Rename> {
    match judge(name.whereabouts(), Act::Replace, None) {
        None => Ok(Rename::AsAsked),
        Some(refusal) => replace_refused(name, from, refusal),
    }
}

#[cold]
#[inline(never)]
fn replace_refused(name: &Name<'_>, from: &Name<'_>, if_missing: Refusal<'_>) -> Result<Rename> {
    // Nothing can be replaced by nothing.
    sys::lstatat(from.dirfd(), from.base())?;
    let status = match sys::lstatat(name.dirfd(), name.base()) {
        // A new name replaces nothing.
        Err(Errno(libc::ENOENT)) => return create(name, if_missing),
        status => status?,
    };
    let kind = disk::kind(&status);
    match judge(name.whereabouts(), Act::Replace, Some(kind)) {
        Some(refusal) if !is_exempt(refusal, name) => {
            Err(refuse(Deed::REPLACE, name.whereabouts(), refusal))
        }
        _ => Ok(Rename::AsAsked),
    }
}

/// Whether a new name may come into being where replacing is refused: not the guard's own files, nor a
/// directory that brings them.
#[cold]
fn create(name: &Name<'_>, refusal: Refusal<'_>) -> Result<Rename> {
    if refusal.rule == Rule::GuardFile {
        return Err(refuse(Deed::REPLACE, name.whereabouts(), refusal));
    }
    Ok(Rename::NoReplace)
}

/// The target of a rename appeared after it was looked at: it is replaced by nobody.
#[cold]
pub(crate) fn replace_appeared(name: &Name<'_>) -> Errno {
    match judge(name.whereabouts(), Act::Replace, None) {
        Some(refusal) => refuse(Deed::REPLACE, name.whereabouts(), refusal),
        None => REFUSED,
    }
}

/// Whether an open file may be written as `deed` says.
#[inline]
pub(crate) fn write(
    deed: Deed,
    fd: c_int,
    status: &Status,
    whereabouts: &Whereabouts,
) -> Result<()> {
    let kind = disk::kind(status);
    match judge(whereabouts, deed.act, Some(kind)) {
        None => Ok(()),
        Some(refusal) if can_be_exempt(refusal) && born_later(birth_of(fd)) => Ok(()),
        Some(refusal) => Err(refuse(deed, whereabouts, refusal)),
    }
}

fn birth_of(fd: c_int) -> Result<Option<(i64, u32)>> {
    sys::birth(fd, c"", libc::AT_EMPTY_PATH)
}
