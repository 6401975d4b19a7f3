//! Room for paths that is not on the stack: the thread that calls a hook may have 16 KiB of it, and a signal
//! handler on a stack of its own 8 KiB, with the program's own memory below.
//!
//! Nobody waits for a place. Where all are taken, also by threads that a fork has left behind, pages are mapped.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::sys::{self, Result};
use crate::text::Text;

/// Enough for the largest of them.
const SIZE: usize = 8704;

/// A rename that is refused has five at a time.
const PLACES: usize = 16;

#[repr(align(16))]
struct Place(UnsafeCell<[u8; SIZE]>);

// SAFETY: the bytes are reached only by whoever has taken the place.
unsafe impl Sync for Place {}

static TAKEN: [AtomicBool; PLACES] = [const { AtomicBool::new(false) }; PLACES];
static PLACE: [Place; PLACES] = [const { Place(UnsafeCell::new([0; SIZE])) }; PLACES];

/// What can be lent.
///
/// # Safety
///
/// `begin` leaves a value, whatever bytes were there.
pub(crate) unsafe trait Lent: Sized {
    /// Makes an empty value, without touching the room that it has for later.
    ///
    /// # Safety
    ///
    /// The place is the caller's alone, and large and aligned enough.
    unsafe fn begin(place: *mut Self);
}

// SAFETY: the bytes of a text may be anything.
unsafe impl<const N: usize> Lent for Text<N> {
    unsafe fn begin(place: *mut Self) {
        // SAFETY: promised by the caller.
        unsafe { Self::clear_at(place) };
    }
}

/// A value in a place that is given back.
pub(crate) struct Loan<T: Lent> {
    value: NonNull<T>,
    /// None: pages of its own.
    taken: Option<&'static AtomicBool>,
    owns: PhantomData<T>,
}

impl<T: Lent> Loan<T> {
    /// An empty value. An error: there is no memory.
    #[inline]
    pub(crate) fn new() -> Result<Self> {
        const { assert!(size_of::<T>() <= SIZE && align_of::<T>() <= align_of::<Place>()) };
        let free = |taken: &AtomicBool| {
            !taken.load(Ordering::Relaxed) && !taken.swap(true, Ordering::Acquire)
        };
        let found = TAKEN.iter().zip(&PLACE).find(|(taken, _)| free(taken));
        let (value, taken) = match found {
            Some((taken, place)) => (NonNull::from(&place.0).cast(), Some(taken)),
            None => (sys::map(SIZE)?.cast::<T>(), None),
        };
        // SAFETY: the place has just been taken, and is large and aligned enough.
        unsafe { T::begin(value.as_ptr()) };
        Ok(Self {
            value,
            taken,
            owns: PhantomData,
        })
    }
}

impl<T: Lent> Deref for Loan<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: a value since `begin`, and nobody else's.
        unsafe { self.value.as_ref() }
    }
}

impl<T: Lent> DerefMut for Loan<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { self.value.as_mut() }
    }
}

impl<T: Lent> Drop for Loan<T> {
    #[inline]
    fn drop(&mut self) {
        match self.taken {
            Some(taken) => taken.store(false, Ordering::Release),
            // SAFETY: from `map`, with that length, and nothing refers to it any more.
            None => unsafe { sys::unmap(self.value.cast(), SIZE) },
        }
    }
}
