//! `read` and `mapfile`: what they take from an input that is known.

use std::rc::Rc;

use super::{
    Interpreter,
    builtins::done,
    parameter::is_name,
    state::{Input, Path, State, Status},
    value::{Field, Segment, Text, Unknown, Value},
};
use crate::shell::ast::Dialect;

/// What `read` is asked for.
#[derive(Default)]
struct Request {
    names: Vec<Vec<u8>>,
    array: Option<Vec<u8>>,
    raw: bool,
    /// What ends a line, if not a line break.
    end: Option<u8>,
    /// It does not read one line from standard input.
    strange: bool,
}

fn request(arguments: &[Field], dialect: Dialect) -> Request {
    let mut request = Request::default();
    let mut at = 0;
    let mut options = true;
    while let Some(field) = arguments.get(at) {
        at += 1;
        match field.text.bytes() {
            Some(b"--") if options => options = false,
            Some([b'-', letters @ ..]) if options && !letters.is_empty() => {
                for (nth, letter) in letters.iter().enumerate() {
                    match letter {
                        b'r' => request.raw = true,
                        b's' | b'e' => {}
                        b'a' | b'A' | b'd' | b'i' | b'n' | b'N' | b'p' | b't' | b'u' => {
                            let rest = &letters[nth + 1..];
                            let value = if rest.is_empty() {
                                at += 1;
                                arguments.get(at - 1).and_then(|field| field.text.bytes())
                            } else {
                                Some(rest)
                            };
                            match letter {
                                b'a' | b'A' => request.array = value.map(<[u8]>::to_vec),
                                b'p' | b'i' => {}
                                // Nothing is the byte that ends a string.
                                b'd' if dialect != Dialect::Sh && value.is_some() => {
                                    request.end = value.map(|value| *value.first().unwrap_or(&0));
                                }
                                _ => request.strange = true,
                            }
                            break;
                        }
                        _ => request.strange = true,
                    }
                }
            }
            Some(name) => {
                options = false;
                // zsh's `name?prompt`
                let name = name.split(|byte| *byte == b'?').next().unwrap_or_default();
                request.names.push(name.to_vec());
            }
            None => request.strange = true,
        }
    }
    request
}

impl Interpreter<'_> {
    /// `read`: a line of what is known to come, else anything.
    pub(super) fn read(
        &self,
        arguments: &[Field],
        prefix: &[(Vec<u8>, Value)],
        mut state: State,
    ) -> Vec<Path> {
        let request = request(arguments, self.dialect());
        let is_place =
            |name: &[u8]| is_name(name.split(|byte| *byte == b'[').next().unwrap_or_default());
        if request.names.first().is_some_and(|name| !is_place(name)) {
            // An error before anything is read.
            return done(state, Status::NonZero);
        }
        let ifs = match prefix.iter().rev().find(|(name, _)| name == b"IFS") {
            Some((_, Value::Scalar(text))) => text.bytes().map(<[u8]>::to_vec),
            Some(_) => None,
            None => self.separators(&state),
        };
        let at_end = matches!(&state.input, Input::Text(text) if text.is_empty());
        let (line, rest) = match &state.input {
            _ if request.strange => (unread(), None),
            Input::Text(text) => next_line(text, request.end.unwrap_or(b'\n')),
            Input::Unknown => (unread(), None),
        };
        let ended = rest.is_some();
        let whole = matches!(&rest, Some((_, true)));
        if let Some((rest, _)) = rest {
            state.input = Input::Text(rest);
        } else if request.strange {
            state.input = Input::Unknown;
        }
        let known = line
            .bytes()
            .filter(|bytes| request.raw || !bytes.contains(&b'\\'))
            .zip(ifs.as_deref());
        let names = &request.names;
        if let Some(array) = &request.array {
            let value = known.map_or_else(
                || Value::Any("words that were read".into()),
                |(bytes, ifs)| Value::Array(all_words(bytes, ifs)),
            );
            state.assign(array, value);
        } else if names.is_empty() {
            let value = match known {
                Some((bytes, _)) => Text::known(bytes),
                None => line.clone(),
            };
            self.set_scalar(b"REPLY", value, &mut state);
        } else {
            let mut input = known.map(|(bytes, ifs)| Words { rest: bytes, ifs });
            for (at, name) in names.iter().enumerate() {
                // What is no name ends it there.
                if !is_place(name) {
                    return done(state, Status::NonZero);
                }
                let last = at + 1 == names.len();
                let value = match &mut input {
                    Some(words) if last => Text::known(words.remainder()),
                    Some(words) => Text::known(words.next().unwrap_or_default()),
                    // Blanks at its ends may go, and backslashes.
                    None if names.len() == 1 && line.bytes().is_none() => line.clone(),
                    None => Text::unknown(Unknown::anything("a word that was read")),
                };
                self.set_place(name, value, &mut state);
            }
        }
        let status = match (at_end && ended, ended && whole) {
            (true, _) => Status::NonZero,
            (false, true) => Status::Zero,
            (false, false) => Status::Unknown,
        };
        done(state, status)
    }

    /// `mapfile`: the lines of what is known to come.
    pub(super) fn read_lines(arguments: &[Field], mut state: State) -> Vec<Path> {
        let words: Option<Vec<&[u8]>> = arguments.iter().map(|field| field.text.bytes()).collect();
        let mut words = words;
        let mut end = b'\n';
        if let Some(words) = &mut words
            && let Some(at) = words
                .iter()
                .position(|word| matches!(*word, b"-d" | b"-td"))
            && let Some([byte]) = words.get(at + 1).map(|word| match *word {
                b"" => &b"\0"[..],
                word => word,
            })
        {
            end = *byte;
            match words.remove(at) {
                b"-td" => words[at] = b"-t",
                _ => drop(words.remove(at)),
            }
        }
        let (trims, name) = match words.as_deref() {
            Some([]) => (false, Some(&b"MAPFILE"[..])),
            Some([b"-t"]) => (true, Some(&b"MAPFILE"[..])),
            Some([name]) => (false, Some(*name)),
            Some([b"-t", name]) => (true, Some(*name)),
            _ => (false, None),
        };
        let known = name.filter(|name| is_name(name));
        let target = arguments
            .iter()
            .rev()
            .find_map(|field| field.text.bytes().filter(|word| is_name(word)));
        let lines = match (&state.input, known) {
            (Input::Text(text), Some(_)) => text.bytes().map(|bytes| {
                let lines = bytes.split_inclusive(|byte| *byte == end);
                lines
                    .map(|line| match line.strip_suffix(&[end]) {
                        Some(trimmed) if trims => Text::known(trimmed),
                        _ => Text::known(line),
                    })
                    .collect()
            }),
            _ => None,
        };
        let value = lines.map_or_else(|| Value::Any("lines that were read".into()), Value::Array);
        let found = match (&state.input, known) {
            (Input::Text(text), Some(_)) if trims => found_lines(text, end),
            _ => None,
        };
        let target = target.unwrap_or(b"MAPFILE");
        let is_any = matches!(value, Value::Any(_));
        state.assign(target, value);
        if let Some(found) = found.filter(|_| is_any) {
            Rc::make_mut(&mut state.several).insert(target.to_vec(), found);
        }
        state.input = match state.input {
            Input::Text(text) if text.bytes().is_some() => Input::Text(Text::default()),
            _ => Input::Unknown,
        };
        done(state, Status::Zero)
    }
}

