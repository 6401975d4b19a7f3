//! `~` and what it stands for.

use super::{Chunk, push_text, scalar};
use crate::{
    interp::{
        Interpreter,
        state::State,
        value::{Text, Unknown, Value},
    },
    shell::ast::{Dialect, Piece},
};

/// Where `~` is expanded in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tilde {
    /// At the beginning of the word.
    AtStart,
    /// At the beginning and after each `:`, in operands too.
    Assignment,
    /// At the beginning and after each `:`, but not in operands: an element of an array.
    Element,
    /// In a word that looks like an assignment: after each `=` and `:` too, which only bash does.
    Assigning,
}

impl Tilde {
    fn is_behind(self, before: Option<u8>) -> bool {
        match before {
            None => true,
            Some(b':') => self != Self::AtStart,
            Some(b'=') => self == Self::Assigning,
            Some(_) => false,
        }
    }
}

/// Whether a word has the form of an assignment.
pub(super) fn looks_like_assignment(pieces: &[Piece]) -> bool {
    let Some(Piece::Literal {
        bytes,
        quoted: false,
    }) = pieces.first()
    else {
        return false;
    };
    let name = bytes
        .iter()
        .take_while(|byte| **byte == b'_' || byte.is_ascii_alphanumeric())
        .count();
    let mut rest = &bytes[name..];
    if name == 0 || bytes[0].is_ascii_digit() {
        return false;
    }
    if rest.first() == Some(&b'[') {
        match rest.iter().position(|byte| *byte == b']') {
            Some(end) => rest = &rest[end + 1..],
            None => return false,
        }
    }
    rest.starts_with(b"=") || rest.starts_with(b"+=")
}

/// Whether bash takes all of a word for the name behind `~`, looks up what stands before the colon, and leaves the
/// rest as it is, expansions too: `~:a${x}`, `~=~${x}`.
pub(super) fn swallows(pieces: &[Piece]) -> bool {
    let [
        Piece::Literal {
            bytes,
            quoted: false,
        },
        rest @ ..,
    ] = pieces
    else {
        return false;
    };
    bytes.first() == Some(&b'~')
        && (bytes.contains(&b':') || bytes.windows(2).any(|pair| pair == b"=~"))
        && !bytes.contains(&b'/')
        && rest
            .iter()
            .any(|piece| !matches!(piece, Piece::Literal { .. }))
}

