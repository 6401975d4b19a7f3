//! Opening a file so that what it holds may be lost: emptied at once, or written over afterwards.
//!
//! The file is opened as asked, but not emptied; then the descriptor says what it is, and where. A caller gets
//! the descriptor it would have got, with the number it would have had.

use core::ffi::{c_char, c_int, c_uint};

use blastradius_policy::{Act, contract};

use crate::decide;
use crate::report::Deed;
use crate::resolve::{self, Room, Whereabouts};
use crate::sys::{self, Descriptor, Errno, Result, Status};

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

const fn holds(flags: c_int, wanted: c_int) -> bool {
    flags & wanted == wanted
}

const fn is_read_only(flags: c_int) -> bool {
    flags & libc::O_ACCMODE == libc::O_RDONLY
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
    let status = sys::fstat(file.number())?;
    if holds(flags, libc::O_TRUNC) && status.is_directory() {
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
        let mut whereabouts = Whereabouts::new();
        resolve::object_at(file.number(), &status, dirfd, path, &mut whereabouts);
        decide::write(deed, file.number(), &status, &whereabouts)?;
    }
    if holds(flags, libc::O_TRUNC) && status.is_regular() {
        empty(&file, &status, flags)?;
    }
    Ok(file)
}

/// What happens to the file; None if it has no content that could be lost (a pipe, a terminal, `/dev/null`).
fn deed(flags: c_int, status: &Status) -> Option<Deed> {
    match status.format() {
        libc::S_IFBLK => Some(Deed::OVERWRITE),
        libc::S_IFREG => Some(if status.size() == 0 {
            // Only the guard's own files must not be written although they are empty.
            Deed::APPEND
        } else if holds(flags, libc::O_TRUNC) {
            Deed::TRUNCATE
        } else if holds(flags, libc::O_APPEND) {
            Deed::APPEND
        } else {
            Deed::OVERWRITE
        }),
        _ => None,
    }
}

/// What O_TRUNC would have done.
fn empty(file: &Descriptor, status: &Status, flags: c_int) -> Result<()> {
    let emptied = if is_read_only(flags) {
        // Linux does empty it, if the file may be written. Without `/proc` it stays as it is.
        let path = resolve::reopening_path(file.number());
        sys::truncate(path.as_c_str().as_ptr(), 0)
    } else if status.size() == 0 && status.has_set_id() {
        // The file may have been created by this very call: then the bits must stay, which truncation takes.
        sys::touch(file.number())
    } else {
        sys::ftruncate(file.number(), 0)
    };
    // An empty file is empty already; only its times were to be set.
    if status.size() == 0 { Ok(()) } else { emptied }
}

/// The guard's own files. Another of the same name costs a lookup.
const OWN_FILES: [&[u8]; 4] = [
    contract::PROJECT_FILE,
    contract::USER_FILE,
    contract::LOG_FILE,
    contract::TRUST_FILE,
];

/// Refuses to create a file of the guard: its configuration would be the caller's.
fn creation(dirfd: c_int, path: *const c_char) -> Result<()> {
    let mut room = Room::new();
    // The kernel says what is wrong with a path that cannot be resolved.
    let Ok(Some(name)) = resolve::name_among(dirfd, path, &mut room, &OWN_FILES) else {
        return Ok(());
    };
    match decide::judge(name.whereabouts(), Act::Append, None) {
        None => Ok(()),
        Some(refusal) => Err(decide::refuse(Deed::APPEND, name.whereabouts(), refusal)),
    }
}

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
    let mut whereabouts = Whereabouts::new();
    resolve::object_at(file.number(), &status, sys::CWD, path, &mut whereabouts);
    decide::write(
        shortening(&status, length),
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
        let mut whereabouts = Whereabouts::new();
        resolve::looked_up(&status, sys::CWD, path, &mut whereabouts);
        decide::write(shortening(&status, length), -1, &status, &whereabouts)?;
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
        let mut whereabouts = Whereabouts::new();
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
        let mut whereabouts = Whereabouts::new();
        resolve::object(fd, &mut whereabouts);
        decide::write(Deed::OVERWRITE, fd, &status, &whereabouts)?;
    }
    sys::fallocate(fd, mode, offset, length)
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
    let Ok(file) = sys::openat(sys::CWD, path, held, 0) else {
        return Ok(());
    };
    let status = sys::fstat(file.number())?;
    let Some(deed) = deed(flags, &status) else {
        return Ok(());
    };
    let mut whereabouts = Whereabouts::new();
    resolve::object_at(file.number(), &status, sys::CWD, path, &mut whereabouts);
    decide::write(deed, file.number(), &status, &whereabouts)
}

/// A file that grows loses nothing.
fn shortening(status: &Status, length: i64) -> Deed {
    if length.cast_unsigned() < status.size() {
        Deed::TRUNCATE
    } else {
        Deed::APPEND
    }
}
