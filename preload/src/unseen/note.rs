//! What is left behind about a program that is not seen. The log itself says whether it has been told of before:
//! processes of a session share nothing else.

use blastradius_policy::{Canonical, Digits, Policy, Unseen};

use crate::loan::Loan;
use crate::memory::PATH_MAX;
use crate::report::{self, LogLine};
use crate::start::state;
use crate::sys::{self, CWD, Descriptor, Errno};
use crate::text::{Full, Text};

/// As much of the log's end is searched. What was told of longer ago is told of again.
const SEARCHED: u64 = 64 * 1024;

/// What every entry of a session has, and what the one of a program has.
struct Marks {
    text: Loan<Text<PATH_MAX>>,
    session: usize,
}

impl Marks {
    fn of(policy: &Policy<'_>, path: Canonical<'_>) -> Result<Self, Full> {
        let (seconds, nanoseconds) = policy.session_start();
        let mut text = Loan::<Text<PATH_MAX>>::new().map_err(|_| Full)?;
        text.append(b"\"session\":\"")?;
        text.append(Digits::decimal(seconds.unsigned_abs()).as_bytes())?;
        text.push(b'.')?;
        text.append(Digits::decimal_of(9, nanoseconds.into()).as_bytes())?;
        text.push(b'"')?;
        let session = text.len();
        report::member(&mut text, b"path", path.as_bytes(), PATH_MAX / 2)?;
        Ok(Self { text, session })
    }

    fn session(&self) -> &[u8] {
        &self.text.as_bytes()[..self.session]
    }

    fn program(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// What the log holds already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Session,
    Program,
}

/// Tells of a program.
pub(super) fn take(path: Canonical<'_>, unseen: Unseen) {
    let Some(policy) = &state().policy else {
        return;
    };
    let Ok(marks) = Marks::of(policy, path) else {
        return;
    };
    let Ok(mut log) = Loan::<Text<PATH_MAX>>::new() else {
        return;
    };
    if let Some(name) = policy.log()
        && (log.append(name.as_bytes()).is_err() || log.push(0).is_err())
    {
        return;
    }
    let known = search(&log, &marks);
    if known == Known::Program {
        return;
    }
    let kept = log.len() > 0 && append(&log, policy, &marks, unseen).is_ok();
    // Where no log can be kept, no other process knows of it: then only the first one of the session speaks.
    let is_first = kept || state().begins_session;
    if known == Known::Nothing && is_first && !policy.is_launched() {
        report::unseen(path, unseen);
    }
}

/// Looks for both marks at the end of the log.
fn search(log: &Text<PATH_MAX>, marks: &Marks) -> Known {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let Ok(file) = sys::openat(CWD, log.as_c_str().as_ptr(), flags, 0) else {
        return Known::Nothing;
    };
    let Ok(status) = sys::fstat(file.number()) else {
        return Known::Nothing;
    };
    let Ok(mut lines) = Lines::new(file, status.size().saturating_sub(SEARCHED)) else {
        return Known::Nothing;
    };
    let mut known = Known::Nothing;
    while let Some(line) = lines.next() {
        if !line.starts_with(report::UNSEEN_START) || !contains(line, marks.session()) {
            continue;
        }
        if contains(line, marks.program()) {
            return Known::Program;
        }
        known = Known::Session;
    }
    known
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

/// The lines of a file, of which those that are too long for the log come in pieces.
struct Lines {
    file: Descriptor,
    offset: u64,
    block: Loan<Text<8192>>,
    /// Where the line begins that is next.
    start: usize,
}

impl Lines {
    fn new(file: Descriptor, offset: u64) -> sys::Result<Self> {
        Ok(Self {
            file,
            offset,
            block: Loan::new()?,
            start: 0,
        })
    }

    fn next(&mut self) -> Option<&[u8]> {
        loop {
            let rest = &self.block.as_bytes()[self.start..];
            if let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
                let start = self.start;
                self.start += length + 1;
                return Some(&self.block.as_bytes()[start..start + length]);
            }
            // The block is read again from the beginning of the line that it cuts.
            let kept = if self.start == 0 { 0 } else { rest.len() };
            self.offset -= kept as u64;
            let file = self.file.number();
            let offset = self.offset;
            self.block
                .fill(|room| sys::read_at(file, room, offset))
                .ok()?;
            self.start = 0;
            self.offset += self.block.len() as u64;
            if self.block.len() <= kept {
                return None;
            }
        }
    }
}

fn append(
    log: &Text<PATH_MAX>,
    policy: &Policy<'_>,
    marks: &Marks,
    unseen: Unseen,
) -> Result<(), Errno> {
    let mut line = Loan::<LogLine>::new()?;
    report::write_unseen(&mut line, policy, marks.program(), unseen)
        .map_err(|Full| Errno(libc::ENAMETOOLONG))?;
    match report::append_line(log, &line) {
        Err(Errno(libc::ENOENT)) => {
            make_directories(log);
            report::append_line(log, &line)
        }
        done => done,
    }
}

/// Makes the directory of the log, and up to two above it. What is wrong shows when the log is opened.
fn make_directories(log: &Text<PATH_MAX>) {
    let mut ends = [0; 3];
    let slashes = log
        .as_bytes()
        .iter()
        .enumerate()
        .rev()
        .filter(|&(_, &byte)| byte == b'/');
    for (end, (at, _)) in ends.iter_mut().zip(slashes) {
        *end = at;
    }
    for end in ends.into_iter().rev().filter(|&end| end > 0) {
        let Ok(mut directory) = Loan::<Text<PATH_MAX>>::new() else {
            return;
        };
        let whole = directory
            .append(&log.as_bytes()[..end])
            .and_then(|()| directory.push(0));
        if whole.is_ok() && sys::mkdirat(CWD, directory.as_c_str(), 0o700).is_err() {}
    }
}
