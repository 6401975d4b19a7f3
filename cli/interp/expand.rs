//! Words to fields, in the shell's order: braces, tilde, parameters and substitutions, splitting, globs.

mod doubts;
mod names;
mod split;
mod tilde;
mod zsh;

use std::rc::Rc;

use super::{
    Halt, Interpreter, braces,
    pattern::Pattern,
    state::{Cwd, State},
    value::{Field, Segment, Text, Trace, Unknown, Value},
};
pub(in crate::interp) use doubts::holds_list;
use doubts::{braces_list, holds_dollar, splits_joined};
pub(crate) use tilde::Tilde;
pub(in crate::interp) use zsh::element;

use crate::shell::ast::{Dialect, Parameter, Piece, Span, Word};
use split::Source;

/// A stretch of a word after expansion, before splitting.
pub(crate) enum Chunk {
    /// Bytes.
    Bytes {
        bytes: Vec<u8>,
        /// There may be pattern characters in it.
        active: bool,
        /// IFS applies to it.
        splits: bool,
    },
    /// Bytes that are not known.
    Unknown(Unknown),
    /// The same, which may be any number of fields.
    Several(Unknown),
    /// A field ends here and another begins (`"$@"`). Where there is but one string, this joins its parts.
    Break(Text),
    /// The same without quotes (`$@`): fields that come out empty vanish. Where there is but one string, this joins
    /// its parts.
    Joint(Text),
    /// Variables that contributed nothing.
    Trace(Trace),
    /// Quotes around nothing: the field exists although it is empty.
    Exists,
}

impl Chunk {
    /// Handling one costs as much as handling so many bytes.
    const WEIGHT: usize = 512;

    /// How many bytes of it are looked at for separators.
    fn splits(&self) -> usize {
        match self {
            Self::Bytes {
                bytes,
                splits: true,
                ..
            } => bytes.len(),
            _ => 0,
        }
    }

    /// What it takes out of the budget.
    fn weight(&self) -> usize {
        match self {
            Self::Bytes { bytes, .. } => bytes.len() + Self::WEIGHT,
            // It comes with what it tells of.
            Self::Trace(_) => 0,
            _ => Self::WEIGHT,
        }
    }
}

/// The words of a command after expansion.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) fields: Vec<Field>,
    /// What words lost that left no field at all.
    pub(crate) vanished: Trace,
    /// Those words, as written.
    pub(crate) vanished_spelled: Vec<Rc<[u8]>>,
}

