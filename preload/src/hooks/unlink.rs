//! Removing a name.

use core::ffi::{c_char, c_int};

use crate::decide::{self, Removal};
use crate::errno;
use crate::loan::Loan;
use crate::resolve::{self, Room};
use crate::sys::{self, CWD, Errno, Result};

/// `unlink(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn unlink(path: *const c_char) -> c_int {
    errno::status(remove_name(CWD, path, Removal::Unlink))
}

/// `rmdir(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn rmdir(path: *const c_char) -> c_int {
    errno::status(remove_name(CWD, path, Removal::Rmdir))
}

/// `remove(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn remove(path: *const c_char) -> c_int {
    errno::status(remove_name(CWD, path, Removal::Either))
}

/// `unlinkat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn unlinkat(dirfd: c_int, path: *const c_char, flags: c_int) -> c_int {
    errno::status(remove_at(dirfd, path, flags))
}

pub(super) fn remove_at(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<()> {
    match flags {
        0 => remove_name(dirfd, path, Removal::Unlink),
        libc::AT_REMOVEDIR => remove_name(dirfd, path, Removal::Rmdir),
        // Flags that nobody knows: the kernel refuses them.
        _ => sys::unlinkat(dirfd, path, flags),
    }
}

pub(super) fn remove_name(dirfd: c_int, path: *const c_char, removal: Removal) -> Result<()> {
    let mut room = Loan::<Room>::new()?;
    match resolve::name(dirfd, path, &mut room)? {
        Some(name) => {
            decide::remove(&name, removal)?;
            let (dirfd, base) = name.pair();
            call(dirfd, base, removal)
        }
        None => call(dirfd, path, removal),
    }
}

fn call(dirfd: c_int, path: *const c_char, removal: Removal) -> Result<()> {
    match removal {
        Removal::Unlink => sys::unlinkat(dirfd, path, 0),
        Removal::Rmdir => sys::unlinkat(dirfd, path, libc::AT_REMOVEDIR),
        Removal::Either => match sys::unlinkat(dirfd, path, 0) {
            Err(Errno(libc::EISDIR)) => sys::unlinkat(dirfd, path, libc::AT_REMOVEDIR),
            done => done,
        },
    }
}
