//! What the kernel was told to start. `/proc/self/exe` says what it did start, but the first look into `/proc` costs
//! a process more than all the rest of its guard; so it is asked only where this leaves a doubt.

use core::ffi::CStr;

use blastradius_policy::{PathBuffer, canonicalise};

use crate::disk::Disk;
use crate::memory::PATH_MAX;
use crate::sys::{self, CWD, Errno};
use crate::text::Text;
use crate::weak;

/// Whether the program is certainly none that `may_be` says yes to, given its base name.
pub(super) fn is_none_of(may_be: impl Fn(&[u8]) -> bool) -> bool {
    let Some(file) = weak::executed_file() else {
        return false;
    };
    // Whether it is a link can be told without room for where it leads to: a page of stack is a fault.
    let mut target = Text::<1>::new();
    let none = match target.fill(|room| sys::readlinkat(CWD, file, room)) {
        Err(Errno(libc::EINVAL)) => !may_be(super::base_name(file.to_bytes())),
        Err(_) => false,
        Ok(()) => leads_to_none_of(file, &may_be),
    };
    // What is no ELF file is run by another program.
    none && is_elf(file) == Some(true)
}

#[cold]
#[inline(never)]
fn leads_to_none_of(link: &CStr, may_be: &dyn Fn(&[u8]) -> bool) -> bool {
    let mut cwd = Text::<PATH_MAX>::new();
    let mut path = PathBuffer::new();
    cwd.fill(sys::getcwd).is_ok()
        && canonicalise(&Disk, cwd.as_bytes(), link.to_bytes(), true, &mut path)
            .is_ok_and(|found| !may_be(found.name()))
}

fn is_elf(file: &CStr) -> Option<bool> {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOCTTY | libc::O_NONBLOCK;
    let file = sys::openat(CWD, file.as_ptr(), flags, 0).ok()?;
    let mut head = Text::<4>::new();
    head.fill(|room| sys::read(file.number(), room)).ok()?;
    Some(head.as_bytes() == b"\x7fELF")
}
