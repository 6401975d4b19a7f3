//! Flags of open files. All other commands are libc's: some of them wait, and may be cancelled.
//!
//! The C function is variadic. On Linux its argument travels in the same register whether it is or not.

use core::ffi::c_int;

use crate::sys;
use crate::{errno, next, opening};

/// `fcntl(3)`
///
/// # Safety
///
/// As in C: the argument must be what the command takes.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn fcntl(fd: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { control(fd, command, argument) }
}

/// `fcntl(3)` with 64-bit offsets, which are the only ones there are.
///
/// # Safety
///
/// As in C: the argument must be what the command takes.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn fcntl64(fd: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { control(fd, command, argument) }
}

/// glibc's other name of `fcntl`.
///
/// # Safety
///
/// As in C: the argument must be what the command takes.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn __fcntl(fd: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { control(fd, command, argument) }
}

/// # Safety
///
/// The argument must be what the command takes.
#[inline(always)]
unsafe fn control(fd: c_int, command: c_int, argument: usize) -> c_int {
    if command == libc::F_SETFL {
        if let Err(refused) = opening::may_set_flags(fd, argument as c_int) {
            return errno::fail(refused);
        }
        // Never waits; and it is to be seen that it was judged.
        // SAFETY: promised by the caller.
        return unsafe { by_number(fd, command, argument) };
    }
    match next::FCNTL.known() {
        // SAFETY: promised by the caller.
        Some(fcntl) => unsafe { fcntl(fd, command, argument) },
        // SAFETY: promised by the caller.
        None => unsafe { by_number(fd, command, argument) },
    }
}

/// Also before our constructor has run: libc's own function is not looked up here, since allocators and children of
/// threaded programs come this way.
///
/// # Safety
///
/// The argument must be what the command takes.
#[cold]
unsafe fn by_number(fd: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { sys::fcntl(fd, command, argument) } {
        Ok(answer) => answer as c_int,
        Err(errno) => errno::fail(errno),
    }
}
