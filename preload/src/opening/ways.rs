//! Less common ways to a descriptor that can write.

use core::ffi::{c_char, c_int, c_void};

use super::{is_harmless, opened};
use crate::decide;
use crate::intent::{creation, deed, holds, is_read_only};
use crate::loan::Loan;
use crate::memory::Probe;
use crate::report::Deed;
use crate::resolve::{self, Whereabouts};
use crate::sys::{self, Descriptor, Errno, How, Result};

/// `openat2` with a verdict. The structure is copied, so that another thread cannot change it in between.
pub(crate) fn open_how(
    dirfd: c_int,
    path: *const c_char,
    how: *const u8,
    size: usize,
) -> Result<Descriptor> {
    let mut copy = How::new();
    if size < How::LEAST {
        return Err(Errno(libc::EINVAL));
    }
    // No kernel knows of more.
    let room = copy.bytes(size).ok_or(Errno(libc::E2BIG))?;
    Probe::new().copy_bytes(how, room)?;
    let Ok(flags) = c_int::try_from(copy.flags()) else {
        // Flags that nobody knows: the kernel refuses them.
        return sys::openat2(dirfd, path, &copy, size);
    };
    if is_harmless(flags) {
        return sys::openat2(dirfd, path, &copy, size);
    }
    if holds(flags, libc::O_CREAT) {
        creation(dirfd, path)?;
        if holds(flags, libc::O_EXCL) {
            return sys::openat2(dirfd, path, &copy, size);
        }
    }
    copy.set_flags(copy.flags() & !u64::from(libc::O_TRUNC.cast_unsigned()));
    // Where the kernel does not say what was opened, the path does not either: it may begin at another root.
    let file = sys::openat2(dirfd, path, &copy, size)?;
    opened(file, flags, |file, _, found| resolve::object(file, found))
}

/// `open_by_handle_at` with a verdict.
pub(crate) fn open_by_handle(
    mount: c_int,
    handle: *const c_void,
    flags: c_int,
) -> Result<Descriptor> {
    if is_harmless(flags) {
        return sys::open_by_handle_at(mount, handle, flags);
    }
    let file = sys::open_by_handle_at(mount, handle, flags & !libc::O_TRUNC)?;
    opened(file, flags, |file, _, found| resolve::object(file, found))
}

/// Whether an open file may take these flags: one that only appended would write over what is there.
pub(crate) fn may_set_flags(fd: c_int, flags: c_int) -> Result<()> {
    if holds(flags, libc::O_APPEND) {
        return Ok(());
    }
    // What is wrong with the descriptor, the kernel says.
    let Ok(former) = sys::status_flags(fd) else {
        return Ok(());
    };
    if is_read_only(former) || !holds(former, libc::O_APPEND) {
        return Ok(());
    }
    let status = sys::fstat(fd)?;
    if !status.is_regular() || status.is_nameless() || status.size() == 0 {
        return Ok(());
    }
    let mut whereabouts = Loan::<Whereabouts>::new()?;
    resolve::object(fd, &mut whereabouts);
    decide::write(Deed::OVERWRITE, fd, &status, &whereabouts)
}

/// Judges an open that is made later, in a child: nothing is opened, and what is wrong with the path shows then.
pub(crate) fn judge_later(path: *const c_char, flags: c_int) -> Result<()> {
    if is_harmless(flags) {
        return Ok(());
    }
    if holds(flags, libc::O_CREAT) {
        creation(sys::CWD, path)?;
        if holds(flags, libc::O_EXCL) {
            return Ok(());
        }
    }
    let nofollow = flags & libc::O_NOFOLLOW;
    let held = libc::O_PATH | libc::O_CLOEXEC | nofollow;
    let mut whereabouts = Loan::<Whereabouts>::new()?;
    let (file, status) = match sys::openat(sys::CWD, path, held, 0) {
        Ok(file) => {
            let status = sys::fstat(file.number())?;
            resolve::object_at(file.number(), &status, sys::CWD, path, &mut whereabouts);
            (Some(file), status)
        }
        // The child closes one before it opens: it has a descriptor.
        Err(Errno(libc::EMFILE | libc::ENFILE)) => {
            let Ok(status) = sys::fstatat(sys::CWD, path, 0) else {
                return Ok(());
            };
            resolve::looked_up(&status, sys::CWD, path, &mut whereabouts);
            (None, status)
        }
        Err(_) => return Ok(()),
    };
    let Some(deed) = deed(flags, &status) else {
        return Ok(());
    };
    let fd = file.as_ref().map_or(-1, Descriptor::number);
    decide::write(deed, fd, &status, &whereabouts)
}
