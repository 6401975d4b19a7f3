//! Names that come into being without replacing anything: only the guard's own files have a say.

use super::{Deed, End, Guard, Name, Place, Refusal, Stop, refused};
use crate::{Act, Rule};

impl<'p> Guard<'_, 'p> {
    /// Whether a link may have that name: not that of a file of the guard, nor that of a directory above one, which
    /// would bring them all.
    pub fn new_name<N: Name>(&self, name: &N) -> Result<(), Stop<'p, N::Error>> {
        match self.on_guard(name.place(), Act::Replace) {
            // The kernel says that it exists.
            Some(_) if name.kind().is_ok() => Ok(()),
            Some(refusal) => Err(refused(Deed::REPLACE, End::Target, refusal)),
            None => Ok(()),
        }
    }

    /// Why a file must not have another name: it is one of the guard, which could be written by it.
    #[must_use]
    pub fn second_name(&self, place: Place<'_>) -> Option<Refusal<'p>> {
        self.on_guard(place, Act::Append)
    }

    fn on_guard(&self, place: Place<'_>, act: Act) -> Option<Refusal<'p>> {
        place.path?;
        self.judge(place, act, None)
            .filter(|refusal| refusal.rule == Rule::GuardFile)
    }
}
