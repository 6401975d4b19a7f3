//! What commands print, where that is caught and can be told; and what they leave on the disk.

use std::rc::Rc;

use blastradius_policy::{Kind, PathBuffer, canonicalise};

use super::{
    Interpreter,
    directories::lexical,
    invoke::Call,
    state::{Cwd, Input, State},
    value::{Field, Found, Text, Unknown, Value},
};

/// Longest output that is worked out.
const LONGEST_OUTPUT: usize = 1 << 20;

/// Programs that change nothing on the disk.
const HARMLESS: &[&str] = &[
    "awk",
    "base64",
    "basename",
    "cat",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "env",
    "expr",
    "false",
    "fgrep",
    "file",
    "fold",
    "grep",
    "head",
    "hexdump",
    "hostname",
    "id",
    "jq",
    "less",
    "ls",
    "lsof",
    "man",
    "md5sum",
    "more",
    "nl",
    "nproc",
    "od",
    "paste",
    "pgrep",
    "printenv",
    "printf",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "seq",
    "sha256sum",
    "sleep",
    "stat",
    "strings",
    "tac",
    "tail",
    "test",
    "tr",
    "tree",
    "true",
    "tty",
    "uname",
    "uniq",
    "wc",
    "which",
    "who",
    "whoami",
    "xxd",
    "yes",
    "mkdir",
    "touch",
];

/// Whether a program leaves the disk as it was, or only adds to it.
pub(super) fn is_harmless(name: &[u8], fields: &[Field]) -> bool {
    let reads_only = |words: &[&str]| {
        fields
            .get(1)
            .and_then(|field| field.text.bytes())
            .is_some_and(|word| words.iter().any(|known| known.as_bytes() == word))
    };
    match name {
        b"git" => reads_only(&[
            "status",
            "log",
            "diff",
            "show",
            "rev-parse",
            "ls-files",
            "branch",
            "add",
            "commit",
            "remote",
            "fetch",
            "push",
            "config",
        ]),
        b"find" => !fields.iter().any(|field| {
            field
                .text
                .bytes()
                .is_some_and(|word| word.starts_with(b"-exec") || word == b"-delete")
        }),
        _ => HARMLESS.iter().any(|known| known.as_bytes() == name),
    }
}

/// Something is printed of which nothing is known.
pub(super) fn append_unknown(interpreter: &Interpreter<'_>, state: &mut State, why: &str) {
    if interpreter.is_catching() {
        state.output.push_unknown(Unknown::anything(why));
    }
}

/// Models the programs whose output or effect can be told.
pub(super) fn of_program(
    interpreter: &Interpreter<'_>,
    name: &[u8],
    call: &Call,
    state: &mut State,
) {
    let arguments = &call.fields[1..];
    if name == b"mkdir" {
        made(arguments, state);
        return;
    }
    if name == b"git" {
        cloned(arguments, state);
    }
    if !interpreter.is_catching() {
        return;
    }
    let silent = [
        &b"rm"[..],
        b"mv",
        b"cp",
        b"ln",
        b"touch",
        b"chmod",
        b"chown",
        b"true",
        b"false",
        b"sleep",
        b"rmdir",
        b"unlink",
        b"kill",
    ];
    if silent.contains(&name) {
        return;
    }
    let text = match name {
        b"echo" => echo(arguments),
        b"printf" => printf(arguments),
        b"pwd" => {
            let mut text = super::expand::cwd_text(&state.cwd);
            text.push_bytes(b"\n");
            text
        }
        b"cat"
            if arguments.is_empty()
                || arguments
                    .iter()
                    .all(|field| field.text.bytes() == Some(b"-")) =>
        {
            match &state.input {
                Input::Text(text) => text.clone(),
                Input::Unknown => unknown(name),
            }
        }
        b"dirname" | b"basename" => path_part(name, arguments),
        b"realpath" | b"readlink" => {
            real_path(interpreter, arguments, state).unwrap_or_else(|| unknown(name))
        }
        b"mktemp" => temporary(interpreter, arguments, state),
        b"git" => top_level(interpreter, arguments, state).unwrap_or_else(|| unknown(name)),
        b"find" => found(arguments),
        b"date" => date(arguments),
        b"nproc" | b"id" | b"whoami" | b"hostname" | b"uname" | b"wc" | b"seq" => {
            let mut text = Text::unknown(Unknown::name(format!(
                "the output of {}",
                String::from_utf8_lossy(name)
            )));
            text.push_bytes(b"\n");
            text
        }
        _ => unknown(name),
    };
    state.output.append(&text);
}

