//! `cd` and its like.

mod stack;

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

use super::{
    Interpreter, Origin,
    builtins::done,
    invoke::Call,
    state::{Cwd, Links, Path, State, Status, merge},
    value::{Field, Text, Trace, Value},
};
use crate::shell::ast::Dialect;

pub(super) use stack::{popd, pushd};

pub(super) fn cd(
    interpreter: &mut Interpreter<'_>,
    arguments: &[Field],
    call: &Call,
    mut state: State,
) -> Vec<Path> {
    // `CDPATH=x cd y`: it stays set, which only makes later directories less known.
    for (name, value) in &call.prefix {
        if name == b"CDPATH" {
            state.assign(name, value.clone());
        }
    }
    let mut rest = arguments;
    let mut links = state.options.links;
    while let Some(option) = rest.first().and_then(|field| field.text.bytes()) {
        match option {
            b"--" => {
                rest = &rest[1..];
                break;
            }
            [b'-', letters @ ..]
                if !letters.is_empty()
                    && letters.iter().all(|letter| b"PLe@qs".contains(letter)) =>
            {
                links = asked(letters, links);
            }
            _ => break,
        }
        rest = &rest[1..];
    }
    let Some(target) = rest.first() else {
        let home = interpreter.home_text(&state);
        let mut paths = go(interpreter, &home, links, state);
        for path in &mut paths {
            path.state.cwd_trace.extend(&call.vanished);
        }
        return paths;
    };
    if rest.len() > 1 && interpreter.dialect() == Dialect::Bash {
        // It takes one directory, or none at all.
        return done(state, Status::NonZero);
    }
    let mut text = target.text.clone();
    let is_back = text.bytes() == Some(b"-");
    if is_back {
        text = super::expand::scalar(
            interpreter.lookup(b"OLDPWD", &state),
            "the previous directory",
        );
        if text.is_empty() {
            text = Text::unknown(super::Unknown::anything("the previous directory"));
        }
    }
    if text.is_empty() {
        // `cd ""` stays where it is.
        let mut state = state;
        state.cwd_trace.extend(&text.trace);
        let here = super::expand::cwd_text(&state.cwd);
        state.assign(b"OLDPWD", Value::Scalar(here));
        return done(state, Status::Zero);
    }
    let is_searched = !matches!(interpreter.lookup(b"CDPATH", &state), Value::Unset);
    let mut paths = go(interpreter, &text, links, state);
    for path in paths.iter_mut().filter(|path| path.status == Status::Zero) {
        if is_back && interpreter.is_catching() {
            // It says where it goes.
            let mut here = super::expand::cwd_text(&path.state.cwd);
            here.push_bytes(b"\n");
            path.state.output.append(&here);
        } else if is_searched {
            super::outputs::append_unknown(interpreter, &mut path.state, "where cd goes");
        }
    }
    paths
}

impl Interpreter<'_> {
    pub(super) fn home_text(&self, state: &State) -> Text {
        match self.lookup(b"HOME", state) {
            Value::Scalar(home) => home,
            Value::Unset => self.session.home.map_or_else(
                || Text::unknown(super::Unknown::anything("the home directory")),
                Text::known,
            ),
            other => super::expand::scalar(other, "the home directory"),
        }
    }

    /// Whether there is a directory at a path, as far as that can be known.
    pub(super) fn has_directory(&self, path: &[u8], state: &State) -> Option<bool> {
        if state.made.iter().any(|made| made == path) {
            return Some(true);
        }
        let mut buffer = PathBuffer::new();
        let disk = self.disk(state);
        let found = canonicalise(&disk, b"/", path, true, &mut buffer)
            .and_then(|path| disk.lstat(path.as_bytes()));
        match found {
            Ok(meta) if meta.kind == Kind::Directory => Some(true),
            _ if state.disk_changed => None,
            _ => Some(false),
        }
    }
}

/// Goes to a directory; stays where it is if that may fail.
fn go(interpreter: &Interpreter<'_>, target: &Text, links: Links, state: State) -> Vec<Path> {
    let one = |links, state| go_by(interpreter, target, links, state);
    if links != Links::Either {
        return one(links, state);
    }
    let mut paths = one(Links::Logical, state.clone());
    paths.extend(one(Links::Physical, state));
    merge(paths)
}

