//! Room for one value that every thread may use and none waits for.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// Whoever finds it taken does without: another thread has it, or had it when this process was forked, or a
/// signal came in between.
pub(crate) struct Slot<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only by whoever has taken it.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Slot<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self {
            taken: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    pub(crate) fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> Option<R> {
        if self.taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: nobody else has it.
        let result = act(unsafe { &mut *self.value.get() });
        self.taken.store(false, Ordering::Release);
        Some(result)
    }
}
