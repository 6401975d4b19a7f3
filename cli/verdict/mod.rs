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
mod trail;
mod unread;
mod wording;

use std::{cell::OnceCell, ffi::OsStr, os::unix::ffi::OsStrExt as _, path::PathBuf, rc::Rc};

use blastradius_policy::{Act, By, Canonical, Fs, Kind, PathBuffer, Rule, canonicalise, programs};

use crate::{
    guards::Trees,
    interp::{Cwd, Disk, FED, Field, Move, Place, State, Text, Trace, Value},
    report::{Action, Evidence, Near, Refusal, Report, Step, Target, Trail},
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

    /// Judges one aim, and says of what is refused how it came to be. `None`: nothing would be lost, or it is left to the
    /// layers below.
    fn judge(&mut self, act: Act, aim: &Aim, swept: &mut globs::Seen) -> Option<Target> {
        let mut target = self.judged(act, aim, swept)?;
        self.tell_origins(aim, &mut target);
        Some(target)
    }

    fn judged(&mut self, act: Act, aim: &Aim, swept: &mut globs::Seen) -> Option<Target> {
        if let Some(glob) = &aim.glob
            && let Some(verdict) = self.glob(act, aim, glob, swept)
        {
            return verdict;
        }
        if aim.text.is_empty() && aim.trace.lost_nothing() {
            return Some(wording::empty_target(act, aim.spelled.to_vec()));
        }
        if !aim.trace.lost_nothing() {
            let resolved = aim
                .resolve(&self.fs, false)
                .map(|path| path.as_bytes().to_vec());
            let resolved = if aim.text.is_empty() { None } else { resolved };
            return Some(wording::emptied(
                act,
                aim.spelled.to_vec(),
                resolved,
                &aim.trace,
            ));
        }
        if aim.text.bytes().is_none() {
            return self.contained(act, aim);
        }
        let follow = act.follows_link()
            || aim.follow
            || aim.text.bytes().is_some_and(|bytes| bytes.ends_with(b"/"));
        let Base::At(start) = aim.base_for() else {
            return self.unresolved(act, aim, &aim.base_why());
        };
        let mut buffer = PathBuffer::new();
        let path = aim.text.bytes().unwrap_or_default();
        match canonicalise(&self.fs, &start, path, follow, &mut buffer) {
            Ok(path) => {
                if matches!(
                    act,
                    Act::Replace | Act::Truncate | Act::Overwrite | Act::Append
                ) {
                    self.written.push(path.as_bytes().to_vec());
                }
                let target = self.judge_path(act, aim, path)?;
                match &aim.glob {
                    Some(glob) if target.refusal.is_none() && !Self::lists(glob, act, swept) => {
                        None
                    }
                    _ => Some(target),
                }
            }
            Err(error) => {
                let reason = format!("the path could not be resolved: {error}");
                Some(wording::target(
                    act,
                    aim,
                    None,
                    Some(wording::refusal(Rule::UnresolvableTarget, vec![reason])),
                    Evidence::default(),
                ))
            }
        }
    }

    fn unresolved(&self, act: Act, aim: &Aim, why: &str) -> Option<Target> {
        if self.leaves_unknown() {
            return None;
        }
        if *aim.spelled == *FED {
            return Some(wording::fed(act, why));
        }
        Some(wording::unresolvable(act, aim.spelled.to_vec(), why))
    }

    /// Judges a canonical path.
    fn judge_path(&mut self, act: Act, aim: &Aim, path: Canonical<'_>) -> Option<Target> {
        let meta = self.fs.lstat(path.as_bytes());
        let kind = meta.ok().map(|meta| meta.kind);
        if !self.loses_anything(act, path, kind, meta.ok().map(|meta| meta.size)) {
            return None;
        }
        // What is swept or picked below something that is no directory is that very file.
        let act = match (act, kind) {
            (Act::Sweep | Act::Select, Some(Kind::File | Kind::Symlink | Kind::Other)) => {
                Act::Replace
            }
            _ => act,
        };
        let refusal = self.refusal(act, path, kind);
        let refusal = match refusal {
            None if aim.follow_below && act == Act::RemoveTree => self
                .leads_outside(path)
                .or_else(|| self.crosses_mount(path)),
            None if act == Act::RemoveTree => {
                (self.crosses_mount(path).or_else(|| self.denied_below(path)))
                    .or_else(|| self.takes_only_history(path, kind))
            }
            None if matches!(act, Act::MoveAway | Act::Sweep) => self.denied_below(path),
            None if matches!(act, Act::Select) && aim.follow_below => self.leads_outside(path),
            other => other,
        };
        let refusal = match refusal {
            Some(mut refusal)
                if aim.tilde
                    && matches!(
                        refusal.0.rule,
                        Rule::FloorPath | Rule::OutOfScope | Rule::SystemPath
                    ) =>
            {
                let mut tilde = wording::refusal(
                    Rule::TildeAmbiguous,
                    vec!["the target begins with an unquoted ~".to_owned()],
                );
                tilde.reasons.append(&mut refusal.0.reasons);
                Some((tilde, refusal.1))
            }
            None if aim.tilde && self.strict() => Some((
                wording::refusal(
                    Rule::TildeAmbiguous,
                    vec!["the target begins with an unquoted ~".to_owned()],
                ),
                None,
            )),
            Some(mut refusal)
                if !aim.cwd_trace.lost_nothing() && refusal.0.rule != Rule::FloorPath =>
            {
                let mut emptied =
                    wording::refusal(Rule::EmptyVariableExpansion, wording::trace(&aim.cwd_trace));
                emptied
                    .reasons
                    .push("cd went home because of it".to_owned());
                emptied.reasons.append(&mut refusal.0.reasons);
                Some((emptied, refusal.1))
            }
            other => other,
        };
        let (refusal, decided_by) = match refusal {
            Some((refusal, by)) => (Some(refusal), by),
            None => (None, None),
        };
        let evidence = Evidence {
            decided_by,
            matches: aim.glob.as_ref().map(|glob| glob.matches),
            ..Evidence::default()
        };
        Some(wording::target(
            act,
            aim,
            Some(path.as_bytes().to_vec()),
            refusal,
            evidence,
        ))
    }

    fn refusal(
        &self,
        act: Act,
        path: Canonical<'_>,
        kind: Option<Kind>,
    ) -> Option<(Refusal, Option<String>)> {
        wording::of_policy(self.place.session.policy, act, self.by, path, kind)
    }

    /// Emptying or replacing what does not exist loses nothing. Below `/dev` a missing device may only be
    /// missing here.
    fn loses_anything(
        &self,
        act: Act,
        path: Canonical<'_>,
        kind: Option<Kind>,
        size: Option<u64>,
    ) -> bool {
        if self.by == By::Program && kind.is_none() {
            return false;
        }
        let device = path.as_bytes().starts_with(b"/dev/");
        match (act, kind) {
            (Act::Truncate | Act::Overwrite | Act::Replace | Act::Sweep | Act::Select, None) => {
                device && !is_standard_stream(path.as_bytes())
            }
            (Act::Truncate | Act::Overwrite | Act::Append, Some(Kind::Other)) => false,
            (Act::Truncate | Act::Overwrite, Some(Kind::File)) => size != Some(0),
            (Act::Append, None) => false,
            _ => true,
        }
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

fn is_standard_stream(path: &[u8]) -> bool {
    [
        &b"/dev/std"[..],
        b"/dev/fd/",
        b"/dev/tty",
        b"/dev/null",
        b"/dev/tcp/",
        b"/dev/udp/",
    ]
    .iter()
    .any(|known| path.starts_with(known))
}
