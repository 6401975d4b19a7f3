//! Files that one string moves onto each other: `for f in *; do mv "$f" ../nowhere; done`.

use blastradius_policy::{
    Act, Rule,
    programs::{Piece, Spelled, Target as Taken},
};

use super::{
    Court, Given,
    aim::{Aim, Base},
    wording,
};
use crate::{
    interp::Move,
    report::{Evidence, Target},
};

impl Court<'_> {
    /// Whether `mv` would replace a file that this string has moved there from elsewhere, to a name that nothing
    /// had. Keeps the move for those that come after it.
    pub(super) fn move_onto_moved(
        &mut self,
        name: Piece,
        inside: Option<Spelled>,
        taken: Taken,
        given: &Given<'_>,
    ) -> Option<Target> {
        let here = Base::of(&given.state.cwd);
        let source = Aim::piece(
            given.fields.get(name.index)?,
            name,
            here,
            false,
            given.state,
        );
        let source = source.resolve(&self.fs, false)?;
        let aim = self.destination(name, inside, taken, given)?;
        let target = aim.resolve(&self.fs, false)?;
        let disk = self.fs.before();
        if disk.lstat(source.as_bytes()).is_err() || disk.lstat(target.as_bytes()).is_ok() {
            return None;
        }
        let occupant = self.fs.changes().occupant(target.as_bytes());
        if let Some(first) = occupant.filter(|first| first.source != source.as_bytes()) {
            let first = wording::shown(&first.source);
            let reason = format!("{first} was moved to that name before: it would be replaced");
            let mut refusal = wording::refusal(Rule::SelfOverwrite, vec![reason]);
            "make the directory first, or give each file a name of its own (mv -n keeps the first)"
                .clone_into(&mut refusal.instead);
            let resolved = Some(target.as_bytes().to_vec());
            return Some(wording::target(
                Act::Replace,
                &aim,
                resolved,
                Some(refusal),
                Evidence::default(),
            ));
        }
        self.moves.push(Move {
            source: source.as_bytes().to_vec(),
            target: target.as_bytes().to_vec(),
        });
        None
    }
}
