//! libc's own functions. Inside the image that interposes them, their names still stand for the real ones.

use core::ffi::c_char;

use crate::weak::Stream;

/// A function of libc.
pub(crate) struct Next<F>(F);

impl<F: Copy> Next<F> {
    /// Always there; elsewhere it may not be.
    pub(crate) fn get(&self) -> Option<F> {
        Some(self.0)
    }
}

type Fopen = unsafe extern "C" fn(*const c_char, *const c_char) -> Stream;
type Freopen = unsafe extern "C" fn(*const c_char, *const c_char, Stream) -> Stream;

unsafe extern "C" {
    fn fopen(path: *const c_char, mode: *const c_char) -> Stream;
    fn freopen(path: *const c_char, mode: *const c_char, stream: Stream) -> Stream;
}

pub(crate) static FOPEN: Next<Fopen> = Next(fopen);
pub(crate) static FREOPEN: Next<Freopen> = Next(freopen);

/// Nothing has to be looked up.
pub(crate) const fn prepare() {}
