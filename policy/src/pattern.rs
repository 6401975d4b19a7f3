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
        let pattern = Self::view(bytes)?;
        let sound = |part: &[u8]| !matches!(part, b"" | b"." | b"..") && glob::check(part).is_ok();
        let fine = match pattern.form {
            Form::Glob => {
                let parts = || pattern.text[1..].split(|&byte| byte == b'/');
                parts().count() <= glob::COMPONENTS_MAX && parts().all(sound)
            }
            _ => Canonical::new(pattern.head.as_bytes()).is_some(),
        };
        fine.then_some(pattern)
    }

    /// As [`Self::parse`], for bytes that it has accepted before.
    pub(crate) fn view(bytes: &'p [u8]) -> Option<Self> {
        let (&letter, text) = bytes.split_first()?;
        let form = match letter {
            b'L' => Form::Literal,
            b'T' => Form::Tree,
            b'U' => Form::Under,
            b'G' => Form::Glob,
            _ => return None,
        };
        let head = match form {
            Form::Literal if text.is_empty() => return None,
            Form::Glob => glob_head(text.starts_with(b"/").then_some(text)?),
            _ => text.strip_suffix(form.suffix())?,
        };
        let head = if head.is_empty() { b"/" } else { head };
        Some(Self {
            form,
            text,
            head: Canonical::assume(head),
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
            Form::Glob => self
                .run(path)
                .is_some_and(|outcome| outcome.exact || outcome.above),
        }
    }

    /// Whether a command may name `path` because of it. As [`Self::holds`], but a wildcard at the end stays
    /// within one component.
    pub(crate) fn admits(&self, path: Canonical<'_>) -> bool {
        match self.form {
            Form::Glob if self.ends_open() => self.run(path).is_some_and(|outcome| outcome.exact),
            _ => self.holds(path),
        }
    }

    /// Whether everything strictly below `path` is matched.
    pub(crate) fn holds_all_below(&self, path: Canonical<'_>) -> bool {
        match self.form {
            Form::Literal | Form::Tree | Form::Under => path.is_at_or_below(self.head),
            Form::Glob => self.run(path).is_some_and(|outcome| outcome.all_below),
        }
    }

    /// Whether it matches something strictly below `path`; to be asked of a path that it does not hold.
    pub(crate) fn below(&self, path: Canonical<'_>) -> Below<'p> {
        if self.head.is_below(path) || (self.form == Form::Under && self.head == path) {
            return Below::Certain(self.text);
        }
        match self.form {
            Form::Glob if self.run(path).is_some_and(|outcome| outcome.some_below) => {
                Below::Possible(self.text)
            }
            _ => Below::No,
        }
    }

    /// Asks the matcher about what follows the head; `None` if `path` is elsewhere.
    fn run(&self, path: Canonical<'_>) -> Option<glob::Outcome> {
        let below = path.below(self.head)?;
        // The head of a pattern that begins with a wildcard is the root, which is no part of its text.
        let start = if self.head.is_root() {
            0
        } else {
            self.head.as_bytes().len()
        };
        Some(glob::run(&self.text[start..], below))
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
