//! What a refusal leaves behind: a line on the standard error of the process that is refused, and one in the log.

mod log;
mod standard_error;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use blastradius_policy::Policy;
use blastradius_policy::calls::{Deed, Refusal};
use rustix::event::epoll;
use rustix::process::{Pid, PidfdFlags, Resource, getrlimit, pidfd_open};

use super::caller::{Caller, Numbers};
use super::identity;
use super::name::Whereabouts;
use crate::message::escape;
use standard_error::StandardError;

/// Lines that one process is told; what comes after is counted.
const LINES_MAX: u32 = 5;

/// A process that has been refused nothing for so long is told what was counted, and forgotten.
const SILENCE: Duration = Duration::from_millis(500);

type Processes = HashMap<u32, Process>;

/// The processes that have been refused something just now.
pub(super) struct Told {
    processes: Mutex<Processes>,
    /// Whether there are any.
    is_holding: AtomicBool,
    /// As many as are remembered: each takes two descriptors.
    most: usize,
    /// Says when one of them has ended.
    ends: OwnedFd,
}

struct Process {
    lines: u32,
    /// Refusals that it was not told of.
    more: u32,
    /// When it was refused something last.
    last: Instant,
    /// Becomes readable at its end. None where a sandbox forbids to ask for it.
    handle: Option<OwnedFd>,
    /// Held from the first refusal on that is not told: at its end the process has none any more. Not for long, as
    /// whoever reads it waits until nobody has it any more.
    standard_error: Option<StandardError>,
}

impl Told {
    /// `ends` is told of every process that is remembered, under its number.
    pub(super) fn new(ends: OwnedFd) -> Self {
        const MOST: usize = 1024;
        let descriptors = getrlimit(Resource::Nofile).current;
        let quarter = descriptors.map(|limit| usize::try_from(limit / 4).unwrap_or(MOST));
        Self {
            processes: Mutex::new(HashMap::new()),
            is_holding: AtomicBool::new(false),
            most: quarter.unwrap_or(MOST).min(MOST),
            ends,
        }
    }

    /// Tells of a refusal.
    pub(super) fn refusal(
        &self,
        policy: &Policy<'_>,
        caller: Caller<'_>,
        deed: Deed,
        at: &Whereabouts,
        refusal: Refusal<'_>,
    ) {
        let numbers = caller.numbers();
        if let Some(numbers) = numbers {
            // Without a word the errno and the log remain.
            self.tell(caller, numbers, &line(deed, at, refusal));
        }
        let process = numbers.map(|numbers| numbers.process);
        log::log(policy, caller, process, deed, at, refusal);
    }

    fn processes(&self) -> MutexGuard<'_, Processes> {
        self.processes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing is written while others wait for the lock.
    fn tell(&self, caller: Caller<'_>, numbers: Numbers, line: &str) {
        let is_told = self.count(numbers.process);
        let standard_error = {
            let _looks = identity::look(caller.thread());
            StandardError::of(caller, numbers)
        };
        if is_told {
            if let Some(standard_error) = standard_error {
                standard_error.say(line);
            }
            return;
        }
        let former = match self.processes().get_mut(&numbers.process) {
            Some(process) => process.count(standard_error),
            None => None,
        };
        if let Some((former, more)) = former {
            former.say(&further(more));
        }
    }

