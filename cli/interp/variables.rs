//! Builtins that set and unset variables, positional parameters and options.

use std::rc::Rc;

use super::{
    Halt, Interpreter,
    builtins::{done, positional},
    invoke::Call,
    parameter::is_name,
    state::{Input, Path, State, Status},
    value::{Field, Segment, Text, Unknown, Value},
};

impl Interpreter<'_> {
    /// Those builtins; `None` if the name is none of them.
    pub(super) fn variable_builtin(
        &mut self,
        name: &[u8],
        call: &Call,
        mut state: State,
    ) -> Result<Option<Vec<Path>>, Halt> {
        let arguments = &call.fields[1..];
        let paths = match name {
            b"export" | b"declare" | b"typeset" | b"local" | b"readonly" | b"integer"
            | b"float" => {
                self.declare(name, arguments, &mut state);
                done(state, Status::Zero)
            }
            b"unset" => {
                for field in arguments {
                    match field.text.bytes() {
                        Some(name) if is_name(name) => {
                            state.assign(name, Value::Unset);
                            Rc::make_mut(&mut state.functions).remove(name);
                        }
                        _ => {}
                    }
                }
                done(state, Status::Zero)
            }
            b"set" => {
                self.set(arguments, &mut state);
                done(state, Status::Zero)
            }
            b"setopt" | b"unsetopt" => {
                let on = name == b"setopt";
                for field in arguments {
                    self.shopt(&field.text, on, &mut state);
                }
                done(state, Status::Zero)
            }
            b"shopt" => {
                let on = !arguments
                    .iter()
                    .any(|field| field.text.bytes() == Some(b"-u"));
                for field in arguments {
                    self.shopt(&field.text, on, &mut state);
                }
                done(state, Status::Zero)
            }
            b"shift" => {
                let count = arguments.first().map_or(Some(1), |field| {
                    std::str::from_utf8(field.text.bytes()?).ok()?.parse().ok()
                });
                state.positional = match (state.positional, count) {
                    (Some(items), Some(count)) => {
                        Some(Rc::new(items.get(count..).unwrap_or_default().to_vec()))
                    }
                    _ => None,
                };
                done(state, Status::Zero)
            }
            b"read" => self.read(arguments, state),
            b"mapfile" | b"readarray" => {
                let target = arguments
                    .iter()
                    .rev()
                    .find_map(|field| field.text.bytes().filter(|word| is_name(word)));
                state.assign(
                    target.unwrap_or(b"MAPFILE"),
                    Value::Any("lines that were read".into()),
                );
                done(state, Status::Zero)
            }
            b"getopts" => {
                if let Some(name) = arguments.get(1).and_then(|field| field.text.bytes()) {
                    self.forget(name, "an option", &mut state);
                }
                self.forget(b"OPTARG", "the value of an option", &mut state);
                done(state, Status::Unknown)
            }
            b"printf"
                if arguments
                    .first()
                    .is_some_and(|field| field.text.bytes() == Some(b"-v")) =>
            {
                if let Some(name) = arguments.get(1).and_then(|field| field.text.bytes()) {
                    let text = super::outputs::printf(arguments.get(2..).unwrap_or_default());
                    state.assign(name, Value::Scalar(text));
                }
                done(state, Status::Zero)
            }
            _ => return Ok(None),
        };
        Ok(Some(paths))
    }

    fn declare(&mut self, builtin: &[u8], arguments: &[Field], state: &mut State) {
        let options: Vec<u8> = arguments
            .iter()
            .filter_map(|field| field.text.bytes()?.strip_prefix(b"-"))
            .flatten()
            .copied()
            .collect();
        let exports = builtin == b"export" || options.contains(&b'x');
        for field in arguments {
            let prefix = field.text.prefix();
            if prefix.starts_with(b"-") || prefix.starts_with(b"+") {
                continue;
            }
            let end = prefix
                .iter()
                .position(|byte| *byte == b'=')
                .unwrap_or(prefix.len());
            let (name, append) = match prefix[..end].strip_suffix(b"+") {
                Some(name) => (name.to_vec(), true),
                None => (prefix[..end].to_vec(), false),
            };
            if !is_name(&name) {
                continue;
            }
            if matches!(builtin, b"local" | b"declare" | b"typeset")
                && self.depth > 0
                && !self.locals.contains(&name)
            {
                self.locals.push(name.clone());
            }
            if end < prefix.len() || field.text.segments.len() > 1 {
                let value = skip(&field.text, end + 1);
                let value = match (append, self.lookup(&name, state)) {
                    (true, Value::Scalar(mut before)) => {
                        before.append(&value);
                        before
                    }
                    _ => value,
                };
                let value = if options.contains(&b'i') && value.bytes().is_none() {
                    Text::unknown(Unknown::name("the result of arithmetic"))
                } else {
                    value
                };
                let value = if options.contains(&b'n') {
                    Value::Any("a reference to another variable".into())
                } else {
                    Value::Scalar(value)
                };
                state.assign(&name, value);
            } else if builtin == b"local" {
                state.assign(&name, Value::Unset);
            }
            if exports {
                state.export(&name);
            }
        }
    }

    fn set(&mut self, arguments: &[Field], state: &mut State) {
        let mut at = 0;
        while let Some(field) = arguments.get(at) {
            let Some(word) = field.text.bytes() else {
                break;
            };
            let on = match word.first() {
                _ if word == b"--" => {
                    state.positional = positional(&arguments[at + 1..]);
                    return;
                }
                Some(b'-') if word.len() > 1 => true,
                Some(b'+') if word.len() > 1 => false,
                _ => break,
            };
            for letter in &word[1..] {
                match letter {
                    b'e' => state.options.errexit = on,
                    b'u' => state.options.nounset = on,
                    b'f' => state.options.noglob = on,
                    b'a' => {}
                    b'o' => {
                        at += 1;
                        match arguments.get(at).and_then(|field| field.text.bytes()) {
                            Some(b"errexit") => state.options.errexit = on,
                            Some(b"nounset") => state.options.nounset = on,
                            Some(b"noglob") => state.options.noglob = on,
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
            at += 1;
        }
        if at < arguments.len() {
            state.positional = positional(&arguments[at..]);
        }
    }

    fn shopt(&mut self, option: &Text, on: bool, state: &mut State) {
        match option.bytes() {
            Some(b"nullglob" | b"null_glob") => state.options.nullglob = on,
            Some(b"failglob" | b"nomatch") => state.options.failglob = on,
            Some(b"dotglob" | b"globdots" | b"glob_dots") => state.options.dotglob = on,
            _ => {}
        }
    }

    /// `read`: a line of what is known to come, else anything.
    fn read(&mut self, arguments: &[Field], mut state: State) -> Vec<Path> {
        let mut names: Vec<Vec<u8>> = Vec::new();
        let mut array = None;
        let mut at = 0;
        while let Some(field) = arguments.get(at) {
            match field.text.bytes() {
                Some(b"-a" | b"-A") => {
                    at += 1;
                    array = arguments
                        .get(at)
                        .and_then(|field| field.text.bytes())
                        .map(<[u8]>::to_vec);
                }
                Some(b"-d" | b"-i" | b"-n" | b"-N" | b"-p" | b"-t" | b"-u") => at += 1,
                Some(option) if option.starts_with(b"-") => {}
                Some(name) => names.push(name.to_vec()),
                None => {}
            }
            at += 1;
        }
        if let Some(array) = array {
            state.assign(&array, Value::Any("words that were read".into()));
            return done(state, Status::Unknown);
        }
        if names.is_empty() {
            names.push(b"REPLY".to_vec());
        }
        let (line, rest) = match &state.input {
            Input::Text(text) if text.is_empty() => {
                for name in &names {
                    state.assign(name, Value::Scalar(Text::default()));
                }
                return done(state, Status::NonZero);
            }
            Input::Text(text) => next_line(text),
            Input::Unknown => (
                Text::unknown(Unknown::anything("a line that was read")),
                None,
            ),
        };
        let settled = rest.is_some();
        if let Some(rest) = rest {
            state.input = Input::Text(rest);
        }
        let single = names.len() == 1;
        for (at, name) in names.iter().enumerate() {
            let value = match line.bytes() {
                Some(bytes) if !single => {
                    let mut words = bytes
                        .split(u8::is_ascii_whitespace)
                        .filter(|word| !word.is_empty())
                        .skip(at);
                    if at + 1 == names.len() {
                        Text::known(words.collect::<Vec<_>>().join(&b' '))
                    } else {
                        Text::known(words.next().unwrap_or_default())
                    }
                }
                Some(bytes) => Text::known(bytes.trim_ascii()),
                None if single => line.clone(),
                None => Text::unknown(Unknown::anything("a word that was read")),
            };
            state.assign(name, Value::Scalar(value));
        }
        done(
            state,
            if settled {
                Status::Zero
            } else {
                Status::Unknown
            },
        )
    }
}

/// The first line, and what is left; no rest if the input is not known far enough.
fn next_line(text: &Text) -> (Text, Option<Text>) {
    let mut line = Text::default();
    for (at, segment) in text.segments.iter().enumerate() {
        match segment {
            Segment::Known(bytes) => {
                if let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
                    line.push_bytes(&bytes[..end]);
                    let mut rest = Text::known(&bytes[end + 1..]);
                    for later in &text.segments[at + 1..] {
                        match later {
                            Segment::Known(bytes) => rest.push_bytes(bytes),
                            Segment::Unknown(unknown) => rest.push_unknown(unknown.clone()),
                        }
                    }
                    return (line, Some(rest));
                }
                line.push_bytes(bytes);
            }
            Segment::Unknown(unknown) if unknown.found.is_some() => {
                line.push_unknown(unknown.clone())
            }
            Segment::Unknown(unknown) => return (Text::unknown(unknown.clone()), None),
        }
    }
    (line, Some(Text::default()))
}

/// The text from byte `from` on; what is before must be known.
pub(crate) fn skip(text: &Text, from: usize) -> Text {
    let mut out = Text {
        losses: text.losses.clone(),
        ..Text::default()
    };
    let mut left = from;
    for segment in &text.segments {
        match segment {
            Segment::Known(bytes) => {
                let skipped = left.min(bytes.len());
                left -= skipped;
                out.push_bytes(&bytes[skipped..]);
            }
            Segment::Unknown(unknown) => {
                left = 0;
                out.push_unknown(unknown.clone());
            }
        }
    }
    out
}