/// What each line is, where all of them are what `find` found below one place.
fn found_lines(text: &Text, end: u8) -> Option<Text> {
    let is_found =
        |segment: &Segment| matches!(segment, Segment::Unknown(unknown) if unknown.found.is_some());
    let (last, line) = text.segments.split_last()?;
    let [Segment::Known(root), found] = line else {
        return None;
    };
    let is_one = matches!(end, 0 | b'\n')
        && !root.contains(&end)
        && is_found(found)
        && *last == Segment::Known(vec![end]);
    is_one.then(|| Text {
        segments: line.to_vec(),
        ..Text::default()
    })
}

fn unread() -> Text {
    Text::unknown(Unknown::anything("a line that was read"))
}

/// A line that is taken apart.
struct Words<'a> {
    rest: &'a [u8],
    ifs: &'a [u8],
}

impl<'a> Words<'a> {
    fn is_blank(&self, byte: u8) -> bool {
        b" \t\n".contains(&byte) && self.ifs.contains(&byte)
    }

    fn skip_blanks(&mut self) {
        while self.rest.first().is_some_and(|byte| self.is_blank(*byte)) {
            self.rest = &self.rest[1..];
        }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| self.ifs.contains(byte));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        self.skip_blanks();
        if self
            .rest
            .first()
            .is_some_and(|byte| self.ifs.contains(byte))
        {
            self.rest = &self.rest[1..];
            self.skip_blanks();
        }
        Some(word)
    }

    /// All that is left, for the last name: one word, or several with what stands between them.
    fn remainder(&mut self) -> &'a [u8] {
        self.skip_blanks();
        let all = self.rest;
        let Some(word) = self.next() else {
            return b"";
        };
        if self.rest.is_empty() {
            return word;
        }
        let end = all
            .iter()
            .rposition(|byte| !self.is_blank(*byte))
            .map_or(0, |last| last + 1);
        &all[..end]
    }
}

fn all_words(bytes: &[u8], ifs: &[u8]) -> Vec<Text> {
    let mut words = Words { rest: bytes, ifs };
    std::iter::from_fn(|| words.next())
        .map(Text::known)
        .collect()
}

/// The first line, and what is left with whether the line was ended; no rest if the input is not known far enough.
fn next_line(text: &Text, end: u8) -> (Text, Option<(Text, bool)>) {
    let mut line = Text::default();
    for (at, segment) in text.segments.iter().enumerate() {
        match segment {
            Segment::Known(bytes) => {
                if let Some(end) = bytes.iter().position(|byte| *byte == end) {
                    line.push_bytes(&bytes[..end]);
                    let mut rest = Text::known(&bytes[end + 1..]);
                    for later in &text.segments[at + 1..] {
                        match later {
                            Segment::Known(bytes) => rest.push_bytes(bytes),
                            Segment::Unknown(unknown) => rest.push_unknown(unknown.clone()),
                        }
                    }
                    return (line, Some((rest, true)));
                }
                line.push_bytes(bytes);
            }
            // Any other byte may stand in what was found.
            Segment::Unknown(unknown) if unknown.found.is_some() && matches!(end, 0 | b'\n') => {
                line.push_unknown(unknown.clone())
            }
            Segment::Unknown(unknown) => return (Text::unknown(unknown.clone()), None),
        }
    }
    (line, Some((Text::default(), false)))
}
