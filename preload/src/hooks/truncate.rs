//! Shortening a file.

use core::ffi::{c_char, c_int};

use crate::{errno, opening};

/// `truncate(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn truncate(path: *const c_char, length: i64) -> c_int {
    errno::status(opening::truncate(path, length))
}

/// `truncate(3)` with 64-bit offsets.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn truncate64(path: *const c_char, length: i64) -> c_int {
    errno::status(opening::truncate(path, length))
}

/// `ftruncate(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn ftruncate(fd: c_int, length: i64) -> c_int {
    errno::status(opening::ftruncate(fd, length))
}

/// `ftruncate(3)` with 64-bit offsets.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn ftruncate64(fd: c_int, length: i64) -> c_int {
    errno::status(opening::ftruncate(fd, length))
}
