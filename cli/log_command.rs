//! `log`: what was refused so far, and what nearly was.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::args;
use crate::environment::{Effective, Environment};
use crate::exit::Exit;
use crate::log::{Filter, columns, entries, follow, row, summary};
use crate::message::{Failure, escape, print};

/// Prints the log as a table with a summary of its rules, or as it is: one JSON object a line.
///
/// # Errors
/// When there is no place for a log, or it cannot be read.
pub fn log(arguments: &args::Log) -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let effective = Effective::here(&environment)?;
    let policy = effective.policy();
    let path = policy
        .log()
        .ok_or_else(|| Failure::new("there is no log: HOME is not set and the user has no home"))?;
    let unreadable = |error| {
        let name = escape(path.as_bytes());
        Failure::new(format!("{name}: {error}"))
    };
    let path = Path::new(OsStr::from_bytes(path.as_bytes()));
    let filter = Filter {
        refused: arguments.refused,
        near: arguments.near,
        since: arguments.since,
        session: arguments.session.clone(),
    };
    let found = entries(path, &filter).map_err(unreadable)?;
    if !arguments.json && (arguments.follow || !found.is_empty()) {
        print(columns())?;
    }
    for (line, entry) in &found {
        match arguments.json {
            true => print(line)?,
            false => print(row(entry))?,
        }
    }
    if arguments.follow {
        follow(path, &filter, |line, entry| match arguments.json {
            true => print(line).is_ok(),
            false => print(row(entry)).is_ok(),
        })
        .map_err(unreadable)?;
    } else if !arguments.json {
        let summary = summary(found.iter().map(|(_, entry)| entry));
        if !summary.is_empty() {
            print(format!("\n{summary}"))?;
        }
    }
    Ok(Exit::Done)
}
