//! From a command's words to a verdict on each thing it would destroy.

mod aim;
mod contained;
mod globs;
mod mounts;
mod nested;
mod wording;

use std::{cell::OnceCell, path::PathBuf, rc::Rc};

use blastradius_policy::{
    Act, By, Canonical, Fs, Kind, PathBuffer, Rule, canonicalise,
    programs::{self, Directory, Effect, Follow, Piece, Spelled, Target as Taken},
};

use crate::{
    interp::{Cwd, Field, Losses, Place, State, Text},
    report::{Action, Evidence, Refusal, Report, Target},
};
pub(crate) use aim::base_name;
use aim::{Aim, Base};

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

/// Judges effects one by one and keeps the findings.
pub(crate) struct Court<'a> {
    place: &'a Place<'a>,
    fs: &'a dyn Fs,
    actions: Vec<Action>,
    notes: Vec<String>,
    mounts: OnceCell<Vec<Vec<u8>>>,
}

impl<'a> Court<'a> {
    pub(crate) fn new(place: &'a Place<'a>) -> Self {
        Self {
            place,
            fs: place.fs,
            actions: Vec::new(),
            notes: Vec::new(),
            mounts: OnceCell::new(),
        }
    }

    pub(crate) fn into_report(self) -> Report {
        Report {
            actions: self.actions,
            notes: self.notes,
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
        self.place.session.lower_layers
    }

    fn record(&mut self, action: Action) {
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

    fn action(program: &[u8], fields: &[Field], cwd: &Cwd, targets: Vec<Target>) -> Action {
        Action {
            program: program.to_vec(),
            argv: fields
                .iter()
                .map(|field| match field.text.bytes() {
                    Some(bytes) => bytes.to_vec(),
                    None if field.spelled.is_empty() => field.text.display(),
                    None => field.spelled.to_vec(),
                })
                .collect(),
            exact: fields.iter().all(|field| field.text.bytes().is_some()),
            cwd: match cwd {
                Cwd::At(path) => Some(PathBuf::from(
                    <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(path),
                )),
                Cwd::Unknown(_) => None,
            },
            targets,
        }
    }

    /// Judges what a program would destroy; returns what it would run.
    pub(crate) fn program(
        &mut self,
        name: &[u8],
        fields: &[Field],
        vanished: &Losses,
        vanished_spelled: &[Rc<[u8]>],
        state: &State,
    ) -> Vec<Nested> {
        let mut effects: Vec<Owned> = Vec::new();
        if !programs::read(name, fields, &mut |effect| {
            effects.push(Owned::from(effect))
        }) {
            return Vec::new();
        }
        let mut targets = Vec::new();
        let mut nested = Vec::new();
        let mut swept = globs::Seen::default();
        for effect in effects {
            match effect.nested(self, fields, state) {
                Some(found) => nested.extend(found),
                None => targets.extend(self.effect(
                    name,
                    &effect,
                    fields,
                    vanished,
                    vanished_spelled,
                    state,
                    &mut swept,
                )),
            }
        }
        self.record(Self::action(name, fields, &state.cwd, targets));
        nested
    }

    /// Judges a redirection.
    pub(crate) fn redirection(&mut self, act: Act, field: &Field, state: &State) {
        let base = Base::of(&state.cwd);
        let aim = Aim::of(field, field.text.clone(), base, false, state);
        let mut swept = globs::Seen::default();
        let targets: Vec<Target> = self.judge(act, &aim, &mut swept).into_iter().collect();
        let shown = [Field::known(*b">"), field.clone()];
        let targets = targets
            .into_iter()
            .filter(|target| act != Act::Append || target.refusal.is_some())
            .collect();
        self.record(Self::action(b">", &shown, &state.cwd, targets));
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "what a program was given, taken apart once by its caller"
    )]
    fn effect(
        &mut self,
        program: &[u8],
        effect: &Owned,
        fields: &[Field],
        vanished: &Losses,
        vanished_spelled: &[Rc<[u8]>],
        state: &State,
        swept: &mut globs::Seen,
    ) -> Vec<Target> {
        let follows = |follow: Follow| follow != Follow::No && follow != Follow::Never;
        match effect {
            Owned::Path { certain: sure, .. }
            | Owned::Into { certain: sure, .. }
            | Owned::Here { certain: sure, .. }
                if !*sure && self.leaves_unknown() =>
            {
                Vec::new()
            }
            Owned::Path {
                act, path, follow, ..
            } => {
                let Some(field) = fields.get(path.piece.index) else {
                    return Vec::new();
                };
                let aim = Aim::piece(
                    field,
                    path.piece,
                    self.base(path.directory, fields, state),
                    follows(*follow),
                    state,
                );
                self.judge(*act, &aim.below(*follow), swept)
                    .into_iter()
                    .collect()
            }
            Owned::Into {
                act,
                name,
                inside,
                target,
                ..
            } => self.into(*act, *name, *inside, *target, fields, state, swept),
            Owned::Parents { act, path } => {
                let Some(field) = fields.get(path.piece.index) else {
                    return Vec::new();
                };
                let base = self.base(path.directory, fields, state);
                let mut targets = Vec::new();
                let mut text =
                    aim::trimmed(&Aim::piece(field, path.piece, base.clone(), false, state).text);
                while let Some(parent) = text.bytes().and_then(|bytes| {
                    bytes
                        .iter()
                        .rposition(|byte| *byte == b'/')
                        .map(|at| bytes[..at].to_vec())
                }) {
                    if parent.is_empty() || parent == b"." {
                        break;
                    }
                    text = Text::known(parent);
                    targets.extend(self.judge(
                        *act,
                        &Aim::of(field, text.clone(), base.clone(), false, state),
                        swept,
                    ));
                }
                targets
            }
            Owned::Here {
                act,
                directory,
                below,
                follow,
                ..
            } => {
                let base = self.base(*directory, fields, state);
                let mut text = Text::known(*b".");
                if !below.is_empty() {
                    text = Text::known(below.clone());
                }
                let shown = Field {
                    spelled: below.as_slice().into(),
                    ..Field::default()
                };
                let aim = Aim::of(&shown, text, base, follows(*follow), state).below(*follow);
                self.judge(*act, &aim, swept).into_iter().collect()
            }
            Owned::Unknown { act, why } => self.unknown_effect(
                program,
                *act,
                *why,
                fields,
                vanished,
                vanished_spelled,
                state,
            ),
            Owned::Runs { .. } | Owned::Shell { .. } => Vec::new(),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one call site")]
    fn unknown_effect(
        &self,
        program: &[u8],
        act: Act,
        why: programs::Unknown,
        fields: &[Field],
        vanished: &Losses,
        vanished_spelled: &[Rc<[u8]>],
        state: &State,
    ) -> Vec<Target> {
        let spelled = vanished_spelled
            .first()
            .map_or_else(|| program.to_vec(), |spelled| spelled.to_vec());
        if why == programs::Unknown::NoOperands && !vanished.is_none() {
            let mut losses = vanished.clone();
            losses.extend(&state.cwd_losses);
            return vec![wording::emptied(act, spelled, None, &losses)];
        }
        if self.leaves_unknown() {
            return Vec::new();
        }
        let unknown = fields
            .iter()
            .find_map(|field| field.text.why_unknown())
            .map(|unknown| unknown.why.to_string());
        vec![match why {
            programs::Unknown::NoOperands => wording::without_targets(act, program, fields),
            _ => wording::unresolvable(
                act,
                spelled,
                &unknown.unwrap_or_else(|| "an argument that decides what it does".into()),
            ),
        }]
    }

    /// `mv a b dir/`: what is replaced is `dir/a`, or `dir` itself.
    #[allow(
        clippy::too_many_arguments,
        reason = "the fields of one effect, taken apart once by its caller"
    )]
    fn into(
        &mut self,
        act: Act,
        name: Piece,
        inside: Option<Spelled>,
        target: Taken,
        fields: &[Field],
        state: &State,
        swept: &mut globs::Seen,
    ) -> Vec<Target> {
        let Some(source) = fields.get(name.index) else {
            return Vec::new();
        };
        let component = aim::final_component(
            &Aim::piece(source, name, Base::of(&state.cwd), false, state).text,
        );
        let Some(inside) = inside else {
            let aim = Aim::of(source, component, Base::of(&state.cwd), false, state);
            return self.judge(act, &aim, swept).into_iter().collect();
        };
        let Some(field) = fields.get(inside.piece.index) else {
            return Vec::new();
        };
        let base = self.base(inside.directory, fields, state);
        let outer = Aim::piece(field, inside.piece, base.clone(), false, state);
        let is_directory = match outer.resolve(self.fs, target != Taken::NoLink) {
            Some(path) => self
                .fs
                .lstat(path.canonical().as_bytes())
                .is_ok_and(|meta| meta.kind == Kind::Directory),
            None => false,
        };
        let into = target == Taken::Directory
            || is_directory
            || outer.text.bytes().is_none()
            || outer
                .text
                .bytes()
                .is_some_and(|bytes| bytes.ends_with(b"/"));
        let text = if !into || matches!(component.bytes(), Some(b"." | b".." | b"")) {
            outer.text.clone()
        } else {
            let mut text = outer.text.clone();
            text.push_bytes(b"/");
            text.append(&component);
            text
        };
        let aim = Aim::of(field, text, base, false, state);
        self.judge(act, &aim, swept).into_iter().collect()
    }

    /// Where a reader's relative paths begin.
    fn base(&self, directory: Directory, fields: &[Field], state: &State) -> Base {
        let here = Base::of(&state.cwd);
        let named = |piece: Piece| match fields.get(piece.index) {
            Some(field) => here.joined(&Aim::piece(field, piece, here.clone(), false, state).text),
            None => here.clone(),
        };
        match directory {
            Directory::Current => here.clone(),
            Directory::Word(piece) => named(piece),
            Directory::TopLevel(None) => here.top_level(self.fs),
            Directory::TopLevel(Some(piece)) => named(piece).top_level(self.fs),
            Directory::Unresolved => Base::Unknown("a directory that is not known".into()),
        }
    }

    /// Judges one aim. `None`: nothing would be lost, or it is left to the layers below.
    fn judge(&mut self, act: Act, aim: &Aim, swept: &mut globs::Seen) -> Option<Target> {
        if let Some(glob) = &aim.glob
            && let Some(verdict) = self.glob(act, aim, glob, swept)
        {
            return verdict;
        }
        if aim.text.is_empty() && aim.losses.is_none() {
            return Some(wording::empty_target(act, aim.spelled.to_vec()));
        }
        if !aim.losses.is_none() {
            let resolved = aim
                .resolve(self.fs, false)
                .map(|path| path.as_bytes().to_vec());
            let resolved = if aim.text.is_empty() { None } else { resolved };
            return Some(wording::emptied(
                act,
                aim.spelled.to_vec(),
                resolved,
                &aim.losses,
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
        match canonicalise(self.fs, &start, path, follow, &mut buffer) {
            Ok(path) => {
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
                self.crosses_mount(path).or_else(|| self.denied_below(path))
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
            Some(mut refusal) if !aim.cwd_losses.is_none() && refusal.0.rule != Rule::FloorPath => {
                let mut emptied = wording::refusal(
                    Rule::EmptyVariableExpansion,
                    wording::losses(&aim.cwd_losses),
                );
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
        wording::of_policy(self.place.session.policy, act, By::Command, path, kind)
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

    /// A shell or a text that could not be read to its end.
    pub(crate) fn unreadable(&mut self, text: &[u8], detail: &str, message: &str) {
        let spelled = text[..text.len().min(200)].to_vec();
        let mut refusal = wording::refusal(Rule::UnparseableCommand, vec![message.to_owned()]);
        refusal.detail = Some(detail.to_owned());
        let target = Target {
            act: Act::Remove,
            spelled: spelled.clone(),
            resolved: None,
            refusal: Some(refusal),
            evidence: Evidence::default(),
        };
        self.actions.push(Action {
            program: b"sh".to_vec(),
            argv: vec![spelled],
            exact: false,
            cwd: None,
            targets: vec![target],
        });
    }

    /// A shell is given a text that cannot be known and may destroy.
    pub(crate) fn unresolved_script(&mut self, text: &[u8], why: &str) {
        if self.leaves_unknown() {
            self.note(format!(
                "a shell runs {why}: what it does is judged only as it happens"
            ));
            return;
        }
        let target = wording::unresolvable(Act::Remove, text.to_vec(), why);
        self.actions.push(Action {
            program: b"sh".to_vec(),
            argv: vec![text.to_vec()],
            exact: false,
            cwd: None,
            targets: vec![target],
        });
    }

    /// Which program runs is not known, and its options say that it removes.
    pub(crate) fn unresolved_program(
        &mut self,
        argv: &[Vec<u8>],
        spelled: &[u8],
        why: &str,
        state: &State,
    ) {
        if self.leaves_unknown() {
            self.note(format!(
                "which program runs depends on {why}: it is judged only as it happens"
            ));
            return;
        }
        let target = wording::unresolvable(Act::RemoveTree, spelled.to_vec(), why);
        let mut action = Self::action(spelled, &[], &state.cwd, vec![target]);
        action.argv = argv.to_vec();
        self.actions.push(action);
    }

    /// `blastradius uninstall` and `trust` are for a person, not for a command that is judged.
    pub(crate) fn guard_command(&mut self, argv: &[Vec<u8>]) {
        let refusal = wording::refusal(
            Rule::GuardFile,
            vec!["the guard is not taken away or widened from inside".to_owned()],
        );
        let target = Target {
            act: Act::Overwrite,
            spelled: argv.join(&b' '),
            resolved: None,
            refusal: Some(refusal),
            evidence: Evidence::default(),
        };
        self.actions.push(Action {
            program: b"blastradius".to_vec(),
            argv: argv.to_vec(),
            exact: false,
            cwd: None,
            targets: vec![target],
        });
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

/// An [`Effect`] without its borrow.
enum Owned {
    Path {
        act: Act,
        path: Spelled,
        follow: Follow,
        certain: bool,
    },
    Into {
        act: Act,
        name: Piece,
        inside: Option<Spelled>,
        target: Taken,
        certain: bool,
    },
    Parents {
        act: Act,
        path: Spelled,
    },
    Here {
        act: Act,
        directory: Directory,
        below: Vec<u8>,
        follow: Follow,
        certain: bool,
    },
    Runs {
        first: usize,
        end: usize,
        root: Option<Spelled>,
        tested: bool,
        follow: Follow,
        in_directory: bool,
        appended: bool,
    },
    Shell {
        text: Piece,
        directory: Directory,
    },
    Unknown {
        act: Act,
        why: programs::Unknown,
    },
}

impl From<Effect<'_>> for Owned {
    fn from(effect: Effect<'_>) -> Self {
        match effect {
            Effect::Path {
                act,
                path,
                follow,
                certain,
            } => Self::Path {
                act,
                path,
                follow,
                certain,
            },
            Effect::Into {
                act,
                name,
                inside,
                target,
                certain,
            } => Self::Into {
                act,
                name,
                inside,
                target,
                certain,
            },
            Effect::Parents { act, path } => Self::Parents { act, path },
            Effect::Here {
                act,
                directory,
                below,
                follow,
                certain,
            } => Self::Here {
                act,
                directory,
                below: below.to_vec(),
                follow,
                certain,
            },
            Effect::Runs {
                first,
                end,
                root,
                tested,
                follow,
                in_directory,
                appended,
            } => Self::Runs {
                first,
                end,
                root,
                tested,
                follow,
                in_directory,
                appended,
            },
            Effect::Shell { text, directory } => Self::Shell { text, directory },
            Effect::Unknown { act, why } => Self::Unknown { act, why },
        }
    }
}
