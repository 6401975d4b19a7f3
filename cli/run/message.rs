//! What the wrapper and the supervisor say to each other: one datagram each.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair,
};

/// To the wrapper, about the program, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// The filter is on, and the program of this number is about to run.
    Started(i32),
    /// The supervisor could not be set up: an errno. Nothing has run.
    Failed(i32),
    /// The kernel does not take the filter: an errno. Nothing has run.
    Unfiltered(i32),
    /// The program has ended with this status.
    Exited(i32),
    /// The program was ended by this signal.
    Killed(i32),
    /// The program was stopped by this signal.
    Stopped(i32),
    /// The wrapper was sent this signal, which is meant for the program.
    Signal(i32),
    /// The wrapper goes on after as many stops.
    Resumed(i32),
    /// The program has ended; whether others are left below the filter.
    Stays(i32),
    /// The program may begin.
    Begin,
}

impl Message {
    pub(super) const LENGTH: usize = 5;

    fn to_bytes(self) -> [u8; Self::LENGTH] {
        let (tag, value) = match self {
            Self::Started(pid) => (0, pid),
            Self::Failed(errno) => (1, errno),
            Self::Exited(status) => (2, status),
            Self::Killed(signal) => (3, signal),
            Self::Stopped(signal) => (4, signal),
            Self::Signal(signal) => (5, signal),
            Self::Resumed(stops) => (6, stops),
            Self::Begin => (7, 0),
            Self::Stays(others) => (8, others),
            Self::Unfiltered(errno) => (9, errno),
        };
        let [a, b, c, d] = value.to_ne_bytes();
        [tag, a, b, c, d]
    }

    pub(super) fn from_bytes([tag, a, b, c, d]: [u8; Self::LENGTH]) -> Option<Self> {
        let value = i32::from_ne_bytes([a, b, c, d]);
        Some(match tag {
            0 => Self::Started(value),
            1 => Self::Failed(value),
            2 => Self::Exited(value),
            3 => Self::Killed(value),
            4 => Self::Stopped(value),
            5 => Self::Signal(value),
            6 => Self::Resumed(value),
            7 => Self::Begin,
            8 => Self::Stays(value),
            9 => Self::Unfiltered(value),
            _ => return None,
        })
    }

    /// Sends it. Nobody listens any more where the other side has ended, which it sees by other means.
    pub(super) fn send(self, socket: impl AsFd) {
        send(socket, &self.to_bytes(), SendFlags::NOSIGNAL).ok();
    }

    /// The next one; None when the other side has ended.
    pub(super) fn receive(socket: impl AsFd) -> Option<Self> {
        let mut bytes = [0; Self::LENGTH];
        loop {
            match recv(&socket, &mut bytes, RecvFlags::empty()) {
                // The other side has ended without having read all, which is said once; what it said is still there.
                Err(Errno::INTR | Errno::CONNRESET) => {}
                Ok((Self::LENGTH, _)) => return Self::from_bytes(bytes),
                Ok(_) | Err(_) => return None,
            }
        }
    }
}

/// Two ends of one line, on which messages stay whole.
pub(super) fn line() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?)
}
