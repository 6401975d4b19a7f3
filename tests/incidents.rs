//! Six deletions that happened to people, each refused with its own rule, whichever way it is asked for, and run
//! under guard with every file outside the scope intact.
//!
//! What really runs does so below `bwrap`, where nothing but the throw-away tree can be written: a fault of the
//! guard costs no file of the machine.

mod house;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use house::{House, Outcome, tools, tree};
use serde_json::{Value, json};

struct Incident {
    command: &'static str,
    rule: &'static str,
    /// Names in the project that the command may take when it really runs: they are in the scope.
    in_scope: bool,
}

const INCIDENTS: &[Incident] = &[
    Incident {
        command: r#"rm -rf "$CLEANUP_DIR"/*"#,
        rule: "empty-variable-expansion",
        in_scope: false,
    },
    Incident {
        command: "rm -f ~/",
        rule: "tilde-ambiguous",
        in_scope: false,
    },
    Incident {
        command: "rm -rf *",
        rule: "glob-breadth",
        in_scope: true,
    },
    Incident {
        command: "eval rm -rf '~'",
        rule: "tilde-ambiguous",
        in_scope: false,
    },
    Incident {
        command: "rm -rf $HOME",
        rule: "floor-path",
        in_scope: false,
    },
    Incident {
        command: "rm -rf ~/Library",
        rule: "tilde-ambiguous",
        in_scope: false,
    },
    Incident {
        command: "rm -rf $HOME/ .profile",
        rule: "floor-path",
        in_scope: true,
    },
];

/// A home with things to lose, and a project that holds a directory named `~`.
fn stage() -> House {
    let house = House::new();
    for file in [
        "home/Library/mail/inbox",
        "home/.profile",
        "home/.ssh/id",
        "home/proj/~/junk",
        "home/proj/.profile",
        "home/proj/src/lib.rs",
    ] {
        house.write(file, format!("content of {file}\n"));
    }
    house
}

