//! Opening the files of streams: by ourselves, then handed to libc.

use core::ffi::{CStr, c_char, c_int};
use core::ptr;

use crate::memory::Probe;
use crate::sys::{self, CWD, Descriptor, Errno};
use crate::text::Text;
use crate::weak::{self, Stream};
use crate::{errno, next, opening, resolve};

/// What `fopen` gives a new file.
const NEW_FILE: u32 = 0o666;

/// The mode of a stream that can destroy something.
struct Mode {
    /// What libc would open the file with.
    flags: c_int,
    /// The same again for a file that is open already: without `x`, which wants to create it. What stands after
    /// it stays where it is.
    again: Text<{ MODE_MAX + 1 }>,
    /// `,ccs=`: the stream converts, which only libc's own opening functions set up.
    converts: bool,
    /// glibc's `fopen` goes to the end of a file that is only appended to, and its `fdopen` does not where the
    /// descriptor appends already. Programs ask `ftell` whether a log is new.
    begins_at_end: bool,
}

const MODE_MAX: usize = 64;

impl Mode {
    /// None: the mode only reads, or is none, which libc says.
    fn read(mode: *const c_char) -> Option<Self> {
        let mut text = Text::<MODE_MAX>::new();
        let is_whole = match Probe::new().copy(mode, &mut text) {
            Ok(()) => true,
            Err(Errno(libc::ENAMETOOLONG)) => false,
            Err(_) => return None,
        };
        let (&first, rest) = text.as_bytes().split_first()?;
        let options = rest.split(|&byte| byte == b',').next().unwrap_or(rest);
        let converts = options.len() < rest.len();
        // glibc looks at seven letters, musl at all of them, and neither stops at a comma.
        let seen = match weak::is_glibc() {
            true => &rest[..rest.len().min(6)],
            false => rest,
        };
        let is_unknown = !is_whole && seen.len() == rest.len();
        let has = |option| seen.contains(&option) || is_unknown && option == b'+';
        let mut flags = match first {
            b'r' if has(b'+') => 0,
            b'w' => libc::O_CREAT | libc::O_TRUNC,
            b'a' => libc::O_CREAT | libc::O_APPEND,
            _ => return None,
        };
        flags |= if has(b'+') {
            libc::O_RDWR
        } else {
            libc::O_WRONLY
        };
        if has(b'x') {
            flags |= libc::O_EXCL;
        }
        if has(b'e') {
            flags |= libc::O_CLOEXEC;
        }
        let mut again = Text::new();
        again.push(first).ok()?;
        for &byte in options {
            again.push(if byte == b'x' { b'b' } else { byte }).ok()?;
        }
        again.append(&rest[options.len()..]).ok()?;
        again.push(0).ok()?;
        Some(Self {
            flags,
            again,
            converts,
            begins_at_end: first == b'a' && !has(b'+') && weak::is_glibc(),
        })
    }

    fn open(&self, path: *const c_char) -> sys::Result<Descriptor> {
        opening::open(CWD, path, self.flags, NEW_FILE)
    }
}

/// # Safety
///
/// As for `fopen` in C.
pub(crate) unsafe fn open(path: *const c_char, mode: *const c_char) -> Stream {
    let Some(judged) = Mode::read(mode) else {
        // SAFETY: promised by the caller.
        return unsafe { libc_open(path, mode) };
    };
    let file = match judged.open(path) {
        Ok(file) => file,
        Err(errno) => return fail(errno),
    };
    if judged.converts {
        let again = Again::of(&file);
        // SAFETY: the caller promises that the path is a string, and the mode is ours.
        return unsafe { libc_open(again.or(path), judged.again.as_c_str().as_ptr()) };
    }
    if judged.begins_at_end {
        // A pipe has no end.
        let _ = sys::seek_to_end(file.number());
    }
    // SAFETY: the caller promises that the mode is a string.
    unsafe { adopt(file, mode) }
}

/// A path by which libc opens a file that is open already.
struct Again(Option<Text<{ resolve::REOPENING_MAX }>>);

impl Again {
    fn of(file: &Descriptor) -> Self {
        let path = resolve::reopening_path(file.number());
        let leads = sys::fstatat(CWD, path.as_c_str().as_ptr(), 0).is_ok();
        Self(leads.then_some(path))
    }

