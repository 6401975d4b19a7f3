//! Rows for the tests of readers: an argv on the left, its effects on the right, one line each.
//!
//! Words are split at spaces, `·` is a space inside a word and `''` an empty word. What follows a `$` is not
//! known; after `$@` there may be several words.
//!
//! Effects are written `act path`. A path is the index of its word, `+N` the byte where it begins in it, `@N`
//! the word of the directory, `@.` its absence, `@top` a work tree. `1>2` is the final component of one word
//! in another (`1>>2` if that is a directory for certain), `L` and `LL` stand for links that are followed, `N` for none,
//! `?` for what is not certain.

use std::fmt::Write;

use super::{Directory, Effect, Follow, Piece, Spelled, Target, Unknown, Word, read};
use crate::Act;

struct Sketch(Vec<u8>);

impl Sketch {
    fn word(&self) -> Word<'_> {
        let Some(unknown) = self.0.iter().position(|&b| b == b'$') else {
            return Word::whole(&self.0);
        };
        let beginning = Word::beginning(&self.0[..unknown]);
        if self.0.windows(2).any(|pair| pair == b"$@") {
            beginning
        } else {
            beginning.single()
        }
    }
}

fn word(text: &str) -> Sketch {
    match text {
        "''" => Sketch(Vec::new()),
        text => Sketch(text.replace('·', " ").into_bytes()),
    }
}

const fn act(act: Act) -> &'static str {
    match act {
        Act::RemoveTree => "tree",
        other => other.name(),
    }
}

fn piece(piece: Piece) -> String {
    match piece.from {
        0 => piece.index.to_string(),
        from => format!("{}+{from}", piece.index),
    }
}

fn directory(place: Directory) -> String {
    match place {
        Directory::Current => "@.".into(),
        Directory::Word(at) => format!("@{}", piece(at)),
        Directory::TopLevel(None) => "@top".into(),
        Directory::TopLevel(Some(at)) => format!("@top{}", piece(at)),
        Directory::Unresolved => "@?".into(),
    }
}

fn spelled(path: Spelled) -> String {
    match path.directory {
        Directory::Current => piece(path.piece),
        other => piece(path.piece) + &directory(other),
    }
}

const fn follow(links: Follow) -> &'static str {
    match links {
        Follow::Never => " N",
        Follow::No => "",
        Follow::Final => " L",
        Follow::Below => " LL",
    }
}

const fn doubt(certain: bool) -> &'static str {
    if certain { "" } else { " ?" }
}

fn sketch(effect: Effect<'_>) -> String {
    match effect {
        Effect::Path {
            act: what,
            path,
            follow: links,
            certain,
        } => act(what).to_owned() + " " + &spelled(path) + follow(links) + doubt(certain),
        Effect::Into {
            act: what,
            name,
            inside,
            target,
            certain,
        } => {
            let arrow = match target {
                Target::Either => ">",
                Target::NoLink => ">-",
                Target::Directory => ">>",
            };
            let inside = inside.map_or(".".to_owned(), spelled);
            act(what).to_owned() + " " + &piece(name) + arrow + &inside + doubt(certain)
        }
        Effect::Parents { act: what, path } => format!("{} parents {}", act(what), spelled(path)),
        Effect::Here {
            act: what,
            directory: place,
            below,
            follow: links,
            certain,
        } => {
            let mut text = format!("{} {}", act(what), directory(place));
            if !below.is_empty() {
                write!(text, "/{}", below.escape_ascii()).expect("a string takes everything");
            }
            text + follow(links) + doubt(certain)
        }
        Effect::Runs {
            first,
            end,
            root,
            tested,
            follow: links,
            in_directory,
            appended,
        } => {
            let root = root.map_or(".".to_owned(), spelled);
            let mut text = format!("runs {first}..{end} below {root}");
            text += if tested { " tested" } else { "" };
            text += if in_directory { " inside" } else { "" };
            text += if appended { " appended" } else { "" };
            text + follow(links)
        }
        Effect::Shell {
            text,
            directory: place,
        } => format!("shell {} {}", piece(text), directory(place)),
        Effect::Unknown { act: what, why } => {
            let why = match why {
                Unknown::NoOperands => "nothing",
                Unknown::UnknownWord => "word",
                Unknown::Fed => "fed",
            };
            format!("{} {why}", act(what))
        }
    }
}

fn pieces(effect: Effect<'_>) -> Vec<Piece> {
    let of = |path: Spelled| {
        let mut all = vec![path.piece];
        all.extend(named(path.directory));
        all
    };
    match effect {
        Effect::Path { path, .. } | Effect::Parents { path, .. } => of(path),
        Effect::Into { name, inside, .. } => {
            let mut all = inside.map_or(Vec::new(), of);
            all.push(name);
            all
        }
        Effect::Here { directory, .. } => named(directory).into_iter().collect(),
        Effect::Runs {
            first, end, root, ..
        } => {
            assert!(first <= end);
            let mut all = root.map_or(Vec::new(), of);
            all.extend((first..end).map(Piece::from));
            all
        }
        Effect::Shell { text, directory } => {
            let mut all = vec![text];
            all.extend(named(directory));
            all
        }
        Effect::Unknown { .. } => Vec::new(),
    }
}

const fn named(place: Directory) -> Option<Piece> {
    match place {
        Directory::Word(piece) | Directory::TopLevel(Some(piece)) => Some(piece),
        Directory::Current | Directory::TopLevel(None) | Directory::Unresolved => None,
    }
}

/// Calls `each` with every effect of a line.
pub(super) fn each_effect(line: &str, mut each: impl FnMut(Effect<'_>)) {
    let sketches: Vec<Sketch> = line.split(' ').map(word).collect();
    let argv: Vec<Word<'_>> = sketches.iter().map(Sketch::word).collect();
    assert!(
        read(argv[0].prefix(), &argv, &mut each),
        "no reader for {line}"
    );
}

/// Fails if an effect of this line names a word or a byte that is not there.
pub(super) fn points_into_its_argv(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    each_effect(line, |effect| {
        for piece in pieces(effect) {
            let sketch = word(words.get(piece.index).expect(line));
            assert!(
                piece.from <= sketch.word().prefix().len(),
                "{line}: {effect:?}"
            );
        }
    });
}

/// Fails naming every row whose effects are not those written beside it.
#[track_caller]
pub(super) fn check(rows: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (line, expected) in rows {
        let mut found = Vec::new();
        each_effect(line, |effect| found.push(sketch(effect)));
        let found = found.join(", ");
        if found != *expected {
            writeln!(wrong, "{line}\n  expected {expected}\n  found    {found}")
                .expect("a string takes everything");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
