//! How the guards are set: lines of the user file, and what a project takes back of them.

use std::fs;
use std::path::{Path, PathBuf};

use blastradius_policy::{Declared, Policy, contract, declared};

use super::{Setting, Settings};
use crate::environment::Environment;
use crate::message::escape_path;

impl Settings {
    /// Reads them where the policy's own files lie. A file that cannot be read loosens nothing; that it cannot be
    /// read is the policy's to say.
    #[must_use]
    pub fn find(environment: &Environment, policy: &Policy<'_>) -> Self {
        let mut settings = Self::default();
        let user = environment
            .config_home()
            .map(|home| home.join(name(contract::USER_FILE)));
        settings.read(user, true);
        let project = policy
            .project()
            .map(|root| PathBuf::from(name(root.as_bytes())).join(name(contract::PROJECT_FILE)));
        settings.read(project, false);
        settings
    }

    fn read(&mut self, path: Option<PathBuf>, of_user: bool) {
        let Some((path, content)) = path.and_then(|path| {
            let content = fs::read(&path).ok()?;
            Some((path, content))
        }) else {
            return;
        };
        for (line, declared) in declared(&content, of_user) {
            self.take(declared, &path, line);
        }
    }

    fn take(&mut self, declared: Declared<'_>, path: &Path, line: usize) {
        let (id, setting) = match declared {
            Declared::LogAll => {
                self.log_all = true;
                return;
            }
            Declared::SessionRemovals(most) => {
                let least = self.session_removals.map_or(most, |known| known.min(most));
                self.session_removals = Some(least);
                return;
            }
            Declared::GuardOn(id) => {
                self.lines.retain(|(known, _)| known != id);
                (id, None)
            }
            Declared::GuardOff(id) => (id, Some(Setting::Off)),
            Declared::GuardAllow(id, pattern) => (id, Some(Setting::Allow(pattern.to_owned()))),
        };
        if let Err(why) = crate::guards::is_settable(id) {
            self.mistakes
                .push(format!("{}:{line}: {why}", escape_path(path)));
        } else if let Some(setting) = setting {
            self.lines.push((id.to_owned(), setting));
        }
    }
}

fn name(bytes: &[u8]) -> &std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(bytes)
}
