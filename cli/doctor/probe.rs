//! What is tried on: a throw-away tree with a file that is denied and one in the scope.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use blastradius_policy::{NoTrust, Origin};
use tempfile::TempDir;

use crate::environment::{Effective, Environment, library_variable};
use crate::run::{guarded, preload};

/// Why a layer was not seen to hold.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only the kernel's layers may be missing")
)]
pub(super) enum Problem {
    /// This system has none, or a sandbox forbids it.
    NotToBeHad(String),
    /// Nothing can be said.
    Untried(String),
    /// It does not do what it should.
    Broken(String),
}

/// The tree, removed at the end.
pub(super) struct Tree {
    pub(super) root: PathBuf,
    pub(super) kept: PathBuf,
    pub(super) free: PathBuf,
    _directory: TempDir,
}

impl Tree {
    pub(super) fn new(environment: &Environment) -> Result<Self, Problem> {
        let temporary = environment.directory("TMPDIR").filter(|path| path.is_dir());
        let directory = tempfile::Builder::new()
            .prefix("blastradius-doctor-")
            .tempdir_in(temporary.unwrap_or(Path::new("/tmp")))
            .map_err(|error| Problem::Broken(format!("no throw-away tree: {error}")))?;
        let root = directory
            .path()
            .canonicalize()
            .map_err(|error| Problem::Broken(error.to_string()))?;
        let tree = Self {
            kept: root.join("kept/file"),
            free: root.join("free/file"),
            root,
            _directory: directory,
        };
        fs::create_dir(tree.root.join("kept"))
            .and_then(|()| fs::create_dir(tree.root.join("free")))
            .and_then(|()| fs::write(tree.root.join(".blastradius"), "deny ./kept/**\n"))
            .and_then(|()| fs::write(&tree.kept, "x"))
            .and_then(|()| fs::write(&tree.free, "x"))
            .map_err(|error| Problem::Broken(format!("{}: {error}", tree.root.display())))?;
        Ok(tree)
    }

    /// The policy of a session that began here.
    pub(super) fn policy(&self, environment: &Environment) -> Result<Effective, Problem> {
        let start = self.root.as_os_str().as_bytes();
        let origin = Origin {
            start,
            homes: &[],
            tmpdir: None,
            config_home: Some(start),
            // What is tried is no refusal worth a line in the log.
            state_home: Some(start),
            runtime_dir: None,
            uid: environment.uid,
            // Nothing counts as born after the session began.
            session_start: (i64::MAX, 0),
            launched: true,
            guard_files: &[],
            presets: &[],
        };
        Effective::from_origin(&origin, &NoTrust)
            .map_err(|failure| Problem::Broken(failure.to_string()))
    }

    /// What came of it when a program was told to remove both.
    pub(super) fn outcome(&self, program: &str, guard: &str) -> Result<(), Problem> {
        let words = match (self.kept.exists(), self.free.exists()) {
            (true, false) => return Ok(()),
            (false, _) => format!("{program} removed a denied file: {guard} does not work here"),
            (true, true) => format!("{program} could not remove a file in the scope"),
        };
        Err(Problem::Broken(words))
    }
}

/// Starts `rm` with the library on two files, one denied and one in the scope.
pub(super) fn refuses_unlink(environment: &Environment, library: &Path) -> Result<(), Problem> {
    let tree = Tree::new(environment)?;
    let effective = tree.policy(environment)?;
    for target in [&tree.kept, &tree.free] {
        let words = [
            b"rm".to_vec(),
            b"-f".to_vec(),
            target.as_os_str().as_bytes().to_vec(),
        ];
        guarded(&words, &effective)
            .current_dir(&tree.root)
            .env(library_variable(), preload(environment, library))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| Problem::Broken(format!("rm cannot be started: {error}")))?;
    }
    tree.outcome("rm with the library loaded", "the library")
}
