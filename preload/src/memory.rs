//! Memory of the program that calls a hook: it may be anything, also nothing.

use core::ffi::{CStr, c_char};
use core::ptr;

use crate::sys::{Errno, Result, Strings, is_readable};
use crate::text::Text;
use crate::valgrind;

/// Length of the longest path that the kernel takes, its NUL included.
pub(crate) const PATH_MAX: usize = libc::PATH_MAX as usize;

/// A copy of a path, with its NUL.
pub(crate) type PathCopy = Text<PATH_MAX>;

/// Smallest unit in which memory can be missing.
const PAGE: usize = 4096;

/// Reads bytes that may not be there. It asks the kernel once a page.
pub(crate) struct Probe {
    page: usize,
    trusting: bool,
}

impl Probe {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            page: usize::MAX,
            // It says by itself what is wrong with a pointer.
            trusting: valgrind::is_present(),
        }
    }

    /// For memory that is known to be there.
    pub(crate) const fn trusting() -> Self {
        Self {
            page: usize::MAX,
            trusting: true,
        }
    }

    #[inline(always)]
    fn can_read(&mut self, address: usize) -> bool {
        let page = address / PAGE;
        if page != self.page {
            // A null pointer is not looked at by the call that is asked.
            if page == 0 || !self.trusting && !is_readable(address) {
                return false;
            }
            self.page = page;
        }
        true
    }

    /// How many bytes from `address` on can be read for certain; none if it cannot be.
    #[inline(always)]
    fn readable(&mut self, address: *const u8) -> usize {
        if self.can_read(address.addr()) {
            PAGE - address.addr() % PAGE
        } else {
            0
        }
    }

    /// The rest of `string` after `prefix`. What cannot be read begins with nothing.
    pub(crate) fn strip_prefix(
        &mut self,
        string: *const c_char,
        prefix: &[u8],
    ) -> Option<*const c_char> {
        let mut source = string.cast::<u8>();
        let mut rest = prefix;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(self.readable(source).min(rest.len()));
            if now.is_empty() {
                return None;
            }
            for &expected in now {
                // SAFETY: the page can be read. Volatile, since another thread may be writing to it.
                if unsafe { ptr::read_volatile(source) } != expected {
                    return None;
                }
                source = source.wrapping_add(1);
            }
            rest = later;
        }
        Some(source.cast())
    }

    /// Fills `into` from memory that may not be there.
    pub(crate) fn copy_bytes(&mut self, from: *const u8, into: &mut [u8]) -> Result<()> {
        let mut source = from;
        let mut rest = into;
        while !rest.is_empty() {
            let readable = self.readable(source).min(rest.len());
            if readable == 0 {
                return Err(Errno(libc::EFAULT));
            }
            let (now, later) = rest.split_at_mut(readable);
            for place in now {
                // SAFETY: the page can be read. Volatile, since another thread may be writing to it.
                *place = unsafe { ptr::read_volatile(source) };
                source = source.wrapping_add(1);
            }
            rest = later;
        }
        Ok(())
    }

    /// Copies a string, up to its NUL, which is not copied. A string that does not fit is ENAMETOOLONG.
    #[inline(always)]
    pub(crate) fn copy<const N: usize>(
        &mut self,
        string: *const c_char,
        into: &mut Text<N>,
    ) -> Result<()> {
        let mut source = string.cast::<u8>();
        loop {
            let readable = self.readable(source);
            if readable == 0 {
                return Err(Errno(libc::EFAULT));
            }
            for _ in 0..readable {
                // SAFETY: the page can be read. Volatile, since another thread may be writing to it.
                match unsafe { ptr::read_volatile(source) } {
                    0 => return Ok(()),
                    byte => into.push(byte).map_err(|_| Errno(libc::ENAMETOOLONG))?,
                }
                source = source.wrapping_add(1);
            }
        }
    }
}

/// Copies a path with its NUL, so that another thread cannot change it between the verdict and the act, and
/// so that a bad pointer is an EFAULT as it is without us.
#[inline(always)]
pub(crate) fn copy_path(path: *const c_char, into: &mut PathCopy) -> Result<()> {
    into.truncate(0);
    Probe::new().copy(path, into)?;
    into.push(0).map_err(|_| Errno(libc::ENAMETOOLONG))
}

/// The strings of an environment or argument array, up to its null pointer or to where it cannot be read.
pub(crate) struct Entries {
    next: Strings,
    probe: Probe,
}

/// An array that is null has no entries.
pub(crate) fn entries(array: Strings) -> Entries {
    entries_by(array, Probe::new())
}

/// As [`entries`], read by `probe`.
pub(crate) const fn entries_by(array: Strings, probe: Probe) -> Entries {
    Entries { next: array, probe }
}

impl Iterator for Entries {
    type Item = *const c_char;

    fn next(&mut self) -> Option<*const c_char> {
        if self.next.is_null() || !self.probe.can_read(self.next.addr()) {
            return None;
        }
        // SAFETY: the page can be read, and an aligned pointer does not cross pages.
        let entry = unsafe { ptr::read_volatile(self.next) };
        self.next = self.next.wrapping_add(1);
        (!entry.is_null()).then_some(entry)
    }
}

/// A C string of the program's.
///
/// # Safety
///
/// It must be readable up to its NUL, and stay as it is for `'s`.
pub(crate) unsafe fn bytes<'s>(string: *const c_char) -> &'s [u8] {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(string) }.to_bytes()
}
