//! Paths as components, and canonical paths.

/// A path that is absolute, with every link resolved and without `.`, `..`, doubled or trailing slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical<'a>(&'a [u8]);

/// Room for one path.
pub struct PathBuffer;