impl Interpreter<'_> {
    /// An unquoted literal. `first` tells whether it begins the word, `next` what follows it.
    pub(super) fn literal(
        &self,
        bytes: &[u8],
        first: bool,
        next: Option<&Piece>,
        tilde: Tilde,
        state: &State,
        out: &mut Vec<Chunk>,
    ) -> bool {
        let mut expanded = false;
        let mut from = 0;
        let mut at = 0;
        while at < bytes.len() {
            let before = at.checked_sub(1).map(|before| bytes[before]);
            let begins = bytes[at] == b'~'
                && (first || before.is_some())
                && tilde.is_behind(before)
                && self.ends(&bytes[at..], tilde, next);
            // Only the first `=` of a word assigns, but behind some others `~` is expanded all the same.
            let is_odd = before == Some(b'=') && (!first || bytes[..at - 1].contains(&b'='));
            if begins && is_odd {
                push_literal(&bytes[from..at], out);
                out.push(Chunk::Unknown(Unknown::anything("a home directory")));
                expanded = true;
                at += 1;
                from = at;
            } else if begins
                && let Some((home, length)) = self.prefix(&bytes[at..], tilde, next, state)
            {
                push_literal(&bytes[from..at], out);
                match home {
                    Some(home) => push_text(&home, true, out),
                    None => out.push(Chunk::Unknown(Unknown::anything("a home directory"))),
                }
                expanded = true;
                at += length;
                from = at;
            } else {
                at += 1;
            }
        }
        push_literal(&bytes[from..], out);
        expanded
    }

    /// Whether the prefix ends within this literal: `~"x"` goes on into something quoted, and is none.
    fn ends(&self, bytes: &[u8], tilde: Tilde, next: Option<&Piece>) -> bool {
        self.length(bytes, tilde) < bytes.len()
            || match next {
                None => true,
                // zsh goes by what stands there, quoted or not, and expands parameters first.
                Some(Piece::Literal { .. }) => self.dialect() == Dialect::Zsh,
                // In what looks like an assignment bash may take the text of an expansion for a part of the name.
                Some(_) => self.dialect() == Dialect::Zsh || tilde == Tilde::Assigning,
            }
    }

    fn length(&self, bytes: &[u8], tilde: Tilde) -> usize {
        let stops_at_colon = match self.dialect() {
            Dialect::Bash | Dialect::Unknown => true,
            Dialect::Sh | Dialect::Zsh => matches!(tilde, Tilde::Assignment | Tilde::Element),
        };
        bytes
            .iter()
            .position(|byte| *byte == b'/' || stops_at_colon && *byte == b':')
            .unwrap_or(bytes.len())
    }

    /// What the prefix stands for, if that is known, and its length; `None` if it stays as it is.
    fn prefix(
        &self,
        bytes: &[u8],
        tilde: Tilde,
        next: Option<&Piece>,
        state: &State,
    ) -> Option<(Option<Text>, usize)> {
        let length = self.length(bytes, tilde);
        // To bash another prefix begins here, where none was meant.
        if bytes[..length].windows(2).any(|pair| pair == b"=~") {
            return Some((None, length));
        }
        if length == bytes.len() {
            match next {
                Some(Piece::Literal { bytes, .. }) if bytes.starts_with(b"/") => {}
                Some(_) => return Some((None, length)),
                None => {}
            }
        }
        // Outside assignments bash sees the colon only when it has taken all up to the slash for a name.
        if bytes.get(length) == Some(&b':')
            && tilde == Tilde::AtStart
            && !bytes[length..].contains(&b'/')
        {
            match next {
                None => {}
                Some(Piece::Literal { .. }) => return None,
                Some(_) => return Some((None, bytes.len())),
            }
        }
        let home = self.tilde(&bytes[1..length], state)?;
        Some((Some(home), length))
    }

    /// What `~name` stands for; `None` if it stays as it is.
    fn tilde(&self, name: &[u8], state: &State) -> Option<Text> {
        match name {
            b"" => match self.lookup(b"HOME", state) {
                Value::Scalar(home) => Some(home),
                Value::Unset if self.dialect() == Dialect::Sh => None,
                Value::Unset => Some(self.session.home.map_or_else(
                    || Text::unknown(Unknown::anything("the home directory (HOME is not set)")),
                    Text::known,
                )),
                Value::Any(why) => Some(Text::unknown(Unknown::anything(why))),
                Value::Array(_) => Some(Text::unknown(Unknown::anything("the home directory"))),
            },
            b"+" | b"-" if self.dialect() != Dialect::Sh => {
                let variable: &[u8] = if name == b"+" { b"PWD" } else { b"OLDPWD" };
                match self.lookup(variable, state) {
                    Value::Unset => None,
                    value => Some(scalar(value, "a directory of the shell")),
                }
            }
            // The directories that `pushd` has saved.
            _ if self.dialect() != Dialect::Sh
                && name.iter().any(u8::is_ascii_digit)
                && name
                    .iter()
                    .all(|byte| byte.is_ascii_digit() || b"+-".contains(byte)) =>
            {
                (!state.directories.is_empty() || name.iter().all(|byte| b"+-0".contains(byte)))
                    .then(|| Text::unknown(Unknown::anything("a saved directory")))
            }
            // zsh takes a variable that holds a path for a name of it.
            _ if self.dialect() == Dialect::Zsh
                && !matches!(self.lookup(name, state), Value::Unset) =>
            {
                match self.lookup(name, state) {
                    Value::Scalar(text) if text.prefix().starts_with(b"/") => Some(text),
                    Value::Scalar(text) if text.bytes().is_some() => {
                        self.session.home_of(name).map(Text::known)
                    }
                    _ => Some(Text::unknown(Unknown::anything("a named directory"))),
                }
            }
            name if name
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte)) =>
            {
                self.session.home_of(name).map(Text::known)
            }
            _ => None,
        }
    }
}

fn push_literal(bytes: &[u8], out: &mut Vec<Chunk>) {
    if !bytes.is_empty() {
        out.push(Chunk::Bytes {
            bytes: bytes.to_vec(),
            active: true,
            splits: false,
        });
    }
}
