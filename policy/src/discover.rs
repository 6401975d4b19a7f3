//! Finding the policy of a session: project, files, defaults.

use crate::{Fs, PolicyText, Preset};

/// What is known where a session begins. Paths as the environment gave them: they are resolved here, and
/// those that are not absolute are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The working directory; empty if it is not known.
    pub start: &'a [u8],
    /// `$HOME` first, then the password database's.
    pub homes: &'a [&'a [u8]],
    /// `$TMPDIR`.
    pub tmpdir: Option<&'a [u8]>,
    /// `$XDG_CONFIG_HOME`.
    pub config_home: Option<&'a [u8]>,
    /// `$XDG_STATE_HOME`.
    pub state_home: Option<&'a [u8]>,
    /// `$XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<&'a [u8]>,
    /// The real user id.
    pub uid: u32,
    /// When the session began: seconds and nanoseconds of the realtime clock.
    pub session_start: (i64, u32),
    /// Files that belong to the guard itself, such as the library.
    pub guard_files: &'a [&'a [u8]],
    /// Presets that were turned on or off on the command line: they win over the user file.
    pub presets: &'a [(Preset, bool)],
}

/// Says whether a person has trusted what a project file holds.
pub trait Trust {
    /// Whether this very content of `file` is trusted.
    fn trusts(&self, file: &[u8], content: &[u8]) -> bool;
}

/// Trusts nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoTrust;

impl Trust for NoTrust {
    fn trusts(&self, _file: &[u8], _content: &[u8]) -> bool {
        false
    }
}

/// A policy that does not fit into [`crate::contract::POLICY_MAX`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// Finds the policy that holds where a session begins, and writes its text into `out`.
///
/// A file that cannot be read or understood is no error here: the text then is a policy in doubt
/// ([`crate::Policy::doubt`]), which refuses everything destructive. The same text is left in `out` when the
/// policy overflows.
pub fn discover(
    _fs: &(impl Fs + ?Sized),
    _origin: &Origin<'_>,
    _trust: &(impl Trust + ?Sized),
    out: &mut PolicyText,
) -> Result<(), Overflow> {
    *out = PolicyText::new();
    Err(Overflow)
}
