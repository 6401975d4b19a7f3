//! Moving a name, perhaps over another.

use super::{Deed, End, Guard, Name, Refusal, Stop, refused};
use crate::{Act, Below, Canonical, Kind, Rule};

/// How a name is to be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Both names are exchanged.
    pub swaps: bool,
    /// Nothing may be replaced.
    pub keeps: bool,
}

/// What a rename needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rename {
    /// It may be made as it was asked for.
    AsAsked,
    /// The target may come into being, but must not replace anything.
    NoReplace,
}

impl<'p> Guard<'_, 'p> {
    /// Whether `from` may be moved to `to`.
    #[inline]
    pub fn rename<N: Name>(
        &self,
        from: &N,
        to: &N,
        flags: Flags,
    ) -> Result<Rename, Stop<'p, N::Error>> {
        self.move_away(from, to, End::Source)?;
        if flags.swaps {
            self.move_away(to, from, End::Target)?;
            self.replace(from, to, End::Source)?;
        }
        if !flags.keeps {
            return self.replace(to, from, End::Target);
        }
        match self.judge(to.place(), Act::Replace, None) {
            Some(refusal) => create(End::Target, refusal),
            None => Ok(Rename::AsAsked),
        }
    }

    /// The refusal where a target has appeared after it was looked at; None if it may be replaced.
    #[must_use]
    pub fn replace_appeared(&self, name: &impl Name) -> Option<Refusal<'p>> {
        self.judge(name.place(), Act::Replace, None)
    }

    #[inline]
    fn move_away<N: Name>(&self, name: &N, to: &N, end: End) -> Result<(), Stop<'p, N::Error>> {
        match self.judge(name.place(), Act::MoveAway, None) {
            None => self.move_contents(name, end),
            Some(_) => self.move_away_refused(name, to, end),
        }
    }

    #[cold]
    #[inline(never)]
    fn move_away_refused<N: Name>(
        &self,
        name: &N,
        to: &N,
        end: End,
    ) -> Result<(), Stop<'p, N::Error>> {
        let kind = name.kind().map_err(Stop::Fails)?;
        match self.judge(name.place(), Act::MoveAway, Some(kind)) {
            Some(refusal) if self.is_exempt(refusal, name) => Ok(()),
            Some(refusal) if !self.moves_beside(refusal, name, to, kind) => {
                Err(refused(Deed::RENAME, end, refusal))
            }
            _ => self.move_contents(name, end),
        }
    }

    /// Whether a name that must not leave its directory stays in it, where programs may put another file under that
    /// name: what had it is still there (gpg's `pubring.kbx~`).
    fn moves_beside<N: Name>(&self, refusal: Refusal<'p>, name: &N, to: &N, kind: Kind) -> bool {
        let (from, to) = (name.place(), to.place());
        let directory = from.path.and_then(Canonical::parent);
        refusal.rule == Rule::OutOfScope
            && directory.is_some()
            && directory == to.path.and_then(Canonical::parent)
            && self.judge(from, Act::Replace, Some(kind)).is_none()
    }

    fn move_contents<N: Name>(&self, name: &N, end: End) -> Result<(), Stop<'p, N::Error>> {
        match self.denied_below(name) {
            None => Ok(()),
            Some(refusal) => Err(refused(Deed::RENAME, end, refusal)),
        }
    }

    /// The refusal that something below a directory calls for. Most deny lines name a place, which the policy
    /// knows to lie below a path; those that begin with `**` may match anywhere, and only the disk can tell.
    #[inline]
    fn denied_below(&self, name: &impl Name) -> Option<Refusal<'p>> {
        match self.0?.denies_below(name.place().path?) {
            Below::Possible(by) if name.holds_denied(*self) => Some(Refusal {
                rule: Rule::Denied,
                by,
            }),
            _ => None,
        }
    }

    /// Whether `name` may be replaced by `from`.
    #[inline]
    fn replace<N: Name>(&self, name: &N, from: &N, end: End) -> Result<Rename, Stop<'p, N::Error>> {
        match self.judge(name.place(), Act::Replace, None) {
            None => Ok(Rename::AsAsked),
            Some(refusal) => self.replace_refused(name, from, end, refusal),
        }
    }

    #[cold]
    #[inline(never)]
    fn replace_refused<N: Name>(
        &self,
        name: &N,
        from: &N,
        end: End,
        if_missing: Refusal<'p>,
    ) -> Result<Rename, Stop<'p, N::Error>> {
        // Nothing can be replaced by nothing.
        from.kind().map_err(Stop::Fails)?;
        let kind = match name.kind() {
            // A new name replaces nothing.
            Err(error) if N::is_missing(&error) => return create(end, if_missing),
            kind => kind.map_err(Stop::Fails)?,
        };
        match self.judge(name.place(), Act::Replace, Some(kind)) {
            Some(refusal) if !self.is_exempt(refusal, name) => {
                Err(refused(Deed::REPLACE, end, refusal))
            }
            _ => Ok(Rename::AsAsked),
        }
    }
}

/// Whether a new name may come into being where replacing is refused: not the guard's own files, nor a directory
/// that brings them.
#[cold]
fn create<'p, E>(end: End, refusal: Refusal<'p>) -> Result<Rename, Stop<'p, E>> {
    if refusal.rule == Rule::GuardFile {
        return Err(refused(Deed::REPLACE, end, refusal));
    }
    Ok(Rename::NoReplace)
}