fn go_by(interpreter: &Interpreter<'_>, target: &Text, links: Links, state: State) -> Vec<Path> {
    let joined = |cwd: &[u8], path: &[u8]| match links {
        Links::Physical => resolved(interpreter, cwd, path, &state),
        _ => lexical(cwd, path),
    };
    let mut paths = Vec::new();
    let old = super::expand::cwd_text(&state.cwd);
    let relative = !target.prefix().starts_with(b"/");
    let moved = |cwd: Cwd, trace: &Trace| {
        let mut trace = trace.clone();
        if relative {
            trace.origins.extend(&state.cwd_trace.origins);
        }
        trace.origins.set(Origin::moved(interpreter.at));
        let mut moved = state.clone();
        moved.assign(b"OLDPWD", Value::Scalar(old.clone()));
        moved.cwd = cwd;
        moved.cwd_trace = trace;
        moved
    };
    let stayed = |status| Path {
        state: state.clone(),
        status,
    };
    let unknown = |why: &str| Cwd::Unknown(why.into());
    let fresh = target.fresh_path();
    let Some(bytes) = target.bytes().or(fresh.as_deref()) else {
        let why = target
            .why_unknown()
            .map_or("a directory that is not known", |unknown| &unknown.why)
            .to_owned();
        paths.push(Path {
            state: moved(unknown(&why), &target.trace),
            status: Status::Zero,
        });
        paths.push(stayed(Status::NonZero));
        return paths;
    };
    let absolute = bytes.first() == Some(&b'/');
    let relative_by_dots =
        bytes.starts_with(b"./") || bytes.starts_with(b"../") || matches!(bytes, b"." | b"..");
    if !absolute && !relative_by_dots {
        let Some(folders) = searched(interpreter, &state) else {
            paths.push(Path {
                state: moved(
                    unknown("a directory that is looked for in CDPATH"),
                    &target.trace,
                ),
                status: Status::Zero,
            });
            paths.push(stayed(Status::NonZero));
            return paths;
        };
        for folder in folders {
            let found = joined(&folder, bytes);
            let exists = interpreter.has_directory(&found, &state);
            if exists != Some(false) {
                paths.push(Path {
                    state: moved(Cwd::At(found), &target.trace),
                    status: Status::Zero,
                });
            }
            if exists == Some(true) {
                return paths;
            }
        }
    }
    let destination = match (&state.cwd, absolute) {
        (_, true) => joined(b"/", bytes),
        (Cwd::At(cwd), false) => joined(cwd, bytes),
        (Cwd::Unknown(why), false) => {
            let why = why.clone();
            paths.push(Path {
                state: moved(Cwd::Unknown(why), &target.trace),
                status: Status::Zero,
            });
            paths.push(stayed(Status::NonZero));
            return paths;
        }
    };
    let exists = interpreter.has_directory(&destination, &state);
    if exists != Some(false) {
        paths.push(Path {
            state: moved(Cwd::At(destination), &target.trace),
            status: Status::Zero,
        });
    }
    if exists != Some(true) {
        paths.push(stayed(Status::NonZero));
    }
    paths
}

/// The directories of CDPATH, in which a name is looked for before it is taken for one in the working directory.
/// `None` if they are not known.
fn searched(interpreter: &Interpreter<'_>, state: &State) -> Option<Vec<Vec<u8>>> {
    match (interpreter.lookup(b"CDPATH", state), &state.cwd) {
        (Value::Unset, _) => Some(Vec::new()),
        (Value::Scalar(text), Cwd::At(cwd)) => {
            let folders = text.bytes()?.split(|byte| *byte == b':');
            Some(folders.map(|folder| lexical(cwd, folder)).collect())
        }
        _ => None,
    }
}

/// What the last letter says of links, if any does.
pub(crate) fn asked(letters: &[u8], otherwise: Links) -> Links {
    match letters.iter().rfind(|letter| b"PL".contains(letter)) {
        Some(b'P') => Links::Physical,
        Some(_) => Links::Logical,
        None => otherwise,
    }
}

/// The directory that links lead to, each followed before a `..` behind it.
pub(crate) fn resolved(
    interpreter: &Interpreter<'_>,
    cwd: &[u8],
    path: &[u8],
    state: &State,
) -> Vec<u8> {
    let mut buffer = PathBuffer::new();
    match canonicalise(&interpreter.disk(state), cwd, path, true, &mut buffer) {
        Ok(path) => path.as_bytes().to_vec(),
        Err(_) => lexical(cwd, path),
    }
}

/// Joins as a shell's `cd` does: `..` takes the component before it away, whatever links there are.
pub(crate) fn lexical(cwd: &[u8], path: &[u8]) -> Vec<u8> {
    let start: &[u8] = if path.first() == Some(&b'/') {
        b""
    } else {
        cwd
    };
    let mut components: Vec<&[u8]> = Vec::new();
    for component in start
        .split(|byte| *byte == b'/')
        .chain(path.split(|byte| *byte == b'/'))
    {
        match component {
            b"" | b"." => {}
            b".." => {
                components.pop();
            }
            other => components.push(other),
        }
    }
    let mut out = Vec::new();
    for component in components {
        out.push(b'/');
        out.extend_from_slice(component);
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}
