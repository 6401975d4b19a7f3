//! What a command would destroy, judged.

use std::path::Path;

use blastradius_policy::Policy;

use crate::report::Report;
use crate::shell::ast::Dialect;

/// Under which circumstances a command is judged.
pub struct Session<'a> {
    /// The policy in force.
    pub policy: &'a Policy<'a>,
    /// The variables that the command would see.
    pub environment: &'a [(Vec<u8>, Vec<u8>)],
    /// The working directory; `None` if it is unknown or was removed.
    pub cwd: Option<&'a Path>,
    /// Which shell would read a string.
    pub dialect: Dialect,
    /// Refuse every construct that the seed refused.
    pub strict: bool,
    /// Lower layers are at work beneath: what cannot be resolved is left to them.
    pub lower_layers: bool,
}

/// Judges a shell string.
#[must_use]
pub fn string(_session: &Session<'_>, _source: &[u8], _positional: &[Vec<u8>]) -> Report {
    Report::default()
}

/// Judges literal words.
#[must_use]
pub fn argv(_session: &Session<'_>, _argv: &[Vec<u8>]) -> Report {
    Report::default()
}
