//! What a refusal leaves behind: a line on standard error and a line in the log. Neither may fail the call,
//! block it, or raise a signal.

mod escape;
mod log;

use core::ffi::c_int;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use blastradius_policy::calls::Refusal;
use blastradius_policy::{Canonical, Digits, Unseen};

use crate::loan::Loan;
use crate::start::{State, state};
use crate::sys;
use crate::text::{Full, Text};
use crate::weak;

use escape::{Style, append_escaped};

pub(crate) use blastradius_policy::calls::Deed;
pub(crate) use log::{Line as LogLine, UNSEEN_START, append_line, member, write_unseen};

/// Lines that one process prints; what comes after is counted.
const LINES_MAX: u32 = 5;

/// A pipe takes this much in one piece.
const LINE_MAX: usize = 4096;

/// Refusals so far, and the process that they were in: a child that was forked begins anew.
static REFUSALS: AtomicU32 = AtomicU32::new(0);
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Tells of a refusal.
pub(crate) fn refusal(deed: Deed, path: Option<Canonical<'_>>, refusal: Refusal<'_>) {
    let process = sys::getpid();
    if PROCESS.swap(process, Relaxed) != process {
        REFUSALS.store(0, Relaxed);
    }
    let state = state();
    match REFUSALS.fetch_add(1, Relaxed) {
        0..LINES_MAX => {
            // For want of memory the errno says it alone.
            if let Ok(mut text) = Loan::new() {
                line(&mut text, deed, path, refusal);
                print(state, &mut text);
            }
        }
        // Programs close standard error when they exit, and libraries come to their end after that. Not in a
        // child, where the lock of another thread may be held for ever.
        LINES_MAX if process == state.process => weak::at_exit(at_exit),
        _ => {}
    }
    log::append(state, deed, path, refusal, process);
}

/// Says that a program is about to be started in which nothing is seen.
pub(crate) fn unseen(path: Canonical<'_>, unseen: Unseen) {
    of_program(path, unseen.words(), ": what it does is not seen");
}

/// Says that a program is about to be started without the rights that it would have elsewhere.
pub(crate) fn without_rights(path: Canonical<'_>) {
    of_program(path, Unseen::WITHOUT_RIGHTS, "");
}

fn of_program(path: Canonical<'_>, words: &str, end: &str) {
    let Ok(mut text) = Loan::<Text<LINE_MAX>>::new() else {
        return;
    };
    let room = LINE_MAX - 128;
    let written = text
        .append(b"blastradius: ")
        .and_then(|()| append_escaped(&mut text, path.as_bytes(), Style::Terminal, room))
        .and_then(|()| text.push(b' '))
        .and_then(|()| text.append(words.as_bytes()))
        .and_then(|()| text.append(end.as_bytes()));
    if written.is_ok() {
        print(state(), &mut text);
    }
}

extern "C" fn at_exit() {
    last_words();
}

/// Says, once, how many refusals were not printed.
pub(crate) fn last_words() {
    if PROCESS.load(Relaxed) != sys::getpid() {
        return;
    }
    let more = REFUSALS.swap(0, Relaxed).saturating_sub(LINES_MAX);
    if more == 0 {
        return;
    }
    let mut text = Text::new();
    let plural: &[u8] = if more == 1 { b"" } else { b"s" };
    let written = text
        .append(b"blastradius: ")
        .and_then(|()| text.append(Digits::decimal(more.into()).as_bytes()))
        .and_then(|()| text.append(b" further refusal"))
        .and_then(|()| text.append(plural));
    // It fits.
    if written.is_ok() {
        print(state(), &mut text);
    }
}

fn line(text: &mut Text<LINE_MAX>, deed: Deed, path: Option<Canonical<'_>>, refusal: Refusal<'_>) {
    let mut tail = Text::<1024>::new();
    // A pattern that is too long is left out.
    if reason(&mut tail, refusal).is_err() {
        tail.truncate(0);
    }
    let id = refusal.rule.id();
    let room = LINE_MAX - tail.len() - id.len() - 8;
    let written = text
        .append(b"blastradius: refused ")
        .and_then(|()| text.append(deed.words().as_bytes()))
        .and_then(|()| text.push(b' '))
        .and_then(|()| match path {
            Some(path) => append_escaped(text, path.as_bytes(), Style::Terminal, room),
            None => text.append(b"a file whose path cannot be known"),
        })
        .and_then(|()| text.append(b": "))
        .and_then(|()| text.append(tail.as_bytes()))
        .and_then(|()| text.append(b" ["))
        .and_then(|()| text.append(id.as_bytes()))
        .and_then(|()| text.push(b']'));
    debug_assert!(written.is_ok());
}

/// The rule in words, with what decided.
fn reason(text: &mut Text<1024>, refusal: Refusal<'_>) -> Result<(), Full> {
    text.append(refusal.words().as_bytes())?;
    let Some(by) = refusal.decided_by() else {
        return Ok(());
    };
    text.append(b" (")?;
    let room = text.room() - 1;
    append_escaped(text, by, Style::Terminal, room + text.len())?;
    text.push(b')')
}

/// One write, in one piece or not at all.
fn print(state: &State, text: &mut Text<LINE_MAX>) {
    if text.push(b'\n').is_err() || !is_standard_error(state) {
        return;
    }
    sys::without_signals(|| {
        // Nobody is told when standard error cannot be written: the errno and the log remain.
        if sys::is_writable_now(2) && sys::write(2, text.as_bytes()).is_err() {}
    });
}

/// Whether descriptor 2 is where errors go, and not a file of the program's that happened to get the number.
fn is_standard_error(state: &State) -> bool {
    // Closed at the start: whatever has the number now was not meant for us.
    let (Some(at_start), Ok(now)) = (state.stderr, sys::fstat(2)) else {
        return false;
    };
    if now.identity() == at_start {
        return true;
    }
    let Ok((descriptor, file)) = sys::descriptor_flags(2) else {
        return false;
    };
    // Put there since: a shell does so, without close-on-exec; data is opened with it, or to be read as well.
    let writes_only = file & libc::O_ACCMODE == libc::O_WRONLY;
    let format = now.format();
    descriptor & libc::FD_CLOEXEC == 0
        && (format == libc::S_IFCHR || writes_only && format != libc::S_IFSOCK)
}

/// A descriptor that nobody has: the log is opened for each line.
const LOG_FLAGS: c_int = libc::O_WRONLY
    | libc::O_APPEND
    | libc::O_CREAT
    | libc::O_CLOEXEC
    | libc::O_NOFOLLOW
    | libc::O_NOCTTY
    | libc::O_NONBLOCK;
