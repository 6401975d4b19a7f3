//! Brace expansion: textual, before every other expansion, and blind to what is quoted.

use crate::shell::ast::{Dialect, Parameter, Piece};

/// More results than this are not made.
const MOST: usize = 1024;
/// Nor any of a longer word: each of its braces looks for its end in all that follows.
const LONGEST: usize = 8 << 10;
/// Nor results that hold more bytes than this together.
const LARGEST: usize = 1 << 20;

#[derive(Clone)]
enum Atom<'a> {
    Byte(u8),
    Piece(&'a Piece),
    /// What nobody can tell.
    Doubt,
}

/// The words that `{a,b}` and `{1..3}` make of one word; `None` past [`MOST`], [`LONGEST`] or [`LARGEST`].
pub(crate) fn expand(pieces: &[Piece], source: &[u8], dialect: Dialect) -> Option<Vec<Vec<Piece>>> {
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
    if pieces.iter().any(|piece| misleads(piece, source)) {
        return Some(vec![vec![doubt()]]);
    }
    if atoms.len() > LONGEST {
        return None;
    }
    let words = expand_atoms(&atoms, dialect, 0)?;
    let changed = words.len() > 1 || words.iter().any(|word| word.len() < atoms.len());
    Some(
        words
            .into_iter()
            .map(|word| match changed && makes_dollar(&word) {
                true => vec![doubt()],
                false => join(&word, dialect),
            })
            .collect(),
    )
}

/// Whether a `$` comes to stand before something that it did not stand before: `{$,x}HOME`.
fn makes_dollar(atoms: &[Atom<'_>]) -> bool {
    atoms.windows(2).any(|pair| {
        is(&pair[0], b'$')
            && match &pair[1] {
                Atom::Byte(byte) => byte.is_ascii_alphanumeric() || b"_@*#?$!({-".contains(byte),
                Atom::Piece(_) | Atom::Doubt => true,
            }
    })
}

/// Whether bash, which looks for braces before anything else, sees something else in a parameter: braces count for
/// those around it, and quotes within quotes end them.
fn misleads(piece: &Piece, source: &[u8]) -> bool {
    let Piece::Parameter(parameter) = piece else {
        return false;
    };
    let text = source
        .get(parameter.span.start + 2..parameter.span.end)
        .unwrap_or_default();
    let sign = |byte: &u8| *byte == b'{' || parameter.quoted && b"'\"`".contains(byte);
    text.iter().any(sign)
}

/// Whether a piece is one that [`expand`] could not work out.
pub(super) fn is_doubt(piece: &Piece) -> bool {
    *piece == doubt()
}

/// A piece that expands to nobody knows what.
fn doubt() -> Piece {
    Piece::Parameter(Box::new(Parameter {
        operator: "?bad",
        quoted: true,
        ..Parameter::default()
    }))
}

fn join(atoms: &[Atom<'_>], dialect: Dialect) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Byte(byte) => match out.last_mut() {
                Some(Piece::Literal {
                    bytes,
                    quoted: false,
                }) => bytes.push(*byte),
                // `$x{a,b}` names `xa` and `xb`: braces come before parameters.
                Some(Piece::Parameter(parameter))
                    if dialect != Dialect::Zsh && goes_on(parameter, *byte) =>
                {
                    parameter.name.push(*byte)
                }
                _ => out.push(Piece::Literal {
                    bytes: vec![*byte],
                    quoted: false,
                }),
            },
            Atom::Piece(piece) => out.push((*piece).clone()),
            Atom::Doubt => out.push(doubt()),
        }
    }
    out
}

