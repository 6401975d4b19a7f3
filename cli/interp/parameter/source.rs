//! What a parameter names: variables, positional parameters, arrays, what the shell makes up.

use blastradius_policy::Kind;

use crate::{
    interp::{
        Halt, Interpreter,
        expand::{cwd_text, element as in_zsh},
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
        if let Some(value) = self.made_up(name, state) {
            return value;
        }
        self.session
            .variable(name)
            .map_or(Value::Unset, |value| Value::Scalar(Text::known(value)))
    }

    /// What a shell sets itself when it starts.
    fn made_up(&self, name: &[u8], state: &State) -> Option<Value> {
        let dialect = self.dialect();
        Some(match name {
            b"PWD" => Value::Scalar(cwd_text(&state.cwd)),
            // A shell sets this itself, whatever its environment says.
            b"IFS" => Value::Scalar(Text::known(*b" \t\n")),
            b"HOME" if dialect == Dialect::Zsh && self.session.variable(name).is_none() => {
                Value::Scalar(self.session.home.map_or_else(
                    || Text::unknown(Unknown::anything("the home directory")),
                    Text::known,
                ))
            }
            // zsh begins with where it stands; bash asks whether there still is such a directory.
            b"OLDPWD" if dialect == Dialect::Zsh => Value::Scalar(cwd_text(&state.cwd)),
            b"OLDPWD"
                if self.session.variable(name).is_some_and(|path| {
                    !self
                        .session
                        .fs
                        .lstat(path)
                        .is_ok_and(|meta| meta.kind == Kind::Directory)
                }) =>
            {
                Value::Any("the previous directory".into())
            }
            b"RANDOM" | b"SRANDOM" | b"SECONDS" | b"EPOCHSECONDS" | b"EPOCHREALTIME"
            | b"LINENO" | b"BASHPID" | b"PPID" | b"UID" | b"EUID" | b"BASH_SUBSHELL"
            | b"COLUMNS" | b"LINES" | b"SHLVL" => {
                let why = String::from_utf8_lossy(name).into_owned();
                match dialect {
                    // Who writes it for a shell that is not known does not write it for dash.
                    Dialect::Sh if self.session.session.dialect == Dialect::Sh => {
                        Value::Any(why.into())
                    }
                    _ => Value::Scalar(Text::unknown(Unknown::name(why))),
                }
            }
            b"BASH" | b"BASH_VERSION" | b"HOSTNAME" | b"HOSTTYPE" | b"OSTYPE" | b"MACHTYPE"
            | b"BASH_SOURCE" | b"FUNCNAME" | b"PIPESTATUS" | b"BASH_REMATCH" | b"ZSH_VERSION"
            | b"DIRSTACK" | b"GROUPS" => self.session.variable(name).map_or_else(
                || Value::Any(String::from_utf8_lossy(name).into()),
                |value| Value::Scalar(Text::known(value)),
            ),
            // What getopts, zsh's arrays of its own and the like hold.
            b"OPTIND" | b"PS4" | b"HISTCMD" => Value::Any(String::from_utf8_lossy(name).into()),
            b"path" | b"argv" | b"status" | b"pipestatus" | b"fpath" | b"cdpath"
                if dialect == Dialect::Zsh =>
            {
                Value::Any(String::from_utf8_lossy(name).into())
            }
            _ => return None,
        })
    }

    /// What a parameter stands for before any operator.
    pub(super) fn items(
        &mut self,
        parameter: &Parameter,
        state: &mut State,
    ) -> Result<Items, Halt> {
        let name = parameter.name.as_slice();
        if parameter.indirect {
            self.may_run(parameter.subscript.as_deref().unwrap_or_default(), state)?;
            if let Items::One(Value::Scalar(through)) = self.plain(name, state) {
                self.named_again(&through, state)?;
            }
            let items = self.indirect(parameter, state);
            // What is no name is an error.
            self.failures += u32::from(matches!(items, Items::One(Value::Any(_)) | Items::Any(_)));
            return Ok(items);
        }
        if let Some(subscript) = &parameter.subscript {
            if is_whole(subscript)
                && parameter.operator.is_empty()
                && !parameter.length
                && parameter.quoted
                && !super::is_star(Some(subscript))
                && let Some(text) = state.several.get(name)
                && matches!(self.lookup(name, state), Value::Any(_))
            {
                return Ok(Items::Several(text.clone()));
            }
            return self.element(name, subscript, state);
        }
        Ok(self.plain(name, state))
    }

    /// What a name, a number or a sign stands for.
    fn plain(&self, name: &[u8], state: &State) -> Items {
        let unknown = |why: &str| Items::One(Value::Scalar(Text::unknown(Unknown::name(why))));
        match name {
            b"@" | b"*" => match &state.positional {
                Some(items) => Items::List(items.as_ref().clone()),
                None => Items::Any("the positional parameters of an unknown caller".into()),
            },
            b"#" => match &state.positional {
                Some(items) => Items::One(Value::Scalar(Text::known(items.len().to_string()))),
                None => unknown("the number of arguments"),
            },
            b"?" => unknown("an exit status"),
            b"$" => unknown("a process id"),
            b"!" => Items::One(Value::Any("a process id".into())),
            b"-" => Items::One(Value::Any("the shell's options".into())),
            b"_" => Items::One(Value::Any("the last argument of the command before".into())),
            b"0" => Items::One(Value::Scalar(state.zero.as_ref().clone())),
            digits if digits.iter().all(u8::is_ascii_digit) && !digits.is_empty() => {
                Items::One(positional(digits, state))
            }
            _ => match self.lookup(name, state) {
                Value::Array(items) if self.dialect() == Dialect::Zsh => Items::List(items),
                // Elsewhere the name alone is the first element.
                Value::Array(items) => {
                    Items::One(items.into_iter().next().map_or(Value::Unset, Value::Scalar))
                }
                value => Items::One(value),
            },
        }
    }

    fn element(
        &mut self,
        name: &[u8],
        subscript: &[Piece],
        state: &mut State,
    ) -> Result<Items, Halt> {
        let value = self.lookup(name, state);
        if is_whole(subscript) {
            return Ok(match value {
                Value::Array(items) => Items::List(items),
                // To zsh it is one string without anything in it.
                Value::Unset if self.dialect() == Dialect::Zsh => Items::One(Value::Unset),
                Value::Unset => Items::List(Vec::new()),
                Value::Scalar(text) => Items::List(vec![text]),
                Value::Any(why) => Items::Any(why),
            });
        }
        if value == Value::Unset || matches!(value, Value::Any(_)) {
            let text = self.pieces(subscript, state)?;
            if let Some(bytes) = text.bytes().filter(|_| self.dialect() != Dialect::Sh) {
                self.evaluated_again(bytes, state)?;
            }
            return Ok(Items::One(match value {
                Value::Unset if self.dialect() != Dialect::Zsh => Value::Unset,
                _ => Value::Any("an array element".into()),
            }));
        }
        let at = self.number(subscript, state)?;
        if self.dialect() == Dialect::Zsh {
            let element = at.and_then(|at| in_zsh(&value, at));
            return Ok(Items::One(element.map_or_else(
                || Value::Any("an array element".into()),
                Value::Scalar,
            )));
        }
        Ok(Items::One(match (value, at) {
            (Value::Array(items), Some(at)) => match index(at, items.len()) {
                Some(at) => items
                    .into_iter()
                    .nth(at)
                    .map_or(Value::Unset, Value::Scalar),
                None => Value::Any("an array element".into()),
            },
            // With `set -u` some versions of bash take what is no array for unset.
            (Value::Scalar(text), Some(0)) if !state.options.nounset => Value::Scalar(text),
            (Value::Scalar(_), Some(at)) if at > 0 => Value::Unset,
            _ => Value::Any("an array element".into()),
        }))
    }

    /// `${!name}`, `${!array[@]}`, `${!prefix*}`.
    fn indirect(&self, parameter: &Parameter, state: &State) -> Items {
        // It may be a list.
        let unknown = || Items::Any("an indirect variable".into());
        if matches!(parameter.operator, "*" | "@") {
            return Items::Any("the names of variables".into());
        }
        if let Some(subscript) = &parameter.subscript {
            return match self.lookup(&parameter.name, state) {
                Value::Array(items) if is_whole(subscript) && parameter.operator.is_empty() => {
                    Items::List(
                        (0..items.len())
                            .map(|at| Text::known(at.to_string()))
                            .collect(),
                    )
                }
                _ => unknown(),
            };
        }
        let Items::One(Value::Scalar(through)) = self.plain(&parameter.name, state) else {
            return unknown();
        };
        let Some(through) = through.bytes() else {
            return unknown();
        };
        if let Some((name, subscript)) = through.strip_suffix(b"]").and_then(|text| {
            text.iter()
                .position(|byte| *byte == b'[')
                .map(|at| (&text[..at], &text[at + 1..]))
        }) {
            let Value::Array(items) = self.lookup(name, state) else {
                return unknown();
            };
            if subscript == b"@" && parameter.operator.is_empty() {
                return Items::List(items);
            }
            let at = std::str::from_utf8(subscript)
                .ok()
                .and_then(|text| text.parse::<usize>().ok());
            return match at {
                Some(at) => Items::One(items.get(at).cloned().map_or(Value::Unset, Value::Scalar)),
                None => unknown(),
            };
        }
        let is_parameter = is_name(through)
            || !through.is_empty() && through.iter().all(u8::is_ascii_digit) && through != b"0";
        if is_parameter {
            self.plain(through, state)
        } else {
            unknown()
        }
    }

    /// Assigns one string: to an array that is its first element.
    pub(in crate::interp) fn set_scalar(&self, name: &[u8], text: Text, state: &mut State) {
        let value = match state.variables.get(name) {
            Some(Value::Array(items)) if self.dialect() != Dialect::Zsh => {
                let mut items = items.clone();
                match items.first_mut() {
                    Some(first) => *first = text,
                    None => items.push(text),
                }
                Value::Array(items)
            }
            _ => Value::Scalar(text),
        };
        state.assign(name, value);
    }

    /// An element of an array has changed, nobody knows which.
    pub(in crate::interp) fn forget_element(&self, name: &[u8], state: &mut State) {
        if is_name(name) {
            state.assign(name, Value::Any("an array that was changed".into()));
        }
    }
}

