//! Looking up libc's functions past this library: by the handle of an object, as `ctypes` and Fiddle do.
//!
//! The loader's `LD_AUDIT` sees these too, but under it no program starts whose libraries have more thread-local
//! storage than glibc sets aside for later ones (jemalloc has), valgrind reports errors of glibc's own, every
//! process starts more slowly, and musl knows nothing of it.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::NonNull;

use crate::objects::{self, Object};
use crate::tables::Tables;

/// How glibc and musl both begin their description of an object.
#[repr(C)]
struct LinkMap {
    base: usize,
    file: *const c_char,
    dynamic_section: usize,
    next: Option<NonNull<LinkMap>>,
    previous: Option<NonNull<LinkMap>>,
}

/// What `dlopen` gave the program.
pub(crate) struct Handle(NonNull<LinkMap>);

impl Handle {
    /// None for the two that stand for search orders and not for an object. There this library comes first.
    pub(crate) fn of_object(handle: *mut c_void) -> Option<Self> {
        let is_order = handle.addr() == libc::RTLD_NEXT.addr();
        NonNull::new(handle.cast()).filter(|_| !is_order).map(Self)
    }

    /// Where the dynamic section of the object lies.
    pub(crate) fn dynamic_section(&self) -> usize {
        // SAFETY: a handle is such a description; the loader reads it as well, for the same call.
        unsafe { self.0.as_ref() }.dynamic_section
    }

    /// The objects that were loaded into the same namespace.
    fn namespace(&self) -> impl Iterator<Item = Tables> {
        let mut first = self.0;
        // SAFETY: the list is the loader's, whose lock the caller holds.
        while let Some(previous) = unsafe { first.as_ref() }.previous {
            first = previous;
        }
        core::iter::successors(Some(first), |map| {
            // SAFETY: as above.
            unsafe { map.as_ref() }.next
        })
        .map(|map| {
            // SAFETY: as above.
            let map = unsafe { map.as_ref() };
            // SAFETY: the object is in the list as long as it is loaded.
            unsafe { Tables::read(map.base, map.dynamic_section) }
        })
    }
}

/// The functions of this library.
pub(crate) fn hooks() -> Option<Tables> {
    objects::find(|object| object.is_ours().then(|| object.tables()))?
}

/// Whether a function that was found by the handle of an object is libc's own, and was not looked up to be the
/// one that comes after the caller's.
pub(crate) fn is_bypass(handle: &Handle, name: &CStr, address: usize, caller: usize) -> bool {
    let place = objects::find(|object| {
        object
            .holds(address)
            .then(|| is_libcs(object, name, address))
    });
    match place {
        Some(is_libcs) => is_libcs && !is_interposed_by(caller, name),
        None => is_of_other_libc(handle, name, address),
    }
}

fn is_libcs(object: &Object<'_>, name: &CStr, address: usize) -> bool {
    object
        .tables()
        .is_some_and(|tables| tables.is_libc() && tables.defines(name, address))
}

/// Whether this is the address of a function of that name in the libc of the program.
pub(crate) fn is_libcs_own(name: &CStr, address: usize) -> bool {
    objects::find(|object| {
        object
            .holds(address)
            .then(|| is_libcs(object, name, address))
    })
    .unwrap_or(false)
}

/// Whether a function of that name is defined by an object that is neither libc nor this library.
pub(crate) fn has_others(name: &CStr) -> bool {
    objects::find(|object| {
        let tables = object.tables()?;
        (!object.is_ours() && !tables.is_libc() && tables.function(name).is_some()).then_some(())
    })
    .is_some()
}

/// Whether the caller's object comes after this library and has a function of that name itself: it looks for
/// what it stands in front of, and this library calls it.
fn is_interposed_by(caller: usize, name: &CStr) -> bool {
    let mut passed = false;
    objects::find(|object| {
        passed |= object.is_ours();
        object.holds(caller).then(|| {
            passed
                && object
                    .tables()
                    .is_some_and(|tables| tables.function(name).is_some())
        })
    })
    .unwrap_or(false)
}

/// Whether the function is that of a libc that `dlmopen` has loaded beside the program's.
fn is_of_other_libc(handle: &Handle, name: &CStr, address: usize) -> bool {
    if belongs_to_its_libc(name) {
        return false;
    }
    // The list is looked at below the lock that the loader holds while it calls back.
    objects::find(|_| {
        Some(
            handle
                .namespace()
                .any(|tables| tables.is_libc() && tables.defines(name, address)),
        )
    })
    .unwrap_or(false)
}

/// Functions that make or take what one libc keeps in its own memory: another's would free it.
fn belongs_to_its_libc(name: &CStr) -> bool {
    let name = name.to_bytes();
    let plain = name.strip_prefix(b"_IO_").unwrap_or(name);
    plain.starts_with(b"posix_spawn_file_actions_")
        || matches!(
            plain,
            b"fopen" | b"fopen64" | b"freopen" | b"freopen64" | b"popen" | b"wordexp"
        )
}
