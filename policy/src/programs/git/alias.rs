//! Aliases given on the command line: `git -c alias.NAME=TEXT NAME`.

use super::{Repository, run};
use crate::Act;
use crate::programs::line::{Item, Line};
use crate::programs::{Effect, Piece, Sink, Unknown, Word};

/// Longer command lines than this are given up.
const MOST: usize = 64;

/// Reads what the alias `name` stands for, if the line defines it, with the arguments from `argv[first]` on.
pub(super) fn expand(
    repository: Repository,
    line: Line<'_>,
    name: &[u8],
    first: usize,
    sink: &mut Sink<'_>,
) {
    let Some(piece) = definition(line, name) else {
        return;
    };
    let unknown = Effect::Unknown {
        act: Act::Sweep,
        why: Unknown::UnknownWord,
    };
    let Some(text) = line.bytes(piece) else {
        sink(unknown);
        return;
    };
    if text.starts_with(b"!") {
        sink(Effect::Shell {
            text: Piece {
                from: piece.from + 1,
                ..piece
            },
            directory: repository.top,
        });
        return;
    }
    let words = || {
        text.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
    };
    let given = &line.argv[first..];
    let count = words().count();
    let plain = !text.iter().any(|b| b"'\"\\".contains(b)) && !text.starts_with(b"-");
    if !plain || count + given.len() > MOST {
        sink(unknown);
        return;
    }
    let mut argv = [Word::whole(b""); MOST];
    let spliced = words().map(Word::whole).chain(given.iter().copied());
    for (slot, word) in argv.iter_mut().zip(spliced) {
        *slot = word;
    }
    let argv = &argv[..count + given.len()];
    if let Some(command) = words().next() {
        run(repository, command, argv, 1, &mut |effect| {
            sink(place(effect, argv, count, first));
        });
    }
}

/// Turns an effect of the spliced line into one of the line that was given.
fn place<'a>(effect: Effect<'a>, argv: &'a [Word<'a>], count: usize, first: usize) -> Effect<'a> {
    let shift = |index: usize| index.checked_sub(count).map(|rest| rest + first);
    match effect {
        Effect::Path {
            act,
            mut path,
            follow,
            certain,
        } => match shift(path.piece.index) {
            Some(index) => {
                path.piece.index = index;
                Effect::Path {
                    act,
                    path,
                    follow,
                    certain,
                }
            }
            None => Effect::Here {
                act,
                directory: path.directory,
                below: &argv[path.piece.index].prefix()[path.piece.from..],
                follow,
                certain,
            },
        },
        Effect::Here { .. } | Effect::Unknown { .. } => effect,
        Effect::Into { act, .. } | Effect::Parents { act, .. } => Effect::Unknown {
            act,
            why: Unknown::UnknownWord,
        },
        Effect::Runs { .. } | Effect::Shell { .. } => Effect::Unknown {
            act: Act::Sweep,
            why: Unknown::UnknownWord,
        },
    }
}

/// The text of the last definition of an alias.
fn definition(line: Line<'_>, name: &[u8]) -> Option<Piece> {
    line.items()
        .filter_map(|item| match item {
            Item::Option(b'c', Some(setting)) => {
                let text = line.prefix(setting);
                let (section, rest) = text.split_at_checked(b"alias.".len())?;
                let equals = rest.iter().position(|&b| b == b'=')?;
                let named = section.eq_ignore_ascii_case(b"alias.")
                    && rest[..equals].eq_ignore_ascii_case(name);
                named.then(|| Piece {
                    index: setting.index,
                    from: setting.from + section.len() + equals + 1,
                })
            }
            _ => None,
        })
        .last()
}
