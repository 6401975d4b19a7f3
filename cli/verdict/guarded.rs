//! What the guards are told of a command, and what they refuse of it.

use std::borrow::Cow;

use blastradius_policy::{Act, Fs, PathBuffer, Rule, canonicalise};

use super::{Court, Given, aim::Base};
use crate::{
    case::{Around, By, Case, Change, Command, Piece, Subject, What},
    credential,
    git::{Invocation, Word},
    guards::{self, Finding, Guard, Tool},
    interp::{Cwd, Field, State, Text},
    report::{Evidence, Refusal, Target},
};

/// Programs after which what they name is somewhere else, or was given up by name.
const COPY: &[&str] = &[
    "cp", "mv", "rm", "rsync", "tar", "zip", "install", "rmdir", "unlink",
];

impl Court<'_> {
    /// The refusals of the guards; none are asked for if the command is refused anyway.
    pub(super) fn guarded(&mut self, given: &Given<'_>, targets: &[Target]) -> Vec<Target> {
        if self.elsewhere > 0 {
            return Vec::new();
        }
        if COPY.iter().any(|name| name.as_bytes() == given.name) {
            self.note_copies(given);
        }
        let refused = targets.iter().any(|target| target.refusal.is_some());
        let place = self.place;
        let fs = self.fs.clone();
        let (found, tree) = {
            let saved = |invocation: &Invocation| self.trees.of(&self.tree_of(invocation));
            let around = Around {
                saved: &saved,
                earlier: &self.earlier,
                touched: &self.touched,
                secrets: &self.trail.secrets,
            };
            let command = Command::new(given, around, place, &fs);
            let looked = (!refused).then(|| {
                let variable = |name: &[u8]| command.variable(name);
                let subject = Subject::Command(&command);
                self.look(subject, &fs, &variable)
            });
            let git = command
                .git()
                .map(|invocation| (self.tree_of(invocation), invocation));
            let tree = git.map(|(tree, invocation)| (tree, invocation.clone()));
            (looked, tree)
        };
        let mut found = found.map_or_else(Vec::new, |looked| self.take(looked, given.name));
        self.note_secrets(given);
        self.note_words(given);
        if let Some((tree, invocation)) = tree {
            self.trees.record(&tree, &invocation);
        }
        if !refused && found.is_empty() {
            found = self.changes(given.name, targets, given.state);
        }
        found
    }

    /// As [`Self::guarded`], for a redirection.
    pub(super) fn guarded_redirection(
        &mut self,
        act: Act,
        targets: &[Target],
        state: &State,
    ) -> Vec<Target> {
        let refused = targets.iter().any(|target| target.refusal.is_some());
        if refused || self.elsewhere > 0 || act == Act::Append {
            self.touched.extend(self.written.iter().cloned());
            return Vec::new();
        }
        self.changes(b">", targets, state)
    }

    /// The files that a program changes, each by itself.
    fn changes(&mut self, program: &[u8], targets: &[Target], state: &State) -> Vec<Target> {
        let mut changed: Vec<(Vec<u8>, What)> = Vec::new();
        for target in targets.iter().filter(|target| target.refusal.is_none()) {
            let what = match target.act {
                Act::Remove | Act::RemoveTree => What::Removed,
                Act::MoveAway => What::Moved,
                Act::Replace | Act::Truncate | Act::Overwrite => What::Written,
                Act::Append | Act::Sweep | Act::Select => continue,
            };
            changed.extend(target.resolved.clone().map(|path| (path, what)));
        }
        for path in &self.written {
            if !changed.iter().any(|(known, _)| known == path) {
                changed.push((path.clone(), What::Written));
            }
        }
        self.touched.extend(self.written.iter().cloned());
        let mut found = Vec::new();
        for (path, what) in changed {
            let change = Change {
                path: &path,
                what,
                by: By::Program(program),
                pieces: &[],
                is_new: self.place.fs.lstat(&path).is_err(),
            };
            found.extend(self.changed(&change, state));
        }
        found
    }

    fn changed(&mut self, change: &Change<'_>, state: &State) -> Vec<Target> {
        let program = match change.by {
            By::Program(program) => program.to_vec(),
            By::Write | By::Edit => Vec::new(),
        };
        let place = self.place;
        let variable = |name: &[u8]| inherited(place, state, name);
        let looked = self.look(Subject::Change(change), place.fs, &variable);
        self.take(looked, &program)
    }

    /// A redirection or a here-document has put a known content into a file.
    pub(crate) fn wrote(&mut self, path: &[u8], content: &[u8], state: &State) {
        if self.elsewhere > 0 {
            return;
        }
        self.trail.written.push(path.to_vec());
        let before = crate::case::content(self.place.fs, path);
        let piece = Piece {
            old: Cow::Owned(before.clone().unwrap_or_default()),
            new: Cow::Borrowed(content),
        };
        let change = Change {
            path,
            what: What::Written,
            by: By::Program(b">"),
            pieces: &[piece],
            is_new: before.is_none(),
        };
        let targets = self.changed(&change, state);
        if !credential::find(content).is_empty() && credential::secret_kind(path, || None).is_none()
        {
            self.trail.secrets.push((path.to_vec(), path.to_vec()));
        }
        if !targets.is_empty() {
            self.record(Self::action(b">", &[], &state.cwd, targets));
        }
    }

    pub(super) fn real(&self, cwd: &[u8], path: &[u8]) -> Option<Vec<u8>> {
        let mut buffer = PathBuffer::new();
        let path = canonicalise(&self.fs, cwd, path, true, &mut buffer).ok()?;
        Some(path.as_bytes().to_vec())
    }

    /// A shell runs a text that is not wholly known.
    pub(crate) fn script(&mut self, text: &Text, state: &State) {
        let place = self.place;
        let variable = |name: &[u8]| inherited(place, state, name);
        let looked = self.look(Subject::Script(text), place.fs, &variable);
        let targets = self.take(looked, b"sh");
        if !targets.is_empty() {
            let field = Field {
                spelled: text.display().as_slice().into(),
                text: text.clone(),
                ..Field::default()
            };
            self.record(Self::action(b"sh", &[field], &state.cwd, targets));
        }
    }

    pub(super) fn look(
        &self,
        subject: Subject<'_>,
        fs: &dyn Fs,
        variable: &dyn Fn(&[u8]) -> Option<Word>,
    ) -> guards::Looked {
        let case = Case {
            subject,
            git: self.place.git,
            fs,
            background: self.place.background,
            home: self.place.home,
            variable,
        };
        // A script that somebody wrote is not what the agent typed.
        let typed = self.files.is_empty();
        guards::look(&case, &|guard: &Guard| {
            typed || guard.tools.contains(&Tool::Script)
        })
    }

    pub(super) fn take(&mut self, looked: guards::Looked, program: &[u8]) -> Vec<Target> {
        self.unsure |= !looked.remarks.is_empty();
        for remark in looked.remarks {
            self.note(remark);
        }
        for failure in looked.failures {
            self.note(failure.clone());
            if !self.failures.contains(&failure) {
                self.failures.push(failure);
            }
        }
        for near in looked.near {
            if !self.near.contains(&near) {
                self.near.push(near);
            }
        }
        let mut targets = Vec::new();
        for (guard, finding) in looked.findings {
            let key = (guard.id, finding.about.clone());
            if !self.found.contains(&key) {
                self.found.push(key);
                targets.push(refused(guard.id, finding, program));
            }
        }
        targets
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
            self.trees.saved_as_patch(&tree);
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
                self.trees.copied(path.as_bytes().to_vec());
            }
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

fn refused(id: &'static str, finding: Finding, program: &[u8]) -> Target {
    let is_path = finding.about.starts_with(b"/");
    Target {
        act: Act::Sweep,
        spelled: match is_path {
            true => program.to_vec(),
            false => finding.about.clone(),
        },
        resolved: is_path.then_some(finding.about),
        refusal: Some(Refusal {
            rule: Rule::Guard,
            detail: Some(id.to_owned()),
            operation: Some(finding.operation),
            reasons: finding.reasons,
            instead: finding.instead,
        }),
        evidence: Evidence::default(),
    }
}

/// A variable as a shell in this state hands it on.
fn inherited(place: &crate::interp::Place<'_>, state: &State, name: &[u8]) -> Option<Word> {
    let own = state
        .variables
        .get(name)
        .filter(|_| state.exported.contains(name));
    match own {
        Some(crate::interp::Value::Scalar(text)) => Some(text.bytes().map(<[u8]>::to_vec)),
        Some(crate::interp::Value::Unset) => None,
        Some(_) => Some(None),
        None => place.variable(name).map(|value| Some(value.to_vec())),
    }
}
