//! The command that is judged: words, or a string for a shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::args;
use crate::environment::{Environment, into_bytes};
use crate::guards::{Background, Settings};
use crate::judge::{self, Session};
use crate::message::{Failure, quote_words};
use crate::report::Report;
use crate::stack;

/// A command as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A string for a shell.
    String(Vec<u8>),
    /// A program and its arguments, at least one word.
    Words(Vec<Vec<u8>>),
}

impl Subject {
    /// Takes it from the command line; `None` if there is nothing to judge.
    #[must_use]
    pub fn take(arguments: args::Subject) -> Option<Self> {
        match arguments.string {
            Some(string) => Some(Self::String(string.into_vec())),
            None if arguments.words.is_empty() => None,
            None => Some(Self::Words(into_bytes(arguments.words))),
        }
    }

    /// As it would be typed.
    #[must_use]
    pub fn typed(&self) -> Vec<u8> {
        match self {
            Self::String(string) => string.clone(),
            Self::Words(words) => quote_words(words),
        }
    }

    /// Judges it, and says how long that took.
    ///
    /// # Errors
    /// When judging itself fails: then there is no verdict, and nothing may run.
    pub fn judge(
        &self,
        session: &Session<'_>,
        environment: &Environment,
    ) -> Result<(Report, Duration), Failure> {
        let background = Background {
            settings: Settings::find(environment, session.policy),
            ..Background::default()
        };
        let judge = || {
            let began = Instant::now();
            let report = match self {
                Self::String(string) => judge::string_after(session, &background, string),
                Self::Words(words) => judge_words(session, &background, environment, words),
            };
            (report, began.elapsed())
        };
        stack::with_room(judge)
    }
}

fn judge_words(
    session: &Session<'_>,
    background: &Background,
    environment: &Environment,
    words: &[Vec<u8>],
) -> Report {
    let report = judge::argv_after(session, background, words);
    if report.is_refused() || find(environment, &words[0]) != Program::Missing {
        return report;
    }
    // No such program: most likely a string for a shell in the place of words. It will not run, but what it was
    // meant to do is worth refusing by name.
    let meant = judge::string_after(session, background, &words.join(&b' '));
    if meant.is_refused() { meant } else { report }
}

/// What a program's name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A file that can be executed.
    Executable(PathBuf),
    /// A file that cannot.
    NotExecutable(PathBuf),
    /// Nothing.
    Missing,
}

/// Looks a program up as `execvp` does.
#[must_use]
pub fn find(environment: &Environment, name: &[u8]) -> Program {
    let name = OsStr::from_bytes(name);
    if name.is_empty() {
        return Program::Missing;
    }
    if name.as_bytes().contains(&b'/') {
        return look(Path::new(name));
    }
    let path = environment
        .get("PATH")
        .map_or_else(|| OsString::from("/bin:/usr/bin"), OsStr::to_owned);
    let mut found = Program::Missing;
    for folder in std::env::split_paths(&path) {
        match look(&folder.join(name)) {
            Program::Missing => {}
            program @ Program::Executable(_) => return program,
            program @ Program::NotExecutable(_) => found = program,
        }
    }
    found
}

fn look(path: &Path) -> Program {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && found.permissions().mode() & 0o111 != 0 => {
            Program::Executable(path.to_owned())
        }
        Ok(_) => Program::NotExecutable(path.to_owned()),
        Err(_) => Program::Missing,
    }
}
