//! `~` and what it stands for.

use super::{Chunk, cwd_text, push_text, scalar};
use crate::{
    interp::{
        Interpreter,
        state::State,
        value::{Text, Unknown, Value},
    },
    shell::ast::Dialect,
};

impl Interpreter<'_> {
    /// An unquoted literal: tilde prefixes at its beginning, in assignments also after each `:`.
    pub(super) fn literal(
        &self,
        bytes: &[u8],
        first: bool,
        ends_word: bool,
        tilde: Tilde,
        state: &State,
        out: &mut Vec<Chunk>,
    ) -> bool {
        let mut rest = bytes;
        let mut at_start = first && tilde != Tilde::Never;
        let mut expanded = false;
        while at_start && rest.first() == Some(&b'~') {
            let stops: &[u8] = if tilde == Tilde::Assignment {
                b"/:"
            } else {
                b"/"
            };
            let end = rest
                .iter()
                .position(|byte| stops.contains(byte))
                .unwrap_or(rest.len());
            // `~"x"`: the prefix goes on into something quoted, and is none.
            if end == rest.len() && !ends_word {
                break;
            }
            let Some(home) = self.tilde(&rest[1..end], state) else {
                break;
            };
            expanded = true;
            push_text(&home, true, out);
            rest = &rest[end..];
            if tilde != Tilde::Assignment {
                break;
            }
            let colon = rest.iter().position(|byte| *byte == b':');
            let Some(colon) = colon else { break };
            out.push(Chunk::Bytes {
                bytes: rest[..=colon].to_vec(),
                quoted: false,
                expanded: false,
            });
            rest = &rest[colon + 1..];
            at_start = true;
        }
        out.push(Chunk::Bytes {
            bytes: rest.to_vec(),
            quoted: false,
            expanded: false,
        });
        expanded
    }

    /// What `~name` stands for; `None` if it stays as it is.
    pub(super) fn tilde(&self, name: &[u8], state: &State) -> Option<Text> {
        match name {
            b"" => Some(match self.lookup(b"HOME", state) {
                Value::Scalar(home) => home,
                Value::Unset => self.session.home.map_or_else(
                    || Text::unknown(Unknown::anything("the home directory (HOME is not set)")),
                    Text::known,
                ),
                Value::Any(why) => Text::unknown(Unknown::anything(why)),
                Value::Array(_) => Text::unknown(Unknown::anything("the home directory")),
            }),
            b"+" if self.dialect() != Dialect::Sh => Some(cwd_text(&state.cwd)),
            b"-" if self.dialect() != Dialect::Sh => Some(scalar(
                self.lookup(b"OLDPWD", state),
                "the previous directory",
            )),
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

/// Where `~` is expanded in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tilde {
    /// At the beginning of the word.
    AtStart,
    /// At the beginning and after each `:`.
    Assignment,
    /// Nowhere.
    Never,
}
