//! The text in which a policy travels: what may be written into it, and how it is read back.
//!
//! ```text
//! blastradius1 3fb2c1d0 t20:1764547200.000000000s14:/home/dev/projh9:/home/dev...z0:
//! ```
//!
//! A header with the version of the rules and a hash, then records: a letter, the length of what follows the
//! colon, and that many bytes. A path may hold any byte but NUL, so nothing is escaped and nothing in a path
//! can be taken for a record. The kinds come in one fixed order, which puts all records of a kind side by
//! side; an end mark shows that nothing was cut off. The hash covers everything from the first record of
//! [`Record::Home`] on: the effective scope, but not when and where a session began.

use crate::contract::{POLICY_MAX, RULES_VERSION};
use crate::discover::Overflow;
use crate::figures::{Digits, number};
use crate::policy::Corrupt;

const MAGIC: &[u8] = b"blastradius";
const HASH_DIGITS: usize = 8;

/// The kinds of record, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Record {
    SessionStart,
    SessionNumber,
    Launched,
    Start,
    Home,
    RuntimeDir,
    Uid,
    Project,
    Doubt,
    GlobBreadth,
    Preset,
    Guard,
    Log,
    Repository,
    AllowDefault,
    AllowProject,
    AllowUser,
    Deny,
    StateRepository,
    StateProject,
    StateUser,
    Untrusted,
    End,
}

impl Record {
    pub(crate) const COUNT: usize = 23;
    const LETTERS: &'static [u8; Self::COUNT] = b"tywshrupxbeglcajvdikmnz";

    const fn letter(self) -> u8 {
        Self::LETTERS[self as usize]
    }

    fn position(letter: u8) -> Option<usize> {
        Self::LETTERS.iter().position(|&known| known == letter)
    }
}

/// Room for the text of one policy.
#[derive(Clone)]
pub struct PolicyText {
    bytes: [u8; POLICY_MAX],
    length: usize,
}

impl PolicyText {
    /// Holds nothing, which is no policy.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bytes: [0; POLICY_MAX],
            length: 0,
        }
    }

    /// The text, without NUL bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Begins anew, with a header whose hash is still to come.
    pub(crate) fn begin(&mut self) -> Result<(), Overflow> {
        self.length = 0;
        self.push(MAGIC)?;
        self.push(Digits::decimal(RULES_VERSION.into()).as_bytes())?;
        self.push(b" 00000000 ")
    }

    /// Adds a record made of `parts`.
    pub(crate) fn record(&mut self, kind: Record, parts: &[&[u8]]) -> Result<(), Overflow> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.push(&[kind.letter()])?;
        self.push(Digits::decimal(length as u64).as_bytes())?;
        self.push(b":")?;
        parts.iter().try_for_each(|part| self.push(part))
    }

    /// Adds the end mark and puts the hash into the header.
    pub(crate) fn finish(&mut self) -> Result<(), Overflow> {
        self.record(Record::End, &[])?;
        let sections = Sections::locate(self.as_bytes()).map_err(|Corrupt| Overflow)?;
        let hash = sections.hash(self.as_bytes());
        self.bytes[hash_place()].copy_from_slice(Digits::hexadecimal(hash).as_bytes());
        Ok(())
    }

    /// What has been written of one kind so far.
    pub(crate) fn written(&self, kind: Record) -> impl Iterator<Item = &[u8]> {
        Records(&self.as_bytes()[header_length()..])
            .filter(move |(letter, _)| *letter == kind.letter())
            .map(|(_, payload)| payload)
    }

    fn push(&mut self, part: &[u8]) -> Result<(), Overflow> {
        let end = self.length + part.len();
        self.bytes
            .get_mut(self.length..end)
            .ok_or(Overflow)?
            .copy_from_slice(part);
        self.length = end;
        Ok(())
    }
}

impl Default for PolicyText {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the version's digits end.
fn version_end() -> usize {
    MAGIC.len() + RULES_VERSION.ilog10() as usize + 1
}

fn hash_place() -> core::ops::Range<usize> {
    let start = version_end() + 1;
    start..start + HASH_DIGITS
}

fn header_length() -> usize {
    hash_place().end + 1
}

/// Where each kind begins in a text. `starts[kind]` to `starts[kind + 1]` are the records of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    starts: [u16; Record::COUNT + 1],
}

