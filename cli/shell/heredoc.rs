//! Here-documents: the delimiter stands in the line, the body after it.
//!
//! A body is read when the newline comes, which may be several commands after its redirection. Until the whole
//! string is read, the redirection holds the body's number in place of it.

use std::borrow::Cow;
use std::mem;

use super::ast::{DoubtKind, HereDocument, Parameter, Piece, Script, Span, Word};
use super::cursor::is_meta;
use super::pieces::push;
use super::quote::Quoting;
use super::reader::{Place, Read, Reader};
use super::walk;

/// A here-document whose body has not begun.
#[derive(Clone)]
pub(super) struct Pending {
    number: usize,
    delimiter: Vec<u8>,
    quoted: bool,
    /// `<<-`: leading tabs are removed.
    strips: bool,
}

struct Line<'a> {
    text: Cow<'a, [u8]>,
    /// Where the next line begins.
    next: usize,
}

/// Puts every body where its number stands.
pub(super) fn put_back(script: &mut Script, mut bodies: Vec<HereDocument>) {
    if bodies.is_empty() {
        return;
    }
    walk::for_each_command_mut(script, &mut |command| {
        for redirection in &mut command.redirections {
            if let Some(document) = &mut redirection.here_document {
                *document = mem::take(&mut bodies[redirection.operand.span.start]);
                redirection.operand.span = redirection.span;
            }
        }
    });
}

impl<'a> Reader<'a> {
    /// The delimiter. The body will follow; the word holds its number.
    pub(super) fn here_document(&mut self, strips: bool) -> Read<(Word, HereDocument)> {
        let start = self.at;
        let (delimiter, quoted) = self.delimiter()?;
        if self.may_be_sh() && delimiter.contains(&b'\n') {
            // dash never finds such a line.
            self.doubt_to_end(DoubtKind::HereDocumentBody, start);
        }
        let number = self.shared.bodies.len();
        self.shared.bodies.push(HereDocument::default());
        self.pending.push(Pending {
            number,
            delimiter,
            quoted,
            strips,
        });
        let marker = Word {
            pieces: Vec::new(),
            span: Span {
                start: number,
                end: number,
            },
        };
        Ok((marker, HereDocument::default()))
    }

    /// The delimiter after quote removal, and whether any of it was quoted. Nothing in it expands.
    fn delimiter(&mut self) -> Read<(Vec<u8>, bool)> {
        let mut delimiter = Vec::new();
        let mut quoted = false;
        while !self.is_at_end() && !is_meta(self.peek()) {
            self.tick()?;
            let mut part = Vec::new();
            match self.peek() {
                b'`' => return self.fail("a substitution in a delimiter"),
                b'$' if matches!(self.peek_at(1), b'{' | b'(' | b'[') => {
                    return self.fail("a substitution in a delimiter");
                }
                b'$' if !matches!(self.peek_at(1), b'\'' | b'"') => {
                    delimiter.push(b'$');
                    self.advance(1);
                    continue;
                }
                b'"' => {
                    quoted = true;
                    self.delimiter_in_double_quotes(&mut delimiter)?;
                    continue;
                }
                b'\\' | b'\'' | b'$' => {
                    quoted = true;
                    self.word_step(&mut part)?;
                }
                byte => {
                    delimiter.push(byte);
                    self.advance(1);
                    continue;
                }
            }
            for piece in part {
                if let Piece::Literal { bytes, .. } = piece {
                    delimiter.extend_from_slice(&bytes);
                }
            }
        }
        Ok((delimiter, quoted))
    }

    fn delimiter_in_double_quotes(&mut self, delimiter: &mut Vec<u8>) -> Read<()> {
        self.advance(1);
        while !self.is_at_end() {
            self.tick()?;
            match self.peek() {
                b'"' => {
                    self.advance(1);
                    return Ok(());
                }
                b'\\' if matches!(self.peek_at(1), b'"' | b'\\' | b'$' | b'`') => {
                    delimiter.push(self.peek_at(1));
                    self.advance(2);
                }
                byte => {
                    delimiter.push(byte);
                    self.advance(1);
                }
            }
        }
        self.fail("an unterminated \"")
    }

