//! A policy as everybody sees it: a view over the text in which it travels.

use core::fmt;

use crate::figures::{Digits, number};
use crate::pattern::Pattern;
use crate::text::{Record, Sections};
use crate::{Act, By, Canonical, Kind, Preset, Rule};

/// A policy, parsed once and judged by many times. Copies are cheap: it is a view.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    text: &'a [u8],
    sections: Sections,
    id: PolicyId,
    project: Option<Canonical<'a>>,
    runtime_dir: Option<Canonical<'a>>,
    uid: u32,
    glob_breadth: u32,
    session_start: (i64, u32),
    session_number: Option<u64>,
    /// One bit a preset, in the order of [`Preset::ALL`].
    presets: u8,
}

/// A text that is no policy: cut short, altered, or of another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt;

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no policy of this version, or not as it was written")
    }
}

impl core::error::Error for Corrupt {}

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

impl PolicyId {
    /// The digits of both halves.
    #[must_use]
    pub const fn digits(self) -> (Digits, Digits) {
        let version = Digits::decimal(crate::contract::RULES_VERSION as u64);
        (version, Digits::hexadecimal(self.0))
    }
}

impl fmt::Display for PolicyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:08x}", crate::contract::RULES_VERSION, self.0)
    }
}

impl<'a> Policy<'a> {
    /// Takes a text, checks every byte of it once and remembers where each kind of entry begins.
    pub fn parse(text: &'a [u8]) -> Result<Self, Corrupt> {
        let (sections, hash) = Sections::read(text)?;
        let of = |kind| sections.of(text, kind);
        let single = |kind| {
            let mut all = of(kind);
            let first = all.next();
            if all.next().is_some() {
                Err(Corrupt)
            } else {
                Ok(first)
            }
        };
        let path = |kind| match single(kind)? {
            Some(bytes) => Canonical::new(bytes).map(Some).ok_or(Corrupt),
            None => Ok(None),
        };
        let figure = |kind| {
            let value = single(kind)?.and_then(number).ok_or(Corrupt)?;
            u32::try_from(value).map_err(|_| Corrupt)
        };
        let mut presets = 0;
        for name in of(Record::Preset) {
            presets |= 1 << Preset::from_name(name).ok_or(Corrupt)? as u8;
        }
        let policy = Self {
            text,
            sections,
            id: PolicyId(hash),
            project: path(Record::Project)?,
            runtime_dir: path(Record::RuntimeDir)?,
            uid: figure(Record::Uid)?,
            glob_breadth: figure(Record::GlobBreadth)?,
            session_start: single(Record::SessionStart)?
                .and_then(instant)
                .ok_or(Corrupt)?,
            session_number: match single(Record::SessionNumber)? {
                Some(digits) => Some(hexadecimal(digits).ok_or(Corrupt)?),
                None => None,
            },
            presets,
        };
        path(Record::Start)?;
        path(Record::Log)?;
        single(Record::Doubt)?;
        let paths = [Record::Home, Record::Guard, Record::Repository];
        if !paths
            .into_iter()
            .flat_map(of)
            .all(|bytes| Canonical::new(bytes).is_some())
        {
            return Err(Corrupt);
        }
        if !PATTERNS
            .into_iter()
            .flat_map(|(kind, _)| of(kind))
            .all(|bytes| Pattern::parse(bytes).is_some())
        {
            return Err(Corrupt);
        }
        Ok(policy)
    }

    /// The text, as it travels.
    #[must_use]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The name of the policy.
    #[must_use]
    pub const fn id(&self) -> PolicyId {
        self.id
    }

