//! A rename with a verdict, made through the directories that were judged.

use core::ffi::{c_char, c_int, c_uint};

use crate::decide::{self, Rename};
use crate::loan::Loan;
use crate::resolve::{self, Name, Room};
use crate::sys::{self, Errno, RENAME_NOREPLACE, Result};

/// A path as a call takes it, from a directory.
type Place = (c_int, *const c_char);

/// Moves `from` to `to` with the flags of [`sys::renameat2`].
pub(crate) fn move_name(from: Place, to: Place, flags: c_uint) -> Result<()> {
    let (mut from_room, mut to_room) = (Loan::<Room>::new()?, Loan::<Room>::new()?);
    let source = resolve::name(from.0, from.1, &mut from_room)?;
    let target = resolve::name(to.0, to.1, &mut to_room)?;
    match (source, target) {
        (Some(source), Some(target)) => move_between(&source, &target, flags),
        _ => sys::renameat2(from, to, flags),
    }
}

fn move_between(from: &Name<'_>, to: &Name<'_>, flags: c_uint) -> Result<()> {
    let as_asked = || sys::renameat2(from.pair(), to.pair(), flags);
    match decide::rename(from, to, flags)? {
        Rename::AsAsked => as_asked(),
        Rename::NoReplace => {
            match sys::renameat2(from.pair(), to.pair(), flags | RENAME_NOREPLACE) {
                Err(Errno(libc::EEXIST)) if flags & RENAME_NOREPLACE == 0 => {
                    Err(decide::replace_appeared(to))
                }
                // A file system without the flag, or a kernel before 3.15: the name was missing a moment ago.
                Err(errno) if sys::lacks_rename_flags(errno) => as_asked(),
                done => done,
            }
        }
    }
}
