//! Operators that make another string of a value: trimming, replacing, cutting, changing case.

use super::{quoting, strings, unknown_why};
use crate::interp::{
    Halt, Interpreter,
    expand::Chunk,
    pattern::Pattern,
    state::State,
    value::{Text, Unknown},
};
use crate::shell::ast::{Dialect, Parameter, Piece};

/// Matching a pattern at every place of a longer value takes too long.
const LONGEST_CHANGED: usize = 2048;

impl Interpreter<'_> {
    pub(super) fn transform(
        &mut self,
        parameter: &Parameter,
        text: Text,
        state: &mut State,
    ) -> Result<Text, Halt> {
        let operator = parameter.operator;
        let Some(bytes) = text.bytes().map(<[u8]>::to_vec) else {
            return self.unknown_changed(parameter, text, state);
        };
        self.charge(bytes.len())?;
        if bytes.len() > LONGEST_CHANGED && !operator.is_empty() {
            self.pieces(&parameter.operand, state)?;
            return Ok(Text::unknown(Unknown::anything("a part of a long value")));
        }
        let is_zsh = self.dialect() == Dialect::Zsh;
        if bytes.is_empty()
            && matches!(operator, "#" | "##" | "%" | "%%")
            && matches!(self.dialect(), Dialect::Bash | Dialect::Unknown)
        {
            // Nothing to take anything from: bash does not look at the pattern.
            self.may_run(&parameter.operand, state)?;
            return Ok(text);
        }
        let changed = match operator {
            "" => Some(bytes),
            "#" | "##" | "%" | "%%" => self
                .pattern(&parameter.operand, state)?
                .filter(|pattern| bytes.is_ascii() || !pattern.counts())
                .map(|pattern| strings::trim(&bytes, &pattern, operator)),
            "/" | "//" | "/#" | "/%" => self.replaced(parameter, &bytes, state)?,
            "^" | "^^" | "," | ",," if !is_zsh => {
                let pattern = self.pattern(&parameter.operand, state)?;
                pattern
                    .filter(|_| bytes.is_ascii())
                    .map(|pattern| strings::changed_case(&bytes, &pattern, operator))
            }
            "@" if !is_zsh => {
                let letter = match parameter.operand.as_slice() {
                    [Piece::Literal { bytes, .. }] if bytes.len() == 1 => Some(bytes[0]),
                    _ => None,
                };
                if letter == Some(b'P') {
                    self.expanded_again(&bytes, state)?;
                }
                let mut changed = quoting::transformed(&bytes, letter);
                changed.trace = text.trace;
                return Ok(changed);
            }
            ":" if !(is_zsh && is_modifier(&parameter.operand)) => {
                let offset = self.number(&parameter.operand, state)?;
                let count = match &parameter.second {
                    Some(second) => self.number(second, state)?.map(Some),
                    None => Some(None),
                };
                offset
                    .zip(count)
                    .filter(|_| bytes.is_ascii())
                    .and_then(|(offset, count)| strings::substring(&bytes, offset, count))
            }
            _ => None,
        };
        let mut result = match changed {
            Some(changed) => Text::known(changed),
            None => {
                // What the shell cannot do ends the command.
                self.failures += 1;
                Text::unknown(Unknown::anything("a part of a variable"))
            }
        };
        result.trace = text.trace;
        Ok(result)
    }

    fn unknown_changed(
        &mut self,
        parameter: &Parameter,
        text: Text,
        state: &mut State,
    ) -> Result<Text, Halt> {
        Ok(match parameter.operator {
            "" => text,
            // Nothing after the last slash holds a slash.
            "##" if self
                .pattern(&parameter.operand, state)?
                .is_some_and(|pattern| pattern.bytes == b"*/") =>
            {
                Text::unknown(Unknown {
                    may_be_empty: true,
                    ..Unknown::name(unknown_why(&text))
                })
            }
            _ => {
                self.pieces(&parameter.operand, state)?;
                Text::unknown(Unknown::anything(unknown_why(&text)))
            }
        })
    }

    fn replaced(
        &mut self,
        parameter: &Parameter,
        bytes: &[u8],
        state: &mut State,
    ) -> Result<Option<Vec<u8>>, Halt> {
        let pattern = self
            .pattern(&parameter.operand, state)?
            .filter(|pattern| bytes.is_ascii() || !pattern.counts())
            // Versions of bash differ on whether an extended glob matches nothing in nothing.
            .filter(|pattern| !(bytes.is_empty() && pattern.has_extended()))
            .filter(|pattern| !is_anchored_late(parameter, pattern));
        let with = match &parameter.second {
            Some(second) => self.replacement(second, state)?,
            None => Some(Vec::new()),
        };
        let Some((pattern, with)) = pattern.zip(with) else {
            return Ok(None);
        };
        self.charge(bytes.len().saturating_mul(with.len()))?;
        if pattern.as_ref().fixed_length().is_none() {
            // Every stretch is tried.
            self.charge(bytes.len().saturating_mul(bytes.len()) / 16)?;
        }
        Ok(Some(strings::replace(
            bytes,
            &pattern,
            &with,
            parameter.operator,
        )))
    }

    /// What stands for a match. From bash 5.2 on an unquoted `&` is the match itself, before it is not.
    fn replacement(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Option<Vec<u8>>, Halt> {
        let mut out = Vec::new();
        for chunk in self.operand_chunks(pieces, state)? {
            match chunk {
                Chunk::Bytes { bytes, active, .. } => {
                    if active && bytes.contains(&b'&') {
                        return Ok(None);
                    }
                    out.extend_from_slice(&bytes);
                }
                Chunk::Joint(text) | Chunk::Break(text) => match text.bytes() {
                    Some(bytes) => out.extend_from_slice(bytes),
                    None => return Ok(None),
                },
                Chunk::Unknown(_) | Chunk::Several(_) => return Ok(None),
                Chunk::Trace(_) | Chunk::Exists => {}
            }
        }
        Ok(Some(out))
    }
}

/// Whether only its expansion shows that a pattern is anchored, or meant for every match.
fn is_anchored_late(parameter: &Parameter, pattern: &Pattern) -> bool {
    let written = matches!(parameter.operand.first(), Some(Piece::Literal { .. }));
    parameter.operator == "/"
        && !written
        && matches!(pattern.bytes.first(), Some(b'#' | b'%' | b'/'))
}

/// zsh's `${name:h}`.
fn is_modifier(operand: &[Piece]) -> bool {
    matches!(operand.first(), Some(Piece::Literal { bytes, .. })
        if bytes.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'&'))
}
