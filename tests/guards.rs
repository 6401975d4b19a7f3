//! The examples of every guard, as calls in a real repository: what is refused names what would be lost, what passes
//! says nothing, and neither changes anything.

mod house;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use blastradius_cli::guards::{Call, Check, Example, GUARDS, Guard};
use house::{Outcome, feed, tools, tree};
use serde_json::{Value, json};

/// A home with a repository in it, that git knows no other settings for.
struct Stage {
    root: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let root = tempfile::Builder::new()
            .prefix("blastradius-guard-")
            .tempdir_in("/var/tmp")
            .unwrap();
        let stage = Self { root };
        fs::create_dir_all(stage.repository()).unwrap();
        stage.shell(
            "git init -q -b main && mkdir src && echo one > a.txt && echo two > src/b.txt \
             && printf '.env\\ndata/\\nlocal.*\\n*.o\\nnode_modules/\\n__pycache__/\\ntarget/\\n' > .gitignore \
             && git add -A && git commit -q -m first && git branch side",
        );
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn repository(&self) -> PathBuf {
        self.path("home/proj")
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.repository())
            .env_clear()
            .env("PATH", tools::PATH)
            .env("HOME", self.path("home"))
            .env("TMPDIR", "/tmp")
            .env("OLDPWD", self.repository());
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "dev")
                .env(format!("GIT_{role}_EMAIL"), "dev@example.com");
        }
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    fn shell(&self, text: &str) {
        let output = self.command("/bin/sh").args(["-c", text]).output().unwrap();
        assert!(output.status.success(), "{text}: {output:?}");
    }

    fn check(&self, call: &str) -> Output {
        self.command(env!("CARGO_BIN_EXE_blastradius"))
            .args(["check", "-c", call])
            .output()
            .unwrap()
    }

    /// The question that Claude Code asks before such a call.
    fn question(&self, call: &Call) -> Value {
        let absolute = |path: &str| self.repository().join(path);
        let (tool, input) = match call {
            Call::Shell(command) => ("Bash", json!({ "command": command })),
            Call::Write(path, content) => (
                "Write",
                json!({ "file_path": absolute(path), "content": content }),
            ),
            Call::Edit(path, old, new) => (
                "Edit",
                json!({ "file_path": absolute(path), "old_string": old, "new_string": new }),
            ),
            Call::Read(path) => ("Read", json!({ "file_path": absolute(path) })),
        };
        json!({
            "session_id": "guards", "hook_event_name": "PreToolUse", "permission_mode": "default",
            "cwd": self.repository(), "tool_name": tool, "tool_input": input, "tool_use_id": "x"
        })
    }

    fn ask(&self, call: &Call) -> Outcome {
        let mut command = self.command(env!("CARGO_BIN_EXE_blastradius"));
        command
            .args(["hook", "claude-code"])
            .env("SHELL", "/bin/bash");
        feed(command, self.question(call).to_string().as_bytes())
    }

    /// What the agent does where nobody refuses.
    fn perform(&self, call: &Call) {
        match call {
            Call::Shell(command) => self.shell(command),
            Call::Write(path, content) => {
                let path = self.repository().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            Call::Edit(path, old, new) => {
                let path = self.repository().join(path);
                let content = fs::read_to_string(&path).unwrap().replace(old, new);
                fs::write(path, content).unwrap();
            }
            Call::Read(_) => {}
        }
    }
}

/// What is on the disk before and after a call was judged.
fn unchanged<T>(root: &Path, call: &str, judge: impl FnOnce() -> T) -> T {
    let stamp = |root: &Path| {
        let index = root.join("home/proj/.git/index");
        fs::metadata(index).and_then(|found| found.modified()).ok()
    };
    let read = |root: &Path| {
        let mut tree = tree::read(root);
        tree.retain(|name, _| !name.starts_with("home/.local"));
        tree
    };
    let before = (read(root), stamp(root));
    let outcome = judge();
    let after = (read(root), stamp(root));
    let differs = [
        tree::lost(&before.0, &after.0),
        tree::lost(&after.0, &before.0),
    ];
    assert!(differs.iter().all(Vec::is_empty), "{call}: {differs:?}");
    assert_eq!(before.1, after.1, "{call} wrote the index");
    outcome
}

fn judged(example: &Example) -> (Stage, Outcome) {
    let stage = Stage::new();
    stage.shell(example.given);
    for call in example.before {
        if stage.ask(call).status == Some(0) {
            stage.perform(call);
        }
    }
    let shown = format!("{:?}", example.call);
    let outcome = unchanged(stage.root.path(), &shown, || stage.ask(&example.call));
    (stage, outcome)
}

/// Under which id a guard's refusals come.
fn ids(guard: &Guard) -> Vec<&'static str> {
    match guard.check {
        Check::Looks(_) => vec![guard.id],
        Check::Rules(rules) => rules.iter().map(|rule| rule.id()).collect(),
    }
}

