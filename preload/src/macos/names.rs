//! Removing and moving names.

use core::ffi::{c_char, c_int, c_uint};

use crate::decide::{self, Removal};
use crate::loan::Loan;
use crate::renaming::move_name;
use crate::resolve::{self, Room};
use crate::sys::{self, CWD, Result};
use crate::{errno, opening};

/// `unlink(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_unlink(path: *const c_char) -> c_int {
    errno::status(remove_name(CWD, path, 0))
}

/// `rmdir(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_rmdir(path: *const c_char) -> c_int {
    errno::status(remove_name(CWD, path, libc::AT_REMOVEDIR))
}

/// `unlinkat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_unlinkat(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
) -> c_int {
    errno::status(remove_name(dirfd, path, flags))
}

/// `remove(3)`, which looks first what there is to remove.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_remove(path: *const c_char) -> c_int {
    let status = sys::fstatat(CWD, path, libc::AT_SYMLINK_NOFOLLOW);
    errno::status(status.and_then(|status| {
        let flags = if status.is_directory() {
            libc::AT_REMOVEDIR
        } else {
            0
        };
        remove_name(CWD, path, flags)
    }))
}

fn remove_name(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<()> {
    /// Removes a directory whose content is elsewhere. Other flags say how to look the name up.
    const AT_REMOVEDIR_DATALESS: c_int = 0x100;
    let mut room = Loan::<Room>::new()?;
    let Some(name) = resolve::name(dirfd, path, &mut room)? else {
        return sys::unlinkat(dirfd, path, flags);
    };
    let removal = match flags & (libc::AT_REMOVEDIR | AT_REMOVEDIR_DATALESS) {
        0 => Removal::Unlink,
        _ => Removal::Rmdir,
    };
    decide::remove(&name, removal)?;
    let (dirfd, base) = name.pair();
    sys::unlinkat(dirfd, base, flags)
}

/// `rename(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_rename(from: *const c_char, to: *const c_char) -> c_int {
    errno::status(move_name((CWD, from), (CWD, to), 0))
}

/// `renameat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_renameat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), 0))
}

/// `renamex_np(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_renamex_np(
    from: *const c_char,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    errno::status(move_name((CWD, from), (CWD, to), flags))
}

/// `renameatx_np(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_renameatx_np(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), flags))
}

/// `exchangedata(2)`: each file gets the content of the other.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_exchangedata(
    one: *const c_char,
    other: *const c_char,
    options: c_uint,
) -> c_int {
    const NOFOLLOW: c_uint = 1;
    let flags = match options & NOFOLLOW {
        0 => libc::O_WRONLY,
        _ => libc::O_WRONLY | libc::O_NOFOLLOW,
    };
    let verdict = opening::judge_later(CWD, one, flags)
        .and_then(|()| opening::judge_later(CWD, other, flags));
    match verdict {
        // SAFETY: the kernel checks the addresses itself.
        Ok(()) => unsafe { libc::exchangedata(one, other, options) },
        Err(refused) => errno::fail(refused),
    }
}
