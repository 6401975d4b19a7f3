//! What assignments make of variables.

use super::{
    Halt, Interpreter,
    expand::Tilde,
    parameter::index,
    state::{Attribute, State},
    value::{Text, Value},
};
use crate::shell::ast::{AssignedValue, Assignment, Dialect, Piece, Word};

impl Interpreter<'_> {
    /// The value that a name has after an assignment.
    pub(super) fn assigned(
        &mut self,
        assignment: &Assignment,
        state: &mut State,
    ) -> Result<Value, Halt> {
        let name = assignment.name.as_slice();
        let elements = match &assignment.value {
            AssignedValue::Array(elements) => elements,
            AssignedValue::Scalar(word) => {
                let tilde = match &assignment.subscript {
                    // Elements: only in what is written there.
                    Some(_) => Tilde::Element,
                    None => Tilde::Assignment,
                };
                let text = self.text(word, state, tilde)?;
                return match &assignment.subscript {
                    Some(subscript) => self.element_assigned(assignment, subscript, text, state),
                    None => self.scalar_assigned(assignment, text, state),
                };
            }
        };
        let items = match (assignment.append, self.lookup(name, state)) {
            (false, _) | (true, Value::Unset) => Some(Vec::new()),
            (true, Value::Scalar(text)) => Some(vec![text]),
            (true, Value::Array(items)) => Some(items),
            (true, Value::Any(_)) => None,
        };
        let items = self.elements(elements, items, state)?;
        Ok(items.map_or_else(|| Value::Any("an array with gaps".into()), Value::Array))
    }

    fn scalar_assigned(
        &mut self,
        assignment: &Assignment,
        text: Text,
        state: &mut State,
    ) -> Result<Value, Halt> {
        let name = assignment.name.as_slice();
        let before = self.lookup(name, state);
        if state.attributes.get(name) == Some(&Attribute::Integer) {
            let mut sum = Text::default();
            if assignment.append {
                sum.append(&super::expand::scalar(before, "a number"));
                sum.push_bytes(b"+");
            }
            sum.append(&text);
            return Ok(Value::Scalar(self.evaluated(&sum, state)?));
        }
        let appended = |before: Text| {
            let mut before = before;
            before.append(&text);
            before
        };
        Ok(match (before, assignment.append) {
            (Value::Array(_), _) if self.dialect() == Dialect::Zsh && assignment.append => {
                Value::Any("an array that was added to".into())
            }
            // The name alone is the first element.
            (Value::Array(mut items), append) if self.dialect() != Dialect::Zsh => {
                let first = match items.first_mut() {
                    Some(first) if append => appended(std::mem::take(first)),
                    _ => text,
                };
                match items.first_mut() {
                    Some(place) => *place = first,
                    None => items.push(first),
                }
                Value::Array(items)
            }
            (Value::Scalar(before), true) => Value::Scalar(appended(before)),
            (Value::Any(_), true) => Value::Any("a variable that was added to".into()),
            _ => Value::Scalar(text),
        })
    }

    fn element_assigned(
        &mut self,
        assignment: &Assignment,
        subscript: &[Piece],
        text: Text,
        state: &mut State,
    ) -> Result<Value, Halt> {
        let changed = || Value::Any("an array that was changed".into());
        let at = self.number(subscript, state)?;
        let name = assignment.name.as_slice();
        let mut items = match self.lookup(name, state) {
            Value::Array(items) => items,
            Value::Scalar(text) => vec![text],
            Value::Unset => Vec::new(),
            Value::Any(_) => return Ok(changed()),
        };
        let at = at.and_then(|at| index(at, items.len()));
        let (Some(at), false) = (at, self.dialect() == Dialect::Zsh) else {
            return Ok(changed());
        };
        let kept = state.attributes.contains_key(name) || at > items.len();
        if kept {
            return Ok(changed());
        }
        if at == items.len() {
            items.push(text);
        } else if assignment.append {
            items[at].append(&text);
        } else {
            items[at] = text;
        }
        Ok(Value::Array(items))
    }

    /// The elements between parentheses, behind those that are there; `None` if the array has gaps, or nobody knows.
    fn elements(
        &mut self,
        elements: &[(Option<Vec<Piece>>, Word)],
        mut items: Option<Vec<Text>>,
        state: &mut State,
    ) -> Result<Option<Vec<Text>>, Halt> {
        let keyed = elements.iter().any(|(subscript, _)| subscript.is_some());
        for (subscript, word) in elements {
            let Some(subscript) = subscript else {
                let words = self.element_words(word, state)?;
                if keyed || words.fields.iter().any(|field| field.many) {
                    items = None;
                }
                if let Some(items) = &mut items {
                    items.extend(words.fields.into_iter().map(|field| field.text));
                }
                continue;
            };
            self.number(subscript, state)?;
            self.text(word, state, Tilde::Element)?;
            items = None;
        }
        Ok(items)
    }
}
