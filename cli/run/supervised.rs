//! The supervisor's process: it starts the program, answers what the filter asks, tells the wrapper how the program
//! fares, and takes care of orphans. It stays as long as anything is left below the filter.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, exit};

use blastradius_policy::Policy;
use nix::libc::{SIGCONT, SIGKILL};
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, getppid};
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Resource, Rlimit, WaitOptions, getrlimit, setrlimit, wait};

use super::clock::Beginning;
use super::message::{Message, line};
use crate::exit::Exit;
use crate::kernel::{self, Deputy, Supervisor, sys::send_signal};
use crate::message::{escape, say};

/// What the supervisor is given.
pub(super) struct Session<'s> {
    pub(super) wrapper: &'s OwnedFd,
    pub(super) policy: &'s [u8],
    pub(super) number: u64,
    pub(super) beginning: Beginning,
    /// The signals that were blocked when `run` was started.
    pub(super) mask: &'s SigSet,
    /// Whether what becomes of children was ignored.
    pub(super) ignores_children: bool,
    /// What is said before the program begins.
    pub(super) first: Option<&'s str>,
}

/// Becomes the supervisor.
pub(super) fn begin(command: &mut Command, session: &Session<'_>) {
    match set_up(command, session) {
        Ok(mut keeper) => loop {
            keeper.step();
        },
        Err(fault) => {
            // What was to become the program sees that nobody is there, and must be nobody's child.
            while wait(WaitOptions::empty()).is_ok() {}
            fault.to_message().send(session.wrapper);
            // A thread that sticks may hold what an orderly end waits for.
            send_signal(Pid::this(), SIGKILL);
        }
    }
}

/// Why there can be no supervisor.
enum Fault {
    /// The kernel does not take the filter.
    Unfiltered(i32),
    Other(io::Error),
}

impl Fault {
    fn to_message(&self) -> Message {
        match self {
            Self::Unfiltered(errno) => Message::Unfiltered(*errno),
            Self::Other(error) => Message::Failed(error.raw_os_error().unwrap_or(nix::libc::EIO)),
        }
    }
}

impl<E: Into<io::Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

fn set_up(command: &mut Command, session: &Session<'_>) -> Result<Keeper, Fault> {
    let wrapper = session.wrapper.try_clone()?;
    let parent = getppid();
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (ours, theirs) = line()?;
    let mut end_of_ours = Some(ours);
    let program = kernel::sys::fork(|| {
        // Should this process end, the other one must see it.
        end_of_ours = None;
        become_program(command, session, &theirs);
    })?;
    drop(theirs);
    let ours = end_of_ours.ok_or(io::ErrorKind::NotConnected)?;
    // Nothing of the terminal and of the shell's jobs reaches this process any more.
    rustix::process::setsid()?;
    have_descriptors();
    have_length();
    kernel::sys::let_go(&[session.wrapper.as_fd(), wrapper.as_fd(), ours.as_fd()]);
    let policy = Box::leak(session.policy.to_vec().into_boxed_slice());
    let policy = Policy::parse(policy).map_err(io::Error::other)?;
    let events = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let children = SignalFd::with_flags(
        &SigSet::from(nix::sys::signal::Signal::SIGCHLD),
        SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK,
    )?;
    let supervisor = Supervisor::begin(policy, Deputy::new(), events.try_clone()?)?;
    let watch = |fd: BorrowedFd<'_>, token, flags| {
        epoll::add(&events, fd, epoll::EventData::new_u64(token), flags)
    };
    watch(wrapper.as_fd(), WRAPPER, epoll::EventFlags::IN)?;
    watch(children.as_fd(), CHILDREN, epoll::EventFlags::IN)?;
    // All that needs no listener is done: meanwhile the kernel has read the filter.
    supervisor.listen(receive_listener(&ours)?);
    watch(supervisor.listener(), LISTENER, epoll::EventFlags::empty())?;
    // The program's process waits for a word of ours.
    kernel::look_into(program)?;
    try_descriptors(&events)?;
    if !supervisor.answers() {
        return Err(io::Error::from(Errno::NOMEM).into());
    }
    Message::Started(program.as_raw()).send(&wrapper);
    // The program goes on.
    Message::Begin.send(&ours);
    Ok(Keeper {
        wrapper: Some(wrapper),
        children,
        supervisor,
        events,
        program: Some(program),
        is_stopped: false,
        stops: 0,
        parent,
    })
}

/// In the process that becomes the program.
fn become_program(command: &mut Command, session: &Session<'_>, line: &OwnedFd) {
    let installed = kernel::install(session.number).map_err(|error| match error.raw_os_error() {
        Some(errno) => Fault::Unfiltered(errno),
        None => Fault::Other(error),
    });
    let told = installed.and_then(|listener| Ok(send_listener(line, &listener)?));
    match told {
        Ok(()) if Message::receive(line) == Some(Message::Begin) => {}
        Ok(()) => exit(Exit::Failed.status().into()),
        Err(fault) => {
            fault.to_message().send(line);
            exit(Exit::Failed.status().into())
        }
    }
    if let Some(words) = session.first {
        say(&format!("blastradius: {words}\n"));
    }
    if session.ignores_children {
        kernel::sys::ignore(nix::libc::SIGCHLD);
    }
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(session.mask), None).ok();
    session.beginning.pass();
    let error = command.exec();
    let name = escape(command.get_program().as_encoded_bytes());
    say(&format!("blastradius: {name}: {error}\n"));
    exit(Exit::NotExecutable.status().into())
}

