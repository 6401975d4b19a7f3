//! Operators that make another string of a value: trimming, replacing, cutting, changing case.

use super::{strings, unknown_why};
use crate::interp::{
    Halt, Interpreter,
    state::State,
    value::{Text, Unknown},
};
use crate::shell::ast::Parameter;

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
            return Ok(match operator {
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
            });
        };
        self.charge(bytes.len())?;
        if bytes.len() > LONGEST_CHANGED && !matches!(operator, "" | "^" | "^^" | "," | ",,") {
            self.pieces(&parameter.operand, state)?;
            return Ok(Text::unknown(Unknown::anything("a part of a long value")));
        }
        let mut result = match operator {
            "" => Text::known(bytes),
            "#" | "##" | "%" | "%%" => match self.pattern(&parameter.operand, state)? {
                Some(pattern) => Text::known(strings::trim(&bytes, &pattern, operator)),
                None => Text::unknown(Unknown::anything("a trimmed variable")),
            },
            "/" | "//" | "/#" | "/%" => {
                let pattern = self.pattern(&parameter.operand, state)?;
                let with = match &parameter.second {
                    Some(second) => self.pieces(second, state)?,
                    None => Text::default(),
                };
                match (pattern, with.bytes()) {
                    (Some(pattern), Some(with)) => {
                        self.charge(bytes.len().saturating_mul(with.len()))?;
                        Text::known(strings::replace(&bytes, &pattern, with, operator))
                    }
                    _ => Text::unknown(Unknown::anything("a replaced variable")),
                }
            }
            "^" => Text::known(strings::first_changed(&bytes, u8::to_ascii_uppercase)),
            "^^" => Text::known(bytes.to_ascii_uppercase()),
            "," => Text::known(strings::first_changed(&bytes, u8::to_ascii_lowercase)),
            ",," => Text::known(bytes.to_ascii_lowercase()),
            ":" => {
                let offset = self.arithmetic(&parameter.operand, state)?;
                let count = match &parameter.second {
                    Some(second) => Some(self.arithmetic(second, state)?),
                    None => None,
                };
                match (
                    strings::integer(&offset),
                    count.as_ref().map(strings::integer),
                ) {
                    (Some(offset), None) => Text::known(strings::substring(&bytes, offset, None)),
                    (Some(offset), Some(Some(count))) => {
                        Text::known(strings::substring(&bytes, offset, Some(count)))
                    }
                    _ => Text::unknown(Unknown::anything("a part of a variable")),
                }
            }
            _ => Text::unknown(Unknown::anything(
                "a parameter expansion of an unknown form",
            )),
        };
        result.losses = text.losses;
        Ok(result)
    }
}
