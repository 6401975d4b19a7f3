//! Paths that programs print: parts of others, what is found, what is made up.

use std::rc::Rc;

use blastradius_policy::{Kind, PathBuffer, canonicalise};

use super::unknown;
use crate::interp::{
    Interpreter,
    directories::{asked, lexical, resolved},
    expand::cwd_text,
    invoke::Call,
    state::{Cwd, Links, State},
    value::{Field, Found, Glob, Listed, MADE_UP, Text, Unknown, Value},
};

/// `pwd`: the builtin goes by the shell's own notion unless told otherwise, the program by where links lead.
pub(super) fn here(interpreter: &Interpreter<'_>, call: &Call, state: &State) -> Text {
    let letters: Vec<u8> = (call.fields[1..].iter())
        .filter_map(|field| field.text.bytes()?.strip_prefix(b"-"))
        .filter(|word| !word.starts_with(b"-"))
        .flatten()
        .copied()
        .collect();
    let is_builtin = call.builtins && call.fields[0].text.bytes() == Some(b"pwd");
    let usual = match is_builtin {
        true => state.options.links,
        false => Links::Physical,
    };
    let mut text = match (&state.cwd, asked(&letters, usual)) {
        (Cwd::At(cwd), Links::Physical) => Text::known(resolved(interpreter, b"/", cwd, state)),
        (Cwd::At(cwd), Links::Either) if resolved(interpreter, b"/", cwd, state) != *cwd => {
            Text::unknown(Unknown::anything("the working directory"))
        }
        _ => cwd_text(&state.cwd),
    };
    text.push_bytes(b"\n");
    text
}

pub(super) fn path_part(name: &[u8], arguments: &[Field]) -> Text {
    let Some(path) = arguments
        .first()
        .and_then(|field| field.text.bytes())
        .filter(|path| !path.starts_with(b"-"))
    else {
        return unknown(name);
    };
    let end = path
        .iter()
        .rposition(|byte| *byte != b'/')
        .map_or(0, |at| at + 1);
    let trimmed = if end == 0 { b"/" } else { &path[..end] };
    let slash = trimmed.iter().rposition(|byte| *byte == b'/');
    let part: Vec<u8> = match (name, slash) {
        (b"basename", Some(at)) if trimmed.len() > 1 => trimmed[at + 1..].to_vec(),
        (b"basename", _) => trimmed.to_vec(),
        (_, None) => b".".to_vec(),
        (_, Some(0)) => b"/".to_vec(),
        (_, Some(at)) => trimmed[..at].to_vec(),
    };
    let part = match (name, arguments.get(1).and_then(|field| field.text.bytes())) {
        (b"basename", Some(suffix)) if part != suffix => part
            .strip_suffix(suffix)
            .map(<[u8]>::to_vec)
            .unwrap_or(part),
        _ => part,
    };
    let mut text = Text::known(part);
    text.push_bytes(b"\n");
    text
}

pub(super) fn real_path(
    interpreter: &Interpreter<'_>,
    arguments: &[Field],
    state: &State,
) -> Option<Text> {
    let Cwd::At(cwd) = &state.cwd else {
        return None;
    };
    if state.disk_changed || arguments.iter().any(|field| field.text.bytes().is_none()) {
        return None;
    }
    let mut operands = arguments
        .iter()
        .filter_map(|field| field.text.bytes())
        .filter(|word| !word.starts_with(b"-"));
    let path = operands.next()?;
    let mut buffer = PathBuffer::new();
    let resolved = canonicalise(&interpreter.disk(state), cwd, path, true, &mut buffer).ok()?;
    let mut text = Text::known(resolved.as_bytes());
    text.push_bytes(b"\n");
    operands.next().is_none().then_some(text)
}

