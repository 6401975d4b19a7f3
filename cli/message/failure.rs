//! Failures of blastradius itself.

use std::{fmt, io};

/// What went wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    what: String,
    hint: Option<String>,
    worth_a_word: bool,
}

impl Failure {
    /// A failure: a lower-case fragment that names the file, the line or the word at fault.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: None,
            worth_a_word: true,
        }
    }

    /// stdout takes no more. A reader that has left, as `head` does, has seen what it wanted: nothing is said about
    /// it, and the exit status still tells that not everything was written.
    #[must_use]
    pub fn of_stdout(error: &io::Error) -> Self {
        Self {
            worth_a_word: error.kind() != io::ErrorKind::BrokenPipe,
            ..Self::new(format!("stdout cannot be written: {error}"))
        }
    }

    /// Whether it is worth a word.
    #[must_use]
    pub const fn is_worth_a_word(&self) -> bool {
        self.worth_a_word
    }

    /// Adds the action that would mend it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What went wrong, without the hint.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The action that would mend it.
    #[must_use]
    pub fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)?;
        match &self.hint {
            Some(hint) => write!(formatter, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
