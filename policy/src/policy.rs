//! A policy as everybody sees it: a view over the text in which it travels.

use core::fmt;

use crate::{Act, By, Canonical, Kind, Rule};

/// A policy, parsed once and judged by many times. Copies are cheap: it is a view.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    text: &'a [u8],
}

/// A text that is no policy: cut short, altered, or of another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt;

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// The object that would be lost.
    pub path: Canonical<'s>,
    /// What happens to it.
    pub act: Act,
    /// On whose word.
    pub by: By,
    /// What it is; `None` if it is not known or does not exist.
    pub kind: Option<Kind>,
}

/// The answer.
#[must_use = "a verdict that nobody reads protects nothing"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement<'p> {
    /// It may happen.
    Allow(Ground<'p>),
    /// It must not happen.
    Refuse {
        /// Which rule refuses.
        rule: Rule,
        /// The pattern, floor path or message that decided; empty where nothing matched.
        by: &'p [u8],
    },
}

/// Why something is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground<'p> {
    /// An entry of the policy: its kind is one of the `Allow…` or `State…` kinds.
    Entry(Entry<'p>),
    /// Nothing can be lost by it.
    Harmless,
}

/// One entry of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'p> {
    /// What it does.
    pub kind: EntryKind,
    /// Its pattern, or the name of a preset.
    pub pattern: &'p [u8],
}

/// What an entry does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Part of the default scope.
    AllowDefault,
    /// `allow` in the project file.
    AllowProject,
    /// `allow` in the user file.
    AllowUser,
    /// `deny` in either file.
    Deny,
    /// The repository's own files, which git manages.
    StateRepository,
    /// `state` in the project file.
    StateProject,
    /// `state` in the user file.
    StateUser,
    /// A line of a preset.
    StatePreset,
    /// A file of the guard itself.
    Guard,
    /// An `allow` or `state` line of a project file that nobody has trusted: it does not count.
    Untrusted,
    /// A preset that is on; the pattern is its name.
    Preset,
}

/// Whether a deny line matches something below a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below<'p> {
    /// None does.
    No,
    /// This one names a place below the path.
    Certain(&'p [u8]),
    /// This one may match something below it: only the disk can tell (`deny **/*.pem`).
    Possible(&'p [u8]),
}

/// Version of the rules and hash of the effective scope; printed as `1+3fb2c1d0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyId(u32);

impl fmt::Display for PolicyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:08x}", crate::contract::RULES_VERSION, self.0)
    }
}

impl<'a> Policy<'a> {
    /// Takes a text, checks every byte of it once and remembers where each kind of entry begins.
    pub fn parse(text: &'a [u8]) -> Result<Self, Corrupt> {
        let _skeleton = Self { text };
        Err(Corrupt)
    }

    /// The text, as it travels.
    #[must_use]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Judges one act.
    pub fn judge(&self, _subject: &Subject<'_>) -> Judgement<'a> {
        Judgement::Refuse {
            rule: Rule::PolicyInDoubt,
            by: b"",
        }
    }

    /// The name of the policy.
    #[must_use]
    pub fn id(&self) -> PolicyId {
        PolicyId(0)
    }

    /// The project root, if there is one.
    #[must_use]
    pub fn project(&self) -> Option<Canonical<'a>> {
        None
    }

    /// The directory the session began in; empty if it was not known.
    #[must_use]
    pub fn start(&self) -> &'a [u8] {
        b""
    }

    /// The homes: `$HOME` first.
    pub fn homes(&self) -> impl Iterator<Item = Canonical<'a>> {
        core::iter::empty()
    }

    /// How many names a glob may expand to.
    #[must_use]
    pub fn glob_breadth(&self) -> u32 {
        0
    }

    /// When the session began: seconds and nanoseconds of the realtime clock. What was born later is newborn.
    #[must_use]
    pub fn session_start(&self) -> (i64, u32) {
        (0, 0)
    }

    /// Why the policy cannot be relied on, as `path:line: message`. Every destructive act is refused then.
    #[must_use]
    pub fn doubt(&self) -> Option<&'a [u8]> {
        None
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> Option<Canonical<'a>> {
        None
    }

    /// Every entry, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> {
        core::iter::empty()
    }

    /// Whether a deny line matches something strictly below `path`.
    #[must_use]
    pub fn denies_below(&self, _path: Canonical<'_>) -> Below<'a> {
        Below::Possible(b"")
    }

    /// The untrusted line that would have allowed `path`.
    #[must_use]
    pub fn untrusted(&self, _path: Canonical<'_>) -> Option<&'a [u8]> {
        None
    }
}