impl Interpreter<'_> {
    /// Expands the words of a command.
    pub(crate) fn words(&mut self, words: &[Word], state: &mut State) -> Result<Words, Halt> {
        let mut out = Words::default();
        let outer = std::mem::take(&mut self.assigning);
        let expanded =
            (words.iter()).try_for_each(|word| self.word_into(word, true, state, &mut out));
        self.assigning = outer;
        expanded?;
        Ok(out)
    }

    /// Expands a word of an array, which is no assignment whatever it looks like.
    pub(crate) fn element_words(&mut self, word: &Word, state: &mut State) -> Result<Words, Halt> {
        let mut out = Words::default();
        self.word_into(word, false, state, &mut out)?;
        Ok(out)
    }

    fn word_into(
        &mut self,
        word: &Word,
        may_assign: bool,
        state: &mut State,
        out: &mut Words,
    ) -> Result<(), Halt> {
        self.step()?;
        let spelled = self.spelled(word.span);
        let dialect = self.dialect();
        let alternatives = match dialect {
            Dialect::Sh => vec![word.pieces.clone()],
            Dialect::Zsh => {
                let pieces = self.spelled_out_in_zsh(&word.pieces, state);
                braces::expand(&pieces, &self.source, dialect).ok_or(Halt::Spent)?
            }
            _ => braces::expand(&word.pieces, &self.source, dialect).ok_or(Halt::Spent)?,
        };
        // What braces make of a word is no assignment any more.
        let assigns = may_assign
            && matches!(dialect, Dialect::Bash | Dialect::Unknown)
            && tilde::looks_like_assignment(&word.pieces)
            && alternatives == [word.pieces.as_slice()];
        let doubtful = alternatives.iter().any(|pieces| {
            pieces.iter().any(braces::is_doubt)
                || holds_dollar(pieces)
                || dialect != Dialect::Zsh && (tilde::swallows(pieces) || splits_joined(pieces))
                || dialect == Dialect::Zsh && self.braces_array(&word.pieces, state)
        });
        if doubtful {
            return self.doubtful_word(word, state, &spelled, out);
        }
        for pieces in alternatives {
            let tilde = if assigns {
                Tilde::Assigning
            } else {
                Tilde::AtStart
            };
            let (chunks, tilde) = self.chunks(&pieces, state, tilde)?;
            // What comes out of an expansion may fall into as many fields as it has bytes.
            self.pay(chunks.iter().map(Chunk::splits).sum::<usize>() / 8)?;
            let before = out.fields.len();
            let source = Source {
                spelled: &spelled,
                tilde,
            };
            let lost = self.split(chunks, state, &source, &mut out.fields);
            let is_nothing = out.fields.len() == before;
            if is_nothing && !lost.lost_nothing() {
                out.vanished.extend(&lost);
            }
            if is_nothing && (!lost.lost_nothing() || state.options.nullglob) {
                out.vanished_spelled.push(spelled.clone());
            }
            for field in out.fields.iter_mut().skip(before) {
                field.text.trace.origins.extend(&lost.origins);
            }
        }
        Ok(())
    }

    /// Whether a word of zsh has braces beside a list.
    fn braces_array(&self, pieces: &[Piece], state: &State) -> bool {
        let is_array = |piece: &Piece| {
            matches!(piece, Piece::Parameter(parameter)
                if matches!(self.lookup(&parameter.name, state), Value::Array(_)))
        };
        let is_expanded = |piece: &Piece| {
            matches!(piece, Piece::Literal { bytes, quoted: false }
                if bytes.contains(&b'{') && bytes != b"{")
        };
        braces_list(pieces) || pieces.iter().any(is_expanded) && pieces.iter().any(is_array)
    }

    /// A word of which nobody can tell what becomes of it: what it runs is judged all the same, and what it assigns is
    /// not known afterwards.
    fn doubtful_word(
        &mut self,
        word: &Word,
        state: &mut State,
        spelled: &Rc<[u8]>,
        out: &mut Words,
    ) -> Result<(), Halt> {
        let before = state.variables.clone();
        match self.pieces(&word.pieces, state) {
            // Whether it comes to that is not known either.
            Ok(_) | Err(Halt::Exit) => {}
            Err(Halt::Spent) => return Err(Halt::Spent),
        }
        let after = state.variables.clone();
        for (name, value) in after.iter() {
            if before.get(name) != Some(value) {
                let why = "a variable that a word assigns";
                state.assign(name, Value::Any(why.into()));
            }
        }
        let why = "a word that shells expand in ways of their own";
        out.fields.push(Field {
            text: Text::unknown(Unknown::anything(why)),
            spelled: spelled.clone(),
            many: true,
            ..Field::default()
        });
        Ok(())
    }

    /// Expands a word to one string: no braces, no splitting, no globs (assignments, `case`, redirections).
    pub(crate) fn text(
        &mut self,
        word: &Word,
        state: &mut State,
        tilde: Tilde,
    ) -> Result<Text, Halt> {
        let outer = std::mem::replace(&mut self.assigning, tilde == Tilde::Assignment);
        let chunks = self.chunks(&word.pieces, state, tilde);
        self.assigning = outer;
        Ok(joined(chunks?.0))
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
        let tilde = match self.assigning {
            true => Tilde::Assignment,
            false => Tilde::AtStart,
        };
        Ok(self.chunks(pieces, state, tilde)?.0)
    }

    /// Expands pieces to a pattern (`case`, `${x#pattern}`); `None` if any of it is not known.
    pub(crate) fn pattern(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Option<Pattern>, Halt> {
        let (chunks, _) = self.chunks(pieces, state, Tilde::AtStart)?;
        let mut pattern = Pattern {
            extended: state.options.extglob,
            ..Pattern::default()
        };
        for chunk in chunks {
            match chunk {
                Chunk::Bytes { bytes, active, .. } => pattern.push(&bytes, active),
                Chunk::Joint(text) => match text.bytes() {
                    Some(bytes) => pattern.push(bytes, true),
                    None => return Ok(None),
                },
                Chunk::Break(text) => match text.bytes() {
                    Some(bytes) => pattern.push(bytes, false),
                    None => return Ok(None),
                },
                Chunk::Unknown(_) | Chunk::Several(_) => return Ok(None),
                Chunk::Trace(_) | Chunk::Exists => {}
            }
        }
        let strange = pattern.is_doubtful()
            || state.options.odd
            || pattern.has_extended() && !(state.options.extglob && pattern.is_simply_extended())
            || self.dialect() == Dialect::Zsh && pattern.is_zsh();
        Ok(Some(pattern).filter(|_| !strange))
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
        let dialect = self.dialect();
        // Bytes of the next literal that belong to the parameter before it.
        let mut taken = 0;
        for (at, piece) in pieces.iter().enumerate() {
            self.charge(out[charged..].iter().map(Chunk::weight).sum())?;
            charged = out.len();
            let skipped = std::mem::take(&mut taken);
            match piece {
                Piece::Literal {
                    bytes,
                    quoted: true,
                } => {
                    out.push(Chunk::Exists);
                    out.push(Chunk::Bytes {
                        bytes: bytes[skipped..].to_vec(),
                        active: false,
                        splits: false,
                    });
                }
                Piece::Literal {
                    bytes,
                    quoted: false,
                } => {
                    let bytes = &bytes[skipped..];
                    let next = pieces.get(at + 1);
                    // zsh looks for it once the rest is expanded.
                    let first = at == 0 || dialect == Dialect::Zsh && begins_field(&out, tilde);
                    expanded_tilde |= self.literal(bytes, first, next, tilde, state, &mut out);
                }
                Piece::Parameter(parameter)
                    if self.dialect() == Dialect::Zsh
                        && is_changed_in_zsh(parameter, pieces.get(at + 1)) =>
                {
                    taken = self.changed_in_zsh(parameter, pieces.get(at + 1), state, &mut out);
                }
                Piece::Parameter(parameter) => {
                    let before = out.len();
                    self.parameter(parameter, state, &mut out)?;
                    // Nothing is split in zsh, but what is not known may be an array.
                    let may_be_list = dialect == Dialect::Zsh && !parameter.quoted;
                    for chunk in out[before..].iter_mut().filter(|_| may_be_list) {
                        if let Chunk::Unknown(unknown) = chunk
                            && unknown.may_hold_slash
                        {
                            *chunk = Chunk::Several(unknown.clone());
                        }
                    }
                }
                Piece::Command {
                    script,
                    quoted,
                    span,
                } => {
                    let text = self.substitution(script, *span, state)?;
                    push_text(&text, *quoted, &mut out);
                    if self.dialect() == Dialect::Zsh {
                        // It is split there, but its stars are only stars.
                        if let Some(Chunk::Bytes { active, .. }) = out.last_mut() {
                            *active = false;
                        }
                    }
                    if *quoted {
                        out.push(Chunk::Exists);
                    }
                }
                Piece::Arithmetic { text, quoted, span } => {
                    let value = self.arithmetic_text(text, state)?;
                    if dialect == Dialect::Sh && self.spelled(*span).starts_with(b"$[") {
                        // To dash it is a pattern.
                        let why = "what only some shells take for arithmetic";
                        out.push(Chunk::Several(Unknown::anything(why)));
                        continue;
                    }
                    push_text(&value, *quoted, &mut out);
                }
                Piece::Process { script, .. } => {
                    let bytes = self.aside(script, state)?;
                    out.push(Chunk::Bytes {
                        bytes,
                        active: false,
                        splits: false,
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
                active: !quoted,
                splits: !quoted,
            },
            // Splitting a name that find found makes other names of it.
            Segment::Unknown(Unknown {
                why,
                found: Some(_),
                ..
            }) if !quoted => Chunk::Several(Unknown::anything(why.clone())),
            Segment::Unknown(unknown) if !quoted && unknown.may_hold_slash => {
                Chunk::Several(unknown.clone())
            }
            Segment::Unknown(unknown) => Chunk::Unknown(unknown.clone()),
        });
    }
    if !text.trace.lost_nothing() || !text.trace.origins.is_none() {
        out.push(Chunk::Trace(text.trace.clone()));
    }
}

fn joined(chunks: Vec<Chunk>) -> Text {
    let mut text = Text::default();
    for chunk in chunks {
        match chunk {
            Chunk::Bytes { bytes, .. } => text.push_bytes(&bytes),
            Chunk::Unknown(unknown) | Chunk::Several(unknown) => text.push_unknown(unknown),
            Chunk::Break(joint) | Chunk::Joint(joint) => text.append(&joint),
            Chunk::Trace(trace) => text.trace.extend(&trace),
            Chunk::Exists => {}
        }
    }
    text
}

/// Whether all that stands in the last field so far is nothing.
fn begins_field(chunks: &[Chunk], tilde: Tilde) -> bool {
    let ends = |chunk: &Chunk| {
        matches!(tilde, Tilde::AtStart | Tilde::Assigning)
            && matches!(chunk, Chunk::Break(_) | Chunk::Joint(_))
    };
    let mut field = chunks.iter().rev().take_while(|chunk| !ends(chunk));
    field.all(|chunk| match chunk {
        Chunk::Bytes { bytes, .. } => bytes.is_empty(),
        Chunk::Trace(_) | Chunk::Exists => true,
        Chunk::Unknown(_) | Chunk::Several(_) | Chunk::Break(_) | Chunk::Joint(_) => false,
    })
}

/// Whether zsh takes what follows a bare `$name` for its subscript or its modifiers.
fn is_changed_in_zsh(parameter: &Parameter, next: Option<&Piece>) -> bool {
    let Some(Piece::Literal { bytes, quoted }) = next else {
        return false;
    };
    !parameter.braced
        && parameter.operator.is_empty()
        && parameter.quoted == *quoted
        && match bytes.as_slice() {
            [b'[', ..] => true,
            [b':', letter, ..] => letter.is_ascii_alphabetic() || *letter == b'&',
            _ => false,
        }
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
