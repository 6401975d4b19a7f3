//! Quotes.

use super::ast::{Dialect, DoubtKind, Piece};
use super::escape;
use super::pieces::push;
use super::reader::{Read, Reader};

/// What text stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Nothing.
    None,
    /// Double quotes.
    Double,
    /// The body of a here-document.
    Document,
}

impl Reader<'_> {
    /// `'...'`.
    pub(super) fn single_quotes(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let start = self.at + 1;
        let Some(length) = self.length_to_quote(start) else {
            return self.fail("an unterminated '");
        };
        push(pieces, &self.source[start..start + length], true);
        self.go_to(start + length + 1);
        Ok(())
    }

    /// How many bytes lie before the next single quote.
    pub(super) fn length_to_quote(&self, start: usize) -> Option<usize> {
        let rest = self.source.get(start..)?;
        rest.iter().position(|byte| *byte == b'\'')
    }

    /// How many bytes lie before the next single quote without a backslash.
    pub(super) fn length_to_ansi_quote(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.source.get(at)? {
                b'\'' => return Some(at - start),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    }

    /// `$'...'`, which dash does not know: there it is `$` and then quotes.
    pub(super) fn ansi_quotes(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let opening = self.at;
        let start = self.ahead(self.at, 1) + 1;
        let length = self.length_to_ansi_quote(start);
        let plain = self.length_to_quote(start);
        if self.may_be_sh() && length != plain {
            self.doubt_to_end(DoubtKind::EscapedQuote, opening);
        }
        if self.dialect == Dialect::Sh {
            push(pieces, b"$", false);
            self.advance(1);
            self.single_quotes(pieces)?;
            self.doubt(DoubtKind::EscapedQuote, opening);
            return Ok(());
        }
        let Some(length) = length else {
            return self.fail("an unterminated $'");
        };
        let text = &self.source[start..start + length];
        push(pieces, &escape::decode(text), true);
        self.go_to(start + length + 1);
        Ok(())
    }

    /// The rest of a text in double quotes and its closing quote, or the whole body of a here-document.
    pub(super) fn quoted_text(&mut self, pieces: &mut Vec<Piece>, quoting: Quoting) -> Read<()> {
        let is_document = quoting == Quoting::Document;
        self.deeper(|reader| {
            if reader.peek() == b'"' && !is_document {
                push(pieces, b"", true);
            }
            while !reader.is_at_end() {
                reader.tick()?;
                match reader.peek() {
                    b'"' if !is_document => {
                        reader.advance(1);
                        return Ok(());
                    }
                    b'\\' => {
                        let next = reader.source.get(reader.at + 1).copied().unwrap_or(0);
                        let escapes =
                            matches!(next, b'$' | b'`' | b'\\') || next == b'"' && !is_document;
                        if escapes {
                            push(pieces, &[next], true);
                            reader.go_to(reader.at + 2);
                        } else {
                            push(pieces, b"\\", true);
                            reader.advance(1);
                        }
                    }
                    b'$' => reader.dollar(pieces, quoting)?,
                    b'`' => reader.backticks(pieces, quoting)?,
                    _ => {
                        let rest = &reader.source[reader.at..];
                        let length = rest
                            .iter()
                            .position(|byte| {
                                matches!(byte, b'\\' | b'$' | b'`') || *byte == b'"' && !is_document
                            })
                            .unwrap_or(rest.len());
                        push(pieces, &rest[..length], true);
                        reader.go_to(reader.at + length);
                    }
                }
            }
            if is_document {
                Ok(())
            } else {
                reader.fail("an unterminated \"")
            }
        })
    }
}
