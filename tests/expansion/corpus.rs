//! The expansions of bash, dash and zsh: those that were recorded, where the shared corpus is at hand, and those of the
//! shells that are on this machine.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use blastradius_cli::shell::ast::Dialect;

use super::{Recorded, is_open};

/// Rows that nobody can know beforehand: where the shell was before, and whose it is.
const OPEN: [&str; 2] = ["cd -; T x", "T $UID"];

struct Row {
    command: String,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// What each shell printed.
    answers: Value,
}

/// What `T` printed, line by line: its words, and where.
struct Answer {
    calls: Vec<String>,
    /// The shell stopped or complained: then it may run less than another version of it.
    complains: bool,
}

impl Answer {
    fn new(printed: &str, complains: bool) -> Self {
        let calls = printed.lines().filter(|line| line.starts_with('<'));
        Self {
            complains,
            calls: calls.map(str::to_owned).collect(),
        }
    }
}

impl Row {
    /// The names in `/` are those of another machine, and `[[` may hold or not.
    fn is_elsewhere(&self) -> bool {
        let printed = self.answers["bash"].as_str().unwrap_or_default();
        printed.contains("</bin>") || printed.contains("<a\nb>")
    }

    fn recorded(&self, shell: &str) -> Answer {
        let printed = self.answers[shell].as_str().unwrap_or_default();
        let printed = match self.answers["env"].get("HOME") {
            // Whoever recorded it had this home.
            Some(Value::Null) => printed.replace("/root", "~H"),
            _ => printed.to_owned(),
        };
        let complains = printed.lines().any(|line| !line.starts_with('<'));
        Answer::new(&printed, complains)
    }

    /// What a shell of this machine prints; `None` if that depends on who runs it.
    fn live(&self, place: &Recorded, shell: &str) -> Option<Answer> {
        if self.answers["env"].get("HOME") == Some(&Value::Null) {
            return None;
        }
        let words = "T() { printf '<%s>' \"$@\"; printf ' @%s\\n' \"$PWD\"; }\n";
        let output = Command::new(shell)
            .args(["-c", &format!("{words}{}", self.command)])
            .args(["sh0", "ARG1", "ARG2"])
            .env_clear()
            .envs(
                place
                    .at_home(&self.environment)
                    .iter()
                    .map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value))),
            )
            .env("PATH", "/usr/bin:/bin")
            .current_dir(&place.tree)
            .output()
            .expect("the shell runs");
        let printed = place.as_recorded(&String::from_utf8_lossy(&output.stdout));
        Some(Answer::new(&printed, !output.stderr.is_empty()))
    }

    /// The calls that are judged; `None` if not every word of theirs is known.
    fn judged(&self, place: &Recorded, dialect: Dialect) -> Option<Vec<String>> {
        // `rm` is judged where `T` was run.
        let command = self
            .command
            .replace("T ", "rm ")
            .replace("T()", "rm()")
            .replace("alias T=", "alias rm=");
        let report = place.judged(&command, dialect, &self.environment);
        if is_open(&report) {
            return None;
        }
        let actions = report.actions.iter();
        let mut calls: Vec<String> = actions
            .filter(|action| action.program == b"rm")
            .map(|action| {
                let words: String = action.argv[1..]
                    .iter()
                    .map(|word| format!("<{}>", String::from_utf8_lossy(word)))
                    .collect();
                let words = if words.is_empty() { "<>" } else { &words };
                let cwd = action.cwd.as_ref().expect("it is known");
                place.as_recorded(&format!("{words} @{}", cwd.display()))
            })
            .collect();
        calls.sort();
        calls.dedup();
        Some(calls)
    }
}

fn rows() -> Option<Vec<Row>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = root.ancestors().find_map(|folder| {
        std::fs::read_to_string(folder.join("shared/corpus/shell_expansion.json")).ok()
    })?;
    let rows: Vec<Value> = serde_json::from_str(&text).expect("the corpus is JSON");
    let rows = rows.into_iter().map(|row| {
        let mut environment: Vec<(Vec<u8>, Vec<u8>)> = vec![(b"HOME".to_vec(), Vec::new())];
        for (name, value) in row["env"].as_object().expect("variables") {
            environment.retain(|(known, _)| known != name.as_bytes());
            if let Some(value) = value.as_str() {
                environment.push((name.clone().into_bytes(), value.as_bytes().to_vec()));
            }
        }
        Row {
            command: row["command"].as_str().expect("a string").to_owned(),
            environment,
            answers: row,
        }
    });
    Some(rows.filter(|row| !row.is_elsewhere()).collect())
}

/// Compares what is judged for one dialect with what the shells do that it may be.
fn agrees(
    dialect: Dialect,
    shells: &[&str],
    answer: impl Fn(&Row, &Recorded, &str) -> Option<Answer>,
) {
    let Some(rows) = rows() else {
        eprintln!("skipped: no shared corpus");
        return;
    };
    let place = Recorded::new();
    let (mut open, mut wrong, mut compared) = (Vec::new(), Vec::new(), 0);
    for row in &rows {
        let Some(answers) = (shells.iter())
            .map(|shell| answer(row, &place, shell))
            .collect::<Option<Vec<Answer>>>()
        else {
            continue;
        };
        compared += 1;
        let Some(ours) = row.judged(&place, dialect) else {
            open.push(row.command.as_str());
            continue;
        };
        // Conditions may hold or not.
        let more = row.command.starts_with("[[") || answers.iter().any(|one| one.complains);
        let theirs: Vec<&String> = answers.iter().flat_map(|one| &one.calls).collect();
        let agrees = theirs.iter().all(|call| ours.contains(call))
            && (more || ours.iter().all(|call| theirs.contains(&call)));
        if !agrees {
            let command = &row.command;
            wrong.push(format!(
                "{command}\n    {shells:?} {theirs:?}\n    ours {ours:?}"
            ));
        }
    }
    assert!(compared > rows.len() * 9 / 10, "{compared} rows");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    open.retain(|command| !OPEN.contains(command));
    assert!(open.is_empty(), "not wholly known: {open:#?}");
}

fn agrees_with_recorded(dialect: Dialect, shells: &[&str]) {
    agrees(dialect, shells, |row, _, shell| Some(row.recorded(shell)));
}

fn agrees_with_live(dialect: Dialect, shells: &[&str]) {
    for shell in shells {
        if Command::new(shell).args(["-c", ":"]).output().is_err() {
            eprintln!("skipped: no {shell}");
            return;
        }
    }
    agrees(dialect, shells, Row::live);
}

#[test]
fn recorded_expansions_are_those_of_bash() {
    agrees_with_recorded(Dialect::Bash, &["bash"]);
}

#[test]
fn recorded_expansions_of_sh_are_those_of_dash_and_bash() {
    agrees_with_recorded(Dialect::Sh, &["dash", "bash"]);
}

#[test]
fn recorded_expansions_are_those_of_zsh() {
    agrees_with_recorded(Dialect::Zsh, &["zsh"]);
}

#[test]
fn recorded_expansions_of_an_unknown_shell_are_those_of_all() {
    agrees_with_recorded(Dialect::Unknown, &["bash", "dash", "zsh"]);
}

#[test]
fn expansions_are_those_of_the_bash_that_is_here() {
    agrees_with_live(Dialect::Bash, &["bash"]);
}

#[test]
fn expansions_of_sh_are_those_of_the_dash_and_the_bash_that_are_here() {
    agrees_with_live(Dialect::Sh, &["dash", "bash"]);
}

#[test]
fn expansions_are_those_of_the_zsh_that_is_here() {
    agrees_with_live(Dialect::Zsh, &["zsh"]);
}
