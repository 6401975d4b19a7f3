//! `[[ ... ]]`.

use super::ast::{CommandKind, DoubtKind, Piece, Word};
use super::cursor::is_meta;
use super::pieces::{bare, push};
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// The words up to `]]`, operators and parentheses among them.
    pub(super) fn conditional(&mut self, start: usize) -> Read<CommandKind> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.tick()?;
            self.blank_lines()?;
            let end = self.peek_at(2);
            if self.looks_at(b"]]") && (end == 0 || is_meta(end)) {
                self.advance(2);
                if self.may_be_sh() {
                    self.doubt_of_text(DoubtKind::ConditionalCommand, start);
                }
                return Ok(CommandKind::Conditional(words));
            }
            if words.last().and_then(|word| bare(&word.pieces)) == Some(b"=~") {
                words.push(self.regular_expression()?);
            } else if let Some(operator) = self.conditional_operator() {
                let start = self.at;
                self.advance(operator.len());
                words.push(Word {
                    pieces: vec![Piece::Literal {
                        bytes: operator.to_vec(),
                        quoted: false,
                    }],
                    span: self.span_from(start),
                });
            } else if self.is_at_end() || matches!(self.peek(), b';' | b'&' | b'|') {
                return self.fail("a missing ]]");
            } else {
                words.push(self.word()?);
            }
        }
    }

    fn conditional_operator(&self) -> Option<&'static [u8]> {
        if self.begins_process() {
            return None;
        }
        let operators: [&[u8]; 6] = [b"&&", b"||", b"(", b")", b"<", b">"];
        operators
            .into_iter()
            .find(|operator| self.looks_at(operator))
    }

    /// The word after `=~`: parentheses nest, and blanks inside them belong to it.
    fn regular_expression(&mut self) -> Read<Word> {
        let start = self.at;
        let mut pieces = Vec::new();
        let mut open = 0usize;
        while !self.is_at_end() {
            self.tick()?;
            let byte = self.peek();
            if self.begins_process() {
                self.process(&mut pieces)?;
                continue;
            }
            if !is_meta(byte) {
                self.word_step(&mut pieces)?;
                continue;
            }
            match byte {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' if pieces.is_empty() => {}
                b'|' if open > 0 || self.peek_at(1) != b'|' => {}
                b' ' | b'\t' | b'<' | b'>' | b';' | b'&' if open > 0 => {}
                _ => break,
            }
            push(&mut pieces, &[byte], false);
            self.advance(1);
        }
        if pieces.is_empty() {
            return self.fail("a missing regular expression");
        }
        Ok(Word {
            pieces,
            span: self.span_from(start),
        })
    }
}
