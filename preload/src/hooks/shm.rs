//! Shared memory and named semaphores: files below `/dev/shm`, which libc names by itself.
//!
//! `mq_unlink` is not among the hooks: a message queue is no file of any tree, and lives in a file system of its
//! own.

use core::ffi::{c_char, c_int, c_uint};

use crate::decide::{self, REFUSED, Removal};
use crate::loan::Loan;
use crate::memory::Probe;
use crate::resolve::{self, Room};
use crate::sys::{CWD, Errno};
use crate::text::Text;
use crate::{errno, next, opening, weak};

/// `shm_open(3)`
///
/// # Safety
///
/// As in C: the name must be a string.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn shm_open(name: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let Some(open) = next::SHM_OPEN.get() else {
        return errno::fail(Errno(libc::ENOSYS));
    };
    if !opening::is_harmless(flags)
        && let Some(path) = path_of(b"", name)
        // libc follows no link there.
        && let Err(refused) = opening::judge_later(path.as_c_str().as_ptr(), flags | libc::O_NOFOLLOW)
    {
        return errno::fail(refused);
    }
    // SAFETY: promised by the caller.
    unsafe { open(name, flags, mode) }
}

/// `shm_unlink(3)`
///
/// # Safety
///
/// As in C: the name must be a string.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn shm_unlink(name: *const c_char) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { unlink(b"", name, &next::SHM_UNLINK) }
}

/// `sem_unlink(3)`
///
/// # Safety
///
/// As in C: the name must be a string.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn sem_unlink(name: *const c_char) -> c_int {
    // musl puts nothing in front.
    let prefix: &[u8] = if weak::is_glibc() { b"sem." } else { b"" };
    // SAFETY: promised by the caller.
    unsafe { unlink(prefix, name, &next::SEM_UNLINK) }
}

/// # Safety
///
/// The name must be a string.
unsafe fn unlink(
    prefix: &[u8],
    name: *const c_char,
    function: &next::Next<next::UnlinkName>,
) -> c_int {
    let Some(unlink) = function.get() else {
        return errno::fail(Errno(libc::ENOSYS));
    };
    if let Some(path) = path_of(prefix, name)
        && is_refused(&path)
    {
        return errno::fail(REFUSED);
    }
    // SAFETY: promised by the caller.
    unsafe { unlink(name) }
}

const DIRECTORY: &[u8] = b"/dev/shm/";

/// Longer names than 255 bytes do not exist.
type Path = Text<{ DIRECTORY.len() + 4 + 256 + 1 }>;

/// The file that libc means by a name. None: it has its own error for it.
fn path_of(prefix: &[u8], name: *const c_char) -> Option<Path> {
    let mut text = Text::<512>::new();
    Probe::new().copy(name, &mut text).ok()?;
    let slashes = text.as_bytes().iter().take_while(|&&byte| byte == b'/');
    let name = &text.as_bytes()[slashes.count()..];
    if name.is_empty() || name.contains(&b'/') {
        return None;
    }
    let mut path = Path::new();
    for part in [DIRECTORY, prefix, name, b"\0"] {
        path.append(part).ok()?;
    }
    Some(path)
}

fn is_refused(path: &Path) -> bool {
    let Ok(mut room) = Loan::<Room>::new() else {
        return true;
    };
    match resolve::name(CWD, path.as_c_str().as_ptr(), &mut room) {
        Ok(Some(name)) => decide::remove(&name, Removal::Unlink) == Err(REFUSED),
        // libc finds the same error.
        Ok(None) | Err(_) => false,
    }
}
