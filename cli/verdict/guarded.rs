//! What the guards are told of a command, and what they refuse of it.

use blastradius_policy::{Act, PathBuffer, canonicalise};

use super::{Court, Given, aim::Base};
use crate::{
    git::{Invocation, Surroundings, Word},
    guards::{self, Case},
    interp::{Cwd, Field, State, Value},
    report::{Evidence, Refusal, Target},
};

/// Programs after which what they name is somewhere else, or was given up by name.
const COPY: &[&str] = &[
    "cp", "mv", "rm", "rsync", "tar", "zip", "install", "rmdir", "unlink",
];

impl Court<'_> {
    /// The refusals of the guards; none are asked for if the command is refused anyway.
    pub(super) fn guarded(&mut self, given: &Given<'_>, refused: bool) -> Vec<Target> {
        if self.elsewhere > 0 {
            return Vec::new();
        }
        if COPY.iter().any(|name| name.as_bytes() == given.name) {
            self.note_copies(given);
        }
        if given.name != b"git" {
            return Vec::new();
        }
        let Some(invocation) = self.invocation(given) else {
            return Vec::new();
        };
        let invocation = invocation.with_settled_alias(self.place.git);
        let tree = self.tree_of(&invocation);
        let found = if refused {
            Vec::new()
        } else {
            let saved = self.ledger.of(&tree);
            let case = Case {
                invocation: &invocation,
                git: self.place.git,
                fs: self.place.fs,
                saved: &saved,
            };
            let mut remarks = Vec::new();
            let found = guards::check(&case, &mut |remark| remarks.push(remark));
            for remark in remarks {
                self.note(remark);
            }
            found
        };
        self.ledger.record(&tree, &invocation);
        found
            .into_iter()
            .map(|(rule, finding)| Target {
                act: Act::Sweep,
                spelled: invocation.verb.clone(),
                resolved: Some(finding.about),
                refusal: Some(Refusal {
                    rule,
                    detail: None,
                    reasons: finding.reasons,
                    instead: finding.instead,
                }),
                evidence: Evidence::default(),
            })
            .collect()
    }

    /// Whether the commands that a git command runs see another repository, or another state of this one.
    pub(crate) fn runs_elsewhere(&self, name: &[u8], fields: &[Field]) -> bool {
        let verbs: [&[u8]; 4] = [b"submodule", b"rebase", b"bisect", b"filter-branch"];
        let names = |field: &Field| field.text.bytes().is_some_and(|word| verbs.contains(&word));
        name == b"git" && fields.iter().skip(1).any(names)
    }

    /// The guards have no opinion on what follows, until [`Self::leave`].
    pub(crate) fn enter(&mut self) {
        self.elsewhere += 1;
    }

    pub(crate) fn leave(&mut self) {
        self.elsewhere -= 1;
    }

    /// `git diff > FILE` keeps what it shows.
    pub(super) fn note_patch(&mut self, file: &Field, command: &[Field], state: &State) {
        let words = |at: usize| command.get(at).and_then(|field| field.text.bytes());
        let shows_less = |field: &Field| {
            let word = field.text.prefix();
            [
                &b"--stat"[..],
                b"--name",
                b"--quiet",
                b"--short",
                b"--num",
                b"--check",
                b"--summary",
            ]
            .iter()
            .any(|option| word.starts_with(option))
        };
        let keeps = file
            .text
            .bytes()
            .is_some_and(|path| !path.starts_with(b"/dev/"));
        if words(0) != Some(b"git") || words(1) != Some(b"diff") || !keeps {
            return;
        }
        if command.iter().any(shows_less) {
            return;
        }
        if let Base::At(tree) = Base::of(&state.cwd).top_level(&self.fs) {
            self.ledger.saved_as_patch(&tree);
        }
    }

    fn note_copies(&mut self, given: &Given<'_>) {
        let Cwd::At(cwd) = &given.state.cwd else {
            return;
        };
        for field in given.fields.iter().skip(1) {
            let mut buffer = PathBuffer::new();
            if let Some(path) = field.text.bytes()
                && !path.starts_with(b"-")
                && let Ok(path) = canonicalise(&self.fs, cwd, path, false, &mut buffer)
            {
                self.ledger.copied(path.as_bytes().to_vec());
            }
        }
    }

    fn invocation(&self, given: &Given<'_>) -> Option<Invocation> {
        let Cwd::At(cwd) = &given.state.cwd else {
            return None;
        };
        let mut buffer = PathBuffer::new();
        let directory = canonicalise(&self.fs, b"/", cwd, true, &mut buffer).ok()?;
        Invocation::read(Surroundings {
            words: (given.fields.iter())
                .map(|field| field.text.bytes().map(<[u8]>::to_vec))
                .collect(),
            directory: directory.as_bytes(),
            variable: &|name| self.variable_of(given, name),
        })
    }

    /// A variable that the command would see.
    fn variable_of(&self, given: &Given<'_>, name: &[u8]) -> Option<Word> {
        let state = given.state;
        let inherited = || self.place.variable(name);
        let of = |value: &Value| match value {
            Value::Unset => None,
            Value::Scalar(text) => Some(text.bytes().map(<[u8]>::to_vec)),
            Value::Array(_) | Value::Any(_) => Some(None),
        };
        if let Some((_, value)) = given.prefix.iter().rfind(|(known, _)| known == name) {
            return of(value);
        }
        match state.variables.get(name) {
            Some(value) if state.exported.contains(name) || inherited().is_some() => of(value),
            _ => inherited().map(|value| Some(value.to_vec())),
        }
    }

    /// The work tree that a command belongs to, as the disk tells.
    fn tree_of(&self, invocation: &Invocation) -> Vec<u8> {
        let repository = &invocation.repository;
        let tree = match &repository.work_tree {
            Some(tree) => Base::At(repository.at(tree)),
            None => Base::At(repository.directory.clone()).top_level(&self.fs),
        };
        match tree {
            Base::At(tree) => tree,
            Base::Unknown(_) => Vec::new(),
        }
    }
}
