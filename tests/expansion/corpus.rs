//! The recorded expansions of bash, dash and zsh, where the shared corpus is at hand.

use std::path::PathBuf;

use serde_json::Value;

use blastradius_cli::shell::ast::Dialect;

use super::{in_tree, is_open};

struct Row {
    command: String,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// What `T` printed, line by line: its words, and where.
    calls: Vec<String>,
    /// The shell stopped or complained: then it may run less than another version of it.
    complains: bool,
}

fn rows(shell: &str) -> Option<Vec<Row>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = root.ancestors().find_map(|folder| {
        std::fs::read_to_string(folder.join("shared/corpus/shell_expansion.json")).ok()
    })?;
    let rows: Vec<Value> = serde_json::from_str(&text).expect("the corpus is JSON");
    let mut out = Vec::new();
    for row in rows {
        let printed = row[shell].as_str().unwrap_or_default();
        // The names in `/` are those of another machine.
        if printed.contains("</bin>") || printed.contains("<a\nb>") {
            continue;
        }
        let printed = if row["env"].get("HOME").is_some_and(Value::is_null) {
            // Whoever recorded it had this home.
            printed.replace("/root", "~H")
        } else {
            printed.to_owned()
        };
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        let mut environment: Vec<(Vec<u8>, Vec<u8>)> = vec![(b"HOME".to_vec(), Vec::new())];
        for (name, value) in row["env"].as_object().expect("variables") {
            environment.retain(|(known, _)| known != name.as_bytes());
            if let Some(value) = value.as_str() {
                environment.push((name.clone().into_bytes(), value.as_bytes().to_vec()));
            }
        }
        let calls: Vec<String> = lines
            .iter()
            .filter(|line| line.starts_with('<'))
            .cloned()
            .collect();
        out.push(Row {
            command: row["command"].as_str().expect("a string").to_owned(),
            environment,
            complains: calls.len() < lines.len(),
            calls,
        });
    }
    Some(out)
}

fn agrees(shell: &str, dialect: Dialect) {
    let Some(rows) = rows(shell) else {
        eprintln!("skipped: no shared corpus");
        return;
    };
    let (mut open, mut wrong) = (0, Vec::new());
    let count = rows.len();
    for row in rows {
        // `rm` is judged where `T` was run.
        let command = row
            .command
            .replace("T ", "rm ")
            .replace("T()", "rm()")
            .replace("alias T=", "alias rm=");
        let (report, tree) = in_tree(&command, dialect, &row.environment);
        if is_open(&report) {
            open += 1;
            continue;
        }
        let mut ours: Vec<String> = report
            .actions
            .iter()
            .filter(|action| action.program == b"rm")
            .map(|action| {
                let words: String = action.argv[1..]
                    .iter()
                    .map(|word| format!("<{}>", String::from_utf8_lossy(word)))
                    .collect();
                let words = if words.is_empty() { "<>" } else { &words };
                let cwd = action.cwd.as_ref().expect("it is known");
                let cwd = cwd.display().to_string();
                let home = tree.with_file_name("home").display().to_string();
                format!("{words} @{cwd}")
                    .replace(&tree.display().to_string(), "/w")
                    .replace(&home, "~H")
            })
            .collect();
        let mut theirs = row.calls;
        ours.sort();
        ours.dedup();
        theirs.sort();
        theirs.dedup();
        // Conditions may hold or not; `sh` may be another shell than dash.
        let more = row.complains || dialect == Dialect::Sh || row.command.starts_with("[[");
        let agrees = if more {
            theirs.iter().all(|call| ours.contains(call))
        } else {
            theirs == ours
        };
        if !agrees {
            wrong.push(format!(
                "{}\n    {shell} {theirs:?}\n    ours {ours:?}",
                row.command
            ));
        }
    }
    eprintln!("{shell}: {count} rows, {open} not wholly known");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn recorded_expansions_are_those_of_bash() {
    agrees("bash", Dialect::Bash);
}

#[test]
fn recorded_expansions_are_those_of_dash() {
    agrees("dash", Dialect::Sh);
}

#[test]
fn recorded_expansions_are_those_of_zsh() {
    agrees("zsh", Dialect::Zsh);
}
