//! Where values and the working directory come from, for the words of a refusal.

use std::rc::Rc;

use super::{
    Interpreter,
    value::{Text, Value},
};
use crate::shell::ast::Span;

/// A variable or the working directory was set somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The variable; empty for the working directory.
    pub(crate) name: Rc<[u8]>,
    /// By what.
    pub(crate) by: Setter,
    /// Byte offset in the string that is judged; `None` if that holds no such place.
    pub(crate) at: Option<usize>,
}

impl Origin {
    /// A variable of whoever started the shell.
    pub(super) fn inherited(name: &[u8]) -> Self {
        Self {
            name: name.into(),
            by: Setter::Environment,
            at: None,
        }
    }

    /// The working directory, changed here.
    pub(super) fn moved(at: Option<usize>) -> Self {
        Self {
            name: Rc::default(),
            by: Setter::ChangeOfDirectory,
            at,
        }
    }
}

/// What sets variables and the working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setter {
    /// `NAME=value`, also given to `export` and its like.
    Assignment,
    /// `for NAME in ...`.
    Loop,
    /// Whoever started the shell.
    Environment,
    /// `cd` and its like.
    ChangeOfDirectory,
}

/// Where the parts of a string come from, the last one first. Two strings are the same wherever they come from: states
/// that differ in nothing else are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins(Vec<Origin>);

impl PartialEq for Origins {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origins {}

impl Origins {
    /// A person reads no more than these.
    const MOST: usize = 4;

    pub(crate) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Origin> {
        self.0.iter()
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        for origin in &other.0 {
            if self.0.len() < Self::MOST && !self.0.contains(origin) {
                self.0.push(origin.clone());
            }
        }
    }

    /// What came last stands first.
    pub(crate) fn set(&mut self, origin: Origin) {
        self.0.retain(|known| *known != origin);
        self.0.truncate(Self::MOST - 1);
        self.0.insert(0, origin);
    }
}

impl Interpreter<'_> {
    /// Where something stands in the string that is judged; inside a text of its own, where the command stands that
    /// leads there.
    pub(super) fn place_of(&self, span: Span) -> Option<usize> {
        if self.is_outermost() {
            Some(span.start)
        } else {
            self.at
        }
    }

    /// What comes next stands here.
    pub(super) fn arrive(&mut self, span: Span) {
        if self.is_outermost() {
            self.at = Some(span.start);
        }
    }

    pub(super) fn is_outermost(&self) -> bool {
        self.outermost
            .as_ref()
            .is_some_and(|outermost| Rc::ptr_eq(outermost, &self.source))
    }
}

/// Marks a value with the place that sets `name` to it.
pub(super) fn mark(value: &mut Value, name: &[u8], by: Setter, at: Option<usize>) {
    let texts: &mut [Text] = match value {
        Value::Scalar(text) => std::slice::from_mut(text),
        Value::Array(items) => items,
        Value::Unset | Value::Any(_) => return,
    };
    for text in texts {
        text.set_by(name, by, at);
    }
}

impl Text {
    /// Notes what set `name`, or without one the working directory, to this.
    pub(super) fn set_by(&mut self, name: &[u8], by: Setter, at: Option<usize>) {
        let name = name.into();
        self.trace.origins.set(Origin { name, by, at });
    }
}
