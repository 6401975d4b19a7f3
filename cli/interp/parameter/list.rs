//! `$@`, `$*` and arrays.

use super::strings;
use crate::{
    interp::{
        Halt, Interpreter,
        expand::{Chunk, push_text},
        state::State,
        value::{Losses, Text, Unknown, Value},
    },
    shell::ast::{Parameter, Piece},
};

impl Interpreter<'_> {
    /// The items of `$@`, `$*` or an array, as fields or joined.
    pub(super) fn listed(
        &self,
        parameter: &Parameter,
        star: bool,
        texts: &[Text],
        quoted: bool,
        state: &State,
        out: &mut Vec<Chunk>,
    ) {
        // `"$*"` is joined by the first character of IFS.
        let joint = match self.lookup(b"IFS", state) {
            Value::Unset => Some(vec![b' ']),
            Value::Scalar(text) => text
                .bytes()
                .map(|ifs| ifs.iter().take(1).copied().collect()),
            _ => None,
        };
        for (at, text) in texts.iter().enumerate() {
            if at > 0 && star {
                out.push(match &joint {
                    Some(bytes) => Chunk::Bytes {
                        bytes: bytes.clone(),
                        quoted: true,
                        expanded: true,
                    },
                    None => Chunk::Unknown(Unknown::anything("the first character of IFS")),
                });
            } else if at > 0 {
                out.push(if parameter.quoted {
                    Chunk::Break
                } else {
                    separator()
                });
            }
            if parameter.quoted {
                out.push(Chunk::Exists);
            }
            push_text(text, quoted, out);
        }
    }

    /// `${@#pattern}`, `${a[@]/x/y}`: each item is changed; `${@:1:2}`: some are taken.
    pub(super) fn each_changed(
        &mut self,
        parameter: &Parameter,
        mut texts: Vec<Text>,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        if parameter.operator == ":" {
            if parameter.subscript.is_none() {
                texts.insert(0, state.zero.as_ref().clone());
            }
            let from = strings::integer(&self.arithmetic(&parameter.operand, state)?);
            let count = match &parameter.second {
                Some(second) => strings::integer(&self.arithmetic(second, state)?),
                None => Some(i64::MAX),
            };
            let (Some(from), Some(count)) = (from, count.filter(|count| *count >= 0)) else {
                out.push(Chunk::Unknown(Unknown::anything("some of a list")));
                return Ok(());
            };
            let length = i64::try_from(texts.len()).unwrap_or(i64::MAX);
            let from = if from < 0 {
                from.saturating_add(length)
            } else {
                from
            };
            let skipped = usize::try_from(from).unwrap_or(usize::MAX);
            let taken = usize::try_from(count).unwrap_or(usize::MAX);
            texts = texts.into_iter().skip(skipped).take(taken).collect();
        } else {
            for text in &mut texts {
                *text = self.transform(parameter, std::mem::take(text), state)?;
            }
        }
        let star =
            parameter.quoted && (parameter.name == b"*" || is_star(parameter.subscript.as_deref()));
        if texts.is_empty() && !parameter.quoted {
            out.push(Chunk::Losses(Losses {
                unset: vec![parameter.name.clone()],
                empty: Vec::new(),
            }));
        } else if !texts.is_empty() && parameter.quoted {
            out.push(Chunk::Exists);
        }
        self.listed(parameter, star, &texts, quoted, state, out);
        Ok(())
    }
}

/// Whether an operator works on each item of a list by itself.
pub(super) fn changes_each(operator: &str) -> bool {
    matches!(
        operator,
        "#" | "##" | "%" | "%%" | "/" | "//" | "/#" | "/%" | "^" | "^^" | "," | ",," | ":"
    )
}

pub(super) fn is_star(subscript: Option<&[Piece]>) -> bool {
    matches!(subscript, Some([Piece::Literal { bytes, .. }]) if bytes == b"*")
}

pub(super) fn separator() -> Chunk {
    Chunk::Bytes {
        bytes: b" ".to_vec(),
        quoted: false,
        expanded: true,
    }
}

pub(super) fn join(texts: &[Text]) -> Text {
    let mut out = Text::default();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            out.push_bytes(b" ");
        }
        out.append(text);
    }
    out
}
