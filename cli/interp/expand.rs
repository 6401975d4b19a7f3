//! Words to fields, in the shell's order: braces, tilde, parameters and substitutions, splitting, globs.

use std::rc::Rc;

use super::{
    Halt, Interpreter, braces,
    pattern::{self, Pattern},
    state::{Cwd, State},
    value::{Field, Glob, Losses, Segment, Text, Unknown, Value},
};
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

const DEFAULT_IFS: &[u8] = b" \t\n";

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

    /// An unquoted literal: tilde prefixes at its beginning, in assignments also after each `:`.
    fn literal(
        &self,
        bytes: &[u8],
        first: bool,
        ends_word: bool,
        tilde: Tilde,
        state: &State,
        out: &mut Vec<Chunk>,
    ) -> bool {
        let mut rest = bytes;
        let mut at_start = first && tilde != Tilde::Never;
        let mut expanded = false;
        while at_start && rest.first() == Some(&b'~') {
            let stops: &[u8] = if tilde == Tilde::Assignment {
                b"/:"
            } else {
                b"/"
            };
            let end = rest
                .iter()
                .position(|byte| stops.contains(byte))
                .unwrap_or(rest.len());
            // `~"x"`: the prefix goes on into something quoted, and is none.
            if end == rest.len() && !ends_word {
                break;
            }
            let Some(home) = self.tilde(&rest[1..end], state) else {
                break;
            };
            expanded = true;
            push_text(&home, true, out);
            rest = &rest[end..];
            if tilde != Tilde::Assignment {
                break;
            }
            let colon = rest.iter().position(|byte| *byte == b':');
            let Some(colon) = colon else { break };
            out.push(Chunk::Bytes {
                bytes: rest[..=colon].to_vec(),
                quoted: false,
                expanded: false,
            });
            rest = &rest[colon + 1..];
            at_start = true;
        }
        out.push(Chunk::Bytes {
            bytes: rest.to_vec(),
            quoted: false,
            expanded: false,
        });
        expanded
    }

    /// What `~name` stands for; `None` if it stays as it is.
    fn tilde(&self, name: &[u8], state: &State) -> Option<Text> {
        match name {
            b"" => Some(match self.lookup(b"HOME", state) {
                Value::Scalar(home) => home,
                Value::Unset => self.session.home.map_or_else(
                    || Text::unknown(Unknown::anything("the home directory (HOME is not set)")),
                    Text::known,
                ),
                Value::Any(why) => Text::unknown(Unknown::anything(why)),
                Value::Array(_) => Text::unknown(Unknown::anything("the home directory")),
            }),
            b"+" if self.dialect() != Dialect::Sh => Some(cwd_text(&state.cwd)),
            b"-" if self.dialect() != Dialect::Sh => Some(scalar(
                self.lookup(b"OLDPWD", state),
                "the previous directory",
            )),
            name if name
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte)) =>
            {
                self.session.home_of(name).map(Text::known)
            }
            _ => None,
        }
    }

    /// Splits chunks into fields and expands their globs. Returns what was lost if no field came out.
    fn split(
        &mut self,
        chunks: Vec<Chunk>,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) -> Losses {
        let ifs = match self.lookup(b"IFS", state) {
            Value::Scalar(text) => text
                .bytes()
                .map_or_else(|| DEFAULT_IFS.to_vec(), <[u8]>::to_vec),
            _ => DEFAULT_IFS.to_vec(),
        };
        let mut draft = Draft::default();
        let mut losses = Losses::default();
        for chunk in chunks {
            match chunk {
                Chunk::Bytes {
                    bytes,
                    quoted,
                    expanded,
                } if quoted || !expanded => draft.push(&bytes, !quoted),
                Chunk::Bytes { bytes, .. } => {
                    let mut parts = Separated::new(&bytes, &ifs);
                    while let Some((part, ends)) = parts.next() {
                        draft.push(part, true);
                        if ends {
                            self.finish(&mut draft, state, spelled, tilde, out);
                        }
                    }
                }
                Chunk::Unknown(unknown) => {
                    draft.exists |= !unknown.may_be_empty;
                    draft.maybe = true;
                    draft.flush();
                    draft.text.push_unknown(unknown);
                }
                Chunk::Break => self.finish_always(&mut draft, state, spelled, tilde, out),
                Chunk::Losses(lost) => {
                    draft.text.losses.extend(&lost);
                    losses.extend(&lost);
                }
                Chunk::Exists => draft.exists = true,
            }
        }
        self.finish(&mut draft, state, spelled, tilde, out);
        losses
    }

    fn finish_always(
        &mut self,
        draft: &mut Draft,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) {
        draft.exists = true;
        self.finish(draft, state, spelled, tilde, out);
    }

    fn finish(
        &mut self,
        draft: &mut Draft,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) {
        let mut draft = std::mem::take(draft);
        let pattern = draft.flush().without_extended();
        let glob = !draft.maybe && !state.options.noglob && pattern.is_glob();
        if !draft.exists && draft.text.is_empty() {
            return;
        }
        let field = Field {
            text: draft.text,
            spelled: spelled.clone(),
            tilde,
            glob: None,
        };
        if !glob {
            out.push(field);
            return;
        }
        self.glob(field, &pattern, state, out);
    }

    fn glob(&mut self, field: Field, pattern: &Pattern, state: &State, out: &mut Vec<Field>) {
        let absolute = pattern.bytes.first() == Some(&b'/');
        let names = match (&state.cwd, absolute) {
            (Cwd::At(cwd), _) => {
                pattern::expand(self.session.fs, cwd, pattern, state.options.dotglob)
            }
            (Cwd::Unknown(_), true) => {
                pattern::expand(self.session.fs, b"/", pattern, state.options.dotglob)
            }
            (Cwd::Unknown(_), false) => Ok(Vec::new()),
        };
        let (names, count) = match names {
            Ok(names) => {
                let count = names.len();
                (names, count)
            }
            Err(pattern::GlobError::TooMany) => (Vec::new(), usize::MAX),
        };
        let glob = Rc::new(Glob {
            pattern: pattern.bytes.clone(),
            active: pattern.active.clone(),
            matches: count,
        });
        if names.is_empty() {
            if !state.options.nullglob || count == usize::MAX {
                out.push(Field {
                    glob: Some(glob),
                    ..field
                });
            }
            return;
        }
        for name in names {
            let mut text = Text::known(name);
            text.losses = field.text.losses.clone();
            out.push(Field {
                text,
                glob: Some(glob.clone()),
                ..field.clone()
            });
        }
    }

    /// The bytes of the source in `span`.
    pub(crate) fn spelled(&self, span: Span) -> Rc<[u8]> {
        self.source
            .get(span.start..span.end)
            .unwrap_or_default()
            .into()
    }
}