    /// Counts a refusal. True: the process is told of it.
    fn count(&self, number: u32) -> bool {
        let mut processes = self.processes();
        let has_room = processes.len() < self.most;
        let process = match processes.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) if has_room => place.insert(self.meet(number)),
            Entry::Vacant(_) => return true,
        };
        self.is_holding.store(true, SeqCst);
        process.last = Instant::now();
        let is_told = process.lines < LINES_MAX;
        process.lines += u32::from(is_told);
        is_told
    }

    /// A process that has not been refused anything before.
    fn meet(&self, number: u32) -> Process {
        let handle = || {
            let pid = Pid::from_raw(number.cast_signed())?;
            let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            let data = epoll::EventData::new_u64(number.into());
            epoll::add(&self.ends, &handle, data, epoll::EventFlags::IN).ok()?;
            Some(handle)
        };
        Process {
            lines: 0,
            more: 0,
            last: Instant::now(),
            handle: handle(),
            standard_error: None,
        }
    }

    /// Whether any process is remembered, so that [`Self::let_go`] must be called soon.
    pub(super) fn is_holding(&self) -> bool {
        self.is_holding.load(SeqCst)
    }

    /// Forgets those that have been refused nothing for a while. It does not wait, for whatever.
    pub(super) fn let_go(&self) {
        if !self.is_holding() {
            return;
        }
        let mut processes = match self.processes.try_lock() {
            Ok(processes) => processes,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // The next time.
            Err(TryLockError::WouldBlock) => return,
        };
        let is_silent = |_: &u32, process: &mut Process| process.last.elapsed() >= SILENCE;
        let silent: Vec<Process> = processes
            .extract_if(is_silent)
            .map(|(_, process)| process)
            .collect();
        self.is_holding.store(!processes.is_empty(), SeqCst);
        drop(processes);
        for process in &silent {
            self.end_watch(process);
        }
        if silent.iter().any(|process| process.more > 0) {
            // A disk may keep it. Without a thread the log remains.
            thread::Builder::new()
                .spawn(move || silent.iter().for_each(Process::say_more))
                .ok();
        }
    }

    /// Of a process that is forgotten.
    fn end_watch(&self, process: &Process) {
        if let Some(handle) = &process.handle {
            epoll::delete(&self.ends, handle).ok();
        }
    }

    /// Nobody is left.
    pub(super) fn end_all(&self) {
        let known: Vec<u32> = self.processes().keys().copied().collect();
        for number in known {
            self.end(number);
        }
    }

    /// Says how many refusals a process was not told of.
    pub(super) fn end(&self, number: u32) {
        let Some(process) = self.processes().remove(&number) else {
            return;
        };
        self.end_watch(&process);
        process.say_more();
    }
}

impl Process {
    /// Counts a refusal that is not told; gives what it held until then and is to be told, where the process has
    /// another standard error now, or none.
    fn count(&mut self, standard_error: Option<StandardError>) -> Option<(StandardError, u32)> {
        let former = std::mem::replace(&mut self.standard_error, standard_error);
        let is_same = match (&former, &self.standard_error) {
            (Some(former), Some(now)) => former.is_same(now),
            (None, _) => true,
            (Some(_), None) => false,
        };
        let more = if is_same { self.more } else { 0 };
        let before = std::mem::replace(&mut self.more, more.saturating_add(1));
        former
            .filter(|_| !is_same)
            .map(|standard_error| (standard_error, before))
    }

    fn say_more(&self) {
        if let (1.., Some(standard_error)) = (self.more, &self.standard_error) {
            standard_error.say(&further(self.more));
        }
    }
}

fn further(more: u32) -> String {
    let plural = if more == 1 { "" } else { "s" };
    format!("blastradius: {more} further refusal{plural}\n")
}

fn line(deed: Deed, at: &Whereabouts, refusal: Refusal<'_>) -> String {
    let path = match at.path() {
        Some(path) => escape(path.as_bytes()),
        None => "a file whose path cannot be known".to_owned(),
    };
    let by = match refusal.decided_by() {
        Some(by) => format!(" ({})", escape(by)),
        None => String::new(),
    };
    let (deed, words, rule) = (deed.words(), refusal.words(), refusal.rule.id());
    format!("blastradius: refused {deed} {path}: {words}{by} [{rule}]\n")
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::event::epoll;

    use super::{LINES_MAX, SILENCE, Told};

    #[test]
    fn a_few_are_remembered_and_for_a_while() {
        let ends = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
        let mut told = Told::new(ends);
        assert!((1..=1024).contains(&told.most));
        told.most = 1;
        // Others wait for their turn to be remembered, and are told of each refusal.
        let (first, other) = (std::process::id(), 1);
        for count in 0..2 * LINES_MAX {
            assert_eq!(told.count(first), count < LINES_MAX);
            assert!(told.count(other));
        }
        told.let_go();
        assert!(told.is_holding() && told.processes().contains_key(&first));
        thread::sleep(SILENCE);
        told.let_go();
        assert!(!told.is_holding() && told.processes().is_empty());
        assert!(told.count(other) && told.count(first));
    }
}
