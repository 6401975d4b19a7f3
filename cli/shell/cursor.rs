//! Where the reader stands, and what it may still spend.

use std::collections::BTreeMap;

use super::{
    ast::{Dialect, Doubt, DoubtKind, Span},
    heredoc::{Body, Pending},
};

/// Reader frames below one another.
const DEEPEST: u32 = 160;
/// Fuel a byte: measured need is below five.
const FUEL_PER_BYTE: usize = 24;
/// Fuel for the shortest strings.
const FUEL_AT_LEAST: usize = 4000;

/// Why reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fail {
    pub(super) at: usize,
    pub(super) message: &'static str,
}

pub(super) type Read<T> = Result<T, Fail>;

/// A position in a source, with everything that is needed to read on.
pub(super) struct Reader<'a> {
    pub(super) source: &'a [u8],
    pub(super) at: usize,
    /// Where the source ends for this reader.
    pub(super) end: usize,
    /// Added to every span: this source is a copy of a part of another.
    pub(super) base: usize,
    pub(super) dialect: Dialect,
    pub(super) depth: u32,
    pub(super) fuel: usize,
    pub(super) doubts: Vec<Doubt>,
    /// Here-documents whose bodies begin after the current line.
    pub(super) pending: Vec<Pending>,
    /// Bodies that an earlier pass has found, by the offset of their operator.
    pub(super) bodies: BTreeMap<usize, Body>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a [u8], dialect: Dialect) -> Self {
        Self {
            source,
            at: 0,
            end: source.len(),
            base: 0,
            dialect,
            depth: 0,
            fuel: source.len().saturating_mul(FUEL_PER_BYTE) + FUEL_AT_LEAST,
            doubts: Vec::new(),
            pending: Vec::new(),
            bodies: BTreeMap::new(),
        }
    }

    /// A reader of a copy of a part of this source.
    pub(super) fn of_copy<'b>(&self, copy: &'b [u8], from: usize) -> Reader<'b> {
        Reader {
            source: copy,
            at: 0,
            end: copy.len(),
            base: self.base + from,
            dialect: self.dialect,
            depth: self.depth,
            fuel: self.fuel,
            doubts: Vec::new(),
            pending: Vec::new(),
            bodies: BTreeMap::new(),
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<u8> {
        let at = self.at + offset;
        if at < self.end {
            self.source.get(at).copied()
        } else {
            None
        }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.source.get(self.at..self.end).unwrap_or_default()
    }

    pub(super) fn starts_with(&self, text: &[u8]) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn takes(&mut self, text: &[u8]) -> bool {
        let there = self.starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    pub(super) fn fail<T>(&self, message: &'static str) -> Read<T> {
        Err(Fail {
            at: self.at,
            message,
        })
    }

    pub(super) const fn span(&self, start: usize) -> Span {
        Span {
            start: self.base + start,
            end: self.base + self.at,
        }
    }

    pub(super) fn doubt(&mut self, start: usize, kind: DoubtKind) {
        let span = self.span(start);
        self.doubts.push(Doubt { span, kind });
    }

    /// Pays for one step.
    pub(super) fn pay(&mut self) -> Read<()> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => self.fail("the command is too long to be read to its end"),
        }
    }

    /// Reads something that may hold its own kind.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return self.fail("the command is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Tries to read; where that fails nothing has happened but that fuel was spent.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Option<T> {
        let (at, depth, doubts, pending) =
            (self.at, self.depth, self.doubts.len(), self.pending.len());
        match read(self) {
            Ok(value) => Some(value),
            Err(_) => {
                self.at = at;
                self.depth = depth;
                self.doubts.truncate(doubts);
                self.pending.truncate(pending);
                None
            }
        }
    }

    /// Skips line continuations.
    pub(super) fn continuations(&mut self) {
        while self.takes(b"\\\n") {}
    }

    /// Skips blanks, line continuations and a comment.
    pub(super) fn blanks(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    let rest = self.rest();
                    self.at += rest
                        .iter()
                        .position(|byte| *byte == b'\n')
                        .unwrap_or(rest.len());
                }
                _ => return Ok(()),
            }
            self.pay()?;
        }
    }

    /// Skips blanks and line breaks; the bodies of here-documents begin after a line break.
    pub(super) fn newlines(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    pub(super) fn newline(&mut self) -> Read<()> {
        self.at += 1;
        self.pay()?;
        self.skip_bodies()
    }
}

/// Whether a byte ends an unquoted word.
pub(super) const fn ends_word(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}
