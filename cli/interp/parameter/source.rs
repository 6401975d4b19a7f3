//! What a parameter names: variables, positional parameters, arrays, what the shell makes up.

use crate::{
    interp::{
        Halt, Interpreter,
        expand::cwd_text,
        state::State,
        value::{Text, Unknown, Value},
    },
    shell::ast::{Dialect, Parameter, Piece},
};

impl Interpreter<'_> {
    /// What a name holds: on this path, else in the environment.
    pub(crate) fn lookup(&self, name: &[u8], state: &State) -> Value {
        if let Some(value) = state.variables.get(name) {
            return value.clone();
        }
        match name {
            b"PWD" => Value::Scalar(cwd_text(&state.cwd)),
            // A shell sets this itself, whatever its environment says.
            b"IFS" => Value::Scalar(Text::known(*b" \t\n")),
            // The shell makes these up when it starts.
            b"RANDOM" | b"SRANDOM" | b"SECONDS" | b"EPOCHSECONDS" | b"EPOCHREALTIME"
            | b"LINENO" | b"BASHPID" | b"PPID" | b"UID" | b"EUID" | b"BASH_SUBSHELL"
            | b"COLUMNS" | b"LINES" | b"SHLVL" => Value::Scalar(Text::unknown(Unknown::name(
                String::from_utf8_lossy(name).into_owned(),
            ))),
            b"BASH" | b"BASH_VERSION" | b"HOSTNAME" | b"HOSTTYPE" | b"OSTYPE" | b"MACHTYPE"
            | b"BASH_SOURCE" | b"FUNCNAME" | b"PIPESTATUS" | b"BASH_REMATCH" | b"ZSH_VERSION"
            | b"DIRSTACK" | b"GROUPS" => self.session.variable(name).map_or_else(
                || Value::Any(String::from_utf8_lossy(name).into()),
                |value| Value::Scalar(Text::known(value)),
            ),
            _ => self
                .session
                .variable(name)
                .map_or(Value::Unset, |value| Value::Scalar(Text::known(value))),
        }
    }

    pub(super) fn items(
        &mut self,
        parameter: &Parameter,
        state: &mut State,
    ) -> Result<Items, Halt> {
        let name = parameter.name.as_slice();
        if parameter.indirect {
            self.may_run(parameter.subscript.as_deref().unwrap_or_default(), state)?;
            return self.indirect(parameter, state);
        }
        if name == b"@" || name == b"*" {
            return Ok(match &state.positional {
                Some(items) => Items::List(items.as_ref().clone()),
                None => Items::List(vec![Text::unknown(Unknown::anything(
                    "the positional parameters of an unknown caller",
                ))]),
            });
        }
        if let Some(subscript) = &parameter.subscript {
            return self.element(name, subscript, state);
        }
        Ok(Items::One(match name {
            b"#" => match &state.positional {
                Some(items) => Value::Scalar(Text::known(items.len().to_string())),
                None => Value::Scalar(Text::unknown(Unknown::name("the number of arguments"))),
            },
            b"?" => Value::Scalar(Text::unknown(Unknown::name("an exit status"))),
            b"$" | b"!" => Value::Scalar(Text::unknown(Unknown::name("a process id"))),
            b"-" => Value::Scalar(Text::unknown(Unknown::name("the shell's options"))),
            b"_" => Value::Any("the last argument of the command before".into()),
            b"0" => Value::Scalar(state.zero.as_ref().clone()),
            digits if digits.iter().all(u8::is_ascii_digit) && !digits.is_empty() => {
                self.positional(digits, state)
            }
            _ => match self.lookup(name, state) {
                Value::Array(items) if self.dialect() == Dialect::Zsh => {
                    return Ok(Items::List(items));
                }
                value => value,
            },
        }))
    }

    fn positional(&self, digits: &[u8], state: &State) -> Value {
        let Some(items) = &state.positional else {
            return Value::Any("a positional parameter of an unknown caller".into());
        };
        let index = std::str::from_utf8(digits)
            .ok()
            .and_then(|text| text.parse::<usize>().ok());
        index
            .and_then(|index| index.checked_sub(1))
            .and_then(|index| items.get(index))
            .map_or(Value::Unset, |text| Value::Scalar(text.clone()))
    }

    fn element(
        &mut self,
        name: &[u8],
        subscript: &[Piece],
        state: &mut State,
    ) -> Result<Items, Halt> {
        let value = self.lookup(name, state);
        let index = self.pieces(subscript, state)?;
        if matches!(index.bytes(), Some(b"@" | b"*")) {
            return Ok(match value {
                Value::Array(items) => Items::List(items),
                Value::Unset => Items::List(Vec::new()),
                Value::Scalar(text) => Items::List(vec![text]),
                Value::Any(why) => Items::List(vec![Text::unknown(Unknown::anything(why))]),
            });
        }
        let known = index.bytes().and_then(|bytes| {
            std::str::from_utf8(bytes)
                .ok()?
                .trim()
                .parse::<usize>()
                .ok()
        });
        Ok(Items::One(match (value, known) {
            (Value::Array(items), Some(index)) => items
                .get(index)
                .map_or(Value::Unset, |text| Value::Scalar(text.clone())),
            (Value::Scalar(text), Some(0)) => Value::Scalar(text),
            (Value::Unset, _) => Value::Unset,
            (Value::Scalar(_), Some(_)) => Value::Unset,
            _ => Value::Any("an array element".into()),
        }))
    }

    fn indirect(&mut self, parameter: &Parameter, state: &mut State) -> Result<Items, Halt> {
        if matches!(parameter.operator, "*" | "@") {
            return Ok(Items::List(vec![Text::unknown(Unknown::anything(
                "the names of variables",
            ))]));
        }
        let through = self.lookup(&parameter.name, state);
        Ok(Items::One(match through {
            Value::Scalar(text) => match text.bytes() {
                Some(name) if is_name(name) => self.lookup(name, state),
                _ => Value::Any("an indirect variable".into()),
            },
            Value::Unset => Value::Unset,
            _ => Value::Any("an indirect variable".into()),
        }))
    }
}

pub(super) enum Items {
    One(Value),
    List(Vec<Text>),
}

pub(crate) fn is_name(name: &[u8]) -> bool {
    name.first()
        .is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphabetic())
        && name
            .iter()
            .all(|byte| *byte == b'_' || byte.is_ascii_alphanumeric())
}
