//! Files that are shortened, and parts of them that are given back.

use core::ffi::{c_char, c_int};

use crate::decide;
use crate::loan::Loan;
use crate::report::Deed;
use crate::resolve::{self, Whereabouts};
use crate::sys::{self, Errno, Result};

/// `truncate` with a verdict.
pub(crate) fn truncate(path: *const c_char, length: i64) -> Result<()> {
    if length < 0 {
        return sys::truncate(path, length);
    }
    // Held by a descriptor that opens nothing: a pipe would block, a device would act.
    let file = match sys::openat(sys::CWD, path, libc::O_PATH | libc::O_CLOEXEC, 0) {
        Err(Errno(libc::EMFILE | libc::ENFILE)) => {
            return truncate_without_descriptor(path, length);
        }
        file => file?,
    };
    let status = sys::fstat(file.number())?;
    if !status.is_regular() {
        return sys::truncate(path, length);
    }
    let mut whereabouts = Loan::<Whereabouts>::new()?;
    resolve::object_at(file.number(), &status, sys::CWD, path, &mut whereabouts);
    decide::write(
        Deed::of_length(status.size(), length.cast_unsigned()),
        file.number(),
        &status,
        &whereabouts,
    )?;
    let reopened = resolve::reopening_path(file.number());
    match sys::truncate(reopened.as_c_str().as_ptr(), length) {
        // No `/proc`: the path has to be looked up again.
        Err(Errno(libc::ENOENT)) => sys::truncate(path, length),
        done => done,
    }
}

/// What no descriptor can hold is looked up twice, and a link put there in between goes unseen.
#[cold]
fn truncate_without_descriptor(path: *const c_char, length: i64) -> Result<()> {
    let status = sys::fstatat(sys::CWD, path, 0)?;
    if status.is_regular() {
        let mut whereabouts = Loan::<Whereabouts>::new()?;
        resolve::looked_up(&status, sys::CWD, path, &mut whereabouts);
        decide::write(
            Deed::of_length(status.size(), length.cast_unsigned()),
            -1,
            &status,
            &whereabouts,
        )?;
    }
    sys::truncate(path, length)
}

/// `ftruncate` with a verdict.
#[inline]
pub(crate) fn ftruncate(fd: c_int, length: i64) -> Result<()> {
    if length >= 0
        && let Ok(status) = sys::fstat(fd)
        && status.is_regular()
        && !status.is_nameless()
        && length.cast_unsigned() < status.size()
    {
        let mut whereabouts = Loan::<Whereabouts>::new()?;
        resolve::object(fd, &mut whereabouts);
        decide::write(Deed::TRUNCATE, fd, &status, &whereabouts)?;
    }
    sys::ftruncate(fd, length)
}

/// `fallocate` with a verdict: some of its modes take content away, also through a descriptor that only appends.
pub(crate) fn fallocate(fd: c_int, mode: c_int, offset: i64, length: i64) -> Result<()> {
    const HARMLESS: c_int = libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_UNSHARE_RANGE;
    if mode & !HARMLESS != 0
        && let Ok(status) = sys::fstat(fd)
        && status.is_regular()
        && !status.is_nameless()
        && status.size() > 0
    {
        let mut whereabouts = Loan::<Whereabouts>::new()?;
        resolve::object(fd, &mut whereabouts);
        decide::write(Deed::OVERWRITE, fd, &status, &whereabouts)?;
    }
    sys::fallocate(fd, mode, offset, length)
}
