//! Commands: which kind stands here, and simple ones.

use super::{
    ast::{AssignedValue, Assignment, Command, CommandKind, Dialect, Piece, Redirection, Word},
    cursor::{Read, Reader},
    word::Stops,
};

impl Reader<'_> {
    pub(super) fn command(&mut self) -> Read<Command> {
        self.blanks()?;
        self.pay()?;
        let start = self.at;
        let compound = self.nested(Self::compound)?;
        let (kind, mut redirections) = match compound {
            Some(kind) => (kind, Vec::new()),
            None => self.simple()?,
        };
        if !matches!(kind, CommandKind::Simple { .. } | CommandKind::Time(_)) {
            loop {
                self.blanks()?;
                match self.redirection()? {
                    Some(redirection) => redirections.push(redirection),
                    None => break,
                }
            }
        }
        Ok(Command {
            kind,
            redirections,
            span: self.span(start),
        })
    }

    fn simple(&mut self) -> Read<(CommandKind, Vec<Redirection>)> {
        let mut assignments = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut redirections = Vec::new();
        loop {
            self.blanks()?;
            self.pay()?;
            if let Some(redirection) = self.redirection()? {
                redirections.push(redirection);
                continue;
            }
            if words.is_empty() {
                if let Some(assignment) = self.assignment()? {
                    assignments.push(assignment);
                    continue;
                }
            } else if words.first().is_some_and(declares)
                && let Some(word) = self.declared_array()?
            {
                words.push(word);
                continue;
            }
            let Some(word) = self.word(Stops::Command)? else {
                break;
            };
            words.push(word);
            if words.len() == 1
                && assignments.is_empty()
                && redirections.is_empty()
                && let Some(kind) = self.function_body(&words[0])?
            {
                return Ok((kind, redirections));
            }
        }
        if assignments.is_empty() && words.is_empty() && redirections.is_empty() {
            return self.fail("a command is missing");
        }
        Ok((CommandKind::Simple { assignments, words }, redirections))
    }

    /// `name ()` after its name.
    fn function_body(&mut self, name: &Word) -> Read<Option<CommandKind>> {
        let [
            Piece::Literal {
                bytes,
                quoted: false,
            },
        ] = name.pieces.as_slice()
        else {
            return Ok(None);
        };
        let name = bytes.clone();
        let start = self.at;
        self.blanks()?;
        if !self.takes(b"(") {
            self.at = start;
            return Ok(None);
        }
        self.blanks()?;
        if !self.takes(b")") {
            self.at = start;
            return Ok(None);
        }
        self.newlines()?;
        let body = Box::new(self.nested(Self::command)?);
        Ok(Some(CommandKind::Function { name, body }))
    }

    /// `NAME=`, `NAME+=` and `NAME[...]=` with what follows.
    fn assignment(&mut self) -> Read<Option<Assignment>> {
        let start = self.at;
        let name_length = name_length(self.rest());
        if name_length == 0 {
            return Ok(None);
        }
        let name = self.rest()[..name_length].to_vec();
        self.at += name_length;
        self.continuations();
        let mut subscript = None;
        if self.peek() == Some(b'[') && self.dialect != Dialect::Sh {
            match self.attempt(Self::subscript) {
                Some(pieces) => subscript = Some(pieces),
                None => {
                    self.at = start;
                    return Ok(None);
                }
            }
        }
        let append = self.starts_with(b"+=");
        if append {
            self.at += 1;
        }
        if !self.takes(b"=") {
            self.at = start;
            return Ok(None);
        }
        let value = if self.peek() == Some(b'(') && self.dialect != Dialect::Sh {
            self.at += 1;
            AssignedValue::Array(self.array()?)
        } else {
            AssignedValue::Scalar(self.word(Stops::Command)?.unwrap_or_default())
        };
        Ok(Some(Assignment {
            name,
            subscript,
            append,
            value,
            span: self.span(start),
        }))
    }

    /// The elements of `(...)`, after the opening parenthesis.
    fn array(&mut self) -> Read<Vec<(Option<Vec<Piece>>, Word)>> {
        let mut elements = Vec::new();
        loop {
            self.newlines()?;
            self.pay()?;
            if self.takes(b")") {
                return Ok(elements);
            }
            let mut subscript = None;
            if self.peek() == Some(b'[') {
                subscript = self.attempt(|this| {
                    let pieces = this.subscript()?;
                    if this.takes(b"+=") || this.takes(b"=") {
                        Ok(pieces)
                    } else {
                        this.fail("no assignment")
                    }
                });
            }
            match self.word(Stops::Command)? {
                Some(word) => elements.push((subscript, word)),
                None if subscript.is_some() => elements.push((subscript, Word::default())),
                None => return self.fail("an array is not closed"),
            }
        }
    }

    /// `X=(...)` after `declare` and its like: one word, whose elements stand in it with blanks between.
    fn declared_array(&mut self) -> Read<Option<Word>> {
        let start = self.at;
        let length = name_length(self.rest());
        let rest = &self.rest()[length..];
        let sign = if rest.starts_with(b"=(") {
            1
        } else if rest.starts_with(b"+=(") {
            2
        } else {
            return Ok(None);
        };
        if length == 0 || self.dialect == Dialect::Sh {
            return Ok(None);
        }
        let mut pieces = vec![Piece::Literal {
            bytes: self.rest()[..length + sign].to_vec(),
            quoted: false,
        }];
        self.at += length + sign + 1;
        for (at, (subscript, word)) in self.array()?.into_iter().enumerate() {
            if at > 0 {
                pieces.push(Piece::Literal {
                    bytes: b" ".to_vec(),
                    quoted: false,
                });
            }
            pieces.extend(subscript.into_iter().flatten());
            pieces.extend(word.pieces);
        }
        Ok(Some(Word {
            pieces,
            span: self.span(start),
        }))
    }
}

/// How long a name is that stands at the beginning.
pub(super) fn name_length(text: &[u8]) -> usize {
    if !text
        .first()
        .is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphabetic())
    {
        return 0;
    }
    text.iter()
        .take_while(|byte| **byte == b'_' || byte.is_ascii_alphanumeric())
        .count()
}

fn declares(word: &Word) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Literal { bytes, quoted: false }]
        if matches!(bytes.as_slice(), b"declare" | b"typeset" | b"local" | b"export" | b"readonly" | b"eval" | b"let"))
}

/// Whether the byte before a `(` lets it be an extended glob.
pub(super) const fn opens_extglob(byte: u8) -> bool {
    matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!')
}
