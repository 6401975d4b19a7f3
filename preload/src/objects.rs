//! The objects that the loader has put into the process: this library's own file, and what comes after it.
//!
//! `dlsym` and `dladdr` would say the same, but before glibc 2.34 they are in a library of their own, which may
//! not be there. `dl_iterate_phdr` has always been in libc, in glibc and in musl.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use libc::{Elf64_Phdr, Elf64_Sym, dl_phdr_info};

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
            object.dynamic()?.function(name)
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
fn find<R>(mut look: impl FnMut(&Object<'_>) -> Option<R>) -> Option<R> {
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

struct Object<'i> {
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
    fn is_ours(&self) -> bool {
        let here = next_function as *const () as usize;
        self.segments().any(|segment| {
            let start = self.base().wrapping_add(segment.p_vaddr as usize);
            segment.p_type == libc::PT_LOAD
                && (start..start + segment.p_memsz as usize).contains(&here)
        })
    }

    const fn base(&self) -> usize {
        self.info.dlpi_addr as usize
    }

    fn dynamic(&self) -> Option<Dynamic> {
        let segment = self
            .segments()
            .find(|segment| segment.p_type == libc::PT_DYNAMIC)?;
        let base = self.base();
        let mut dynamic = Dynamic {
            base,
            ..Dynamic::default()
        };
        let mut at = base.wrapping_add(segment.p_vaddr as usize);
        loop {
            // SAFETY: entries are pairs of words, up to one whose tag is 0, in memory of the object.
            let [tag, value] = unsafe { read::<[usize; 2]>(at) };
            at += size_of::<[usize; 2]>();
            // glibc has made most of these addresses, musl leaves them as they are in the file.
            let address = if value < base { base + value } else { value };
            match tag {
                0 => return Some(dynamic),
                tag::HASH => dynamic.hash = address,
                tag::STRINGS => dynamic.strings = address,
                tag::SYMBOLS => dynamic.symbols = address,
                tag::GNU_HASH => dynamic.gnu_hash = address,
                tag::VERSIONS => dynamic.versions = address,
                _ => {}
            }
        }
    }
}

/// Tags of the dynamic section.
mod tag {
    pub(super) const HASH: usize = 4;
    pub(super) const STRINGS: usize = 5;
    pub(super) const SYMBOLS: usize = 6;
    pub(super) const GNU_HASH: usize = 0x6fff_fef5;
    pub(super) const VERSIONS: usize = 0x6fff_fff0;
}

/// Addresses of an object's tables; 0 for those it does not have.
#[derive(Default)]
struct Dynamic {
    base: usize,
    hash: usize,
    gnu_hash: usize,
    strings: usize,
    symbols: usize,
    versions: usize,
}

impl Dynamic {
    fn function(&self, name: &CStr) -> Option<usize> {
        if self.symbols == 0 || self.strings == 0 {
            return None;
        }
        if self.gnu_hash != 0 {
            self.in_gnu_table(name)
        } else if self.hash != 0 {
            // The second word is the number of symbols.
            (0..word(self.hash, 1)).find_map(|index| self.symbol(index, name))
        } else {
            None
        }
    }

    /// A header of four words, a bloom filter of 64-bit words, buckets, and a chain of hashes for the symbols
    /// from the first one that is hashed; the last of a bucket is odd.
    fn in_gnu_table(&self, name: &CStr) -> Option<usize> {
        let [buckets, first, filter] = [0, 1, 2].map(|index| word(self.gnu_hash, index));
        let bucket_table = self.gnu_hash + 16 + 8 * filter as usize;
        let chain = bucket_table + 4 * buckets as usize;
        let hash = gnu_hash(name);
        let mut index = word(bucket_table, hash.checked_rem(buckets)?);
        if index < first {
            return None;
        }
        loop {
            let chained = word(chain, index - first);
            if chained | 1 == hash | 1
                && let Some(address) = self.symbol(index, name)
            {
                return Some(address);
            }
            if chained & 1 == 1 {
                return None;
            }
            index += 1;
        }
    }

    /// The address of a symbol, if it is a function of that name that is defined here, in its newest version.
    fn symbol(&self, index: u32, name: &CStr) -> Option<usize> {
        const FUNCTION: u8 = 2;
        const HIDDEN: u16 = 0x8000;
        let index = index as usize;
        // SAFETY: the index comes from the object's own hash table.
        let symbol: Elf64_Sym = unsafe { read(self.symbols + index * size_of::<Elf64_Sym>()) };
        if symbol.st_info & 0xf != FUNCTION || symbol.st_shndx == 0 {
            return None;
        }
        let own_name =
            ptr::with_exposed_provenance::<c_char>(self.strings + symbol.st_name as usize);
        // SAFETY: a symbol's name is a string in the object's table.
        if unsafe { CStr::from_ptr(own_name) } != name {
            return None;
        }
        if self.versions != 0 {
            // SAFETY: there is one version a symbol.
            let version: u16 = unsafe { read(self.versions + index * size_of::<u16>()) };
            if version & HIDDEN != 0 {
                return None;
            }
        }
        Some(self.base.wrapping_add(symbol.st_value as usize))
    }
}

fn gnu_hash(name: &CStr) -> u32 {
    name.to_bytes().iter().fold(5381, |hash: u32, &byte| {
        hash.wrapping_mul(33).wrapping_add(u32::from(byte))
    })
}

/// A 32-bit word of a hash table.
fn word(table: usize, index: u32) -> u32 {
    // SAFETY: tables are walked as their own figures say.
    unsafe { read(table + 4 * index as usize) }
}

/// # Safety
///
/// A `T` must be at that address.
unsafe fn read<T: Copy>(address: usize) -> T {
    // SAFETY: promised by the caller.
    unsafe { ptr::with_exposed_provenance::<T>(address).read_unaligned() }
}
