//! What SECURITY.md says of the ways round this layer: those that are closed, and those that are not.

use crate::layer::caller;
use crate::stage::{Ran, Stage, compile, compiler, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");

#[test]
fn what_was_open_before_is_written() {
    let stage = Stage::new();
    let script = format!("exec 3<> $O/file; {BINARY} run --layers kernel -- sh -c 'echo now >&3'");
    let mut command = stage.unguarded("/bin/sh");
    let ran = Ran::of(
        command
            .args(["-c", &script])
            .env("O", stage.path("outside")),
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("now\n"));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn who_knows_the_number_of_the_session_is_taken_for_the_library() {
    let raw = compile("raw", compiler(), &["-static"]);
    let raw = raw.display();
    let stage = Stage::new();
    let number = r#"$(printenv BLASTRADIUS_POLICY | grep -o 'y16:[0-9a-f]*' | cut -d: -f2)"#;
    let script = format!(
        "SIX=123456789abcdef1 {raw} native unlink $O/file; SIX={number} {raw} native unlink $O/file"
    );
    let mut command = stage.guarded("/bin/sh");
    let ran = Ran::of(
        command
            .args(["-c", &script])
            .env("O", stage.path("outside")),
    );
    assert_eq!(ran.stdout, "1\nok", "{ran:?}");
    assert!(!stage.exists("outside/file"));
}

#[test]
fn a_policy_that_is_altered_below_is_not_the_supervisor_s() {
    let stage = Stage::new();
    for policy in ["", "x", "blastradius1"] {
        let mut command = stage.guarded("/usr/bin/env");
        command.arg(format!("BLASTRADIUS_POLICY={policy}"));
        let ran = Ran::of(command.arg(caller()).args(stage.words("unlink O/file")));
        ran.is_refused("out-of-scope");
        assert!(stage.exists("outside/file"));
    }
}

#[test]
fn there_is_no_second_supervisor_below() {
    let stage = Stage::new();
    let forbid = crate::landlock::forbid();
    let ran = Ran::of(stage.guarded(forbid).args(["listener", "/bin/true"]));
    const CANNOT: i32 = 3;
    assert_eq!(ran.status, Some(CANNOT), "{ran:?}");
    // A filter without one is nobody's business.
    let ran = Ran::of(stage.guarded(forbid).args(["unshare", "/bin/true"]));
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn a_path_that_changes_in_memory_loses_nothing() {
    let stage = Stage::new();
    let flip = compile("flip", compiler(), &["-static", "-pthread"]);
    std::fs::create_dir(stage.project().join("outsid3")).unwrap();
    std::os::unix::fs::symlink(stage.path("outside"), stage.project().join("outsidf")).unwrap();
    let ran = Ran::of(
        stage
            .guarded(flip)
            .args(["outsid3/file", "outsidf/file", "3000"]),
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(
        stage.content("outside/file").as_deref(),
        Some("old"),
        "{ran:?}"
    );
    // Both were met, or nothing was tried.
    assert!(!ran.stdout.contains("done 0"), "{ran:?}");
    assert!(!ran.stdout.contains("refused 0"), "{ran:?}");
}

#[test]
fn a_second_name_in_the_scope_is_judged_as_that() {
    let stage = Stage::new();
    std::fs::hard_link(stage.path("outside/file"), stage.project().join("second")).unwrap();
    let ran = Ran::of(stage.guarded(caller()).args(["open", "second", "wt"]));
    ran.is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("new"));
}

#[test]
fn what_others_do_on_request_is_not_seen() {
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stage = Stage::new();
    let script = "import os, socket, subprocess, sys\n\
        server = socket.socket(socket.AF_UNIX)\n\
        server.bind('server')\n\
        server.listen()\n\
        asks = 'import socket; socket.socket(socket.AF_UNIX).connect(\"server\")'\n\
        run = [sys.argv[1], 'run', '--layers', 'kernel', '--', sys.executable, '-c', asks]\n\
        asker = subprocess.Popen(run)\n\
        server.accept()\n\
        os.unlink(sys.argv[2])\n\
        sys.exit(asker.wait())";
    let mut command = stage.unguarded(python);
    command.args(["-c", script, BINARY]);
    let ran = Ran::of(command.arg(stage.path("outside/file")));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!stage.exists("outside/file"));
}
