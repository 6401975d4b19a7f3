//! A throw-away home with a project in it, and the binary run there.
//!
//! It lies below /var/tmp because /tmp is in the default scope.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The tree: `home`, `home/proj` (a repository), `home/notes` (outside every scope).
pub(crate) struct House {
    root: TempDir,
}

/// What a run of the binary came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl House {
    pub(crate) fn new() -> Self {
        let root = tempfile::Builder::new()
            .prefix("blastradius-test-")
            .tempdir_in("/var/tmp")
            .unwrap();
        let house = Self { root };
        for folder in [
            "home/proj/.git/objects",
            "home/proj/.git/refs",
            "home/proj/build",
            "home/notes",
            "home/.cache",
        ] {
            std::fs::create_dir_all(house.path(folder)).unwrap();
        }
        house.write("home/proj/.git/HEAD", "ref: refs/heads/main\n");
        house.write("home/proj/build/a.o", "x");
        house.write("home/proj/my file", "x");
        house.write("home/notes/thesis.txt", "x");
        house
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("home/proj")
    }

    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap()
    }

    /// The binary, in the project, with a bare environment.
    pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(&self, words: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_blastradius"));
        command
            .args(words)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .env("SHELL", "/bin/bash")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(&self, words: &[S]) -> Outcome {
        self.command(words).output().unwrap().into()
    }

    /// `hook claude-code` with this input.
    pub(crate) fn hook(&self, input: impl AsRef<[u8]>) -> Outcome {
        feed(self.command(&["hook", "claude-code"]), input.as_ref())
    }
}

/// Runs a command with something on its stdin.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // An oversized input is not read to its end.
    child.stdin.take().unwrap().write_all(input).ok();
    child.wait_with_output().unwrap().into()
}

/// A path as it stands in JSON.
pub(crate) fn json(path: &Path) -> String {
    serde_json::Value::from(path.to_str().unwrap()).to_string()
}
