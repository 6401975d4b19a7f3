//! What a person has trusted: hashes of project files whose lines may reach outside their project.

use std::fmt::Write as _;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use blastradius_policy::{Trust, contract};
use sha2::{Digest as _, Sha256};

use super::Environment;
use crate::message::{Failure, escape, escape_path};

/// The record of trust, read when it is first asked: most projects never ask.
pub struct TrustFile {
    path: Option<PathBuf>,
}

impl TrustFile {
    /// The record of this user.
    #[must_use]
    pub fn of(environment: &Environment) -> Self {
        let name = std::str::from_utf8(contract::TRUST_FILE).expect("a constant");
        Self {
            path: environment.state_home().map(|state| state.join(name)),
        }
    }

    /// Where it is, if there is a home.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl Trust for TrustFile {
    fn trusts(&self, file: &[u8], content: &[u8]) -> bool {
        // No record, or one that cannot be read, trusts nothing.
        let Some(Ok(known)) = self.path.as_ref().map(std::fs::read) else {
            return false;
        };
        let record = Record::of(file, content);
        known
            .split(|&byte| byte == b'\n')
            .any(|line| line == record.line.as_bytes())
    }
}

/// Trusts every project file: `run --trust-project`.
pub struct Everything;

impl Trust for Everything {
    fn trusts(&self, _file: &[u8], _content: &[u8]) -> bool {
        true
    }
}

/// One file with one content.
pub struct Record {
    line: String,
}

impl Record {
    /// The record of a file as it is now.
    #[must_use]
    pub fn of(file: &[u8], content: &[u8]) -> Self {
        let mut line = String::with_capacity(64 + 1 + file.len());
        for byte in Sha256::digest(content) {
            write!(line, "{byte:02x}").expect("writing to a String");
        }
        line.push(' ');
        line.push_str(&escape(file));
        Self { line }
    }

    /// Writes it down.
    ///
    /// # Errors
    /// When there is no home, or the record cannot be written.
    pub fn keep(&self, trust: &TrustFile) -> Result<(), Failure> {
        let path = trust.path().ok_or_else(|| {
            Failure::new(
                "there is no place to record trust: HOME is not set and the user has no home",
            )
        })?;
        let written = path
            .parent()
            .map_or(Ok(()), |folder| {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)
            })
            .and_then(|()| {
                OpenOptions::new()
                    .append(true)
                    .create(true)
                    .mode(0o600)
                    .open(path)
            })
            .and_then(|mut file| file.write_all(format!("{}\n", self.line).as_bytes()));
        written.map_err(|error| Failure::new(format!("{}: {error}", escape_path(path))))
    }
}