    /// Takes the bodies that begin here, at the start of a line or at the end of the string.
    pub(super) fn here_documents(&mut self) -> Read<()> {
        for pending in mem::take(&mut self.pending) {
            let start = self.at;
            let (text, end) = self.body_text(&pending)?;
            let span = self.span_of(start, end);
            let mut body = Vec::new();
            if pending.quoted {
                push(&mut body, &text, true);
            } else {
                let place = match text {
                    Cow::Borrowed(_) => self.place_at(start),
                    Cow::Owned(_) => Place::Within(span),
                };
                let read = self.nested(&text, place, |reader| {
                    reader.quoted_text(&mut body, Quoting::Document)
                });
                match read {
                    Err(failure) if failure.is_limit() => return Err(failure),
                    Err(_) => {
                        body.push(Piece::Parameter(Box::new(Parameter {
                            operator: "?bad",
                            quoted: true,
                            span,
                            ..Parameter::default()
                        })));
                        self.doubt(DoubtKind::HereDocumentBody, start);
                    }
                    Ok(()) => {}
                }
            }
            self.shared.bodies[pending.number] = HereDocument {
                quoted: pending.quoted,
                body,
            };
        }
        Ok(())
    }

    /// The text of a body and where it ends; the line of the delimiter is taken.
    fn body_text(&mut self, pending: &Pending) -> Read<(Cow<'a, [u8]>, usize)> {
        let source = self.source;
        let start = self.at;
        let mut stripped = Vec::new();
        let end = loop {
            self.tick()?;
            let line_start = self.at;
            if self.is_at_end() {
                self.doubt(DoubtKind::HereDocumentAtEnd, start);
                break line_start;
            }
            let line = self.body_line(!pending.quoted)?;
            self.count_body(line.next - line_start);
            // Each level of nesting looks for its delimiter in all that is nested in it.
            self.pay(line.next - line_start)?;
            let tabs = match pending.strips {
                true => line.text.iter().take_while(|byte| **byte == b'\t').count(),
                false => 0,
            };
            let text = &line.text[tabs..];
            if text == pending.delimiter {
                self.at = line.next;
                if self.may_be_sh() && matches!(line.text, Cow::Owned(_)) {
                    self.doubt_to_end(DoubtKind::HereDocumentBody, start);
                }
                break line_start;
            }
            // bash takes `EOF)` for the end of both the body and the substitution around it.
            if self.in_substitution
                && text
                    .strip_prefix(pending.delimiter.as_slice())
                    .is_some_and(|rest| rest.contains(&b')'))
            {
                if self.is_foreign() {
                    self.doubt_to_end(DoubtKind::HereDocumentBody, start);
                }
                self.skip_continuations();
                self.advance(tabs + pending.delimiter.len());
                break line_start;
            }
            if pending.strips {
                let physical = &source[line_start..line.next];
                stripped.extend_from_slice(&physical[tabs.min(physical.len())..]);
            }
            self.at = line.next;
        };
        if pending.strips {
            Ok((Cow::Owned(stripped), end))
        } else {
            Ok((Cow::Borrowed(&source[start..end]), end))
        }
    }

    /// The line here as it is compared with the delimiter; in an unquoted body `\⏎` joins lines.
    fn body_line(&mut self, joins: bool) -> Read<Line<'a>> {
        let mut text = Cow::Borrowed(&[][..]);
        let mut from = self.at;
        loop {
            self.tick()?;
            let rest = &self.source[from..];
            let length = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len());
            let physical = &rest[..length];
            let next = (from + length + 1).min(self.source.len());
            let slashes = physical
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\')
                .count();
            let is_joined = joins && slashes % 2 == 1 && length < rest.len();
            let kept = if is_joined {
                &physical[..length - 1]
            } else {
                physical
            };
            if !is_joined && text.is_empty() && from == self.at {
                text = Cow::Borrowed(kept);
            } else {
                text.to_mut().extend_from_slice(kept);
            }
            if !is_joined {
                return Ok(Line { text, next });
            }
            from = next;
        }
    }
}
