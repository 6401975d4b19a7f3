//! Opening a file so that what it holds may be lost: emptied at once, or written over afterwards.
//!
//! The file is opened as asked, but not emptied; then the descriptor says what it is, and where. A caller gets
//! the descriptor it would have got, with the number it would have had.

mod length;
mod touch;
mod ways;

use core::ffi::{c_char, c_int, c_uint};

use crate::decide;
use crate::intent::{creation, deed, holds, is_read_only};
use crate::loan::Loan;
use crate::resolve::{self, Whereabouts};
use crate::sys::{self, Descriptor, Errno, Result, Status};

pub(crate) use length::{fallocate, ftruncate, truncate};
pub(crate) use ways::{judge_later, may_set_flags, open_by_handle, open_how};

/// `openat` with a verdict. What cannot destroy goes straight to the kernel.
#[inline]
pub(crate) fn open(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> Result<Descriptor> {
    if is_harmless(flags) {
        return sys::openat(dirfd, path, flags, mode);
    }
    judged(dirfd, path, flags, mode)
}

/// Whether nothing can be lost, neither by the call nor through the descriptor. A directory cannot be written,
/// and O_TMPFILE, which holds O_DIRECTORY, makes a file that has no name.
#[inline]
pub(crate) const fn is_harmless(flags: c_int) -> bool {
    is_read_only(flags) && !holds(flags, libc::O_TRUNC)
        || flags & (libc::O_PATH | libc::O_DIRECTORY) != 0
}

fn judged(dirfd: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> Result<Descriptor> {
    if holds(flags, libc::O_CREAT) {
        creation(dirfd, path)?;
        if holds(flags, libc::O_EXCL) {
            return sys::openat(dirfd, path, flags, mode);
        }
    }
    let file = sys::openat(dirfd, path, flags & !libc::O_TRUNC, mode)?;
    opened(file, flags, |file, status, found| {
        resolve::object_at(file, status, dirfd, path, found);
    })
}

/// Judges a file that was opened without O_TRUNC, and does what that would have done. `locate` finds where it is.
fn opened(
    file: Descriptor,
    flags: c_int,
    locate: impl FnOnce(c_int, &Status, &mut Whereabouts),
) -> Result<Descriptor> {
    let status = sys::fstat(file.number())?;
    if status.is_directory() && holds(flags, libc::O_TRUNC) {
        // It opens to be read, but not with the flag that was held back.
        return Err(Errno(libc::EISDIR));
    }
    if status.is_block_device() && sys::device_size(file.number()) == Ok(0) {
        // A loop device that is free, about to be given a file: there is nothing on it.
        return Ok(file);
    }
    let Some(deed) = deed(flags, &status) else {
        return Ok(file);
    };
    if !status.is_nameless() {
        let mut whereabouts = Loan::<Whereabouts>::new()?;
        locate(file.number(), &status, &mut whereabouts);
        let refusal = decide::refusal_to_write(deed, file.number(), &status, &whereabouts);
        if let Some(refusal) = refusal {
            // Where standard error was closed, the file has its number: the line would be written into it.
            drop(file);
            return Err(match touch::is_asking(flags) {
                true => decide::REFUSED,
                false => decide::refuse(deed, &whereabouts, refusal),
            });
        }
    }
    if holds(flags, libc::O_TRUNC) && status.is_regular() {
        empty(&file, &status, flags)?;
    }
    Ok(file)
}

/// What O_TRUNC would have done.
fn empty(file: &Descriptor, status: &Status, flags: c_int) -> Result<()> {
    if is_read_only(flags) {
        // Linux does empty it, if the file may be written.
        let path = resolve::reopening_path(file.number());
        return match sys::truncate(path.as_c_str().as_ptr(), 0) {
            // Without `/proc` nothing can be done to it; nor need be, if it is empty.
            Err(Errno(libc::ENOENT)) if status.size() == 0 => Ok(()),
            emptied => emptied,
        };
    }
    let emptied = if status.size() == 0 && status.has_set_id() {
        // The file may have been created by this very call: then the bits must stay, which truncation takes.
        sys::touch(file.number())
    } else {
        sys::ftruncate(file.number(), 0)
    };
    // An empty file is empty already; only its times were to be set.
    if status.size() == 0 { Ok(()) } else { emptied }
}
