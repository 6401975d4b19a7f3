//! Programs that print what they read in another form, where what they read is known: so that
//! `echo ... | base64 -d | sh` is a script like any other.

use std::rc::Rc;

use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use blastradius_policy::{PathBuffer, canonicalise};

use crate::interp::{
    Field, Interpreter,
    state::{Cwd, Input, State},
    value::{Segment, Text},
};

use super::paths::some_of;

/// Padding may be missing, as decoders of the field allow.
const DECODER: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a filter prints; `None` if it is none, or what it reads is not known.
pub(super) fn filtered(name: &[u8], arguments: &[Field], state: &State) -> Option<Text> {
    let Input::Text(input) = &state.input else {
        return None;
    };
    if name == b"tee" {
        return Some(input.clone());
    }
    if let Some(text) = picked(name, arguments, input) {
        return Some(text);
    }
    let bytes = input.bytes()?;
    let words: Vec<&[u8]> = arguments
        .iter()
        .map(|field| field.text.bytes())
        .collect::<Option<_>>()?;
    let output = match (name, words.as_slice()) {
        (b"base64", [b"-d" | b"-D" | b"-di" | b"--decode"]) => decoded(bytes)?,
        (b"openssl", [b"base64", b"-d", ..] | [b"enc", b"-base64", b"-d", ..]) => decoded(bytes)?,
        (b"xxd", [b"-r", b"-p"] | [b"-p", b"-r"] | [b"-rp" | b"-pr"]) => from_hexadecimal(bytes)?,
        (b"rev", []) => by_line(bytes, |line| line.iter().rev().copied().collect()),
        (b"tr", [b"-d", gone]) => {
            let gone = characters(gone)?;
            bytes
                .iter()
                .copied()
                .filter(|byte| !gone.contains(byte))
                .collect()
        }
        (b"tr", [from, to]) => translated(bytes, from, to)?,
        _ => return None,
    };
    Some(Text::known(output))
}

/// What a filter prints that picks or sorts the lines it reads.
fn picked(name: &[u8], arguments: &[Field], input: &Text) -> Option<Text> {
    let words: Vec<&[u8]> = (arguments.iter())
        .map(|field| field.text.bytes())
        .collect::<Option<_>>()?;
    let is_number = |word: &[u8]| {
        let digits = word
            .strip_prefix(b"+")
            .or(word.strip_prefix(b"-"))
            .unwrap_or(word);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let letters = |word: &[u8], allowed: &[u8]| {
        (word.strip_prefix(b"-"))
            .is_some_and(|letters| letters.iter().all(|letter| allowed.contains(letter)))
    };
    let picks = match name {
        b"head" | b"tail" => words.iter().all(|word| {
            *word == b"-n"
                || is_number(word)
                || (word.strip_prefix(b"-n").or(word.strip_prefix(b"--lines=")))
                    .is_some_and(is_number)
        }),
        b"sort" => words.iter().all(|word| letters(word, b"rnVufhMdgb")),
        b"uniq" | b"tac" => words.is_empty(),
        b"grep" | b"egrep" | b"fgrep" => {
            let (options, others): (Vec<&&[u8]>, Vec<&&[u8]>) =
                words.iter().partition(|word| word.starts_with(b"-"));
            others.len() == 1 && options.iter().all(|word| letters(word, b"vEFPiwx"))
        }
        b"sed" => {
            let script = |word: &[u8]| {
                let (last, lines) = word.split_last().unwrap_or((&0, b""));
                b"dp".contains(last) && lines.iter().all(|byte| b"0123456789,$".contains(byte))
            };
            matches!(words.as_slice(), [word] | [b"-n", word] if script(word))
        }
        _ => false,
    };
    if !picks {
        return None;
    }
    let mut lines = Vec::new();
    for segment in &input.segments {
        match segment {
            Segment::Known(bytes) => {
                lines.extend(bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec));
            }
            Segment::Unknown(unknown) => {
                let is_alone = lines.last().is_none_or(Vec::is_empty);
                lines.extend(
                    unknown
                        .listed
                        .as_ref()
                        .filter(|_| is_alone)?
                        .lines
                        .iter()
                        .cloned(),
                );
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    let why = format!("the output of {}", String::from_utf8_lossy(name));
    match lines.is_empty() {
        true => None,
        false => some_of(lines, input.glob.clone(), &why),
    }
}

/// `tee FILE`: the file holds what was read.
pub(super) fn copied(interpreter: &Interpreter<'_>, arguments: &[Field], state: &mut State) {
    let (Input::Text(input), Cwd::At(cwd)) = (&state.input, &state.cwd) else {
        return;
    };
    let Some(content) = input.bytes().map(Rc::<[u8]>::from) else {
        return;
    };
    let words = arguments.iter().filter_map(|field| field.text.bytes());
    let files: Vec<Vec<u8>> = words
        .take_while(|word| !word.starts_with(b"-"))
        .filter_map(|word| {
            let mut buffer = PathBuffer::new();
            let path = canonicalise(&interpreter.disk(state), cwd, word, true, &mut buffer);
            Some(path.ok()?.as_bytes().to_vec())
        })
        .collect();
    for file in files {
        Rc::make_mut(&mut state.changes).write(file, Some(content.clone()));
    }
}

fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    DECODER.decode(digits).ok()
}

fn from_hexadecimal(bytes: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let pairs = digits.chunks_exact(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

fn by_line(bytes: &[u8], change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .flat_map(|line| match line.strip_suffix(b"\n") {
            Some(line) => [change(line), vec![b'\n']].concat(),
            None => change(line),
        })
        .collect()
}

/// `tr FROM TO`: the last character of TO stands for all that are missing.
fn translated(bytes: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let (from, to) = (characters(from)?, characters(to)?);
    let last = *to.last()?;
    let change = |byte: &u8| match from.iter().rposition(|known| known == byte) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => *byte,
    };
    Some(bytes.iter().map(change).collect())
}

/// The characters of a set of `tr`; `None` for classes, which depend on the locale.
fn characters(set: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = set;
    while let Some((&byte, after)) = rest.split_first() {
        match (byte, after) {
            (b'[', [b':' | b'=', ..]) => return None,
            (b'\\', [letter, after @ ..]) => {
                out.push(match letter {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'0' => 0,
                    b'\\' => b'\\',
                    _ => return None,
                });
                rest = after;
            }
            (first, [b'-', last, after @ ..]) if first <= *last => {
                out.extend(first..=*last);
                rest = after;
            }
            (other, after) => {
                out.push(other);
                rest = after;
            }
        }
    }
    Some(out)
}
