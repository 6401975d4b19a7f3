//! Where what a command prints comes from: the network, or a file that holds secrets.

use crate::credential;
use crate::interp::{
    Field, Interpreter, Taint,
    state::{Cwd, Input, State},
};
use blastradius_policy::{PathBuffer, canonicalise};

/// Programs that print what they fetch.
const FETCHERS: &[&str] = &[
    "curl", "wget", "fetch", "http", "https", "xh", "lynx", "aria2c", "ftp",
];

/// The origin of what a program prints, if it matters.
pub(super) fn of_output(
    interpreter: &Interpreter<'_>,
    name: &[u8],
    arguments: &[Field],
    state: &State,
) -> Option<Taint> {
    if FETCHERS.iter().any(|known| known.as_bytes() == name) {
        return Some(Taint::Network);
    }
    let words: Vec<_> = arguments
        .iter()
        .map(|field| field.text.bytes().map(<[u8]>::to_vec))
        .collect();
    let secret = |word: &[u8]| secret_file(interpreter, word, state);
    if let Some(path) = credential::reads_secret(name, &words, &secret) {
        return Some(Taint::Secret(path.as_slice().into()));
    }
    let mut printed = arguments.iter().flat_map(|field| field.text.taints());
    let fed = match &state.input {
        Input::Text(text) => Some(text),
        Input::Unknown => None,
    };
    let fed = fed.into_iter().flat_map(|text| text.taints());
    match name {
        b"echo" | b"printf" => printed.next().cloned(),
        _ => fed
            .filter_map(|origin| match origin {
                Taint::Network => Some(origin.clone()),
                Taint::Secret(_) => credential::hands_on(name, &words).then(|| origin.clone()),
                Taint::File(path) => {
                    let kind = credential::secret_kind(path, || {
                        crate::case::content(&interpreter.disk(state), path)
                    });
                    (kind.is_some() && credential::hands_on(name, &words))
                        .then(|| Taint::Secret(path.clone()))
                }
            })
            .next(),
    }
}

/// The secret file that a word names.
fn secret_file(interpreter: &Interpreter<'_>, word: &[u8], state: &State) -> Option<Vec<u8>> {
    let Cwd::At(cwd) = &state.cwd else {
        return None;
    };
    let disk = interpreter.disk(state);
    let mut buffer = PathBuffer::new();
    let path = canonicalise(&disk, cwd, word, true, &mut buffer).ok()?;
    let path = path.as_bytes();
    credential::secret_kind(path, || crate::case::content(&disk, path)).map(|_| path.to_vec())
}
