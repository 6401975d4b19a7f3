//! The words that the process was started with. The kernel's copy is read: musl gives constructors none, and
//! nobody has changed this one yet.

use core::ptr::NonNull;
use core::slice;

use blastradius_policy::programs::Word;

use crate::sys;

/// More than the kernel lets through (a quarter of the largest stack it takes the arguments from). Pages
/// that are not used cost nothing.
const BYTES_MAX: usize = 8 << 20;

/// Runs `act` with the words.
pub(super) fn with_words<R>(act: impl FnOnce(&[Word<'_>]) -> R) -> Option<R> {
    let bytes = Pages::new(BYTES_MAX)?;
    let length = read_all(&bytes)?;
    let bytes = bytes.as_slice::<u8>(length)?;
    let count = bytes.iter().filter(|&&byte| byte == 0).count();
    let words = Pages::new((count + 1) * size_of::<Word<'_>>())?;
    let start = words.memory.cast::<Word<'_>>();
    for (index, word) in bytes.split(|&byte| byte == 0).take(count).enumerate() {
        // SAFETY: there is room for as many words as there are ends.
        unsafe { start.add(index).write(Word::whole(word)) };
    }
    Some(act(words.as_slice(count)?))
}

/// Copies the words, each with its NUL, into `pages` and returns their length.
#[cfg(target_os = "macos")]
fn read_all(pages: &Pages) -> Option<usize> {
    let mut length = 0;
    for word in crate::memory::entries(sys::arguments()) {
        // SAFETY: a word is a string, which nobody changes while libraries start.
        let word = unsafe { crate::memory::bytes(word) };
        for &byte in word.iter().chain(&[0]) {
            if length == pages.length {
                return None;
            }
            // SAFETY: within the pages, of which nothing else is used yet.
            unsafe { pages.memory.add(length).write(byte) };
            length += 1;
        }
    }
    Some(length)
}

/// Reads the command line into `pages` and returns its length.
#[cfg(target_os = "linux")]
fn read_all(pages: &Pages) -> Option<usize> {
    let file = sys::openat(
        sys::CWD,
        c"/proc/self/cmdline".as_ptr(),
        libc::O_RDONLY | libc::O_CLOEXEC,
        0,
    )
    .ok()?;
    let mut length = 0;
    while length < pages.length {
        // SAFETY: within the pages, of which nothing else is used yet.
        let room = unsafe {
            slice::from_raw_parts_mut(
                pages.memory.add(length).cast().as_ptr(),
                pages.length - length,
            )
        };
        match sys::read(file.number(), room).ok()?.len() {
            0 => break,
            read => length += read,
        }
    }
    Some(length)
}

/// Pages that are given back when dropped.
pub(super) struct Pages {
    memory: NonNull<u8>,
    length: usize,
}

impl Pages {
    pub(super) fn new(length: usize) -> Option<Self> {
        let memory = sys::map(length).ok()?;
        Some(Self { memory, length })
    }

    /// The first bytes, which are zero at first.
    pub(super) fn as_mut_slice(&mut self, count: usize) -> &mut [u8] {
        let count = count.min(self.length);
        // SAFETY: within the pages, which this borrows alone.
        unsafe { slice::from_raw_parts_mut(self.memory.cast().as_ptr(), count) }
    }

    /// The first `count` values, all of which have been written (a byte may also be zero, as pages are).
    fn as_slice<T>(&self, count: usize) -> Option<&[T]> {
        if count.checked_mul(size_of::<T>())? > self.length {
            return None;
        }
        // SAFETY: pages are aligned for anything, and this module writes before it reads.
        Some(unsafe { slice::from_raw_parts(self.memory.cast().as_ptr(), count) })
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: from `map`, and every slice of it borrows `self`.
        unsafe { sys::unmap(self.memory, self.length) };
    }
}
