//! A process in the wrapper's group that does nothing but note what the group is sent.
//!
//! A signal does not tell whether it was sent to one process or to all of a group. What the witness was sent as well
//! was sent to the group, and so to the program, which must not be told a second time: a program that is asked to end
//! twice may end at once, and leave undone what it would have done the first time.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::process::exit;

use nix::sys::signal::SigSet;
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, setpgid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::message::line;
use crate::kernel::sys;

/// What it is called, so that nobody who looks for us by name sends it what is meant for the wrapper alone.
const NAME: &str = "witness";

/// Its answers.
const SEEN: [u8; 1] = [1];
const NOT_SEEN: [u8; 1] = [0];

/// A signal, and the process that it is from.
type Note = (u32, u32);
const NOTE: usize = 8;

fn to_bytes((signal, sender): Note) -> [u8; NOTE] {
    (u64::from(signal) << 32 | u64::from(sender)).to_ne_bytes()
}

fn from_bytes(bytes: [u8; NOTE]) -> Note {
    let both = u64::from_ne_bytes(bytes);
    ((both >> 32) as u32, both as u32)
}

/// Stands for every sender.
const ANYBODY: u32 = u32::MAX;

pub(super) struct Witness {
    line: OwnedFd,
}

impl Witness {
    /// Begins to take notes. All signals are blocked.
    ///
    /// # Errors
    /// When there is no room for one more process.
    pub(super) fn begin() -> io::Result<Self> {
        let (ours, theirs) = line()?;
        sys::fork(|| testify(&theirs))?;
        Ok(Self { line: ours })
    }

    /// Whether the group was sent this signal by this process, too; None where nobody can tell.
    pub(super) fn has_seen(&self, signal: u32, sender: u32) -> Option<bool> {
        // Signals to a group are sent under a lock, which this takes as well, before it finds that there is no such
        // group: it waits until all have theirs.
        const NO_GROUP: Pid = Pid::from_raw(i32::MAX);
        setpgid(Pid::from_raw(0), NO_GROUP).ok();
        send(&self.line, &to_bytes((signal, sender)), SendFlags::NOSIGNAL).ok()?;
        // Somebody may have stopped it.
        const LONGEST: Timespec = Timespec {
            tv_sec: 1,
            tv_nsec: 0,
        };
        let mut answer = [PollFd::new(&self.line, PollFlags::IN)];
        poll(&mut answer, Some(&LONGEST))
            .ok()
            .filter(|&ready| ready > 0)?;
        let mut seen = NOT_SEEN;
        let (length, _) = recv(&self.line, &mut seen, RecvFlags::DONTWAIT).ok()?;
        (length > 0).then_some(seen == SEEN)
    }

    /// Has it forget a signal of which nobody will ask.
    pub(super) fn forget(&self, signal: u32) {
        self.has_seen(signal, ANYBODY);
    }
}

fn testify(line: &OwnedFd) {
    // It ends with the wrapper, whose end is also that of the line.
    set_parent_process_death_signal(Some(Signal::KILL)).ok();
    let Ok(signals) = SignalFd::with_flags(
        &SigSet::all(),
        SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK,
    ) else {
        exit(0)
    };
    rename_this_process();
    sys::let_go(&[line.as_fd(), signals.as_fd()]);
    let mut notes: Vec<Note> = Vec::new();
    let mut question = [0; NOTE];
    while let Ok((NOTE, _)) = recv(line, &mut question, RecvFlags::empty()) {
        while let Ok(Some(signal)) = signals.read_signal() {
            let note = (signal.ssi_signo, signal.ssi_pid);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let (signal, sender) = from_bytes(question);
        let before = notes.len();
        notes.retain(|note| note.0 != signal || sender != ANYBODY && note.1 != sender);
        let answer = match notes.len() == before {
            true => NOT_SEEN,
            false => SEEN,
        };
        if send(line, &answer, SendFlags::NOSIGNAL).is_err() {
            break;
        }
    }
    exit(0)
}

/// Also in the list of processes with their arguments, which are kept on the stack.
fn rename_this_process() -> Option<()> {
    const ARGUMENTS_BEGIN: usize = 45;
    rustix::thread::set_name(c"witness").ok()?;
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of a program may hold anything. After it comes the third field.
    let (_, fields) = status.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(ARGUMENTS_BEGIN);
    let begin: u64 = fields.next()?.parse().ok()?;
    let end: u64 = fields.next()?.parse().ok()?;
    let mut arguments = vec![0; usize::try_from(end.checked_sub(begin)?).ok()?];
    let length = NAME.len().min(arguments.len().checked_sub(1)?);
    arguments[..length].copy_from_slice(&NAME.as_bytes()[..length]);
    let memory = OpenOptions::new().write(true).open("/proc/self/mem").ok()?;
    memory.write_all_at(&arguments, begin).ok()
}
