//! What Linux looks up because it may be missing, and macOS always has.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::NonNull;

use crate::sys::Strings;

/// An open stream of libc.
pub(crate) type Stream = *mut c_void;
pub(crate) type Fdopen = unsafe extern "C" fn(c_int, *const c_char) -> Stream;
pub(crate) type Fileno = unsafe extern "C" fn(Stream) -> c_int;
type ErrnoLocation = unsafe extern "C" fn() -> *mut c_int;

unsafe extern "C" {
    #[link_name = "fdopen"]
    fn libc_fdopen(fd: c_int, mode: *const c_char) -> Stream;
    #[link_name = "fileno"]
    fn libc_fileno(stream: Stream) -> c_int;
}

pub(crate) fn errno_location() -> Option<ErrnoLocation> {
    Some(libc::__error)
}

pub(crate) fn fdopen() -> Option<Fdopen> {
    Some(libc_fdopen)
}

pub(crate) fn fileno() -> Option<Fileno> {
    Some(libc_fileno)
}

/// Has a function called when the process exits.
pub(crate) fn at_exit(function: extern "C" fn()) {
    // SAFETY: the library is never unloaded, and libc's function may be called at any time. It fails for want of
    // memory: then the last words stay unsaid.
    if unsafe { libc::atexit(function) } != 0 {}
}

/// libc's `environ`, which libraries reach through a function alone.
pub(crate) fn environ() -> Option<NonNull<Strings>> {
    // SAFETY: takes nothing, and libSystem is initialised before every other library.
    NonNull::new(unsafe { libc::_NSGetEnviron() }.cast())
}

/// Whether libc is glibc, which has ways of its own.
pub(crate) const fn is_glibc() -> bool {
    false
}

/// The path that the kernel was given to execute, which is not asked for here.
pub(crate) const fn executed_file() -> Option<&'static CStr> {
    None
}
