//! Words: literal, quoted and expanded pieces up to something that ends them.

use super::{
    ast::{Dialect, DoubtKind, Piece, Word},
    command::opens_extglob,
    cursor::{Read, Reader, ends_word},
};

/// Where a word ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    /// At blanks and operators.
    Command,
    /// The same, but parentheses and bars belong to the word (a regular expression in `[[ ]]`).
    Regex,
}

/// Pieces of a word; literals of one kind run together.
#[derive(Default)]
pub(super) struct Pieces(pub(super) Vec<Piece>);

impl Pieces {
    pub(super) fn literal(&mut self, more: &[u8], quote: bool) {
        match self.0.last_mut() {
            Some(Piece::Literal { bytes, quoted }) if *quoted == quote => {
                bytes.extend_from_slice(more)
            }
            _ => self.0.push(Piece::Literal {
                bytes: more.to_vec(),
                quoted: quote,
            }),
        }
    }
}

impl Reader<'_> {
    /// One word; `None` if none stands here.
    pub(super) fn word(&mut self, stops: Stops) -> Read<Option<Word>> {
        self.nested(|this| this.word_here(stops))
    }

    fn word_here(&mut self, stops: Stops) -> Read<Option<Word>> {
        self.continuations();
        let regex = stops == Stops::Regex;
        let start = self.at;
        let mut pieces = Pieces::default();
        let mut parentheses = 0_usize;
        while let Some(byte) = self.peek() {
            self.pay()?;
            match byte {
                b'\\' if self.peek_at(1) == Some(b'\n') => self.at += 2,
                b'\\' => self.escaped(&mut pieces),
                b'\'' => self.single_quoted(&mut pieces)?,
                b'"' => self.double_quoted(&mut pieces)?,
                b'$' => self.dollar(false, &mut pieces)?,
                b'`' => self.backticks(false, &mut pieces)?,
                b'<' | b'>'
                    if !regex && self.peek_at(1) == Some(b'(') && self.dialect != Dialect::Sh =>
                {
                    self.at += 1;
                    self.process(&mut pieces)?;
                }
                b'=' if self.dialect == Dialect::Zsh
                    && self.at == start
                    && self.peek_at(1) == Some(b'(') =>
                {
                    self.at += 1;
                    self.process(&mut pieces)?;
                }
                b'(' if regex => {
                    parentheses += 1;
                    self.one(&mut pieces);
                }
                b')' if regex && parentheses > 0 => {
                    parentheses -= 1;
                    self.one(&mut pieces);
                }
                b'|' | b'<' | b'>' | b';' | b'&' | b' ' if regex && parentheses > 0 => {
                    self.one(&mut pieces)
                }
                b'|' if regex && self.peek_at(1) != Some(b'|') => self.one(&mut pieces),
                b'(' if self.opens_pattern(start) => self.pattern_list(&mut pieces)?,
                byte if ends_word(byte) => break,
                _ => {
                    let run = self.run_length();
                    let bytes = &self.source[self.at..self.at + run];
                    pieces.literal(bytes, false);
                    self.at += run;
                }
            }
        }
        if self.at == start || pieces.0.is_empty() {
            return Ok(None);
        }
        Ok(Some(Word {
            pieces: pieces.0,
            span: self.span(start),
        }))
    }

    fn one(&mut self, pieces: &mut Pieces) {
        let byte = [self.source[self.at]];
        pieces.literal(&byte, false);
        self.at += 1;
    }

    /// Unquoted bytes up to something special.
    fn run_length(&self) -> usize {
        let rest = self.rest();
        let special =
            |byte: u8| ends_word(byte) || matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`');
        rest.iter()
            .position(|byte| special(*byte))
            .unwrap_or(rest.len())
            .max(1)
    }

    fn escaped(&mut self, pieces: &mut Pieces) {
        match self.peek_at(1) {
            Some(byte) => {
                pieces.literal(&[byte], true);
                self.at += 2;
            }
            None => {
                pieces.literal(b"\\", true);
                self.at += 1;
            }
        }
    }

    /// Whether a `(` in a word begins a list of patterns (`*(a|b)`), or a zsh qualifier.
    fn opens_pattern(&self, start: usize) -> bool {
        if self.at == start {
            return false;
        }
        let before = self.source[self.at - 1];
        match self.dialect {
            Dialect::Sh => false,
            Dialect::Zsh => true,
            // Where extglob is off this is an error, and nothing runs.
            Dialect::Bash | Dialect::Unknown => opens_extglob(before),
        }
    }

    /// `(a|b)` as text of the word; substitutions in it run all the same.
    fn pattern_list(&mut self, pieces: &mut Pieces) -> Read<()> {
        if self.source[self.at - 1] == b'!' {
            self.doubt(self.at - 1, DoubtKind::NegatedParenthesis);
        }
        let mut open = 0_usize;
        loop {
            self.pay()?;
            match self.peek() {
                None => return self.fail("a pattern list is not closed"),
                Some(b'(') => open += 1,
                Some(b')') => open -= 1,
                Some(b'\\') => {
                    self.escaped(pieces);
                    continue;
                }
                Some(b'\'') => {
                    self.single_quoted(pieces)?;
                    continue;
                }
                Some(b'"') => {
                    self.double_quoted(pieces)?;
                    continue;
                }
                Some(b'$') => {
                    self.dollar(false, pieces)?;
                    continue;
                }
                Some(b'`') => {
                    self.backticks(false, pieces)?;
                    continue;
                }
                Some(_) => {}
            }
            self.one(pieces);
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// `[...]` after a name, with quotes and substitutions in it.
    pub(super) fn subscript(&mut self) -> Read<Vec<Piece>> {
        self.nested(|this| {
            this.at += 1;
            let mut pieces = Pieces::default();
            let mut open = 1_usize;
            loop {
                this.pay()?;
                match this.peek() {
                    None | Some(b'\n') => return this.fail("a subscript is not closed"),
                    Some(b'[') => open += 1,
                    Some(b']') => {
                        open -= 1;
                        if open == 0 {
                            this.at += 1;
                            return Ok(pieces.0);
                        }
                    }
                    Some(_) => {
                        if this.quoted_piece(&mut pieces)? {
                            continue;
                        }
                    }
                }
                this.one(&mut pieces);
            }
        })
    }

    /// A quoted or expanded piece that may stand anywhere; false if none stands here.
    pub(super) fn quoted_piece(&mut self, pieces: &mut Pieces) -> Read<bool> {
        match self.peek() {
            Some(b'\\') => self.escaped(pieces),
            Some(b'\'') => self.single_quoted(pieces)?,
            Some(b'"') => self.double_quoted(pieces)?,
            Some(b'$') => self.dollar(false, pieces)?,
            Some(b'`') => self.backticks(false, pieces)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}
