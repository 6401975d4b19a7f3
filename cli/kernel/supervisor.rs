//! The supervisor: threads that answer what the filter asks.
//!
//! While nobody answers, the caller waits; when the supervisor is gone, the kernel answers ENOSYS. Neither lets an
//! act through.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use blastradius_policy::Policy;
use blastradius_policy::calls::Guard;
use nix::libc;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::act::{Deputy, is_emptied_later};
use super::caller::Caller;
use super::identity;
use super::judge::{Answer, REFUSED, judge};
use super::report::Told;
use super::sys::{self, seccomp_notif, seccomp_notif_resp};
use super::turns::{Look, Turns};

/// More threads than these wait for a disk at once, or than there are descriptors for: what comes then waits for them.
const THREADS_MAX: usize = 1000;

/// What a call takes of those at most, and what all calls share.
const DESCRIPTORS_OF_CALL: u64 = 8;
const DESCRIPTORS_OF_ALL: u64 = 16;

/// How long one call may keep the others waiting.
const PATIENCE: Duration = Duration::from_millis(2);

/// After as many looks at nothing the watcher sleeps.
const IDLE_LOOKS_MAX: u32 = 50;

/// How often the watcher looks at calls before it looks at who has been told of refusals.
const LOOKS_AT_CALLS: u32 = 16;

fn threads_max() -> usize {
    // A quarter is for those who have been told of refusals.
    let limit = getrlimit(Resource::Nofile).current;
    let limit = limit.map_or(THREADS_MAX, |limit| {
        let left = (limit - limit / 4).saturating_sub(DESCRIPTORS_OF_ALL);
        usize::try_from(left / DESCRIPTORS_OF_CALL).unwrap_or(THREADS_MAX)
    });
    limit.clamp(2, THREADS_MAX)
}

/// What the threads share.
pub(crate) struct Supervisor {
    listener: OnceLock<OwnedFd>,
    policy: Policy<'static>,
    told: Told,
    deputy: Deputy,
    threads: AtomicUsize,
    threads_max: usize,
    turns: Turns,
    watcher: OnceLock<Thread>,
    has_begun: AtomicBool,
}