/// Whether a byte behind a parameter becomes a part of its name: there are no braces around it.
fn goes_on(parameter: &Parameter, byte: u8) -> bool {
    let name = &parameter.name;
    !parameter.braced
        && parameter.operator.is_empty()
        && !parameter.quoted
        && name
            .first()
            .is_some_and(|first| *first == b'_' || first.is_ascii_alphabetic())
        && (byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Bounds the recursion: each level is one brace nested in, or following, another.
const DEEPEST: usize = 64;

fn expand_atoms<'a>(
    atoms: &[Atom<'a>],
    dialect: Dialect,
    depth: usize,
) -> Option<Vec<Vec<Atom<'a>>>> {
    if depth > DEEPEST {
        return None;
    }
    let Some((open, close)) = first_pair(atoms) else {
        return Some(vec![atoms.to_vec()]);
    };
    let inside = &atoms[open + 1..close];
    // A comma at any depth will do.
    let alternatives = if inside.iter().any(|atom| is(atom, b',')) {
        let mut alternatives = Vec::new();
        for part in parts(inside) {
            alternatives.extend(expand_atoms(part, dialect, depth + 1)?);
        }
        alternatives
    } else if inside.iter().any(hides_comma) {
        vec![vec![Atom::Doubt]]
    } else {
        sequence(inside, dialect).unwrap_or_else(|| vec![atoms[open..=close].to_vec()])
    };
    let rest = expand_atoms(&atoms[close + 1..], dialect, depth + 1)?;
    let words = alternatives.len().saturating_mul(rest.len());
    if words > MOST || words.saturating_mul(atoms.len()) > LARGEST {
        return None;
    }
    let mut out = Vec::with_capacity(words);
    for alternative in &alternatives {
        for tail in &rest {
            out.push([&atoms[..open], alternative, tail].concat());
        }
    }
    Some(out)
}

fn is(atom: &Atom<'_>, byte: u8) -> bool {
    matches!(atom, Atom::Byte(other) if *other == byte)
}

/// A comma that bash sees in the text, although it separates nothing.
fn hides_comma(atom: &Atom<'_>) -> bool {
    match atom {
        Atom::Byte(_) => false,
        Atom::Piece(Piece::Literal { bytes, .. }) => bytes.contains(&b','),
        Atom::Piece(Piece::Parameter(parameter)) => !parameter.operand.is_empty(),
        Atom::Piece(_) | Atom::Doubt => true,
    }
}

/// The first brace that has an end, and that end.
fn first_pair(atoms: &[Atom<'_>]) -> Option<(usize, usize)> {
    (0..atoms.len())
        .filter(|&open| is(&atoms[open], b'{'))
        // `{}` at the beginning is left alone.
        .filter(|&open| open > 0 || !atoms.get(1).is_some_and(|next| is(next, b'}')))
        .find_map(|open| Some((open, end(atoms, open)?)))
}

/// Where the brace at `open` ends: at the first `}` of its level that has a comma or `..` before it.
fn end(atoms: &[Atom<'_>], open: usize) -> Option<usize> {
    let mut level = 0_usize;
    let mut separated = false;
    for (at, atom) in atoms.iter().enumerate().skip(open + 1) {
        match atom {
            Atom::Byte(b'}') if level == 0 && separated => return Some(at),
            Atom::Byte(b'{') => level += 1,
            Atom::Byte(b'}') => level = level.saturating_sub(1),
            Atom::Byte(b',') if level == 0 => separated = true,
            Atom::Byte(b'.') if level == 0 => {
                separated |= atoms.get(at + 1).is_some_and(|next| is(next, b'.'))
                    && !atoms.get(at + 2).is_none_or(|next| is(next, b'}'));
            }
            _ => {}
        }
    }
    None
}

/// What stands between commas.
fn parts<'s, 'a>(inside: &'s [Atom<'a>]) -> Vec<&'s [Atom<'a>]> {
    let mut out = Vec::new();
    let (mut start, mut level) = (0, 0_usize);
    for (at, atom) in inside.iter().enumerate() {
        match atom {
            Atom::Byte(b'{') => level += 1,
            Atom::Byte(b'}') => level = level.saturating_sub(1),
            Atom::Byte(b',') if level == 0 => {
                out.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&inside[start..]);
    out
}

/// `1..3`, `a..e`, with an optional step.
fn sequence<'a>(inside: &[Atom<'_>], dialect: Dialect) -> Option<Vec<Vec<Atom<'a>>>> {
    let mut text = String::new();
    let mut whole = true;
    for atom in inside {
        match atom {
            Atom::Byte(byte) if byte.is_ascii() => text.push(char::from(*byte)),
            _ => whole = false,
        }
    }
    if !whole {
        // zsh looks at the ends once they are expanded.
        return (dialect == Dialect::Zsh && text.contains("..")).then(|| vec![vec![Atom::Doubt]]);
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 0),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    if dialect == Dialect::Zsh && step != 0 && (step < 0 || first.parse::<i64>().is_err()) {
        return Some(vec![vec![Atom::Doubt]]);
    }
    let step = if step == 0 { 1 } else { step.checked_abs()? };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
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
    if from.is_ascii_lowercase() != to.is_ascii_lowercase() {
        // Between the two cases lie signs, a backslash among them, and not in every locale.
        return Some(vec![vec![Atom::Doubt]]);
    }
    range(from.into(), to.into(), step)?
        .into_iter()
        .map(|n| u8::try_from(n).ok().map(|byte| vec![Atom::Byte(byte)]))
        .collect()
}

/// Whether the end of a range asks for numbers of one width.
fn padded(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
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
        expand(&[piece], b"", Dialect::Bash)
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
            ("{-1..1}", "-1 0 1"),
            ("{a},b}", "a} b"),
            ("x{}{a,b},c}", "x}a x}b xc"),
            ("{{a,b}}", "{a} {b}"),
            ("{a,b}{", "a{ b{"),
            ("{$,x}HOME", "? xHOME"),
            ("{a..C}", "?"),
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
        assert!(expand(&[flood], b"", Dialect::Bash).is_none());
    }
}
