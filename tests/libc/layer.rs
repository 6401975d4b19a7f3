//! The layer that the tests are about: the library, preloaded.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::stage;

/// A program with the library loaded.
pub(crate) fn guarded(program: &OsStr) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("LD_PRELOAD", stage::LIBRARY);
    command
}

/// What makes one call.
pub(crate) fn caller() -> &'static Path {
    stage::caller()
}

/// Whether calls are judged inside the process, after libc's own look at them and before it goes on.
pub(crate) const IS_INSIDE: bool = true;
