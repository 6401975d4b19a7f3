//! `$name` and `${...}` with every operator.

mod change;
mod list;
mod operand;
mod quoting;
mod source;
mod strings;

pub(crate) use list::is_star;
pub(crate) use source::{index, is_name};

use super::{
    Halt, Interpreter,
    expand::{Chunk, push_text, scalar},
    origin::Origin,
    state::State,
    value::{Segment, Text, Trace, Unknown, Value},
};
use crate::shell::ast::{Dialect, Parameter};
use source::Items;

impl Interpreter<'_> {
    /// Expands one parameter.
    pub(crate) fn parameter(
        &mut self,
        parameter: &Parameter,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let quoted = parameter.quoted || self.dialect() == Dialect::Zsh;
        if parameter.operator == "?bad" {
            self.operands_may_run(parameter, state)?;
            let why = "a parameter expansion of an unknown form";
            out.push(Chunk::Several(Unknown::anything(why)));
            return Ok(());
        }
        if state.options.odd && self.dialect() == Dialect::Zsh && !parameter.quoted {
            self.operands_may_run(parameter, state)?;
            let why = "a variable under an option of zsh";
            out.push(Chunk::Several(Unknown::anything(why)));
            return Ok(());
        }
        match self.items(parameter, state)? {
            Items::Any(why) => {
                self.operands_may_run(parameter, state)?;
                out.push(Chunk::Several(Unknown::anything(why)));
                Ok(())
            }
            Items::Several(text) => {
                for segment in text.segments {
                    out.push(match segment {
                        Segment::Known(bytes) => Chunk::Bytes {
                            bytes,
                            active: false,
                            splits: false,
                        },
                        Segment::Unknown(unknown) => Chunk::Several(unknown),
                    });
                }
                Ok(())
            }
            Items::List(texts) => self.listed(parameter, texts, quoted, state, out),
            Items::One(value) => {
                if parameter.quoted {
                    out.push(Chunk::Exists);
                }
                self.operate(parameter, value, quoted, state, out)
            }
        }
    }

    fn operate(
        &mut self,
        parameter: &Parameter,
        value: Value,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let name = parameter.name.clone();
        let operator = parameter.operator;
        let colon = operator.starts_with(':') && operator.len() == 2;
        let missing = match &value {
            Value::Unset => Some(true),
            Value::Scalar(text) if !colon || !text.may_be_empty() => Some(false),
            Value::Scalar(text) if text.is_empty() => Some(true),
            Value::Scalar(_) | Value::Any(_) => None,
            Value::Array(items) => Some(items.is_empty()),
        };
        match operator.trim_start_matches(':') {
            "-" | "=" | "?" | "+" if operator != ":" => {
                return self.alternative(parameter, value, missing, quoted, state, out);
            }
            // `${name@a}` tells of what is not set too.
            "@" if value == Value::Unset => {
                let why = "the attributes of a variable";
                let unknown = Unknown::anything(why);
                out.push(match parameter.quoted {
                    true => Chunk::Unknown(unknown),
                    false => Chunk::Several(unknown),
                });
            }
            _ if value == Value::Unset && parameter.length && !state.options.nounset => {
                self.unused_operands(parameter, state)?;
                push_text(&Text::known(*b"0"), quoted, out);
            }
            _ if value == Value::Unset => {
                self.unused_operands(parameter, state)?;
                self.give(value, &name, quoted, state, out)?;
            }
            _ => {
                // Not every operator that works on what is not known looks at its operands.
                self.operands_may_run(parameter, state)?;
                let text = scalar(value, &String::from_utf8_lossy(&name));
                let text = if parameter.length {
                    strings::length(&text)
                } else {
                    self.transform(parameter, text, state)?
                };
                self.give(Value::Scalar(text), &name, quoted, state, out)?;
            }
        }
        Ok(())
    }

    /// `-`, `=`, `?` and `+`. `missing` tells whether the value counts as none.
    fn alternative(
        &mut self,
        parameter: &Parameter,
        value: Value,
        missing: Option<bool>,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let name = parameter.name.as_slice();
        let operand = parameter.operand.as_slice();
        let kind = parameter.operator.trim_start_matches(':');
        if self.is_misquoted(parameter) {
            self.may_run(operand, state)?;
            if kind == "=" {
                state.assign(name, Value::Any("an assigned default".into()));
            }
            let why = "an operand that shells read in their own ways";
            out.push(Chunk::Several(Unknown::anything(why)));
            return Ok(());
        }
        match (kind, missing) {
            ("+", Some(true)) => out.push(Chunk::Trace(lost(&value, name))),
            ("-", Some(true)) | ("+", Some(false)) => {
                self.operand(operand, name, &value, parameter.quoted, state, out)?;
            }
            ("=", Some(true)) => {
                // In its own operands it is an assignment, but not in this one.
                let outer = std::mem::replace(&mut self.assigning, !parameter.quoted);
                let text = self.pieces(operand, state);
                self.assigning = outer;
                let text = text?;
                if is_name(name) && parameter.subscript.is_none() && !parameter.indirect {
                    self.set_scalar(name, text.clone(), state);
                    self.give(self.lookup(name, state), name, quoted, state, out)?;
                } else {
                    // An error, unless it is an element.
                    self.forget_element(name, state);
                    self.failures += 1;
                    out.push(Chunk::Unknown(Unknown::anything("an assigned default")));
                }
            }
            ("?", Some(true)) => {
                self.may_run(operand, state)?;
                return Err(Halt::Exit);
            }
            (_, Some(_)) => self.give(value, name, quoted, state, out)?,
            (_, None) => {
                self.may_run(operand, state)?;
                let may_be_empty = !(kind == "?" && parameter.operator.starts_with(':'));
                if kind == "=" {
                    state.assign(name, Value::Any(why(&value, name)));
                }
                let unknown = Unknown {
                    may_be_empty,
                    ..Unknown::anything(why(&value, name))
                };
                push_text(&Text::unknown(unknown), quoted, out);
            }
        }
        Ok(())
    }

    fn give(
        &mut self,
        value: Value,
        name: &[u8],
        quoted: bool,
        state: &State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        match value {
            Value::Unset => {
                if state.options.nounset {
                    return Err(Halt::Exit);
                }
                out.push(Chunk::Trace(lost(&Value::Unset, name)));
            }
            Value::Scalar(text) => {
                if text.is_empty() && text.trace.lost_nothing() {
                    out.push(Chunk::Trace(lost(&Value::Scalar(Text::default()), name)));
                }
                push_text(&text, quoted, out);
                if !state.variables.contains_key(name) && self.session.variable(name).is_some() {
                    let mut lost = Trace::default();
                    lost.origins.set(Origin::inherited(name));
                    out.push(Chunk::Trace(lost));
                }
            }
            Value::Array(items) => {
                push_text(&items.into_iter().next().unwrap_or_default(), quoted, out)
            }
            Value::Any(why) => push_text(&Text::unknown(Unknown::anything(why)), quoted, out),
        }
        Ok(())
    }
}

fn lost(value: &Value, name: &[u8]) -> Trace {
    match value {
        Value::Unset => Trace {
            unset: vec![name.to_vec()],
            ..Trace::default()
        },
        _ => Trace {
            empty: vec![name.to_vec()],
            ..Trace::default()
        },
    }
}

fn why(value: &Value, name: &[u8]) -> std::rc::Rc<str> {
    match value {
        Value::Any(why) => why.clone(),
        Value::Scalar(text) => unknown_why(text),
        _ => String::from_utf8_lossy(name).into(),
    }
}

fn unknown_why(text: &Text) -> std::rc::Rc<str> {
    text.why_unknown()
        .map_or_else(|| "a variable".into(), |unknown| unknown.why.clone())
}
