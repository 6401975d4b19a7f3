//! Guards: what is lost by other means than deletion, judged beside it.
//!
//! One guard is one row: its rule, what it prevents, how it checks, and examples of both kinds, which are its
//! tests. A guard can only refuse. Where it cannot tell, it has no opinion.

mod uncommitted;

use std::collections::BTreeMap;

use blastradius_policy::{Fs, Rule};

use crate::git::{Ask, Invocation, Silence};
pub(crate) use uncommitted::Saved;

/// One guard.
pub struct Guard {
    /// The rule that its refusals carry.
    pub rule: Rule,
    /// The last time this happened, what broke was ...
    pub prevents: &'static str,
    /// The tools whose calls it looks at.
    pub tools: &'static [Tool],
    check: fn(&Case<'_>) -> Result<Option<Finding>, Silence>,
    /// Calls that it refuses.
    pub refused: &'static [Example],
    /// Near misses, which pass.
    pub allowed: &'static [Example],
}

/// A tool of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Commands for a shell.
    Shell,
}

/// A call, and the repository that it finds.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Shell commands that change a clean repository, with `a.txt`, `src/b.txt` and `.gitignore` committed, before
    /// the call.
    pub given: &'static str,
    /// The call.
    pub call: &'static str,
    /// Words of the refusal that name what would be lost.
    pub loses: &'static str,
}

/// Every guard.
pub const GUARDS: &[Guard] = &[uncommitted::GUARD];

/// A git command in its place.
pub(crate) struct Case<'a> {
    pub(crate) invocation: &'a Invocation,
    pub(crate) git: &'a dyn Ask,
    pub(crate) fs: &'a dyn Fs,
    /// What earlier commands of the string did to this repository.
    pub(crate) saved: &'a Saved,
}

/// What a guard refuses.
pub(crate) struct Finding {
    /// What it is about: a canonical path.
    pub(crate) about: Vec<u8>,
    /// Lower-case fragments, one a line.
    pub(crate) reasons: Vec<String>,
    /// What to do instead.
    pub(crate) instead: String,
}

/// What every guard has to say about a command; a guard that could not tell leaves a remark.
pub(crate) fn check(case: &Case<'_>, remark: &mut dyn FnMut(String)) -> Vec<(Rule, Finding)> {
    let mut findings = Vec::new();
    for guard in GUARDS {
        match (guard.check)(case) {
            Ok(finding) => findings.extend(finding.map(|finding| (guard.rule, finding))),
            // git itself would fail, and change nothing.
            Err(Silence::Failed) => {}
            Err(Silence::Unavailable(why)) => {
                remark(format!("{} has no opinion: {why}", guard.rule.id()));
            }
        }
    }
    findings
}

/// What the commands of a string have done so far, by the work trees that they did it in.
#[derive(Default)]
pub(crate) struct Ledger {
    trees: BTreeMap<Vec<u8>, Saved>,
    /// Files that were copied, moved or removed by name: whatever git does to them later, it is not what loses them.
    copied: Vec<Vec<u8>>,
}

impl Ledger {
    pub(crate) fn copied(&mut self, path: Vec<u8>) {
        self.copied.push(path);
    }

    /// What was done to a work tree.
    pub(crate) fn of(&self, tree: &[u8]) -> Saved {
        let mut saved = self.trees.get(tree).cloned().unwrap_or_default();
        saved.copied.extend(self.copied.iter().cloned());
        saved
    }

    /// A git command has been judged: later ones find what it leaves.
    pub(crate) fn record(&mut self, tree: &[u8], invocation: &Invocation) {
        if Saved::is_changed_by(&invocation.verb) {
            let saved = self.trees.entry(tree.to_vec()).or_default();
            saved.record(tree, invocation);
        }
    }

    /// The difference between the work tree and the index or a commit was written to a file.
    pub(crate) fn saved_as_patch(&mut self, tree: &[u8]) {
        self.trees.entry(tree.to_vec()).or_default().tracked = true;
    }
}
