//! Further names, and links: the guard's own files must not come in by them, nor be reached.

use core::ffi::{c_char, c_int};

use crate::loan::Loan;
use crate::resolve::{self, Room};
use crate::sys::{self, CWD, Result};
use crate::{decide, errno};

/// `link(2)`, which follows a link.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_link(from: *const c_char, to: *const c_char) -> c_int {
    errno::status(link((CWD, from), (CWD, to), libc::AT_SYMLINK_FOLLOW))
}

/// `linkat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_linkat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_int,
) -> c_int {
    errno::status(link((from_dirfd, from), (to_dirfd, to), flags))
}

/// `symlink(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_symlink(target: *const c_char, path: *const c_char) -> c_int {
    errno::status(symlink(target, (CWD, path)))
}

/// `symlinkat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_symlinkat(
    target: *const c_char,
    dirfd: c_int,
    path: *const c_char,
) -> c_int {
    errno::status(symlink(target, (dirfd, path)))
}

/// A path as a call takes it, from a directory.
type Place = (c_int, *const c_char);

fn link(from: Place, to: Place, flags: c_int) -> Result<()> {
    decide::second_name_of_object(from, flags)?;
    let mut room = Loan::<Room>::new()?;
    // What is wrong with either, the kernel says.
    match resolve::name(to.0, to.1, &mut room).ok().flatten() {
        Some(name) => {
            decide::new_name(&name)?;
            sys::linkat(from, name.pair(), flags)
        }
        None => sys::linkat(from, to, flags),
    }
}

fn symlink(target: *const c_char, place: Place) -> Result<()> {
    let mut room = Loan::<Room>::new()?;
    match resolve::name(place.0, place.1, &mut room).ok().flatten() {
        Some(name) => {
            decide::new_name(&name)?;
            sys::symlinkat(target, name.pair())
        }
        None => sys::symlinkat(target, place),
    }
}
