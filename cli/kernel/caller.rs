//! The process that makes a call, seen from outside: its memory, its directories, its descriptors.

use std::ffi::CString;
use std::fs;
use std::io::IoSliceMut;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;

use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::sys::{self, seccomp_notif};

/// Of one thread, where a process is meant otherwise (Linux 6.9).
const PIDFD_THREAD: PidfdFlags = PidfdFlags::from_bits_retain(nix::libc::O_EXCL.cast_unsigned());

/// Longer paths the kernel does not take, their NUL counted.
const PATH_MAX: usize = 4096;

const HELD: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// One thread of a program below, which waits for an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller<'l> {
    thread: u32,
    call: u64,
    listener: BorrowedFd<'l>,
}

impl<'l> Caller<'l> {
    pub(super) const fn new(call: &seccomp_notif, listener: BorrowedFd<'l>) -> Self {
        Self {
            thread: call.pid,
            call: call.id,
            listener,
        }
    }

    pub(super) const fn thread(self) -> u32 {
        self.thread
    }

    /// Whether it still waits. As long as it does its number is its own: what was read of it is true.
    pub(super) fn still_waits(self) -> bool {
        sys::is_valid(self.listener, self.call)
    }

    /// A string in its memory.
    pub(super) fn path(self, address: u64) -> Result<CString, Errno> {
        const PAGE: usize = 4096;
        /// Most are no longer.
        const FIRST: usize = 256;
        let mut bytes = Vec::new();
        let mut length = 0;
        let address = usize::try_from(address).map_err(|_| Errno::FAULT)?;
        while length < PATH_MAX {
            let at = address.checked_add(length).ok_or(Errno::FAULT)?;
            // A page may be followed by none.
            let to_page = length + PAGE - at % PAGE;
            let most = if length == 0 { FIRST } else { PATH_MAX };
            let end = to_page.min(most);
            bytes.resize(end, 0);
            self.copy(at, &mut bytes[length..end])?;
            if let Some(nul) = bytes[length..end].iter().position(|&byte| byte == 0) {
                bytes.truncate(length + nul);
                return CString::new(bytes).map_err(|_| Errno::FAULT);
            }
            length = end;
        }
        Err(Errno::NAMETOOLONG)
    }

    /// The first of its bytes at an address that fill `into`.
    pub(super) fn copy(self, address: usize, into: &mut [u8]) -> Result<(), Errno> {
        let wanted = into.len();
        let remote = [RemoteIoVec {
            base: address,
            len: wanted,
        }];
        let pid = nix::unistd::Pid::from_raw(self.thread.cast_signed());
        match process_vm_readv(pid, &mut [IoSliceMut::new(into)], &remote) {
            Ok(length) if length == wanted => Ok(()),
            Ok(_) => Err(Errno::FAULT),
            Err(error) => Err(Errno::from_raw_os_error(error as i32)),
        }
    }

    /// What the kernel shows of it under a name.
    fn of_proc(self, name: &str) -> String {
        format!("/proc/{}/{name}", self.thread)
    }

    /// Where its absolute paths begin.
    pub(super) fn root(self) -> Result<OwnedFd, Errno> {
        let root = self.of_proc("root");
        rustix::fs::open(root, HELD | OFlags::DIRECTORY, Mode::empty()).map_err(gone)
    }

    /// Where its relative paths begin.
    pub(super) fn directory(self, dirfd: i32) -> Result<OwnedFd, Errno> {
        const CWD: i32 = nix::libc::AT_FDCWD;
        let name = match dirfd {
            CWD => "cwd".to_owned(),
            fd => format!("fd/{fd}"),
        };
        let flags = HELD | OFlags::DIRECTORY;
        match rustix::fs::open(self.of_proc(&name), flags, Mode::empty()) {
            Err(Errno::NOENT) if dirfd != CWD => Err(Errno::BADF),
            held => held.map_err(gone),
        }
    }

    /// What one of its descriptors refers to.
    pub(super) fn descriptor(self, fd: i32) -> Result<OwnedFd, Errno> {
        let name = self.of_proc(&format!("fd/{fd}"));
        match rustix::fs::open(name, HELD, Mode::empty()) {
            Err(Errno::NOENT) => Err(Errno::BADF),
            held => held,
        }
    }

    /// The flags of one of its open files, and of its descriptor.
    pub(super) fn flags(self, fd: i32) -> Option<OFlags> {
        let text = fs::read_to_string(self.of_proc(&format!("fdinfo/{fd}"))).ok()?;
        let digits = text.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let bits = u32::from_str_radix(digits.trim(), 8).ok()?;
        Some(OFlags::from_bits_retain(bits))
    }

    /// The mounts that it sees, as `/proc` lists them.
    pub(super) fn mounts(self) -> std::io::Result<String> {
        fs::read_to_string(self.of_proc("mountinfo"))
    }

    /// The file that it was started from.
    pub(super) fn program(self) -> Option<std::path::PathBuf> {
        fs::read_link(self.of_proc("exe")).ok()
    }

    /// What it is called, which everybody may know.
    pub(super) fn program_name(self) -> Option<std::path::PathBuf> {
        use std::os::unix::ffi::OsStringExt as _;
        let mut name = fs::read(self.of_proc("comm")).ok()?;
        name.pop();
        Some(std::ffi::OsString::from_vec(name).into())
    }