/// What a parameter stands for.
pub(super) enum Items {
    One(Value),
    List(Vec<Text>),
    /// Any number of strings like this one.
    Several(Text),
    /// A list of which nothing is known; the reason as a noun phrase.
    Any(std::rc::Rc<str>),
}

/// The place that a subscript means; `None` if there is none before the beginning.
pub(crate) fn index(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if at < 0 { at.checked_add(length)? } else { at }).ok()
}

fn positional(digits: &[u8], state: &State) -> Value {
    let Some(items) = &state.positional else {
        return Value::Any("a positional parameter of an unknown caller".into());
    };
    std::str::from_utf8(digits)
        .ok()
        .and_then(|text| text.parse::<usize>().ok())
        .and_then(|index| index.checked_sub(1))
        .and_then(|index| items.get(index))
        .map_or(Value::Unset, |text| Value::Scalar(text.clone()))
}

/// `[@]` and `[*]`.
fn is_whole(subscript: &[Piece]) -> bool {
    matches!(subscript, [Piece::Literal { bytes, .. }] if matches!(bytes.as_slice(), b"@" | b"*"))
}

pub(crate) fn is_name(name: &[u8]) -> bool {
    name.first()
        .is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphabetic())
        && name
            .iter()
            .all(|byte| *byte == b'_' || byte.is_ascii_alphanumeric())
}
