//! Removing a name.

use blastradius_policy::calls::Removal;

use super::free::is_free;
use super::{guard, stop};
use crate::resolve::Name;
use crate::sys::Result;

/// Whether a name may be removed. An error is the answer to give.
#[inline]
pub(crate) fn remove(name: &Name<'_>, removal: Removal) -> Result<()> {
    if name.whereabouts().directory().is_some_and(is_free) {
        return Ok(());
    }
    guard()
        .remove(name, removal)
        .map_err(|why| stop(why, name, name))
}
