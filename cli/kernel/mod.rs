//! The kernel layer: a filter that every process below has, and a supervisor that judges what it reports with the
//! same policy as the library does. It sees what the library cannot: static programs, those written in Go, system
//! calls that are made without libc.

mod act;
mod caller;
mod calls;
mod filter;
mod identity;
mod judge;
pub(crate) mod landlock;
mod name;
mod report;
mod supervisor;
pub(crate) mod sys;
mod turns;
mod walk;

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

pub(crate) use act::Deputy;
pub(crate) use caller::{look_into, proc_is_ours};
pub(crate) use supervisor::Supervisor;

/// Puts the filter on this process and all that comes of it.
///
/// # Errors
/// Where the kernel or a sandbox does not allow it.
pub(crate) fn install(session_number: u64) -> io::Result<OwnedFd> {
    rustix::thread::set_no_new_privs(true)?;
    sys::install(&filter::filter(session_number))
}

/// Why the kernel does not take a filter with a supervisor, by its errno. Where none is to be had the error's kind says
/// so: see [`is_not_to_be_had`].
#[must_use]
pub(crate) fn unfiltered(errno: i32) -> io::Error {
    let words = match Errno::from_raw_os_error(errno) {
        Errno::BUSY => "another supervisor is around this process",
        Errno::PERM | Errno::ACCESS => "seccomp is forbidden here",
        Errno::NOSYS => "seccomp is not to be had here",
        Errno::INVAL => "this kernel has no supervisors (Linux 5.9 has)",
        errno => return errno.into(),
    };
    io::Error::new(io::ErrorKind::Unsupported, words)
}

/// Whether a layer failed because this system has none or a sandbox forbids it, and not because it does not work.
#[must_use]
pub(crate) fn is_not_to_be_had(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, Unsupported};
    matches!(error.kind(), PermissionDenied | Unsupported)
}

/// A number for a session; never 0, which stands for none.
///
/// # Errors
/// When the kernel has no random bytes.
pub(crate) fn session_number() -> io::Result<u64> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(u64::from_ne_bytes(bytes) | 1)
}

/// Flags that no kernel knows: a question to a supervisor, not a rename.
const QUESTION: u32 = 0xb1a5_7000;

/// What a supervisor answers to it. No rename fails with this.
const HERE: Errno = Errno::XFULL;

/// Whether this process is below a supervisor that answers.
#[must_use]
pub(crate) fn is_above() -> bool {
    let flags = RenameFlags::from_bits_retain(QUESTION);
    rustix::fs::renameat_with(CWD, "", CWD, "", flags) == Err(HERE)
}
