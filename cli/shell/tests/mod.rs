//! Rows of strings and what they say.

mod commands;
mod doubts;
mod errors;
mod render;
mod spans;
mod stress;
mod words;

use super::ast::{CommandKind, Dialect, Script};
use super::{read, walk};

/// The simple commands of a script at every level, as rendered.
fn simple(script: &Script) -> Vec<String> {
    let mut found = Vec::new();
    walk::for_each_command(script, &mut |command| {
        if matches!(command.kind, CommandKind::Simple { .. }) {
            found.push(render::command(command));
        }
    });
    found
}

/// Whether `rm V` is among the simple commands of `source`, and the whole of it is read.
fn runs_rm(source: &str, dialect: Dialect) -> bool {
    let script = read(source.as_bytes(), dialect);
    assert_eq!(script.error, None, "{source}");
    simple(&script).iter().any(|command| command == "rm V")
}
