//! Below a supervisor: another `run`, sandboxes, and machines on which there can be none.

use std::process::Command;

use crate::layer::caller;
use crate::stage::{Ran, Stage, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");

#[test]
fn a_run_inside_a_run_keeps_to_the_first_one_s_policy() {
    let stage = Stage::new();
    for layers in ["kernel", "command,libc,kernel"] {
        let mut command = stage.unguarded(BINARY);
        command.args(["run", "--layers", layers, "--"]);
        command.args([BINARY, "run", "--require", "kernel", "--"]);
        let ran = Ran::of(command.arg(caller()).args(stage.words("unlink O/file")));
        ran.is_refused("out-of-scope");
        assert!(stage.exists("outside/file"));
    }
    stage.write("home/project/other", "old");
    let mut command = stage.guarded(BINARY);
    command.args(["run", "--require", "kernel", "--"]);
    Ran::of(command.arg(caller()).args(["unlink", "other"])).is_ok();
}

#[test]
fn a_sandbox_below_starts_and_is_guarded() {
    let Some(bwrap) = which("bwrap") else {
        eprintln!("skipped: bwrap is not installed");
        return;
    };
    for sandbox in [
        "--bind / / --dev /dev --proc /proc",
        "--bind / / --dev /dev --proc /proc --unshare-pid --unshare-ipc",
        "--bind / / --dev /dev --unshare-user",
    ] {
        let stage = Stage::new();
        for (row, answer) in [
            ("unlink O/file", "1"),
            ("unlink link/file", "1"),
            ("open O/file wt", "1"),
            ("unlink /proc/self/cwd/../../outside/file", "1"),
            ("open inside wt", "ok"),
            ("unlink inside", "ok"),
        ] {
            let mut command = stage.guarded(&bwrap);
            command.args(sandbox.split(' ')).arg(caller());
            let ran = Ran::of(command.args(stage.words(row)));
            assert_eq!(ran.stdout, answer, "{sandbox}: {row}: {ran:?}");
            assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
        }
        assert!(!stage.exists("home/project/inside"));
    }
}

/// `run` where no filter may be put on.
fn forbidden(stage: &Stage, words: &[&str]) -> Command {
    let mut command = stage.unguarded(crate::landlock::forbid());
    // Nor Landlock, of which there are tests of their own.
    command.args(["seccomp,landlock", BINARY]).args(words);
    command
}

#[test]
fn where_the_layer_is_forbidden_the_library_still_guards() {
    let stage = Stage::new();
    let file = stage.path("outside/file");
    let mut command = forbidden(&stage, &["run", "--", "unlink"]);
    let ran = Ran::of(command.arg(&file));
    assert_eq!(ran.status, Some(77), "{ran:?}");
    let mut command = forbidden(&stage, &["run", "--layers", "libc,kernel", "--", "unlink"]);
    let ran = Ran::of(command.arg(&file));
    let lines = ran.refusals();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert_eq!(
        lines[0],
        "blastradius: the kernel layer cannot be put on: seccomp is forbidden here; Landlock is not to be had either: static programs and raw system calls are not seen"
    );
    assert!(lines[1].ends_with("[out-of-scope]"), "{ran:?}");
    assert!(stage.exists("outside/file"));
    for words in [
        &["run", "--require", "kernel", "--", "true"][..],
        &["run", "--layers", "kernel", "--", "true"],
        &["run", "--layers", "command,kernel", "--", "true"],
    ] {
        let ran = Ran::of(&mut forbidden(&stage, words));
        assert_eq!(ran.status, Some(125), "{ran:?}");
        assert!(
            ran.stderr.contains("the kernel layer cannot be put on"),
            "{ran:?}"
        );
    }
    let ran = Ran::of(&mut forbidden(&stage, &["run", "--quiet", "--", "true"]));
    assert_eq!((ran.status, &ran.stderr[..]), (Some(0), ""));
    let ran = Ran::of(&mut forbidden(&stage, &["doctor"]));
    for row in [
        "\nkernel    not here    cannot be put on: seccomp is forbidden",
        "\nlandlock  not here    the kernel has none, or it is forbidden",
        "\nlibc      yes ",
    ] {
        assert!(ran.stdout.contains(row), "{row}: {ran:?}");
    }
}

#[test]
fn a_program_that_would_gain_rights_is_told_of() {
    use std::os::unix::fs::{PermissionsExt, chown};
    const NOBODY: u32 = 65534;
    let stage = Stage::new();
    let program = stage.project().join("gain");
    std::fs::copy("/bin/true", &program).unwrap();
    if chown(&program, Some(NOBODY), None).is_err() {
        eprintln!("skipped: only root can make such a program");
        return;
    }
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let line = format!(
        "blastradius: {} gets no other rights below the kernel layer: --layers command,libc leaves it out",
        program.display()
    );
    for (layers, words, said) in [
        ("command,libc,kernel", &["./gain"][..], line.as_str()),
        (
            "command,libc,kernel",
            &["sh", "-c", "./gain; ./gain; :"],
            line.as_str(),
        ),
        ("command,libc,kernel", &["--quiet", "./gain"], ""),
        ("command,libc", &["sh", "-c", "./gain; :"], ""),
    ] {
        let mut command = stage.unguarded(BINARY);
        command.args(["run", "--layers", layers]).args(words);
        let ran = Ran::of(&mut command);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), said),
            "{layers} {words:?}"
        );
    }
}
