//! The verdict on one call, as both lower layers give it: the library from inside a process, the supervisor at
//! the kernel from outside. Each looks at the disk in its own way, behind [`Name`] and [`Object`]; what a look
//! means is decided here.
//!
//! The policy is asked first; only where it refuses does it matter whether anything would be lost.

mod deed;
mod link;
mod remove;
mod rename;
mod write;

pub use deed::{Deed, Refusal};
pub use remove::Removal;
pub use rename::{Flags, Rename};
pub use write::is_name_of_guard;

use crate::{Act, Below, By, Canonical, Judgement, Kind, Policy, Rule, Subject};

/// Where something is, as far as it can be known.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The canonical path; None if it is not known.
    pub path: Option<Canonical<'a>>,
    /// The deepest directory that is known, where directories are left out between it and the final component:
    /// the path is longer than the kernel can say.
    pub shortened_after: Option<Canonical<'a>>,
}

/// When something was born and last modified, by the realtime clock: seconds and nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Age {
    /// None: the file system does not know.
    pub birth: Option<(i64, u32)>,
    /// When its content was changed last.
    pub modified: (i64, u32),
    /// Seconds, when that was asked.
    pub asked: i64,
}

/// Something that may be lost.
pub trait Object {
    /// How old it is; None if that cannot be told.
    fn age(&self) -> Option<Age>;
    /// Whether it may lie on an overlay of file systems.
    fn may_be_on_overlay(&self) -> bool;
}

/// A name in a directory that is held.
pub trait Name: Object {
    /// What the kernel answers when a look fails.
    type Error;
    /// Where it is.
    fn place(&self) -> Place<'_>;
    /// What has the name, a final link not followed.
    fn kind(&self) -> Result<Kind, Self::Error>;
    /// Whether there is no such name.
    fn is_missing(error: &Self::Error) -> bool;
    /// Whether it is a directory that is certainly not empty.
    fn holds_something(&self) -> bool;
    /// Whether it is a directory that holds what is denied, or might: also one that cannot be read.
    fn holds_denied(&self, guard: Guard<'_, '_>) -> bool;
}

/// Why a call is not made.
#[derive(Clone, Copy, Debug)]
pub enum Stop<'p, E> {
    /// The kernel would answer this.
    Fails(E),
    /// The kernel would say that it is a directory.
    IsDirectory,
    /// The kernel would say that it is none.
    NotDirectory,
    /// The kernel would say that it is not empty.
    NotEmpty,
    /// The policy refuses.
    Refused {
        /// What would have happened.
        deed: Deed,
        /// To which name.
        end: End,
        /// Why it must not.
        refusal: Refusal<'p>,
    },
}

/// One of the two names of a call; a call with one name has a source alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What is removed, moved, or given another name.
    Source,
    /// Where it goes.
    Target,
}

const fn refused<'p, E>(deed: Deed, end: End, refusal: Refusal<'p>) -> Stop<'p, E> {
    Stop::Refused { deed, end, refusal }
}

/// The policy that calls are judged by; None if there is none that could be read.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'g, 'p>(pub Option<&'g Policy<'p>>);

impl<'p> Guard<'_, 'p> {
    /// Asks the policy. None: it may happen.
    #[inline]
    #[must_use]
    pub fn judge(&self, place: Place<'_>, act: Act, kind: Option<Kind>) -> Option<Refusal<'p>> {
        let Some(policy) = self.0 else {
            // Adding destroys nothing, whatever the policy says.
            return (act != Act::Append).then_some(Refusal {
                rule: Rule::PolicyInDoubt,
                by: b"BLASTRADIUS_POLICY holds no policy",
            });
        };
        let Some(path) = place.path else {
            return (act != Act::Append).then_some(Refusal {
                rule: Rule::UnresolvableTarget,
                by: b"",
            });
        };
        let subject = Subject {
            path,
            act,
            by: By::Program,
            kind,
        };
        if let Judgement::Refuse { rule, by } = policy.judge(&subject) {
            return Some(Refusal { rule, by });
        }
        match policy.denies_below(place.shortened_after?) {
            Below::No => None,
            Below::Certain(by) | Below::Possible(by) => Some(Refusal {
                rule: Rule::Denied,
                by,
            }),
        }
    }

    /// Whether something below a directory that is moved is denied, or may be.
    #[must_use]
    pub fn denies(&self, place: Place<'_>) -> bool {
        self.judge(place, Act::Remove, None)
            .is_some_and(|refusal| matches!(refusal.rule, Rule::Denied | Rule::UnresolvableTarget))
    }

    /// Whether what is refused is newborn: nothing that existed before the session is lost with it.
    #[must_use]
    pub fn is_exempt(&self, refusal: Refusal<'_>, object: &impl Object) -> bool {
        refusal.spares_newborn() && self.is_newborn(object)
    }

    /// Whether something was born after the session began. No birth time, no exemption. An overlay gives a file a
    /// new one when its mode is changed, and keeps what the content is dated: there both must be later.
    #[must_use]
    pub fn is_newborn(&self, object: &impl Object) -> bool {
        let (Some(policy), Some(age)) = (self.0, object.age()) else {
            return false;
        };
        let start = policy.session_start();
        // What is born later than now was born by another clock, and nobody knows when. Servers are ahead a little.
        const AHEAD_MAX: i64 = 60;
        let latest = age.asked.saturating_add(AHEAD_MAX);
        age.birth
            .is_some_and(|birth| birth > start && birth.0 <= latest)
            && (age.modified > start || !object.may_be_on_overlay())
    }
}

#[cfg(test)]
mod tests;