/// Has room for more descriptors than the program was left, if it can: each call that is judged takes a few.
fn have_descriptors() {
    const PLENTY: u64 = 4096;
    let limit = getrlimit(Resource::Nofile);
    let plenty = limit.maximum.map(|maximum| maximum.max(PLENTY));
    for maximum in [plenty, limit.maximum] {
        let wanted = Rlimit {
            current: maximum,
            maximum,
        };
        // Only root may have more than it was left.
        if setrlimit(Resource::Nofile, wanted).is_ok() {
            break;
        }
    }
}

/// What files may grow to is the program's own limit, which it may raise as far as it was left.
fn have_length() {
    let mut limit = getrlimit(Resource::Fsize);
    limit.current = limit.maximum;
    // What cannot be had is done without.
    setrlimit(Resource::Fsize, limit).ok();
}

/// Whether there is room for what one call takes; without it everything would fail.
fn try_descriptors(any: &OwnedFd) -> io::Result<()> {
    const ONE_CALL: usize = 8;
    let room: io::Result<Vec<OwnedFd>> = (0..ONE_CALL).map(|_| any.try_clone()).collect();
    room.map(drop)
}

fn send_listener(line: &OwnedFd, listener: &OwnedFd) -> io::Result<()> {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let listener = [listener.as_fd()];
    control.push(SendAncillaryMessage::ScmRights(&listener));
    sendmsg(
        line,
        &[io::IoSlice::new(&[0])],
        &mut control,
        SendFlags::NOSIGNAL,
    )?;
    Ok(())
}

fn receive_listener(line: &OwnedFd) -> Result<OwnedFd, Fault> {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut bytes = [0; Message::LENGTH];
    recvmsg(
        line,
        &mut [io::IoSliceMut::new(&mut bytes)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let listener = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    listener.ok_or_else(|| match Message::from_bytes(bytes) {
        Some(Message::Unfiltered(errno)) => Fault::Unfiltered(errno),
        Some(Message::Failed(errno)) => io::Error::from_raw_os_error(errno).into(),
        _ => io::Error::other("the program's process has ended").into(),
    })
}

/// What an event is about. Other numbers are those of processes.
const WRAPPER: u64 = u64::MAX;
const CHILDREN: u64 = u64::MAX - 1;
const LISTENER: u64 = u64::MAX - 2;

struct Keeper {
    /// None once it has ended.
    wrapper: Option<OwnedFd>,
    children: SignalFd,
    supervisor: &'static Supervisor,
    events: OwnedFd,
    /// None once it has ended.
    program: Option<Pid>,
    is_stopped: bool,
    /// How often it was.
    stops: i32,
    /// The wrapper.
    parent: Pid,
}

impl Keeper {
    fn step(&mut self) {
        let mut happened = Vec::with_capacity(16);
        if epoll::wait(&self.events, spare_capacity(&mut happened), None).is_err() {
            return;
        }
        let mut is_over = false;
        for event in happened {
            match event.data.u64() {
                WRAPPER => self.listen(),
                CHILDREN => {
                    while let Ok(Some(_)) = self.children.read_signal() {}
                    self.look_after_children();
                }
                LISTENER => is_over = true,
                process => self.supervisor.end(process as u32),
            }
        }
        if is_over {
            // Nothing is below the filter any more: what is left are children that have ended.
            while self.program.is_some() && self.wait_for_child(WaitOptions::empty()) {}
            self.supervisor.end_all();
            exit(0)
        }
    }

    fn listen(&mut self) {
        let Some(wrapper) = &self.wrapper else {
            return;
        };
        let message = Message::receive(wrapper);
        if message.is_none() {
            epoll::delete(&self.events, wrapper).ok();
            self.wrapper = None;
        }
        // Whoever let the wrapper go on may have done the same to the program.
        self.look_after_children();
        let Some(program) = self.program else {
            return;
        };
        match message {
            Some(Message::Signal(number)) => send_signal(program, number),
            // It was let go on alone. Where it was not, the program goes on as well, or has stopped once more.
            Some(Message::Resumed(stops)) if self.is_stopped && stops == self.stops => {
                self.is_stopped = false;
                send_signal(program, SIGCONT);
            }
            Some(_) => {}
            // Whoever ends the wrapper by force means the program.
            None => send_signal(program, SIGKILL),
        }
    }

    fn look_after_children(&mut self) {
        let options = WaitOptions::UNTRACED | WaitOptions::CONTINUED | WaitOptions::NOHANG;
        while self.wait_for_child(options) {}
    }

    /// Takes note of one child whose state has changed; false if there was none.
    fn wait_for_child(&mut self, options: WaitOptions) -> bool {
        let Ok(Some((child, status))) = wait(options) else {
            return false;
        };
        if self.program.map(Pid::as_raw) != Some(child.as_raw_nonzero().get()) {
            return true;
        }
        let message = if let Some(code) = status.exit_status() {
            self.program = None;
            Message::Exited(code)
        } else if let Some(signal) = status.terminating_signal() {
            self.program = None;
            Message::Killed(signal)
        } else if let Some(signal) = status.stopping_signal() {
            self.is_stopped = true;
            self.stops += 1;
            Message::Stopped(signal)
        } else {
            // The wrapper has stopped with it, and hears of nothing else.
            if self.is_stopped && self.wrapper.is_some() {
                send_signal(self.parent, SIGCONT);
            }
            self.is_stopped = false;
            return true;
        };
        if let Some(wrapper) = &self.wrapper {
            message.send(wrapper);
            if self.program.is_none() {
                let is_over = self.supervisor.is_over();
                Message::Stays(i32::from(!is_over)).send(wrapper);
            }
        }
        true
    }
}
