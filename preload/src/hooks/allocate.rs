//! Giving back, cutting out or clearing parts of a file.

use core::ffi::c_int;

use crate::{errno, opening};

/// `fallocate(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn fallocate(fd: c_int, mode: c_int, offset: i64, length: i64) -> c_int {
    errno::status(opening::fallocate(fd, mode, offset, length))
}

/// `fallocate(3)` with 64-bit offsets.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn fallocate64(fd: c_int, mode: c_int, offset: i64, length: i64) -> c_int {
    errno::status(opening::fallocate(fd, mode, offset, length))
}
