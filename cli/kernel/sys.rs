//! What no crate has a safe function for: the filter, its listener, and the processes that are forked for them.
//!
//! One operation a block. Everything else of this layer is safe code.

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use nix::libc;
use nix::unistd::{ForkResult, Pid};

pub(super) use nix::libc::{seccomp_data, seccomp_notif, seccomp_notif_resp};

/// One instruction of a filter.
pub(super) type Instruction = libc::sock_filter;

/// Forks. The child is at work in `child`, and never returns from it.
///
/// # Errors
/// When there is no room for another process.
pub(crate) fn fork(child: impl FnOnce()) -> io::Result<Pid> {
    // SAFETY: this process has one thread, so that the child finds no lock held and nothing half done.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            child();
            std::process::abort()
        }
    }
}

/// Puts a filter on this thread and what comes of it, and gives the listener to which it reports.
///
/// # Errors
/// As the kernel says: EBUSY below another listener, EPERM or ENOSYS where a sandbox forbids it.
pub(super) fn install(filter: &[Instruction]) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?,
        filter: filter.as_ptr().cast_mut(),
    };
    let killable =
        libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    match seccomp(killable, &program) {
        // Before Linux 5.19 a signal makes the call start anew.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            seccomp(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER, &program)
        }
        listener => listener,
    }
}

fn seccomp(flags: libc::c_ulong, program: &libc::sock_fprog) -> io::Result<OwnedFd> {
    let mode = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: the kernel reads the program, which outlives the call, and as many instructions as it says.
    let listener = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const *program) };
    match RawFd::try_from(listener) {
        // SAFETY: the kernel has just given this descriptor to us.
        Ok(listener) if listener >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(listener) }),
        _ => Err(io::Error::last_os_error()),
    }
}

mod requests {
    use nix::libc::{seccomp_notif, seccomp_notif_addfd, seccomp_notif_resp};
    nix::ioctl_readwrite!(receive, b'!', 0, seccomp_notif);
    nix::ioctl_readwrite!(send, b'!', 1, seccomp_notif_resp);
    nix::ioctl_write_ptr!(is_valid, b'!', 2, u64);
    nix::ioctl_write_ptr!(add, b'!', 3, seccomp_notif_addfd);
    nix::ioctl_write_int_bad!(set_flags, nix::request_code_write!(b'!', 4, 8));
}

/// The next call that waits for an answer.
///
/// # Errors
/// ENOENT where whoever made it has been killed meanwhile.
pub(super) fn receive(listener: BorrowedFd<'_>) -> io::Result<seccomp_notif> {
    let mut call = seccomp_notif {
        id: 0,
        pid: 0,
        flags: 0,
        data: seccomp_data {
            nr: 0,
            arch: 0,
            instruction_pointer: 0,
            args: [0; 6],
        },
    };
    // SAFETY: the kernel writes one such structure, whose size is part of the request.
    unsafe { requests::receive(listener.as_raw_fd(), &raw mut call) }?;
    Ok(call)
}

/// Answers a call.
///
/// # Errors
/// ENOENT where nobody waits for the answer any more.
pub(super) fn send(listener: BorrowedFd<'_>, mut answer: seccomp_notif_resp) -> io::Result<()> {
    // SAFETY: the kernel reads one such structure, whose size is part of the request.
    unsafe { requests::send(listener.as_raw_fd(), &raw mut answer) }?;
    Ok(())
}

/// Gives a caller a descriptor for a file that we have opened, and says its number there. The call still waits.
///
/// # Errors
/// Where the caller has room for none.
pub(super) fn give(
    listener: BorrowedFd<'_>,
    id: u64,
    file: BorrowedFd<'_>,
    closes_on_exec: bool,
) -> io::Result<i32> {
    let gift = libc::seccomp_notif_addfd {
        id,
        flags: 0,
        srcfd: file.as_raw_fd().cast_unsigned(),
        newfd: 0,
        newfd_flags: match closes_on_exec {
            true => libc::O_CLOEXEC.cast_unsigned(),
            false => 0,
        },
    };
    // SAFETY: the kernel reads one such structure, whose size is part of the request.
    Ok(unsafe { requests::add(listener.as_raw_fd(), &raw const gift) }?)
}