    /// Without `/proc` the path has to be looked up again.
    fn or(&self, path: *const c_char) -> *const c_char {
        self.0
            .as_ref()
            .map_or(path, |text| text.as_c_str().as_ptr())
    }
}

/// Makes a stream of an open file.
///
/// # Safety
///
/// `mode` must be a string.
unsafe fn adopt(file: Descriptor, mode: *const c_char) -> Stream {
    let Some(fdopen) = weak::fdopen() else {
        return fail(Errno(libc::ENOSYS));
    };
    // SAFETY: promised by the caller.
    let stream = unsafe { fdopen(file.number(), mode) };
    if !stream.is_null() {
        // The stream owns it now.
        file.release();
    }
    stream
}

/// `setmntent`, which opens by itself and by the path: it is judged before.
///
/// # Safety
///
/// As for `setmntent` in C.
#[cfg(target_os = "linux")]
pub(crate) unsafe fn open_mounts(path: *const c_char, mode: *const c_char) -> Stream {
    let Some(setmntent) = next::SETMNTENT.get() else {
        return fail(Errno(libc::ENOSYS));
    };
    if let Some(judged) = Mode::read(mode)
        && let Err(refused) = opening::judge_later(path, judged.flags)
    {
        return fail(refused);
    }
    // SAFETY: promised by the caller.
    unsafe { setmntent(path, mode) }
}

/// libc's `fopen`.
///
/// # Safety
///
/// As for `fopen` in C.
unsafe fn libc_open(path: *const c_char, mode: *const c_char) -> Stream {
    match next::FOPEN.get() {
        // SAFETY: promised by the caller.
        Some(fopen) => unsafe { fopen(path, mode) },
        None => fail(Errno(libc::ENOSYS)),
    }
}

/// # Safety
///
/// As for `freopen` in C.
pub(crate) unsafe fn reopen(path: *const c_char, mode: *const c_char, stream: Stream) -> Stream {
    let Some(freopen) = next::FREOPEN.get() else {
        return fail(Errno(libc::ENOSYS));
    };
    let Some(judged) = Mode::read(mode) else {
        // SAFETY: promised by the caller.
        return unsafe { freopen(path, mode, stream) };
    };
    let opened = if path.is_null() {
        // SAFETY: the caller promises that the stream is open.
        unsafe { judge_again(&judged, stream) }.map(|()| None)
    } else {
        judged.open(path).map(Some)
    };
    match opened {
        // SAFETY: promised by the caller.
        Ok(None) => unsafe { freopen(path, mode, stream) },
        Ok(Some(file)) => {
            // The stream keeps its number and place in libc, and takes the very file that was judged.
            let again = Again::of(&file);
            let mode = judged.again.as_c_str().as_ptr();
            // SAFETY: the mode is ours, the rest is the caller's.
            unsafe { freopen(again.or(path), mode, stream) }
        }
        Err(errno) => {
            // libc closes the stream where it cannot open the file.
            // SAFETY: the path is a string that names nothing, the rest is the caller's.
            unsafe { freopen(NOTHING.as_ptr(), mode, stream) };
            fail(errno)
        }
    }
}

const NOTHING: &CStr = c"";

/// A stream that is opened again with another mode keeps its file.
///
/// # Safety
///
/// The stream must be open.
unsafe fn judge_again(mode: &Mode, stream: Stream) -> sys::Result<()> {
    let Some(fileno) = weak::fileno() else {
        return Err(Errno(libc::ENOSYS));
    };
    // SAFETY: promised by the caller.
    let fd = unsafe { fileno(stream) };
    // A stream in memory has no file, and a pipe nothing to lose.
    if !sys::fstat(fd).is_ok_and(|status| status.is_regular()) {
        return Ok(());
    }
    let path = resolve::reopening_path(fd);
    let flags = (mode.flags | libc::O_CLOEXEC) & !libc::O_EXCL;
    match opening::open(CWD, path.as_c_str().as_ptr(), flags, NEW_FILE) {
        Err(refused @ crate::decide::REFUSED) => Err(refused),
        // Any other error is libc's to find again.
        _ => Ok(()),
    }
}

fn fail(errno: Errno) -> Stream {
    errno::set(errno);
    ptr::null_mut()
}
