//! Everything that begins with `$` or a backtick, and process substitutions.

use super::{
    ast::{Dialect, DoubtKind, Parameter, Piece, Script},
    command::name_length,
    cursor::{Read, Reader},
    word::Pieces,
};

impl Reader<'_> {
    /// What a `$` stands for.
    pub(super) fn dollar(&mut self, quoted: bool, pieces: &mut Pieces) -> Read<()> {
        self.nested(|this| this.dollar_here(quoted, pieces))
    }

    fn dollar_here(&mut self, quoted: bool, pieces: &mut Pieces) -> Read<()> {
        let start = self.at;
        let posix = self.dialect == Dialect::Sh;
        self.at += 1;
        self.continuations();
        match self.peek() {
            Some(b'(') => {
                if self.starts_with(b"((") {
                    let arithmetic = self.attempt(|this| {
                        this.at += 2;
                        this.arithmetic_text()
                    });
                    if let Some(text) = arithmetic {
                        pieces.0.push(Piece::Arithmetic {
                            text,
                            quoted,
                            span: self.span(start),
                        });
                        return Ok(());
                    }
                }
                self.at += 1;
                let script = self.script_until_parenthesis()?;
                pieces.0.push(Piece::Command {
                    script,
                    quoted,
                    span: self.span(start),
                });
            }
            Some(b'[') if !posix => {
                let text = self.subscript()?;
                pieces.0.push(Piece::Arithmetic {
                    text,
                    quoted,
                    span: self.span(start),
                });
            }
            Some(b'{') => self.braced(start, quoted, pieces)?,
            Some(b'\'') if !quoted && !posix => self.ansi_quoted(pieces)?,
            Some(b'"') if !quoted && !posix => self.double_quoted(pieces)?,
            Some(byte) => {
                let length = name_length(self.rest());
                let length = if length > 0 {
                    length
                } else if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) {
                    1
                } else {
                    pieces.literal(b"$", quoted);
                    return Ok(());
                };
                let name = self.rest()[..length].to_vec();
                self.at += length;
                let operator = self.zsh_modifier()?;
                let parameter = Parameter {
                    name,
                    operator,
                    quoted,
                    span: self.span(start),
                    ..Parameter::default()
                };
                pieces.0.push(Piece::Parameter(Box::new(parameter)));
            }
            None => pieces.literal(b"$", quoted),
        }
        Ok(())
    }

    /// zsh: `$X:h` and `$X[1]` work without braces, even quoted.
    fn zsh_modifier(&mut self) -> Read<&'static str> {
        if self.dialect != Dialect::Zsh {
            return Ok("");
        }
        if self.peek() == Some(b'[') && self.attempt(Self::subscript).is_some() {
            return Ok("?bad");
        }
        if self.peek() == Some(b':')
            && self
                .peek_at(1)
                .is_some_and(|byte| b"hrteaAPlux".contains(&byte))
        {
            self.at += 2;
            return Ok("?bad");
        }
        Ok("")
    }

    /// The commands of `$(` and `<(`, up to and with the closing parenthesis.
    fn script_until_parenthesis(&mut self) -> Read<Script> {
        let list = self.list()?;
        if !self.takes(b")") {
            return self.fail("a $( or <( is not closed");
        }
        Ok(Script {
            list,
            ..Script::default()
        })
    }

    /// `<(...)`, `>(...)`, `=(...)`, at the parenthesis.
    pub(super) fn process(&mut self, pieces: &mut Pieces) -> Read<()> {
        let start = self.at - 1;
        self.nested(|this| {
            this.at += 1;
            let script = this.script_until_parenthesis()?;
            pieces.0.push(Piece::Process {
                script,
                span: this.span(start),
            });
            Ok(())
        })
    }

    /// `${ command; }`, after the brace: bash 5.3 runs it.
    pub(super) fn function_substitution(&mut self, start: usize, quoted: bool) -> Read<Piece> {
        self.takes(b"|");
        let list = self.filled_list()?;
        if !self.takes_reserved(b"}") {
            return self.fail("a ${ is not closed");
        }
        self.doubt(start, DoubtKind::FunctionSubstitution);
        let script = Script {
            list,
            ..Script::default()
        };
        Ok(Piece::Command {
            script,
            quoted,
            span: self.span(start),
        })
    }

    /// Backticks: their text loses one level of backslashes, then is read as commands.
    pub(super) fn backticks(&mut self, quoted: bool, pieces: &mut Pieces) -> Read<()> {
        let start = self.at;
        let mut text = Vec::new();
        let mut at = self.at + 1;
        loop {
            self.pay()?;
            let byte = if at < self.end {
                self.source.get(at).copied()
            } else {
                None
            };
            match byte {
                None => return self.fail("a backtick is not closed"),
                Some(b'`') => break,
                Some(b'\\') => {
                    let next = if at + 1 < self.end {
                        self.source.get(at + 1).copied()
                    } else {
                        None
                    };
                    match next {
                        Some(next)
                            if matches!(next, b'\\' | b'`' | b'$') || quoted && next == b'"' =>
                        {
                            text.push(next)
                        }
                        Some(next) => text.extend_from_slice(&[b'\\', next]),
                        None => return self.fail("a backtick is not closed"),
                    }
                    at += 2;
                }
                Some(byte) => {
                    text.push(byte);
                    at += 1;
                }
            }
        }
        let (script, fuel, doubts) = self.nested(|this| {
            let mut inner = this.of_copy(&text, start + 1);
            let script = inner.script_in_passes();
            Ok((script, inner.fuel, inner.doubts))
        })?;
        self.fuel = fuel;
        self.doubts.extend(doubts);
        if let Some(error) = &script.error {
            return Err(super::cursor::Fail {
                at: start,
                message: error.message,
            });
        }
        self.at = at + 1;
        pieces.0.push(Piece::Command {
            script,
            quoted,
            span: self.span(start),
        });
        Ok(())
    }
}
