//! Removing a name.

use super::{Deed, End, Guard, Name, Stop, refused};
use crate::{Act, Kind};

/// How a name is to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// `unlink`
    Unlink,
    /// `rmdir`
    Rmdir,
    /// `remove`: whichever fits.
    Either,
}

impl<'p> Guard<'_, 'p> {
    /// Whether a name may be removed.
    #[inline]
    pub fn remove<N: Name>(&self, name: &N, removal: Removal) -> Result<(), Stop<'p, N::Error>> {
        match self.judge(name.place(), Act::Remove, None) {
            None => Ok(()),
            Some(_) => self.remove_refused(name, removal),
        }
    }

    #[cold]
    #[inline(never)]
    fn remove_refused<N: Name>(
        &self,
        name: &N,
        removal: Removal,
    ) -> Result<(), Stop<'p, N::Error>> {
        // A name that does not exist keeps its error.
        let kind = name.kind().map_err(Stop::Fails)?;
        let deed = match (kind == Kind::Directory, removal) {
            (true, Removal::Unlink) => return Err(Stop::IsDirectory),
            (false, Removal::Rmdir) => return Err(Stop::NotDirectory),
            (true, _) => Deed::RMDIR,
            (false, _) => Deed::UNLINK,
        };
        let Some(refusal) = self.judge(name.place(), Act::Remove, Some(kind)) else {
            return Ok(());
        };
        if kind == Kind::Directory && name.holds_something() {
            return Err(Stop::NotEmpty);
        }
        if self.is_exempt(refusal, name) {
            return Ok(());
        }
        Err(refused(deed, End::Source, refusal))
    }
}
