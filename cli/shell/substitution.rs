//! What stands for the output of commands, and everything else that begins with `$`.

use std::mem;

use super::array::Within;
use super::ast::{Dialect, DoubtKind, Parameter, Piece, Script};
use super::cursor::{begins_name, in_name};
use super::pieces::push;
use super::quote::Quoting;
use super::reader::{Place, Read, Reader};

impl<'a> Reader<'a> {
    /// Reads another text with what is left of this one's limits.
    pub(super) fn nested<T>(
        &mut self,
        text: &[u8],
        place: Place,
        read: impl FnOnce(&mut Reader<'_>) -> Read<T>,
    ) -> Read<T> {
        read(&mut Reader::new(text, place, self.dialect, self.shared))
    }

    /// A `$` and what it begins; alone it is a plain byte.
    pub(super) fn dollar(&mut self, pieces: &mut Vec<Piece>, quoting: Quoting) -> Read<()> {
        let start = self.at;
        let quoted = quoting != Quoting::None;
        let next = self.peek_at(1);
        match next {
            b'\'' if !quoted => return self.ansi_quotes(pieces),
            b'"' if !quoted && !matches!(self.dialect, Dialect::Sh | Dialect::Zsh) => {
                self.advance(2);
                return self.quoted_text(pieces, Quoting::Double);
            }
            b'"' if !quoted && self.dialect == Dialect::Sh => {
                self.doubt(DoubtKind::EscapedQuote, start);
            }
            b'(' => return self.dollar_parenthesis(pieces, quoted),
            b'[' => {
                self.advance(2);
                let (text, is_spaced) = self.subscript(Within::Nothing)?;
                if is_spaced && self.may_be_sh() {
                    self.doubt_to_end(DoubtKind::SpacedSubscript, start);
                }
                let span = self.span_from(start);
                pieces.push(Piece::Arithmetic { text, quoted, span });
                return Ok(());
            }
            b'{' => return self.braced_parameter(pieces, quoting),
            _ => {}
        }
        self.advance(1);
        // zsh's `$=name` and the like; the name may be missing.
        let is_named = begins_name(self.peek_at(1));
        let is_flagged =
            self.may_be_zsh() && (matches!(next, b'=' | b'~' | b'^') || next == b'+' && is_named);
        if is_flagged {
            self.advance(1);
        }
        // And its `$#name`, the length of that.
        let after = self.peek_at(1);
        let is_length = self.dialect == Dialect::Zsh
            && next == b'#'
            && (begins_name(after) || after.is_ascii_digit() || b"@*?-$!".contains(&after));
        if is_length {
            self.advance(1);
        }
        let next = if is_length { after } else { next };
        let name = if is_flagged || begins_name(next) {
            self.take_while(in_name)?
        } else if next.is_ascii_digit()
            || matches!(next, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
        {
            self.advance(1);
            vec![next]
        } else {
            push(pieces, b"$", quoted);
            return Ok(());
        };
        self.count_parameter()?;
        pieces.push(Piece::Parameter(Box::new(Parameter {
            name,
            operator: if is_flagged { "?bad" } else { "" },
            length: is_length,
            quoted,
            span: self.span_from(start),
            ..Parameter::default()
        })));
        Ok(())
    }

    /// `$((...))`, or else `$(...)`.
    fn dollar_parenthesis(&mut self, pieces: &mut Vec<Piece>, quoted: bool) -> Read<()> {
        let start = self.at;
        let command = |reader: &mut Self| {
            reader.advance(2);
            Ok(Piece::Command {
                script: reader.substitution(b")")?,
                quoted,
                span: reader.span_from(start),
            })
        };
        let piece = if self.peek_at(2) == b'(' {
            let arithmetic = |reader: &mut Self, text| Piece::Arithmetic {
                text,
                quoted,
                span: reader.span_from(start),
            };
            self.arithmetic_or(3, arithmetic, command)?
        } else {
            command(self)?
        };
        pieces.push(piece);
        Ok(())
    }

    /// `<(...)`, `>(...)`, `=(...)`.
    pub(super) fn process(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let start = self.at;
        self.advance(2);
        let script = self.substitution(b")")?;
        let span = self.span_from(start);
        pieces.push(Piece::Process { script, span });
        Ok(())
    }

    /// The list of a substitution and what closes it. Here-documents of the line around it are not its own; those
    /// that it leaves open come before them.
    pub(super) fn substitution(&mut self, closing: &[u8]) -> Read<Script> {
        let start = self.at;
        self.deeper(|reader| {
            let outer = mem::take(&mut reader.pending);
            let was_in_substitution = mem::replace(&mut reader.in_substitution, closing == b")");
            let list = reader.list()?;
            if !reader.take(closing) {
                return reader.fail("an unterminated substitution");
            }
            if !reader.pending.is_empty() {
                reader.leave_open(start);
            }
            reader.pending.extend(outer);
            reader.in_substitution = was_in_substitution;
            Ok(Script {
                list,
                ..Script::default()
            })
        })
    }

    /// A substitution ends before the bodies of its here-documents. bash mostly takes them from the lines that
    /// follow, dash and zsh find none.
    fn leave_open(&mut self, start: usize) {
        if self.dialect == Dialect::Zsh {
            self.pending.clear();
        } else {
            self.doubt_to_end(DoubtKind::HereDocumentBody, start);
        }
    }

    /// `` `...` ``: the text is unescaped, then read by itself.
    pub(super) fn backticks(&mut self, pieces: &mut Vec<Piece>, quoting: Quoting) -> Read<()> {
        self.count_command()?;
        let start = self.at;
        let escapes_quotes = match quoting {
            Quoting::None => false,
            Quoting::Double => true,
            Quoting::Document => self.dialect == Dialect::Sh,
        };
        let mut text = Vec::new();
        let mut at = start + 1;
        loop {
            match self.source.get(at..).unwrap_or_default() {
                [] => return self.fail("an unterminated `"),
                [b'`', ..] => break,
                [b'\\', byte @ (b'`' | b'\\' | b'$'), ..] => {
                    text.push(*byte);
                    at += 2;
                }
                [b'\\', b'"', ..] if escapes_quotes => {
                    text.push(b'"');
                    at += 2;
                }
                [byte, ..] => {
                    text.push(*byte);
                    at += 1;
                }
            }
        }
        self.pay(text.len() / 8)?;
        self.go_to(at + 1);
        let span = self.span_from(start);
        let list = self.deeper(|reader| {
            reader.nested(&text, Place::Within(span), |reader| {
                let list = reader.list()?;
                if !reader.is_at_end() {
                    return reader.fail("an unexpected token");
                }
                reader.here_documents()?;
                Ok(list)
            })
        })?;
        pieces.push(Piece::Command {
            script: Script {
                list,
                ..Script::default()
            },
            quoted: quoting != Quoting::None,
            span,
        });
        Ok(())
    }

    /// `${ list; }` and `${| list; }`.
    pub(super) fn function_substitution(&mut self, start: usize, quoted: bool) -> Read<Piece> {
        self.take(b"|");
        let script = self.substitution(b"}")?;
        self.doubt_to_end(DoubtKind::FunctionSubstitution, start);
        Ok(Piece::Command {
            script,
            quoted,
            span: self.span_from(start),
        })
    }
}
