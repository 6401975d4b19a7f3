//! errno, which belongs to libc: untouched on success, set last on failure.

use core::ffi::c_int;

use crate::sys::{Errno, Result};
use crate::weak;

/// Sets errno. Before libc is there, there is none to set.
#[cold]
pub(crate) fn set(errno: Errno) {
    if let Some(location) = weak::errno_location() {
        // SAFETY: libc's function takes no arguments and may be called at any time.
        let address = unsafe { location() };
        // SAFETY: it names this thread's errno.
        unsafe { address.write(errno.0) };
    }
}

/// What a function that answers -1 on failure returns.
#[inline]
pub(crate) fn status(result: Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(errno) => fail(errno),
    }
}

/// Sets errno and returns -1.
#[cold]
pub(crate) fn fail(errno: Errno) -> c_int {
    set(errno);
    -1
}
