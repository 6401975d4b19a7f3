//! Assignments, with their subscripts and arrays.

use super::ast::{AssignedValue, Assignment, DoubtKind, Piece, Word};
use super::cursor::{begins_name, in_name, is_meta};
use super::pieces::{append, push};
use super::reader::{Read, Reader};

type Element = (Option<Vec<Piece>>, Word);

/// What a command begins with.
pub(super) enum Beginning {
    Assignment(Assignment),
    Word(Word),
}

/// What ends the text of a subscript, besides `]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Nothing,
    /// A word: processes are substituted too.
    Word,
    /// `${...}`: the first `}` ends the parameter, whatever is open.
    Braces,
}

impl Reader<'_> {
    /// An assignment or else a word. In bash, brackets after a name belong to the word whatever they hold.
    pub(super) fn beginning(&mut self) -> Read<Beginning> {
        let start = self.at;
        if !begins_name(self.peek()) {
            return Ok(Beginning::Word(self.word()?));
        }
        let name = self.take_while(in_name)?;
        let subscript = match self.peek() {
            b'[' => self.outer_subscript()?,
            _ => None,
        };
        if !self.assigns() {
            let mut pieces = Vec::with_capacity(1);
            push(&mut pieces, &name, false);
            push_subscript(&mut pieces, subscript);
            return Ok(Beginning::Word(self.rest_of_word(start, pieces)?));
        }
        Ok(Beginning::Assignment(
            self.assignment(start, name, subscript)?,
        ))
    }

    /// `NAME=(...)` as an argument: the text of the assignment.
    pub(super) fn array_argument(&mut self) -> Read<Option<Word>> {
        let start = self.at;
        let name = self.take_while(in_name)?;
        let is_array = name.first().is_some_and(|first| begins_name(*first))
            && (self.looks_at(b"=(") || self.looks_at(b"+=("));
        if !is_array {
            self.at = start;
            return Ok(None);
        }
        Ok(Some(self.assignment(start, name, None)?.into_word()))
    }

    fn assigns(&self) -> bool {
        self.peek() == b'=' || self.looks_at(b"+=")
    }

    fn assignment(
        &mut self,
        start: usize,
        name: Vec<u8>,
        subscript: Option<Vec<Piece>>,
    ) -> Read<Assignment> {
        let append = self.take(b"+");
        self.advance(1);
        let value = if self.peek() == b'(' {
            let elements = self.deeper(Self::array)?;
            if !self.is_at_end() && !is_meta(self.peek()) {
                return self.fail("text that touches an array");
            }
            AssignedValue::Array(elements)
        } else {
            AssignedValue::Scalar(self.assigned_word()?)
        };
        Ok(Assignment {
            name,
            subscript,
            append,
            value,
            span: self.span_from(start),
        })
    }

    /// `[subscript]` at the start of a command or of an element. Only bash takes all of it for one word if it
    /// holds blanks and operators.
    fn outer_subscript(&mut self) -> Read<Option<Vec<Piece>>> {
        let start = self.at;
        if !self.is_foreign() {
            self.advance(1);
            return Ok(Some(self.subscript(Within::Word)?.0));
        }
        let read = self.attempt(|reader| {
            reader.advance(1);
            reader.subscript(Within::Word).map(Some)
        })?;
        if let Some((_, true)) = read {
            self.doubt_to_end(DoubtKind::SpacedSubscript, start);
        }
        Ok(read.map(|(pieces, _)| pieces))
    }

    fn assigned_word(&mut self) -> Read<Word> {
        if self.is_at_end() || self.is_between_words() {
            Ok(self.empty_word())
        } else {
            self.word()
        }
    }

    /// The elements between parentheses.
    fn array(&mut self) -> Read<Vec<Element>> {
        self.advance(1);
        let mut elements = Vec::new();
        loop {
            self.tick()?;
            self.blank_lines()?;
            if self.take(b")") {
                return Ok(elements);
            }
            if self.is_between_words() {
                return self.fail("an array without )");
            }
            let start = self.at;
            let subscript = match self.peek() {
                b'[' => self.outer_subscript()?,
                _ => None,
            };
            let (key, word) = if subscript.is_some() && self.assigns() {
                self.take(b"+");
                self.advance(1);
                (subscript, self.assigned_word()?)
            } else {
                let mut pieces = Vec::with_capacity(1);
                push_subscript(&mut pieces, subscript);
                (None, self.rest_of_word(start, pieces)?)
            };
            self.shared.has_array_pattern |= word.pieces.iter().any(holds_parenthesis);
            elements.push((key, word));
        }
    }

    /// The text of a subscript, whose `[` is taken, and its `]`; and whether blanks or operators stand in it.
    pub(super) fn subscript(&mut self, within: Within) -> Read<(Vec<Piece>, bool)> {
        let start = self.at;
        self.deeper(|reader| {
            let mut pieces = Vec::new();
            let mut open = 0usize;
            let mut is_spaced = false;
            loop {
                reader.tick()?;
                let byte = reader.peek();
                if reader.is_at_end() || byte == b'}' && within == Within::Braces {
                    return reader.fail("a subscript without ]");
                }
                match byte {
                    b'[' => open += 1,
                    b']' if open == 0 => {
                        reader.advance(1);
                        reader.doubt_escapes(start);
                        return Ok((pieces, is_spaced));
                    }
                    b']' => open -= 1,
                    b'<' | b'>' if within == Within::Word && reader.begins_process() => {
                        is_spaced = true;
                        reader.process(&mut pieces)?;
                        continue;
                    }
                    byte if is_meta(byte) => is_spaced = true,
                    _ => {
                        reader.arithmetic_step(&mut pieces)?;
                        continue;
                    }
                }
                push(&mut pieces, &[byte], false);
                reader.advance(1);
            }
        })
    }
}

impl Assignment {
    /// As an argument: the text of the assignment, its quoted pieces still quoted.
    pub(super) fn into_word(self) -> Word {
        let mut pieces = Vec::new();
        push(&mut pieces, &self.name, false);
        push_subscript(&mut pieces, self.subscript);
        push(&mut pieces, if self.append { b"+=" } else { b"=" }, false);
        match self.value {
            AssignedValue::Scalar(word) => append(&mut pieces, word.pieces),
            AssignedValue::Array(elements) => {
                push(&mut pieces, b"(", false);
                for (index, (subscript, word)) in elements.into_iter().enumerate() {
                    push(&mut pieces, if index > 0 { b" " } else { b"" }, false);
                    let is_keyed = subscript.is_some();
                    push_subscript(&mut pieces, subscript);
                    push(&mut pieces, if is_keyed { b"=" } else { b"" }, false);
                    append(&mut pieces, word.pieces);
                }
                push(&mut pieces, b")", false);
            }
        }
        Word {
            pieces,
            span: self.span,
        }
    }
}

fn push_subscript(pieces: &mut Vec<Piece>, subscript: Option<Vec<Piece>>) {
    if let Some(subscript) = subscript {
        push(pieces, b"[", false);
        append(pieces, subscript);
        push(pieces, b"]", false);
    }
}

/// Only a pattern holds a parenthesis that is not quoted.
fn holds_parenthesis(piece: &Piece) -> bool {
    matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'('))
}
