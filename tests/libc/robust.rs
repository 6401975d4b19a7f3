use crate::stage::{LIBRARY, Ran, Stage, caller, compile, compiler, which};

#[test]
fn threads_signals_and_forks_neither_hang_nor_pass() {
    let stage = Stage::new();
    let storm = compile("storm", compiler(), &["-pthread"]);
    let mut command = stage.guarded("/usr/bin/timeout");
    command
        .arg("60")
        .arg(storm)
        .arg(stage.project().join("directory"))
        .arg(stage.path("outside/file"));
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "lost 0, wrong 0", "{ran:?}");
    assert_eq!(ran.status, Some(0));
    assert!(stage.exists("outside/file"));
}

#[test]
fn a_constructor_that_runs_before_ours_is_guarded() {
    let stage = Stage::new();
    let early = compile("early", compiler(), &["-shared", "-fPIC"]);
    for preload in [
        format!("{}:{LIBRARY}", early.display()),
        format!("{LIBRARY}:{}", early.display()),
        format!("{LIBRARY} {}", early.display()),
    ] {
        let mut command = stage.guarded("/bin/true");
        command
            .env("LD_PRELOAD", &preload)
            .env("EARLY", stage.path("outside/file"));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.refusals().len(), 1, "{preload}: {ran:?}");
        assert!(stage.exists("outside/file"), "{preload}");
    }
}

#[test]
fn a_sandbox_without_proc_changes_no_verdict() {
    let Some(bwrap) = which("bwrap") else {
        return;
    };
    let stage = Stage::new();
    for (row, expected) in [
        ("unlink O/file", "1"),
        ("unlink link/file", "1"),
        ("-d O/. unlinkat file", "1"),
        ("-d O/full unlinkat ../file", "1"),
        ("open O/file wt", "1"),
        ("open to-file w", "1"),
        ("fopen O/file w", "1"),
        ("truncate O/file 0", "1"),
        ("ftruncate O/file 0", "1"),
        ("-d directory unlinkat file", "ok"),
        ("unlink directory/other", "ok"),
        ("open inside wt", "ok"),
        ("fopen inside w", "ok"),
        ("freopen inside w", "ok"),
        ("freopen created wx", "ok"),
        ("truncate inside 0", "ok"),
    ] {
        stage.write("home/project/directory/file", "old");
        stage.write("home/project/directory/other", "old");
        stage.write("home/project/inside", "old");
        let mut command = stage.unguarded(&bwrap);
        command
            .args(["--dev-bind", "/", "/", "--tmpfs", "/proc"])
            .arg("--setenv")
            .arg("LD_PRELOAD")
            .arg(LIBRARY)
            .arg(caller())
            .args(stage.words(row));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout, expected, "{row}: {ran:?}");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn valgrind_has_nothing_to_say() {
    let Some(valgrind) = which("valgrind") else {
        return;
    };
    let stage = Stage::new();
    for (row, expected) in [("unlink O/file", "1"), ("unlink inside", "ok")] {
        let mut command = stage.guarded(&valgrind);
        command
            .args(["-q", "--error-exitcode=9"])
            .arg(caller())
            .args(stage.words(row));
        let ran = Ran::of(&mut command);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (Some(0), expected),
            "{ran:?}"
        );
        assert_eq!(ran.refusals().len(), ran.stderr.lines().count(), "{ran:?}");
    }
}
