//! What is asked of the system, through libSystem: macOS has no stable system calls beneath it.
//!
//! These functions are the real ones, also where they are interposed: the loader leaves the image that holds
//! the table alone. They set errno, which is put back here, so that a hook that fails inside and answers well
//! in the end leaves no trace.

mod file;
mod process;

use core::ffi::c_int;

pub(crate) use file::*;
pub(crate) use process::*;

/// A number from errno.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) c_int);

pub(crate) type Result<T> = core::result::Result<T, Errno>;

/// Makes a call that answers -1 and sets errno on failure.
#[inline]
fn call<T: Copy + PartialEq + From<i8>>(make: impl FnOnce() -> T) -> Result<T> {
    let before = errno();
    let answer = make();
    if answer != T::from(-1) {
        return Ok(answer);
    }
    let failure = errno();
    set_errno(before);
    Err(Errno(failure))
}

fn errno() -> c_int {
    // SAFETY: takes nothing and may be called at any time.
    let address = unsafe { libc::__error() };
    // SAFETY: it names this thread's errno.
    unsafe { address.read() }
}

fn set_errno(number: c_int) {
    // SAFETY: takes nothing and may be called at any time.
    let address = unsafe { libc::__error() };
    // SAFETY: it names this thread's errno.
    unsafe { address.write(number) };
}