impl Sections {
    /// Checks the header, the shape and the order of the records, and the end mark.
    fn locate(text: &[u8]) -> Result<Self, Corrupt> {
        if text.len() > POLICY_MAX || text.contains(&0) {
            return Err(Corrupt);
        }
        let version = text.strip_prefix(MAGIC).ok_or(Corrupt)?;
        if number(version.get(..version_end() - MAGIC.len()).ok_or(Corrupt)?)
            != Some(u64::from(RULES_VERSION))
            || text.get(version_end()) != Some(&b' ')
            || text.get(hash_place().end) != Some(&b' ')
        {
            return Err(Corrupt);
        }
        let mut starts = [0; Record::COUNT + 1];
        let mut records = Records(text.get(header_length()..).ok_or(Corrupt)?);
        // How many kinds have begun; the last of them may go on.
        let mut begun = 0;
        loop {
            let at = u16::try_from(text.len() - records.0.len()).map_err(|_| Corrupt)?;
            let length = records.0.get(1..).unwrap_or(b"");
            let (letter, payload) = records.next().ok_or(Corrupt)?;
            // One way to write it: no signs, no leading zeros.
            if !length.starts_with(Digits::decimal(payload.len() as u64).as_bytes()) {
                return Err(Corrupt);
            }
            let kind = Record::position(letter).ok_or(Corrupt)?;
            if kind + 1 < begun {
                return Err(Corrupt);
            }
            if kind + 1 > begun {
                starts[begun..=kind].fill(at);
                begun = kind + 1;
            }
            if kind == Record::End as usize {
                starts[Record::COUNT] = u16::try_from(text.len()).map_err(|_| Corrupt)?;
                let whole = payload.is_empty() && records.0.is_empty();
                return if whole {
                    Ok(Self { starts })
                } else {
                    Err(Corrupt)
                };
            }
        }
    }

    /// As [`Self::locate`], and checks the hash.
    pub(crate) fn read(text: &[u8]) -> Result<(Self, u32), Corrupt> {
        let sections = Self::locate(text)?;
        let hash = sections.hash(text);
        if text.get(hash_place()) == Some(Digits::hexadecimal(hash).as_bytes()) {
            Ok((sections, hash))
        } else {
            Err(Corrupt)
        }
    }

    /// What the records of one kind hold.
    #[inline]
    pub(crate) fn of<'a>(
        &self,
        text: &'a [u8],
        kind: Record,
    ) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let kind = kind as usize;
        let range = usize::from(self.starts[kind])..usize::from(self.starts[kind + 1]);
        // Both ends are record boundaries of a text that `locate` has walked.
        Records(text.get(range).unwrap_or(b"")).map(|(_, payload)| payload)
    }

    /// FNV-1a over the effective scope.
    fn hash(&self, text: &[u8]) -> u32 {
        let scope = &text[usize::from(self.starts[Record::Home as usize])..];
        scope.iter().fold(0x811c_9dc5, |hash: u32, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
    }
}

/// A text with another session number, or its first, in it: the hash does not cover it.
#[cfg(any(test, feature = "std"))]
pub(crate) fn with_session_number(text: &[u8], sections: &Sections, number: u64) -> Vec<u8> {
    let at = |kind: Record| usize::from(sections.starts[kind as usize]);
    let (before, after) = (at(Record::SessionNumber), at(Record::Launched));
    let digits = std::format!("{number:016x}");
    let letter = Record::SessionNumber.letter();
    let mut whole = text[..before].to_vec();
    whole.extend([letter, b'1', b'6', b':']);
    whole.extend(digits.as_bytes());
    whole.extend(&text[after..]);
    whole
}

/// Reads records off the front of a text; ends where no whole record is left.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = (u8, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (&letter, mut rest) = self.0.split_first()?;
        let mut length = 0;
        // Records are walked for each call that is judged: how the length is written was checked once.
        loop {
            let (&digit, after) = rest.split_first()?;
            rest = after;
            match digit {
                b'0'..=b'9' if length <= POLICY_MAX => {
                    length = length * 10 + usize::from(digit - b'0')
                }
                b':' => break,
                _ => return None,
            }
        }
        let (payload, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((letter, payload))
    }
}

#[cfg(test)]
mod tests;
