//! Moving a name, perhaps over another.

use blastradius_policy::{Act, Rule};

use super::below::denied_below;
use super::{REFUSED, Refusal, is_exempt, judge, refuse};
use crate::disk;
use crate::report::Deed;
use crate::resolve::Name;
use crate::sys::{self, Errno, RENAME_EXCHANGE, RENAME_NOREPLACE, Result};

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
    let swaps = flags & RENAME_EXCHANGE != 0;
    let keeps = flags & RENAME_NOREPLACE != 0;
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
        None => match denied_below(name) {
            None => Ok(()),
            Some(refusal) => Err(refuse(Deed::RENAME, name.whereabouts(), refusal)),
        },
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
