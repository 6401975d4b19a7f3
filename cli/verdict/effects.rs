//! From what a reader found to the paths that are judged.

use blastradius_policy::{
    Act, Fs, Kind,
    programs::{self, Directory, Follow, Piece, Spelled, Target as Taken},
};

use super::{
    Court, Given,
    aim::{self, Aim, Base},
    globs,
    owned::Owned,
    wording,
};
use crate::{
    interp::{Field, State, Text},
    report::Target,
};

impl Court<'_> {
    pub(super) fn effect(
        &mut self,
        effect: &Owned,
        given: &Given<'_>,
        swept: &mut globs::Seen,
    ) -> Vec<Target> {
        let (fields, state) = (given.fields, given.state);
        match effect {
            Owned::Path { certain, .. }
            | Owned::Into { certain, .. }
            | Owned::Here { certain, .. }
                if !*certain && self.leaves_unknown() =>
            {
                Vec::new()
            }
            Owned::Path {
                act, path, follow, ..
            } => {
                let Some(field) = fields.get(path.piece.index) else {
                    return Vec::new();
                };
                if let Some(glob) = &field.glob
                    && swept.is_judged(glob, *act)
                {
                    return Vec::new();
                }
                let base = self.base(path.directory, fields, state);
                let aim = Aim::piece(field, path.piece, base, follows(*follow), state);
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
            } => {
                let collision = (given.name == b"mv" && *act == Act::Replace)
                    .then(|| self.move_onto_moved(*name, *inside, *target, given))
                    .flatten();
                let aim = self.destination(*name, *inside, *target, given);
                collision
                    .or_else(|| self.judge(*act, &aim?, swept))
                    .into_iter()
                    .collect()
            }
            Owned::Parents { act, path } => {
                let Some(field) = fields.get(path.piece.index) else {
                    return Vec::new();
                };
                let base = self.base(path.directory, fields, state);
                let whole = Aim::piece(field, path.piece, base.clone(), false, state);
                parents(&whole.text)
                    .into_iter()
                    .filter_map(|parent| {
                        let aim = Aim::of(field, Text::known(parent), base.clone(), false, state);
                        self.judge(*act, &aim, swept)
                    })
                    .collect()
            }
            Owned::Here {
                act,
                directory,
                below,
                follow,
                ..
            } => {
                let base = self.base(*directory, fields, state);
                let text = if below.is_empty() {
                    Text::known(*b".")
                } else {
                    Text::known(below.clone())
                };
                let shown = Field {
                    spelled: below.as_slice().into(),
                    ..Field::default()
                };
                let aim = Aim::of(&shown, text, base, follows(*follow), state).below(*follow);
                self.judge(*act, &aim, swept).into_iter().collect()
            }
            Owned::Unknown { act, why } => self.unknown_effect(*act, *why, given),
            Owned::Runs { .. } | Owned::Shell { .. } => Vec::new(),
        }
    }

    fn unknown_effect(&self, act: Act, why: programs::Unknown, given: &Given<'_>) -> Vec<Target> {
        let spelled = given
            .vanished_spelled
            .first()
            .map_or(given.name, |spelled| spelled)
            .to_vec();
        let without_operands = why == programs::Unknown::NoOperands;
        if without_operands && !given.vanished.lost_nothing() {
            let mut trace = given.vanished.clone();
            trace.extend(&given.state.cwd_trace);
            return vec![wording::emptied(act, spelled, None, &trace)];
        }
        if without_operands && !given.vanished_spelled.is_empty() {
            // With `nullglob` a glob that matches nothing leaves nothing to do.
            let nothing = wording::without_targets(act, given.name, given.fields);
            return vec![Target {
                spelled,
                refusal: None,
                ..nothing
            }];
        }
        if self.leaves_unknown() {
            return Vec::new();
        }
        if without_operands {
            return vec![wording::without_targets(act, given.name, given.fields)];
        }
        let unknown = given
            .fields
            .iter()
            .find_map(|field| field.text.why_unknown());
        let why = unknown.map_or("an argument that decides what it does", |unknown| {
            &unknown.why
        });
        vec![wording::unresolvable(act, spelled, why)]
    }

    /// Where `mv a b dir/` puts `a`: `dir/a`, or `dir` itself.
    pub(super) fn destination(
        &self,
        name: Piece,
        inside: Option<Spelled>,
        target: Taken,
        given: &Given<'_>,
    ) -> Option<Aim> {
        let (fields, state) = (given.fields, given.state);
        let here = Base::of(&state.cwd);
        let source = fields.get(name.index)?;
        let component =
            aim::final_component(&Aim::piece(source, name, here.clone(), false, state).text);
        let Some(inside) = inside else {
            return Some(Aim::of(source, component, here, false, state));
        };
        let field = fields.get(inside.piece.index)?;
        let base = self.base(inside.directory, fields, state);
        let outer = Aim::piece(field, inside.piece, base.clone(), false, state);
        let is_directory = outer
            .resolve(&self.fs, target != Taken::NoLink)
            .is_some_and(|path| {
                let meta = self.fs.lstat(path.canonical().as_bytes());
                meta.is_ok_and(|meta| meta.kind == Kind::Directory)
            });
        let slash_or_unknown = outer.text.bytes().is_none_or(|bytes| bytes.ends_with(b"/"));
        let into = target == Taken::Directory || is_directory || slash_or_unknown;
        let mut text = outer.text;
        if into && !matches!(component.bytes(), Some(b"." | b".." | b"")) {
            text.push_bytes(b"/");
            text.append(&component);
        }
        Some(Aim::of(field, text, base, false, state))
    }

    /// Where a reader's relative paths begin.
    pub(super) fn base(&self, directory: Directory, fields: &[Field], state: &State) -> Base {
        let here = Base::of(&state.cwd);
        let named = |piece: Piece| match fields.get(piece.index) {
            Some(field) => here.joined(&Aim::piece(field, piece, here.clone(), false, state).text),
            None => here.clone(),
        };
        match directory {
            Directory::Current => here.clone(),
            Directory::Word(piece) => named(piece),
            Directory::TopLevel(None) => here.top_level(&self.fs),
            Directory::TopLevel(Some(piece)) => named(piece).top_level(&self.fs),
            Directory::Unresolved => Base::Unknown("a directory that is not known".into()),
        }
    }
}

fn follows(follow: Follow) -> bool {
    follow != Follow::No && follow != Follow::Never
}

/// The directories that a path itself names: `a/b` and `a` for `a/b/c`.
fn parents(path: &Text) -> Vec<Vec<u8>> {
    let trimmed = aim::trimmed(path);
    let mut rest = trimmed.bytes().unwrap_or_default();
    let mut parents = Vec::new();
    while let Some(slash) = rest.iter().rposition(|byte| *byte == b'/') {
        rest = &rest[..slash];
        if rest.is_empty() || rest == b"." {
            break;
        }
        parents.push(rest.to_vec());
    }
    parents
}
