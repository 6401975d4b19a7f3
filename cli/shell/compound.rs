//! Compound commands that begin with a reserved word.

use super::ast::{Arm, CommandKind, Dialect, List};
use super::cursor::is_meta;
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// The compound command that `word`, which stands here, begins.
    pub(super) fn compound(&mut self, word: &'static [u8]) -> Read<CommandKind> {
        if matches!(
            word,
            b"then" | b"elif" | b"else" | b"fi" | b"do" | b"done" | b"esac" | b"}" | b"!"
        ) {
            return self.fail("an unexpected reserved word");
        }
        let start = self.at;
        self.advance(word.len());
        match word {
            b"{" => {
                let list = self.filled_list("an empty group")?;
                self.need_reserved(b"}", "a missing }")?;
                Ok(CommandKind::Group(list))
            }
            b"if" => self.conditional_branches(),
            b"while" | b"until" => {
                let condition = self.filled_list("an empty condition")?;
                let body = self.loop_body()?;
                Ok(CommandKind::Loop {
                    until: word == b"until",
                    condition,
                    body,
                })
            }
            b"case" => self.case(),
            b"[[" => self.conditional(start),
            _ => self.for_loop(word == b"select"),
        }
    }

    fn conditional_branches(&mut self) -> Read<CommandKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.filled_list("an empty condition")?;
            self.need_reserved(b"then", "a missing then")?;
            branches.push((condition, self.filled_list("an empty branch")?));
            if self.take_reserved(b"elif") {
                continue;
            }
            if self.take_reserved(b"else") {
                otherwise = Some(self.filled_list("an empty branch")?);
            }
            self.need_reserved(b"fi", "a missing fi")?;
            return Ok(CommandKind::If {
                branches,
                otherwise,
            });
        }
    }

    fn loop_body(&mut self) -> Read<List> {
        self.need_reserved(b"do", "a missing do")?;
        let body = self.filled_list("an empty loop")?;
        self.need_reserved(b"done", "a missing done")?;
        Ok(body)
    }

    /// `do ... done`, or `{ ... }` as `for` and `select` allow it.
    fn for_body(&mut self) -> Read<List> {
        self.blanks();
        if self.peek() == b';' {
            self.advance(1);
        }
        self.blank_lines()?;
        if !self.take_reserved(b"{") {
            return self.loop_body();
        }
        let body = self.filled_list("an empty loop")?;
        self.need_reserved(b"}", "a missing }")?;
        Ok(body)
    }

    fn for_loop(&mut self, select: bool) -> Read<CommandKind> {
        self.blanks();
        if !select && self.looks_at(b"((") {
            self.advance(2);
            let Some(text) = self.arithmetic()? else {
                return self.fail("a missing ))");
            };
            let body = self.for_body()?;
            return Ok(CommandKind::ArithmeticFor { text, body });
        }
        let name = self.take_while(|byte| !is_meta(byte))?;
        if name.is_empty() {
            return self.fail("a loop without a variable");
        }
        self.blank_lines()?;
        let mut words = None;
        if self.take_reserved(b"in") {
            let mut list = Vec::new();
            loop {
                self.blanks();
                if self.is_between_words() {
                    break;
                }
                list.push(self.word()?);
            }
            words = Some(list);
        }
        let body = self.for_body()?;
        Ok(CommandKind::For {
            name,
            words,
            body,
            select,
        })
    }

    /// Whether zsh repeats something here.
    pub(super) fn begins_repeat(&self) -> bool {
        let word = b"repeat";
        self.dialect == Dialect::Zsh
            && self.looks_at(word)
            && matches!(self.peek_at(word.len()), b' ' | b'\t')
    }

    /// `repeat count`, and `do ... done`, `{ ... }` or an and-or list.
    pub(super) fn repeat(&mut self) -> Read<CommandKind> {
        self.advance(b"repeat".len());
        self.blanks();
        let count = self.word()?;
        self.blanks();
        if self.peek() == b';' {
            self.advance(1);
        }
        self.blank_lines()?;
        let body = match self.reserved() {
            b"do" | b"{" => self.for_body()?,
            _ => List {
                items: vec![self.and_or()?],
            },
        };
        Ok(CommandKind::Repeat { count, body })
    }

    fn case(&mut self) -> Read<CommandKind> {
        self.blanks();
        let subject = self.word()?;
        self.need_reserved(b"in", "a missing in")?;
        let mut arms = Vec::new();
        loop {
            self.blank_lines()?;
            if self.take_reserved(b"esac") {
                return Ok(CommandKind::Case { subject, arms });
            }
            arms.push(self.arm()?);
        }
    }

    fn arm(&mut self) -> Read<Arm> {
        self.take(b"(");
        let mut patterns = Vec::new();
        loop {
            self.blank_lines()?;
            let is_empty = self.dialect == Dialect::Zsh && matches!(self.peek(), b'|' | b')');
            patterns.push(if is_empty {
                self.empty_word()
            } else {
                self.word()?
            });
            self.blanks();
            if !self.take(b"|") {
                break;
            }
        }
        if !self.take(b")") {
            return self.fail("a case pattern without )");
        }
        let body = self.list()?;
        self.blank_lines()?;
        let falls_through = match self.ends_arm() {
            Some((length, falls_through)) => {
                self.advance(length);
                falls_through
            }
            None if self.reserved() == b"esac" => false,
            None => return self.fail("a missing esac"),
        };
        Ok(Arm {
            patterns,
            body,
            falls_through,
        })
    }
}
