//! The environment that the process was started with.

use core::ffi::c_char;

use crate::memory::{self, Probe};
use crate::sys::Strings;
use crate::weak;

/// The variables of the process, while it starts.
#[derive(Clone, Copy)]
pub(crate) struct Environment(Strings);

impl Environment {
    /// libc's own view of it.
    pub(crate) fn current() -> Self {
        Self(variables())
    }

    /// The value of a variable.
    pub(crate) fn get(self, name: &[u8]) -> Option<&'static [u8]> {
        let mut probe = Probe::trusting();
        let value = memory::entries_by(self.0, Probe::trusting()).find_map(|entry| {
            let rest = probe.strip_prefix(entry, name)?;
            probe.strip_prefix(rest, b"=")
        })?;
        // SAFETY: it is a string of the environment, and nobody changes that while libraries are loaded. What
        // is kept for later is copied.
        Some(unsafe { memory::bytes(value) })
    }
}

/// What `environ` points to now; null before libc has set it.
pub(crate) fn variables() -> Strings {
    match weak::environ() {
        // SAFETY: the address of `environ` is that of a pointer. Other threads that change it do so with one
        // store, or the program would be wrong without us.
        Some(environ) => unsafe { environ.read_volatile() },
        None => core::ptr::null(),
    }
}

/// Makes `environ` point to another array, which must live for ever.
pub(crate) fn replace(array: &'static [*const c_char]) {
    debug_assert!(array.last().is_some_and(|last| last.is_null()));
    if let Some(environ) = weak::environ() {
        // SAFETY: as in `variables`; programs assign to it in the same way.
        unsafe { environ.write_volatile(array.as_ptr()) };
    }
}