fn unknown(name: &[u8]) -> Text {
    Text::unknown(Unknown::anything(format!(
        "the output of {}",
        String::from_utf8_lossy(name)
    )))
}

fn echo(arguments: &[Field]) -> Text {
    let mut text = Text::default();
    let mut newline = true;
    let mut escapes = false;
    let mut rest = arguments;
    while let Some(option) = rest
        .first()
        .and_then(|field| field.text.bytes()?.strip_prefix(b"-"))
    {
        if option.is_empty() || !option.iter().all(|letter| b"neE".contains(letter)) {
            break;
        }
        newline &= !option.contains(&b'n');
        escapes |= option.contains(&b'e');
        rest = &rest[1..];
    }
    for (at, field) in rest.iter().enumerate() {
        if at > 0 {
            text.push_bytes(b" ");
        }
        text.append(&field.text);
    }
    if newline {
        text.push_bytes(b"\n");
    }
    match text.bytes() {
        Some(bytes) if escapes && bytes.contains(&b'\\') => Text::known(unescaped(bytes)),
        _ => text,
    }
}

/// Backslash escapes of `echo -e` and of `printf`'s format.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 == bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 2;
        match bytes[at - 1] {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'e' => out.push(27),
            b'\\' => out.push(b'\\'),
            b'x' => {
                let digits = bytes[at..]
                    .iter()
                    .take(2)
                    .take_while(|byte| byte.is_ascii_hexdigit())
                    .count();
                let text = std::str::from_utf8(&bytes[at..at + digits]).unwrap_or_default();
                match u8::from_str_radix(text, 16) {
                    Ok(byte) => out.push(byte),
                    Err(_) => out.extend_from_slice(b"\\x"),
                }
                at += digits;
            }
            b'0'..=b'7' => {
                let start = if bytes[at - 1] == b'0' { at } else { at - 1 };
                let digits = bytes[start..]
                    .iter()
                    .take(3)
                    .take_while(|byte| (b'0'..=b'7').contains(byte))
                    .count();
                let value = bytes[start..start + digits]
                    .iter()
                    .fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                out.push(u8::try_from(value & 0xff).unwrap_or_default());
                at = start + digits;
            }
            other => out.extend_from_slice(&[b'\\', other]),
        }
    }
    out
}

/// `printf` with `%s`, `%b`, `%d` and `%%`; the format is used again while arguments last.
pub(super) fn printf(arguments: &[Field]) -> Text {
    let arguments = match arguments.first().map(|field| field.text.bytes()) {
        Some(Some(b"--")) => &arguments[1..],
        _ => arguments,
    };
    let Some((format, mut values)) = arguments.split_first() else {
        return Text::default();
    };
    let Some(format) = format.text.bytes() else {
        return Text::unknown(Unknown::anything("the output of printf"));
    };
    let mut text = Text::default();
    loop {
        let before = values.len();
        let mut at = 0;
        // The format is used again for each value left.
        if text.prefix().len() > LONGEST_OUTPUT {
            return Text::unknown(Unknown::anything("the long output of printf"));
        }
        while at < format.len() {
            if format[at] != b'%' {
                let end = format[at..]
                    .iter()
                    .position(|byte| *byte == b'%')
                    .map_or(format.len(), |n| n + at);
                text.push_bytes(&unescaped(&format[at..end]));
                at = end;
                continue;
            }
            let conversion = format[at + 1..]
                .iter()
                .position(u8::is_ascii_alphabetic)
                .map(|n| n + at + 1);
            if format.get(at + 1) == Some(&b'%') {
                text.push_bytes(b"%");
                at += 2;
                continue;
            }
            let Some(end) = conversion else {
                return Text::unknown(Unknown::anything("the output of printf"));
            };
            let value = values.split_first().map(|(first, rest)| {
                values = rest;
                first
            });
            match (format[end], end - at) {
                (b's' | b'd' | b'i', 1) => {
                    if let Some(value) = value {
                        text.append(&value.text);
                    }
                }
                (b'b', 1) => match value.map(|value| value.text.bytes()) {
                    Some(Some(bytes)) => text.push_bytes(&unescaped(bytes)),
                    Some(None) => text.push_unknown(Unknown::anything("the output of printf")),
                    None => {}
                },
                _ => text.push_unknown(Unknown::anything("the output of printf")),
            }
            at = end + 1;
        }
        if values.is_empty() || values.len() == before {
            return text;
        }
    }
}

