//! A change to one file.

use std::borrow::Cow;

/// What happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// It is written or edited.
    Written,
    /// It is removed, alone or with all that is below it.
    Removed,
    /// It gets another name.
    Moved,
}

/// Who changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By<'a> {
    /// A tool of the agent that writes whole files.
    Write,
    /// One that replaces parts.
    Edit,
    /// A program, or `>` for a redirection.
    Program(&'a [u8]),
}

/// One text that takes the place of another.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) old: Cow<'a, [u8]>,
    pub(crate) new: Cow<'a, [u8]>,
}

/// A change to one file.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// A canonical path.
    pub(crate) path: &'a [u8],
    pub(crate) what: What,
    pub(crate) by: By<'a>,
    /// The texts, as far as they are known.
    pub(crate) pieces: &'a [Piece<'a>],
    /// There is no such file yet.
    pub(crate) is_new: bool,
}
