//! What zsh makes of a bare `$name` and what follows it: subscripts, modifiers, ranges.

use std::borrow::Cow;

use super::{Chunk, is_changed_in_zsh, push_text};
use crate::{
    interp::{
        Interpreter,
        state::State,
        value::{Text, Trace, Unknown, Value},
    },
    shell::ast::{Parameter, Piece},
};

impl Interpreter<'_> {
    /// A parameter with the subscript and the modifiers behind it. Returns how many bytes of the next piece they are.
    pub(super) fn changed_in_zsh(
        &self,
        parameter: &Parameter,
        next: Option<&Piece>,
        state: &State,
        out: &mut Vec<Chunk>,
    ) -> usize {
        let behind: &[u8] = match next {
            Some(Piece::Literal { bytes, .. }) => bytes,
            _ => b"",
        };
        let value = self.lookup(&parameter.name, state);
        let is_plain = super::super::parameter::is_name(&parameter.name);
        let Some((text, taken)) = changed(value, behind).filter(|_| is_plain) else {
            // Nor is known where what stands behind it begins.
            let unknown = Unknown::anything("a part of a variable");
            out.push(match parameter.quoted {
                true => Chunk::Unknown(unknown),
                false => Chunk::Several(unknown),
            });
            return behind.len();
        };
        if parameter.quoted {
            out.push(Chunk::Exists);
        }
        if text.is_empty() {
            out.push(Chunk::Trace(Trace {
                empty: vec![parameter.name.clone()],
                ..Trace::default()
            }));
        }
        push_text(&text, true, out);
        taken
    }

    /// A word in which parameters that stand for letters and digits alone are spelled out: zsh looks for `~name` and
    /// `{1..3}` once it has expanded them.
    pub(super) fn spelled_out_in_zsh<'p>(
        &self,
        pieces: &'p [Piece],
        state: &State,
    ) -> Cow<'p, [Piece]> {
        let matters = pieces.iter().any(|piece| {
            matches!(piece, Piece::Literal { bytes, quoted: false }
                if bytes.iter().any(|byte| b"~{".contains(byte)))
        });
        if !matters {
            return Cow::Borrowed(pieces);
        }
        let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            let piece = self.plainly(piece, pieces.get(at + 1), state);
            let piece = piece.unwrap_or_else(|| pieces[at].clone());
            match (out.last_mut(), piece) {
                (
                    Some(Piece::Literal {
                        bytes,
                        quoted: false,
                    }),
                    Piece::Literal {
                        bytes: more,
                        quoted: false,
                    },
                ) => bytes.extend(more),
                (_, piece) => out.push(piece),
            }
        }
        Cow::Owned(out)
    }

    fn plainly(&self, piece: &Piece, next: Option<&Piece>, state: &State) -> Option<Piece> {
        let Piece::Parameter(parameter) = piece else {
            return None;
        };
        let is_plain = parameter.operator.is_empty()
            && parameter.subscript.is_none()
            && !parameter.quoted
            && !parameter.length
            && !parameter.indirect
            && super::super::parameter::is_name(&parameter.name)
            && !is_changed_in_zsh(parameter, next);
        let Value::Scalar(text) = self.lookup(&parameter.name, state) else {
            return None;
        };
        let bytes = text.bytes().filter(|bytes| {
            is_plain && !bytes.is_empty() && bytes.iter().all(u8::is_ascii_alphanumeric)
        })?;
        Some(Piece::Literal {
            bytes: bytes.to_vec(),
            quoted: false,
        })
    }
}

/// A value after the subscript and the modifiers that `behind` begins with, and how long those are.
fn changed(value: Value, behind: &[u8]) -> Option<(Text, usize)> {
    let mut taken = 0;
    let mut text = match value {
        Value::Scalar(text) if behind.first() != Some(&b'[') => text,
        Value::Unset if behind.first() != Some(&b'[') => Text::default(),
        value => {
            let end = behind.iter().position(|byte| *byte == b']')?;
            let at = std::str::from_utf8(behind.get(1..end)?)
                .ok()?
                .parse()
                .ok()?;
            taken = end + 1;
            element(&value, at)?
        }
    };
    while let [b':', letter, ..] = &behind[taken..]
        && letter.is_ascii_alphabetic()
    {
        let is_counted = behind.get(taken + 2).is_some_and(u8::is_ascii_digit);
        let bytes = text.bytes().filter(|_| !is_counted)?;
        text = Text::known(modified(bytes, *letter)?);
        taken += 2;
    }
    let goes_on = matches!(&behind[taken..], [b'[', ..] | [b':', b'&', ..]);
    (!goes_on).then_some((text, taken))
}

/// `$name[at]`: an element of an array, a character of a string, counted from one or from the end.
pub(in crate::interp) fn element(value: &Value, at: i64) -> Option<Text> {
    let place = |length: usize| {
        let length = i64::try_from(length).ok()?;
        let at = if at < 0 { at + length } else { at - 1 };
        usize::try_from(at).ok()
    };
    match value {
        Value::Array(items) => Some(
            place(items.len())
                .and_then(|at| items.get(at).cloned())
                .unwrap_or_default(),
        ),
        Value::Scalar(text) => {
            let bytes = text.bytes().filter(|bytes| bytes.is_ascii())?;
            let byte = place(bytes.len()).and_then(|at| bytes.get(at));
            Some(byte.map_or_else(Text::default, |byte| Text::known([*byte])))
        }
        Value::Unset => Some(Text::default()),
        Value::Any(_) => None,
    }
}

/// `:h`, `:t`, `:r` and `:e`.
fn modified(bytes: &[u8], letter: u8) -> Option<Vec<u8>> {
    let end = bytes.iter().rposition(|byte| *byte != b'/');
    let trimmed = end.map_or(&b""[..], |end| &bytes[..=end]);
    let slash = trimmed.iter().rposition(|byte| *byte == b'/');
    let from = bytes
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |slash| slash + 1);
    let dot = bytes[from..].iter().rposition(|byte| *byte == b'.');
    Some(match letter {
        b'h' => match slash {
            None if bytes.starts_with(b"/") => b"/".to_vec(),
            None => b".".to_vec(),
            Some(slash) => {
                let kept = trimmed[..slash].iter().rposition(|byte| *byte != b'/');
                match kept {
                    Some(kept) => trimmed[..=kept].to_vec(),
                    None => trimmed[..=slash].to_vec(),
                }
            }
        },
        b't' => trimmed[slash.map_or(0, |slash| slash + 1)..].to_vec(),
        b'r' => bytes[..dot.map_or(bytes.len(), |dot| from + dot)].to_vec(),
        b'e' => dot.map_or_else(Vec::new, |dot| bytes[from + dot + 1..].to_vec()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_those_of_zsh() {
        for (value, expected) in [
            ("d", ". d d "),
            ("/", "/  / "),
            ("/a/", "/ a /a/ "),
            ("a/b/", "a b a/b/ "),
            (".rc", ". .rc  rc"),
            ("a.b/c", "a.b c a.b/c "),
            ("", ".   "),
            ("a//b", "a b a//b "),
            ("x.", ". x. x "),
            ("a/.rc", "a .rc a/ rc"),
            ("//a", "// a //a "),
            ("/d/f.tar.gz", "/d f.tar.gz /d/f.tar gz"),
        ] {
            let got: Vec<String> = b"htre"
                .iter()
                .map(|letter| modified(value.as_bytes(), *letter).expect("it is known"))
                .map(|bytes| String::from_utf8(bytes).expect("letters"))
                .collect();
            assert_eq!(got.join(" "), expected, "{value:?}");
        }
    }
}
