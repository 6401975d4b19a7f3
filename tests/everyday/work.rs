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
    for folder in ["home/.cache", "home/.local/state", "home/proj"] {
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
        let key = PathBuf::from(steady(name.to_str().unwrap()));
        home.entry(key).or_insert((0, named(&name, node))).0 += 1;
    }
    (outcome, home)
}

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

/// Numbers (times, sizes) and long hexadecimal words (object names, random suffixes) become the same everywhere.
fn steady(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain(['\0']) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        let is_hash = word.len() >= 7 && word.chars().all(|letter| letter.is_ascii_hexdigit());
        if is_hash {
            out.push('#');
        } else {
            let mut in_number = false;
            for letter in word.chars() {
                if !letter.is_ascii_digit() {
                    out.push(letter);
                } else if !in_number {
                    out.push('0');
                }
                in_number = letter.is_ascii_digit();
            }
        }
        word.clear();
        if letter != '\0' {
            out.push(letter);
        }
    }
    // npm tells seconds or milliseconds.
    out.replace("0ms", "0s")
}