/// Holds the file that a handle stands for, on the file system of `mount`.
///
/// # Errors
/// As the kernel says: it takes rights that few have.
pub(super) fn hold_by_handle(mount: BorrowedFd<'_>, handle: &[u8]) -> io::Result<OwnedFd> {
    // A handle begins with two numbers.
    let mut aligned = vec![0_u64; handle.len().div_ceil(8)];
    for (word, bytes) in aligned.iter_mut().zip(handle.chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_ne_bytes(whole);
    }
    let flags = libc::O_PATH | libc::O_CLOEXEC;
    let handle = aligned.as_mut_ptr().cast::<libc::file_handle>();
    // SAFETY: the kernel reads as many bytes as the handle says, which the caller has counted.
    let file = unsafe { libc::open_by_handle_at(mount.as_raw_fd(), handle, flags) };
    match file {
        // SAFETY: the kernel has just given this descriptor to us.
        0.. => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a call still waits: until it does, its process is the one that made it.
pub(super) fn is_valid(listener: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: the kernel reads one number.
    unsafe { requests::is_valid(listener.as_raw_fd(), &raw const id) }.is_ok()
}

/// Has the kernel hand the processor from the caller to us and back, if it can (Linux 6.6): waking another one
/// takes ten times as long.
pub(super) fn wake_in_place(listener: BorrowedFd<'_>) {
    const SYNC_WAKE_UP: libc::c_int = 1;
    // SAFETY: the argument is a number. What cannot be had is done without.
    unsafe { requests::set_flags(listener.as_raw_fd(), SYNC_WAKE_UP) }.ok();
}

/// Holds nothing any more that this process was given: neither its descriptors, but for those that are kept, nor its
/// working directory.
pub(crate) fn let_go(kept: &[BorrowedFd<'_>]) {
    if let Ok(null) = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")
    {
        // What cannot be let go stays.
        rustix::stdio::dup2_stdin(&null).ok();
        rustix::stdio::dup2_stdout(&null).ok();
        rustix::stdio::dup2_stderr(&null).ok();
    }
    rustix::process::chdir("/").ok();
    let mut kept: Vec<RawFd> = kept.iter().map(|fd| fd.as_raw_fd()).collect();
    kept.sort_unstable();
    let mut from = libc::STDERR_FILENO + 1;
    for fd in kept.into_iter().chain([RawFd::MAX]) {
        if from < fd {
            close_range(from, fd - 1);
        }
        from = from.max(fd.saturating_add(1));
    }
}

fn close_range(first: RawFd, last: RawFd) {
    let (first, last) = (first.cast_unsigned(), last.cast_unsigned());
    // SAFETY: what was inherited has no owner in this program, and what it has opened since is kept. Where the
    // call is missing (before Linux 5.9) they stay open.
    unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
}

/// Sends a signal, also one that has no name. A process that is gone needs none.
pub(crate) fn send_signal(process: Pid, signal: libc::c_int) {
    // SAFETY: both are numbers.
    unsafe { libc::kill(process.as_raw(), signal) };
}

/// Has a signal do to this process what it does to one that has not been told otherwise. Says whether it was ignored.
pub(crate) fn by_default(signal: libc::c_int) -> bool {
    // SAFETY: no handler is put in place.
    let former = unsafe { libc::signal(signal, libc::SIG_DFL) };
    former == libc::SIG_IGN
}

/// Ignores a signal.
pub(crate) fn ignore(signal: libc::c_int) {
    // SAFETY: no handler is put in place.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Lets a signal through that is blocked, and blocks it again.
pub(crate) fn deliver(signal: libc::c_int) {
    let mut set = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the call writes a whole set.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: it has just been written.
    let mut set = unsafe { set.assume_init() };
    // SAFETY: the set is ours alone.
    unsafe { libc::sigaddset(&raw mut set, signal) };
    for how in [libc::SIG_UNBLOCK, libc::SIG_BLOCK] {
        // SAFETY: the call reads the set, and is asked for no former one.
        unsafe { libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut()) };
    }
}