impl Supervisor {
    /// Starts a thread that will answer, for as long as this process lives. `ends` is an epoll instance: it tells of processes,
    /// under their number, of whose end [`Self::end`] is to be told.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn begin(
        policy: Policy<'static>,
        deputy: Deputy,
        ends: OwnedFd,
    ) -> io::Result<&'static Self> {
        let supervisor: &'static Self = Box::leak(Box::new(Self {
            listener: OnceLock::new(),
            policy,
            told: Told::new(ends),
            deputy,
            threads: AtomicUsize::new(0),
            threads_max: threads_max(),
            turns: Turns::new(),
            watcher: OnceLock::new(),
            has_begun: AtomicBool::new(false),
        }));
        let starter = thread::current();
        thread::Builder::new().spawn(move || {
            supervisor.has_begun.store(true, Release);
            starter.unpark();
            supervisor.work();
        })?;
        supervisor.threads.store(1, Relaxed);
        Ok(supervisor)
    }

    /// Whether somebody answers, which whoever began it may ask: for want of memory a thread may stick before its first
    /// word.
    pub(crate) fn answers(&self) -> bool {
        const LONGEST: Duration = Duration::from_secs(5);
        let until = Instant::now() + LONGEST;
        while !self.has_begun.load(Acquire) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::park_timeout(left);
        }
        true
    }

    /// Answers what comes from this listener.
    pub(crate) fn listen(&self, listener: OwnedFd) {
        sys::wake_in_place(listener.as_fd());
        self.listener.set(listener).ok();
        self.turns.open();
    }

    /// Hangs up when nothing is left below the filter.
    pub(crate) fn listener(&self) -> BorrowedFd<'_> {
        let listener = self.listener.get();
        listener
            .expect("nobody listens before there is a listener")
            .as_fd()
    }

    /// A process has ended.
    pub(crate) fn end(&self, process: u32) {
        self.told.end(process);
    }

    /// All have ended.
    pub(crate) fn end_all(&self) {
        self.told.end_all();
    }

    fn start_thread(&'static self) -> io::Result<()> {
        let started = thread::Builder::new().spawn(move || self.work());
        started.map(|_| _ = self.threads.fetch_add(1, Relaxed))
    }

    /// Without another thread, the turn is whose call ends first.
    fn start_another(&'static self) {
        if self.threads.load(Relaxed) < self.threads_max {
            self.start_thread().ok();
        }
    }

    fn work(&'static self) {
        self.turns.wait();
        loop {
            match sys::receive(self.listener()) {
                Ok(call) => {
                    let (answering, sleeps) = self.turns.begin();
                    if sleeps {
                        self.wake_watcher();
                    }
                    if self.has_calls() && self.turns.pass(&answering) == Look::GivenToNobody {
                        self.start_another();
                    }
                    self.answer(&call);
                    if !self.turns.end(answering) {
                        self.turns.wait();
                    }
                }
                Err(error) => match error.raw_os_error() {
                    Some(libc::EINTR) => {}
                    // Whoever called has been killed meanwhile; or nobody is left.
                    Some(libc::ENOENT) if !self.is_over() => {}
                    _ => return,
                },
            }
        }
    }

    /// Starts it, the first time: what never asks needs none.
    fn wake_watcher(&'static self) {
        if let Some(watcher) = self.watcher.get() {
            watcher.unpark();
            return;
        }
        match thread::Builder::new().spawn(move || self.watch()) {
            Ok(watcher) => {
                self.watcher.set(watcher.thread().clone()).ok();
            }
            // The next call tries again.
            Err(_) => self.turns.is_unwatched(),
        }
    }

    fn watch(&'static self) {
        let (mut seen, mut idle, mut looks) = (0, 0, 0_u32);
        loop {
            thread::sleep(PATIENCE);
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOKS_AT_CALLS) {
                self.told.let_go();
            }
            match self.turns.look(&mut seen) {
                Look::Nothing => idle += 1,
                Look::GivenToNobody => {
                    self.start_another();
                    idle = 0;
                }
                Look::Calls | Look::Given => idle = 0,
            }
            if idle > IDLE_LOOKS_MAX && !self.told.is_holding() && self.turns.may_sleep(seen) {
                while !self.turns.is_watched() && !self.told.is_holding() {
                    thread::park();
                }
                idle = 0;
            }
        }
    }

    /// Whether nothing is left below the filter.
    pub(crate) fn is_over(&self) -> bool {
        self.listener_is(PollFlags::HUP)
    }

    /// Whether further calls wait to be heard.
    fn has_calls(&self) -> bool {
        self.listener_is(PollFlags::IN)
    }

    fn listener_is(&self, ready: PollFlags) -> bool {
        const AT_ONCE: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let mut listener = [PollFd::from_borrowed_fd(self.listener(), ready)];
        poll(&mut listener, Some(&AT_ONCE)).is_ok() && listener[0].revents().contains(ready)
    }

    fn answer(&'static self, call: &seccomp_notif) {
        let listener = self.listener();
        let caller = Caller::new(call, listener);
        let guard = Guard(Some(&self.policy));
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let _looks = identity::look(call.pid);
            judge(guard, &self.deputy, caller, &call.data)
        }));
        let answer = match judged {
            Ok(Answer::Go) => Reply::Go,
            Ok(Answer::Done) => Reply::Done,
            Ok(Answer::Opened(file, flags)) => {
                let closes_on_exec = flags.contains(OFlags::CLOEXEC);
                match sys::give(listener, call.id, file.as_fd(), closes_on_exec) {
                    Ok(number) => Reply::opened(number, file, flags),
                    Err(error) => Reply::Fail(Errno::from_io_error(&error).unwrap_or(REFUSED)),
                }
            }
            Ok(Answer::Fail(errno)) => Reply::Fail(errno),
            Ok(Answer::Refuse { deed, at, refusal }) => {
                // Its number is its own as long as it waits.
                if caller.still_waits() {
                    let tell = || {
                        self.told.refusal(&self.policy, caller, deed, &at, refusal);
                    };
                    catch_unwind(AssertUnwindSafe(tell)).ok();
                    // The call may have been answered for so long that nobody watches any more.
                    if self.told.is_holding() && self.turns.watch() {
                        self.wake_watcher();
                    }
                }
                Reply::Fail(REFUSED)
            }
            Err(_) => Reply::Fail(REFUSED),
        };
        // Nobody waits any more: then nobody needs it.
        sys::send(listener, answer.to(call.id)).ok();
    }
}

enum Reply {
    Go,
    Done,
    /// The caller has the file under this number.
    Opened(i32),
    Fail(Errno),
}

impl Reply {
    /// The caller has a file that was opened for it. It is emptied now: without room for a descriptor the call would
    /// have failed. We hold it no longer when the caller goes on, since a file that is open cannot be run, nor locked.
    fn opened(number: i32, file: OwnedFd, flags: OFlags) -> Self {
        let emptied = match is_emptied_later(flags) {
            // Also where it is empty: it is dated anew.
            true => rustix::fs::ftruncate(&file, 0),
            false => Ok(()),
        };
        drop(file);
        match emptied {
            Ok(()) => Self::Opened(number),
            Err(errno) => Self::Fail(errno),
        }
    }

    fn to(&self, id: u64) -> seccomp_notif_resp {
        let mut reply = seccomp_notif_resp {
            id,
            val: 0,
            error: 0,
            flags: 0,
        };
        match self {
            Self::Go => reply.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
            Self::Done => {}
            Self::Opened(number) => reply.val = i64::from(*number),
            Self::Fail(errno) => reply.error = -errno.raw_os_error(),
        }
        reply
    }
}
