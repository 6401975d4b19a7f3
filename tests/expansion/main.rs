//! The words that a command line's `rm` is given, as judged and as bash gives them.
//!
//! Strings are generated; in bash `rm` is a function that prints its words and its directory. Every call that
//! bash makes must be among the calls that were judged, unless a word of that line was said to be unknown.
//! `BLASTRADIUS_FUZZ_SEED` and `BLASTRADIUS_FUZZ_COUNT` ask for other strings, or for more.

mod corpus;
mod others;
mod statements;
mod words;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use blastradius_cli::{
    disk::Disk,
    judge::{self, Session},
    report::{Action, Report},
    shell::ast::Dialect,
};
use blastradius_policy::{NoTrust, Origin, Policy, PolicyText, Rule, discover};
use statements::Dice;

const VARIABLES: &[(&str, &str)] = &[
    ("X", "d e"),
    ("Y", ""),
    ("W", "a*"),
    ("V", "p:q:r"),
    ("P", "../b"),
    ("N", "3"),
    ("S", " lead trail "),
    ("Q", "a/sub/f.x.y"),
    ("G", "[ab]"),
    ("T", "~"),
    ("B", "x\\y"),
    ("I", "N"),
    ("J", "A[1]"),
    ("U", "A[@]"),
    ("K", "N+1"),
    ("M", "a.b/c d"),
    ("HOME", "/h"),
];

/// Reads NUL-ended strings, runs each in a shell of its own, and prints a record for every `rm`.
const RUNNER: &str = r#"
rm() { printf '%s\0' R "$PWD" "$#" "$@" >&3; }
export LC_ALL=C PATH=/nowhere
while IFS= read -r -d '' string; do
    (ulimit -t 2 -v 400000; set -- one 'two words' ''; A=(p 'q r' '' s.t); eval "$string"; wait) </dev/null >/dev/null 2>&1
    (($? > 128)) && printf 'K\0' >&3
    printf 'E\0' >&3
done 3>&1
"#;

/// A call of `rm`: its directory and its words.
type Call = (PathBuf, Vec<Vec<u8>>);

/// The calls that bash makes, string by string; `None` where it was stopped, because it took too long.
fn in_bash(tree: &Path, strings: &[String]) -> Vec<Option<Vec<Call>>> {
    let list: Vec<u8> = strings
        .iter()
        .flat_map(|string| [string.as_bytes(), b"\0"].concat())
        .collect();
    let input = tree.parent().expect("a parent").join("strings");
    fs::write(&input, list).expect("the strings are written");
    let output = Command::new("bash")
        .args(["--norc", "-c", RUNNER])
        .env_clear()
        .envs(VARIABLES.iter().copied())
        .current_dir(tree)
        .stdin(Stdio::from(fs::File::open(&input).expect("it was written")))
        .stderr(Stdio::null())
        .output()
        .expect("bash runs");
    let mut all: Vec<Option<Vec<Call>>> = vec![Some(Vec::new())];
    let mut records = output.stdout.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        match record {
            b"R" => {
                let call = call(&mut records);
                if let Some(calls) = all.last_mut().expect("a string") {
                    calls.push(call);
                }
            }
            b"K" => *all.last_mut().expect("a string") = None,
            b"E" => all.push(Some(Vec::new())),
            _ => {}
        }
    }
    all.truncate(strings.len());
    all
}

/// What follows an `R`.
fn call<'a>(records: &mut impl Iterator<Item = &'a [u8]>) -> Call {
    let cwd = PathBuf::from(OsStr::from_bytes(records.next().expect("a directory")));
    let count = std::str::from_utf8(records.next().expect("a count")).expect("digits");
    let mut words = vec![b"rm".to_vec()];
    for _ in 0..count.parse::<usize>().expect("a number") {
        words.push(records.next().expect("a word").to_vec());
    }
    (cwd, words)
}

/// The calls of one string.
fn records(printed: &[u8]) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut records = printed.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        if record == b"R" {
            calls.push(call(&mut records));
        }
    }
    calls
}

