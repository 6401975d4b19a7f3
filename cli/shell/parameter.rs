//! `${...}`.

use super::{
    ast::{Dialect, DoubtKind, Parameter, Piece},
    command::name_length,
    cursor::{Read, Reader},
    word::Pieces,
};

/// Operators, the longer ones first.
const OPERATORS: &[&str] = &[
    ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "-", "=", "?", "+", "#", "%",
    "/", "^", ",", "@", ":",
];

impl Reader<'_> {
    /// At the brace of `${`.
    pub(super) fn braced(&mut self, start: usize, quoted: bool, pieces: &mut Pieces) -> Read<()> {
        self.at += 1;
        self.continuations();
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|'))
            && self.dialect != Dialect::Sh
            && let Some(piece) = self.attempt(|this| this.function_substitution(start, quoted))
        {
            pieces.0.push(piece);
            return Ok(());
        }
        let mut parameter = Parameter {
            quoted,
            ..Parameter::default()
        };
        // `${#}` and `${#-x}` are about `$#`; `${#x}` is a length.
        if self.peek() == Some(b'#')
            && !matches!(
                self.peek_at(1),
                Some(b'}' | b':' | b'=' | b'+' | b'%' | b'/')
            )
        {
            let named = self.peek_at(1).is_some_and(|byte| {
                byte == b'_' || byte.is_ascii_alphanumeric() || b"@*?$!#-".contains(&byte)
            });
            let ends =
                !b"#-?".contains(&self.peek_at(1).unwrap_or(b'#')) || self.peek_at(2) == Some(b'}');
            if named && ends {
                self.at += 1;
                parameter.length = true;
            }
        }
        if self.peek() == Some(b'!')
            && self.peek_at(1).is_some_and(|byte| {
                byte == b'_' || byte.is_ascii_alphanumeric() || b"@*#".contains(&byte)
            })
            && self.dialect != Dialect::Sh
        {
            self.at += 1;
            parameter.indirect = true;
        }
        let length = self.parameter_name();
        parameter.name = self.rest()[..length].to_vec();
        self.at += length;
        self.continuations();
        if length == 0 {
            return self.bad(parameter, start, pieces);
        }
        if self.peek() == Some(b'[') && self.dialect != Dialect::Sh {
            parameter.subscript = Some(self.subscript()?);
        }
        if self.takes(b"}") {
            parameter.span = self.span(start);
            pieces.0.push(Piece::Parameter(Box::new(parameter)));
            return Ok(());
        }
        if parameter.indirect && (self.starts_with(b"*}") || self.starts_with(b"@}")) {
            parameter.operator = if self.peek() == Some(b'*') { "*" } else { "@" };
            self.at += 2;
            parameter.span = self.span(start);
            pieces.0.push(Piece::Parameter(Box::new(parameter)));
            return Ok(());
        }
        let Some(operator) = OPERATORS
            .iter()
            .find(|operator| self.starts_with(operator.as_bytes()))
        else {
            return self.bad(parameter, start, pieces);
        };
        parameter.operator = operator;
        self.at += operator.len();
        let pattern = matches!(
            *operator,
            "#" | "##" | "%" | "%%" | "/" | "//" | "/#" | "/%" | "^" | "^^" | "," | ",,"
        );
        let two = match *operator {
            "/" | "//" | "/#" | "/%" => Some(b'/'),
            ":" => Some(b':'),
            _ => None,
        };
        parameter.operand = self.operand(quoted, pattern, two)?;
        if two.is_some_and(|separator| self.peek() == Some(separator)) {
            self.at += 1;
            parameter.second = Some(self.operand(quoted, pattern, None)?);
        }
        if !self.takes(b"}") {
            return self.fail("a ${ is not closed");
        }
        parameter.span = self.span(start);
        pieces.0.push(Piece::Parameter(Box::new(parameter)));
        Ok(())
    }

    fn parameter_name(&self) -> usize {
        let rest = self.rest();
        match name_length(rest) {
            0 => match rest.first() {
                Some(byte) if byte.is_ascii_digit() => {
                    rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
                }
                Some(byte) if b"@*#?-$!".contains(byte) => 1,
                _ => 0,
            },
            length => length,
        }
    }

    /// A form that no shell, or only another one, knows: what runs in it runs all the same.
    fn bad(&mut self, mut parameter: Parameter, start: usize, pieces: &mut Pieces) -> Read<()> {
        parameter.operator = "?bad";
        parameter.operand = self.operand(parameter.quoted, true, None)?;
        if !self.takes(b"}") {
            return self.fail("a ${ is not closed");
        }
        parameter.span = self.span(start);
        pieces.0.push(Piece::Parameter(Box::new(parameter)));
        Ok(())
    }

    /// An operand, up to the closing brace or `separator`.
    fn operand(&mut self, quoted: bool, pattern: bool, separator: Option<u8>) -> Read<Vec<Piece>> {
        self.nested(|this| {
            let mut pieces = Pieces::default();
            // The first byte of `${x//a}` or `${x/}`: a separator only after something, or after an anchor.
            let first = this.at;
            let anchored = matches!(this.source.get(first - 1), Some(b'#' | b'%'));
            loop {
                this.pay()?;
                match this.peek() {
                    None => return this.fail("a ${ is not closed"),
                    Some(b'}') => return Ok(pieces.0),
                    Some(byte) if Some(byte) == separator && (anchored || this.at > first) => {
                        return Ok(pieces.0);
                    }
                    Some(b'\'') if quoted && !pattern => this.quote_in_quotes(&mut pieces)?,
                    Some(b'"') => this.double_quoted(&mut pieces)?,
                    Some(b'\\') if quoted && !pattern => {
                        this.double_quoted_piece(&mut pieces, b"\"}")?
                    }
                    Some(b'$') => this.dollar(quoted, &mut pieces)?,
                    Some(b'`') => this.backticks(quoted, &mut pieces)?,
                    Some(b'<' | b'>')
                        if !quoted
                            && this.peek_at(1) == Some(b'(')
                            && this.dialect != Dialect::Sh =>
                    {
                        this.at += 1;
                        this.process(&mut pieces)?;
                    }
                    Some(_) => {
                        if !this.quoted_piece(&mut pieces)? {
                            pieces.literal(&[this.source[this.at]], quoted && !pattern);
                            this.at += 1;
                        }
                    }
                }
            }
        })
    }

    /// A single quote inside `"${x:-'...'}"`: bash skips to its twin, sh takes it for a letter.
    fn quote_in_quotes(&mut self, pieces: &mut Pieces) -> Read<()> {
        if self.dialect == Dialect::Sh {
            pieces.literal(b"'", true);
            self.at += 1;
            return Ok(());
        }
        let start = self.at;
        let rest = self.rest();
        let Some(end) = rest[1..].iter().position(|byte| *byte == b'\'') else {
            return self.fail("a single quote in a ${ is not closed");
        };
        pieces.literal(&rest[..end + 2], true);
        self.at += end + 2;
        self.doubt(start, DoubtKind::QuoteInQuotedParameter);
        Ok(())
    }
}