    /// Whether it can be looked into by nobody. The kernel keeps a process even from its own user that has changed its
    /// user and run no other program since, or has asked for that, unless we have CAP_SYS_PTRACE.
    pub(super) fn is_closed(self) -> bool {
        matches!(self.root(), Err(Errno::ACCESS | Errno::PERM | Errno::NOENT))
    }

    /// Whether it was started from the same file as we.
    pub(super) fn is_this_program(self) -> bool {
        let identity = |path: &str| {
            let meta = fs::metadata(path).ok()?;
            Some((meta.dev(), meta.ino()))
        };
        let theirs = identity(&self.of_proc("exe"));
        theirs.is_some() && theirs == identity("/proc/self/exe")
    }

    /// Its process, and the numbers that it and the thread have in their own namespace.
    pub(super) fn numbers(self) -> Option<Numbers> {
        let status = fs::read(self.of_proc("status")).ok()?;
        let field = |name: &str| {
            let line = status
                .split(|&byte| byte == b'\n')
                .find_map(|line| line.strip_prefix(name.as_bytes()))?;
            let text = std::str::from_utf8(line).ok()?;
            text.split_whitespace()
                .map(|number| number.parse().ok())
                .collect::<Option<Vec<u32>>>()
        };
        Some(Numbers {
            process: *field("Tgid:")?.first()?,
            process_inside: *field("NStgid:")?.last()?,
            thread_inside: *field("NSpid:")?.last()?,
            thread: self.thread,
        })
    }

    /// A descriptor of ours for what one of its descriptors refers to, with which the same can be done.
    pub(super) fn duplicate(self, fd: i32) -> Option<OwnedFd> {
        let of = |number: u32, flags| {
            let handle = pidfd_open(Pid::from_raw(number.cast_signed())?, flags).ok()?;
            pidfd_getfd(handle, fd, PidfdGetfdFlags::empty()).ok()
        };
        // A thread may have descriptors of its own.
        if let Some(held) = of(self.thread, PIDFD_THREAD) {
            return Some(held);
        }
        let held = of(self.numbers()?.process, PidfdFlags::empty())?;
        let theirs = self.descriptor(fd).ok()?;
        is_same(&held, &theirs).then_some(held)
    }

    /// Whether its limit lets a file become so long. Beyond it the kernel sends a signal.
    pub(super) fn may_grow_to(self, length: u64) -> bool {
        const NAME: &str = "Max file size";
        let text = fs::read_to_string(self.of_proc("limits")).unwrap_or_default();
        let limit = text.lines().find_map(|line| line.strip_prefix(NAME));
        match limit.and_then(|limits| limits.split_whitespace().next()) {
            Some("unlimited") => true,
            Some(digits) => digits.parse().is_ok_and(|limit: u64| length <= limit),
            None => false,
        }
    }

    /// The name space that its rights are about.
    pub(super) fn user_namespace(self) -> Option<u64> {
        user_namespace(&self.of_proc("ns/user"))
    }
}

/// That a process cannot be found says nothing of the path that it named.
fn gone(error: Errno) -> Errno {
    match error {
        Errno::NOENT => Errno::SRCH,
        other => other,
    }
}

/// Whether two descriptors are of the same file.
fn is_same(one: impl AsFd, other: impl AsFd) -> bool {
    match (rustix::fs::fstat(one), rustix::fs::fstat(other)) {
        (Ok(one), Ok(other)) => (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino),
        _ => false,
    }
}

/// Whether `/proc` shows processes by the numbers that this one knows them by. In a name space of processes that has
/// not mounted its own, it shows others under them.
#[must_use]
pub(crate) fn proc_is_ours() -> bool {
    let ours = rustix::process::getpid().as_raw_nonzero().to_string();
    let shown = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let numbers = shown.lines().find_map(|line| line.strip_prefix("NSpid:"));
    numbers.is_some_and(|numbers| numbers.split_whitespace().eq([ours.as_str()]))
}

/// The name space that a process's rights are about, by the path that leads to it.
pub(super) fn user_namespace(path: &str) -> Option<u64> {
    let found = rustix::fs::statx(rustix::fs::CWD, path, AtFlags::empty(), StatxFlags::INO);
    found.ok().map(|found| found.stx_ino)
}

/// Whether processes can be looked into, as the supervisor must: a sandbox or the system may forbid it. `process` is a
/// fork of this one that runs, so that what lies in one's memory lies in the other's.
///
/// # Errors
/// As the kernel says.
pub(crate) fn look_into(process: nix::unistd::Pid) -> std::io::Result<()> {
    static KNOWN: [u8; 4] = *b"seen";
    let mut found = [0; KNOWN.len()];
    let remote = [RemoteIoVec {
        base: KNOWN.as_ptr().addr(),
        len: KNOWN.len(),
    }];
    process_vm_readv(process, &mut [IoSliceMut::new(&mut found)], &remote)?;
    for name in ["root", "cwd", "fd"] {
        rustix::fs::open(format!("/proc/{process}/{name}"), HELD, Mode::empty())?;
    }
    match found == KNOWN {
        true => Ok(()),
        false => Err(std::io::Error::from_raw_os_error(nix::libc::EIO)),
    }
}

/// What a thread and its process are called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) process: u32,
    pub(super) thread: u32,
    pub(super) process_inside: u32,
    pub(super) thread_inside: u32,
}
