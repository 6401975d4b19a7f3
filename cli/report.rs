//! What the command layer found: the data behind a refusal's panel, `--json` and the log.

use std::path::PathBuf;

use blastradius_policy::{Act, Rule};

/// The verdict on one command line.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every command that may destroy something, also those that are allowed.
    pub actions: Vec<Action>,
    /// What was left to the lower layers or not followed, one sentence each; shown by `explain` and `--json`.
    pub notes: Vec<String>,
    /// What a guard or a rule looked at and let pass.
    pub near: Vec<Near>,
    /// Guards that failed, one line each.
    pub failures: Vec<String>,
    /// A guard could not tell: `notes` has why.
    pub unsure: bool,
    /// What the ledger of the session keeps of it.
    pub trail: Trail,
    /// Every command that is run, in order, also those that destroy nothing; only for `explain`.
    pub steps: Vec<Step>,
}

/// Something that a guard or a rule is about, and why it passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Its id.
    pub rule: &'static str,
    /// Why it passed.
    pub reason: String,
}

impl Near {
    pub(crate) const fn of(rule: &'static str, reason: String) -> Self {
        Self { rule, reason }
    }
}

/// What a call does that later calls of the same session are judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Files whose whole content it gives: canonical paths.
    pub written: Vec<Vec<u8>>,
    /// Files that hold what a secret file held, and the name of that.
    pub secrets: Vec<(Vec<u8>, Vec<u8>)>,
    /// How many things it removes.
    pub removed: u64,
}

/// One command that is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its words after expansion; an unknown word is spelled as in the source.
    pub argv: Vec<Vec<u8>>,
    /// Where it runs, if that is known.
    pub cwd: Option<PathBuf>,
}

impl Report {
    /// The refused targets, in order, with their actions.
    pub fn refusals(&self) -> impl Iterator<Item = (&Action, &Target)> {
        self.actions
            .iter()
            .flat_map(|action| action.targets.iter().map(move |target| (action, target)))
            .filter(|(_, target)| target.refusal.is_some())
    }

    /// Whether any target is refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.refusals().next().is_some()
    }
}

/// One command that may destroy something.
#[derive(Clone, Debug)]
pub struct Action {
    /// The program's base name, or `>` for a redirection.
    pub program: Vec<u8>,
    /// Its words as far as they are known; an unknown word is spelled as in the source.
    pub argv: Vec<Vec<u8>>,
    /// Whether every word is known.
    pub exact: bool,
    /// Where its relative paths begin, if that is known.
    pub cwd: Option<PathBuf>,
    /// What it would destroy.
    pub targets: Vec<Target>,
}

/// One thing that a command would destroy.
#[derive(Clone, Debug)]
pub struct Target {
    /// What happens to it.
    pub act: Act,
    /// As written in the command.
    pub spelled: Vec<u8>,
    /// The canonical path, if there is one.
    pub resolved: Option<Vec<u8>>,
    /// Why it is refused; `None` if it is allowed.
    pub refusal: Option<Refusal>,
    /// Facts behind the verdict.
    pub evidence: Evidence,
}

/// Why a target is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The rule.
    pub rule: Rule,
    /// Which construct could not be read: the tail of `unparseable-command-*`.
    pub detail: Option<String>,
    /// What was about to happen, where it is no act on a path.
    pub operation: Option<&'static str>,
    /// Lower-case fragments, most important first, one line each.
    pub reasons: Vec<String>,
    /// What to do instead.
    pub instead: String,
}

/// Facts behind a verdict.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Variables that are unset.
    pub unset: Vec<String>,
    /// Variables that are set to nothing.
    pub empty: Vec<String>,
    /// How many names a glob matches.
    pub matches: Option<usize>,
    /// How the target came to be, the nearest cause first.
    pub origins: Vec<Origin>,
    /// The pattern, floor path or file and line that decided.
    pub decided_by: Option<String>,
    /// The program whose attempt at the same target was refused before in this session.
    pub refused_before: Option<String>,
}

impl Target {
    /// What was about to happen to it.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        let own = self.refusal.as_ref().and_then(|refusal| refusal.operation);
        own.unwrap_or(self.act.name())
    }
}

/// One cause of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A variable's value.
    Variable {
        /// Its name.
        name: String,
        /// What set it: `assignment`, `loop` or `environment`.
        by: &'static str,
        /// Where.
        at: Option<Position>,
    },
    /// The working directory, which `cd` or its like has changed.
    Directory {
        /// Where.
        at: Option<Position>,
    },
    /// A symbolic link on the way.
    Link {
        /// Its path.
        path: String,
        /// What it says.
        to: String,
    },
}

/// A place in the string that was judged, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// The string has but one line.
    pub only_line: bool,
}
