//! What the dynamic section of a loaded object says: its functions, and those that it takes from others.

use core::ffi::{CStr, c_char};
use core::ptr;

use libc::{Elf64_Rela, Elf64_Sym};

/// Tags of the dynamic section.
mod tag {
    pub(super) const LINKAGE_SIZE: usize = 2;
    pub(super) const HASH: usize = 4;
    pub(super) const STRINGS: usize = 5;
    pub(super) const SYMBOLS: usize = 6;
    pub(super) const RELOCATIONS: usize = 7;
    pub(super) const RELOCATIONS_SIZE: usize = 8;
    pub(super) const NAME: usize = 14;
    pub(super) const LINKAGE: usize = 23;
    pub(super) const GNU_HASH: usize = 0x6fff_fef5;
    pub(super) const VERSIONS: usize = 0x6fff_fff0;
}

/// Addresses of an object's tables; 0 for those it does not have.
#[derive(Default)]
pub(crate) struct Tables {
    base: usize,
    hash: usize,
    gnu_hash: usize,
    strings: usize,
    symbols: usize,
    versions: usize,
    /// Where its name starts among the strings.
    name: Option<usize>,
    /// Two tables of relocations: address and size in bytes.
    relocations: [(usize, usize); 2],
}

impl Tables {
    /// # Safety
    ///
    /// An object must be loaded at `base` whose dynamic section is at `section`, and stay.
    pub(crate) unsafe fn read(base: usize, section: usize) -> Self {
        let mut tables = Self {
            base,
            ..Self::default()
        };
        let mut at = section;
        loop {
            // SAFETY: entries are pairs of words, up to one whose tag is 0, in memory of the object.
            let [tag, value] = unsafe { read::<[usize; 2]>(at) };
            at += size_of::<[usize; 2]>();
            // glibc has made most of these addresses, musl leaves them as they are in the file.
            let address = if value < base { base + value } else { value };
            match tag {
                0 => return tables,
                tag::HASH => tables.hash = address,
                tag::STRINGS => tables.strings = address,
                tag::SYMBOLS => tables.symbols = address,
                tag::GNU_HASH => tables.gnu_hash = address,
                tag::VERSIONS => tables.versions = address,
                tag::NAME => tables.name = Some(value),
                tag::RELOCATIONS => tables.relocations[0].0 = address,
                tag::RELOCATIONS_SIZE => tables.relocations[0].1 = value,
                tag::LINKAGE => tables.relocations[1].0 = address,
                tag::LINKAGE_SIZE => tables.relocations[1].1 = value,
                _ => {}
            }
        }
    }

    /// Whether it is a C library (musl's has no name of its own), or the part of an old one that defines some of
    /// its calls again.
    pub(crate) fn is_libc(&self) -> bool {
        self.function(c"__libc_start_main").is_some()
            || self
                .name
                .is_some_and(|offset| self.string(offset) == c"libpthread.so.0")
    }

    /// The address of a function that is defined here, in its newest version.
    pub(crate) fn function(&self, name: &CStr) -> Option<usize> {
        self.look_up(name, |symbol| symbol.is_newest)
    }

    /// Whether a function of that name is defined here, in any version, at that address.
    pub(crate) fn defines(&self, name: &CStr, address: usize) -> bool {
        self.look_up(name, |symbol| symbol.address == address)
            .is_some()
    }

    fn look_up(&self, name: &CStr, accept: impl Fn(&Function) -> bool) -> Option<usize> {
        let accepted = |index| {
            self.symbol(index, name)
                .filter(&accept)
                .map(|function| function.address)
        };
        if self.symbols == 0 || self.strings == 0 {
            return None;
        }
        if self.gnu_hash != 0 {
            self.in_gnu_table(name, accepted)
        } else if self.hash != 0 {
            // The second word is the number of symbols.
            (0..word(self.hash, 1)).find_map(accepted)
        } else {
            None
        }
    }

    /// A header of four words, a bloom filter of 64-bit words, buckets, and a chain of hashes for the symbols
    /// from the first one that is hashed; the last of a bucket is odd.
    fn in_gnu_table(&self, name: &CStr, accepted: impl Fn(u32) -> Option<usize>) -> Option<usize> {
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
                && let Some(address) = accepted(index)
            {
                return Some(address);
            }
            if chained & 1 == 1 {
                return None;
            }
            index += 1;
        }
    }

    /// A symbol, if it is a function of that name that is defined here.
    fn symbol(&self, index: u32, name: &CStr) -> Option<Function> {
        const FUNCTION: u8 = 2;
        const HIDDEN: u16 = 0x8000;
        let symbol = self.symbol_at(index);
        if symbol.st_info & 0xf != FUNCTION
            || symbol.st_shndx == 0
            || self.string(symbol.st_name as usize) != name
        {
            return None;
        }
        let version: u16 = if self.versions == 0 {
            0
        } else {
            // SAFETY: there is one version a symbol.
            unsafe { read(self.versions + index as usize * size_of::<u16>()) }
        };
        Some(Function {
            address: self.base.wrapping_add(symbol.st_value as usize),
            is_newest: version & HIDDEN == 0,
        })
    }

    fn symbol_at(&self, index: u32) -> Elf64_Sym {
        // SAFETY: the index comes from the object's own tables.
        unsafe { read(self.symbols + index as usize * size_of::<Elf64_Sym>()) }
    }

    fn string(&self, offset: usize) -> &CStr {
        let string = ptr::with_exposed_provenance::<c_char>(self.strings + offset);
        // SAFETY: the offset comes from the object's own tables.
        unsafe { CStr::from_ptr(string) }
    }

    /// The places that the loader fills with addresses of functions that are defined elsewhere.
    pub(crate) fn imports(&self) -> impl Iterator<Item = Import<'_>> {
        self.relocations
            .into_iter()
            .flat_map(|(start, size)| (start..start + size).step_by(size_of::<Elf64_Rela>()))
            .filter_map(|at| {
                // SAFETY: the table is walked as its size says.
                let relocation: Elf64_Rela = unsafe { read(at) };
                let kind = relocation.r_info as u32;
                let symbol = self.symbol_at((relocation.r_info >> 32) as u32);
                (IMPORTING.contains(&kind) && relocation.r_addend == 0 && symbol.st_shndx == 0)
                    .then(|| Import {
                        name: self.string(symbol.st_name as usize),
                        place: self.base.wrapping_add(relocation.r_offset as usize),
                        is_call: kind == IMPORTING[0],
                    })
            })
    }
}

/// A function in an object's tables.
struct Function {
    address: usize,
    /// It is what a reference without a version means.
    is_newest: bool,
}

/// A function that an object takes from another.
pub(crate) struct Import<'t> {
    pub(crate) name: &'t CStr,
    /// Where its address is kept.
    pub(crate) place: usize,
    /// It may be looked up as late as at the first call.
    pub(crate) is_call: bool,
}

/// Kinds of relocations that put the address of a symbol in a place: for calls, for other uses, and in data.
#[cfg(target_arch = "x86_64")]
const IMPORTING: [u32; 3] = [7, 6, 1];
#[cfg(target_arch = "aarch64")]
const IMPORTING: [u32; 3] = [1026, 1025, 257];

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
