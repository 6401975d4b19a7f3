//! `pushd` and `popd`: the directories that a shell remembers.

use crate::interp::{
    Interpreter,
    builtins::done,
    invoke::Call,
    state::{Cwd, Path, State, Status},
    value::Field,
};
use crate::shell::ast::Dialect;

use super::{cd, go};

/// What one of the two is asked for.
enum Request<'a> {
    /// Nothing: the two directories at the top change places, or the top goes.
    Top,
    /// `+N` and `-N`: a place in the list that begins with the working directory.
    Place(usize),
    /// A directory.
    Directory(&'a Field),
    /// A place that is not there.
    Nowhere,
    /// What cannot be told.
    Unknown,
}

/// The request, and whether the shell stays where it is (`-n`).
fn request<'a>(arguments: &'a [Field], state: &State) -> (Request<'a>, bool) {
    let mut stays = false;
    let mut is_over = false;
    let length = state.directories.len() + 1;
    for field in arguments {
        let Some(word) = field.text.bytes() else {
            return (Request::Directory(field), stays);
        };
        let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<usize>().ok();
        match word {
            b"--" if !is_over => is_over = true,
            b"-n" if !is_over => stays = true,
            b"-q" | b"-s" | b"-L" | b"-P" if !is_over => {}
            [sign @ (b'+' | b'-'), digits @ ..] if !is_over && !digits.is_empty() => {
                let place = match (number(digits), sign) {
                    (None, _) => return (Request::Unknown, stays),
                    (Some(at), b'+') => Some(at).filter(|at| *at < length),
                    (Some(at), _) => (length - 1).checked_sub(at),
                };
                return (place.map_or(Request::Nowhere, Request::Place), stays);
            }
            _ => return (Request::Directory(field), stays),
        }
    }
    (Request::Top, stays)
}

pub(in crate::interp) fn pushd(
    interpreter: &mut Interpreter<'_>,
    arguments: &[Field],
    call: &Call,
    mut state: State,
) -> Vec<Path> {
    let is_zsh = interpreter.dialect() == Dialect::Zsh;
    match request(arguments, &state) {
        (Request::Nowhere, _) => done(state, Status::NonZero),
        // zsh has no such option.
        (_, true) if is_zsh => done(state, Status::NonZero),
        (Request::Top, false) if state.directories.is_empty() => {
            let mut paths = done(state.clone(), Status::NonZero);
            if is_zsh {
                // With one directory alone it goes home.
                state.directories.push(state.cwd.clone());
                let home = interpreter.home_text(&state);
                let links = state.options.links;
                paths.extend(go(interpreter, &home, links, state));
            }
            paths
        }
        (Request::Top, false) => turned(interpreter, 1, state),
        (Request::Place(at), false) => turned(interpreter, at, state),
        (Request::Directory(target), true) => {
            let saved = match (target.text.bytes(), &state.cwd) {
                (Some(path), _) if path.starts_with(b"/") => Cwd::At(super::lexical(b"/", path)),
                (Some(path), Cwd::At(cwd)) => Cwd::At(super::lexical(cwd, path)),
                _ => Cwd::Unknown("a saved directory".into()),
            };
            state.directories.push(saved);
            done(state, Status::Zero)
        }
        (Request::Top | Request::Place(_) | Request::Unknown, _) => forgotten(state),
        (Request::Directory(target), false) => {
            let here = state.cwd.clone();
            let mut paths = cd(interpreter, std::slice::from_ref(target), call, state);
            for path in &mut paths {
                if path.status != Status::NonZero {
                    path.state.directories.push(here.clone());
                }
            }
            paths
        }
    }
}

pub(in crate::interp) fn popd(
    interpreter: &Interpreter<'_>,
    arguments: &[Field],
    mut state: State,
) -> Vec<Path> {
    let (request, stays) = request(arguments, &state);
    if state.directories.is_empty() || stays && interpreter.dialect() == Dialect::Zsh {
        return done(state, Status::NonZero);
    }
    match request {
        Request::Nowhere => done(state, Status::NonZero),
        Request::Unknown | Request::Directory(_) => forgotten(state),
        Request::Top if stays => {
            state.directories.pop();
            done(state, Status::Zero)
        }
        Request::Place(_) if stays => forgotten(state),
        Request::Top | Request::Place(0) => {
            if let Some(top) = state.directories.pop() {
                state.cwd = top;
            }
            done(state, Status::Zero)
        }
        Request::Place(at) => {
            let at = state.directories.len() - at;
            state.directories.remove(at);
            done(state, Status::Zero)
        }
    }
}

/// The list turned until place `at` is where the shell stands.
fn turned(interpreter: &Interpreter<'_>, at: usize, state: State) -> Vec<Path> {
    let mut list: Vec<Cwd> = std::iter::once(&state.cwd)
        .chain(state.directories.iter().rev())
        .cloned()
        .collect();
    list.rotate_left(at);
    let target = super::super::expand::cwd_text(&list[0]);
    let saved: Vec<Cwd> = list.into_iter().skip(1).rev().collect();
    let links = state.options.links;
    let mut paths = go(interpreter, &target, links, state);
    for path in &mut paths {
        if path.status != Status::NonZero {
            path.state.directories.clone_from(&saved);
        }
    }
    paths
}

/// Nobody knows what is saved now, nor where the shell stands.
fn forgotten(mut state: State) -> Vec<Path> {
    let unknown = || Cwd::Unknown("a saved directory".into());
    let mut paths = done(state.clone(), Status::NonZero);
    state.directories = state.directories.iter().map(|_| unknown()).collect();
    state.directories.push(unknown());
    paths.extend(done(state.clone(), Status::Zero));
    state.cwd = unknown();
    paths.extend(done(state, Status::Zero));
    paths
}
