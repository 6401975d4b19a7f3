//! `trust`: a person looks at what a project file asks for, and says yes.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use blastradius_policy::{EntryKind, contract};

use crate::environment::{Effective, Environment, Options, Record, TrustFile};
use crate::exit::Exit;
use crate::message::{Failure, escape, say};

/// Shows the lines that do not count yet and asks.
///
/// # Errors
/// When there is no terminal to ask at, or the record cannot be written.
pub fn trust() -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    if environment.is_guarded() {
        say(
            "blastradius: refused: trust is given by a person, not from inside a guarded session\n  run `blastradius trust` yourself, outside the agent\n",
        );
        return Ok(Exit::Refused);
    }
    let record = TrustFile::of(&environment);
    let effective = Effective::discover(&environment, &Options::default(), &record)?;
    let policy = effective.policy();
    if let Some(doubt) = policy.doubt() {
        return Err(Failure::new(escape(doubt))
            .hint("mend the file first: nothing in it can be trusted as it is"));
    }
    let lines: Vec<String> = policy
        .entries()
        .filter(|entry| entry.kind == EntryKind::Untrusted)
        .map(|entry| format!("  {}\n", escape(entry.pattern)))
        .collect();
    let Some(project) = policy.project().filter(|_| !lines.is_empty()) else {
        say("blastradius: nothing here waits to be trusted\n");
        return Ok(Exit::Done);
    };
    let file = PathBuf::from(OsStr::from_bytes(project.as_bytes()))
        .join(OsStr::from_bytes(contract::PROJECT_FILE));
    let name = file.as_os_str().as_bytes();
    let content =
        fs::read(&file).map_err(|error| Failure::new(format!("{}: {error}", escape(name))))?;
    say(&format!(
        "{} asks that commands may delete and overwrite outside the project:\n\n{}\n",
        escape(name),
        lines.concat()
    ));
    if !confirmed()? {
        say("blastradius: nothing was recorded\n");
        return Ok(Exit::Refused);
    }
    Record::of(name, &content).keep(&record)?;
    say("blastradius: trusted until the file changes\n");
    Ok(Exit::Done)
}

fn confirmed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(
            Failure::new("a person must say yes at a terminal, and this is none")
                .hint("run `blastradius trust` yourself in a terminal"),
        );
    }
    say("Trust this file as it is now? Type yes: ");
    let mut answer = String::new();
    io::stdin()
        .read_line(&mut answer)
        .map_err(|error| Failure::new(format!("the terminal cannot be read: {error}")))?;
    Ok(answer.trim() == "yes")
}
