//! `$name` and `${...}` with every operator.

mod strings;

use super::{
    Halt, Interpreter,
    expand::{Chunk, cwd_text, push_text},
    state::State,
    value::{Losses, Text, Unknown, Value},
};
use crate::shell::ast::{Dialect, Parameter, Piece};

/// Matching a pattern at every place of a longer value takes too long.
const LONGEST_CHANGED: usize = 2048;

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
                    unset: vec![display_name(parameter)],
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

    /// The items of `$@`, `$*` or an array, as fields or joined.
    fn listed(
        &self,
        parameter: &Parameter,
        star: bool,
        texts: &[Text],
        quoted: bool,
        state: &State,
        out: &mut Vec<Chunk>,
    ) {
        // `"$*"` is joined by the first character of IFS.
        let joint = match self.lookup(b"IFS", state) {
            Value::Unset => Some(vec![b' ']),
            Value::Scalar(text) => text
                .bytes()
                .map(|ifs| ifs.iter().take(1).copied().collect()),
            _ => None,
        };
        for (at, text) in texts.iter().enumerate() {
            if at > 0 && star {
                out.push(match &joint {
                    Some(bytes) => Chunk::Bytes {
                        bytes: bytes.clone(),
                        quoted: true,
                        expanded: true,
                    },
                    None => Chunk::Unknown(Unknown::anything("the first character of IFS")),
                });
            } else if at > 0 {
                out.push(if parameter.quoted {
                    Chunk::Break
                } else {
                    separator()
                });
            }
            if parameter.quoted {
                out.push(Chunk::Exists);
            }
            push_text(text, quoted, out);
        }
    }

    /// `${@#pattern}`, `${a[@]/x/y}`: each item is changed; `${@:1:2}`: some are taken.
    fn each_changed(
        &mut self,
        parameter: &Parameter,
        mut texts: Vec<Text>,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        if parameter.operator == ":" {
            if parameter.subscript.is_none() {
                texts.insert(0, state.zero.as_ref().clone());
            }
            let from = strings::integer(&self.arithmetic(&parameter.operand, state)?);
            let count = match &parameter.second {
                Some(second) => strings::integer(&self.arithmetic(second, state)?),
                None => Some(i64::MAX),
            };
            let (Some(from), Some(count)) = (from, count.filter(|count| *count >= 0)) else {
                out.push(Chunk::Unknown(Unknown::anything("some of a list")));
                return Ok(());
            };
            let length = i64::try_from(texts.len()).unwrap_or(i64::MAX);
            let from = if from < 0 {
                from.saturating_add(length)
            } else {
                from
            };
            let skipped = usize::try_from(from).unwrap_or(usize::MAX);
            let taken = usize::try_from(count).unwrap_or(usize::MAX);
            texts = texts.into_iter().skip(skipped).take(taken).collect();
        } else {
            for text in &mut texts {
                *text = self.transform(parameter, std::mem::take(text), state)?;
            }
        }
        let star =
            parameter.quoted && (parameter.name == b"*" || is_star(parameter.subscript.as_deref()));
        if texts.is_empty() && !parameter.quoted {
            out.push(Chunk::Losses(Losses {
                unset: vec![display_name(parameter)],
                empty: Vec::new(),
            }));
        } else if !texts.is_empty() && parameter.quoted {
            out.push(Chunk::Exists);
        }
        self.listed(parameter, star, &texts, quoted, state, out);
        Ok(())
    }

    fn operate(
        &mut self,
        parameter: &Parameter,
        value: Value,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let name = display_name(parameter);
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

    /// zsh expands also the operands of what is not set.
    fn unused_operands(&mut self, parameter: &Parameter, state: &State) -> Result<(), Halt> {
        match self.dialect() {
            Dialect::Zsh | Dialect::Unknown => self.operands_may_run(parameter, state),
            Dialect::Bash | Dialect::Sh => Ok(()),
        }
    }

    fn operands_may_run(&mut self, parameter: &Parameter, state: &State) -> Result<(), Halt> {
        self.may_run(&parameter.operand, state)?;
        self.may_run(parameter.second.as_deref().unwrap_or_default(), state)
    }

    /// Judges what an operand would run if it came to that.
    fn may_run(&mut self, operand: &[Piece], state: &State) -> Result<(), Halt> {
        let inert = |piece: &Piece| matches!(piece, Piece::Literal { .. });
        if operand.iter().all(inert) {
            return Ok(());
        }
        match self.pieces(operand, &mut state.clone()) {
            Ok(_) | Err(Halt::Exit) => Ok(()),
            Err(Halt::Spent) => Err(Halt::Spent),
        }
    }

    /// The operand of `${x:-word}` and `${x:+word}`: its own quoting counts.
    fn operand(
        &mut self,
        operand: &[Piece],
        name: &[u8],
        value: &Value,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        if quoted {
            let text = self.pieces(operand, state)?;
            if text.is_empty() {
                out.push(Chunk::Losses(lost(value, name)));
            }
            push_text(&text, quoted, out);
            return Ok(());
        }
        let mut chunks = self.operand_chunks(operand, state)?;
        let nothing = chunks.iter().all(|chunk| match chunk {
            Chunk::Bytes { bytes, .. } => bytes.is_empty(),
            Chunk::Losses(_) | Chunk::Exists => true,
            Chunk::Unknown(_) | Chunk::Break => false,
        });
        if nothing {
            out.push(Chunk::Losses(lost(value, name)));
        }
        // Its literals are split like what an expansion gives, but what it quotes stays whole.
        for chunk in &mut chunks {
            if let Chunk::Bytes { expanded, .. } = chunk {
                *expanded = true;
            }
        }
        out.append(&mut chunks);
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

    fn items(&mut self, parameter: &Parameter, state: &mut State) -> Result<Items, Halt> {
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

    fn transform(
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

enum Items {
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

/// Whether an operator works on each item of a list by itself.
fn changes_each(operator: &str) -> bool {
    matches!(
        operator,
        "#" | "##" | "%" | "%%" | "/" | "//" | "/#" | "/%" | "^" | "^^" | "," | ",," | ":"
    )
}

fn is_star(subscript: Option<&[Piece]>) -> bool {
    matches!(subscript, Some([Piece::Literal { bytes, .. }]) if bytes == b"*")
}

fn separator() -> Chunk {
    Chunk::Bytes {
        bytes: b" ".to_vec(),
        quoted: false,
        expanded: true,
    }
}

fn join(texts: &[Text]) -> Text {
    let mut out = Text::default();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            out.push_bytes(b" ");
        }
        out.append(text);
    }
    out
}

fn display_name(parameter: &Parameter) -> Vec<u8> {
    parameter.name.clone()
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
