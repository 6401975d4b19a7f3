//! Names that come into being without replacing anything: only the guard's own files have a say.

use core::ffi::{c_char, c_int};

use super::{guard, refuse, stop};
use crate::loan::Loan;
use crate::report::Deed;
use crate::resolve::{self, Name, Whereabouts};
use crate::sys::{self, Result};

/// Whether a link may have that name: not that of a file of the guard, nor that of a directory above one, which
/// would bring them all.
pub(crate) fn new_name(name: &Name<'_>) -> Result<()> {
    guard().new_name(name).map_err(|why| stop(why, name, name))
}

/// Whether a file may have another name: not one of the guard, which could be written by it.
pub(crate) fn second_name(name: &Name<'_>) -> Result<()> {
    second(name.whereabouts())
}

/// As [`second_name`], for what `linkat` finds with these flags.
#[cold]
pub(crate) fn second_name_of_object(from: (c_int, *const c_char), flags: c_int) -> Result<()> {
    let mut whereabouts = Loan::<Whereabouts>::new()?;
    if flags & sys::EMPTY_PATH != 0 && is_empty(from.1) {
        resolve::object(from.0, &mut whereabouts);
        return second(&whereabouts);
    }
    let nofollow = match flags & libc::AT_SYMLINK_FOLLOW {
        0 => libc::O_NOFOLLOW,
        _ => 0,
    };
    let held = sys::HELD | nofollow;
    // The kernel says what is wrong with a path that cannot be opened.
    match sys::openat(from.0, from.1, held, 0) {
        Ok(file) => {
            resolve::object(file.number(), &mut whereabouts);
            second(&whereabouts)
        }
        Err(_) => Ok(()),
    }
}

fn is_empty(path: *const c_char) -> bool {
    let mut copy = crate::memory::PathCopy::new();
    crate::memory::copy_path(path, &mut copy).is_ok() && copy.len() == 1
}

fn second(whereabouts: &Whereabouts) -> Result<()> {
    match guard().second_name(whereabouts.place()) {
        Some(refusal) => Err(refuse(Deed::LINK, whereabouts, refusal)),
        None => Ok(()),
    }
}
