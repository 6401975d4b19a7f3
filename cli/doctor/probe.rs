//! What is tried on: a throw-away tree with a file that is denied and one in the scope.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use blastradius_policy::{NoTrust, Origin};
use tempfile::TempDir;

use crate::environment::{Effective, Environment, library_variable};
use crate::run::{guarded, preload};

/// The tree, removed at the end.
pub(super) struct Tree {
    pub(super) root: PathBuf,
    pub(super) kept: PathBuf,
    pub(super) free: PathBuf,
    _directory: TempDir,
}

impl Tree {
    pub(super) fn new(environment: &Environment) -> Result<Self, String> {
        let temporary = environment.directory("TMPDIR").filter(|path| path.is_dir());
        let directory = tempfile::Builder::new()
            .prefix("blastradius-doctor-")
            .tempdir_in(temporary.unwrap_or(Path::new("/tmp")))
            .map_err(|error| format!("no throw-away tree: {error}"))?;
        let root = directory
            .path()
            .canonicalize()
            .map_err(|error| error.to_string())?;
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
            .map_err(|error| format!("{}: {error}", tree.root.display()))?;
        Ok(tree)
    }

    /// What came of it when a program was told to remove both.
    pub(super) fn outcome(&self, program: &str, guard: &str) -> Result<(), String> {
        match (self.kept.exists(), self.free.exists()) {
            (true, false) => Ok(()),
            (false, _) => Err(format!(
                "{program} removed a denied file: {guard} does not work here"
            )),
            (true, true) => Err(format!("{program} could not remove a file in the scope")),
        }
    }
}

/// Starts `rm` with the library on two files, one denied and one in the scope.
pub(super) fn refuses_unlink(environment: &Environment, library: &Path) -> Result<(), String> {
    let tree = Tree::new(environment)?;
    let start = tree.root.as_os_str().as_bytes();
    let origin = Origin {
        start,
        homes: &[],
        tmpdir: None,
        config_home: Some(start),
        state_home: Some(start),
        runtime_dir: None,
        uid: environment.uid,
        // Nothing counts as born after the session began.
        session_start: (i64::MAX, 0),
        launched: true,
        guard_files: &[],
        presets: &[],
    };
    let effective =
        Effective::from_origin(&origin, &NoTrust).map_err(|failure| failure.to_string())?;
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
            .map_err(|error| format!("rm cannot be started: {error}"))?;
    }
    tree.outcome("rm with the library loaded", "the library")
}
