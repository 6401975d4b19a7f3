//! The process that `run` was started as, while the program runs under a supervisor.
//!
//! Three processes: this one, which the shell knows; its child, the supervisor, which never stops; and the
//! supervisor's child, which becomes the program. The program stays in the process group that it would be in
//! anyway, so that the terminal finds it there. This one holds nothing open, passes on what it is sent, stops when
//! the program stops, and ends as the program ends.

use std::convert::Infallible;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::{Command, exit};

use nix::libc::SIGCHLD;
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::sys::signalfd::{SfdFlags, SignalFd, siginfo};
use nix::unistd::{Pid, getpgid, getsid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, Rlimit, WaitOptions, waitpid};

use super::message::{Message, line};
use super::witness::Witness;
use super::{supervised, supervisor};
use crate::kernel;

/// Runs a command below a supervisor, and ends as it ends. `policy` is the text by which it judges.
///
/// # Errors
/// When the layer cannot be put on. Then nothing has run, and this process is as it was.
pub(super) fn run(
    command: &mut Command,
    policy: &[u8],
    session_number: u64,
    session: &supervisor::Session<'_, '_>,
) -> io::Result<Infallible> {
    let (ours, theirs) = line()?;
    let mask = SigSet::thread_get_mask()?;
    // Whatever may fail comes before the program is started: afterwards nobody may start it once more.
    let signals = SignalFd::with_flags(
        &SigSet::all(),
        SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK,
    )?;
    // From here on a signal waits until it is known whom it is for.
    SigSet::all().thread_block()?;
    // Of children that are ignored nobody is told how they end.
    let ignores_children = kernel::sys::by_default(SIGCHLD);
    let undo = || {
        if ignores_children {
            kernel::sys::ignore(SIGCHLD);
        }
        rustix::process::set_child_subreaper(None).ok();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&mask), None).ok();
    };
    // Should the supervisor die, the program becomes a child of this process.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .inspect_err(|_| undo())?;
    let supervisor = kernel::sys::fork(|| {
        let session = supervised::Session {
            wrapper: &theirs,
            policy,
            number: session_number,
            beginning: session.beginning,
            mask: &mask,
            ignores_children,
            first: session.first.as_deref(),
        };
        supervised::begin(command, &session);
    });
    let supervisor = supervisor.inspect_err(|_| undo())?;
    drop(theirs);
    let program = match Message::receive(&ours) {
        Some(Message::Started(program)) => Pid::from_raw(program),
        told => {
            wait_for(supervisor);
            undo();
            return Err(match told {
                Some(Message::Failed(errno)) => io::Error::from_raw_os_error(errno),
                Some(Message::Unfiltered(errno)) => kernel::unfiltered(errno),
                _ => io::Error::other("the supervisor has ended"),
            });
        }
    };
    // Whoever reads what the program writes must see it end when the program closes it.
    kernel::sys::let_go(&[ours.as_fd(), signals.as_fd()]);
    let mut wrapper = Wrapper {
        supervisor: Some(ours),
        signals,
        witness: None,
        is_new: true,
        keeper: supervisor,
        program,
        stops: 0,
    };
    loop {
        wrapper.step();
    }
}

/// As long as a program is new.
const SOON: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

struct Wrapper {
    /// None once it has died: then the program is a child of this process.
    supervisor: Option<OwnedFd>,
    signals: SignalFd,
    /// Without one, what a process sends to the whole group comes twice.
    witness: Option<Witness>,
    /// The program may end before anybody sends it anything: one more process would only make it slower.
    is_new: bool,
    /// The supervisor's process.
    keeper: Pid,
    program: Pid,
    /// How often it has been told that the program was stopped.
    stops: i32,
}

impl Wrapper {
    /// Waits for the next thing that happens, and does what it calls for.
    fn step(&mut self) {
        let mut wanted = vec![PollFd::new(&self.signals, PollFlags::IN)];
        wanted.extend(
            self.supervisor
                .as_ref()
                .map(|socket| PollFd::new(socket, PollFlags::IN)),
        );
        let timeout = self.is_new.then_some(&SOON);
        match poll(&mut wanted, timeout) {
            Ok(0) => {
                self.is_new = false;
                self.witness = Witness::begin().ok();
                return;
            }
            Ok(_) => {}
            Err(_) => return,
        }
        let told = wanted
            .get(1)
            .is_some_and(|socket| !socket.revents().is_empty());
        while let Ok(Some(signal)) = self.signals.read_signal() {
            self.pass_on(&signal);
        }
        if told && let Some(socket) = &self.supervisor {
            match Message::receive(socket) {
                Some(Message::Exited(status)) => {
                    self.outlast();
                    exit(status)
                }
                Some(Message::Killed(signal)) => {
                    self.outlast();
                    end_by(signal)
                }
                Some(Message::Stopped(signal)) => self.stop(signal),
                Some(_) => {}
                None => {
                    // Once it has ended, and not before, the program is a child of this process.
                    wait_for(self.keeper);
                    self.supervisor = None;
                }
            }
        }
        if self.supervisor.is_none() {
            self.look_after_program();
        }
    }

