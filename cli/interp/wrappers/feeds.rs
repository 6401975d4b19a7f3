//! `xargs` and `parallel`: commands whose last words come from elsewhere.

use std::rc::Rc;

use super::super::{
    Halt, Interpreter,
    invoke::Call,
    outputs,
    pattern::Pattern,
    state::{Input, Path, State, Status},
    value::{Field, Glob, Segment, Text, Unknown},
};
use super::{PLAIN, Wrapper, child_state, finish, take};
use crate::shell::ast::Dialect;

/// How words are spelled that a program reads.
pub(crate) const FED: &[u8] = b"(standard input)";

/// Words that `xargs` would append are followed up to this many.
const MOST_ITEMS: usize = 1000;

pub(super) fn xargs(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let own = Wrapper {
        names: &["xargs"],
        short: "IJRnPLsdEa",
        long: &[
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-procs",
            "--max-lines",
            "--max-chars",
            "--replace",
            "--eof",
        ],
        ..PLAIN
    };
    let given = |short: &[u8], long: &[u8]| {
        let mut words = call
            .fields
            .iter()
            .skip(1)
            .map(|field| field.text.bytes().unwrap_or_default());
        while let Some(word) = words.next() {
            if word == short || word == long {
                return words.next().map(<[u8]>::to_vec);
            }
            if let Some(value) = word
                .strip_prefix(short)
                .filter(|value| !value.is_empty() && short.len() == 2)
            {
                return Some(value.to_vec());
            }
            if let Some(value) = word
                .strip_prefix(long)
                .and_then(|rest| rest.strip_prefix(b"="))
            {
                return Some(value.to_vec());
            }
        }
        None
    };
    let taken = take(&own, &call.fields);
    if taken.rest.is_empty() {
        let mut after = state.clone();
        outputs::append_unknown(interpreter, &mut after, "the output of xargs");
        return Ok(vec![Path {
            state: after,
            status: Status::Unknown,
        }]);
    }
    let replace = given(b"-I", b"--replace").or_else(|| {
        call.fields
            .iter()
            .any(|field| field.text.bytes() == Some(b"-i"))
            .then(|| b"{}".to_vec())
    });
    let from_file = given(b"-a", b"--arg-file").is_some();
    let zero = call.fields.iter().any(|field| {
        matches!(field.text.bytes(), Some(b"-0" | b"--null"))
            || field.text.bytes().is_some_and(|word| {
                word.len() > 1 && word[0] == b'-' && word[1] != b'-' && word.contains(&b'0')
            })
    });
    let delimiter = given(b"-d", b"--delimiter");
    let items = match (&state.input, from_file) {
        (Input::Text(text), false) => {
            // As many items may be in it as it has words.
            interpreter.pay(text.bytes().map_or(0, <[u8]>::len) / 24)?;
            split_items(text, zero, delimiter.as_deref(), replace.is_some())
        }
        _ => None,
    };
    let why: std::rc::Rc<str> = match &state.input {
        Input::Text(text) => text
            .why_unknown()
            .map_or_else(|| "standard input".into(), |unknown| unknown.why.clone()),
        Input::Unknown => "standard input".into(),
    };
    let unknown = || Field {
        text: Text::unknown(Unknown::anything(why.clone())),
        spelled: FED.into(),
        ..Field::default()
    };
    let mut items = items.unwrap_or_else(|| vec![unknown()]);
    if let Input::Text(text) = &state.input
        && let Some(glob) = text.glob.as_ref().filter(|_| !state.disk_changed)
    {
        for item in &mut items {
            item.glob = matched(item, glob);
        }
    }
    let mut commands: Vec<Vec<Field>> = Vec::new();
    match &replace {
        Some(replace) => {
            for item in &items {
                commands.push(
                    taken
                        .rest
                        .iter()
                        .map(|field| match field.text.bytes() == Some(replace) {
                            true => item.clone(),
                            false => substituted(field, replace, &item.text),
                        })
                        .collect(),
                );
            }
        }
        None => commands.push(taken.rest.iter().cloned().chain(items).collect()),
    }
    let mut paths = Vec::new();
    let inner = child_state(call, state);
    for fields in commands {
        let command = Call {
            prefix: Vec::new(),
            ..call.inner(fields)
        };
        let mut own = inner.clone();
        own.input = Input::Unknown;
        paths.extend(interpreter.fork(own, |this, state| this.invoke(command, state))?);
    }
    Ok(finish(interpreter, state, paths))
}

/// The glob, if a word is one of its matches: all of them together may be too many.
fn matched(item: &Field, glob: &Rc<Glob>) -> Option<Rc<Glob>> {
    let slashes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'/').count();
    let name = item.text.bytes()?;
    let pattern = Pattern {
        bytes: glob.pattern.clone(),
        active: glob.active.clone(),
        ..Pattern::default()
    };
    let is_match = slashes(name) == slashes(&pattern.bytes) && pattern.as_ref().matches(name);
    is_match.then(|| glob.clone())
}

