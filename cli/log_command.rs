//! `log`: the refusals so far.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::environment::{Effective, Environment, Options, TrustFile};
use crate::exit::Exit;
use crate::message::{Failure, escape};

/// Prints the log as it is: one JSON object a line.
///
/// # Errors
/// When there is no place for a log, or it cannot be read.
pub fn log() -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let effective = Effective::find(
        &environment,
        &Options::default(),
        &TrustFile::of(&environment),
    )?;
    let policy = effective.policy();
    let path = policy
        .log()
        .ok_or_else(|| Failure::new("there is no log: HOME is not set and the user has no home"))?;
    let named = |error: io::Error| Failure::new(format!("{}: {error}", escape(path.as_bytes())));
    match File::open(Path::new(OsStr::from_bytes(path.as_bytes()))) {
        Ok(mut file) => io::copy(&mut file, &mut io::stdout().lock()).map_err(named)?,
        // Nothing was ever refused.
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(named(error)),
    };
    Ok(Exit::Done)
}
