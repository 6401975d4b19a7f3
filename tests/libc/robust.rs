use crate::stage::{
    LIBRARY, Ran, Stage, assert_storm_loses_nothing, caller, compile, compiler, which,
};

#[test]
fn threads_signals_and_forks_neither_hang_nor_pass() {
    let storm = compile("storm", compiler(), &["-pthread"]);
    assert_storm_loses_nothing(&storm, ["2", "4", "1"]);
}

#[test]
fn a_long_life_takes_no_more_memory_and_no_more_descriptors() {
    let stage = Stage::new();
    let long = compile("long", compiler(), &[]);
    let mut command = stage.guarded(long);
    command
        .arg(stage.project().join("directory"))
        .arg(stage.path("outside/file"))
        .arg("5000");
    let ran = Ran::of(&mut command);
    assert_eq!(
        ran.stdout, "resident +0 KiB, descriptors +0, wrong 0",
        "{ran:?}"
    );
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
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

#[test]
fn a_file_that_an_overlay_has_copied_is_not_newborn() {
    let (Some(bwrap), Some(unshare)) = (which("bwrap"), which("unshare")) else {
        return;
    };
    let stage = Stage::new();
    for directory in ["upper", "work"] {
        std::fs::create_dir(stage.path(directory)).unwrap();
    }
    let script = r#"mount -t overlay overlay -o "lowerdir=$O,upperdir=$U/upper,workdir=$U/work" "$O" || exit 3
        exec "$B" --bind / / --dev /dev --proc /proc env LD_PRELOAD="$L" sh -c '
            chmod 600 "$O/file"; rm -f "$O/file"; echo new > "$O/fresh"; rm "$O/fresh"; cat "$O/file"'"#;
    let mut command = stage.unguarded(unshare);
    command
        .args(["-m", "sh", "-c", script])
        .env("O", stage.path("outside"))
        .env("U", stage.path(""))
        .env("B", bwrap)
        .env("L", LIBRARY);
    let ran = Ran::of(&mut command);
    if matches!(ran.status, Some(3)) || ran.stderr.contains("unshare failed") {
        eprintln!("no overlay can be mounted here: {ran:?}");
        return;
    }
    assert_eq!(ran.stdout, "old", "{ran:?}");
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
}

#[test]
fn small_stacks_of_threads_and_signal_handlers_are_enough() {
    let stage = Stage::new();
    let stacks = compile("stacks", compiler(), &["-pthread"]);
    for way in ["thread", "signal"] {
        let mut command = stage.guarded(&stacks);
        command.arg(way).arg(stage.path("outside/file"));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout, "ok", "{way}: {ran:?}");
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    }
}

#[test]
fn a_thread_that_waits_for_a_pipe_can_be_cancelled() {
    let stage = Stage::new();
    let cancel = compile("cancel", compiler(), &["-pthread"]);
    let mut command = stage.guarded("/usr/bin/timeout");
    command.arg("10").arg(cancel).arg("pipe");
    assert_eq!(Ran::of(&mut command).stdout, "ok");
}