/// A word with every `marker` in it replaced.
pub(crate) fn substituted(field: &Field, marker: &[u8], with: &Text) -> Field {
    let mut out = Field {
        text: Text {
            trace: field.text.trace.clone(),
            ..Text::default()
        },
        ..field.clone()
    };
    for segment in &field.text.segments {
        match segment {
            Segment::Known(bytes) => {
                let mut rest = bytes.as_slice();
                while let Some(at) = find(rest, marker) {
                    out.text.push_bytes(&rest[..at]);
                    out.text.append(with);
                    rest = &rest[at + marker.len()..];
                }
                out.text.push_bytes(rest);
            }
            Segment::Unknown(unknown) => out.text.push_unknown(unknown.clone()),
        }
    }
    out
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    text.windows(word.len()).position(|window| window == word)
}

/// The items in a text; `None` if something in it is not known and could be anything.
fn split_items(
    text: &Text,
    zero: bool,
    delimiter: Option<&[u8]>,
    lines: bool,
) -> Option<Vec<Field>> {
    let mut items: Vec<Text> = vec![Text::default()];
    let mut quote = None;
    for segment in &text.segments {
        match segment {
            Segment::Known(bytes) => {
                let mut bytes = bytes.iter();
                while let Some(&byte) = bytes.next() {
                    let ends = match delimiter {
                        _ if quote.is_some() => false,
                        Some(delimiter) => {
                            delimiter == [byte]
                                || delimiter == b"\\n" && byte == b'\n'
                                || delimiter == b"\\0" && byte == 0
                        }
                        None if zero => byte == 0,
                        None if lines => byte == b'\n',
                        None => byte.is_ascii_whitespace(),
                    };
                    let quotes = !zero && delimiter.is_none();
                    if ends {
                        items.push(Text::default());
                        continue;
                    }
                    let last = items.last_mut()?;
                    match byte {
                        b'\\' if quotes => {
                            if let Some(&next) = bytes.next() {
                                last.push_bytes(&[next]);
                            }
                        }
                        b'\'' | b'"' if quotes && quote == Some(byte) => quote = None,
                        b'\'' | b'"' if quotes && quote.is_none() => quote = Some(byte),
                        _ => last.push_bytes(&[byte]),
                    }
                }
            }
            Segment::Unknown(unknown) if unknown.listed.is_some() => {
                let ends = matches!(delimiter, Some(b"\n" | b"\\n"));
                let is_plain = |byte: &u8| match (ends, lines) {
                    (true, _) => true,
                    (false, true) => !b"'\"\\".contains(byte),
                    (false, false) => !b"'\"\\".contains(byte) && !byte.is_ascii_whitespace(),
                };
                for line in unknown.listed.iter().flat_map(|listed| &listed.lines) {
                    let is_whole = items.last().is_some_and(Text::is_empty)
                        && (delimiter.is_none() || ends)
                        && !zero
                        && line.iter().all(is_plain);
                    if !is_whole {
                        return None;
                    }
                    items.last_mut()?.push_bytes(line);
                    items.push(Text::default());
                }
            }
            Segment::Unknown(unknown) if unknown.found.is_some() || !unknown.may_hold_slash => {
                items.last_mut()?.push_unknown(unknown.clone())
            }
            Segment::Unknown(_) => return None,
        }
    }
    items.retain(|item| !item.is_empty());
    if items.len() > MOST_ITEMS {
        return None;
    }
    Some(
        items
            .into_iter()
            .map(|text| Field {
                spelled: text.display().as_slice().into(),
                text,
                ..Field::default()
            })
            .collect(),
    )
}

/// `parallel CMD ::: ARGS`
pub(super) fn parallel(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let own = Wrapper {
        names: &["parallel"],
        short: "jNnLPSIdaEs",
        long: &["--jobs", "--max-args", "--colsep", "--arg-file"],
        ..PLAIN
    };
    let taken = take(&own, &call.fields);
    let split = taken
        .rest
        .iter()
        .position(|field| matches!(field.text.bytes(), Some(b":::" | b":::+" | b"::::")));
    let (command, arguments) = match split {
        Some(at) => (taken.rest[..at].to_vec(), taken.rest[at + 1..].to_vec()),
        None => {
            let why = Unknown::anything("standard input");
            (
                taken.rest,
                vec![Field {
                    text: Text::unknown(why),
                    spelled: FED.into(),
                    ..Field::default()
                }],
            )
        }
    };
    let mut paths = Vec::new();
    for argument in &arguments {
        let holds = command.iter().any(|field| {
            field
                .text
                .bytes()
                .is_some_and(|word| find(word, b"{}").is_some())
        });
        let mut fields: Vec<Field> = command
            .iter()
            .map(|field| substituted(field, b"{}", &argument.text))
            .collect();
        if !holds {
            fields.push(argument.clone());
        }
        // The command is a template for a shell: one word may hold several.
        let single = fields.len() <= 2
            && fields
                .first()
                .is_some_and(|field| field.text.bytes().is_some_and(|word| word.contains(&b' ')));
        let inner = child_state(call, state);
        if single {
            let mut text = Text::default();
            for field in &fields {
                text.append(&field.text);
                text.push_bytes(b" ");
            }
            let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
            paths.extend(interpreter.shell(&text, Dialect::Unknown, child)?);
        } else if !fields.is_empty() {
            let inner_call = Call {
                prefix: Vec::new(),
                ..call.inner(fields)
            };
            paths.extend(interpreter.fork(inner, |this, state| this.invoke(inner_call, state))?);
        }
    }
    Ok(finish(interpreter, state, paths))
}