fn judged(tree: &Path, string: &str) -> Report {
    let string = format!("A=(p 'q r' '' s.t); {string}");
    let environment: Vec<(Vec<u8>, Vec<u8>)> = VARIABLES
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect();
    let positional = ["bash", "one", "two words", ""];
    let home = Path::new("/h");
    judged_as(tree, home, &string, Dialect::Bash, environment, &positional)
}

fn judged_as(
    tree: &Path,
    home: &Path,
    string: &str,
    dialect: Dialect,
    mut environment: Vec<(Vec<u8>, Vec<u8>)>,
    positional: &[&str],
) -> Report {
    let start = tree.as_os_str().as_bytes();
    let mut text = Box::new(PolicyText::new());
    let origin = Origin {
        start,
        homes: &[home.as_os_str().as_bytes()],
        tmpdir: None,
        config_home: None,
        state_home: None,
        runtime_dir: None,
        uid: 1000,
        session_start: (0, 0),
        launched: true,
        guard_files: &[],
        presets: &[],
    };
    discover(&Disk, &origin, &NoTrust, &mut text).expect("the scope is small");
    let policy = Policy::parse(text.as_bytes()).expect("it was just written");
    environment.push((b"PWD".to_vec(), start.to_vec()));
    let session = Session {
        policy: &policy,
        environment: &environment,
        cwd: Some(tree),
        dialect,
        strict: false,
        lower_layers: false,
        explain: false,
    };
    let positional: Vec<Vec<u8>> = positional
        .iter()
        .map(|word| word.as_bytes().to_vec())
        .collect();
    judge::string(&session, string.as_bytes(), &positional)
}

/// The tree that the shared corpus was recorded in.
struct Recorded {
    tree: PathBuf,
    home: PathBuf,
    _folder: tempfile::TempDir,
}

impl Recorded {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = folder.path().canonicalize().expect("it is there").join("w");
        for directory in ["a/sub", "b"] {
            fs::create_dir_all(tree.join(directory)).expect("a directory");
        }
        for file in ["f1.log", "f2.log", ".env", "-rf", "x y", "a/k"] {
            fs::write(tree.join(file), "x").expect("a file");
        }
        let home = tree.with_file_name("home");
        fs::create_dir(&home).expect("a directory");
        std::os::unix::fs::symlink(&home, tree.join("link")).expect("a link");
        Self {
            tree,
            home,
            _folder: folder,
        }
    }

    fn judged(&self, string: &str, dialect: Dialect, environment: &[(Vec<u8>, Vec<u8>)]) -> Report {
        let environment = self.at_home(environment);
        let positional = ["sh0", "ARG1", "ARG2"];
        judged_as(
            &self.tree,
            &self.home,
            string,
            dialect,
            environment,
            &positional,
        )
    }

    /// With the home of this tree.
    fn at_home(&self, environment: &[(Vec<u8>, Vec<u8>)]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut environment = environment.to_vec();
        for (name, value) in &mut environment {
            if name == b"HOME" {
                *value = self.home.as_os_str().as_bytes().to_vec();
            }
        }
        environment
    }

    /// What is said of this tree, as it was recorded.
    fn as_recorded(&self, text: &str) -> String {
        text.replace(&self.tree.display().to_string(), "/w")
            .replace(&self.home.display().to_string(), "~H")
    }
}

/// Whether a report says of itself that it does not know every word.
fn is_open(report: &Report) -> bool {
    report
        .actions
        .iter()
        .any(|action| !action.exact || action.cwd.is_none())
        || report.refusals().any(|(_, target)| {
            target.refusal.as_ref().is_some_and(|refusal| {
                matches!(
                    refusal.rule,
                    Rule::UnresolvableTarget | Rule::UnparseableCommand
                )
            })
        })
}

/// Where a directory lies, however it is spelled.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The names of a glob, which come in whatever order.
fn sorted(words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words = words.to_vec();
    words.sort();
    words
}

fn missed<'a>(report: &Report, calls: &'a [Call]) -> Option<&'a Call> {
    calls.iter().find(|(cwd, words)| {
        // Without operands nothing is removed.
        words.len() > 2
            && !report.actions.iter().any(|action| {
                action.program == b"rm"
                    && sorted(&action.argv) == sorted(words)
                    && action.cwd.as_deref().map(real) == Some(real(cwd))
            })
    })
}

