//! Copies, and what removes or replaces more than one file at a time.
//!
//! A clone never replaces anything; it could only bring the guard's own files.

use core::ffi::{c_char, c_int, c_uint, c_void};

use blastradius_policy::{Act, Kind};

use crate::decide::{self, Removal};
use crate::disk;
use crate::loan::Loan;
use crate::report::Deed;
use crate::resolve::{self, Room, Whereabouts};
use crate::sys::{self, CWD, Result};
use crate::{errno, intent, opening};

/// Runs the real function unless it is refused.
fn unless_refused(verdict: Result<()>, real: impl FnOnce() -> c_int) -> c_int {
    match verdict {
        Ok(()) => real(),
        Err(refused) => errno::fail(refused),
    }
}

/// `clonefile(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_clonefile(
    from: *const c_char,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    // SAFETY: the kernel checks the addresses itself.
    unless_refused(intent::creation(CWD, to), || unsafe {
        libc::clonefile(from, to, flags)
    })
}

/// `clonefileat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_clonefileat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    // SAFETY: the kernel checks the addresses itself.
    unless_refused(intent::creation(to_dirfd, to), || unsafe {
        libc::clonefileat(from_dirfd, from, to_dirfd, to, flags)
    })
}

/// `fclonefileat(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_fclonefileat(
    from: c_int,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    // SAFETY: the kernel checks the addresses itself.
    unless_refused(intent::creation(to_dirfd, to), || unsafe {
        libc::fclonefileat(from, to_dirfd, to, flags)
    })
}

unsafe extern "C" {
    fn removefile(path: *const c_char, state: *mut c_void, flags: c_uint) -> c_int;
    fn fs_snapshot_revert(dirfd: c_int, name: *const c_char, flags: c_uint) -> c_int;
}

/// `removefile(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_removefile(
    path: *const c_char,
    state: *mut c_void,
    flags: c_uint,
) -> c_int {
    // SAFETY: promised by the caller.
    unless_refused(removal(CWD, path, flags), || unsafe {
        removefile(path, state, flags)
    })
}

/// `removefileat(3)` for the shim. Answers 0, or -1.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_judge_removal(
    dirfd: c_int,
    path: *const c_char,
    flags: c_uint,
) -> c_int {
    errno::status(removal(dirfd, path, flags))
}

fn removal(dirfd: c_int, path: *const c_char, flags: c_uint) -> Result<()> {
    const RECURSIVE: c_uint = 1;
    let mut room = Loan::<Room>::new()?;
    let Some(name) = resolve::name(dirfd, path, &mut room)? else {
        return Ok(());
    };
    if flags & RECURSIVE == 0 {
        return decide::remove(&name, Removal::Either);
    }
    let kind = disk::kind(&sys::lstatat(name.dirfd(), name.base())?);
    whole(name.whereabouts(), kind)
}

/// Judges the loss of all that there is at a place.
fn whole(whereabouts: &Whereabouts, kind: Kind) -> Result<()> {
    let Some(refusal) = decide::judge(whereabouts, Act::RemoveTree, Some(kind)) else {
        return Ok(());
    };
    match whereabouts.path() {
        Some(path) if decide::is_newborn(refusal, path) => Ok(()),
        _ => Err(decide::refuse(
            Deed::command(Act::RemoveTree),
            whereabouts,
            refusal,
        )),
    }
}

/// `fs_snapshot_revert(2)`: the volume is as it was.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_fs_snapshot_revert(
    dirfd: c_int,
    name: *const c_char,
    flags: c_uint,
) -> c_int {
    let mut whereabouts = Whereabouts::new();
    resolve::object(dirfd, &mut whereabouts);
    // SAFETY: the kernel checks the address itself.
    unless_refused(whole(&whereabouts, Kind::Directory), || unsafe {
        fs_snapshot_revert(dirfd, name, flags)
    })
}

/// What of `copyfile` writes content. Attributes alone are not looked at.
const CONTENT: c_uint = libc::COPYFILE_DATA | libc::COPYFILE_CLONE | libc::COPYFILE_CLONE_FORCE;

/// `copyfile(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_copyfile(
    from: *const c_char,
    to: *const c_char,
    state: *mut c_void,
    flags: c_uint,
) -> c_int {
    // SAFETY: promised by the caller.
    unless_refused(copying(from, to, flags), || unsafe {
        libc::copyfile(from, to, state.cast(), flags)
    })
}

fn copying(from: *const c_char, to: *const c_char, flags: c_uint) -> Result<()> {
    if flags & libc::COPYFILE_CHECK != 0 {
        return Ok(());
    }
    // Paths may also be in the state; then each call that they lead to is judged by itself.
    let exists = |path| sys::fstatat(CWD, path, libc::AT_SYMLINK_NOFOLLOW).is_ok();
    if flags & libc::COPYFILE_MOVE != 0 && exists(from) {
        removal(CWD, from, 0)?;
    }
    if flags & libc::COPYFILE_UNLINK != 0 && exists(to) {
        removal(CWD, to, 0)?;
    }
    if flags & CONTENT == 0 {
        return Ok(());
    }
    let exclusive = match flags & libc::COPYFILE_EXCL {
        0 => 0,
        _ => libc::O_EXCL,
    };
    let opened = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | exclusive;
    opening::judge_later(CWD, to, opened)
}

/// `fcopyfile(3)`: also what was opened to be appended to is emptied.
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_fcopyfile(
    from: c_int,
    to: c_int,
    state: *mut c_void,
    flags: c_uint,
) -> c_int {
    let verdict = match flags & CONTENT {
        0 => Ok(()),
        _ => opening::written(Deed::TRUNCATE, to),
    };
    // SAFETY: promised by the caller.
    unless_refused(verdict, || unsafe {
        libc::fcopyfile(from, to, state.cast(), flags)
    })
}
