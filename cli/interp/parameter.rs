//! `$name` and `${...}` with every operator.

mod change;
mod list;
mod operand;
mod source;
mod strings;

use super::{
    Halt, Interpreter,
    expand::{Chunk, push_text},
    state::State,
    value::{Losses, Text, Unknown, Value},
};
pub(crate) use source::is_name;

use crate::shell::ast::{Dialect, Parameter};
use list::{changes_each, is_star, join};
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
        let items = self.items(parameter, state)?;
        let list = match &items {
            Items::List(_) => true,
            Items::One(_) => false,
        };
        if list && parameter.operator.is_empty() && !parameter.length {
            let Items::List(texts) = items else {
                return Ok(());
            };
            let star = parameter.quoted
                && (parameter.name == b"*" || is_star(parameter.subscript.as_deref()));
            self.listed(parameter, star, &texts, quoted, state, out);
            if texts.is_empty() && !parameter.quoted {
                out.push(Chunk::Losses(Losses {
                    unset: vec![parameter.name.clone()],
                    empty: Vec::new(),
                }));
            } else if !texts.is_empty() && parameter.quoted {
                out.push(Chunk::Exists);
            }
            return Ok(());
        }
        let value = match items {
            Items::One(value) => value,
            Items::List(texts) if parameter.length => {
                Value::Scalar(Text::known(texts.len().to_string()))
            }
            Items::List(texts) if changes_each(parameter.operator) && !texts.is_empty() => {
                return self.each_changed(parameter, texts, quoted, state, out);
            }
            // `"${@:-word}"` with parameters is `"$@"`.
            Items::List(texts)
                if texts.len() > 1 && matches!(parameter.operator, "-" | ":-" | "?" | ":?") =>
            {
                let star = parameter.quoted
                    && (parameter.name == b"*" || is_star(parameter.subscript.as_deref()));
                self.listed(parameter, star, &texts, quoted, state, out);
                return Ok(());
            }
            Items::List(texts) if texts.is_empty() => Value::Unset,
            Items::List(texts) => Value::Scalar(join(&texts)),
        };
        if parameter.length && list {
            push_text(&super::expand::scalar(value, ""), quoted, out);
            return Ok(());
        }
        if parameter.quoted {
            out.push(Chunk::Exists);
        }
        self.operate(parameter, value, quoted, state, out)
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
            "-" | "=" if operator != ":" => {
                if missing == Some(false) {
                    self.give(value, &name, quoted, state, out)?;
                } else if missing == Some(true) && operator.ends_with('=') {
                    let text = self.pieces(&parameter.operand, state)?;
                    state.assign(&parameter.name, Value::Scalar(text.clone()));
                    self.give(Value::Scalar(text), &name, quoted, state, out)?;
                } else if missing == Some(true) {
                    self.operand(&parameter.operand, &name, &value, quoted, state, out)?;
                } else {
                    self.may_run(&parameter.operand, state)?;
                    out.push(Chunk::Unknown(Unknown::anything(why(&value, &name))));
                }
            }
            "?" if operator != ":" => match missing {
                Some(true) => {
                    self.may_run(&parameter.operand, state)?;
                    return Err(Halt::Exit);
                }
                Some(false) => self.give(value, &name, quoted, state, out)?,
                None => {
                    self.may_run(&parameter.operand, state)?;
                    let unknown = Unknown::anything(why(&value, &name));
                    out.push(Chunk::Unknown(Unknown {
                        may_be_empty: !colon,
                        ..unknown
                    }));
                }
            },
            "+" if operator != ":" => match missing {
                Some(true) => out.push(Chunk::Losses(lost(&value, &name))),
                Some(false) => {
                    self.operand(&parameter.operand, &name, &value, quoted, state, out)?
                }
                None => {
                    self.may_run(&parameter.operand, state)?;
                    out.push(Chunk::Unknown(Unknown::anything(why(&value, &name))));
                }
            },
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
                let text = super::expand::scalar(value, &String::from_utf8_lossy(&name));
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
                out.push(Chunk::Losses(Losses {
                    unset: vec![name.to_vec()],
                    empty: Vec::new(),
                }));
            }
            Value::Scalar(text) => {
                if text.is_empty() && text.losses.is_none() {
                    out.push(Chunk::Losses(Losses {
                        unset: Vec::new(),
                        empty: vec![name.to_vec()],
                    }));
                }
                push_text(&text, quoted, out);
            }
            Value::Array(items) => {
                push_text(&items.into_iter().next().unwrap_or_default(), quoted, out)
            }
            Value::Any(why) => out.push(Chunk::Unknown(Unknown::anything(why))),
        }
        Ok(())
    }
}

fn lost(value: &Value, name: &[u8]) -> Losses {
    match value {
        Value::Unset => Losses {
            unset: vec![name.to_vec()],
            empty: Vec::new(),
        },
        _ => Losses {
            unset: Vec::new(),
            empty: vec![name.to_vec()],
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