/// Where `~` is expanded in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tilde {
    /// At the beginning of the word.
    AtStart,
    /// At the beginning and after each `:`.
    Assignment,
    /// Nowhere.
    Never,
}

/// A field that is being put together.
#[derive(Default)]
struct Draft {
    text: Text,
    pattern: Pattern,
    /// Bytes of `pattern` that are already in `text`.
    flushed: usize,
    exists: bool,
    /// It holds something unknown.
    maybe: bool,
}

impl Draft {
    fn push(&mut self, bytes: &[u8], active: bool) {
        self.pattern.push(bytes, active);
    }

    fn flush(&mut self) -> Pattern {
        let rest = self.pattern.bytes[self.flushed..].to_vec();
        self.text.push_bytes(&rest);
        self.flushed = self.pattern.bytes.len();
        self.pattern.clone()
    }
}

/// The stretches of an unquoted expansion between separators.
struct Separated<'a> {
    rest: &'a [u8],
    ifs: &'a [u8],
}

impl<'a> Separated<'a> {
    const fn new(bytes: &'a [u8], ifs: &'a [u8]) -> Self {
        Self { rest: bytes, ifs }
    }

    /// The next stretch, and whether a field ends after it.
    fn next(&mut self) -> Option<(&'a [u8], bool)> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| self.ifs.contains(byte));
        let Some(end) = end else {
            return Some((std::mem::take(&mut self.rest), false));
        };
        let part = &self.rest[..end];
        let blank = |byte: &u8| b" \t\n".contains(byte) && self.ifs.contains(byte);
        let mut after = end;
        while self.rest.get(after).is_some_and(blank) {
            after += 1;
        }
        if self
            .rest
            .get(after)
            .is_some_and(|byte| self.ifs.contains(byte) && !blank(byte))
        {
            after += 1;
            while self.rest.get(after).is_some_and(blank) {
                after += 1;
            }
        }
        self.rest = &self.rest[after..];
        Some((part, true))
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
