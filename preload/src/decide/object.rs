//! How old something is.

use core::ffi::{CStr, c_int};

use blastradius_policy::calls::{self, Age};

use crate::sys;

/// A name from a directory, or a descriptor.
pub(super) struct Object<'n> {
    pub(super) dirfd: c_int,
    pub(super) path: &'n CStr,
    pub(super) flags: c_int,
}

impl Object<'_> {
    pub(super) const fn opened(fd: c_int) -> Self {
        Self {
            dirfd: fd,
            path: c"",
            flags: sys::EMPTY_PATH,
        }
    }
}

impl calls::Object for Object<'_> {
    fn age(&self) -> Option<Age> {
        sys::times(self.dirfd, self.path, self.flags).ok()
    }

    fn may_be_on_overlay(&self) -> bool {
        sys::is_on_overlay(self.dirfd, self.path, self.flags) != Ok(false)
    }
}
