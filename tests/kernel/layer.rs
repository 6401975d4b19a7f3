//! The layer that the tests are about: the supervisor, asked by a program into which nothing is loaded.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::stage;

/// A program below a supervisor, and nothing else.
pub(crate) fn guarded(program: &OsStr) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_blastradius"));
    command.env_clear();
    command.args(["run", "--layers", "kernel", "--"]);
    command.arg(program);
    command
}

/// What makes one call.
pub(crate) fn caller() -> &'static Path {
    stage::static_caller().expect("a static libc is needed to test what the library cannot see")
}

/// Whether calls are judged inside the process, after libc's own look at them and before it goes on.
pub(crate) const IS_INSIDE: bool = false;
