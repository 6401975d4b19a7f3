//! One command: which kind it is, and the redirections behind it.

use super::ast::{Command, CommandKind, DoubtKind, Redirection};
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// A command of any kind.
    pub(super) fn command(&mut self) -> Read<Command> {
        self.deeper(|reader| {
            reader.count_command()?;
            let start = reader.at;
            let (kind, redirections) = match reader.reserved() {
                b"" | b"in" if reader.peek() == b'(' => {
                    reader.with_redirections(Self::parenthesis)?
                }
                b"" if reader.begins_repeat() => reader.with_redirections(Self::repeat)?,
                b"" | b"in" | b"time" => reader.simple()?,
                b"function" => (reader.function_keyword()?, Vec::new()),
                b"coproc" => (reader.coproc()?, Vec::new()),
                word => reader.with_redirections(|reader| reader.compound(word))?,
            };
            Ok(Command {
                kind,
                redirections,
                span: reader.span_from(start),
            })
        })
    }

    fn with_redirections(
        &mut self,
        read: impl FnOnce(&mut Self) -> Read<CommandKind>,
    ) -> Read<(CommandKind, Vec<Redirection>)> {
        let kind = read(self)?;
        let mut redirections = Vec::new();
        loop {
            self.blanks();
            match self.redirection()? {
                Some(redirection) => redirections.push(redirection),
                None => break,
            }
        }
        if self.ends_command() || !self.reserved().is_empty() {
            Ok((kind, redirections))
        } else {
            self.fail("a word after a compound command")
        }
    }

    /// `(( ... ))`, or else `( list )`.
    fn parenthesis(&mut self) -> Read<CommandKind> {
        if self.peek_at(1) != b'(' {
            return self.subshell();
        }
        let start = self.at;
        self.arithmetic_or(
            2,
            |reader, text| {
                if reader.may_be_sh() {
                    reader.doubt_of_text(DoubtKind::ArithmeticCommand, start);
                }
                CommandKind::Arithmetic(text)
            },
            Self::subshell,
        )
    }

    fn subshell(&mut self) -> Read<CommandKind> {
        self.advance(1);
        let list = self.filled_list("an empty subshell")?;
        if !self.take(b")") {
            return self.fail("a missing )");
        }
        Ok(CommandKind::Subshell(list))
    }

    /// What may be the body of a function: in bash a compound command, elsewhere any.
    pub(super) fn function_body(&mut self) -> Read<Command> {
        self.blank_lines()?;
        let is_compound = self.peek() == b'('
            || matches!(
                self.reserved(),
                b"{" | b"if" | b"while" | b"until" | b"for" | b"select" | b"case" | b"[["
            );
        if is_compound || self.is_foreign() && !self.ends_command() {
            self.command()
        } else {
            self.fail("a function without a body")
        }
    }
}
