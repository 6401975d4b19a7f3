//! Brace expansion: textual, before every other expansion, and blind to what is quoted.

use crate::shell::ast::{Parameter, Piece};

/// More results than this are not made.
const MOST: usize = 1024;
/// Nor results that hold more bytes than this together.
const LARGEST: usize = 1 << 20;

#[derive(Clone)]
enum Atom<'a> {
    Byte(u8),
    Piece(&'a Piece),
}

/// The words that `{a,b}` and `{1..3}` make of one word; `None` past [`MOST`] or [`LARGEST`].
pub(crate) fn expand(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let opens = |piece: &Piece| matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'{'));
    if !pieces.iter().any(opens) {
        return Some(vec![pieces.to_vec()]);
    }
    let mut atoms = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal {
                bytes,
                quoted: false,
            } => atoms.extend(bytes.iter().map(|&byte| Atom::Byte(byte))),
            other => atoms.push(Atom::Piece(other)),
        }
    }
    let words = expand_atoms(&atoms, 0)?;
    Some(words.into_iter().map(|word| join(&word)).collect())
}

fn join(atoms: &[Atom<'_>]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Byte(byte) => match out.last_mut() {
                Some(Piece::Literal {
                    bytes,
                    quoted: false,
                }) => bytes.push(*byte),
                // `$x{a,b}` names `xa` and `xb`: braces come before parameters.
                Some(Piece::Parameter(parameter)) if goes_on(parameter, *byte) => {
                    parameter.name.push(*byte)
                }
                _ => out.push(Piece::Literal {
                    bytes: vec![*byte],
                    quoted: false,
                }),
            },
            Atom::Piece(piece) => out.push((*piece).clone()),
        }
    }
    out
}

/// Whether a byte behind a parameter becomes a part of its name: there are no braces around it.
fn goes_on(parameter: &Parameter, byte: u8) -> bool {
    let name = &parameter.name;
    let bare = parameter.span.end - parameter.span.start <= name.len() + 1
        && parameter.operator.is_empty();
    bare && !parameter.quoted
        && name
            .first()
            .is_some_and(|first| *first == b'_' || first.is_ascii_alphabetic())
        && (byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Bounds the recursion: each level is one brace nested in, or following, another.
const DEEPEST: usize = 64;

fn expand_atoms<'a>(atoms: &[Atom<'a>], depth: usize) -> Option<Vec<Vec<Atom<'a>>>> {
    if depth > DEEPEST {
        return None;
    }
    let mut from = 0;
    while let Some(open) = atoms[from..]
        .iter()
        .position(|atom| matches!(atom, Atom::Byte(b'{')))
        .map(|at| at + from)
    {
        let Some((close, commas)) = matching(atoms, open) else {
            from = open + 1;
            continue;
        };
        let inside = &atoms[open + 1..close];
        let alternatives = if commas.is_empty() {
            match sequence(inside) {
                Some(items) => items,
                None => {
                    from = open + 1;
                    continue;
                }
            }
        } else {
            let mut alternatives = Vec::new();
            let mut start = open + 1;
            for end in commas.into_iter().chain([close]) {
                alternatives.extend(expand_atoms(&atoms[start..end], depth + 1)?);
                start = end + 1;
            }
            alternatives
        };
        let rest = expand_atoms(&atoms[close + 1..], depth + 1)?;
        let words = alternatives.len().saturating_mul(rest.len());
        if words > MOST || words.saturating_mul(atoms.len()) > LARGEST {
            return None;
        }
        let mut out = Vec::with_capacity(alternatives.len() * rest.len());
        for alternative in &alternatives {
            for tail in &rest {
                out.push([&atoms[..open], alternative, tail].concat());
            }
        }
        return Some(out);
    }
    Some(vec![atoms.to_vec()])
}

/// The closing brace of the one at `open`, and the commas between them at the same level.
fn matching(atoms: &[Atom<'_>], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut level = 0_usize;
    let mut commas = Vec::new();
    for (at, atom) in atoms.iter().enumerate().skip(open + 1) {
        match atom {
            Atom::Byte(b'{') => level += 1,
            Atom::Byte(b'}') if level == 0 => return Some((at, commas)),
            Atom::Byte(b'}') => level -= 1,
            Atom::Byte(b',') if level == 0 => commas.push(at),
            _ => {}
        }
    }
    None
}

/// `1..3`, `a..e`, with an optional step.
fn sequence<'a>(inside: &[Atom<'_>]) -> Option<Vec<Vec<Atom<'a>>>> {
    let mut text = String::new();
    for atom in inside {
        match atom {
            Atom::Byte(byte) if byte.is_ascii() => text.push(char::from(*byte)),
            _ => return None,
        }
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 0),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = if step == 0 { 1 } else { step.checked_abs()? };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |text: &str| {
            text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0')
        };
        let width = if padded(first) || padded(last) {
            first.len().max(last.len())
        } else {
            0
        };
        return Some(
            range(from, to, step)?
                .into_iter()
                .map(|n| letters(&format!("{n:0width$}")))
                .collect(),
        );
    }
    let (&[from], &[to]) = (first.as_bytes(), last.as_bytes()) else {
        return None;
    };
    if !from.is_ascii_alphabetic() || !to.is_ascii_alphabetic() {
        return None;
    }
    range(from.into(), to.into(), step)?
        .into_iter()
        .map(|n| u8::try_from(n).ok().map(|byte| vec![Atom::Byte(byte)]))
        .collect()
}

fn range(from: i64, to: i64, step: i64) -> Option<Vec<i64>> {
    let count = from.checked_sub(to)?.checked_abs()? / step + 1;
    let count = usize::try_from(count).ok().filter(|&count| count <= MOST)?;
    let step = if from <= to { step } else { -step };
    Some(
        std::iter::successors(Some(from), |n| n.checked_add(step))
            .take(count)
            .collect(),
    )
}

fn letters<'a>(text: &str) -> Vec<Atom<'a>> {
    text.bytes().map(Atom::Byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let piece = Piece::Literal {
            bytes: text.as_bytes().to_vec(),
            quoted: false,
        };
        expand(&[piece])
            .expect("within bounds")
            .into_iter()
            .map(|pieces| {
                pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Literal { bytes, .. } => String::from_utf8_lossy(bytes).into_owned(),
                        _ => "?".into(),
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn expands_as_bash_does() {
        for (word, expected) in [
            ("a", "a"),
            ("{a,b}", "a b"),
            ("x{a,b}y", "xay xby"),
            ("{a,b}{c,d}", "ac ad bc bd"),
            ("{a,{b,c}}", "a b c"),
            ("build{,/../x}", "build build/../x"),
            ("{}", "{}"),
            ("{a}", "{a}"),
            ("{a", "{a"),
            ("a}", "a}"),
            ("{a,b", "{a,b"),
            ("{{a,b}", "{a {b"),
            ("{1..3}", "1 2 3"),
            ("{3..1}", "3 2 1"),
            ("{01..3}", "01 02 03"),
            ("{1..7..3}", "1 4 7"),
            ("{a..c}", "a b c"),
            ("{1..x}", "{1..x}"),
            ("/{home,opt}/dev", "/home/dev /opt/dev"),
        ] {
            assert_eq!(words(word).join(" "), expected, "{word}");
        }
    }

    #[test]
    fn gives_up_on_floods() {
        let flood = Piece::Literal {
            bytes: b"{1..999}{1..999}".to_vec(),
            quoted: false,
        };
        assert!(expand(&[flood]).is_none());
    }
}
