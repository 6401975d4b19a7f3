//! Moving over the source. The cursor never rests on a line continuation: `\⏎` vanishes here.

use super::ast::{Dialect, Span};
use super::reader::{Place, Read, Reader};

/// Bytes that end an unquoted word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
    )
}

/// Bytes that begin a name.
pub(super) fn begins_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

/// Bytes of a name.
pub(super) fn in_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

impl<'a> Reader<'a> {
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    fn after_continuations(&self, mut at: usize) -> usize {
        while self.source[at.min(self.source.len())..].starts_with(b"\\\n") {
            at += 2;
        }
        at
    }

    pub(super) fn skip_continuations(&mut self) {
        self.at = self.after_continuations(self.at);
    }

    /// The byte here; NUL, which no source holds, at the end.
    pub(super) fn peek(&self) -> u8 {
        self.source.get(self.at).copied().unwrap_or(0)
    }

    /// The byte `ahead` bytes further, continuations not counted.
    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        let at = self.ahead(self.at, ahead);
        self.source.get(at).copied().unwrap_or(0)
    }

    /// The offset `count` bytes after `at`, continuations not counted.
    pub(super) fn ahead(&self, mut at: usize, count: usize) -> usize {
        for _ in 0..count {
            at = self.after_continuations((at + 1).min(self.source.len()));
        }
        at
    }

    pub(super) fn advance(&mut self, count: usize) {
        self.at = self.ahead(self.at, count);
    }

    /// Goes to an offset of the source.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
        self.skip_continuations();
    }

    /// Whether `text` stands here.
    pub(super) fn looks_at(&self, text: &[u8]) -> bool {
        self.stands_at(self.at, text)
    }

    /// Whether `text` stands at an offset.
    pub(super) fn stands_at(&self, mut at: usize, text: &[u8]) -> bool {
        for byte in text {
            if self.source.get(at) != Some(byte) {
                return false;
            }
            at = self.ahead(at, 1);
        }
        true
    }

    /// Takes `text` if it stands here.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let found = self.looks_at(text);
        if found {
            self.advance(text.len());
        }
        found
    }

    /// Takes bytes as long as they are wanted.
    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> Read<Vec<u8>> {
        let mut bytes = Vec::new();
        while !self.is_at_end() && wanted(self.peek()) {
            self.tick()?;
            bytes.push(self.peek());
            self.advance(1);
        }
        Ok(bytes)
    }

    /// The offset after blanks from here.
    pub(super) fn after_blanks(&self, mut at: usize) -> usize {
        while matches!(self.source.get(at), Some(b' ' | b'\t')) {
            at = self.ahead(at, 1);
        }
        at
    }

    /// Skips blanks, and a comment after them.
    pub(super) fn blanks(&mut self) {
        self.at = self.after_blanks(self.at);
        if self.peek() == b'#' {
            let rest = &self.source[self.at..];
            self.at += rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len());
        }
    }

    /// Skips newlines too, and with them the bodies of here-documents.
    pub(super) fn blank_lines(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if self.peek() != b'\n' {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// Takes a newline and the bodies of here-documents that begin after it.
    pub(super) fn newline(&mut self) -> Read<()> {
        self.tick()?;
        // The first line of a body is no place for continuations to vanish.
        self.at += 1;
        self.here_documents()?;
        self.skip_continuations();
        Ok(())
    }

    /// The range from `start` to here, in the whole string.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span_of(start, self.at.min(self.source.len()))
    }

    /// The range of a part of the source, in the whole string.
    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        match self.place {
            Place::Offset(offset) => Span {
                start: offset + start,
                end: offset + end,
            },
            Place::Within(span) => span,
        }
    }

    /// Where the source from `start` on stands in the whole string.
    pub(super) fn place_at(&self, start: usize) -> Place {
        match self.place {
            Place::Offset(offset) => Place::Offset(offset + start),
            within => within,
        }
    }

    /// Whether a command cannot go on here.
    pub(super) fn ends_command(&self) -> bool {
        self.is_at_end() || matches!(self.peek(), b'\n' | b';' | b'&' | b'|' | b')')
    }

    /// Whether a word cannot begin here.
    pub(super) fn is_between_words(&self) -> bool {
        let begins_group = self.dialect == Dialect::Zsh && self.peek() == b'(';
        self.is_at_end() || is_meta(self.peek()) && !self.begins_process() && !begins_group
    }

    /// `<(` and `>(`.
    pub(super) fn begins_process(&self) -> bool {
        matches!(self.peek(), b'<' | b'>') && self.peek_at(1) == b'('
    }
}
