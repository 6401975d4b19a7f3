//! The objects that the loader has put into the process: this library's own file, and what comes after it.
//!
//! `dlsym` and `dladdr` would say the same, but before glibc 2.34 they are in a library of their own, which may
//! not be there. `dl_iterate_phdr` has always been in libc, in glibc and in musl.

use core::ffi::{CStr, c_int, c_void};
use core::ops::Range;

use libc::{Elf64_Phdr, dl_phdr_info};

use crate::tables::Tables;
use crate::weak;

/// The address of the first function of that name in an object after this one.
pub(crate) fn next_function(name: &CStr) -> Option<usize> {
    let mut passed = false;
    find(|object| {
        if object.is_ours() {
            passed = true;
            return None;
        }
        if passed {
            object.tables()?.function(name)
        } else {
            None
        }
    })
}

/// The file of this library, as the loader was given it.
pub(crate) fn own_file() -> Option<&'static CStr> {
    find(|object| {
        let name = object.info.dlpi_name;
        if !object.is_ours() || name.is_null() {
            return None;
        }
        // SAFETY: a string of the loader's, which it keeps as long as the library is loaded: for ever, since
        // that is linked with `-z nodelete`.
        Some(unsafe { CStr::from_ptr(name) })
    })
}

/// The first answer that `look` gives for an object, in the order in which symbols are searched.
pub(crate) fn find<R>(mut look: impl FnMut(&Object<'_>) -> Option<R>) -> Option<R> {
    let iterate = weak::dl_iterate_phdr()?;
    let mut found = None;
    let mut visit = |object: &Object<'_>| {
        found = look(object);
        found.is_some()
    };
    let mut visit: &mut dyn FnMut(&Object<'_>) -> bool = &mut visit;
    // SAFETY: libc's function calls back before it returns, with the pointer it is given.
    unsafe { iterate(visit_one, (&raw mut visit).cast()) };
    found
}

unsafe extern "C" fn visit_one(info: *mut dl_phdr_info, _: usize, visit: *mut c_void) -> c_int {
    // SAFETY: the pointer that `find` passed.
    let visit = unsafe { &mut *visit.cast::<&mut dyn FnMut(&Object<'_>) -> bool>() };
    // SAFETY: libc describes an object for the time of the call.
    let info = unsafe { &*info };
    c_int::from(visit(&Object { info }))
}

pub(crate) struct Object<'i> {
    info: &'i dl_phdr_info,
}

impl Object<'_> {
    fn segments(&self) -> impl Iterator<Item = Elf64_Phdr> {
        (0..usize::from(self.info.dlpi_phnum)).map(|index| {
            // SAFETY: there are that many headers.
            unsafe { self.info.dlpi_phdr.add(index).read() }
        })
    }

    /// Whether this code is part of it.
    pub(crate) fn is_ours(&self) -> bool {
        self.holds(next_function as *const () as usize)
    }

    /// Whether an address lies in it.
    pub(crate) fn holds(&self, address: usize) -> bool {
        self.ranges(libc::PT_LOAD)
            .any(|range| range.contains(&address))
    }

    /// Whether the loader takes write access to a page away once it has written what belongs there. What shares
    /// its last page with other data stays open.
    pub(crate) fn seals(&self, page: usize, size: usize) -> bool {
        let down = |address| address & !(size - 1);
        self.ranges(libc::PT_GNU_RELRO)
            .any(|range| (down(range.start)..down(range.end)).contains(&page))
    }

    fn ranges(&self, kind: u32) -> impl Iterator<Item = Range<usize>> {
        self.segments()
            .filter(move |segment| segment.p_type == kind)
            .map(|segment| {
                let start = self.base().wrapping_add(segment.p_vaddr as usize);
                start..start.wrapping_add(segment.p_memsz as usize)
            })
    }

    const fn base(&self) -> usize {
        self.info.dlpi_addr as usize
    }

    /// Where its dynamic section lies.
    pub(crate) fn dynamic_section(&self) -> Option<usize> {
        let segment = self
            .segments()
            .find(|segment| segment.p_type == libc::PT_DYNAMIC)?;
        Some(self.base().wrapping_add(segment.p_vaddr as usize))
    }

    pub(crate) fn tables(&self) -> Option<Tables> {
        let section = self.dynamic_section()?;
        // SAFETY: the object is loaded for the time of the call, and this is its section.
        Some(unsafe { Tables::read(self.base(), section) })
    }
}
