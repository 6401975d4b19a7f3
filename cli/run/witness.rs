//! A process in the wrapper's group that does nothing but note what the group is sent.
//!
//! A signal does not tell whether it was sent to one process or to all of a group. What the witness was sent as well
//! was sent to the group, and so to the program, which must not be told a second time: a program that is asked to end
//! twice may end at once, and leave undone what it would have done the first time.

use std::cell::Cell;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::process::exit;

use nix::libc::SIGCONT;
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

/// A signal, and the process that it is from.
type Note = (u32, u32);

/// What the wrapper asks, and what it is told. An answer may come when nobody waits for it any more: it bears the
/// number of its question.
#[derive(Clone, Copy)]
struct Question {
    number: u32,
    note: Note,
}

impl Question {
    const LENGTH: usize = 12;

    fn to_bytes(self) -> [u8; Self::LENGTH] {
        let mut bytes = [0; Self::LENGTH];
        let words = [self.number, self.note.0, self.note.1];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    fn from_bytes([a, b, c, d, e, f, g, h, i, j, k, l]: [u8; Self::LENGTH]) -> Self {
        let [number, signal, sender] =
            [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_ne_bytes);
        Self {
            number,
            note: (signal, sender),
        }
    }
}

#[derive(Clone, Copy)]
struct Answer {
    number: u32,
    seen: bool,
}

impl Answer {
    const LENGTH: usize = 5;

    fn to_bytes(self) -> [u8; Self::LENGTH] {
        let [a, b, c, d] = self.number.to_ne_bytes();
        [a, b, c, d, u8::from(self.seen)]
    }

    fn from_bytes([a, b, c, d, seen]: [u8; Self::LENGTH]) -> Self {
        Self {
            number: u32::from_ne_bytes([a, b, c, d]),
            seen: seen != 0,
        }
    }
}

/// Stands for every sender.
const ANYBODY: u32 = u32::MAX;

pub(super) struct Witness {
    line: OwnedFd,
    process: Pid,
    /// How much it has been asked.
    questions: Cell<u32>,
}

impl Witness {
    /// Begins to take notes. All signals are blocked.
    ///
    /// # Errors
    /// When there is no room for one more process.
    pub(super) fn begin() -> io::Result<Self> {
        let (ours, theirs) = line()?;
        let process = sys::fork(|| testify(&theirs))?;
        Ok(Self {
            line: ours,
            process,
            questions: Cell::new(0),
        })
    }

    /// Whether the group was sent this signal by this process, too; None where nobody can tell.
    pub(super) fn has_seen(&self, signal: u32, sender: u32) -> Option<bool> {
        // Signals to a group are sent under a lock, which this takes as well, before it finds that there is no such
        // group: it waits until all have theirs.
        const NO_GROUP: Pid = Pid::from_raw(i32::MAX);
        setpgid(Pid::from_raw(0), NO_GROUP).ok();
        let number = self.questions.get().wrapping_add(1);
        self.questions.set(number);
        let question = Question {
            number,
            note: (signal, sender),
        };
        // The line fills up where it does not read.
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        send(&self.line, &question.to_bytes(), flags).ok()?;
        self.answer_to(number).or_else(|| {
            // Somebody has stopped it: with the whole group, maybe, of which the wrapper alone was let go on. Not
            // sooner, because what goes on forgets that it was to stop.
            sys::send_signal(self.process, SIGCONT);
            self.answer_to(number)
        })
    }

    /// None where it does not come in time.
    fn answer_to(&self, number: u32) -> Option<bool> {
        const LONGEST: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 500_000_000,
        };
        loop {
            let mut wanted = [PollFd::new(&self.line, PollFlags::IN)];
            poll(&mut wanted, Some(&LONGEST))
                .ok()
                .filter(|&ready| ready > 0)?;
            let mut bytes = [0; Answer::LENGTH];
            let (length, _) = recv(&self.line, &mut bytes, RecvFlags::DONTWAIT).ok()?;
            if length != Answer::LENGTH {
                return None;
            }
            let answer = Answer::from_bytes(bytes);
            // Others are late.
            if answer.number == number {
                return Some(answer.seen);
            }
        }
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
    let mut question = [0; Question::LENGTH];
    while let Ok((Question::LENGTH, _)) = recv(line, &mut question, RecvFlags::empty()) {
        while let Ok(Some(signal)) = signals.read_signal() {
            let note = (signal.ssi_signo, signal.ssi_pid);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let Question {
            number,
            note: (signal, sender),
        } = Question::from_bytes(question);
        let before = notes.len();
        notes.retain(|note| note.0 != signal || sender != ANYBODY && note.1 != sender);
        let seen = notes.len() < before;
        let answer = Answer { number, seen };
        if send(line, &answer.to_bytes(), SendFlags::NOSIGNAL).is_err() {
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use nix::unistd::Pid;
    use rustix::net::{RecvFlags, SendFlags, recv, send};

    use super::{Answer, Question, Witness};
    use crate::run::message::line;

    #[test]
    fn an_answer_that_comes_late_is_no_answer_to_what_is_asked_next() {
        let (ours, theirs) = line().unwrap();
        let witness = Witness {
            line: ours,
            process: Pid::this(),
            questions: Cell::new(1),
        };
        let tell = |number, seen| {
            let answer = Answer { number, seen };
            send(&theirs, &answer.to_bytes(), SendFlags::NOSIGNAL).unwrap();
        };
        tell(1, true);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut question = [0; Question::LENGTH];
                recv(&theirs, &mut question, RecvFlags::empty()).unwrap();
                let question = Question::from_bytes(question);
                assert_eq!((question.number, question.note), (2, (15, 7)));
                tell(question.number, false);
            });
            assert_eq!(witness.has_seen(15, 7), Some(false));
        });
        // Nobody answers.
        assert_eq!(witness.has_seen(15, 7), None);
        tell(3, true);
        tell(4, false);
        assert_eq!(witness.has_seen(15, 7), Some(false));
    }
}
