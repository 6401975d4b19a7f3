//! Simple commands, and function definitions, which begin like one.

use super::array::Beginning;
use super::ast::{Assignment, CommandKind, Dialect, DoubtKind, Piece, Redirection, Word};
use super::pieces::bare;
use super::reader::{Read, Reader};

/// Builtins whose arguments may be assignments of arrays.
const DECLARING: [&[u8]; 8] = [
    b"declare",
    b"typeset",
    b"export",
    b"readonly",
    b"local",
    b"alias",
    b"eval",
    b"let",
];

impl Reader<'_> {
    /// Assignments, words and redirections in any order that the shells allow.
    pub(super) fn simple(&mut self) -> Read<(CommandKind, Vec<Redirection>)> {
        let mut assignments: Vec<Assignment> = Vec::new();
        let mut words: Vec<Word> = Vec::with_capacity(1);
        let mut redirections = Vec::new();
        let mut declares = false;
        loop {
            self.blanks();
            self.tick()?;
            if let Some(redirection) = self.redirection()? {
                redirections.push(redirection);
                continue;
            }
            if self.ends_command() {
                break;
            }
            if self.peek() == b'(' {
                if assignments.is_empty()
                    && redirections.is_empty()
                    && let [word] = words.as_slice()
                    && let Some(name) = bare(&word.pieces)
                    && let Some(end) = self.after_parentheses()
                {
                    let name = name.to_vec();
                    self.go_to(end);
                    return Ok((self.function(name)?, redirections));
                }
                if self.dialect != Dialect::Zsh || words.is_empty() {
                    return self.fail("an unexpected (");
                }
            }
            if !words.is_empty() {
                let array = if declares {
                    self.array_argument()?
                } else {
                    None
                };
                words.push(match array {
                    Some(array) => array,
                    None => self.word()?,
                });
                continue;
            }
            let start = self.at;
            match self.beginning()? {
                Beginning::Assignment(assignment) => assignments.push(assignment),
                Beginning::Word(word) => {
                    self.zsh_compound(&word, start)?;
                    declares = bare(&word.pieces).is_some_and(|name| DECLARING.contains(&name));
                    words.push(word);
                }
            }
        }
        if assignments.is_empty() && words.is_empty() && redirections.is_empty() {
            return self.fail("a missing command");
        }
        Ok((CommandKind::Simple { assignments, words }, redirections))
    }

    /// What only zsh takes for the beginning of a compound command: `{name` and `foreach`. Of a `repeat`, which can be
    /// read, others know nothing.
    fn zsh_compound(&mut self, word: &Word, start: usize) -> Read<()> {
        let closes = |piece: &Piece| matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'}'));
        let begins = match bare(&word.pieces) {
            Some(b"foreach") => true,
            _ => self.source[start..].starts_with(b"{") && !word.pieces.iter().any(closes),
        };
        match self.dialect {
            Dialect::Zsh if begins => self.fail("a compound command of zsh that is not read"),
            Dialect::Unknown if begins => {
                self.doubt_to_end(DoubtKind::ZshCompound, start);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
