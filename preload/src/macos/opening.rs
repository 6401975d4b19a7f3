//! Opening a file so that what it holds may be lost: emptied at once, or written over afterwards.
//!
//! As on Linux the file is opened as asked, but not emptied; then the descriptor says what it is, and where.
//! There are more ways to open than one, so the call itself is handed in, to be made with other flags.

use core::ffi::{c_char, c_int, c_uint};

use crate::decide;
use crate::intent::{creation, deed, holds, is_read_only};
use crate::report::Deed;
use crate::resolve::{self, Whereabouts};
use crate::sys::{self, CWD, Descriptor, Errno, Result, Status};

/// `openat` with a verdict.
pub(crate) fn open(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> Result<Descriptor> {
    open_by(dirfd, path, flags, |flags| {
        sys::openat(dirfd, path, flags, mode)
    })
}

/// Opens a path with a verdict, by `call`, which takes the flags to open with.
pub(crate) fn open_by(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    call: impl Fn(c_int) -> Result<Descriptor>,
) -> Result<Descriptor> {
    if is_harmless(flags) {
        return call(flags);
    }
    if holds(flags, libc::O_CREAT) {
        creation(dirfd, path)?;
        if holds(flags, libc::O_EXCL) {
            return call(flags);
        }
    }
    judged(flags, call, |file, status, found| {
        resolve::object_at(file, status, dirfd, path, found);
    })
}

/// As [`open_by`] for what has no path: the descriptor alone says where it is.
pub(crate) fn open_object(
    flags: c_int,
    call: impl Fn(c_int) -> Result<Descriptor>,
) -> Result<Descriptor> {
    if is_harmless(flags) {
        return call(flags);
    }
    judged(flags, call, |file, _, found| resolve::object(file, found))
}

fn judged(
    flags: c_int,
    call: impl Fn(c_int) -> Result<Descriptor>,
    find: impl FnOnce(c_int, &Status, &mut Whereabouts),
) -> Result<Descriptor> {
    let file = call(flags & !libc::O_TRUNC)?;
    let status = sys::fstat(file.number())?;
    let Some(deed) = deed(flags, &status) else {
        return Ok(file);
    };
    if !status.is_nameless() {
        let mut whereabouts = Whereabouts::new();
        find(file.number(), &status, &mut whereabouts);
        decide::write(deed, file.number(), &status, &whereabouts)?;
    }
    if holds(flags, libc::O_TRUNC) && status.is_regular() {
        empty(&file, &status, flags)?;
    }
    Ok(file)
}

/// Whether nothing can be lost, neither by the call nor through the descriptor. A directory cannot be written.
const fn is_harmless(flags: c_int) -> bool {
    is_read_only(flags) && !holds(flags, libc::O_TRUNC) || holds(flags, libc::O_DIRECTORY)
}

/// What O_TRUNC would have done.
fn empty(file: &Descriptor, status: &Status, flags: c_int) -> Result<()> {
    let emptied = if is_read_only(flags) {
        empty_again(file, status)
    } else if status.size() == 0 && status.has_set_id() {
        // The file may have been created by this very call: then the bits must stay, which truncation takes.
        sys::touch(file.number())
    } else {
        sys::ftruncate(file.number(), 0)
    };
    // An empty file is empty already; only its times were to be set.
    if status.size() == 0 { Ok(()) } else { emptied }
}

/// A descriptor that only reads empties nothing: the file that was judged is opened again to do so.
fn empty_again(file: &Descriptor, status: &Status) -> Result<()> {
    let mut path = crate::memory::PathCopy::new();
    path.fill(|room| sys::path_of(file.number(), room))?;
    path.push(0).map_err(|_| Errno(libc::ENAMETOOLONG))?;
    let flags = libc::O_WRONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let again = sys::openat(CWD, path.as_c_str().as_ptr(), flags, 0)?;
    if sys::fstat(again.number())?.identity() != status.identity() {
        return Err(decide::REFUSED);
    }
    sys::ftruncate(again.number(), 0)
}

/// `truncate` with a verdict: through a descriptor that may write, as the call itself asks for.
pub(crate) fn truncate(path: *const c_char, length: i64) -> Result<()> {
    // The kernel says what is wrong with it. A pipe would block, a device would act.
    if length < 0 || !sys::fstatat(CWD, path, 0)?.is_regular() {
        return sys::truncate(path, length);
    }
    let flags = libc::O_WRONLY | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = sys::openat(CWD, path, flags, 0)?;
    let status = sys::fstat(file.number())?;
    if length.cast_unsigned() < status.size() {
        let mut whereabouts = Whereabouts::new();
        resolve::object_at(file.number(), &status, CWD, path, &mut whereabouts);
        decide::write(Deed::TRUNCATE, file.number(), &status, &whereabouts)?;
    }
    sys::ftruncate(file.number(), length)
}

/// `ftruncate` with a verdict.
pub(crate) fn ftruncate(fd: c_int, length: i64) -> Result<()> {
    if length >= 0
        && let Ok(status) = sys::fstat(fd)
        && length.cast_unsigned() < status.size()
    {
        written(Deed::TRUNCATE, fd)?;
    }
    sys::ftruncate(fd, length)
}

/// Whether what is open already may be written as `deed` says. What is no file with a name loses nothing.
pub(crate) fn written(deed: Deed, fd: c_int) -> Result<()> {
    let Ok(status) = sys::fstat(fd) else {
        return Ok(());
    };
    if !status.is_regular() || status.is_nameless() || status.size() == 0 {
        return Ok(());
    }
    let mut whereabouts = Whereabouts::new();
    resolve::object(fd, &mut whereabouts);
    decide::write(deed, fd, &status, &whereabouts)
}

/// Judges an open that is made later or elsewhere: what is wrong with the path shows then, and a link put
/// there in between goes unseen.
pub(crate) fn judge_later(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<()> {
    if is_harmless(flags) {
        return Ok(());
    }
    if holds(flags, libc::O_CREAT) {
        creation(dirfd, path)?;
        if holds(flags, libc::O_EXCL) {
            return Ok(());
        }
    }
    let follow = match flags & (libc::O_NOFOLLOW | libc::O_SYMLINK) {
        0 => 0,
        _ => libc::AT_SYMLINK_NOFOLLOW,
    };
    let Ok(status) = sys::fstatat(dirfd, path, follow) else {
        return Ok(());
    };
    let Some(deed) = deed(flags, &status) else {
        return Ok(());
    };
    let mut whereabouts = Whereabouts::new();
    if status.is_regular() {
        // Held where it can be read, so that the system says where it is.
        let held = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_CLOEXEC;
        if let Ok(file) = sys::openat(dirfd, path, held, 0) {
            resolve::object_at(file.number(), &status, dirfd, path, &mut whereabouts);
            return decide::write(deed, file.number(), &status, &whereabouts);
        }
    }
    // Without a descriptor nothing is newborn.
    resolve::looked_up(&status, dirfd, path, &mut whereabouts);
    decide::write(deed, -1, &status, &whereabouts)
}
