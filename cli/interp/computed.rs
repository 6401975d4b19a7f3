//! Arithmetic in the state of a shell: `$((...))`, `((...))`, `let`, offsets and subscripts.

use std::cell::Cell;

use super::{
    Halt, Interpreter,
    arithmetic::{Names, evaluate},
    state::State,
    value::{Field, Segment, Text, Unknown, Value},
};
use crate::shell::ast::{Dialect, Piece};

/// More values than these are not looked into.
const MOST_TEXTS: usize = 64;

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

    /// Substitutions in an expression that has been expanded, and in the values of variables that it names, which may
    /// name others.
    pub(super) fn evaluated_again(&mut self, expression: &[u8], state: &State) -> Result<(), Halt> {
        let mut texts = vec![expression.to_vec()];
        let mut seen = 0;
        while let Some(text) = texts.get(seen).cloned() {
            seen += 1;
            let names = text.split(|byte| *byte != b'_' && !byte.is_ascii_alphanumeric());
            for name in names.filter(|name| super::parameter::is_name(name)) {
                if let Value::Scalar(value) = self.lookup(name, state)
                    && let Some(bytes) = value.bytes()
                    && !texts.iter().any(|known| known == bytes)
                    && texts.len() < MOST_TEXTS
                {
                    self.pay(1 + bytes.len() / 64)?;
                    texts.push(bytes.to_vec());
                }
            }
        }
        for text in texts {
            self.expanded_again(&text, state)?;
        }
        Ok(())
    }

    /// Runs the substitutions in a text that a shell expands once more.
    pub(super) fn expanded_again(&mut self, text: &[u8], state: &State) -> Result<(), Halt> {
        if !text.windows(2).any(|pair| pair == b"$(") && !text.contains(&b'`') {
            return Ok(());
        }
        let dialect = self.dialect();
        // As the operand of a command that does nothing, so that only its substitutions run.
        let source = [b": \"", text, b"\""].concat();
        self.fork(state.clone(), |this, state| {
            this.script_text(source.into(), dialect, state)
        })?;
        Ok(())
    }

    /// The name of a variable that may be an element: its subscript is arithmetic.
    pub(super) fn named_again(&mut self, place: &Text, state: &State) -> Result<(), Halt> {
        if self.dialect() == Dialect::Sh {
            return Ok(());
        }
        let Some((name, subscript)) = place.bytes().and_then(|place| {
            let open = place.iter().position(|byte| *byte == b'[')?;
            Some(place.split_at(open))
        }) else {
            return Ok(());
        };
        let end = (subscript.iter()).rposition(|byte| *byte == b']');
        let subscript = subscript
            .get(1..end.unwrap_or(subscript.len()))
            .unwrap_or_default();
        // The keys of a map are no arithmetic.
        let is_map = state.attributes.contains_key(name);
        match super::parameter::is_name(name) {
            true if is_map => self.expanded_again(subscript, state),
            true => self.evaluated_again(subscript, state),
            false => Ok(()),
        }
    }

    /// What a builtin that takes the names of variables evaluates in them.
    pub(super) fn names_again(
        &mut self,
        builtin: &[u8],
        arguments: &[Field],
        state: &State,
    ) -> Result<(), Halt> {
        let behind = |option: &'static [u8]| {
            let pairs = arguments.windows(2);
            pairs
                .filter(move |pair| pair[0].text.bytes() == Some(option))
                .map(|pair| pair[1].text.clone())
        };
        let places: Vec<Text> = match builtin {
            b"printf" => behind(b"-v").take(1).collect(),
            b"test" | b"[" => behind(b"-v").chain(behind(b"-R")).collect(),
            b"read" | b"unset" => arguments.iter().map(|field| field.text.clone()).collect(),
            b"export" | b"declare" | b"typeset" | b"local" | b"readonly" => {
                let refers = arguments.iter().any(|field| {
                    let letters = field.text.bytes().and_then(|word| word.strip_prefix(b"-"));
                    letters.is_some_and(|letters| letters.contains(&b'n'))
                });
                let words = arguments.iter().filter_map(|field| field.text.bytes());
                // What is assigned is a name only to a reference.
                let parts = words.flat_map(|word| {
                    let parts = word.splitn(2, |byte| *byte == b'=');
                    parts.take(1 + usize::from(refers))
                });
                parts.map(Text::known).collect()
            }
            _ => return Ok(()),
        };
        for place in places {
            self.named_again(&place, state)?;
        }
        Ok(())
    }

    /// With `set -x` the prompt in front of each command is expanded: `PS4`.
    pub(super) fn traced(&mut self, state: &State) -> Result<(), Halt> {
        if !state.options.xtrace {
            return Ok(());
        }
        let set = match state.variables.get(&b"PS4"[..]) {
            Some(Value::Scalar(text)) => text.bytes().map(<[u8]>::to_vec),
            Some(_) => None,
            None => self.session.variable(b"PS4").map(<[u8]>::to_vec),
        };
        let Some(prompt) = set else {
            return Ok(());
        };
        let mut state = state.clone();
        state.options.xtrace = false;
        self.expanded_again(&prompt, &state)
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
