//! Streams: libc opens their files by itself, without calling `open`.
//!
//! glibc exports `_IO_file_fopen`, `_IO_file_open` and `_IO_proc_open` too: steps of its own, which take a stream
//! that is half made. No program is linked to them, and nothing is judged there.

use core::ffi::c_char;

use crate::stream;
use crate::weak::Stream;

/// `fopen(3)`
///
/// # Safety
///
/// As in C: both strings must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open(path, mode) }
}

/// `fopen(3)` with 64-bit offsets, which are the only ones there are.
///
/// # Safety
///
/// As in C: both strings must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open(path, mode) }
}

/// glibc's other name of `fopen`.
///
/// # Safety
///
/// As in C: both strings must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
#[allow(non_snake_case)]
pub unsafe extern "C" fn _IO_fopen(path: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open(path, mode) }
}

/// `freopen(3)`
///
/// # Safety
///
/// As in C: the strings must be valid, the path may be null, and the stream must be open.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn freopen(
    path: *const c_char,
    mode: *const c_char,
    stream: Stream,
) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::reopen(path, mode, stream) }
}

/// `freopen(3)` with 64-bit offsets.
///
/// # Safety
///
/// As in C: the strings must be valid, the path may be null, and the stream must be open.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn freopen64(
    path: *const c_char,
    mode: *const c_char,
    stream: Stream,
) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::reopen(path, mode, stream) }
}

/// `setmntent(3)`, which opens any file as `fopen` does.
///
/// # Safety
///
/// As in C: both strings must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn setmntent(path: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open_mounts(path, mode) }
}

/// glibc's other name of `setmntent`.
///
/// # Safety
///
/// As in C: both strings must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn __setmntent(path: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open_mounts(path, mode) }
}
