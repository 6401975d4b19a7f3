//! What a refusal leaves behind: a line on the standard error of the process that is refused, and one in the log.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use blastradius_policy::Policy;
use blastradius_policy::calls::{Deed, Refusal};
use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};
use rustix::fs::{FileType, OFlags};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use serde_json::{Map, json};

use super::caller::Caller;
use super::identity;
use super::name::Whereabouts;
use crate::message::{Decision, append, escape, escape_path};

/// Lines that one process is told; what comes after is counted.
const LINES_MAX: u32 = 5;

/// Every process that has been refused something, until it ends.
pub(super) struct Told {
    processes: Mutex<HashMap<u32, Process>>,
    /// Says when one of them has ended.
    ends: OwnedFd,
}

struct Process {
    refusals: u32,
    /// Becomes readable at its end.
    handle: OwnedFd,
    /// Held from the first refusal on that is not told: at its end the process has none any more.
    standard_error: Option<OwnedFd>,
}

impl Told {
    /// `ends` is told of every process that has been refused something, under its number.
    pub(super) fn new(ends: OwnedFd) -> Self {
        Self {
            processes: Mutex::new(HashMap::new()),
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
        let process = caller.numbers().map(|numbers| numbers.process);
        if let Some(process) = process {
            let line = line(deed, at, refusal);
            // Without a word the errno and the log remain.
            self.tell(caller, process, &line);
        }
        log(policy, caller, process, deed, at, refusal);
    }

    fn processes(&self) -> MutexGuard<'_, HashMap<u32, Process>> {
        self.processes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, caller: Caller<'_>, number: u32, line: &str) -> Option<()> {
        let mut processes = self.processes();
        let process = match processes.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(self.meet(number)?),
        };
        process.refusals = process.refusals.saturating_add(1);
        if process.refusals <= LINES_MAX {
            say(&standard_error(caller, &process.handle)?, line);
        } else if process.standard_error.is_none() {
            process.standard_error = standard_error(caller, &process.handle);
        }
        Some(())
    }

    /// A process that has not been refused anything before.
    fn meet(&self, number: u32) -> Option<Process> {
        let pid = Pid::from_raw(number.cast_signed())?;
        let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        let data = epoll::EventData::new_u64(number.into());
        epoll::add(&self.ends, &handle, data, epoll::EventFlags::IN).ok()?;
        Some(Process {
            refusals: 0,
            handle,
            standard_error: None,
        })
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
        epoll::delete(&self.ends, &process.handle).ok();
        let more = process.refusals.saturating_sub(LINES_MAX);
        if let (1.., Some(standard_error)) = (more, &process.standard_error) {
            let plural = if more == 1 { "" } else { "s" };
            let line = format!("blastradius: {more} further refusal{plural}\n");
            say(standard_error, &line);
        }
    }
}

/// Where a process says what went wrong; None if its descriptor 2 is a file of its own that happened to get the
/// number: data is opened with close-on-exec, or to be read as well.
fn standard_error(caller: Caller<'_>, process: &OwnedFd) -> Option<OwnedFd> {
    const STDERR: i32 = 2;
    let looks = identity::look(caller.thread());
    let flags = caller.flags(STDERR)?;
    let fd = pidfd_getfd(process, STDERR, PidfdGetfdFlags::empty()).ok()?;
    drop(looks);
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&fd).ok()?.st_mode);
    let writes_only = flags.intersection(OFlags::RWMODE) == OFlags::WRONLY;
    let is_standard_error = !flags.contains(OFlags::CLOEXEC)
        && (kind == FileType::CharacterDevice || writes_only && kind != FileType::Socket);
    is_standard_error.then_some(fd)
}

/// What a pipe that is ready takes in one piece.
const PIPE_BUF: usize = 4096;

/// One write, in one piece or not at all: it must not block.
fn say(standard_error: &OwnedFd, line: &str) {
    let line = cut(line);
    const AT_ONCE: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let mut wanted = [PollFd::from_borrowed_fd(
        standard_error.as_fd(),
        PollFlags::OUT,
    )];
    let ready =
        poll(&mut wanted, Some(&AT_ONCE)) == Ok(1) && wanted[0].revents().contains(PollFlags::OUT);
    if ready {
        // Nobody is told when standard error cannot be written.
        rustix::io::write(standard_error, line.as_bytes()).ok();
    }
}

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

fn log(
    policy: &Policy<'_>,
    caller: Caller<'_>,
    process: Option<u32>,
    deed: Deed,
    at: &Whereabouts,
    refusal: Refusal<'_>,
) {
    let Some(log) = policy.log() else {
        return;
    };
    let log = Path::new(OsStr::from_bytes(log.as_bytes()));
    // Programs that are refused something leave no directories behind.
    if !log.parent().is_some_and(Path::is_dir) {
        return;
    }
    let mut object = Map::new();
    let mut member = |name: &str, value| {
        object.insert(name.into(), value);
    };
    member("verdict", json!("refuse"));
    member("policy", json!(policy.id().to_string()));
    member("layer", json!("kernel"));
    member("pid", json!(process));
    let program = {
        let _looks = identity::look(caller.thread());
        caller.program()
    };
    if let Some(program) = program {
        member("program", json!(escape_path(&program)));
    }
    member("operation", json!(deed.act.name()));
    if let Some(path) = at.path() {
        member("path", json!(escape(path.as_bytes())));
    }
    member("rule", json!(refusal.rule.id()));
    if !refusal.by.is_empty() {
        member("decided_by", json!(escape(refusal.by)));
    }
    // The refusal stands without.
    append(log, Decision::of(object, "run")).ok();
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