/// `mktemp` makes a new file: in the directory for temporary ones, or where its template says.
pub(super) fn temporary(
    interpreter: &Interpreter<'_>,
    arguments: &[Field],
    state: &mut State,
) -> Text {
    let has = |letter: u8, long: &[u8]| {
        arguments.iter().any(|field| {
            (field.text.bytes()).is_some_and(|word| match word {
                [b'-', b'-', ..] => word == long,
                [b'-', letters @ ..] => letters.contains(&letter),
                _ => false,
            })
        })
    };
    // `-u` makes nothing.
    let is_made = !has(b'u', b"--dry-run");
    let is_directory = has(b'd', b"--directory");
    let temporary_directory = match interpreter.lookup(b"TMPDIR", state) {
        Value::Scalar(text) if !text.may_be_empty() => text,
        _ => Text::known(*b"/tmp"),
    };
    let mut directory = None;
    let mut template: Option<Text> = None;
    let mut below = false;
    let mut words = arguments.iter();
    while let Some(field) = words.next() {
        match field.text.bytes() {
            Some([b'-', first, letters @ ..])
                if *first != b'-' && [&[*first], letters].concat().ends_with(b"p") =>
            {
                directory = words.next().map(|field| field.text.clone())
            }
            Some(b"--tmpdir" | b"-t") => below = true,
            Some(word) if word.starts_with(b"--tmpdir=") => {
                directory = Some(Text::known(&word[b"--tmpdir=".len()..]))
            }
            Some(b"--suffix") => {
                words.next();
            }
            Some(word) if word.starts_with(b"-") && !word.starts_with(b"--") && word.len() > 1 => {
                below |= word.contains(&b't')
            }
            Some(word) if word.starts_with(b"-") => {}
            _ => template = Some(field.text.clone()),
        }
    }
    let below = below || directory.is_some() || template.is_none();
    let mut text = Text::default();
    if below {
        text.append(&directory.unwrap_or(temporary_directory));
        text.push_bytes(b"/");
    }
    match template {
        Some(template) => match template.bytes() {
            Some(bytes) => {
                let end = bytes
                    .iter()
                    .rposition(|byte| *byte != b'X')
                    .map_or(0, |at| at + 1);
                text.push_bytes(&bytes[..end]);
            }
            None => text.append(&template),
        },
        None => text.push_bytes(b"tmp."),
    }
    text.push_unknown(Unknown {
        fresh: is_made,
        ..Unknown::name(MADE_UP)
    });
    if let (Some(path), Cwd::At(cwd), true) =
        (text.fresh_path(), &state.cwd, is_made && is_directory)
    {
        let path = lexical(cwd, &path);
        let slash = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        let exists = slash == 0 || interpreter.has_directory(&path[..slash], state) != Some(false);
        if exists && !state.made.contains(&path) {
            Rc::make_mut(&mut state.made).push(path);
        }
    }
    text.push_bytes(b"\n");
    text
}

/// `git rev-parse --show-toplevel`, by looking for `.git`.
pub(super) fn top_level(
    interpreter: &Interpreter<'_>,
    arguments: &[Field],
    state: &State,
) -> Option<Text> {
    let words: Vec<&[u8]> = arguments
        .iter()
        .map(|field| field.text.bytes())
        .collect::<Option<_>>()?;
    if words != [&b"rev-parse"[..], b"--show-toplevel"] {
        return None;
    }
    let Cwd::At(cwd) = &state.cwd else {
        return None;
    };
    let mut buffer = PathBuffer::new();
    let mut directory =
        Some(canonicalise(&interpreter.disk(state), b"/", cwd, true, &mut buffer).ok()?);
    while let Some(here) = directory {
        let marker = [here.as_bytes(), b"/.git"].concat();
        if interpreter
            .session
            .fs
            .lstat(&marker)
            .is_ok_and(|meta| matches!(meta.kind, Kind::Directory | Kind::File))
        {
            let mut text = Text::known(here.as_bytes());
            text.push_bytes(b"\n");
            return Some(text);
        }
        directory = here.parent();
    }
    None
}

