//! `${...}`.

use super::array::Within;
use super::ast::{Dialect, DoubtKind, Parameter, Piece};
use super::cursor::{begins_name, in_name, is_meta};
use super::pieces::push;
use super::quote::Quoting;
use super::reader::{Read, Reader};

/// Operators, longer ones first.
const OPERATORS: [&str; 22] = [
    ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "-", "=", "?", "+", "#", "%",
    "/", "^", ",", "@", ":",
];

/// What ends an operand, besides `}`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Brace,
    /// Nothing else; the text is arithmetic.
    Length,
    /// The first `/` after something.
    Slash,
    /// The first `/`: what is anchored by `#` or `%` may be nothing.
    AnchoredSlash,
    /// The first `:` that belongs to no `?`.
    Colon,
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

impl Reader<'_> {
    pub(super) fn braced_parameter(
        &mut self,
        pieces: &mut Vec<Piece>,
        quoting: Quoting,
    ) -> Read<()> {
        let start = self.at;
        let quoted = quoting != Quoting::None;
        let piece = self.deeper(|reader| {
            reader.advance(2);
            if matches!(reader.peek(), b' ' | b'\t' | b'\n' | b'|') {
                return reader.function_substitution(start, quoted);
            }
            let mut parameter = reader.parameter_head()?;
            parameter.quoted = quoted;
            parameter.braced = true;
            if reader.peek() != b'}' {
                reader.operation(&mut parameter, quoting)?;
            } else if parameter.name.is_empty() {
                parameter.operator = "?bad";
            }
            if !reader.take(b"}") {
                return reader.fail("an unterminated ${");
            }
            parameter.span = reader.span_from(start);
            Ok(Piece::Parameter(Box::new(parameter)))
        })?;
        pieces.push(piece);
        Ok(())
    }

    /// `#` or `!`, the name and a subscript.
    fn parameter_head(&mut self) -> Read<Parameter> {
        let mut parameter = Parameter::default();
        let (next, after) = (self.peek_at(1), self.peek_at(2));
        match self.peek() {
            b'#' => {
                let is_operator = matches!(
                    next,
                    b'-' | b'?' | b':' | b'+' | b'=' | b'%' | b'#' | b'/' | b'^' | b','
                ) && after != b'}';
                parameter.length = next != b'}' && !is_operator;
            }
            b'!' => {
                parameter.indirect =
                    !matches!(next, b'}' | b':' | b'-' | b'+' | b'?' | b'=' | b'%' | b'/');
            }
            _ => {}
        }
        if parameter.length || parameter.indirect {
            self.advance(1);
        }
        let first = self.peek();
        parameter.name = if begins_name(first) {
            self.take_while(in_name)?
        } else if first.is_ascii_digit() {
            self.take_while(|byte| byte.is_ascii_digit())?
        } else if is_special(first) && !(first == b'$' && matches!(self.peek_at(1), b'{' | b'(')) {
            self.advance(1);
            vec![first]
        } else {
            Vec::new()
        };
        if self.peek() == b'[' && !parameter.name.is_empty() {
            self.advance(1);
            parameter.subscript = Some(self.subscript(Within::Braces)?.0);
        }
        Ok(parameter)
    }

    /// The operator and its operands.
    fn operation(&mut self, parameter: &mut Parameter, quoting: Quoting) -> Read<()> {
        if parameter.indirect && matches!(self.peek(), b'*' | b'@') && self.peek_at(1) == b'}' {
            parameter.operator = if self.peek() == b'*' { "*" } else { "@" };
            self.advance(1);
            return Ok(());
        }
        let known = OPERATORS
            .into_iter()
            .find(|operator| !parameter.name.is_empty() && self.take(operator.as_bytes()));
        let operator = known.unwrap_or("?bad");
        parameter.operator = operator;
        let is_pattern = matches!(operator.as_bytes()[0], b'#' | b'%' | b'/' | b'^' | b',');
        let quoting = if is_pattern && self.dialect != Dialect::Zsh {
            Quoting::None
        } else {
            quoting
        };
        let until = match operator {
            "/" | "//" => Until::Slash,
            "/#" | "/%" => Until::AnchoredSlash,
            ":" => Until::Colon,
            _ => Until::Brace,
        };
        let start = self.at;
        let mut has_quote = false;
        // To zsh it is a pattern between double quotes too, but a single quote ends nothing there.
        let is_active = is_pattern && quoting != Quoting::None;
        parameter.operand = self.operand(quoting, until, is_active, &mut has_quote)?;
        if is_active && has_quote {
            parameter.operator = "?bad";
        }
        if until != Until::Brace && self.peek() != b'}' {
            self.advance(1);
            let until = match until {
                Until::Colon => Until::Length,
                _ => Until::Brace,
            };
            parameter.second = Some(self.operand(quoting, until, false, &mut has_quote)?);
        }
        if until == Until::Colon {
            self.doubt_escapes(start);
        }
        let differs = match self.dialect {
            Dialect::Bash | Dialect::Zsh => false,
            Dialect::Sh => !operator.starts_with(['#', '%']),
            Dialect::Unknown => true,
        };
        if has_quote && parameter.quoted && differs {
            self.doubt_to_end(DoubtKind::QuoteInQuotedParameter, start);
        }
        Ok(())
    }

    /// An operand up to what ends it; notes whether a single quote stands in it. `is_active`: double quotes around
    /// it do not quote its pattern characters.
    fn operand(
        &mut self,
        quoting: Quoting,
        until: Until,
        is_active: bool,
        has_quote: &mut bool,
    ) -> Read<Vec<Piece>> {
        let quoted = quoting != Quoting::None;
        let is_arithmetic = matches!(until, Until::Colon | Until::Length);
        let mut pieces = Vec::new();
        let (mut open, mut choices) = (0usize, 0usize);
        // To zsh braces nest, but not between double quotes.
        let nests = self.dialect == Dialect::Zsh && !quoted && !is_active;
        let mut braces = 0usize;
        loop {
            self.tick()?;
            if self.is_at_end() {
                return self.fail("an unterminated ${");
            }
            let byte = self.peek();
            match byte {
                b'}' if braces > 0 => {
                    braces -= 1;
                    push(&mut pieces, b"}", false);
                    self.advance(1);
                    continue;
                }
                b'}' => return Ok(pieces),
                b'{' if nests => {
                    braces += 1;
                    push(&mut pieces, b"{", false);
                    self.advance(1);
                    continue;
                }
                b'/' if until == Until::Slash && !pieces.is_empty() => return Ok(pieces),
                b'/' if until == Until::AnchoredSlash => return Ok(pieces),
                b':' if until == Until::Colon && open == 0 && choices == 0 => return Ok(pieces),
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                b'?' => choices += 1,
                b':' => choices = choices.saturating_sub(1),
                b'\'' => *has_quote = true,
                b'$' if self.peek_at(1) == b'\'' => *has_quote = true,
                _ => {}
            }
            if quoted && is_active && !matches!(byte, b'\\' | b'$' | b'`' | b'"') {
                push(&mut pieces, &[byte], false);
                self.advance(1);
            } else if quoted && is_active && byte == b'\\' {
                self.word_step(&mut pieces)?;
            } else if quoted {
                self.quoted_operand_step(&mut pieces, quoting)?;
            } else if self.begins_process() {
                self.process(&mut pieces)?;
            } else if is_meta(byte) {
                push(&mut pieces, &[byte], false);
                self.advance(1);
            } else if is_arithmetic {
                self.arithmetic_step(&mut pieces)?;
            } else {
                self.word_step(&mut pieces)?;
            }
        }
    }

    fn quoted_operand_step(&mut self, pieces: &mut Vec<Piece>, quoting: Quoting) -> Read<()> {
        let is_bash = matches!(self.dialect, Dialect::Bash | Dialect::Unknown);
        match self.peek() {
            b'\'' if is_bash => self.quote_in_quotes(pieces),
            b'$' if is_bash && self.peek_at(1) == b'\'' => self.ansi_quotes_in_quotes(pieces),
            b'\\' => {
                let next = self.source.get(self.at + 1).copied().unwrap_or(0);
                if matches!(next, b'$' | b'`' | b'\\' | b'"' | b'}') {
                    push(pieces, &[next], true);
                } else {
                    push(pieces, b"\\", true);
                    push(
                        pieces,
                        self.source
                            .get(self.at + 1..self.at + 2)
                            .unwrap_or_default(),
                        true,
                    );
                }
                self.go_to((self.at + 2).min(self.source.len()));
                Ok(())
            }
            b'$' => self.dollar(pieces, quoting),
            b'`' => self.backticks(pieces, quoting),
            b'"' => self.word_step(pieces),
            byte => {
                push(pieces, &[byte], true);
                self.advance(1);
                Ok(())
            }
        }
    }

    /// A single quote in `"${...}"`: in bash it is kept, and so is everything up to the next one, `}` included. Only
    /// what lies between the two is expanded, when it comes to that.
    fn quote_in_quotes(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let start = self.at + 1;
        let Some(length) = self.length_to_quote(start) else {
            return self.fail("an unterminated ' in ${");
        };
        let text = &self.source[start..start + length];
        let span = self.span_of(start, start + length);
        push(pieces, b"'", true);
        self.expand_between(pieces, text, self.place_at(start), span)?;
        push(pieces, b"'", true);
        self.go_to(start + length + 1);
        Ok(())
    }

    /// `$'...'` in `"${...}"`: bash heeds its escapes when it looks for the end, and keeps it as it is.
    fn ansi_quotes_in_quotes(&mut self, pieces: &mut Vec<Piece>) -> Read<()> {
        let start = self.ahead(self.at, 1) + 1;
        let Some(length) = self.length_to_ansi_quote(start) else {
            return self.fail("an unterminated $' in ${");
        };
        push(pieces, b"$'", true);
        push(pieces, &self.source[start..=start + length], true);
        self.go_to(start + length + 1);
        Ok(())
    }
}
