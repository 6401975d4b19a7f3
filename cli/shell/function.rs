//! Functions and coprocesses.

use super::ast::{CommandKind, DoubtKind};
use super::cursor::{in_name, is_meta};
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// Whether `()` stands here: the offset after it.
    pub(super) fn after_parentheses(&self) -> Option<usize> {
        if self.peek() != b'(' {
            return None;
        }
        let close = self.after_blanks(self.ahead(self.at, 1));
        (self.source.get(close) == Some(&b')')).then_some(close + 1)
    }

    /// The body after `name()`.
    pub(super) fn function(&mut self, name: Vec<u8>) -> Read<CommandKind> {
        let body = Box::new(self.function_body()?);
        Ok(CommandKind::Function { name, body })
    }

    /// `function name`, then `()` or not, and the body.
    pub(super) fn function_keyword(&mut self) -> Read<CommandKind> {
        let start = self.at;
        self.advance(b"function".len());
        self.blanks();
        let name = self.take_while(|byte| !is_meta(byte))?;
        // zsh runs a function without a name at once.
        if name.is_empty() || name == b"{" {
            return self.fail("a function without a name");
        }
        self.blanks();
        if let Some(end) = self.after_parentheses() {
            self.go_to(end);
        }
        let function = self.function(name)?;
        if self.may_be_sh() {
            self.doubt(DoubtKind::FunctionKeyword, start);
        }
        Ok(function)
    }

    /// `coproc`, a name if a compound command follows it, and the command.
    pub(super) fn coproc(&mut self) -> Read<CommandKind> {
        self.advance(b"coproc".len());
        self.blanks();
        let start = self.at;
        let name = self.take_while(in_name)?;
        self.blanks();
        let is_named = !name.is_empty()
            && (self.peek() == b'('
                || matches!(
                    self.reserved(),
                    b"{" | b"if" | b"while" | b"until" | b"for" | b"select" | b"case" | b"[["
                ));
        if !is_named {
            self.at = start;
        }
        Ok(CommandKind::Coproc {
            name: if is_named { name } else { b"COPROC".to_vec() },
            body: Box::new(self.command()?),
        })
    }
}
