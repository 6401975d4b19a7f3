//! Words to fields, in the shell's order: braces, tilde, parameters and substitutions, splitting, globs.

mod names;
mod split;
mod tilde;

use std::rc::Rc;

use super::{
    Halt, Interpreter, braces,
    pattern::Pattern,
    state::{Cwd, State},
    value::{Field, Losses, Segment, Text, Unknown, Value},
};
pub(crate) use tilde::Tilde;

use crate::shell::ast::{Dialect, Piece, Span, Word};

/// A stretch of a word after expansion, before splitting.
pub(crate) enum Chunk {
    /// Bytes.
    Bytes {
        bytes: Vec<u8>,
        /// Not split, and no pattern characters in it.
        quoted: bool,
        /// It came out of an expansion: splitting applies to it unless quoted.
        expanded: bool,
    },
    /// Bytes that are not known.
    Unknown(Unknown),
    /// A field ends here and another begins (`"$@"`).
    Break,
    /// Variables that contributed nothing.
    Losses(Losses),
    /// Quotes around nothing: the field exists although it is empty.
    Exists,
}

impl Chunk {
    /// What it takes out of the budget.
    fn weight(&self) -> usize {
        match self {
            Self::Bytes { bytes, .. } => bytes.len() + 16,
            _ => 16,
        }
    }
}

/// The words of a command after expansion.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) fields: Vec<Field>,
    /// What words lost that left no field at all.
    pub(crate) vanished: Losses,
    /// Those words, as written.
    pub(crate) vanished_spelled: Vec<Rc<[u8]>>,
}

