//! `doctor`: what holds on this machine, tried rather than assumed.

#[cfg(target_os = "linux")]
mod kernel;
mod layers;
mod probe;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use blastradius_policy::EntryKind;

use crate::environment::{Effective, Environment, why_no_project};
use crate::exit::Exit;
use crate::install::{installed, settings_path};
use crate::message::{Failure, escape, escape_path, print};
use crate::unseen;

/// What was found about one thing.
enum Finding {
    /// It holds.
    Holds(String),
    /// It does not, and should.
    Fails(String),
    /// Worth knowing.
    Note(String),
}

use Finding::{Fails, Holds, Note};
use layers::Row;

/// Tries everything: prints one line for each thing around, and a table of the layers.
///
/// # Errors
/// When stdout takes no more.
pub fn doctor() -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let mut findings = vec![(
        "version",
        Note(format!("blastradius {}", env!("CARGO_PKG_VERSION"))),
    )];
    findings.push(("home", home(&environment)));
    findings.push(("TMPDIR", temporary(&environment)));
    findings.push(("session", session(&environment)));
    findings.extend(policy(&environment));
    findings.extend(blind_spots(&environment));
    findings.extend(hooks(&environment));

    let mut well = true;
    let mut text = String::new();
    for (label, finding) in &findings {
        let (mark, words) = match finding {
            Holds(words) => ("ok", words),
            Note(words) => ("--", words),
            Fails(words) => {
                well = false;
                ("NO", words)
            }
        };
        text.push_str(&format!("{mark}  {label:<14} {words}\n"));
    }
    let layers = layers::try_all(&environment);
    well &= layers.iter().all(Row::is_well);
    text.push_str(&layers::table(&layers));
    print(text.trim_end())?;
    Ok(if well { Exit::Done } else { Exit::Unwell })
}

fn home(environment: &Environment) -> Finding {
    let account = environment.account_home.as_deref();
    match (environment.get("HOME").map(Path::new), account) {
        (Some(home), _) if !home.is_absolute() => Fails(format!(
            "HOME is {}, which is no absolute path: set it",
            quoted(home)
        )),
        (Some(home), _) if !home.is_dir() => Fails(format!(
            "HOME is {}, which does not exist",
            escape_path(home)
        )),
        (Some(home), Some(account)) if home != account => Note(format!(
            "{}; the password database says {}: both are on the floor",
            escape_path(home),
            escape_path(account)
        )),
        (Some(home), _) => Holds(escape_path(home)),
        (None, Some(account)) => Fails(format!(
            "HOME is not set; {} is taken from the password database",
            escape_path(account)
        )),
        (None, None) => Fails(
            "HOME is not set and the user has no home: no home can be protected by name".to_owned(),
        ),
    }
}

fn temporary(environment: &Environment) -> Finding {
    match environment.get("TMPDIR").map(Path::new) {
        None => Holds("not set; /tmp is in the scope".to_owned()),
        Some(path) if !path.is_absolute() => Note(format!(
            "{} is no absolute path: it adds nothing to the scope",
            quoted(path)
        )),
        Some(path) if !path.is_dir() => Note(format!("{} does not exist", escape_path(path))),
        Some(path) => Holds(escape_path(path)),
    }
}

fn session(environment: &Environment) -> Finding {
    if !environment.is_guarded() {
        return Note("not guarded".to_owned());
    }
    if environment.library_is_loaded() {
        Holds("guarded: the library is loaded into this process".to_owned())
    } else {
        Fails(
            "BLASTRADIUS_POLICY is set and the library is not loaded into this process: the variable counts for nothing"
                .to_owned(),
        )
    }
}

fn policy(environment: &Environment) -> Vec<(&'static str, Finding)> {
    let effective = match Effective::here(environment) {
        Ok(effective) => effective,
        Err(failure) => return vec![("policy", Fails(failure.to_string()))],
    };
    let policy = effective.policy();
    let mut findings = Vec::new();
    findings.push((
        "project",
        match (policy.project(), why_no_project(&policy)) {
            (Some(project), _) => Holds(escape(project.as_bytes())),
            (None, Some(why)) => Note(format!("none: {why}")),
            (None, None) => Note("none".to_owned()),
        },
    ));
    findings.push((
        "policy",
        match policy.doubt() {
            Some(doubt) => Fails(format!(
                "{}: everything destructive is refused until it is mended",
                escape(doubt)
            )),
            None => Holds(policy.id().to_string()),
        },
    ));
    for entry in policy
        .entries()
        .filter(|entry| entry.kind == EntryKind::Untrusted)
    {
        findings.push((
            "untrusted",
            Note(format!(
                "{}: this line of the project file counts once you say `blastradius trust`",
                escape(entry.pattern)
            )),
        ));
    }
    findings
}

/// Programs of former sessions in which nothing was seen.
fn blind_spots(environment: &Environment) -> Option<(&'static str, Finding)> {
    /// More than these are counted.
    const MOST_NAMED: usize = 5;
    let effective = Effective::here(environment).ok()?;
    let log = effective.policy().log()?;
    let programs = unseen::logged(Path::new(OsStr::from_bytes(log.as_bytes())));
    let mut words: Vec<String> = programs
        .iter()
        .take(MOST_NAMED)
        .map(|(path, reason)| {
            format!(
                "{} ({})",
                escape(path.as_bytes()),
                escape(reason.as_bytes())
            )
        })
        .collect();
    if programs.len() > MOST_NAMED {
        words.push(format!("{} more", programs.len() - MOST_NAMED));
    }
    let finding = Note(format!("started, and not seen into: {}", words.join(", ")));
    (!programs.is_empty()).then_some(("blind spots", finding))
}

fn hooks(environment: &Environment) -> Vec<(&'static str, Finding)> {
    [("hook, user", true), ("hook, project", false)]
        .into_iter()
        .map(|(label, global)| {
            let path = match settings_path(environment, global) {
                Ok(path) => path,
                Err(failure) => return (label, Note(failure.what().to_owned())),
            };
            let finding = match installed(&path) {
                None => Note(format!("none in {}", escape_path(&path))),
                Some(Ok(binary)) => Holds(format!(
                    "{} runs {}",
                    escape_path(&path),
                    escape(binary.as_bytes())
                )),
                Some(Err(problem)) => Fails(format!("{}: {problem}", escape_path(&path))),
            };
            (label, finding)
        })
        .collect()
}

/// Also an empty name is seen.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", escape_path(path))
}
