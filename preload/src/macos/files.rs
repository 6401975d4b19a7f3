//! Opening, emptying and shortening files.

use core::ffi::{c_char, c_int, c_uint, c_void};

use crate::report::Deed;
use crate::sys::{self, CWD, Descriptor, Errno};
use crate::weak::Stream;
use crate::{errno, opening, stream};

/// The flags of `creat`.
const CREATE: c_int = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;

fn answer(opened: sys::Result<Descriptor>) -> c_int {
    opened.map_or_else(errno::fail, Descriptor::release)
}

/// Any function of the shim that opens a path. `again` makes the real call out of `call`, with other flags.
///
/// # Safety
///
/// `again` may be called with `call` as often as need be.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_open(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    call: *const c_void,
    again: unsafe extern "C" fn(*const c_void, c_int) -> c_int,
) -> c_int {
    answer(opening::open_by(dirfd, path, flags, |flags| {
        // SAFETY: promised by the caller.
        Descriptor::opened(|| unsafe { again(call, flags) })
    }))
}

/// Those whose descriptor must not be closed by anyone else: judged before there is one. Answers 0, or -1.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_judge_open(path: *const c_char, flags: c_int) -> c_int {
    errno::status(opening::judge_later(CWD, path, flags))
}

/// `creat(3)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_creat(path: *const c_char, mode: c_uint) -> c_int {
    answer(opening::open(CWD, path, CREATE, mode))
}

unsafe extern "C" {
    fn openx_np(path: *const c_char, flags: c_int, security: *mut c_void) -> c_int;
    fn openbyid_np(volume: *mut c_void, object: *mut c_void, flags: c_int) -> c_int;
}

/// `openx_np(2)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_openx_np(
    path: *const c_char,
    flags: c_int,
    security: *mut c_void,
) -> c_int {
    answer(opening::open_by(CWD, path, flags, |flags| {
        // SAFETY: promised by the caller.
        Descriptor::opened(|| unsafe { openx_np(path, flags, security) })
    }))
}

/// `openbyid_np(2)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_openbyid_np(
    volume: *mut c_void,
    object: *mut c_void,
    flags: c_int,
) -> c_int {
    answer(opening::open_object(flags, |flags| {
        // SAFETY: promised by the caller.
        Descriptor::opened(|| unsafe { openbyid_np(volume, object, flags) })
    }))
}

/// `fopen(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_fopen(
    path: *const c_char,
    mode: *const c_char,
) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::open(path, mode) }
}

/// `freopen(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_freopen(
    path: *const c_char,
    mode: *const c_char,
    stream: Stream,
) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { stream::reopen(path, mode, stream) }
}

/// `truncate(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_truncate(path: *const c_char, length: i64) -> c_int {
    errno::status(opening::truncate(path, length))
}

/// `ftruncate(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_ftruncate(fd: c_int, length: i64) -> c_int {
    errno::status(opening::ftruncate(fd, length))
}

/// `fcntl(2)` for the commands that take content away, or let it be taken. Answers 0, or -1.
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_judge_fcntl(
    fd: c_int,
    command: c_int,
    argument: usize,
) -> c_int {
    /// Sets the length of a file, without clearing what was there before.
    const F_SETSIZE: c_int = 43;
    let deed = match command {
        libc::F_PUNCHHOLE => Deed::OVERWRITE,
        F_SETSIZE => Deed::TRUNCATE,
        libc::F_SETFL if stops_appending(fd, argument) => Deed::OVERWRITE,
        _ => return 0,
    };
    errno::status(opening::written(deed, fd))
}

/// Whether what could only be appended to may be written over afterwards.
fn stops_appending(fd: c_int, flags: usize) -> bool {
    // An int was passed; what else is in its place means nothing.
    let appends_then = flags as c_int & libc::O_APPEND != 0;
    !appends_then
        && sys::descriptor_flags(fd).is_ok_and(|(_, now)| {
            now & libc::O_APPEND != 0 && now & libc::O_ACCMODE != libc::O_RDONLY
        })
}

/// Answers that there is no such call.
pub(super) fn no_such_call() -> c_int {
    errno::fail(Errno(libc::ENOSYS))
}
