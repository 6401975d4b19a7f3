//! What a command would destroy, judged.

mod strict;
#[cfg(test)]
mod tests;

use std::path::Path;

use blastradius_policy::{Canonical, Fs, Policy};

use crate::case::{Background, FileCall, FileDeed};
use crate::disk::Remembered;
use crate::git::Git;
use crate::interp::{Interpreter, Place};
use crate::report::Report;
use crate::shell::{ast::Dialect, read, tail::holds_destructive_word};
use crate::verdict::Court;

/// Under which circumstances a command is judged.
pub struct Session<'a> {
    /// The policy in force.
    pub policy: &'a Policy<'a>,
    /// The variables that the command would see.
    pub environment: &'a [(Vec<u8>, Vec<u8>)],
    /// The working directory; `None` if it is unknown or was removed.
    pub cwd: Option<&'a Path>,
    /// Which shell would read a string.
    pub dialect: Dialect,
    /// Refuse every construct that the seed refused.
    pub strict: bool,
    /// Lower layers are at work beneath: what cannot be resolved is left to them.
    pub lower_layers: bool,
    /// Keep every step for `explain`, those that lead to what is allowed too.
    pub explain: bool,
}

/// Longest string that is read.
const LONGEST: usize = 1 << 20;

/// Judges a shell string. `positional` are its `$0`, `$1` and on.
#[must_use]
pub fn string(session: &Session<'_>, source: &[u8], positional: &[Vec<u8>]) -> Report {
    let fs = Remembered::default();
    on_disk(session, Background::none(), &fs, |place| {
        string_on(place, source, positional)
    })
}

/// As [`string`], with what is known beside it.
#[must_use]
pub fn string_after(session: &Session<'_>, background: &Background, source: &[u8]) -> Report {
    on_disk(session, background, &Remembered::default(), |place| {
        string_on(place, source, &[])
    })
}

/// As [`string`], on a disk of the caller's.
#[must_use]
pub fn string_against(session: &Session<'_>, fs: &dyn Fs, source: &[u8]) -> Report {
    on_disk(session, Background::none(), fs, |place| {
        string_on(place, source, &[])
    })
}

/// Judges literal words.
#[must_use]
pub fn argv_after(session: &Session<'_>, background: &Background, argv: &[Vec<u8>]) -> Report {
    on_disk(session, background, &Remembered::default(), |place| {
        argv_on(place, argv)
    })
}

/// Judges a call of a tool that reads or changes a file.
#[must_use]
pub fn file(session: &Session<'_>, background: &Background, call: &FileCall) -> Report {
    if call.deed == FileDeed::Remove {
        let words = ["rm", "-rf", "--", &call.path].map(|word| word.as_bytes().to_vec());
        return argv_after(session, background, &words);
    }
    on_disk(session, background, &Remembered::default(), |place| {
        let mut court = Court::new(place);
        court.file_call(call);
        court.into_report()
    })
}

fn on_disk(
    session: &Session<'_>,
    background: &Background,
    fs: &dyn Fs,
    judge: impl FnOnce(&Place<'_>) -> Report,
) -> Report {
    let home = session.policy.homes().next();
    let path = (session.environment.iter()).find(|(name, _)| name == b"PATH");
    judge(&Place {
        session,
        fs,
        home: home.map(Canonical::as_bytes),
        git: &Git::on(path.map(|(_, path)| path.as_slice())),
        background,
    })
}

fn string_on(place: &Place<'_>, source: &[u8], positional: &[Vec<u8>]) -> Report {
    let mut interpreter = Interpreter::new(place);
    if source.len() > LONGEST {
        if holds_destructive_word(source) {
            interpreter
                .court
                .unreadable(source, "too-long", "the command is longer than 1 MiB");
        }
    } else if let Some(what) = refused_by_strict(place.session, source) {
        let message = "strict judging takes one plain command and nothing else";
        interpreter.court.unreadable(source, what, message);
    } else {
        let state = interpreter.start(positional);
        interpreter.string(source, state);
    }
    interpreter.court.into_report()
}

fn refused_by_strict(session: &Session<'_>, source: &[u8]) -> Option<&'static str> {
    if !session.strict {
        return None;
    }
    strict::compound(&read(source, session.dialect), source)
}

fn argv_on(place: &Place<'_>, argv: &[Vec<u8>]) -> Report {
    let mut interpreter = Interpreter::new(place);
    let state = interpreter.start(&[]);
    interpreter.argv(argv, state);
    interpreter.court.into_report()
}
