//! A pattern of a policy: an absolute path, with or without wildcards, in the form in which it travels.
//!
//! The first byte says which form it is, so that the common ones are matched by comparing bytes:
//!
//! | form | text | matches |
//! |---|---|---|
//! | `L` | `/path` | the path |
//! | `T` | `/path/**` | the path and everything below it |
//! | `U` | `/path/*/**` | everything strictly below the path |
//! | `G` | anything else | what [`crate::glob`] says; special characters are escaped |
//!
//! In the first three the path stands for itself, whatever bytes it holds.

use crate::{Below, Canonical, glob};

const TREE: &[u8] = b"/**";
const UNDER: &[u8] = b"/*/**";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Literal,
    Tree,
    Under,
    Glob,
}

impl Form {
    pub(crate) const fn letter(self) -> u8 {
        match self {
            Self::Literal => b'L',
            Self::Tree => b'T',
            Self::Under => b'U',
            Self::Glob => b'G',
        }
    }

    /// What follows the path in the text.
    pub(crate) const fn suffix(self) -> &'static [u8] {
        match self {
            Self::Literal | Self::Glob => b"",
            Self::Tree => TREE,
            Self::Under => UNDER,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern<'p> {
    form: Form,
    text: &'p [u8],
    /// The path it begins with; for a glob the components before the first one that is not literal, if none
    /// of them holds an escape, else the root.
    head: Canonical<'p>,
}

impl<'p> Pattern<'p> {
    /// Takes a pattern in its travelling form; `None` if it is not one.
    pub(crate) fn parse(bytes: &'p [u8]) -> Option<Self> {
        let (&letter, text) = bytes.split_first()?;
        let form = match letter {
            b'L' => Form::Literal,
            b'T' => Form::Tree,
            b'U' => Form::Under,
            b'G' => Form::Glob,
            _ => return None,
        };
        let head = match form {
            Form::Glob => {
                let rest = text.strip_prefix(b"/")?;
                let parts = || rest.split(|&byte| byte == b'/');
                if parts().count() > glob::COMPONENTS_MAX
                    || parts().any(|part| {
                        matches!(part, b"" | b"." | b"..") || glob::check(part).is_err()
                    })
                {
                    return None;
                }
                glob_head(text)
            }
            _ => text.strip_suffix(form.suffix())?,
        };
        let head = if head.is_empty() { b"/" } else { head };
        Some(Self {
            form,
            text,
            head: Canonical::new(head)?,
        })
    }

    /// The bytes a person reads.
    pub(crate) const fn text(&self) -> &'p [u8] {
        self.text
    }

    /// Whether it spells this very path.
    pub(crate) fn spells(&self, path: Canonical<'_>) -> bool {
        self.form == Form::Literal && self.head == path
    }

    /// Whether it matches `path` or a directory above it: what protects a directory protects what is in it,
    /// and a program that may remove a directory may remove what is in it.
    pub(crate) fn holds(&self, path: Canonical<'_>) -> bool {
        match self.form {
            Form::Literal | Form::Tree => path.is_at_or_below(self.head),
            Form::Under => path.is_below(self.head),
            Form::Glob => {
                path.is_at_or_below(self.head) && {
                    let outcome = glob::run(self.text, path.as_bytes());
                    outcome.exact || outcome.above
                }
            }
        }
    }

    /// Whether a command may name `path` because of it. As [`Self::holds`], but a wildcard at the end stays
    /// within one component.
    pub(crate) fn admits(&self, path: Canonical<'_>) -> bool {
        match self.form {
            Form::Glob if self.ends_open() => {
                path.is_at_or_below(self.head) && glob::run(self.text, path.as_bytes()).exact
            }
            _ => self.holds(path),
        }
    }

    /// Whether everything strictly below `path` is matched.
    pub(crate) fn holds_all_below(&self, path: Canonical<'_>) -> bool {
        match self.form {
            Form::Literal | Form::Tree | Form::Under => path.is_at_or_below(self.head),
            Form::Glob => glob::run(self.text, path.as_bytes()).all_below,
        }
    }

    /// Whether it matches something strictly below `path`, but neither `path` nor a directory above it.
    pub(crate) fn below(&self, path: Canonical<'_>) -> Below<'p> {
        if self.head.is_below(path) || (self.form == Form::Under && self.head == path) {
            Below::Certain(self.text)
        } else if self.form == Form::Glob && glob::run(self.text, path.as_bytes()).some_below {
            Below::Possible(self.text)
        } else {
            Below::No
        }
    }

    /// Whether its last component is a wildcard other than `**`.
    fn ends_open(&self) -> bool {
        let last = self.text.rsplit(|&byte| byte == b'/').next();
        last.is_some_and(|last| last != b"**" && !glob::is_literal(last))
    }
}

/// The path that a glob begins with.
fn glob_head(text: &[u8]) -> &[u8] {
    let special = text
        .iter()
        .position(|&byte| glob::is_special(byte))
        .unwrap_or(text.len());
    let slash = text[..special]
        .iter()
        .rposition(|&byte| byte == b'/')
        .unwrap_or(0);
    &text[..slash]
}
