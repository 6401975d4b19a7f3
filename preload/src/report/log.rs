//! The log: one line of JSON a refusal, with the field names of the command line's reports.

use blastradius_policy::{Canonical, Digits};

use super::escape::{Style, append_escaped};
use super::{Deed, LOG_FLAGS};
use crate::decide::Refusal;
use crate::memory::PATH_MAX;
use crate::start::State;
use crate::sys::{self, CWD};
use crate::text::{Full, Text};

type Line = Text<6144>;

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
    let mut file = Text::<PATH_MAX>::new();
    let mut line = Line::new();
    let ready = file
        .append(log.as_bytes())
        .and_then(|()| file.push(0))
        .and_then(|()| write(&mut line, state, deed, path, refusal, process));
    if ready.is_err() {
        return;
    }
    let Ok(log) = sys::openat(CWD, file.as_c_str().as_ptr(), LOG_FLAGS, 0o600) else {
        return;
    };
    // Anything else in its place could block.
    if sys::fstat(log.number()).is_ok_and(|status| status.is_regular())
        && sys::without_signals(|| sys::write(log.number(), line.as_bytes())).is_err()
    {}
}

fn write(
    line: &mut Line,
    state: &State,
    deed: Deed,
    path: Option<Canonical<'_>>,
    refusal: Refusal<'_>,
    process: u32,
) -> Result<(), Full> {
    let (seconds, _) = sys::realtime().unwrap_or((0, 0));
    line.append(b"{\"verdict\":\"refuse\"")?;
    if let Some(policy) = &state.policy {
        let (version, hash) = policy.id().digits();
        line.append(b",\"policy\":\"")?;
        line.append(version.as_bytes())?;
        line.push(b'+')?;
        line.append(hash.as_bytes())?;
        line.push(b'"')?;
    }
    line.append(b",\"layer\":\"libc\",\"time\":")?;
    let seconds = u64::try_from(seconds).unwrap_or(0);
    line.append(Digits::decimal(seconds).as_bytes())?;
    line.append(b",\"pid\":")?;
    line.append(Digits::decimal(process.into()).as_bytes())?;
    let mut program = Text::<PATH_MAX>::new();
    if program.fill(sys::executable).is_ok() {
        string(line, b"program", program.as_bytes(), 1024)?;
    }
    string(line, b"operation", deed.act.name().as_bytes(), 64)?;
    if let Some(path) = path {
        string(line, b"path", path.as_bytes(), PATH_ROOM)?;
    }
    string(line, b"rule", refusal.rule.id().as_bytes(), 64)?;
    if !refusal.by.is_empty() {
        string(line, b"decided_by", refusal.by, 512)?;
    }
    line.append(b"}\n")
}

/// Adds a member whose value takes at most `room` bytes.
fn string(line: &mut Line, name: &[u8], value: &[u8], room: usize) -> Result<(), Full> {
    line.append(b",\"")?;
    line.append(name)?;
    line.append(b"\":\"")?;
    let room = line.len() + room;
    append_escaped(line, value, Style::Json, room)?;
    line.push(b'"')
}
