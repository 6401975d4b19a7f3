//! What is told of a refusal.

use crate::{Act, Rule};

/// An act as a person and a program are told of it.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// What the policy knows it as.
    pub act: Act,
    words: &'static str,
}

impl Deed {
    /// A file's name is removed.
    pub const UNLINK: Self = Self::new(Act::Remove, "unlink of");
    /// A directory is removed.
    pub const RMDIR: Self = Self::new(Act::Remove, "rmdir of");
    /// A name is moved away.
    pub const RENAME: Self = Self::new(Act::MoveAway, "rename of");
    /// Something else takes the name.
    pub const REPLACE: Self = Self::new(Act::Replace, "replacement of");
    /// A file is emptied or shortened.
    pub const TRUNCATE: Self = Self::new(Act::Truncate, "truncation of");
    /// A file is opened to be written over.
    pub const OVERWRITE: Self = Self::new(Act::Overwrite, "overwriting of");
    /// A file is made or added to.
    pub const APPEND: Self = Self::new(Act::Append, "appending to");
    /// A file is given another name.
    pub const LINK: Self = Self::new(Act::Append, "another name of");

    const fn new(act: Act, words: &'static str) -> Self {
        Self { act, words }
    }

    /// What a whole command would do.
    #[must_use]
    pub const fn command(act: Act) -> Self {
        Self::new(
            act,
            match act {
                Act::RemoveTree => "recursive removal of",
                Act::Sweep => "sweeping of",
                Act::Select => "removal below",
                Act::MoveAway => "moving of",
                _ => "change of",
            },
        )
    }

    /// In words, with the preposition that comes before a path.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.words
    }
}

/// Why the policy refuses.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'p> {
    /// The rule.
    pub rule: Rule,
    /// The pattern, floor path or message that decided; may be empty.
    pub by: &'p [u8],
}

impl<'p> Refusal<'p> {
    /// The rule in words.
    #[must_use]
    pub const fn words(&self) -> &'static str {
        match self.rule {
            Rule::OutOfScope => "outside the scope",
            Rule::SystemPath => "below a system directory",
            Rule::Denied => "denied",
            Rule::ProjectRoot => "the project root",
            Rule::VcsMetadata => "the repository's history",
            Rule::GuardFile => "a file of the guard itself",
            Rule::FloorPath => "on the floor, which nothing overrides",
            Rule::UnresolvableTarget => "it cannot be judged",
            Rule::PolicyInDoubt => "the policy cannot be read",
            // No act of a program is refused by another.
            other => other.id(),
        }
    }

    /// What is told of what decided, after the words; None if that would say nothing more.
    #[must_use]
    pub const fn decided_by(&self) -> Option<&'p [u8]> {
        match self.rule {
            Rule::Denied | Rule::FloorPath | Rule::PolicyInDoubt if !self.by.is_empty() => {
                Some(self.by)
            }
            _ => None,
        }
    }

    /// Whether it does not hold for what is newborn: the floor, deny lines and the guard's own files do.
    #[must_use]
    pub const fn spares_newborn(&self) -> bool {
        matches!(self.rule, Rule::OutOfScope | Rule::SystemPath)
    }
}
