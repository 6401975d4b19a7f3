//! Each act, by each way that the library cannot see: outside it is refused in words and nothing is lost, inside it is
//! done.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{Ran, Stage, compile, compiler, which};

/// An act on a file, what it leaves of `old` inside, and whether it is refused outside.
const ACTS: [(&str, Option<&str>, bool); 6] = [
    ("unlink", None, true),
    ("rename", None, true),
    ("truncate", Some(""), true),
    ("empty", Some(""), true),
    ("write", Some("old"), true),
    ("append", Some("old"), false),
];

/// Makes each act by a program of which these are the first words.
fn try_all(program: &Path, first: &[&str]) {
    for (act, left, is_refused) in ACTS {
        for (target, is_outside) in [("O/file", true), ("link/file", true), ("inside", false)] {
            let stage = Stage::new();
            let mut command = stage.guarded(program);
            let words = stage.words(&format!("{act} {target} P/moved"));
            let ran = Ran::of(command.args(first).args(&words));
            let row = format!("{first:?} {act} {target}: {ran:?}");
            if is_outside && is_refused {
                assert_eq!(ran.stdout, "1", "{row}");
                assert_eq!(ran.refusals().len(), 1, "{row}");
                assert!(
                    ran.stderr.ends_with(": outside the scope [out-of-scope]"),
                    "{row}"
                );
                let path = stage.path("outside/file");
                assert!(ran.stderr.contains(path.to_str().unwrap()), "{row}");
            } else {
                assert_eq!((&ran.stdout[..], &ran.stderr[..]), ("ok", ""), "{row}");
            }
            let outside = stage.content("outside/file");
            assert_eq!(outside.as_deref(), Some("old"), "{row}");
            let inside = stage.content("home/project/inside");
            let expected = if is_outside { Some("old") } else { left };
            assert_eq!(inside.as_deref(), expected, "{row}");
        }
    }
    for (target, answer) in [("O/vacant", "1"), ("directory", "ok")] {
        let stage = Stage::new();
        let words = stage.words(&format!("rmdir {target}"));
        let ran = Ran::of(stage.guarded(program).args(first).args(&words));
        assert_eq!(ran.stdout, answer, "{first:?} rmdir {target}: {ran:?}");
        assert!(stage.exists("outside/vacant"));
        assert_eq!(stage.exists("home/project/directory"), answer == "1");
    }
}

fn raw() -> PathBuf {
    compile("raw", compiler(), &["-static"])
}

#[test]
#[cfg(target_arch = "x86_64")]
fn by_the_instruction_itself() {
    try_all(&raw(), &["native"]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn by_the_gate_of_32_bits() {
    let stage = Stage::new();
    let mut command = stage.unguarded(raw());
    let gate = Ran::of(command.args(["narrow", "append", "inside"]));
    if gate.stdout != "ok" {
        eprintln!("skipped: this kernel has no such gate");
        return;
    }
    try_all(&raw(), &["narrow"]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn by_the_numbers_of_x32() {
    const ENOSYS: &str = "38";
    let stage = Stage::new();
    let mut command = stage.unguarded(raw());
    let x32 = Ran::of(command.args(["x32", "append", "inside"]));
    if x32.stdout == "ok" {
        return try_all(&raw(), &["x32"]);
    }
    // The kernel has none: what is refused is refused all the same.
    for (target, answer) in [("O/file", "1"), ("inside", "ok")] {
        let words = stage.words(&format!("unlink {target}"));
        let ran = Ran::of(stage.guarded(raw()).arg("x32").args(&words));
        assert!(
            ran.stdout == answer || ran.stdout == ENOSYS,
            "{target}: {ran:?}"
        );
        assert!(stage.exists("outside/file"));
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn no_ring_is_to_be_had() {
    const ENOSYS: &str = "38";
    let stage = Stage::new();
    for act in ["setup", "enter", "register"] {
        let ran = Ran::of(stage.guarded(raw()).args(["ring", act]));
        assert_eq!(ran.stdout, ENOSYS, "{act}");
    }
}

#[test]
fn by_a_program_written_in_go() {
    let Some(go) = which("go") else {
        eprintln!("skipped: go is not installed");
        return;
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("acts-go");
    let built = Command::new(go)
        .args(["build", "-o"])
        .arg(&program)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/go/acts.go"))
        .env("CGO_ENABLED", "0")
        .env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("go"))
        .env("GOFLAGS", "-mod=mod")
        .status();
    assert!(built.unwrap().success());
    try_all(&program, &[]);
}

#[test]
fn by_a_shell_without_a_loader_and_without_an_environment() {
    let Some(busybox) = which("busybox") else {
        eprintln!("skipped: busybox is not installed");
        return;
    };
    let stage = Stage::new();
    let script = format!(
        "env -i {} sh -c 'rm -f $0/file; true > $0/file; mv $0/file moved; rmdir $0/vacant; rm inside; rmdir directory' $O",
        busybox.display()
    );
    let mut command = stage.guarded(&busybox);
    let ran = Ran::of(
        command
            .args(["sh", "-c", &script])
            .env("O", stage.path("outside")),
    );
    assert_eq!(
        stage.content("outside/file").as_deref(),
        Some("old"),
        "{ran:?}"
    );
    assert!(stage.exists("outside/vacant"));
    assert!(!stage.exists("home/project/inside"), "{ran:?}");
    assert!(!stage.exists("home/project/directory"));
    assert_eq!(ran.refused(), 4, "{ran:?}");
}

#[test]
fn by_a_function_that_is_called_by_its_address() {
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stage = Stage::new();
    let script = "import ctypes, sys\n\
        libc = ctypes.CDLL('libc.so.6', use_errno=True)\n\
        print(libc.unlink(sys.argv[1].encode()), ctypes.get_errno(), libc.unlink(b'inside'))";
    let mut command = stage.guarded(python);
    let ran = Ran::of(command.args(["-c", script]).arg(stage.path("outside/file")));
    assert_eq!(ran.stdout, "-1 1 0", "{ran:?}");
    assert_eq!(ran.refused(), 1, "{ran:?}");
    assert!(stage.exists("outside/file"));
    assert!(!stage.exists("home/project/inside"));
}
