//! Lists, and-or lists and pipelines.

use super::ast::{Command, CommandKind, Connector, Dialect, DoubtKind, Item, List, Pipeline};
use super::cursor::is_meta;
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// Commands up to something that ends a list.
    pub(super) fn list(&mut self) -> Read<List> {
        self.deeper(|reader| {
            let mut list = List::default();
            loop {
                reader.blank_lines()?;
                if reader.ends_list() {
                    return Ok(list);
                }
                list.items.push(reader.item()?);
                if reader.ends_list() {
                    return Ok(list);
                }
            }
        })
    }

    /// A list that holds a command.
    pub(super) fn filled_list(&mut self, otherwise: &'static str) -> Read<List> {
        let list = self.list()?;
        if list.items.is_empty() {
            return self.fail(otherwise);
        }
        Ok(list)
    }

    /// Commands up to the end of the line. What is left over when they end is an error.
    pub(super) fn line(&mut self, line: &mut List) -> Read<()> {
        loop {
            if self.ends_list() {
                return self.fail("an unexpected token");
            }
            line.items.push(self.item()?);
            self.blanks();
            if self.is_at_end() {
                return Ok(());
            }
            if self.peek() == b'\n' {
                return self.newline();
            }
        }
    }

    fn ends_list(&self) -> bool {
        self.is_at_end() || self.peek() == b')' || self.ends_arm().is_some() || self.closes_list()
    }

    /// `;;`, `;&`, `;;&` and zsh's `;|`: how long, and whether a later arm may run too.
    pub(super) fn ends_arm(&self) -> Option<(usize, bool)> {
        if self.peek() != b';' {
            return None;
        }
        match self.peek_at(1) {
            b';' if self.peek_at(2) == b'&' => Some((3, true)),
            b';' => Some((2, false)),
            b'&' => Some((2, true)),
            b'|' if self.dialect == Dialect::Zsh => Some((2, true)),
            _ => None,
        }
    }

    /// An and-or list and the `;` or `&` after it; a newline stays.
    fn item(&mut self) -> Read<Item> {
        let mut item = self.and_or()?;
        item.background = self.separator()?;
        Ok(item)
    }

    /// Pipelines joined by `&&` and `||`.
    pub(super) fn and_or(&mut self) -> Read<Item> {
        self.tick()?;
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let connector = if self.take(b"&&") {
                Connector::And
            } else if self.take(b"||") {
                Connector::Or
            } else {
                break;
            };
            self.blank_lines()?;
            rest.push((connector, self.pipeline()?));
        }
        Ok(Item {
            first,
            rest,
            background: false,
        })
    }

    /// Takes `;` or `&`; says whether it was `&`.
    fn separator(&mut self) -> Read<bool> {
        match self.peek() {
            b'&' => {
                let start = self.at;
                self.advance(1);
                if self.dialect == Dialect::Sh && self.peek() == b'>' {
                    self.doubt_to_end(DoubtKind::AmpersandRedirection, start);
                }
                if self.may_be_zsh()
                    && matches!(self.peek(), b'|' | b'!')
                    && self.peek_at(1) != b'('
                {
                    self.advance(1);
                }
                Ok(true)
            }
            b';' => {
                if self.ends_arm().is_none() {
                    self.advance(1);
                }
                Ok(false)
            }
            b'\n' | b')' => Ok(false),
            _ if self.is_at_end() || self.closes_list() => Ok(false),
            _ => self.fail("an unexpected token"),
        }
    }

    /// `!`s and commands joined by `|`.
    fn pipeline(&mut self) -> Read<Pipeline> {
        let mut pipeline = Pipeline {
            negated: false,
            commands: Vec::with_capacity(1),
        };
        let start = self.at;
        let (count, is_doubtful) = self.negations()?;
        pipeline.negated = count % 2 == 1;
        if count > 0 && self.ends_command() {
            pipeline.commands.push(self.no_command());
            return Ok(pipeline);
        }
        if is_doubtful {
            pipeline.commands.push(self.command()?);
            self.doubt_to_end(DoubtKind::NegatedParenthesis, start);
        } else if self.begins_time() {
            pipeline.commands.push(self.deeper(Self::time)?);
            return Ok(pipeline);
        } else {
            pipeline.commands.push(self.command()?);
        }
        loop {
            self.blanks();
            if self.peek() != b'|' || self.peek_at(1) == b'|' {
                return Ok(pipeline);
            }
            self.advance(1);
            if self.peek() == b'&' {
                self.advance(1);
            }
            self.blank_lines()?;
            // No shell takes `!` here, but what follows it is seen all the same.
            self.negations()?;
            let command = if self.begins_time() {
                // Here bash takes `time` for an ordinary command, to the same effect.
                self.deeper(Self::time)?
            } else {
                self.command()?
            };
            pipeline.commands.push(command);
        }
    }

    /// Takes `!`s: how many, and whether the last touches a parenthesis.
    fn negations(&mut self) -> Read<(usize, bool)> {
        let mut count = 0;
        let mut touches = false;
        while self.take_reserved(b"!") {
            self.tick()?;
            count += 1;
            touches = self.peek() == b'(';
            self.blanks();
        }
        Ok((count, touches))
    }

    /// `time` without options of the program of that name.
    fn begins_time(&self) -> bool {
        if self.reserved() != b"time" {
            return false;
        }
        let next = self.after_blanks(self.ahead(self.at, 4));
        self.source.get(next) != Some(&b'-')
            || [b"-p", b"--"]
                .iter()
                .any(|option| self.option_at(next, *option))
    }

    fn option_at(&self, at: usize, option: &[u8]) -> bool {
        let end = self.source.get(self.ahead(at, option.len()));
        self.stands_at(at, option) && end.is_none_or(|end| is_meta(*end))
    }

    /// `time`, its options and what is timed, which may be missing.
    fn time(&mut self) -> Read<Command> {
        let start = self.at;
        self.advance(4);
        self.blanks();
        for option in [b"-p", b"--"] {
            if self.option_at(self.at, option) {
                self.advance(2);
                self.blanks();
            }
        }
        let pipeline = if self.ends_command() {
            Pipeline {
                negated: false,
                commands: vec![self.no_command()],
            }
        } else {
            if self.may_be_sh() && !self.reserved().is_empty() {
                self.doubt_to_end(DoubtKind::TimeKeyword, start);
            }
            self.pipeline()?
        };
        Ok(Command {
            kind: CommandKind::Time(Box::new(pipeline)),
            redirections: Vec::new(),
            span: self.span_from(start),
        })
    }

    fn no_command(&self) -> Command {
        Command {
            kind: CommandKind::Simple {
                assignments: Vec::new(),
                words: Vec::new(),
            },
            redirections: Vec::new(),
            span: self.span_from(self.at),
        }
    }
}
