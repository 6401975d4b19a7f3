//! Arithmetic in the state of a shell: `$((...))`, `((...))`, `let`, offsets and subscripts.

use std::cell::Cell;

use super::{
    Halt, Interpreter,
    arithmetic::{Names, evaluate},
    state::State,
    value::{Segment, Text, Unknown, Value},
};
use crate::shell::ast::Piece;

const RESULT: &str = "the result of arithmetic";

impl Interpreter<'_> {
    /// `$((...))` and `((...))`.
    pub(super) fn arithmetic_text(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Text, Halt> {
        let value = self.arithmetic(pieces, state)?;
        let is_quoted = |piece: &Piece| matches!(piece, Piece::Literal { quoted: true, .. });
        if pieces.iter().any(is_quoted) {
            // An error to some versions of bash, nothing at all to others.
            self.failures += 1;
            return Ok(Text::unknown(Unknown::name(RESULT)));
        }
        Ok(value)
    }

    /// The value of an expression if it can be told. Text in a variable is evaluated again, and may run commands.
    pub(crate) fn arithmetic(&mut self, pieces: &[Piece], state: &mut State) -> Result<Text, Halt> {
        let text = self.pieces(pieces, state)?;
        self.evaluated(&text, state)
    }

    /// The same of a text that is expanded already.
    pub(super) fn evaluated(&mut self, text: &Text, state: &mut State) -> Result<Text, Halt> {
        let Some(bytes) = text.bytes() else {
            self.failures += u32::from(is_wild(text));
            return Ok(Text::unknown(Unknown::name(RESULT)));
        };
        self.pay(bytes.len() / 8)?;
        self.evaluated_again(bytes, state)?;
        let names = Scope {
            interpreter: self,
            state,
            wild: Cell::new(false),
        };
        let outcome = evaluate(bytes, self.dialect(), &names);
        let fails = outcome.fails || names.wild.get();
        self.failures += u32::from(fails);
        for (name, value) in outcome.assigned {
            let is_array = matches!(self.lookup(&name, state), Value::Array(_));
            let value = match value.filter(|_| !is_array) {
                Some(value) => Value::Scalar(Text::known(value.to_string())),
                None if is_array => Value::Any("an array that was changed".into()),
                None => Value::Scalar(Text::unknown(Unknown::name(RESULT))),
            };
            state.assign(&name, value);
        }
        Ok(outcome.value.map_or_else(
            || Text::unknown(Unknown::name(RESULT)),
            |value| Text::known(value.to_string()),
        ))
    }

    /// The same as a number.
    pub(super) fn number(
        &mut self,
        pieces: &[Piece],
        state: &mut State,
    ) -> Result<Option<i64>, Halt> {
        let text = self.arithmetic(pieces, state)?;
        Ok(text
            .bytes()
            .and_then(|bytes| std::str::from_utf8(bytes).ok()?.parse().ok()))
    }

    /// Substitutions in the values of variables that an expression names.
    fn evaluated_again(&mut self, expression: &[u8], state: &State) -> Result<(), Halt> {
        let names = expression.split(|byte| *byte != b'_' && !byte.is_ascii_alphanumeric());
        let mut texts = Vec::new();
        for name in names.filter(|name| super::parameter::is_name(name)) {
            if let Value::Scalar(text) = self.lookup(name, state)
                && let Some(bytes) = text.bytes()
                && (bytes.windows(2).any(|pair| pair == b"$(") || bytes.contains(&b'`'))
            {
                texts.push(bytes.to_vec());
            }
        }
        for text in texts {
            let dialect = self.dialect();
            // As the operand of a command that does nothing, so that only its substitutions run.
            let source = [b": \"", text.as_slice(), b"\""].concat();
            self.fork(state.clone(), |this, state| {
                this.script_text(source.into(), dialect, state)
            })?;
        }
        Ok(())
    }
}

/// The names that an expression sees.
struct Scope<'s, 'a> {
    interpreter: &'s Interpreter<'a>,
    state: &'s State,
    /// A name may hold what is no number at all.
    wild: Cell<bool>,
}

/// Whether a text may be one that arithmetic makes nothing of.
fn is_wild(text: &Text) -> bool {
    text.segments.iter().any(|segment| match segment {
        Segment::Known(_) => false,
        Segment::Unknown(unknown) => unknown.may_hold_slash,
    })
}

impl Names for Scope<'_, '_> {
    fn text(&self, name: &[u8], element: Option<i64>) -> Option<Vec<u8>> {
        let text = match (self.interpreter.lookup(name, self.state), element) {
            (Value::Unset, _) if self.state.options.nounset => {
                self.wild.set(true);
                return None;
            }
            (Value::Unset, _) => return Some(Vec::new()),
            (Value::Scalar(text), None | Some(0)) => text,
            (Value::Array(items), element) => {
                let element = element.unwrap_or(0);
                let at = if element < 0 {
                    element.checked_add(i64::try_from(items.len()).ok()?)?
                } else {
                    element
                };
                items.get(usize::try_from(at).ok()?)?.clone()
            }
            _ => {
                self.wild.set(true);
                return None;
            }
        };
        self.wild.set(self.wild.get() || is_wild(&text));
        text.bytes().map(<[u8]>::to_vec)
    }
}
