//! The text of `((...))` and `$((...))`.

use super::ast::{Dialect, DoubtKind, Parameter, Piece, Span};
use super::cursor::is_meta;
use super::escape;
use super::pieces::push;
use super::quote::Quoting;
use super::reader::{Place, Read, Reader};

impl Reader<'_> {
    /// Tries to read arithmetic after `opening` bytes, which end in `((`; otherwise reads it in another way.
    ///
    /// When bash finds that a `((` begins no arithmetic, it reads what it has seen once more, and then takes for
    /// commands what belongs to here-documents: all of it is doubtful, and all that follows.
    pub(super) fn arithmetic_or<T>(
        &mut self,
        opening: usize,
        arithmetic: impl FnOnce(&mut Self, Vec<Piece>) -> T,
        otherwise: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let start = self.at;
        let text = self.attempt(|reader| {
            reader.advance(opening);
            reader.arithmetic()
        })?;
        if let Some(text) = text {
            return Ok(arithmetic(self, text));
        }
        let bodies = self.shared.bodies.len();
        let made = otherwise(self)?;
        if self.shared.bodies.len() > bodies {
            self.doubt_to_end(DoubtKind::HereDocumentBody, start);
        }
        Ok(made)
    }

    /// The text after `((`, if `))` ends it. If the first `)` that closes it stands alone, it is no arithmetic.
    pub(super) fn arithmetic(&mut self) -> Read<Option<Vec<Piece>>> {
        let start = self.at;
        self.deeper(|reader| {
            let mut pieces = Vec::new();
            let mut open = 0usize;
            loop {
                reader.tick()?;
                if reader.is_at_end() {
                    return reader.fail("an unterminated ((");
                }
                let byte = reader.peek();
                match byte {
                    b'(' => open += 1,
                    b')' if open > 0 => open -= 1,
                    b')' if reader.take(b"))") => {
                        reader.doubt_escapes(start);
                        return Ok(Some(pieces));
                    }
                    b')' => return Ok(None),
                    _ if is_meta(byte) => {}
                    _ => {
                        reader.arithmetic_step(&mut pieces)?;
                        continue;
                    }
                }
                push(&mut pieces, &[byte], false);
                reader.advance(1);
            }
        })
    }

    /// Like any step of a word, but single quotes only keep parentheses and brackets from counting: what expands
    /// between them is expanded all the same.
    pub(super) fn arithmetic_step(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let is_plain = self.peek() == b'\'';
        let is_ansi = self.looks_at(b"$'") && self.dialect != Dialect::Sh;
        if !is_plain && !is_ansi {
            return self.word_step(pieces);
        }
        let start = if is_plain {
            self.at
        } else {
            self.ahead(self.at, 1)
        } + 1;
        let length = match is_plain {
            true => self.length_to_quote(start),
            false => self.length_to_ansi_quote(start),
        };
        let Some(length) = length else {
            return self.fail("an unterminated '");
        };
        let text = &self.source[start..start + length];
        let span = self.span_of(start, start + length);
        push(pieces, b"", true);
        if is_plain {
            self.expand_between(pieces, text, self.place_at(start), span)?;
        } else {
            let text = escape::decode(text);
            self.expand_between(pieces, &text, Place::Within(span), span)?;
        }
        self.go_to(start + length + 1);
        Ok(())
    }

    /// What expands in a text that stands between single quotes. It is not looked at before it is expanded, so it
    /// may fail.
    pub(super) fn expand_between(
        &mut self,
        pieces: &mut Vec<Piece>,
        text: &[u8],
        place: Place,
        span: Span,
    ) -> Read<()> {
        let read = self.deeper(|reader| {
            reader.nested(text, place, |reader| {
                reader.quoted_text(pieces, Quoting::Document)
            })
        });
        match read {
            Err(failure) if !failure.is_limit() => {
                // What follows the quotes may be expanded together with what stands between them.
                self.doubt_to_end(DoubtKind::UnevenSubstitution, self.at);
                pieces.push(Piece::Parameter(Box::new(Parameter {
                    operator: "?bad",
                    quoted: true,
                    span,
                    ..Parameter::default()
                })));
                Ok(())
            }
            other => other,
        }
    }

    /// Arithmetic is expanded more than once by some versions of bash: what is escaped may run after all.
    pub(super) fn doubt_escapes(&mut self, start: usize) {
        let text = &self.source[start..self.at];
        let escapes = |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'$' | b'`');
        if text.windows(2).any(escapes) {
            self.doubt(DoubtKind::EscapedArithmetic, start);
        }
    }
}