    fn pass_on(&self, signal: &siginfo) {
        match signal.ssi_signo.cast_signed() {
            SIGCHLD => {}
            // One is enough, and whoever sent it to the group has sent it to the program.
            nix::libc::SIGCONT => self.send(Message::Resumed(self.stops)),
            _ if self.has_reached_program(signal) => {}
            number => self.send(Message::Signal(number)),
        }
    }

    /// Whether what this process was sent was sent to the program, too, or is not meant for it.
    fn has_reached_program(&self, signal: &siginfo) -> bool {
        let is_of_terminal = signal.ssi_code == nix::libc::SI_KERNEL;
        // Nothing else can be sent to a group.
        if !is_of_terminal && signal.ssi_code != nix::libc::SI_USER {
            return false;
        }
        let seen = self
            .witness
            .as_ref()
            .and_then(|witness| witness.has_seen(signal.ssi_signo, signal.ssi_pid));
        // The first process at a terminal hears of its end alone: twice is better than never.
        let is_told_alone = signal.ssi_signo == nix::libc::SIGHUP.cast_unsigned();
        seen.unwrap_or(is_of_terminal && !is_told_alone) && !self.program_is_elsewhere()
    }

    /// Whether the program has made a group for itself, as a shell does: by itself it would lead the one that it was
    /// started in. Not where it has left the session: then it wants to hear of none.
    fn program_is_elsewhere(&self) -> bool {
        // The numbers are 0 where both began outside of this name space.
        let both = [None, Some(self.program)];
        let (groups, sessions) = (both.map(getpgid), both.map(getsid));
        groups[0] != groups[1] && sessions[0] == sessions[1]
    }

    fn send(&self, message: Message) {
        match (&self.supervisor, message) {
            (Some(socket), message) => message.send(socket),
            (None, Message::Signal(number)) => {
                kernel::sys::send_signal(self.program, number);
            }
            (None, _) => kernel::sys::send_signal(self.program, nix::libc::SIGCONT),
        }
    }

    /// Stops as the program has stopped, until whoever waits for this process lets it go on.
    fn stop(&mut self, signal: i32) {
        // What the terminal sent to both is the same signal, and stops this process once.
        self.stops += 1;
        if let Some(witness) = &self.witness {
            witness.forget(signal.cast_unsigned());
        }
        raise(signal);
        if self.program_is_stopped() {
            kernel::sys::deliver(signal);
            self.send(Message::Resumed(self.stops));
        } else {
            // Somebody has let it go on meanwhile.
            while let Ok(Some(other)) = self.signals.read_signal() {
                if other.ssi_signo != signal.cast_unsigned() {
                    self.pass_on(&other);
                }
            }
        }
    }

    /// Waits for the supervisor, if nothing is left that it must stay for: what the program has used of the machine is
    /// then counted as this process's.
    fn outlast(&self) {
        if let Some(socket) = &self.supervisor
            && Message::receive(socket) == Some(Message::Stays(0))
        {
            wait_for(self.keeper);
        }
    }

    fn program_is_stopped(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.program));
        // The name of a program may hold anything.
        status.is_ok_and(|text| {
            text.rsplit_once(')')
                .is_some_and(|(_, rest)| rest.starts_with(" T") || rest.starts_with(" t"))
        })
    }

    /// The supervisor is gone: what it guarded fails from now on, and this process alone knows of the program.
    fn look_after_program(&mut self) {
        let program = rustix::process::Pid::from_raw(self.program.as_raw());
        let options = WaitOptions::NOHANG | WaitOptions::UNTRACED;
        match waitpid(program, options) {
            Ok(Some((_, status))) => {
                if let Some(status) = status.exit_status() {
                    exit(status);
                } else if let Some(signal) = status.terminating_signal() {
                    end_by(signal);
                } else if let Some(signal) = status.stopping_signal() {
                    self.stop(signal);
                }
            }
            Ok(None) => {}
            // It has ended with the supervisor, and nobody knows how.
            Err(_) => exit(crate::exit::Exit::Failed.status().into()),
        }
    }
}

fn wait_for(child: Pid) {
    let child = rustix::process::Pid::from_raw(child.as_raw());
    waitpid(child, WaitOptions::empty()).ok();
}

/// Ends by the signal that ended the program, so that whoever waits sees the same. The program has left its core;
/// this process has none worth keeping.
fn end_by(signal: i32) -> ! {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(Resource::Core, none).ok();
    raise(signal);
    kernel::sys::deliver(signal);
    // As the first process of a container, it cannot be ended so.
    exit(128 + signal)
}

/// Has a signal that is blocked wait for this process, to do to it what it did to the program.
fn raise(signal: i32) {
    if !matches!(signal, nix::libc::SIGSTOP | nix::libc::SIGKILL) {
        kernel::sys::by_default(signal);
    }
    kernel::sys::send_signal(Pid::this(), signal);
}
