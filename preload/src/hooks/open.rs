//! Opening a file for writing, or emptying it.
//!
//! The C functions are variadic. On Linux the mode travels in the same register whether it is or not, so the
//! hooks take it always; without O_CREAT it is whatever the register holds, and the kernel does not look.

use core::ffi::{c_char, c_int, c_uint, c_void};

use crate::sys::{CWD, Descriptor};
use crate::{errno, next, opening};

/// The flags of `creat`.
pub(super) const CREATE: c_int = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;

#[inline(always)]
fn open_at(dirfd: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // libc's own call may wait, for the other end of a pipe, and a thread that waits there can be cancelled.
    if opening::is_harmless(flags)
        && let Some(openat) = next::OPENAT.known()
    {
        // SAFETY: the kernel looks at the path, and says what is wrong with it.
        return unsafe { openat(dirfd, path, flags, mode) };
    }
    opening::open(dirfd, path, flags, mode).map_or_else(errno::fail, Descriptor::release)
}

/// `open(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(CWD, path, flags, mode)
}

/// `open(3)` with 64-bit offsets, which are the only ones there are.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(CWD, path, flags, mode)
}

/// glibc's other name of `open`.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(CWD, path, flags, mode)
}

/// glibc's other name of `open64`.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(CWD, path, flags, mode)
}

/// `openat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn openat(dirfd: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(dirfd, path, flags, mode)
}

/// `openat(3)` with 64-bit offsets.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn openat64(dirfd: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open_at(dirfd, path, flags, mode)
}

/// What `open` becomes under `_FORTIFY_SOURCE` where the flags are not known when it is compiled.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __open_2(path: *const c_char, flags: c_int) -> c_int {
    open_at(CWD, path, flags, 0)
}

/// What `open64` becomes under `_FORTIFY_SOURCE`.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __open64_2(path: *const c_char, flags: c_int) -> c_int {
    open_at(CWD, path, flags, 0)
}

/// What `openat` becomes under `_FORTIFY_SOURCE`.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __openat_2(dirfd: c_int, path: *const c_char, flags: c_int) -> c_int {
    open_at(dirfd, path, flags, 0)
}

/// What `openat64` becomes under `_FORTIFY_SOURCE`.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn __openat64_2(dirfd: c_int, path: *const c_char, flags: c_int) -> c_int {
    open_at(dirfd, path, flags, 0)
}

/// `creat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn creat(path: *const c_char, mode: c_uint) -> c_int {
    open_at(CWD, path, CREATE, mode)
}

/// `creat(3)` with 64-bit offsets.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn creat64(path: *const c_char, mode: c_uint) -> c_int {
    open_at(CWD, path, CREATE, mode)
}

/// `openat2(2)`, for which libc has a function since glibc 2.43.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn openat2(
    dirfd: c_int,
    path: *const c_char,
    how: *const c_void,
    size: usize,
) -> c_int {
    opening::open_how(dirfd, path, how.cast(), size).map_or_else(errno::fail, Descriptor::release)
}

/// `open_by_handle_at(2)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn open_by_handle_at(mount: c_int, handle: *const c_void, flags: c_int) -> c_int {
    opening::open_by_handle(mount, handle, flags).map_or_else(errno::fail, Descriptor::release)
}
