//! System calls on the process.

use core::ffi::{c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::{CWD, Errno, Result, call, call_writing, readlinkat, word};

/// An array of strings that ends in a null pointer.
pub(crate) type Strings = *const *const c_char;

/// Returns only on failure.
pub(crate) fn execveat(
    dirfd: c_int,
    path: *const c_char,
    argv: Strings,
    envp: Strings,
    flags: c_int,
) -> Errno {
    let arguments = [
        word(dirfd),
        path.expose_provenance(),
        argv.expose_provenance(),
        envp.expose_provenance(),
        word(flags),
        0,
    ];
    failure(call(libc::SYS_execveat, arguments))
}

/// Returns only on failure.
pub(crate) fn execve(path: *const c_char, argv: Strings, envp: Strings) -> Errno {
    let arguments = [
        path.expose_provenance(),
        argv.expose_provenance(),
        envp.expose_provenance(),
        0,
        0,
        0,
    ];
    failure(call(libc::SYS_execve, arguments))
}

fn failure(result: Result<usize>) -> Errno {
    match result {
        Ok(_) => Errno(libc::ENOSYS),
        Err(errno) => errno,
    }
}

/// The file that the process was started from.
pub(crate) fn executable(into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    readlinkat(CWD, c"/proc/self/exe", into)
}

pub(crate) fn getpid() -> u32 {
    identity(libc::SYS_getpid)
}

pub(crate) fn getuid() -> u32 {
    identity(libc::SYS_getuid)
}

pub(crate) fn getgid() -> u32 {
    identity(libc::SYS_getgid)
}

/// Whether no program that the process becomes gets more rights than it has.
pub(crate) fn may_gain_no_rights() -> bool {
    call(
        libc::SYS_prctl,
        [word(libc::PR_GET_NO_NEW_PRIVS), 0, 0, 0, 0, 0],
    ) == Ok(1)
}

/// These calls cannot fail.
fn identity(number: core::ffi::c_long) -> u32 {
    call(number, [0; 6]).map_or(u32::MAX, |id| id as u32)
}

/// Ends the process, all threads of it.
pub(crate) fn exit_group(status: c_int) -> ! {
    loop {
        if call(libc::SYS_exit_group, [word(status), 0, 0, 0, 0, 0]).is_ok() {}
    }
}

/// The realtime clock: seconds and nanoseconds.
pub(crate) fn realtime() -> Result<(i64, u32)> {
    clock(libc::CLOCK_REALTIME)
}

/// The realtime clock as it was at the last tick, by which the births of files are dated.
pub(crate) fn realtime_of_files() -> Result<(i64, u32)> {
    clock(libc::CLOCK_REALTIME_COARSE)
}

fn clock(number: c_int) -> Result<(i64, u32)> {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    let arguments = [
        word(number),
        time.as_mut_ptr().expose_provenance(),
        0,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes one timespec.
    unsafe { call_writing(libc::SYS_clock_gettime, arguments) }?;
    // SAFETY: the call succeeded.
    let time = unsafe { time.assume_init() };
    Ok((time.tv_sec, u32::try_from(time.tv_nsec).unwrap_or(0)))
}

/// Waits for a millisecond, or until a signal comes.
pub(crate) fn pause_shortly() {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 1_000_000,
    };
    // A shorter wait is as good.
    if call(
        libc::SYS_nanosleep,
        [(&raw const time).expose_provenance(), 0, 0, 0, 0, 0],
    )
    .is_err()
    {}
}

/// Whether a byte of this process can be read. Anything but EFAULT counts as yes.
///
/// `rt_sigprocmask` copies the set in before it looks at `how`, and fails on this `how` in any case: the
/// cheapest call that answers EFAULT.
pub(crate) fn is_readable(address: usize) -> bool {
    const NO_SUCH_HOW: usize = u32::MAX as usize;
    let arguments = [NO_SUCH_HOW, address & !7, 0, 8, 0, 0];
    call(libc::SYS_rt_sigprocmask, arguments) != Err(Errno(libc::EFAULT))
}

/// Zeroed memory of our own, page-aligned.
pub(crate) fn map(length: usize) -> Result<NonNull<u8>> {
    let arguments = [
        0,
        length,
        word(libc::PROT_READ | libc::PROT_WRITE),
        word(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE),
        word(-1),
        0,
    ];
    let address = call(libc::SYS_mmap, arguments)?;
    NonNull::new(core::ptr::with_exposed_provenance_mut(address)).ok_or(Errno(libc::ENOMEM))
}

/// Gives memory back.
///
/// # Safety
///
/// `memory` is from [`map`] with the same length, and nothing refers to it.
pub(crate) unsafe fn unmap(memory: NonNull<u8>, length: usize) {
    // SAFETY: promised by the caller. There is nothing to do about a failure: the memory stays.
    if unsafe {
        call_writing(
            libc::SYS_munmap,
            [memory.as_ptr().expose_provenance(), length, 0, 0, 0, 0],
        )
    }
    .is_err()
    {}
}

/// Takes write access away from whole pages.
///
/// # Safety
///
/// Nothing writes to them afterwards.
pub(crate) unsafe fn seal(memory: NonNull<u8>, length: usize) {
    let start = memory.as_ptr().expose_provenance();
    // SAFETY: promised by the caller. A failure leaves the pages writable, as all others are.
    if unsafe { protect(start, length, libc::PROT_READ) }.is_err() {}
}

/// Changes what may be done with whole pages.
///
/// # Safety
///
/// Nobody does afterwards what is then not allowed.
pub(crate) unsafe fn protect(start: usize, length: usize, access: c_int) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe { call_writing(libc::SYS_mprotect, [start, length, word(access), 0, 0, 0]) }.map(drop)
}