/// The rules that a judged command was refused under.
fn rules(outcome: &Outcome) -> Vec<String> {
    let verdict: Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{error}: {outcome:?}"));
    assert_eq!(verdict["verdict"], "refuse", "{outcome:?}");
    let mut rules: Vec<String> = verdict["actions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|action| action["targets"].as_array().unwrap())
        .filter(|target| target["verdict"] == "refuse")
        .map(|target| target["rule"].as_str().unwrap().to_owned())
        .collect();
    rules.dedup();
    rules
}

fn assert_panel(outcome: &Outcome, incident: &Incident) {
    let command = incident.command;
    assert!(
        outcome.stderr.starts_with("blastradius  BLOCKED\n"),
        "{command}: {outcome:?}"
    );
    let rule = format!("\n  rule      {} (", incident.rule);
    assert!(outcome.stderr.contains(&rule), "{command}: {outcome:?}");
}

fn assert_refused(outcome: &Outcome, incident: &Incident) {
    let command = incident.command;
    assert_eq!(outcome.status, Some(77), "{command}: {outcome:?}");
    assert_panel(outcome, incident);
}

#[test]
fn check_names_the_rule() {
    let house = stage();
    for incident in INCIDENTS {
        let outcome = house.run(&["check", "--json", "-c", incident.command]);
        assert_eq!(
            outcome.status,
            Some(77),
            "{}: {outcome:?}",
            incident.command
        );
        let found = rules(&outcome);
        assert!(
            found.iter().any(|rule| rule == incident.rule),
            "{}: {found:?}",
            incident.command
        );
    }
}

#[test]
fn the_hook_names_the_rule() {
    let house = stage();
    for incident in INCIDENTS {
        let question = json!({
            "session_id": "1", "hook_event_name": "PreToolUse", "permission_mode": "default",
            "cwd": house.project(), "tool_name": "Bash", "tool_input": { "command": incident.command }
        });
        let outcome = house.hook(question.to_string());
        assert_eq!(outcome.status, Some(2), "{}: {outcome:?}", incident.command);
        assert_panel(&outcome, incident);
        let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!(answer["permissionDecision"], "deny", "{}", incident.command);
        let reason = answer["permissionDecisionReason"].as_str().unwrap();
        assert!(
            reason.contains(&format!("[{}]", incident.rule)),
            "{}: {reason}",
            incident.command
        );
    }
}

/// The wrapper judges and, being wrong, would run: hence the cage.
#[test]
fn the_wrapper_refuses_before_anything_runs() {
    let Some(cage) = Cage::find() else { return };
    for incident in INCIDENTS {
        let house = stage();
        let before = tree::read(&house.path(""));
        let outcome = cage.run(&house, &["-c", incident.command]);
        let after = tree::read(&house.path(""));
        assert_refused(&outcome, incident);
        assert_eq!(tree::lost(&before, &after), Vec::<PathBuf>::new());
    }
}

/// One word that an agent gave as the whole command line.
#[test]
fn the_wrapper_reads_a_line_given_as_one_word() {
    let Some(cage) = Cage::find() else { return };
    for incident in INCIDENTS {
        let house = stage();
        let outcome = cage.run(&house, &["--", incident.command]);
        assert_refused(&outcome, incident);
    }
}

#[test]
fn really_run_they_cost_no_file_outside_the_scope() {
    let Some(cage) = Cage::find() else { return };
    let mut faults = String::new();
    for incident in INCIDENTS {
        for layers in ["command,libc", "libc"] {
            let house = stage();
            let before = tree::read(&house.path(""));
            let outcome = cage.run(
                &house,
                &[
                    "run",
                    "--layers",
                    layers,
                    "--",
                    "bash",
                    "--norc",
                    "-c",
                    incident.command,
                ],
            );
            let mut lost = tree::lost(&before, &tree::read(&house.path("")));
            lost.retain(|name| !(incident.in_scope && name.starts_with("home/proj")));
            if !lost.is_empty() {
                faults.push_str(&format!(
                    "\n{} under {layers} lost {lost:?}: {outcome:?}",
                    incident.command
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// A `*` that meets the name `~` is no danger once the shell has expanded it. At the top of the project it takes all
/// that is there, which is refused by what the words name.
#[test]
fn under_run_the_act_is_judged_and_not_the_spelling() {
    let Some(cage) = Cage::find() else { return };
    let house = stage();
    house.write("home/proj/build/~", "a directory's name is not its content");
    let run = |line| {
        cage.run(
            &house,
            &[
                "run", "--layers", "libc", "--", "bash", "--norc", "-c", line,
            ],
        )
    };
    let outcome = run("cd build && rm -rf *");
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(!house.project().join("build/~").exists());
    assert!(house.path("home/.profile").exists());
    let outcome = run("rm -rf *");
    assert!(outcome.stderr.contains("[glob-breadth]"), "{outcome:?}");
    assert!(house.project().join("~").exists());
    assert!(house.project().join(".git/HEAD").exists());
}

/// `/var` is the floor, and the throw-away tree is the part of it that could be lost here.
#[test]
fn a_makefile_with_an_unset_variable_takes_nothing() {
    let Some(cage) = Cage::find() else { return };
    if !tools::has("make", &["make"]) {
        return;
    }
    for (layers, status, rule) in [
        ("command,libc", 77, "empty-variable-expansion"),
        ("libc", 2, "[floor-path]"),
    ] {
        let house = stage();
        house.write("home/proj/Makefile", "clean:\n\trm -rf $(UNSET)/var\n");
        let before = tree::read(&house.path(""));
        let outcome = cage.run(&house, &["run", "--layers", layers, "--", "make", "clean"]);
        assert_eq!(outcome.status, Some(status), "{outcome:?}");
        assert!(outcome.stderr.contains(rule), "{outcome:?}");
        let lost = tree::lost(&before, &tree::read(&house.path("")));
        assert_eq!(lost, Vec::<PathBuf>::new(), "{outcome:?}");
    }
}

/// A file system in which only the throw-away tree can be written.
struct Cage;

impl Cage {
    fn find() -> Option<Self> {
        let works = tools::has("what really runs", &["bwrap"])
            && Command::new("bwrap")
                .args(["--ro-bind", "/", "/", "--dev", "/dev", "true"])
                .status()
                .is_ok_and(|status| status.success());
        if !works {
            eprintln!("skipped what really runs: no bwrap that works");
        }
        works.then_some(Self)
    }

    fn run(&self, house: &House, words: &[&str]) -> Outcome {
        let inner = house.command(words);
        let root = fs::canonicalize(house.path("")).unwrap();
        let mut command = Command::new("bwrap");
        command
            .args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"])
            .args(["--tmpfs", "/tmp", "--bind"])
            .args([&root, &root])
            .args([
                "--unshare-pid",
                "--die-with-parent",
                "--clearenv",
                "--chdir",
            ])
            .arg(house.project());
        for (name, value) in inner.get_envs() {
            if let Some(value) = value {
                command.arg("--setenv").args([name, value]);
            }
        }
        command.arg(inner.get_program()).args(inner.get_args());
        command.output().unwrap().into()
    }
}
