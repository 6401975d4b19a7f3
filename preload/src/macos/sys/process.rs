//! Calls on the process.

use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

use super::{Errno, Result, call};

/// An array of strings that ends in a null pointer.
pub(crate) type Strings = *const *const c_char;

/// Returns only on failure.
pub(crate) fn execve(path: *const c_char, argv: Strings, envp: Strings) -> Errno {
    // SAFETY: the kernel checks the addresses itself.
    match call(|| unsafe { libc::execve(path, argv, envp) }) {
        Ok(_) => Errno(libc::ENOSYS),
        Err(errno) => errno,
    }
}

/// The file that the process was started from. It may still hold links.
pub(crate) fn executable(into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    unsafe extern "C" {
        fn _NSGetExecutablePath(into: *mut c_char, length: *mut u32) -> c_int;
    }
    let mut length = u32::try_from(into.len()).map_err(|_| Errno(libc::EINVAL))?;
    // SAFETY: at most that many bytes are written.
    if unsafe { _NSGetExecutablePath(into.as_mut_ptr().cast(), &raw mut length) } != 0 {
        return Err(Errno(libc::ENAMETOOLONG));
    }
    // SAFETY: a string has been written.
    Ok(unsafe { CStr::from_ptr(into.as_ptr().cast()) }.to_bytes())
}

/// The words that the process was started with.
pub(crate) fn arguments() -> Strings {
    // SAFETY: takes nothing, and libSystem is initialised before every other library.
    let argv = unsafe { libc::_NSGetArgv() };
    // SAFETY: it names the pointer to the array.
    unsafe { argv.read() }.cast_const().cast()
}

pub(crate) fn getpid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::getpid() }.cast_unsigned()
}

pub(crate) fn getuid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::getuid() }
}

/// Ends the process, all threads of it.
pub(crate) fn exit_group(status: c_int) -> ! {
    // SAFETY: nothing of the process is needed any more.
    unsafe { libc::_exit(status) }
}

/// The realtime clock: seconds and nanoseconds.
pub(crate) fn realtime() -> Result<(i64, u32)> {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: there is room for one timespec.
    call(|| unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, time.as_mut_ptr()) })?;
    // SAFETY: the call succeeded.
    let time = unsafe { time.assume_init() };
    Ok((time.tv_sec, u32::try_from(time.tv_nsec).unwrap_or(0)))
}

/// Births are dated by the same clock.
pub(crate) fn realtime_of_files() -> Result<(i64, u32)> {
    realtime()
}

/// Waits for a millisecond, or until a signal comes.
pub(crate) fn pause_shortly() {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 1_000_000,
    };
    // A shorter wait is as good.
    // SAFETY: the time is there, and nothing is written.
    if call(|| unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) }).is_err() {}
}

/// Whether a byte of this process can be read. Anything but EFAULT counts as yes.
///
/// The kernel copies the set in before it looks at `how`, and fails on this `how` in any case.
pub(crate) fn is_readable(address: usize) -> bool {
    const NO_SUCH_HOW: c_int = c_int::MAX;
    let set = ptr::with_exposed_provenance(address & !(align_of::<libc::sigset_t>() - 1));
    // SAFETY: the kernel checks the address itself, and writes nothing.
    let asked = call(|| unsafe { libc::sigprocmask(NO_SUCH_HOW, set, ptr::null_mut()) });
    asked != Err(Errno(libc::EFAULT))
}

/// Zeroed memory of our own, page-aligned.
pub(crate) fn map(length: usize) -> Result<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
    let mut memory = ptr::null_mut();
    call(|| {
        // SAFETY: new memory, at an address of the system's choice.
        memory = unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, -1, 0) };
        if memory == libc::MAP_FAILED { -1 } else { 0 }
    })?;
    NonNull::new(memory.cast()).ok_or(Errno(libc::ENOMEM))
}

/// Gives memory back.
///
/// # Safety
///
/// `memory` is from [`map`] with the same length, and nothing refers to it.
pub(crate) unsafe fn unmap(memory: NonNull<u8>, length: usize) {
    // SAFETY: promised by the caller. There is nothing to do about a failure: the memory stays.
    if call(|| unsafe { libc::munmap(memory.as_ptr().cast(), length) }).is_err() {}
}

/// Takes write access away from whole pages.
///
/// # Safety
///
/// Nothing writes to them afterwards.
pub(crate) unsafe fn seal(memory: NonNull<u8>, length: usize) {
    // SAFETY: promised by the caller. A failure leaves the pages writable, as all others are.
    if call(|| unsafe { libc::mprotect(memory.as_ptr().cast(), length, libc::PROT_READ) }).is_err()
    {
    }
}

/// What a write raises at a pipe that nobody reads, and at the largest size of files.
const WRITE_SIGNALS: libc::sigset_t = 1 << (libc::SIGPIPE - 1) | 1 << (libc::SIGXFSZ - 1);

/// Runs `act`, which writes once, with the signals of writing held back, and takes back the one that it raised.
pub(crate) fn without_signals<R>(act: impl FnOnce() -> R) -> R {
    let pending_before = pending();
    let mask = change_mask(libc::SIG_BLOCK, WRITE_SIGNALS);
    let result = act();
    let set = pending() & WRITE_SIGNALS & !pending_before;
    // It is pending, so this does not wait.
    if set != 0 && mask.is_some() {
        let mut taken = 0;
        // SAFETY: the set is there, and there is room for a number.
        if unsafe { libc::sigwait(&raw const set, &raw mut taken) } != 0 {}
    }
    if let Some(mask) = mask {
        change_mask(libc::SIG_SETMASK, mask);
    }
    result
}

/// Changes the signal mask and returns the former one.
fn change_mask(how: c_int, set: libc::sigset_t) -> Option<libc::sigset_t> {
    let mut former = 0;
    // SAFETY: there is room for the former set.
    let done = unsafe { libc::pthread_sigmask(how, &raw const set, &raw mut former) };
    (done == 0).then_some(former)
}

fn pending() -> libc::sigset_t {
    let mut set = 0;
    // SAFETY: there is room for a set.
    match call(|| unsafe { libc::sigpending(&raw mut set) }) {
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
    // SAFETY: there is one entry.
    let ready = call(|| unsafe { libc::poll(&raw mut poll, 1, 0) });
    ready == Ok(1) && poll.revents & libc::POLLOUT != 0
}
