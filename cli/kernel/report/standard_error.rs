//! The standard error of a process, from outside. A line is one write, in one piece or not at all: it must neither
//! block nor raise a signal.

use std::borrow::Cow;
use std::io::IoSlice;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};

use nix::libc;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::net::{AddressFamily, SendFlags, SocketAddrAny, SocketAddrUnix, SocketType, sockopt};

use crate::kernel::caller::{Caller, Numbers};
use crate::kernel::identity;

const NUMBER: i32 = 2;

/// Where a process says what went wrong.
pub(super) struct StandardError {
    file: OwnedFd,
    kind: FileType,
    identity: (u64, u64),
}

impl StandardError {
    /// None if it has none that can be reached, or if a file of its own happened to get the number.
    pub(super) fn of(caller: Caller<'_>, numbers: Numbers) -> Option<Self> {
        let looks = identity::look(caller.thread());
        let flags = caller.flags(NUMBER)?;
        // Data is opened so.
        if flags.contains(OFlags::CLOEXEC) {
            return None;
        }
        let file = caller
            .duplicate(NUMBER)
            .or_else(|| open_anew(numbers, flags))?;
        drop(looks);
        let status = rustix::fs::fstat(&file).ok()?;
        let found = Self {
            kind: FileType::from_raw_mode(status.st_mode),
            identity: (status.st_dev, status.st_ino),
            file,
        };
        found.is_meant_for_words(flags, &status).then_some(found)
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.identity == other.identity
    }

    fn is_meant_for_words(&self, flags: OFlags, status: &Stat) -> bool {
        match self.kind {
            FileType::CharacterDevice => true,
            FileType::Fifo => access(flags) != OFlags::RDONLY,
            FileType::RegularFile => match access(flags) {
                OFlags::WRONLY => true,
                // It may be data: nothing of it is written over.
                OFlags::RDWR => {
                    flags.contains(OFlags::APPEND)
                        || rustix::fs::tell(&self.file).ok() == u64::try_from(status.st_size).ok()
                }
                _ => false,
            },
            FileType::Socket => self.is_socket_of_parent().unwrap_or(false),
            _ => false,
        }
    }

    /// Whether it is a socket that a parent makes in a pipe's place: a stream to nobody who has a name, or to the
    /// journal. What a program connects itself leads to a name, or to another machine.
    fn is_socket_of_parent(&self) -> Result<bool, Errno> {
        const JOURNAL: &[u8] = b"/run/systemd/journal/stdout";
        let is_stream = sockopt::socket_domain(&self.file)? == AddressFamily::UNIX
            && sockopt::socket_type(&self.file)? == SocketType::STREAM;
        if !is_stream || !is_unnamed(&rustix::net::getsockname(&self.file)?) {
            return Ok(false);
        }
        let Some(peer) = rustix::net::getpeername(&self.file)? else {
            return Ok(true);
        };
        let is_journal = || {
            let name = SocketAddrUnix::try_from(peer.clone());
            name.is_ok_and(|name| name.path_bytes() == Some(JOURNAL))
        };
        Ok(is_unnamed(&peer) || is_journal())
    }

    /// Nobody is told when it cannot be written.
    pub(super) fn say(&self, line: &str) {
        let line = cut(line);
        let bytes = line.as_bytes();
        if self.kind == FileType::Socket {
            rustix::net::send(&self.file, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL).ok();
            return;
        }
        const AT_ONCE: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let mut wanted = [PollFd::from_borrowed_fd(self.file.as_fd(), PollFlags::OUT)];
        let ready = poll(&mut wanted, Some(&AT_ONCE)) == Ok(1)
            && wanted[0].revents().contains(PollFlags::OUT);
        if !ready {
            return;
        }
        if self.kind == FileType::Fifo {
            // Others may have filled it since. At a pipe the offset stands for none.
            let written = rustix::io::pwritev2(
                &self.file,
                &[IoSlice::new(bytes)],
                u64::MAX,
                ReadWriteFlags::NOWAIT,
            );
            // Before Linux 6.4 pipes do not know how, and a sandbox may not know the call.
            if let Ok(_) | Err(Errno::AGAIN | Errno::PIPE) = written {
                return;
            }
        }
        rustix::io::write(&self.file, bytes).ok();
    }
}

fn access(flags: OFlags) -> OFlags {
    flags.intersection(OFlags::RWMODE)
}

fn is_unnamed(address: &SocketAddrAny) -> bool {
    address.addr_len() as usize <= size_of::<libc::sa_family_t>()
}

/// The file, opened anew where a sandbox forbids to take the descriptor.
fn open_anew(numbers: Numbers, flags: OFlags) -> Option<OwnedFd> {
    let name = format!("/proc/{}/fd/{NUMBER}", numbers.thread);
    let held = rustix::fs::open(name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let status = rustix::fs::fstat(&held).ok()?;
    let appends = flags.intersection(OFlags::APPEND);
    match FileType::from_raw_mode(status.st_mode) {
        FileType::Fifo => {}
        FileType::CharacterDevice if is_terminal(rustix::fs::major(status.st_rdev)) => {}
        // The offset is not the same: only what appends writes nothing over.
        FileType::RegularFile if !appends.is_empty() => {}
        _ => return None,
    }
    // The supervisor leads a session, which must not get this terminal; a pipe that nobody reads must not keep it.
    let wanted = OFlags::WRONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC | appends;
    rustix::fs::open(
        format!("/proc/self/fd/{}", held.as_raw_fd()),
        wanted,
        Mode::empty(),
    )
    .ok()
}

/// Other devices may do something when they are opened.
fn is_terminal(major: u32) -> bool {
    // As `linux/major.h` numbers them: virtual and serial ones, and those of windows.
    matches!(major, 4 | 136..=143)
}

/// What a pipe that is ready takes in one piece.
const PIPE_BUF: usize = 4096;

/// A line that is not too long for one piece, whatever path it names.
fn cut(line: &str) -> Cow<'_, str> {
    const MARK: &str = "…\n";
    if line.len() <= PIPE_BUF {
        return Cow::Borrowed(line);
    }
    let mut end = PIPE_BUF - MARK.len();
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned([&line[..end], MARK].concat())
}

#[cfg(test)]
mod tests {
    use super::{PIPE_BUF, cut};

    #[test]
    fn a_line_fits_into_a_pipe() {
        assert_eq!(cut("short\n"), "short\n");
        for path in ["x".repeat(9000), "é".repeat(5000)] {
            let cut = cut(&path).into_owned();
            assert!(
                cut.len() <= PIPE_BUF && cut.ends_with("…\n"),
                "{}",
                cut.len()
            );
        }
    }
}
