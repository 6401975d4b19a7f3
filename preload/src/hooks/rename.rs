//! Moving a name, perhaps over another.

use core::ffi::{c_char, c_int, c_uint};

use crate::errno;
use crate::renaming::move_name;
use crate::sys::CWD;

/// `rename(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    errno::status(move_name((CWD, from), (CWD, to), 0))
}

/// `renameat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn renameat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), 0))
}

/// `renameat2(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn renameat2(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), flags))
}
