//! What this process was started with: variables, user, working directory, and the policy they lead to.

mod account;
mod session;
mod trusted;

pub use session::{Effective, Options, why_no_project};
pub use trusted::{Everything, Record, TrustFile};

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use blastradius_policy::contract;

/// Variables and user of this process.
#[derive(Clone, Debug)]
pub struct Environment {
    /// In order, byte for byte.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// The real user id.
    pub uid: u32,
    /// The home in the password database.
    pub account_home: Option<PathBuf>,
}

impl Environment {
    /// Reads it from the process.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os()
            .map(|(name, value)| (name.into_vec(), value.into_vec()))
            .collect();
        let uid = rustix::process::getuid().as_raw();
        Self {
            variables,
            uid,
            account_home: account::home(uid),
        }
    }

    /// A variable's value, also an empty one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .iter()
            .find(|(variable, _)| variable == name.as_bytes())
            .map(|(_, value)| OsStr::from_bytes(value))
    }

    /// A variable that names a directory. The XDG rules say that a relative one counts for nothing, and the same
    /// is the only safe reading of the others.
    #[must_use]
    pub fn directory(&self, name: &str) -> Option<&Path> {
        self.get(name)
            .map(Path::new)
            .filter(|path| path.is_absolute())
    }

    /// The home: `$HOME`, or what the password database says.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.directory("HOME").or(self.account_home.as_deref())
    }

    /// Where the user's settings are.
    #[must_use]
    pub fn config_home(&self) -> Option<PathBuf> {
        self.below_home("XDG_CONFIG_HOME", ".config")
    }

    /// Where caches are.
    #[must_use]
    pub fn cache_home(&self) -> Option<PathBuf> {
        self.below_home("XDG_CACHE_HOME", ".cache")
    }

    /// Where logs and records are.
    #[must_use]
    pub fn state_home(&self) -> Option<PathBuf> {
        self.below_home("XDG_STATE_HOME", ".local/state")
    }

    fn below_home(&self, variable: &str, folder: &str) -> Option<PathBuf> {
        match self.directory(variable) {
            Some(path) => Some(path.to_owned()),
            None => self.home().map(|home| home.join(folder)),
        }
    }

    /// The policy of the guarded session that this process runs in, as text. A variable can be set by anybody, and
    /// shells restore it from their snapshots: it counts only where the library, which keeps it, is at work.
    #[must_use]
    pub fn inherited_policy(&self) -> Option<&[u8]> {
        self.passed_on_policy().filter(|_| self.library_is_loaded())
    }

    /// Whether this process looks as if it ran in a guarded session. What only a person may do is refused even where
    /// the look deceives.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        self.passed_on_policy().is_some() || self.library_is_loaded()
    }

    fn passed_on_policy(&self) -> Option<&[u8]> {
        self.variables
            .iter()
            .find(|(variable, _)| variable == contract::POLICY_VARIABLE)
            .map(|(_, value)| value.as_slice())
    }

    /// Whether the library is at work in this very process, and so below it.
    #[must_use]
    pub fn library_is_loaded(&self) -> bool {
        let name = crate::library::FILE_NAME.as_bytes();
        let names_it = |text: &[u8]| text.windows(name.len()).any(|window| window == name);
        let Some(list) = self.get(library_variable()) else {
            return false;
        };
        if cfg!(target_os = "macos") {
            // The loader ends a process into which it cannot load what the variable names, and takes the variable
            // from one into which it must not.
            return names_it(list.as_encoded_bytes());
        }
        std::fs::read("/proc/self/maps").is_ok_and(|maps| names_it(&maps))
    }
}

/// Whether the dynamic loader takes a byte for the end of a name in that variable.
#[must_use]
pub const fn separates_libraries(byte: u8) -> bool {
    byte == b':' || byte == b' ' && cfg!(target_os = "linux")
}

/// The dynamic loader's variable for preloaded libraries.
#[must_use]
pub const fn library_variable() -> &'static str {
    if cfg!(target_os = "macos") {
        "DYLD_INSERT_LIBRARIES"
    } else {
        "LD_PRELOAD"
    }
}

/// The working directory, or `None` if it was removed or cannot be read.
#[must_use]
pub fn working_directory() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Bytes of words given on the command line.
#[must_use]
pub fn into_bytes(words: Vec<OsString>) -> Vec<Vec<u8>> {
    words.into_iter().map(OsString::into_vec).collect()
}
