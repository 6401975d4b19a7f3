//! From a command's words to a verdict on each thing it would destroy.

mod aim;
mod contained;
mod effects;
mod file_call;
mod globs;
mod guarded;
mod history;
mod mounts;
mod moves;
mod nested;
mod origins;
mod own_input;
mod owned;
mod target;
mod trail;
mod unread;
mod wording;

use std::{cell::OnceCell, ffi::OsStr, os::unix::ffi::OsStrExt as _, path::PathBuf, rc::Rc};

use blastradius_policy::{Act, By, programs};

use crate::{
    guards::Trees,
    interp::{Cwd, Disk, Field, Move, Place, State, Text, Trace, Value},
    report::{Action, Near, Report, Step, Target, Trail},
};
pub(crate) use aim::base_name;
use aim::{Aim, Base};
use owned::Owned;

/// More steps than these explain nothing.
const MOST_STEPS: usize = 200;

/// A command that a program runs, for the interpreter to follow.
pub(crate) enum Nested {
    /// Words, and where they run if not here.
    Command {
        fields: Vec<Field>,
        cwd: Option<Cwd>,
    },
    /// A text for `sh`.
    Script { text: Text, cwd: Cwd },
}

/// A program with what it is given.
pub(crate) struct Given<'s> {
    /// Its base name.
    pub(crate) name: &'s [u8],
    /// Its words, itself first.
    pub(crate) fields: &'s [Field],
    /// What words lost that left no field.
    pub(crate) vanished: &'s Trace,
    /// Those words, as written.
    pub(crate) vanished_spelled: &'s [Rc<[u8]>],
    /// `NAME=value` in front.
    pub(crate) prefix: &'s [(Vec<u8>, Value)],
    /// The state of the shell that runs it.
    pub(crate) state: &'s State,
    /// What it prints comes into the session.
    pub(crate) is_shown: bool,
    /// What process substitutions print, by the names of their pipes.
    pub(crate) pipes: &'s [(Vec<u8>, Text)],
}

/// Judges effects one by one and keeps the findings.
pub(crate) struct Court<'a> {
    place: &'a Place<'a>,
    fs: Disk<'a>,
    /// The string that is judged.
    heard: Rc<[u8]>,
    /// Moves of the command that is judged.
    moves: Vec<Move>,
    actions: Vec<Action>,
    notes: Vec<String>,
    /// For `explain`.
    steps: Vec<Step>,
    mounts: OnceCell<Vec<Vec<u8>>>,
    /// The files that are being followed, the innermost last.
    files: Vec<String>,
    /// Whose acts are judged.
    by: By,
    /// Files that the command that is judged writes.
    written: Vec<Vec<u8>>,
    trees: Trees,
    near: Vec<Near>,
    failures: Vec<String>,
    unsure: bool,
    trail: Trail,
    /// Files that the string has written so far, whatever it has put there.
    touched: Vec<Vec<u8>>,
    /// The first words of the programs so far.
    earlier: Vec<Vec<Vec<u8>>>,
    /// What the guards have found, so that nothing is said twice.
    found: Vec<(&'static str, Vec<u8>)>,
    /// Commands are followed that a git command runs elsewhere or later (`submodule foreach`, `rebase -x`).
    elsewhere: u32,
}

impl<'a> Court<'a> {
    pub(crate) fn new(place: &'a Place<'a>) -> Self {
        Self {
            place,
            fs: Disk::new(place.fs, Rc::default()),
            heard: Rc::default(),
            moves: Vec::new(),
            actions: Vec::new(),
            notes: Vec::new(),
            steps: Vec::new(),
            mounts: OnceCell::new(),
            files: Vec::new(),
            by: By::Command,
            written: Vec::new(),
            trees: Trees::default(),
            near: Vec::new(),
            failures: Vec::new(),
            unsure: false,
            trail: Trail::default(),
            touched: Vec::new(),
            earlier: Vec::new(),
            found: Vec::new(),
            elsewhere: 0,
        }
    }

    /// This string is judged: places are places in it.
    pub(crate) fn hears(&mut self, string: Rc<[u8]>) {
        self.heard = string;
    }

    pub(crate) fn into_report(self) -> Report {
        Report {
            actions: self.actions,
            notes: self.notes,
            near: self.near,
            failures: self.failures,
            unsure: self.unsure,
            trail: self.trail,
            steps: self.steps,
        }
    }

    pub(crate) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn strict(&self) -> bool {
        self.place.session.strict
    }

    /// What cannot be told beforehand is left to the layers below, where there are any.
    fn leaves_unknown(&self) -> bool {
        self.place.session.lower_layers || !self.files.is_empty()
    }

    /// What comes is read from a file, until [`Self::leave_file`].
    pub(crate) fn enter_file(&mut self, shown: &str) {
        self.files.push(shown.to_owned());
    }

    pub(crate) fn leave_file(&mut self) {
        self.files.pop();
    }

