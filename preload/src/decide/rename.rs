//! Moving a name, perhaps over another.

use blastradius_policy::calls::{Flags, Rename};

use super::{REFUSED, guard, refuse, stop};
use crate::report::Deed;
use crate::resolve::Name;
use crate::sys::{Errno, RENAME_EXCHANGE, RENAME_NOREPLACE, Result};

/// Whether `from` may be moved to `to` with the flags of `renameat2`.
#[inline]
pub(crate) fn rename(from: &Name<'_>, to: &Name<'_>, flags: u32) -> Result<Rename> {
    let flags = Flags {
        swaps: flags & RENAME_EXCHANGE != 0,
        keeps: flags & RENAME_NOREPLACE != 0,
    };
    guard()
        .rename(from, to, flags)
        .map_err(|why| stop(why, from, to))
}

/// The target of a rename appeared after it was looked at: it is replaced by nobody.
#[cold]
pub(crate) fn replace_appeared(name: &Name<'_>) -> Errno {
    match guard().replace_appeared(name) {
        Some(refusal) => refuse(Deed::REPLACE, name.whereabouts(), refusal),
        None => REFUSED,
    }
}
