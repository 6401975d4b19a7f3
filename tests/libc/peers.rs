//! Beside what else is loaded into programs or runs them: both do their work.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{LIBRARY, Ran, Stage, caller, compile, compiler, which};

/// A notice for what is not tried here.
fn absent(what: &str) {
    eprintln!("{what} is not installed");
}

/// One call outside, which is refused, and one inside, which is made, by a command that the words are added to.
#[track_caller]
fn judges(stage: &Stage, command: impl Fn() -> Command) {
    stage.write("home/project/inside", "old");
    let refused = Ran::of(command().args(stage.words("unlink O/file")));
    assert_eq!(refused.stdout, "1", "{refused:?}");
    assert_eq!(refused.refused(), 1, "{refused:?}");
    // What others would say begins otherwise.
    let is_ours = |line: &str| line.starts_with("blastradius: ");
    assert!(refused.stderr.lines().all(is_ours), "{refused:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    let done = Ran::of(command().args(stage.words("unlink P/inside")));
    assert_eq!(done.stdout, "ok", "{done:?}");
    assert!(done.stderr.lines().all(is_ours), "{done:?}");
    assert!(!stage.exists("home/project/inside"));
}

#[test]
fn valgrind_has_no_complaint() {
    let Some(valgrind) = which("valgrind") else {
        return absent("valgrind");
    };
    let stage = Stage::new();
    judges(&stage, || {
        let mut command = stage.guarded(&valgrind);
        command
            .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
            .arg(caller());
        command
    });
    // Its tool is a static program, and the one that runs in it is guarded.
    let ran = Ran::of(
        stage
            .guarded("sh")
            .args(["-c", &format!("{} -q true", valgrind.display())]),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn a_debugger_runs_what_is_guarded() {
    let Some(gdb) = which("gdb") else {
        return absent("gdb");
    };
    let stage = Stage::new();
    let mut command = stage.guarded(gdb);
    command
        .args([
            "-nx",
            "-batch",
            "-ex",
            "break unlinkat",
            "-ex",
            "run",
            "-ex",
            "continue",
        ])
        .args(["-ex", "delete", "-ex", "continue", "--args"])
        .arg(caller())
        .args(stage.words("unlink O/file"));
    let ran = Ran::of(&mut command);
    assert!(ran.stdout.contains("exited normally"), "{ran:?}");
    assert!(ran.stdout.lines().any(|line| line == "1"), "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

/// The runtime of the address sanitizer, if programs can be built with it.
fn sanitizer() -> Option<String> {
    let answer = compiler()
        .arg("-print-file-name=libasan.so")
        .output()
        .ok()?;
    let path = String::from_utf8(answer.stdout).ok()?.trim().to_owned();
    Path::new(&path).is_absolute().then_some(path)
}

#[test]
fn the_address_sanitizer_works_in_the_order_that_the_readme_gives() {
    let Some(runtime) = sanitizer() else {
        return absent("libasan");
    };
    let stage = Stage::new();
    let program = compile("call-asan", compiler(), &["-fsanitize=address"]);
    let guarded = |list: &str| {
        let mut command = stage.guarded(&program);
        command.env("LD_PRELOAD", list);
        command
    };
    judges(&stage, || guarded(&format!("{runtime}:{LIBRARY}")));
    judges(&stage, || {
        let mut command = guarded(LIBRARY);
        command.env("ASAN_OPTIONS", "verify_asan_link_order=0");
        command
    });
    let ran = Ran::of(guarded(LIBRARY).args(stage.words("unlink O/file")));
    assert!(
        ran.stderr.contains("ASan runtime does not come first"),
        "the readme says so: {ran:?}"
    );
    let program = compile(
        "call-asan-static",
        compiler(),
        &["-fsanitize=address", "-static-libasan"],
    );
    judges(&stage, || stage.guarded(&program));
}

fn jemalloc() -> Option<PathBuf> {
    ["/usr/lib", "/lib", "/usr/lib64"]
        .into_iter()
        .flat_map(|folder| {
            let below = format!("{folder}/{}-linux-gnu", std::env::consts::ARCH);
            [PathBuf::from(folder), PathBuf::from(below)]
        })
        .map(|folder| folder.join("libjemalloc.so.2"))
        .find(|path| path.exists())
}

#[test]
fn another_allocator_may_come_first_or_last() {
    let Some(jemalloc) = jemalloc() else {
        return absent("libjemalloc2");
    };
    let jemalloc = jemalloc.display();
    let stage = Stage::new();
    for list in [
        format!("{jemalloc}:{LIBRARY}"),
        format!("{LIBRARY}:{jemalloc}"),
    ] {
        judges(&stage, || {
            let mut command = stage.guarded(caller());
            command.env("LD_PRELOAD", &list);
            command
        });
        let mut command = stage.guarded("/bin/sh");
        command
            .env("LD_PRELOAD", &list)
            .env("O", stage.path("outside"))
            .args([
                "-c",
                "env -i /bin/rm -rf $O/full; env -u BLASTRADIUS_POLICY ls",
            ]);
        let ran = Ran::of(&mut command);
        assert_ne!(ran.refused(), 0, "{ran:?}");
        assert!(stage.exists("outside/full/file"));
        assert!(ran.stdout.contains("directory"), "{ran:?}");
    }
}

#[test]
fn fakeroot_still_pretends() {
    let Some(fakeroot) = which("fakeroot") else {
        return absent("fakeroot");
    };
    let stage = Stage::new();
    let script = "touch made && chown 123:45 made && stat -c %u:%g made && mv made moved &&
        stat -c %u:%g moved && rm -rf directory && env stat -c %u:%g moved; rm -f $O/file; echo $?";
    let mut command = stage.guarded(&fakeroot);
    command
        .env("O", stage.path("outside"))
        .args(["sh", "-c", script]);
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "123:45\n123:45\n123:45\n1", "{ran:?}");
    assert_eq!(ran.refused(), 1, "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    assert!(!stage.exists("home/project/directory"));
    // Ours in front of it, in a child whose environment was lost.
    let script = "chown 123:45 moved; stat -c %u:%g moved; env -i /bin/rm -f $0";
    let mut command = stage.guarded(&fakeroot);
    command
        .args(["sh", "-c", script])
        .arg(stage.path("outside/file"));
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "123:45", "{ran:?}");
    assert_eq!(ran.refused(), 1, "{ran:?}");
}

#[test]
fn programs_of_32_bits_run_as_before() {
    const LIBC: &str = "/lib32/libc.so.6";
    if !cfg!(target_arch = "x86_64") || !Path::new(LIBC).exists() {
        return absent("libc6-i386");
    }
    let program = compile(
        "small",
        compiler(),
        &[
            "-m32",
            "-nostdlib",
            "-fno-pie",
            "-no-pie",
            "-mstackrealign",
            "-Wl,-dynamic-linker,/lib/ld-linux.so.2",
            LIBC,
        ],
    );
    let stage = Stage::new();
    let mut ends = Vec::new();
    for mut command in [stage.unguarded(&program), stage.guarded(&program)] {
        stage.write("home/project/small", "old");
        let ran = Ran::of(&mut command);
        assert!(!stage.exists("home/project/small"));
        ends.push((ran.status, ran.stdout));
    }
    assert_eq!(ends[0], (Some(3), "ok".to_owned()));
    assert_eq!(ends[1], ends[0]);
    // What it was started from goes on with the guard.
    let script = format!("{}; env -i /bin/rm -f $O/file", program.display());
    assert_eq!(stage.sh(&script).refused(), 1);
    assert!(stage.exists("outside/file"));
}
