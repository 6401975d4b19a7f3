//! The log: one line of JSON a refusal, or a program that is not seen, with the field names of the command line's reports.

use blastradius_policy::{Canonical, Digits, Policy, Unseen};

use super::escape::{Style, append_escaped};
use super::{Deed, LOG_FLAGS};
use crate::decide::Refusal;
use crate::loan::Loan;
use crate::memory::PATH_MAX;
use crate::start::State;
use crate::sys::{self, CWD, Errno};
use crate::text::{Full, Text};

/// A line of the log.
pub(crate) type Line = Text<6144>;

/// Most that one path takes of a line.
const PATH_ROOM: usize = 4096;

/// Appends a line. The directory of the log may be missing, the disk may be full: the refusal stands without.
pub(super) fn append(
    state: &State,
    deed: Deed,
    path: Option<Canonical<'_>>,
    refusal: Refusal<'_>,
    process: u32,
) {
    let Some(log) = state.policy.as_ref().and_then(|policy| policy.log()) else {
        return;
    };
    let (Ok(mut file), Ok(mut line)) = (Loan::<Text<PATH_MAX>>::new(), Loan::<Line>::new()) else {
        return;
    };
    let ready = file
        .append(log.as_bytes())
        .and_then(|()| file.push(0))
        .and_then(|()| write(&mut line, state, deed, path, refusal, process));
    if ready.is_err() {
        return;
    }
    if append_line(&file, &line).is_err() {}
}

/// Appends a line that is complete.
pub(crate) fn append_line(file: &Text<PATH_MAX>, line: &Line) -> sys::Result<()> {
    let log = sys::openat(CWD, file.as_c_str().as_ptr(), LOG_FLAGS, 0o600)?;
    // Anything else in its place could block.
    if !sys::fstat(log.number())?.is_regular() {
        return Err(Errno(libc::EINVAL));
    }
    sys::without_signals(|| sys::write(log.number(), line.as_bytes())).map(drop)
}

/// How the entry of a program begins that is not seen.
pub(crate) const UNSEEN_START: &[u8] = b"{\"verdict\":\"unseen\"";

/// Writes the entry of a program that is not seen; `marks` is its session and its path.
pub(crate) fn write_unseen(
    line: &mut Line,
    policy: &Policy<'_>,
    marks: &[u8],
    unseen: Unseen,
) -> Result<(), Full> {
    line.append(UNSEEN_START)?;
    line.push(b',')?;
    origin(line, Some(policy), sys::getpid())?;
    line.push(b',')?;
    line.append(marks)?;
    program(line)?;
    member(line, b"operation", b"execute", 64)?;
    member(line, b"reason", unseen.id().as_bytes(), 64)?;
    line.append(b"}\n")
}

/// Under which policy, by which layer, when, and in which process.
fn origin(line: &mut Line, policy: Option<&Policy<'_>>, process: u32) -> Result<(), Full> {
    if let Some(policy) = policy {
        let (version, hash) = policy.id().digits();
        line.append(b"\"policy\":\"")?;
        line.append(version.as_bytes())?;
        line.push(b'+')?;
        line.append(hash.as_bytes())?;
        line.append(b"\",")?;
    }
    let (seconds, _) = sys::realtime().unwrap_or((0, 0));
    let seconds = u64::try_from(seconds).unwrap_or(0);
    line.append(b"\"layer\":\"libc\",\"time\":")?;
    line.append(Digits::decimal(seconds).as_bytes())?;
    line.append(b",\"pid\":")?;
    line.append(Digits::decimal(process.into()).as_bytes())
}

/// The program that this is.
fn program(line: &mut Line) -> Result<(), Full> {
    let Ok(mut program) = Loan::<Text<PATH_MAX>>::new() else {
        return Ok(());
    };
    let known = program.fill(sys::executable);
    match known {
        Ok(()) => member(line, b"program", program.as_bytes(), 1024),
        Err(_) => Ok(()),
    }
}

fn write(
    line: &mut Line,
    state: &State,
    deed: Deed,
    path: Option<Canonical<'_>>,
    refusal: Refusal<'_>,
    process: u32,
) -> Result<(), Full> {
    line.append(b"{\"verdict\":\"refuse\",")?;
    origin(line, state.policy.as_ref(), process)?;
    program(line)?;
    member(line, b"operation", deed.act.name().as_bytes(), 64)?;
    if let Some(path) = path {
        member(line, b"path", path.as_bytes(), PATH_ROOM)?;
    }
    member(line, b"rule", refusal.rule.id().as_bytes(), 64)?;
    if !refusal.by.is_empty() {
        member(line, b"decided_by", refusal.by, 512)?;
    }
    line.append(b"}\n")
}

/// Adds a member whose value takes at most `room` bytes.
pub(crate) fn member<const N: usize>(
    line: &mut Text<N>,
    name: &[u8],
    value: &[u8],
    room: usize,
) -> Result<(), Full> {
    line.append(b",\"")?;
    line.append(name)?;
    line.append(b"\":\"")?;
    let room = line.len() + room;
    append_escaped(line, value, Style::Json, room)?;
    line.push(b'"')
}
