//! Bytes of bounded length on the stack.

use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::slice;

/// Up to `N` bytes. A new one costs nothing: the room is not cleared.
pub(crate) struct Text<const N: usize> {
    bytes: [MaybeUninit<u8>; N],
    length: usize,
}

/// There is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl<const N: usize> Text<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [const { MaybeUninit::uninit() }; N],
            length: 0,
        }
    }

    /// Makes an empty one of whatever is there, without touching the room.
    ///
    /// # Safety
    ///
    /// The place must be large and aligned enough, and the caller's alone.
    #[inline(always)]
    pub(crate) unsafe fn clear_at(place: *mut Self) {
        // SAFETY: promised by the caller.
        unsafe { (&raw mut (*place).length).write(0) };
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        let filled = &self.bytes[..self.length];
        // SAFETY: `length` counts the bytes that have been written.
        unsafe { initialised(filled) }
    }

    #[inline]
    pub(crate) fn as_mut_bytes(&mut self) -> &mut [u8] {
        let filled = &mut self.bytes[..self.length];
        // SAFETY: `length` counts the bytes that have been written.
        unsafe { slice::from_raw_parts_mut(filled.as_mut_ptr().cast(), filled.len()) }
    }

    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// How much more there is room for.
    pub(crate) const fn room(&self) -> usize {
        N - self.length
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) -> Result<(), Full> {
        self.bytes.get_mut(self.length).ok_or(Full)?.write(byte);
        self.length += 1;
        Ok(())
    }

    /// Adds all of `bytes`, or nothing.
    #[inline]
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Full> {
        let end = self.length + bytes.len();
        let places = self.bytes.get_mut(self.length..end).ok_or(Full)?;
        for (place, &byte) in places.iter_mut().zip(bytes) {
            place.write(byte);
        }
        self.length = end;
        Ok(())
    }

    /// Replaces the content by what `fill` wrote at the beginning of the room.
    pub(crate) fn fill<E>(
        &mut self,
        fill: impl for<'b> FnOnce(&'b mut [MaybeUninit<u8>]) -> Result<&'b [u8], E>,
    ) -> Result<(), E> {
        let room = self.bytes.as_ptr().cast::<u8>();
        self.length = 0;
        let filled = fill(&mut self.bytes)?;
        // Initialised bytes are counted only where they are the room's own.
        self.length = if filled.as_ptr() == room {
            filled.len()
        } else {
            0
        };
        Ok(())
    }

    /// The bytes up to the first NUL; empty if there is none.
    pub(crate) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(self.as_bytes()).unwrap_or(c"")
    }
}

/// Bytes that have been written.
///
/// # Safety
///
/// All of them must have been.
#[inline(always)]
pub(crate) unsafe fn initialised(bytes: &[MaybeUninit<u8>]) -> &[u8] {
    // SAFETY: promised by the caller; the layout is the same.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}
