//! git, for whoever needs to know what a repository holds: its command line, and questions to git itself.

mod invocation;
mod options;
mod process;
mod repository;
mod unquote;

pub(crate) use invocation::{Invocation, Surroundings};
pub(crate) use options::{ADD, COMMIT, Line, Options, Word};
pub(crate) use process::Git;
pub(crate) use repository::Repository;
pub(crate) use unquote::unquoted;

/// Names with values.
pub(crate) type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// A question: a git command that only reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Question {
    /// Where it runs.
    pub(crate) directory: Vec<u8>,
    /// Variables of the command that is judged, as far as git may know them.
    pub(crate) variables: Pairs,
    /// Settings that hold for this question alone.
    pub(crate) settings: Pairs,
    /// The words after `git`.
    pub(crate) words: Vec<Vec<u8>>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// git ended with an error: no such repository, branch or file.
    Failed,
    /// There is no git, it took too long, or it was asked too often.
    Unavailable(&'static str),
}

/// What git prints.
pub(crate) type Answer = Result<Vec<u8>, Silence>;

/// Who answers: git, or nobody where the disk is in memory.
pub(crate) trait Ask {
    /// The answer to one question. Asking changes nothing.
    fn ask(&self, question: &Question) -> Answer;
}

/// Nobody.
#[cfg(test)]
pub(crate) struct Nobody;

#[cfg(test)]
impl Ask for Nobody {
    fn ask(&self, _: &Question) -> Answer {
        Err(Silence::Unavailable("nobody is asked"))
    }
}