/// A set of signals as the kernel keeps it.
type SignalSet = u64;

/// What a write raises at a pipe that nobody reads, and at the largest size of files.
const WRITE_SIGNALS: SignalSet = 1 << (libc::SIGPIPE - 1) | 1 << (libc::SIGXFSZ - 1);

/// Runs `act`, which writes once, with the signals of writing held back, and takes back the one that it raised.
pub(crate) fn without_signals<R>(act: impl FnOnce() -> R) -> R {
    let pending_before = pending();
    let mask = change_mask(libc::SIG_BLOCK, WRITE_SIGNALS);
    let result = act();
    let set = pending() & WRITE_SIGNALS & !pending_before;
    if set != 0 {
        let at_once = [0i64; 2];
        let arguments = [
            (&raw const set).expose_provenance(),
            0,
            at_once.as_ptr().expose_provenance(),
            size_of::<SignalSet>(),
            0,
            0,
        ];
        if call(libc::SYS_rt_sigtimedwait, arguments).is_err() {}
    }
    if let Some(mask) = mask {
        change_mask(libc::SIG_SETMASK, mask);
    }
    result
}

/// Changes the signal mask and returns the former one.
fn change_mask(how: c_int, set: SignalSet) -> Option<SignalSet> {
    let mut former: SignalSet = 0;
    let arguments = [
        word(how),
        (&raw const set).expose_provenance(),
        (&raw mut former).expose_provenance(),
        size_of::<SignalSet>(),
        0,
        0,
    ];
    // SAFETY: the kernel writes one set of that size.
    let done = unsafe { call_writing(libc::SYS_rt_sigprocmask, arguments) };
    done.is_ok().then_some(former)
}

fn pending() -> SignalSet {
    let mut set: SignalSet = 0;
    let arguments = [
        (&raw mut set).expose_provenance(),
        size_of::<SignalSet>(),
        0,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes one set of that size.
    match unsafe { call_writing(libc::SYS_rt_sigpending, arguments) } {
        Ok(_) => set,
        Err(_) => 0,
    }
}

/// Whether a write of up to PIPE_BUF bytes would go through at once.
pub(crate) fn is_writable_now(fd: c_int) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLOUT,
        revents: 0,
    };
    let mut at_once = [0i64; 2];
    let arguments = [
        (&raw mut poll).expose_provenance(),
        1,
        at_once.as_mut_ptr().expose_provenance(),
        0,
        size_of::<SignalSet>(),
        0,
    ];
    // SAFETY: the kernel writes `revents`, and what is left of the time.
    let ready = unsafe { call_writing(libc::SYS_ppoll, arguments) };
    ready == Ok(1) && poll.revents & libc::POLLOUT != 0
}
