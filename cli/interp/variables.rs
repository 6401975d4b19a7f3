//! Builtins that set and unset variables, positional parameters and options.

use std::rc::Rc;

use super::{
    Halt, Interpreter,
    builtins::{done, positional},
    invoke::Call,
    parameter::is_name,
    state::{Attribute, Links, Path, State, Status},
    value::{Field, Segment, Text, Value},
};
use crate::shell::ast::Dialect;

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
                self.declare(name, arguments, &mut state)?;
                // What is no name is an error.
                let fails = arguments.iter().any(|field| {
                    let word = field.text.prefix();
                    let name = word.split(|byte| matches!(byte, b'=' | b'[')).next();
                    let name = name.unwrap_or_default();
                    field.many
                        || !word.starts_with(b"-")
                            && !is_name(name.strip_suffix(b"+").unwrap_or(name))
                });
                let status = if fails { Status::Unknown } else { Status::Zero };
                done(state, status)
            }
            b"unset" => {
                for field in arguments {
                    match field.text.bytes() {
                        Some(name) if is_name(name) => {
                            // What a caller has made its own goes, and what was there before comes back.
                            let is_own = self.locals.iter().any(|own| own == name);
                            let value = match self.calls > 1 && !is_own {
                                true => Value::Any("a variable of a caller".into()),
                                false => Value::Unset,
                            };
                            state.assign(name, value);
                            Rc::make_mut(&mut state.attributes).remove(name);
                            Rc::make_mut(&mut state.functions).remove(name);
                        }
                        // An element: what is left has a gap.
                        Some(element) => {
                            let name = element.split(|byte| *byte == b'[').next();
                            if let Some(name) = name.filter(|name| is_name(name)) {
                                let why = "an array that was changed";
                                state.assign(name, Value::Any(why.into()));
                            }
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
                    // More than there are is an error.
                    (Some(items), Some(count)) if count > items.len() => Some(items),
                    (Some(items), Some(count)) => {
                        Some(Rc::new(items.get(count..).unwrap_or_default().to_vec()))
                    }
                    _ => None,
                };
                done(state, Status::Zero)
            }
            b"read" => self.read(arguments, &call.prefix, state),
            b"mapfile" | b"readarray" => {
                let mut paths = Vec::new();
                for path in self.called_back(arguments, state)? {
                    match path.status.is_running() {
                        true => paths.extend(Self::read_lines(arguments, path.state)),
                        false => paths.push(path),
                    }
                }
                paths
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
                    self.set_place(name, text, &mut state);
                }
                done(state, Status::Zero)
            }
            _ => return Ok(None),
        };
        Ok(Some(paths))
    }

    fn declare(
        &mut self,
        builtin: &[u8],
        arguments: &[Field],
        state: &mut State,
    ) -> Result<(), Halt> {
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
            match attribute(builtin, &options) {
                Some(Attribute::Other) => {
                    state.describe(&name, Attribute::Other);
                    state.assign(&name, Value::Any("a variable of its own kind".into()));
                }
                Some(attribute) => state.describe(&name, attribute),
                None => {}
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
                let is_array = value.prefix().starts_with(b"(");
                let is_described = state.attributes.contains_key(&name);
                if let Some(items) = field.array.as_ref().filter(|_| !is_described && !append) {
                    state.assign(&name, Value::Array(items.to_vec()));
                } else if is_array || options.contains(&b'a') {
                    state.assign(&name, Value::Any("an array that was declared".into()));
                } else if state.attributes.get(&name) == Some(&Attribute::Integer) {
                    let number = self.evaluated(&value, state)?;
                    state.assign(&name, Value::Scalar(number));
                } else {
                    self.set_scalar(&name, value, state);
                }
            } else if builtin == b"local" {
                state.assign(&name, Value::Unset);
            }
            if builtin == b"readonly" || options.contains(&b'r') {
                state.describe(&name, Attribute::Other);
            }
            if exports {
                state.export(&name);
            }
        }
        Ok(())
    }

    /// Assigns to a name or to an element.
    pub(super) fn set_place(&self, place: &[u8], text: Text, state: &mut State) {
        if is_name(place) {
            self.set_scalar(place, text, state);
        } else if let Some(open) = place.iter().position(|byte| *byte == b'[') {
            self.forget_element(&place[..open], state);
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
                    b'f' if self.dialect() != Dialect::Zsh => state.options.noglob = on,
                    b'a' => {}
                    b'x' => state.options.xtrace = on,
                    b'P' | b'w' => self.physical(&[*letter], on, state),
                    b'o' => {
                        at += 1;
                        match arguments.get(at).and_then(|field| field.text.bytes()) {
                            Some(b"errexit") => state.options.errexit = on,
                            Some(b"nounset") => state.options.nounset = on,
                            Some(b"noglob") => state.options.noglob = on,
                            Some(b"xtrace") => state.options.xtrace = on,
                            Some(b"posix") => {
                                state.options.aliases = true;
                                state.options.odd = true;
                            }
                            Some(name) if is_physical(name) => self.physical(name, on, state),
                            Some(b"braceexpand") => state.options.odd = true,
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

    /// An option under which links are followed on the way to a directory. Only some shells have each of them.
    fn physical(&self, name: &[u8], on: bool, state: &mut State) {
        let is_known = match self.dialect() {
            Dialect::Bash => matches!(name, b"P" | b"physical"),
            Dialect::Zsh => !matches!(name, b"P" | b"physical"),
            Dialect::Sh | Dialect::Unknown => false,
        };
        state.options.links = match (is_known, on) {
            (false, _) if self.dialect() == Dialect::Unknown => Links::Either,
            (false, _) => state.options.links,
            (true, true) => Links::Physical,
            (true, false) => Links::Logical,
        };
    }

    fn shopt(&mut self, option: &Text, on: bool, state: &mut State) {
        if let Some(name) = option.bytes().filter(|name| is_physical(name)) {
            self.physical(name, on, state);
            return;
        }
        let options = &mut state.options;
        match option.bytes() {
            Some(b"nullglob" | b"null_glob") => options.nullglob = on,
            Some(b"failglob" | b"nomatch") => options.failglob = on,
            Some(b"dotglob" | b"globdots" | b"glob_dots") => options.dotglob = on,
            Some(b"extglob") if self.dialect() != Dialect::Zsh => options.extglob = on,
            Some(b"globstar") if self.dialect() != Dialect::Zsh => options.globstar = on,
            Some(b"noglob") => options.noglob = on,
            Some(b"xtrace") => options.xtrace = on,
            Some(b"expand_aliases") => options.aliases = on,
            Some(name) if is_odd(name) => options.odd = true,
            Some(name) if self.dialect() == Dialect::Zsh => {
                options.odd |= !TAME.iter().any(|tame| tame.as_bytes() == name);
            }
            _ => {}
        }
    }
}

/// `physical` of bash; what zsh calls it, in any spelling.
fn is_physical(name: &[u8]) -> bool {
    let plain: Vec<u8> = (name.iter().filter(|byte| **byte != b'_'))
        .map(u8::to_ascii_lowercase)
        .collect();
    matches!(plain.as_slice(), b"physical" | b"chaselinks" | b"chasedots")
}

/// Options of zsh that leave words as they are.
const TAME: [&str; 14] = [
    "errexit",
    "err_exit",
    "nounset",
    "no_unset",
    "pipefail",
    "pipe_fail",
    "verbose",
    "xtrace",
    "nonomatch",
    "no_nomatch",
    "no_match",
    "extendedhistory",
    "monitor",
    "notify",
];

/// Options of bash that change how words expand in ways that are not worked out.
fn is_odd(name: &[u8]) -> bool {
    matches!(
        name,
        b"nocaseglob"
            | b"nocasematch"
            | b"globasciiranges"
            | b"globskipdots"
            | b"patsub_replacement"
            | b"extquote"
            | b"array_expand_once"
            | b"assoc_expand_once"
    )
}

/// What a declaration says of values.
fn attribute(builtin: &[u8], options: &[u8]) -> Option<Attribute> {
    if options
        .iter()
        .any(|letter| b"AnulcLRZUTEF".contains(letter))
        || builtin == b"float"
    {
        Some(Attribute::Other)
    } else if options.contains(&b'i') || builtin == b"integer" {
        Some(Attribute::Integer)
    } else {
        None
    }
}

/// The text from byte `from` on; what is before must be known.
pub(crate) fn skip(text: &Text, from: usize) -> Text {
    let mut out = Text {
        trace: text.trace.clone(),
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
