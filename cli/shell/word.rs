//! Words.

use super::ast::{Dialect, DoubtKind, Piece, Word};
use super::cursor::is_meta;
use super::pieces::push;
use super::quote::Quoting;
use super::reader::{Read, Reader};

/// Bytes that unquoted text is not read past in one go: those that begin something, and those that end the text
/// of a subscript, a parameter or a pattern.
fn ends_run(byte: u8) -> bool {
    is_meta(byte)
        || matches!(
            byte,
            b'\\'
                | b'\''
                | b'"'
                | b'$'
                | b'`'
                | b'?'
                | b'*'
                | b'+'
                | b'@'
                | b'!'
                | b'}'
                | b'/'
                | b']'
                | b'['
                | b':'
        )
}

impl<'a> Reader<'a> {
    /// A word, which has to begin here.
    pub(super) fn word(&mut self) -> Read<Word> {
        let start = self.at;
        let mut pieces = Vec::with_capacity(1);
        if self.may_be_zsh() && self.looks_at(b"=(") {
            self.process(&mut pieces)?;
        }
        self.rest_of_word(start, pieces)
    }

    /// A word whose first pieces are read; without any it has to begin here.
    pub(super) fn rest_of_word(&mut self, start: usize, mut pieces: Vec<Piece>) -> Read<Word> {
        while !self.is_at_end() {
            self.tick()?;
            let byte = self.peek();
            let is_pattern =
                matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!') && self.peek_at(1) == b'(';
            let is_group =
                byte == b'(' && self.dialect == Dialect::Zsh && self.after_parentheses().is_none();
            if is_pattern || is_group {
                let length = if is_pattern { 2 } else { 1 };
                let opening = [byte, b'('];
                push(&mut pieces, &opening[..length], false);
                self.advance(length);
                self.group(&mut pieces)?;
                if self.may_be_zsh() {
                    self.doubt(DoubtKind::GlobQualifier, start);
                }
            } else if self.begins_process() {
                self.process(&mut pieces)?;
            } else if let Some(end) = self.numeric_range(self.at) {
                push(&mut pieces, &self.source[self.at..end], false);
                self.go_to(end);
            } else if is_meta(byte) {
                break;
            } else {
                self.word_step(&mut pieces)?;
            }
        }
        if self.at == start {
            return self.fail("a missing word");
        }
        Ok(Word {
            pieces,
            span: self.span_from(start),
        })
    }

    /// zsh's `<1-9>`: where it ends.
    pub(super) fn numeric_range(&self, start: usize) -> Option<usize> {
        if self.dialect != Dialect::Zsh || self.source.get(start) != Some(&b'<') {
            return None;
        }
        let rest = &self.source[start + 1..];
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'-')
            .count();
        let is_range = rest[..length].iter().filter(|byte| **byte == b'-').count() == 1;
        (is_range && rest.get(length) == Some(&b'>')).then_some(start + length + 2)
    }

    /// The rest of a pattern in parentheses: text, and what expands in it.
    fn group(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        self.deeper(|reader| {
            loop {
                reader.tick()?;
                if reader.is_at_end() {
                    return reader.fail("a pattern without )");
                }
                let byte = reader.peek();
                if reader.begins_process() {
                    reader.process(pieces)?;
                } else if is_meta(byte) {
                    push(pieces, &[byte], false);
                    reader.advance(1);
                    match byte {
                        b'(' => reader.group(pieces)?,
                        b')' => return Ok(()),
                        _ => {}
                    }
                } else {
                    reader.word_step(pieces)?;
                }
            }
        })
    }

    /// A quoted part, an expansion or a run of plain bytes.
    pub(super) fn word_step(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        match self.peek() {
            b'\\' => {
                match self.source.get(self.at + 1) {
                    Some(byte) => push(pieces, &[*byte], true),
                    None if self.dialect == Dialect::Zsh => push(pieces, b"", true),
                    None => push(pieces, b"\\", true),
                }
                self.go_to((self.at + 2).min(self.source.len()));
                Ok(())
            }
            b'\'' => self.single_quotes(pieces),
            b'"' => {
                self.advance(1);
                self.quoted_text(pieces, Quoting::Double)
            }
            b'$' => self.dollar(pieces, Quoting::None),
            b'`' => self.backticks(pieces, Quoting::None),
            _ => {
                let rest = &self.source[self.at..];
                let length = rest
                    .iter()
                    .skip(1)
                    .position(|byte| ends_run(*byte))
                    .map_or(rest.len(), |length| length + 1);
                push(pieces, &rest[..length], false);
                self.go_to(self.at + length);
                Ok(())
            }
        }
    }
}
