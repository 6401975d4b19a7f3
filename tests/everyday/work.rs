//! One piece of work, done twice at the same place, unguarded and below `run`: what it says, its status, and all
//! that lies in the home afterwards are the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::house::{House, Outcome, tools, tree};

/// A piece of work in the project, which is empty but for what `before` puts there or in the home. What `before` has
/// made is older than the session: nothing of it is newborn.
pub(super) struct Work {
    pub(super) name: &'static str,
    pub(super) needs: &'static [&'static str],
    pub(super) before: &'static str,
    pub(super) script: &'static str,
}

/// The home, by names that are the same every time: how many have it, and what one of them is.
type Home = BTreeMap<PathBuf, (usize, tree::Node)>;

pub(super) fn every(works: &[Work]) {
    let mut faults = String::new();
    for work in works {
        if tools::has(work.name, work.needs)
            && let Some(fault) = compare(work)
        {
            faults.push_str(&format!("\n{}: {fault}", work.name));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

fn compare(work: &Work) -> Option<String> {
    let house = House::new();
    let (expected, wanted) = once(&house, work, false);
    if expected.status != Some(0) && !work.name.starts_with("a failing") {
        return Some(format!("it fails unguarded: {expected:#?}"));
    }
    let (outcome, found) = once(&house, work, true);
    if (outcome.status, &outcome.stdout, &outcome.stderr)
        != (expected.status, &expected.stdout, &expected.stderr)
    {
        return Some(format!("{outcome:#?} instead of {expected:#?}"));
    }
    // What a terminal was told may have gone elsewhere.
    let log = std::fs::read_to_string(house.path(LOG)).unwrap_or_default();
    let refusals: Vec<_> = log
        .lines()
        .filter(|line| line.contains("\"refuse\""))
        .collect();
    if !refusals.is_empty() {
        return Some(format!("the log holds {refusals:#?}"));
    }
    let differs = |a: &Home, b: &Home| -> Vec<PathBuf> {
        a.iter()
            .filter(|(name, node)| b.get(*name) != Some(node))
            .map(|(name, _)| name.clone())
            .collect()
    };
    (found != wanted).then(|| {
        format!(
            "another home: {:?} without the guard, {:?} with it",
            differs(&wanted, &found),
            differs(&found, &wanted)
        )
    })
}

/// Does the work in a fresh home at the same place.
fn once(house: &House, work: &Work, guarded: bool) -> (Outcome, Home) {
    std::fs::remove_dir_all(house.home()).unwrap();
    for folder in ["home/.cache", "home/.local/state/blastradius", "home/proj"] {
        std::fs::create_dir_all(house.path(folder)).unwrap();
    }
    let mut before = Command::new("sh");
    before.args(["-ec", work.before]);
    let prepared = surroundings(house, before).output().unwrap();
    assert!(prepared.status.success(), "{}: {prepared:?}", work.name);
    house.write("work.sh", work.script);
    let script = house.path("work.sh");
    let script = script.to_str().unwrap();
    let command = if guarded {
        house.command(&["run", "--", "sh", script])
    } else {
        let mut command = Command::new("sh");
        command.arg(script);
        command
    };
    let outcome: Outcome = surroundings(house, command).output().unwrap().into();
    let outcome = Outcome {
        status: outcome.status,
        stdout: steady(&outcome.stdout),
        stderr: steady(&outcome.stderr),
    };
    let mut home = Home::new();
    for (name, node) in tree::read(&house.home()) {
        if GUARD.iter().any(|own| name.starts_with(own)) {
            continue;
        }
        let key = PathBuf::from(with_numbers_below(1, name.to_str().unwrap()));
        home.entry(key).or_insert((0, named(&name, node))).0 += 1;
    }
    (outcome, home)
}

const LOG: &str = "home/.local/state/blastradius/log";

/// What the guard itself leaves in a home.
const GUARD: [&str; 2] = [".cache/blastradius", ".local/state/blastradius"];

fn surroundings(house: &House, mut command: Command) -> Command {
    // The cargo that runs this test, not a shim that asks a home for its toolchain.
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| env!("CARGO").to_owned());
    let folder = Path::new(&cargo).parent().unwrap().to_str().unwrap();
    command
        .current_dir(house.project())
        .env_clear()
        .env("HOME", house.home())
        .env("PATH", format!("{folder}:{}", tools::PATH))
        .env("LC_ALL", "C.UTF-8")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "dev")
        .env("GIT_AUTHOR_EMAIL", "dev@example.com")
        .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
        .env("GIT_COMMITTER_NAME", "dev")
        .env("GIT_COMMITTER_EMAIL", "dev@example.com")
        .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
        .env("npm_config_update_notifier", "false")
        .env("PYTHONHASHSEED", "0")
        .stdin(Stdio::null());
    command
}

/// Of what holds times, keys or random numbers, or depends on them, only the name counts.
fn named(name: &Path, node: tree::Node) -> tree::Node {
    let volatile = [
        ".git",
        "target",
        "__pycache__",
        ".pytest_cache",
        "db",
        ".cache",
        ".cargo",
        ".npm",
        ".gnupg",
        ".ssh",
        ".vim",
        ".viminfo",
        "site-packages",
        "fish",
        "recentf",
        "Crash Reports",
        "up",
    ];
    let is_volatile = name
        .components()
        .any(|part| volatile.iter().any(|name| part.as_os_str() == *name))
        || name.extension().is_some_and(|ending| {
            ["o", "a", "tar", "tgz", "whl"]
                .iter()
                .any(|known| ending == *known)
        });
    match node {
        tree::Node::File { mode, .. } if is_volatile => tree::Node::File {
            content: Vec::new(),
            mode,
        },
        tree::Node::File { content, mode } => tree::Node::File {
            content: match String::from_utf8(content) {
                Ok(text) => steady(&text).into_bytes(),
                Err(other) => other.into_bytes(),
            },
            mode,
        },
        node => node,
    }
}

/// Times and sizes, by their unit, long numbers (of processes, dates) and long hexadecimal words (object names, random
/// suffixes) become the same everywhere; a status, a count, a version stay what they are.
fn steady(text: &str) -> String {
    with_numbers_below(4, text)
}

fn with_numbers_below(folded: usize, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let run = |from: usize, belongs: fn(char) -> bool| {
        let rest = letters.get(from..).unwrap_or_default();
        rest.iter().take_while(|letter| belongs(**letter)).count()
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let word = run(at, |letter| letter.is_ascii_alphanumeric());
        let begins = at == 0 || !letters[at - 1].is_ascii_alphanumeric();
        if begins && word >= 7 && run(at, |letter| letter.is_ascii_hexdigit()) == word {
            out.push('#');
            at += word;
            continue;
        }
        let mut end = at;
        let mut longest = 0;
        loop {
            let digits = run(end, |letter| letter.is_ascii_digit());
            longest = longest.max(digits);
            end += digits;
            let goes_on = end > at
                && matches!(letters.get(end), Some('.' | ':'))
                && run(end + 1, |letter| letter.is_ascii_digit()) > 0;
            if !goes_on {
                break;
            }
            end += 1;
        }
        if end == at {
            out.push(letter);
            at += 1;
            continue;
        }
        let gap = run(end, |letter| letter == ' ').min(1);
        let unit = end + gap..end + gap + run(end + gap, |letter| letter.is_alphabetic());
        let unit: String = letters[unit].iter().collect();
        if longest >= folded || UNITS.contains(&&*unit) {
            out.push('0');
        } else {
            out.extend(&letters[at..end]);
        }
        at = end;
    }
    // npm tells seconds or milliseconds.
    out.replace("0ms", "0s")
}

const UNITS: [&str; 8] = ["B", "bytes", "kB", "KiB", "MB", "MiB", "ms", "s"];

#[test]
fn a_changed_count_is_seen_and_a_changed_time_is_not() {
    for (text, steadied) in [
        ("2 passed in 0.12s", "2 passed in 0s"),
        ("added 1 package in 345ms", "added 1 package in 0s"),
        ("thing-2.0 of 512 kB", "thing-2.0 of 0 kB"),
        ("[main 1a2b3c4] f.py:17", "[main #] f.py:17"),
        ("pid 31337\n77\n", "pid 0\n77\n"),
    ] {
        assert_eq!(steady(text), steadied);
    }
}