/// What `find` prints: paths at and below its start points.
pub(super) fn found(arguments: &[Field]) -> Text {
    let is_asked = |option: &[u8]| (arguments.iter()).any(|word| word.text.bytes() == Some(option));
    let end: &[u8] = match (is_asked(b"-print0"), is_asked(b"-print")) {
        (true, false) => b"\0",
        (false, _) => b"\n",
        (true, true) => return unknown(b"find"),
    };
    let is_root = |field: &&Field| {
        !field.text.prefix().starts_with(b"-") && !matches!(field.text.bytes(), Some(b"(" | b"!"))
    };
    let mut rest = arguments;
    let mut follow = false;
    while let Some(option) = rest
        .first()
        .and_then(|field| field.text.bytes())
        .filter(|word| matches!(*word, b"-L" | b"-H" | b"-P"))
    {
        follow |= option == b"-L";
        rest = &rest[1..];
    }
    let roots: Vec<&Field> = rest.iter().take_while(is_root).collect();
    let narrowing = |word: &[u8]| {
        [
            &b"-name"[..],
            b"-iname",
            b"-path",
            b"-ipath",
            b"-wholename",
            b"-regex",
            b"-iregex",
            b"-newer",
            b"-mtime",
            b"-mmin",
            b"-size",
            b"-empty",
            b"-user",
        ]
        .contains(&word)
            || word.starts_with(b"-newer")
    };
    let tested = rest[roots.len()..]
        .iter()
        .any(|field| field.text.bytes().is_some_and(narrowing));
    if rest.iter().any(|field| {
        field
            .text
            .bytes()
            .is_some_and(|word| word == b"-printf" || word == b"-exec")
    }) {
        return unknown(b"find");
    }
    let here = Field::known(*b".");
    let roots = if roots.is_empty() { vec![&here] } else { roots };
    let mut text = Text::default();
    for root in roots {
        text.append(&root.text);
        text.push_unknown(Unknown {
            found: Some(Found { tested, follow }),
            ..Unknown::anything(format!(
                "what find finds below {}",
                String::from_utf8_lossy(&root.text.display())
            ))
        });
        text.push_bytes(end);
    }
    text
}

/// `ls FILE...` prints those of its operands that exist, if none is a directory whose names it would print; sorted in
/// any way, in an order that nobody knows.
pub(super) fn listed(
    interpreter: &Interpreter<'_>,
    arguments: &[Field],
    state: &State,
) -> Option<Text> {
    let Cwd::At(cwd) = &state.cwd else {
        return None;
    };
    let mut text = Text::default();
    let mut lines = Vec::new();
    let mut glob = None;
    let mut is_sorted = false;
    let mut takes_directories = false;
    for argument in arguments {
        let word = argument.text.bytes()?;
        match word {
            b"-1" | b"--" => {}
            [b'-', b'-', rest @ ..] => {
                is_sorted = true;
                takes_directories |= rest == b"directory";
                let orders = [
                    &b"sort="[..],
                    b"time=",
                    b"reverse",
                    b"directory",
                    b"color=never",
                ];
                if !orders.iter().any(|order| rest.starts_with(order)) {
                    return None;
                }
            }
            [b'-', letters @ ..] => {
                is_sorted = true;
                takes_directories |= letters.contains(&b'd');
                // Any other option prints more than names.
                if letters.is_empty()
                    || !letters
                        .iter()
                        .all(|letter| b"1tcurSUvXdaA".contains(letter))
                {
                    return None;
                }
            }
            _ => lines.push(argument),
        }
    }
    let mut names = Vec::new();
    for argument in lines {
        let word = argument.text.bytes()?;
        let mut buffer = PathBuffer::new();
        let path = canonicalise(&interpreter.disk(state), cwd, word, true, &mut buffer).ok()?;
        let found = interpreter.session.fs.lstat(path.as_bytes());
        match found {
            Ok(meta) if meta.kind == Kind::Directory && !takes_directories => return None,
            Ok(_) => {
                text.push_bytes(word);
                text.push_bytes(b"\n");
            }
            // It is made up to here by an earlier command, or ls says that it is missing.
            Err(_) if state.disk_changed && !is_sorted => return None,
            Err(_) if state.disk_changed && argument.glob.is_none() && !takes_directories => {
                return None;
            }
            Err(_) => {}
        }
        names.push(word.to_vec());
        if let Some(known) = &argument.glob {
            // By then it may match others, which lie where it says.
            if state.disk_changed && !names.contains(&known.pattern) {
                names.push(known.pattern.clone());
            }
            glob.get_or_insert_with(|| known.clone());
        }
    }
    match is_sorted {
        _ if names.is_empty() => None,
        true => some_of(names, glob, "what ls lists"),
        false => Some(text),
    }
}

/// Some of these lines.
pub(super) fn some_of(lines: Vec<Vec<u8>>, glob: Option<Rc<Glob>>, why: &str) -> Option<Text> {
    if lines.iter().any(|line| line.contains(&b'\n')) {
        return None;
    }
    let mut text = Text::unknown(Unknown {
        listed: Some(Rc::new(Listed {
            lines,
            glob: glob.clone(),
        })),
        ..Unknown::anything(why)
    });
    text.glob = glob;
    text.push_bytes(b"\n");
    Some(text)
}
