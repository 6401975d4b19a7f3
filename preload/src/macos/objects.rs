//! This library's own file.

use core::ffi::CStr;
use core::mem::MaybeUninit;

/// The file of this library, as the loader was given it.
pub(crate) fn own_file() -> Option<&'static CStr> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    let here = own_file as *const ();
    // SAFETY: an address of this code, and room for the answer.
    if unsafe { libc::dladdr(here.cast(), info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: the call succeeded.
    let name = unsafe { info.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: a string of the loader's, which keeps it as long as the library is loaded: for ever.
    Some(unsafe { CStr::from_ptr(name) })
}