    /// Judges acts of a program's own, as the calls would be: its state is its business, and what is not there yet is
    /// not lost.
    pub(crate) const fn judge_by(&mut self, by: By) {
        self.by = by;
    }

    fn record(&mut self, mut action: Action) {
        self.recall(&mut action);
        if let Some(file) = self.files.last() {
            let reason = format!("the command stands in {}", wording::shown(file.as_bytes()));
            for refusal in action
                .targets
                .iter_mut()
                .filter_map(|target| target.refusal.as_mut())
            {
                refusal.reasons.push(reason.clone());
            }
        }
        // Loops and branches come by the same command again and again.
        let seen = self.actions.iter().any(|known| {
            known.argv == action.argv
                && known.cwd == action.cwd
                && known.targets.len() == action.targets.len()
                && known
                    .targets
                    .iter()
                    .zip(&action.targets)
                    .all(|(a, b)| a.resolved == b.resolved && a.act == b.act)
        });
        if !seen && !action.targets.is_empty() {
            self.actions.push(action);
        }
    }

    /// A command is run: a step of the explanation.
    pub(crate) fn steps(&mut self, fields: &[Field], cwd: &Cwd) {
        if !self.place.session.explain || self.steps.len() == MOST_STEPS {
            return;
        }
        let step = Step {
            argv: words(fields),
            cwd: directory(cwd),
        };
        // Shells that read alike come by it again.
        if !self.steps.contains(&step) {
            self.steps.push(step);
        }
    }

    fn action(program: &[u8], fields: &[Field], cwd: &Cwd, targets: Vec<Target>) -> Action {
        Action {
            program: program.to_vec(),
            argv: words(fields),
            exact: fields.iter().all(|field| field.text.bytes().is_some()),
            cwd: directory(cwd),
            targets,
        }
    }

    /// Judges what a program would destroy; returns what it would run.
    pub(crate) fn program(&mut self, given: &Given<'_>) -> Vec<Nested> {
        let mut effects: Vec<Owned> = Vec::new();
        let words: Vec<programs::Word<'_>> = given.fields.iter().map(Field::word).collect();
        let found = programs::read(given.name, &words, &mut |effect| {
            effects.push(Owned::from(effect));
        });
        self.fs.after(&given.state.changes);
        if !found {
            let targets = self.guarded(given, &[]);
            self.record(Self::action(
                given.name,
                given.fields,
                &given.state.cwd,
                targets,
            ));
            return Vec::new();
        }
        let mut targets = Vec::new();
        let mut nested = Vec::new();
        let mut swept = globs::Seen::default();
        for effect in effects {
            match effect.nested(self, given.fields, given.state) {
                Some(found) => nested.extend(found),
                None => targets.extend(self.effect(&effect, given, &mut swept)),
            }
        }
        self.count_removals(&mut targets);
        let found = self.guarded(given, &targets);
        targets.extend(found);
        self.record(Self::action(
            given.name,
            given.fields,
            &given.state.cwd,
            targets,
        ));
        nested
    }

    /// The moves of the command that was judged last, to names that nothing had.
    pub(crate) fn take_moves(&mut self) -> Vec<Move> {
        std::mem::take(&mut self.moves)
    }

    /// The files that the command or redirection that was judged last writes.
    pub(crate) fn take_written(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.written)
    }

    /// Judges a redirection of a simple command with these words; of any other, with none.
    pub(crate) fn redirection(
        &mut self,
        act: Act,
        field: &Field,
        command: &[Field],
        state: &State,
    ) {
        self.fs.after(&state.changes);
        let base = Base::of(&state.cwd);
        let aim = Aim::of(field, field.text.clone(), base, false, state);
        let mut swept = globs::Seen::default();
        let mut targets: Vec<Target> = self.judge(act, &aim, &mut swept).into_iter().collect();
        if let (Act::Truncate, Some(target)) = (act, targets.first_mut()) {
            self.keep_own_input(target, command, state);
        }
        self.note_patch(field, command, state);
        targets.extend(self.guarded_redirection(act, &targets, state));
        let shown = [Field::known(*b">"), field.clone()];
        let targets = targets
            .into_iter()
            .filter(|target| act != Act::Append || target.refusal.is_some())
            .collect();
        self.record(Self::action(b">", &shown, &state.cwd, targets));
    }
}

/// Words as far as they are known.
fn words(fields: &[Field]) -> Vec<Vec<u8>> {
    let word = |field: &Field| match field.text.bytes() {
        Some(bytes) => bytes.to_vec(),
        None if field.spelled.is_empty() => field.text.display(),
        None => field.spelled.to_vec(),
    };
    fields.iter().map(word).collect()
}

fn directory(cwd: &Cwd) -> Option<PathBuf> {
    match cwd {
        Cwd::At(path) => {
            let path = wording::named(path.clone());
            Some(PathBuf::from(OsStr::from_bytes(&path)))
        }
        Cwd::Unknown(_) => None,
    }
}
