//! What the README and SECURITY.md say, held against the program and its tests.

mod house;

use std::path::Path;
use std::process::Command;

use blastradius_cli::guards::GUARDS;
use blastradius_policy::{Overridable, Rule};
use house::{House, tools};

const README: &str = include_str!("../README.md");
const GUARDS_PAGE: &str = include_str!("../docs/guards.md");
const SECURITY: &str = include_str!("../SECURITY.md");

/// The cells of each row of the table below a heading.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    rows(README, heading)
}

fn rows(text: &'static str, heading: &str) -> Vec<Vec<&'static str>> {
    text.split(&format!("\n## {heading}\n"))
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap()
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn every_rule_is_in_the_table() {
    let said: Vec<(&str, &str, &str)> = table("Rules")
        .iter()
        .map(|cells| (cells[0].trim_matches('`'), cells[1], cells[2]))
        .collect();
    let meant: Vec<(&str, &str, &str)> = Rule::ALL
        .iter()
        .map(|rule| {
            let overridden = match rule.overridable() {
                Overridable::No => "nothing",
                Overridable::Config => "a line in `.blastradius`",
                Overridable::UserFile => "an `allow` in the user file",
                Overridable::EditDeny => "editing the `deny`",
                Overridable::ExplicitAllow => "an `allow` of that very path",
                Overridable::GuardLine => "a `guard` line in the user file",
            };
            (rule.id(), rule.summary(), overridden)
        })
        .collect();
    assert_eq!(said, meant);
}

#[test]
fn every_guard_is_in_the_table() {
    let said: Vec<(&str, &str)> = rows(GUARDS_PAGE, "The table")
        .iter()
        .map(|cells| (cells[0].trim_matches('`'), cells[1]))
        .collect();
    let meant: Vec<(&str, &str)> = GUARDS.iter().map(|guard| (guard.id, guard.title)).collect();
    assert_eq!(said, meant);
}

#[test]
fn every_way_round_the_kernel_layer_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A module of the tests is there, or shared with those of the library.
    let read = |module: &str| {
        ["kernel", "libc"].iter().find_map(|room| {
            std::fs::read_to_string(root.join(format!("tests/{room}/{module}.rs"))).ok()
        })
    };
    let main = std::fs::read_to_string(root.join("tests/kernel/main.rs")).unwrap();
    let rows = rows(SECURITY, "What shows it");
    assert!(rows.len() > 20, "{rows:?}");
    for row in rows {
        let tests: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty() || row[2] == "no test", "{row:?}");
        for test in tests {
            let (module, name) = test.split_once("::").unwrap();
            assert!(main.contains(&format!("mod {module};")), "{test}");
            let code = read(module).unwrap_or_default();
            let (before, _) = code.split_once(&format!("\nfn {name}()")).expect(test);
            let attributes = before.rsplit("\n\n").next().unwrap();
            assert!(attributes.contains("#[test]"), "{test}");
        }
    }
}

#[test]
fn every_command_is_named() {
    let house = House::new();
    let help = house.run(&["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.split("\n\n").next().unwrap();
    for line in commands.lines() {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" && name != "hook" {
            let named = format!("blastradius {name}");
            assert!(README.contains(&named), "{named}");
        }
    }
}

#[test]
fn the_statuses_are_those_of_the_help() {
    let house = House::new();
    let help = house.run(&["--help"]).stdout;
    for row in table("Exit status") {
        if let Ok(status) = row[0].parse::<u8>()
            && status >= 2
        {
            assert!(help.contains(&format!("{status} ")), "{status}: {help}");
        }
    }
}

#[test]
fn the_transcript_is_what_the_demonstration_prints() {
    if !tools::has("the transcript", &["bash", "make", "python3"]) {
        return;
    }
    let transcript = README
        .split("```console\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let output = Command::new("bash")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo"))
        .env_clear()
        .env("PATH", tools::PATH)
        .env("BLASTRADIUS", env!("CARGO_BIN_EXE_blastradius"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), transcript);
}

#[test]
fn the_refusal_is_what_the_program_prints() {
    let house = House::new();
    let outcome = house.run(&["check", "-c", r#"rm -rf "$AGENT_TMP/session-$SID""#]);
    let indented: String = outcome
        .stderr
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned() + "\n")
        .collect();
    assert!(README.contains(&indented), "{indented}");
}
