//! What commands print, where that is caught and can be told; and what they leave on the disk.

mod filters;
mod formatted;
mod links;
mod paths;
mod printed;
mod taints;

pub(super) use formatted::printf;

use std::rc::Rc;

use super::{
    Interpreter,
    directories::lexical,
    invoke::Call,
    state::{Cwd, Input, State},
    value::{Field, Text, Unknown},
};

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
    "mktemp",
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
    if name == b"ln" {
        links::linked(interpreter, arguments, state);
    }
    if name == b"tee" {
        filters::copied(interpreter, arguments, state);
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
        b"echo" => printed::echo(arguments, interpreter.dialect()),
        b"printf" => printf(arguments),
        b"pwd" => paths::here(interpreter, call, state),
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
        b"dirname" | b"basename" => paths::path_part(name, arguments),
        b"realpath" | b"readlink" => {
            paths::real_path(interpreter, arguments, state).unwrap_or_else(|| unknown(name))
        }
        b"mktemp" => paths::temporary(interpreter, arguments, state),
        b"git" => paths::top_level(interpreter, arguments, state).unwrap_or_else(|| unknown(name)),
        b"find" => paths::found(arguments),
        b"ls" => paths::listed(interpreter, arguments, state).unwrap_or_else(|| unknown(name)),
        b"date" => date(arguments),
        b"nproc" | b"id" | b"whoami" | b"hostname" | b"uname" | b"wc" | b"seq" => {
            let mut text = Text::unknown(Unknown::name(format!(
                "the output of {}",
                String::from_utf8_lossy(name)
            )));
            text.push_bytes(b"\n");
            text
        }
        _ => filters::filtered(name, arguments, state).unwrap_or_else(|| unknown(name)),
    };
    let text = match taints::of_output(interpreter, name, arguments, state) {
        Some(origin) => text.marked(&origin),
        None => text,
    };
    state.output.append(&text);
}

fn unknown(name: &[u8]) -> Text {
    Text::unknown(Unknown::anything(format!(
        "the output of {}",
        String::from_utf8_lossy(name)
    )))
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

/// What takes a directory away that an earlier command has made.
pub(super) fn taken(name: &[u8], call: &Call, state: &mut State) {
    let Cwd::At(cwd) = state.cwd.clone() else {
        return;
    };
    if state.made.is_empty() || !matches!(name, b"rm" | b"rmdir" | b"mv") {
        return;
    }
    for path in call.fields[1..]
        .iter()
        .filter_map(|field| field.text.shape())
    {
        let gone = lexical(&cwd, &path);
        let is_left = |made: &Vec<u8>| {
            made.strip_prefix(gone.as_slice())
                .is_none_or(|rest| !rest.is_empty() && !rest.starts_with(b"/"))
        };
        if !state.made.iter().all(is_left) {
            Rc::make_mut(&mut state.made).retain(is_left);
        }
    }
}

/// `git clone URL DIR` makes DIR, if it comes to that.
pub(super) fn cloned(name: &[u8], fields: &[Field], state: &State) -> Option<Vec<u8>> {
    let words: Vec<&[u8]> = fields
        .iter()
        .skip(1)
        .filter_map(|field| field.text.bytes())
        .filter(|word| !word.starts_with(b"-"))
        .collect();
    match (words.as_slice(), &state.cwd) {
        ([b"clone", _, directory], Cwd::At(cwd)) if name == b"git" => Some(lexical(cwd, directory)),
        _ => None,
    }
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