impl Interpreter<'_> {
    /// Expands the words of a command.
    pub(crate) fn words(&mut self, words: &[Word], state: &mut State) -> Result<Words, Halt> {
        let mut out = Words::default();
        for word in words {
            self.word_into(word, state, &mut out)?;
        }
        Ok(out)
    }

    fn word_into(&mut self, word: &Word, state: &mut State, out: &mut Words) -> Result<(), Halt> {
        self.step()?;
        let spelled = self.spelled(word.span);
        let alternatives = if self.dialect() == Dialect::Sh {
            vec![word.pieces.clone()]
        } else {
            braces::expand(&word.pieces).ok_or(Halt::Spent)?
        };
        for pieces in alternatives {
            let (chunks, tilde) = self.chunks(&pieces, state, Tilde::AtStart)?;
            let before = out.fields.len();
            let lost = self.split(chunks, state, &spelled, tilde, &mut out.fields);
            if out.fields.len() == before && !lost.is_none() {
                out.vanished.extend(&lost);
                out.vanished_spelled.push(spelled.clone());
            }
        }
        Ok(())
    }

    /// Expands a word to one string: no braces, no splitting, no globs (assignments, `case`, redirections).
    pub(crate) fn text(
        &mut self,
        word: &Word,
        state: &mut State,
        tilde: Tilde,
    ) -> Result<Text, Halt> {
        let (chunks, _) = self.chunks(&word.pieces, state, tilde)?;
        Ok(joined(chunks))
    }

    /// Expands pieces to one string.
    pub(crate) fn pieces(&mut self, pieces: &[Piece], state: &mut State) -> Result<Text, Halt> {
        let (chunks, _) = self.chunks(pieces, state, Tilde::AtStart)?;
        Ok(joined(chunks))
    }

    /// Expands the operand of `${x:-word}`, keeping what it quotes.
    pub(crate) fn operand_chunks(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Vec<Chunk>, Halt> {
        Ok(self.chunks(pieces, state, Tilde::AtStart)?.0)
    }

    /// Expands pieces to a pattern (`case`, `${x#pattern}`); `None` if any of it is not known.
    pub(crate) fn pattern(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Option<Pattern>, Halt> {
        let (chunks, _) = self.chunks(pieces, state, Tilde::Never)?;
        let mut pattern = Pattern::default();
        for chunk in chunks {
            match chunk {
                Chunk::Bytes { bytes, quoted, .. } => pattern.push(&bytes, !quoted),
                Chunk::Unknown(_) => return Ok(None),
                Chunk::Break | Chunk::Losses(_) | Chunk::Exists => {}
            }
        }
        Ok(Some(pattern).filter(|pattern| !pattern.has_extended()))
    }

    fn chunks(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
        tilde: Tilde,
    ) -> Result<(Vec<Chunk>, bool), Halt> {
        let mut out = Vec::new();
        let mut expanded_tilde = false;
        let mut charged = 0;
        for (at, piece) in pieces.iter().enumerate() {
            self.charge(out[charged..].iter().map(Chunk::weight).sum())?;
            charged = out.len();
            match piece {
                Piece::Literal {
                    bytes,
                    quoted: true,
                } => {
                    if bytes.is_empty() {
                        out.push(Chunk::Exists);
                    }
                    out.push(Chunk::Bytes {
                        bytes: bytes.clone(),
                        quoted: true,
                        expanded: false,
                    });
                }
                Piece::Literal {
                    bytes,
                    quoted: false,
                } => {
                    let ends_word = at + 1 == pieces.len();
                    expanded_tilde |=
                        self.literal(bytes, at == 0, ends_word, tilde, state, &mut out);
                }
                Piece::Parameter(parameter) => self.parameter(parameter, state, &mut out)?,
                Piece::Command {
                    script,
                    quoted,
                    span,
                } => {
                    let text = self.substitution(script, *span, state)?;
                    push_text(&text, *quoted, &mut out);
                    if *quoted {
                        out.push(Chunk::Exists);
                    }
                }
                Piece::Arithmetic { text, quoted, .. } => {
                    let value = self.arithmetic(text, state)?;
                    push_text(&value, *quoted, &mut out);
                }
                Piece::Process { script, .. } => {
                    let bytes = self.aside(script, state)?;
                    out.push(Chunk::Bytes {
                        bytes,
                        quoted: true,
                        expanded: false,
                    });
                }
            }
        }
        self.charge(out[charged..].iter().map(Chunk::weight).sum())?;
        Ok((out, expanded_tilde))
    }

    /// The bytes of the source in `span`.
    pub(crate) fn spelled(&self, span: Span) -> Rc<[u8]> {
        self.source
            .get(span.start..span.end)
            .unwrap_or_default()
            .into()
    }
}

/// Adds the result of an expansion.
pub(crate) fn push_text(text: &Text, quoted: bool, out: &mut Vec<Chunk>) {
    for segment in &text.segments {
        out.push(match segment {
            Segment::Known(bytes) => Chunk::Bytes {
                bytes: bytes.clone(),
                quoted,
                expanded: true,
            },
            // Splitting a name that find found makes other names of it.
            Segment::Unknown(Unknown {
                why,
                found: Some(_),
                ..
            }) if !quoted => Chunk::Unknown(Unknown::anything(why.clone())),
            Segment::Unknown(unknown) => Chunk::Unknown(unknown.clone()),
        });
    }
    if !text.losses.is_none() {
        out.push(Chunk::Losses(text.losses.clone()));
    }
}

fn joined(chunks: Vec<Chunk>) -> Text {
    let mut text = Text::default();
    for chunk in chunks {
        match chunk {
            Chunk::Bytes { bytes, .. } => text.push_bytes(&bytes),
            Chunk::Unknown(unknown) => text.push_unknown(unknown),
            Chunk::Break => text.push_bytes(b" "),
            Chunk::Losses(losses) => text.losses.extend(&losses),
            Chunk::Exists => {}
        }
    }
    text
}

/// The directory as text.
pub(crate) fn cwd_text(cwd: &Cwd) -> Text {
    match cwd {
        Cwd::At(path) => Text::known(path.clone()),
        Cwd::Unknown(why) => Text::unknown(Unknown {
            may_be_empty: false,
            ..Unknown::anything(why.clone())
        }),
    }
}

/// A value as one string.
pub(crate) fn scalar(value: Value, what: &str) -> Text {
    match value {
        Value::Unset => Text::default(),
        Value::Scalar(text) => text,
        Value::Array(items) => items.into_iter().next().unwrap_or_default(),
        Value::Any(why) if why.is_empty() => Text::unknown(Unknown::anything(what)),
        Value::Any(why) => Text::unknown(Unknown::anything(why)),
    }
}