/// A call that was judged although bash does not make it.
fn invented<'a>(report: &'a Report, calls: &[Call]) -> Option<&'a Action> {
    report.actions.iter().find(|action| {
        action.argv.len() > 2
            && !calls.iter().any(|(cwd, words)| {
                sorted(&action.argv) == sorted(words)
                    && action.cwd.as_deref().map(real) == Some(real(cwd))
            })
    })
}

/// Whether bash runs a string at all: what it finds an error in is judged as if it were none.
fn is_valid(string: &str) -> bool {
    let mut bash = Command::new("bash");
    let status = bash
        .args(["-n", "-c", string])
        .stderr(Stdio::null())
        .status();
    status.expect("bash runs").success()
}

fn show(words: &[Vec<u8>]) -> String {
    words
        .iter()
        .map(|word| format!("{:?}", String::from_utf8_lossy(word)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a word is a path that is there, outside of the tree.
fn is_elsewhere(word: &[u8], tree: &Path) -> bool {
    let path = Path::new(OsStr::from_bytes(word));
    path.components().count() > 1 && path.is_absolute() && !path.starts_with(tree) && path.exists()
}

/// Whether a string has but one way to go: there, what is judged must be what runs and no more.
fn is_straight(number: usize) -> bool {
    !number.is_multiple_of(3)
}

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Where generated strings run.
fn tree(folder: &Path) -> PathBuf {
    // Deep enough that going up leads nowhere else.
    let tree = folder.canonicalize().expect("it is there").join("a/b/c/w");
    for directory in [".git", "a/sub", "b", "x y"] {
        fs::create_dir_all(tree.join(directory)).expect("a directory");
    }
    for file in ["f1.log", "f2.log", ".env", "-rf", "a/b", "a/sub/f.x.y"] {
        fs::write(tree.join(file), "x").expect("a file");
    }
    std::os::unix::fs::symlink("a/sub", tree.join("link")).expect("a link");
    tree
}

/// Strings of a thousand of which every word is known.
const LEAST_KNOWN: usize = 730;

#[test]
fn words_are_those_of_bash() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: no bash");
        return;
    }
    let mut dice = Dice(asked("BLASTRADIUS_FUZZ_SEED", 7) | 1);
    let count = usize::try_from(asked("BLASTRADIUS_FUZZ_COUNT", 5000)).expect("a count");
    let folder = tempfile::tempdir().expect("a folder");
    let tree = tree(folder.path());
    let strings: Vec<String> = (0..count)
        .map(|number| {
            if is_straight(number) {
                dice.short()
            } else {
                dice.string()
            }
        })
        .collect();
    let calls = in_bash(&tree, &strings);
    assert_eq!(calls.len(), strings.len(), "bash ran every string");
    let mut wrong = Vec::new();
    let (mut open, mut made) = (0, 0);
    for (number, (string, calls)) in strings.iter().zip(&calls).enumerate() {
        let Some(calls) = calls else {
            open += 1;
            continue;
        };
        let report = judged(&tree, string);
        made += calls.len();
        // What stands outside changes while one looks.
        let moves = |(_, words): &Call| words.iter().any(|word| is_elsewhere(word, &tree));
        let difference = if is_open(&report) || calls.iter().any(moves) {
            open += 1;
            continue;
        } else if let Some((cwd, words)) = missed(&report, calls) {
            format!("bash   {} in {cwd:?}", show(words))
        } else if is_straight(number)
            && let Some(action) = invented(&report, calls)
            && is_valid(string)
        {
            format!("only   {} in {:?}", show(&action.argv), action.cwd)
        } else {
            continue;
        };
        let ours: Vec<String> = report
            .actions
            .iter()
            .map(|action| format!("\n    judged {} in {:?}", show(&action.argv), action.cwd))
            .collect();
        wrong.push(format!("{string}\n    {difference}{}", ours.concat()));
    }
    let known = (count - open) * 1000 / count.max(1);
    eprintln!(
        "{count} strings, {made} calls, {}.{} % wholly known",
        known / 10,
        known % 10
    );
    assert!(
        wrong.is_empty(),
        "{} of {count} strings differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(known >= LEAST_KNOWN, "too little is wholly known");
}
