//! The examples of every guard, as calls in a real repository: what is refused names what would be lost, what passes
//! says nothing, and neither changes anything.

mod house;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use blastradius_cli::guards::{Example, GUARDS};
use house::{tools, tree};

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
}

/// What is on the disk before and after a call was judged.
fn unchanged(root: &Path, call: &str, judge: impl FnOnce() -> Output) -> Output {
    let stamp = |root: &Path| {
        let index = root.join("home/proj/.git/index");
        fs::metadata(index).and_then(|found| found.modified()).ok()
    };
    let before = (tree::read(root), stamp(root));
    let output = judge();
    let after = (tree::read(root), stamp(root));
    let differs = [
        tree::lost(&before.0, &after.0),
        tree::lost(&after.0, &before.0),
    ];
    assert!(differs.iter().all(Vec::is_empty), "{call}: {differs:?}");
    assert_eq!(before.1, after.1, "{call} wrote the index");
    output
}

fn judged(example: &Example) -> Output {
    let stage = Stage::new();
    stage.shell(example.given);
    unchanged(stage.root.path(), example.call, || {
        stage.check(example.call)
    })
}

#[test]
fn every_guard_refuses_its_examples_and_says_what_would_be_lost() {
    if !tools::has("the examples of the guards", &["git"]) {
        return;
    }
    let mut wrong = Vec::new();
    for guard in GUARDS {
        for example in guard.refused {
            let output = judged(example);
            let said = String::from_utf8_lossy(&output.stderr);
            let rule = format!("rule      {} (", guard.rule.id());
            if output.status.code() != Some(77)
                || !said.contains(&rule)
                || !said.contains(example.loses)
            {
                wrong.push(format!("{} ({})\n{said}", example.call, example.given));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} pass:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn near_misses_pass_in_silence() {
    if !tools::has("the examples of the guards", &["git"]) {
        return;
    }
    let mut wrong = Vec::new();
    for guard in GUARDS {
        for example in guard.allowed {
            let output = judged(example);
            if output.status.code() != Some(0) || !output.stderr.is_empty() {
                let said = String::from_utf8_lossy(&output.stderr);
                wrong.push(format!("{} ({})\n{said}", example.call, example.given));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} refused:\n{}",
        wrong.len(),
        wrong.join("\n")
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