    /// The project root, if there is one.
    #[must_use]
    pub const fn project(&self) -> Option<Canonical<'a>> {
        self.project
    }

    /// The directory the session began in; empty if it was not known.
    #[must_use]
    pub fn start(&self) -> &'a [u8] {
        self.records(Record::Start).next().unwrap_or(b"")
    }

    /// The homes: `$HOME` first.
    pub fn homes(&self) -> impl Iterator<Item = Canonical<'a>> + use<'a> {
        self.paths(Record::Home)
    }

    /// How many names a glob may expand to.
    #[must_use]
    pub const fn glob_breadth(&self) -> u32 {
        self.glob_breadth
    }

    /// When the session began: seconds and nanoseconds of the realtime clock. What was born later is newborn.
    #[must_use]
    pub const fn session_start(&self) -> (i64, u32) {
        self.session_start
    }

    /// The number that tells the kernel layer which calls the library has judged; None where that layer is not on.
    /// It is no secret from what runs in the session.
    #[must_use]
    pub const fn session_number(&self) -> Option<u64> {
        self.session_number
    }

    /// The text with this session number in it.
    #[cfg(any(test, feature = "std"))]
    #[must_use]
    pub fn text_with_session_number(&self, number: u64) -> Vec<u8> {
        crate::text::with_session_number(self.text, &self.sections, number)
    }

    /// Whether `blastradius run` began the session, and not a process that had nothing but the library.
    #[must_use]
    pub fn is_launched(&self) -> bool {
        self.records(Record::Launched).next().is_some()
    }

    /// Why the policy cannot be relied on, as `path:line: message`. Every destructive act is refused then.
    #[must_use]
    pub fn doubt(&self) -> Option<&'a [u8]> {
        self.records(Record::Doubt).next()
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> Option<Canonical<'a>> {
        self.paths(Record::Log).next()
    }

    /// Whether a preset is on.
    #[must_use]
    pub const fn is_on(&self, preset: Preset) -> bool {
        self.presets & (1 << preset as u8) != 0
    }

    /// Every entry, kind by kind.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> {
        let presets = self.records(Record::Preset).map(|pattern| Entry {
            kind: EntryKind::Preset,
            pattern,
        });
        let guards = self.records(Record::Guard).map(|pattern| Entry {
            kind: EntryKind::Guard,
            pattern,
        });
        let patterns = PATTERNS.into_iter().flat_map(|(record, kind)| {
            self.patterns(record).map(move |pattern| Entry {
                kind,
                pattern: pattern.text(),
            })
        });
        patterns.chain(presets).chain(guards)
    }

    /// The untrusted line that would have allowed `path`.
    #[must_use]
    pub fn untrusted(&self, path: Canonical<'_>) -> Option<&'a [u8]> {
        let line = self
            .patterns(Record::Untrusted)
            .find(|pattern| pattern.holds(path))?;
        Some(line.text())
    }

    pub(crate) fn records(&self, kind: Record) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.sections.of(self.text, kind)
    }

    /// Records that `parse` has found to be paths.
    pub(crate) fn paths(&self, kind: Record) -> impl Iterator<Item = Canonical<'a>> + use<'a> {
        self.records(kind).map(Canonical::assume)
    }

    /// Records that `parse` has found to be patterns.
    pub(crate) fn patterns(&self, kind: Record) -> impl Iterator<Item = Pattern<'a>> + use<'a> {
        self.records(kind).filter_map(Pattern::view)
    }

    pub(crate) const fn uid(&self) -> u32 {
        self.uid
    }

    pub(crate) const fn runtime_dir(&self) -> Option<Canonical<'a>> {
        self.runtime_dir
    }
}

/// The records that hold patterns, and what a person calls them.
const PATTERNS: [(Record, EntryKind); 8] = [
    (Record::AllowDefault, EntryKind::AllowDefault),
    (Record::AllowProject, EntryKind::AllowProject),
    (Record::AllowUser, EntryKind::AllowUser),
    (Record::Deny, EntryKind::Deny),
    (Record::StateRepository, EntryKind::StateRepository),
    (Record::StateProject, EntryKind::StateProject),
    (Record::StateUser, EntryKind::StateUser),
    (Record::Untrusted, EntryKind::Untrusted),
];

/// Sixteen digits.
fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let value = |value: u64, &digit: &u8| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | u64::from(digit))
    };
    (digits.len() == 16).then(|| digits.iter().try_fold(0, value))?
}

/// Seconds, a dot, and nine digits of nanoseconds.
fn instant(text: &[u8]) -> Option<(i64, u32)> {
    let dot = text.iter().position(|&byte| byte == b'.')?;
    let (seconds, fraction) = (&text[..dot], &text[dot + 1..]);
    if fraction.len() != 9 || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let nanoseconds = fraction
        .iter()
        .fold(0, |value, &digit| value * 10 + u32::from(digit - b'0'));
    let seconds = match seconds {
        [b'-', digits @ ..] => i64::try_from(number(digits)?).ok()?.checked_neg()?,
        digits => i64::try_from(number(digits)?).ok()?,
    };
    Some((seconds, nanoseconds))
}
