//! Objects that look in their own libraries first: `RTLD_DEEPBIND` lets their calls go past this library.
//!
//! What such an object has bound to libc is bound to the hooks, when the program first looks up a function in
//! it. Until then its constructors alone have run.

use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

use crate::lookup::{self, Handle};
use crate::objects::{self, Object};
use crate::tables::{Import, Tables};
use crate::{sys, weak};

/// The flag of `dlopen` in glibc; musl has none, and no meaning for this bit.
pub(crate) const DEEPBIND: i32 = 8;

/// The dynamic section of the last object before those that are looked at next; 0 when there are none.
static AFTER: AtomicUsize = AtomicUsize::new(0);

/// One thread at a time changes the protection of pages. Nobody waits: what is missed is still expected.
static BUSY: AtomicBool = AtomicBool::new(false);

/// An object is about to be loaded that looks in its own libraries first.
pub(crate) fn expect() {
    let mut last = 0;
    objects::find(|object| {
        last = object.dynamic_section().unwrap_or(last);
        None::<()>
    });
    // The earliest counts: all that came after it are looked at together.
    if AFTER.compare_exchange(0, last, SeqCst, Relaxed).is_err() {}
}

/// Looks at the objects that were expected, if the handle is of one of them: then it is loaded, with all that it
/// needs.
pub(crate) fn if_expected(handle: &Handle) {
    let after = AFTER.load(Relaxed);
    if after == 0 || BUSY.swap(true, SeqCst) {
        return;
    }
    let wanted = handle.dynamic_section();
    if each_after(after, |object| object.dynamic_section() == Some(wanted))
        && let Some(hooks) = lookup::hooks()
    {
        each_after(after, |object| {
            rebind(object, &hooks);
            false
        });
        AFTER.store(0, SeqCst);
    }
    BUSY.store(false, SeqCst);
}

/// Whether `stop` says so of an object that was loaded after the one with this dynamic section, or of any if that
/// one is gone.
fn each_after(section: usize, mut stop: impl FnMut(&Object<'_>) -> bool) -> bool {
    let is_last = |object: &Object<'_>| object.dynamic_section() == Some(section);
    let mut passed = objects::find(|object| is_last(object).then_some(())).is_none();
    objects::find(|object| {
        if passed {
            return stop(object).then_some(());
        }
        passed = is_last(object);
        None
    })
    .is_some()
}

fn rebind(object: &Object<'_>, hooks: &Tables) {
    let Some(tables) = object.tables() else {
        return;
    };
    for import in tables.imports() {
        if let Some(hook) = hooks.function(import.name)
            && goes_past_us(object, &import)
        {
            put(object, import.place, hook);
        }
    }
}

/// Whether a place holds libc's own function, or will. One that is looked up at the first call points back into
/// the object until then; what it will find is libc's only if nobody else has a function of that name.
fn goes_past_us(object: &Object<'_>, import: &Import<'_>) -> bool {
    // SAFETY: a place that the loader fills with an address.
    let address = unsafe { ptr::with_exposed_provenance::<usize>(import.place).read_volatile() };
    if import.is_call && object.holds(address) {
        !lookup::has_others(import.name)
    } else {
        lookup::is_libcs_own(import.name, address)
    }
}

fn put(object: &Object<'_>, place: usize, hook: usize) {
    let size = weak::page_size();
    let page = place & !(size - 1);
    let sealed = object.seals(page, size);
    // SAFETY: only access is added, to a page of the object.
    if sealed && unsafe { sys::protect(page, size, libc::PROT_READ | libc::PROT_WRITE) }.is_err() {
        return;
    }
    // SAFETY: the loader keeps the address of a function there, aligned, and reads and writes it as a word.
    let kept = unsafe { AtomicUsize::from_ptr(ptr::with_exposed_provenance_mut(place)) };
    kept.store(hook, SeqCst);
    // SAFETY: the page is as the loader left it, and nobody else writes there.
    if sealed && unsafe { sys::protect(page, size, libc::PROT_READ) }.is_err() {}
}
