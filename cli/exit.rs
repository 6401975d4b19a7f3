//! How the process ends.

use std::process::ExitCode;

/// How blastradius itself ends. A program that is run ends with its own status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to report: allowed, or done.
    Done,
    /// `doctor` found something that does not hold.
    Unwell,
    /// The command line makes no sense.
    Usage,
    /// A hook's refusal: the status that every agent with exit codes takes for "do not run it".
    HookRefusal,
    /// A refusal (`EX_NOPERM`).
    Refused,
    /// blastradius failed.
    Failed,
    /// The program was found and cannot be executed.
    NotExecutable,
    /// The program was not found.
    NotFound,
}

impl Exit {
    /// The status, as the shell sees it.
    #[must_use]
    pub const fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unwell => 1,
            Self::Usage | Self::HookRefusal => 2,
            Self::Refused => 77,
            Self::Failed => 125,
            Self::NotExecutable => 126,
            Self::NotFound => 127,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}