fn made(arguments: &[Field], state: &mut State) {
    let Cwd::At(cwd) = state.cwd.clone() else {
        return;
    };
    for field in arguments {
        if let Some(path) = field
            .text
            .bytes()
            .filter(|word| !word.starts_with(b"-") && !word.is_empty())
        {
            let path = lexical(&cwd, path);
            if !state.made.contains(&path) {
                Rc::make_mut(&mut state.made).push(path);
            }
        }
    }
}

/// `git clone URL DIR` makes DIR.
fn cloned(arguments: &[Field], state: &mut State) {
    let words: Vec<&[u8]> = arguments
        .iter()
        .filter_map(|field| field.text.bytes())
        .filter(|word| !word.starts_with(b"-"))
        .collect();
    let Cwd::At(cwd) = state.cwd.clone() else {
        return;
    };
    if words.first() == Some(&&b"clone"[..]) && words.len() == 3 {
        Rc::make_mut(&mut state.made).push(lexical(&cwd, words[2]));
    }
}

fn path_part(name: &[u8], arguments: &[Field]) -> Text {
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

fn real_path(interpreter: &Interpreter<'_>, arguments: &[Field], state: &State) -> Option<Text> {
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
    let resolved = canonicalise(interpreter.session.fs, cwd, path, true, &mut buffer).ok()?;
    let mut text = Text::known(resolved.as_bytes());
    text.push_bytes(b"\n");
    operands.next().is_none().then_some(text)
}

/// `mktemp` makes a new file: in the directory for temporary ones, or where its template says.
fn temporary(interpreter: &Interpreter<'_>, arguments: &[Field], state: &State) -> Text {
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
            Some(b"-p" | b"--tmpdir") if field.text.bytes() == Some(b"-p") => {
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
    text.push_unknown(Unknown::name("a name that mktemp makes up"));
    text.push_bytes(b"\n");
    text
}

/// `git rev-parse --show-toplevel`, by looking for `.git`.
fn top_level(interpreter: &Interpreter<'_>, arguments: &[Field], state: &State) -> Option<Text> {
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
        Some(canonicalise(interpreter.session.fs, b"/", cwd, true, &mut buffer).ok()?);
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
fn found(arguments: &[Field]) -> Text {
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
        text.push_bytes(b"\n");
    }
    text
}

/// `date +FORMAT` prints no slash unless the format asks for one.
fn date(arguments: &[Field]) -> Text {
    let format = arguments
        .iter()
        .find_map(|field| field.text.bytes()?.strip_prefix(b"+"));
    let slashes = |format: &[u8]| {
        format.contains(&b'/')
            || format
                .windows(2)
                .any(|pair| matches!(pair, b"%D" | b"%x" | b"%c" | b"%+"))
    };
    match format {
        Some(format) if !format.is_empty() && !slashes(format) => {
            let mut text = Text::unknown(Unknown::name("the date"));
            text.push_bytes(b"\n");
            text
        }
        _ => unknown(b"date"),
    }
}
