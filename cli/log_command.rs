//! `log`: the refusals so far.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::environment::{Effective, Environment};
use crate::exit::Exit;
use crate::message::{Failure, escape, print};

/// Prints the log as it is: one JSON object a line.
///
/// # Errors
/// When there is no place for a log, or it cannot be read.
pub fn log() -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let effective = Effective::here(&environment)?;
    let policy = effective.policy();
    let path = policy
        .log()
        .ok_or_else(|| Failure::new("there is no log: HOME is not set and the user has no home"))?;
    match fs::read(Path::new(OsStr::from_bytes(path.as_bytes()))) {
        Ok(lines) if !lines.is_empty() => print(lines.trim_ascii_end())?,
        // Nothing was ever refused.
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            let name = escape(path.as_bytes());
            return Err(Failure::new(format!("{name}: {error}")));
        }
    }
    Ok(Exit::Done)
}
