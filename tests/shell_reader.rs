//! The shell reader against generated strings whose commands are known, and against collected ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use blastradius_cli::shell::ast::{CommandKind, Dialect, Piece, Script, Word};
use blastradius_cli::shell::{read, walk};
use serde_json::Value;

/// A file of the shared corpus, which stands beside the checkout or further up.
fn shared(name: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .skip(1)
        .map(|above| above.join("shared").join(name))
        .find(|path| path.exists());
    if found.is_none() {
        eprintln!("shared/{name} is not there: nothing is proved");
    }
    found
}

/// A number from the environment, so that a longer run can be asked for.
fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

fn text(word: &Word) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in &word.pieces {
        if let Piece::Literal { bytes, .. } = piece {
            text.extend_from_slice(bytes);
        }
    }
    text
}

/// What the simple commands `rm WORD` of a script remove.
fn removed(script: &Script) -> BTreeSet<String> {
    let mut removed = BTreeSet::new();
    walk::for_each_command(script, &mut |command| {
        if let CommandKind::Simple { words, .. } = &command.kind
            && words.len() > 1
            && text(&words[0]) == b"rm"
        {
            removed.insert(String::from_utf8(text(&words[1])).unwrap());
        }
    });
    removed
}

fn names(case: &Value, key: &str) -> BTreeSet<String> {
    case[key]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn finds_all_commands_that_run_and_none_that_is_data() {
    let Some(generator) = shared("tools/shell-fuzz") else {
        return;
    };
    let seed = asked("SHELL_READER_SEED", 7);
    let count = asked("SHELL_READER_COUNT", 2_000);
    let output = Command::new(generator)
        .args([seed.to_string(), count.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success());
    let (mut cases, mut refused, mut hidden, mut invented) = (0, 0, 0, 0);
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let command = case["cmd"].as_str().unwrap();
        let script = read(command.as_bytes(), Dialect::Bash);
        let removed = removed(&script);
        cases += 1;
        let report = |what: &str, wrong: bool, count: &mut usize| {
            if wrong {
                *count += 1;
                if *count <= 3 {
                    eprintln!("{what}: {:?}\n{command}\n", script.error);
                }
            }
        };
        report("refused", script.error.is_some(), &mut refused);
        report(
            "hidden",
            !names(&case, "executed").is_subset(&removed),
            &mut hidden,
        );
        report(
            "invented",
            !names(&case, "inert").is_disjoint(&removed),
            &mut invented,
        );
    }
    eprintln!("seed {seed}: {cases} strings");
    assert!(cases > 0);
    assert_eq!((refused, hidden, invented), (0, 0, 0));
}

fn collected() -> Vec<(Vec<u8>, bool)> {
    let Some(path) = shared("corpus/shell_commands.json") else {
        return Vec::new();
    };
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    cases
        .iter()
        .map(|case| {
            let command = case["command"].as_str().unwrap().as_bytes().to_vec();
            (command, case["bash_accepts"].as_bool().unwrap())
        })
        .collect()
}

#[test]
fn accepts_what_bash_accepts() {
    let collected = collected();
    let mut differing = Vec::new();
    for (command, accepted) in &collected {
        let script = read(command, Dialect::Bash);
        if script.error.is_none() != *accepted {
            differing.push((String::from_utf8_lossy(command), script.error));
        }
    }
    for (command, error) in &differing {
        eprintln!("bash says otherwise: {error:?}\n{command}\n");
    }
    assert!(
        differing.len() * 200 <= collected.len(),
        "{}",
        differing.len()
    );
}

fn timed(command: &[u8]) -> (Script, Duration) {
    let start = Instant::now();
    let script = read(command, Dialect::Unknown);
    (script, start.elapsed())
}

#[test]
fn answers_quickly_whatever_the_bytes() {
    const SYNTAX: &[u8] = b"(){}[]$`'\"\\;&|<>#!=~*?\n\t -+:/%^,@x0";
    let collected = collected();
    if collected.is_empty() {
        return;
    }
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 50 });
    let mut state = asked("SHELL_READER_SEED", 7);
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..20_000 {
        let mut command = collected[round % collected.len()].0.clone();
        for _ in 0..=random(4) {
            let at = random(command.len() + 1);
            match random(3) {
                0 => command.insert(at, SYNTAX[random(SYNTAX.len())]),
                1 if at < command.len() => command[at] = SYNTAX[random(SYNTAX.len())],
                _ if at < command.len() => drop(command.remove(at)),
                _ => command.extend_from_within(command.len() / 2..),
            }
        }
        let (mut script, mut taken) = timed(&command);
        // A busy machine may take its time over one; the same string is given two more chances.
        for _ in 0..2 {
            if taken >= limit {
                (script, taken) = timed(&command);
            }
        }
        let shown = String::from_utf8_lossy(&command);
        assert!(taken < limit, "{taken:?}: {shown}");
        if let Some(error) = script.error {
            assert!(
                error.line_start <= error.at && error.at <= command.len(),
                "{shown}"
            );
        }
    }
}
