//! Guards: what goes wrong by other means than deletion, judged beside it.
//!
//! One guard is one file of this folder, or a folder with a `mod.rs`: `build.rs` puts every one of them into
//! [`GUARDS`]. A guard can only refuse. Where it cannot tell, or where it fails, it has no opinion.

use std::panic::{AssertUnwindSafe, catch_unwind};

use blastradius_policy::Rule;

pub use crate::case::{Background, Setting, Settings};
use crate::case::{By, Case, Subject};
use crate::git::Silence;
use crate::report::Near;

include!(concat!(env!("OUT_DIR"), "/guards.rs"));

pub(crate) use uncommitted::{Saved, Trees};

/// One guard.
pub struct Guard {
    /// Its stable id, which its refusals carry.
    pub id: &'static str,
    /// The rule in one line.
    pub title: &'static str,
    /// The last time this happened, what broke was ...
    pub prevents: &'static str,
    /// The tools whose calls it looks at.
    pub tools: &'static [Tool],
    /// How it knows.
    pub check: Check,
    /// Calls that it refuses.
    pub refused: &'static [Example],
    /// Near misses, which pass.
    pub allowed: &'static [Example],
}

/// How a guard knows.
pub enum Check {
    /// It looks at a call.
    Looks(Look),
    /// Rules of deletion do its work, under their own ids: it cannot be turned off.
    Rules(&'static [Rule]),
}

/// A look at one call.
pub struct Look(pub(crate) fn(&Case<'_>) -> Result<Opinion, Silence>);

/// A tool of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Commands for a shell.
    Shell,
    /// Commands in scripts, too, that the session has not written.
    Script,
    /// Whole files that are written.
    Write,
    /// Parts of files that are replaced.
    Edit,
    /// Files that are read.
    Read,
}

/// A call of a tool, or several of one session, in a repository that is made for it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Shell commands that change a clean repository before the call: on `main`, with `a.txt`, `src/b.txt` and
    /// `.gitignore` committed and a branch `side` beside it; `.env`, `data/`, `local.*`, `*.o`, `target/`,
    /// `node_modules/` and `__pycache__/` are ignored.
    pub given: &'static str,
    /// Calls that come before it in the same session, and happen unless they are refused.
    pub before: &'static [Call],
    /// The call that is judged.
    pub call: Call,
    /// Words of the refusal.
    pub says: &'static str,
}

/// A call of a tool; paths are relative to the repository.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// Commands for a shell.
    Shell(&'static str),
    /// A file, and all that it is to hold.
    Write(&'static str, &'static str),
    /// A file, what is taken out of it, and what comes in its place.
    Edit(&'static str, &'static str, &'static str),
    /// A file.
    Read(&'static str),
}

impl Example {
    /// A call in the repository as it is.
    #[must_use]
    pub const fn of(call: Call) -> Self {
        Self {
            given: "",
            before: &[],
            call,
            says: "",
        }
    }

    /// A shell command in the repository as it is.
    #[must_use]
    pub const fn shell(command: &'static str) -> Self {
        Self::of(Call::Shell(command))
    }

    /// After these commands.
    #[must_use]
    pub const fn given(self, given: &'static str) -> Self {
        Self { given, ..self }
    }

    /// After these calls of the same session.
    #[must_use]
    pub const fn after(self, before: &'static [Call]) -> Self {
        Self { before, ..self }
    }

    /// The refusal says this.
    #[must_use]
    pub const fn saying(self, says: &'static str) -> Self {
        Self { says, ..self }
    }
}

/// What a guard thinks of a call.
#[derive(Debug)]
pub(crate) enum Opinion {
    /// It is none of its business.
    Silent,
    /// What it is about is there, and passes for this reason.
    Passes(String),
    /// The call must not happen.
    Refuses(Finding),
}

impl Opinion {
    pub(crate) fn passes(why: impl Into<String>) -> Result<Self, Silence> {
        Ok(Self::Passes(why.into()))
    }
}

/// What a guard refuses.
#[derive(Debug)]
pub(crate) struct Finding {
    /// What happens, in one word.
    pub(crate) operation: &'static str,
    /// What it is about: a canonical path, or the name of a branch, a program, a host.
    pub(crate) about: Vec<u8>,
    /// Lower-case fragments, one a line.
    pub(crate) reasons: Vec<String>,
    /// What to do instead. Commands stand between backticks, and pass themselves.
    pub(crate) instead: String,
}

/// What the guards found.
#[derive(Default)]
pub(crate) struct Looked {
    pub(crate) findings: Vec<(&'static Guard, Finding)>,
    pub(crate) near: Vec<Near>,
    /// Guards that could not tell, and why.
    pub(crate) remarks: Vec<String>,
    /// Guards that failed.
    pub(crate) failures: Vec<String>,
}

/// Asks every guard that looks at such calls.
pub(crate) fn look(case: &Case<'_>, only: &dyn Fn(&Guard) -> bool) -> Looked {
    let tool = match &case.subject {
        Subject::Command(_) | Subject::Script(_) => Tool::Shell,
        Subject::Reading(_) => Tool::Read,
        Subject::Change(change) => match change.by {
            By::Write => Tool::Write,
            By::Edit => Tool::Edit,
            By::Program(_) => Tool::Shell,
        },
    };
    let mut looked = Looked::default();
    for guard in GUARDS {
        let Check::Looks(Look(check)) = guard.check else {
            continue;
        };
        if !guard.tools.contains(&tool) || !only(guard) || !case.background.settings.is_on(guard.id)
        {
            continue;
        }
        // What fails must not take the agent's whole work with it.
        match catch_unwind(AssertUnwindSafe(|| check(case))) {
            Ok(Ok(Opinion::Silent) | Err(Silence::Failed)) => {}
            Ok(Ok(Opinion::Passes(reason))) => looked.near.push(Near::of(guard.id, reason)),
            Ok(Ok(Opinion::Refuses(finding))) => match excepted(case, guard, &finding) {
                Some(pattern) => {
                    let reason = format!("guard {} allow {pattern}", guard.id);
                    looked.near.push(Near::of(guard.id, reason));
                }
                None => looked.findings.push((guard, finding)),
            },
            Ok(Err(Silence::Unavailable(why))) => {
                looked
                    .remarks
                    .push(format!("{} has no opinion: {why}", guard.id));
            }
            Err(_) => looked
                .failures
                .push(format!("{} failed, and has no opinion", guard.id)),
        }
    }
    looked
}

/// The pattern of the user file that lets it pass.
fn excepted<'c>(case: &Case<'c>, guard: &Guard, finding: &Finding) -> Option<&'c str> {
    case.background
        .settings
        .allowed(guard.id)
        .find(|pattern| crate::case::matches(pattern, &finding.about, case.home))
}

/// Whether lines of the configuration can set a guard.
///
/// # Errors
/// What is wrong with the id.
pub fn is_settable(id: &str) -> Result<(), String> {
    match GUARDS.iter().find(|guard| guard.id == id) {
        None => Err(format!("there is no guard \"{id}\"")),
        Some(guard) => match guard.check {
            Check::Looks(_) => Ok(()),
            Check::Rules(_) => Err(format!("{id} is a rule of deletion, which no line lifts")),
        },
    }
}
