//! The shell reader against strings whose commands are known by construction, and against what bash accepts.
//!
//! `BLASTRADIUS_FUZZ_SEED` and `BLASTRADIUS_FUZZ_COUNT` ask for other strings, or for more.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use blastradius_cli::shell::{
    ast::{CommandKind, Dialect, Piece, Script, Word},
    read,
    walk::for_each_command,
};
use serde_json::Value;

/// A file beside the repository; `None`, with a notice, where there is none.
fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn variable(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

/// The second word of every `rm WORD` that would run.
fn removed(script: &Script) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for_each_command(script, &mut |command| {
        if let CommandKind::Simple { words, .. } = &command.kind
            && let [first, second] = words.as_slice()
            && literal(first).as_deref() == Some("rm")
        {
            out.extend(literal(second));
        }
    });
    out
}

fn literal(word: &Word) -> Option<String> {
    match word.pieces.as_slice() {
        [Piece::Literal { bytes, .. }] => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

fn strings(row: &Value, key: &str) -> BTreeSet<String> {
    row[key]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|id| Some(id.as_str()?.to_owned()))
        .collect()
}

#[test]
fn finds_every_generated_command_and_invents_none() {
    let Some(fuzz) = shared("tools/shell-fuzz") else {
        return;
    };
    let (seed, count) = (
        variable("BLASTRADIUS_FUZZ_SEED", "7"),
        variable("BLASTRADIUS_FUZZ_COUNT", "1500"),
    );
    let output = Command::new(fuzz)
        .args([&seed, &count])
        .output()
        .expect("python3 runs");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
        let row: Value = serde_json::from_str(line).expect("a JSON line");
        let source = row["cmd"].as_str().expect("a command");
        let script = read(source.as_bytes(), Dialect::Bash);
        let found = removed(&script);
        let hidden: Vec<_> = strings(&row, "executed")
            .difference(&found)
            .cloned()
            .collect();
        let invented: Vec<_> = strings(&row, "inert")
            .intersection(&found)
            .cloned()
            .collect();
        if !hidden.is_empty() || !invented.is_empty() || script.error.is_some() {
            wrong.push(format!(
                "hidden {hidden:?}, invented {invented:?}, error {:?} in\n{source}\n",
                script.error
            ));
        }
        seen += 1;
    }
    assert!(seen > 0, "the generator gave nothing");
    assert!(
        wrong.is_empty(),
        "{} of {seen}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
}

fn corpus() -> Option<Vec<(String, bool)>> {
    let text =
        std::fs::read_to_string(shared("corpus/shell_commands.json")?).expect("a readable corpus");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("a JSON array");
    Some(
        rows.iter()
            .filter_map(|row| {
                Some((
                    row["command"].as_str()?.to_owned(),
                    row["bash_accepts"].as_bool()?,
                ))
            })
            .collect(),
    )
}

#[test]
fn accepts_what_bash_accepts() {
    let Some(rows) = corpus() else { return };
    let differing: Vec<String> = rows
        .iter()
        .filter(|(source, accepted)| {
            read(source.as_bytes(), Dialect::Bash).error.is_none() != *accepted
        })
        .map(|(source, accepted)| {
            format!(
                "bash accepts: {accepted}: {source:?}: {:?}",
                read(source.as_bytes(), Dialect::Bash).error
            )
        })
        .collect();
    let allowed = rows.len() * 5 / 1000;
    assert!(
        differing.len() <= allowed,
        "{} of {} differ:\n{}",
        differing.len(),
        rows.len(),
        differing.join("\n")
    );
}

#[test]
fn survives_changed_bytes() {
    let Some(rows) = corpus() else { return };
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("it is below a usize")
    };
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 50 });
    for _ in 0..20_000 {
        let mut source = rows[next(rows.len())].0.clone().into_bytes();
        for _ in 0..=next(3) {
            if source.is_empty() {
                break;
            }
            let at = next(source.len());
            let signs = b"()${}`'\"\\;&|<>\n#!=[]*~ ";
            match next(3) {
                0 => source[at] = signs[next(signs.len())],
                1 => {
                    source.remove(at);
                }
                _ => source.insert(at, u8::try_from(next(256)).expect("a byte")),
            }
        }
        let began = Instant::now();
        let script = read(&source, Dialect::Unknown);
        assert!(
            began.elapsed() < limit,
            "{:?}",
            String::from_utf8_lossy(&source)
        );
        drop(script);
    }
}