/// Whether an agent is told no, in its own JSON, by status and in words.
fn is_refused_by(outcome: &Outcome, guard: &Guard, says: &str) -> bool {
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    let specific = &answer["hookSpecificOutput"];
    let reason = specific["permissionDecisionReason"]
        .as_str()
        .unwrap_or_default();
    outcome.status == Some(2)
        && specific["permissionDecision"] == "deny"
        && specific["hookEventName"] == "PreToolUse"
        && reason.contains(says)
        && reason.contains("Instead: ")
        && ids(guard).iter().any(|id| {
            reason.contains(&format!("[{id}]"))
                && outcome.stderr.contains(&format!("rule      {id} ("))
        })
}

/// Runs every example of every guard on two threads, and returns what a test says of them.
fn of_all(
    pick: fn(&Guard) -> &'static [Example],
    wrong: impl Fn(&'static Guard, &Example) -> Option<String> + Sync,
) {
    if !tools::has("the examples of the guards", &["git"]) {
        return;
    }
    let only = std::env::var("GUARD").unwrap_or_default();
    let rows: Vec<(&'static Guard, &'static Example)> = GUARDS
        .iter()
        .filter(|guard| guard.id.contains(&only))
        .flat_map(|guard| pick(guard).iter().map(move |example| (guard, example)))
        .collect();
    let half = rows.len().div_ceil(2).max(1);
    let wrong = &wrong;
    let found: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = rows
            .chunks(half)
            .map(|rows| {
                scope.spawn(move || {
                    rows.iter()
                        .filter_map(|(guard, example)| wrong(guard, example))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    assert!(
        found.is_empty(),
        "{} wrong:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn every_guard_refuses_its_examples_and_says_why() {
    of_all(
        |guard| guard.refused,
        |guard, example| {
            let (_, outcome) = judged(example);
            (!is_refused_by(&outcome, guard, example.says)).then(|| {
                format!(
                    "{}: {:?} ({})\n{outcome:?}",
                    guard.id, example.call, example.given
                )
            })
        },
    );
}

#[test]
fn near_misses_pass_in_silence() {
    of_all(
        |guard| guard.allowed,
        |guard, example| {
            let (_, outcome) = judged(example);
            let silent = (outcome.status, &*outcome.stdout, &*outcome.stderr) == (Some(0), "", "");
            (!silent).then(|| {
                format!(
                    "{}: {:?} ({})\n{outcome:?}",
                    guard.id, example.call, example.given
                )
            })
        },
    );
}

/// A folder with a `git` in it that does what `script` says.
fn other_git(stage: &Stage, script: &str) -> PathBuf {
    let folder = stage.path("bin");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("git");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn explained(stage: &Stage, path: &Path, call: &str) -> (Output, Duration) {
    let began = Instant::now();
    let output = stage
        .command(env!("CARGO_BIN_EXE_blastradius"))
        .env("PATH", path)
        .args(["explain", "-c", call])
        .output()
        .unwrap();
    (output, began.elapsed())
}

#[test]
fn a_git_that_is_slow_or_absent_costs_a_note_and_no_refusal() {
    if !tools::has("the examples of the guards", &["git"]) {
        return;
    }
    let stage = Stage::new();
    stage.shell("echo edited > a.txt");
    let absent = stage.path("nothing");
    // What it starts must not outlive the question either.
    let slow = other_git(&stage, "sleep 31 & sleep 31");
    for (path, why) in [(absent, "git is not installed"), (slow, "git is slow")] {
        let (output, took) = explained(&stage, &path, "git reset --hard");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        let note = format!("note     uncommitted-work-is-not-discarded has no opinion: {why}");
        assert!(said.contains(&note), "{said}");
        assert!(took < Duration::from_secs(20), "{took:?}");
    }
}

#[test]
fn a_git_beside_the_project_is_not_asked() {
    let stage = Stage::new();
    other_git(&stage, "touch ran");
    fs::rename(stage.path("bin"), stage.repository().join("bin")).unwrap();
    let (output, _) = explained(&stage, Path::new("bin"), "git reset --hard");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!stage.repository().join("ran").exists());
}

/// Each would be run by a plain `git status` or `git diff`, outside of any guard.
#[test]
fn no_program_of_the_repository_runs_while_git_is_asked() {
    if !tools::has("the examples of the guards", &["git"]) {
        return;
    }
    for setting in [
        "filter.x.clean 'touch ran; cat'",
        "filter.x.process 'touch ran'",
        "core.fsmonitor 'touch ran; false'",
        "diff.external 'touch ran'",
        "diff.x.textconv 'touch ran; cat'",
        "core.hooksPath hooks",
    ] {
        let stage = Stage::new();
        stage.shell(&format!(
            "mkdir hooks; printf '#!/bin/sh\\ntouch ran\\n' > hooks/post-index-change; chmod +x hooks/*; \
             echo '*.txt filter=x diff=x' > .git/info/attributes; git config {setting}; echo edited > a.txt"
        ));
        let ran = stage.repository().join("ran");
        assert!(!ran.exists(), "{setting} ran before");
        let output = stage.check("git reset --hard; git clean -fd; git stash drop");
        assert_eq!(output.status.code(), Some(77), "{setting}: {output:?}");
        assert!(!ran.exists(), "{setting} ran");
    }
}
