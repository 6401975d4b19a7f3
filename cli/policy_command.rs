//! `policy`: what holds here, and where each line comes from.

use std::fmt::Write as _;

use blastradius_policy::{Entry, EntryKind, Policy, Preset};

use crate::args;
use crate::check::existing;
use crate::environment::{Effective, Environment, Options, TrustFile, why_no_project};
use crate::exit::Exit;
use crate::guards::{Setting, Settings};
use crate::message::{Failure, escape, print, say};

/// Prints the policy in force.
///
/// # Errors
/// When the directory does not exist or the policy cannot be found.
pub fn policy(arguments: args::Scope) -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let start = arguments.cwd.as_deref().map(existing).transpose()?;
    let options = Options {
        start,
        ..Options::default()
    };
    let effective = Effective::find(&environment, &options, &TrustFile::of(&environment))?;
    let policy = effective.policy();
    if arguments.presets {
        print(presets(&policy).trim_end())?;
        return Ok(Exit::Done);
    }
    let settings = Settings::find(&environment, &policy);
    print(text(&policy, &settings, effective.is_inherited()).trim_end())?;
    for mistake in &settings.mistakes {
        say(&format!("blastradius: {mistake}\n"));
    }
    Ok(Exit::Done)
}

fn text(policy: &Policy<'_>, settings: &Settings, inherited: bool) -> String {
    let mut rows = vec![
        (
            "policy",
            policy.id().to_string(),
            if inherited {
                "of the guarded session around this process"
            } else {
                ""
            },
        ),
        (
            "project",
            policy
                .project()
                .map_or_else(|| "none".to_owned(), |path| escape(path.as_bytes())),
            "",
        ),
    ];
    let why = why_no_project(policy);
    if let Some(why) = &why {
        rows.push(("", why.clone(), ""));
    }
    if let Some(doubt) = policy.doubt() {
        rows.push((
            "doubt",
            escape(doubt),
            "everything destructive is refused until it is mended",
        ));
    }
    for home in policy.homes() {
        rows.push((
            "floor",
            escape(home.as_bytes()),
            "a home; so are /, the system directories and every ancestor of these",
        ));
    }
    for entry in policy.entries() {
        rows.push(row(entry));
    }
    rows.push((
        "limit",
        format!("glob-breadth {}", policy.glob_breadth()),
        "",
    ));
    if let Some(most) = settings.session_removals {
        rows.push(("limit", format!("session-removals {most}"), ""));
    }
    for (id, setting) in &settings.lines {
        let setting = match setting {
            Setting::Off => format!("{id} off"),
            Setting::Allow(pattern) => format!("{id} allow {}", escape(pattern.as_bytes())),
        };
        rows.push(("guard", setting, "user file"));
    }
    if let Some(log) = policy.log() {
        let all = if settings.log_all { "all" } else { "" };
        rows.push(("log", escape(log.as_bytes()), all));
    }
    table(&rows)
}

/// What every preset holds, and the reason of each line.
fn presets(policy: &Policy<'_>) -> String {
    let mut rows = Vec::new();
    for preset in Preset::ALL {
        let is_on = if policy.is_on(preset) { "on" } else { "off" };
        rows.push(("preset", preset.name().to_owned(), is_on));
        for line in preset.lines() {
            rows.push((line.word, line.pattern.to_owned(), line.reason));
        }
    }
    table(&rows)
}

fn table(rows: &[(&str, String, &str)]) -> String {
    let width = rows
        .iter()
        .map(|(_, value, _)| value.chars().count())
        .filter(|width| *width <= 60)
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (word, value, origin) in rows {
        let line = format!("{word:<9}  {value:<width$}  {origin}");
        writeln!(text, "{}", line.trim_end()).expect("writing to a String");
    }
    text
}

fn row(entry: Entry<'_>) -> (&'static str, String, &'static str) {
    let (word, origin) = describe(entry.kind);
    (word, escape(entry.pattern), origin)
}

/// The word of a line, and where it stands.
const fn describe(kind: EntryKind) -> (&'static str, &'static str) {
    match kind {
        EntryKind::AllowDefault => ("allow", "default"),
        EntryKind::AllowProject => ("allow", "project file"),
        EntryKind::AllowUser => ("allow", "user file"),
        EntryKind::Deny => ("deny", "project or user file"),
        EntryKind::StateRepository => ("state", "git's own files"),
        EntryKind::StateProject => ("state", "project file"),
        EntryKind::StateUser => ("state", "user file"),
        EntryKind::StatePreset => ("state", "preset"),
        EntryKind::Guard => ("guard", "a file of blastradius itself"),
        EntryKind::Untrusted => (
            "untrusted",
            "project file; counts once you say `blastradius trust`",
        ),
        EntryKind::Preset => ("preset", ""),
    }
}
