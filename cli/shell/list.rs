//! Lists, and-or lists, pipelines; whole scripts and their errors.

use super::{
    ast::{Command, CommandKind, Connector, Item, List, Pipeline, Script, SyntaxError},
    cursor::{Fail, Read, Reader},
};

/// Words that end a list where a command could begin.
const CLOSERS: &[&[u8]] = &[
    b"then", b"do", b"done", b"fi", b"elif", b"else", b"esac", b"}",
];

impl Reader<'_> {
    /// Reads the whole source. Where it holds here-documents it is read twice: the first pass finds their
    /// bodies, which begin only after the rest of the line that names them.
    pub(super) fn script_in_passes(&mut self) -> Script {
        let fuel = self.fuel;
        let script = self.whole();
        if self.bodies.is_empty() {
            return script;
        }
        self.at = 0;
        self.fuel = fuel;
        self.doubts.clear();
        self.pending.clear();
        self.whole()
    }

    fn whole(&mut self) -> Script {
        let mut script = Script::default();
        if let Some(at) = self.source[..self.end].iter().position(|byte| *byte == 0) {
            script.error = Some(SyntaxError {
                at: self.base + at,
                line_start: self.base,
                message: "the command holds a NUL byte",
            });
            return script;
        }
        loop {
            let line_start = self.at;
            let mut line = List::default();
            match self.complete_command(&mut line) {
                Ok(true) => script.list.items.append(&mut line.items),
                Ok(false) => {
                    script.list.items.append(&mut line.items);
                    break;
                }
                Err(Fail { at, message }) => {
                    script.error = Some(SyntaxError {
                        at: self.base + at,
                        line_start: self.base + line_start,
                        message,
                    });
                    break;
                }
            }
        }
        script.doubts = std::mem::take(&mut self.doubts);
        script
    }

    /// Reads up to the end of a line, which a shell runs before it reads on. False at the end of the source.
    fn complete_command(&mut self, line: &mut List) -> Read<bool> {
        self.newlines()?;
        if self.at >= self.end {
            self.skip_bodies()?;
            return Ok(false);
        }
        loop {
            if self.at_list_end() {
                return self.fail("a word or sign that ends nothing stands here");
            }
            line.items.push(self.item()?);
            self.blanks()?;
            match self.peek() {
                None => {
                    self.skip_bodies()?;
                    return Ok(false);
                }
                Some(b'\n') => {
                    self.newline()?;
                    return Ok(true);
                }
                Some(_) => {}
            }
        }
    }

    /// Reads commands up to something that closes the list, which is left.
    pub(super) fn list(&mut self) -> Read<List> {
        self.nested(|this| {
            let mut list = List::default();
            loop {
                this.newlines()?;
                if this.at_list_end() {
                    return Ok(list);
                }
                list.items.push(this.item()?);
            }
        })
    }

    /// A list that must hold a command.
    pub(super) fn filled_list(&mut self) -> Read<List> {
        let list = self.list()?;
        if list.items.is_empty() {
            self.fail("a command is missing")
        } else {
            Ok(list)
        }
    }

    fn at_list_end(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek_at(1), Some(b';' | b'&')),
            Some(_) => self.at_reserved_of(CLOSERS),
        }
    }

    fn item(&mut self) -> Read<Item> {
        self.pay()?;
        let first = self.pipeline()?;
        let mut item = Item {
            first,
            rest: Vec::new(),
            background: false,
        };
        loop {
            self.blanks()?;
            let connector = if self.takes(b"&&") {
                Connector::And
            } else if self.takes(b"||") {
                Connector::Or
            } else {
                break;
            };
            self.newlines()?;
            let pipeline = self.pipeline()?;
            item.rest.push((connector, pipeline));
        }
        match self.peek() {
            Some(b'&') => {
                self.at += 1;
                item.background = true;
            }
            Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => self.at += 1,
            None | Some(b'\n' | b')' | b';') => {}
            Some(_) if self.at_reserved_of(CLOSERS) => {}
            Some(_) => return self.fail("something stands here that cannot follow a command"),
        }
        Ok(item)
    }

    pub(super) fn pipeline(&mut self) -> Read<Pipeline> {
        let mut pipeline = Pipeline {
            negated: false,
            commands: Vec::new(),
        };
        self.blanks()?;
        let mut bare = false;
        while self.at_reserved(b"!") {
            self.at += 1;
            self.blanks()?;
            self.pay()?;
            pipeline.negated = !pipeline.negated;
            bare = true;
        }
        if bare && (self.at_list_end() || matches!(self.peek(), Some(b'\n' | b';' | b'&' | b'|'))) {
            // `!` alone, or before nothing.
            let span = self.span(self.at);
            let kind = CommandKind::Simple {
                assignments: Vec::new(),
                words: Vec::new(),
            };
            pipeline.commands.push(Command {
                kind,
                redirections: Vec::new(),
                span,
            });
            return Ok(pipeline);
        }
        loop {
            let command = self.command()?;
            pipeline.commands.push(command);
            self.blanks()?;
            if self.starts_with(b"||") || self.peek() != Some(b'|') {
                return Ok(pipeline);
            }
            self.at += 1;
            if self.peek() == Some(b'&') && self.dialect != super::ast::Dialect::Sh {
                self.at += 1;
            }
            self.newlines()?;
        }
    }

    /// Whether an unquoted word that is exactly `word` stands here.
    pub(super) fn at_reserved(&self, word: &[u8]) -> bool {
        self.at_reserved_of(&[word])
    }

    pub(super) fn at_reserved_of(&self, words: &[&[u8]]) -> bool {
        // No reserved word is longer than this; a continuation in the middle of one counts for nothing.
        let mut buffer = [0; 10];
        let mut length = 0;
        let mut rest = self.rest();
        loop {
            if let Some(after) = rest.strip_prefix(b"\\\n") {
                rest = after;
                continue;
            }
            match rest.first() {
                None => break,
                Some(byte) if super::cursor::ends_word(*byte) => break,
                Some(byte) => {
                    if length == buffer.len() {
                        return false;
                    }
                    buffer[length] = *byte;
                    length += 1;
                    rest = &rest[1..];
                }
            }
        }
        words.contains(&&buffer[..length])
    }

    /// Takes a reserved word that stands here.
    pub(super) fn takes_reserved(&mut self, word: &[u8]) -> bool {
        if !self.at_reserved(word) {
            return false;
        }
        let mut left = word.len();
        while left > 0 {
            if !self.takes(b"\\\n") {
                self.at += 1;
                left -= 1;
            }
        }
        self.continuations();
        true
    }

    pub(super) fn expects_reserved(&mut self, word: &[u8], message: &'static str) -> Read<()> {
        self.newlines()?;
        if self.takes_reserved(word) {
            Ok(())
        } else {
            self.fail(message)
        }
    }
}
