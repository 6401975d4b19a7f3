use std::ffi::OsStr;

use crate::stage::{LIBRARY, Ran, Stage, caller, compile, compiler, musl_caller, spawner, which};

const ENOENT: i32 = 2;

pub(crate) const WAYS: [&str; 22] = [
    "execve",
    "execve-null",
    "fexecve",
    "execveat",
    "execle",
    "execle-many",
    "execv",
    "execvp",
    "execvpe",
    "execl",
    "execl-many",
    "execlp",
    "vfork-execve",
    "vfork-execvp",
    "vfork-execl",
    "vfork-execle-many",
    "posix_spawn",
    "posix_spawnp",
    "system",
    "popen",
    "_IO_popen",
    "wordexp",
];

fn spawn<A: AsRef<OsStr>>(stage: &Stage, way: &str, arguments: &[A]) -> Ran {
    Ran::of(stage.guarded(spawner()).arg(way).args(arguments))
}

#[test]
fn children_without_an_environment_are_guarded_by_the_same_policy() {
    let stage = Stage::new();
    let file = stage.path("outside/file");
    for before in ["", "keep-", "several-", "large-"] {
        for way in WAYS {
            let way = format!("{before}{way}");
            let ran = spawn(
                &stage,
                &way,
                &[caller().as_os_str(), "unlink".as_ref(), file.as_ref()],
            );
            assert_eq!(ran.stdout, "1", "{way}: {ran:?}");
            assert_eq!(ran.refusals().len(), 1, "{way}: {ran:?}");
            assert!(file.exists(), "{way}");
        }
    }
}

#[test]
fn children_by_way_of_a_newer_libc_are_guarded() {
    let stage = Stage::new();
    let file = stage.path("outside/file");
    let newer = compile("newer", compiler(), &["-shared", "-fPIC"]);
    for way in ["pidfd_spawn", "pidfd_spawnp", "clear-pidfd_spawn"] {
        let mut command = stage.guarded(spawner());
        command
            .env("LD_PRELOAD", format!("{LIBRARY}:{}", newer.display()))
            .arg(way)
            .arg(caller())
            .arg("unlink")
            .arg(&file);
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout, "1", "{way}: {ran:?}");
        assert!(file.exists(), "{way}");
        // Where libc has none, nobody is started.
        let ran = spawn(&stage, way, &["/bin/echo", "started"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(4), ""), "{way}");
    }
}

#[test]
fn children_of_a_program_that_has_cleared_its_environment_are_guarded() {
    let stage = Stage::new();
    let file = stage.path("outside/file");
    for way in ["system", "popen", "execv", "execve", "vfork-execl"] {
        let ran = spawn(
            &stage,
            &format!("clear-{way}"),
            &[caller().as_os_str(), "unlink".as_ref(), file.as_ref()],
        );
        assert_eq!(ran.stdout, "1", "{way}: {ran:?}");
        assert!(file.exists(), "{way}");
    }
}

#[test]
fn what_a_child_would_open_is_judged_before_it_starts() {
    let stage = Stage::new();
    for row in [
        "addopen O/file wt",
        "addopen to-file wct",
        "addopen O/file w",
    ] {
        stage.call(&stage.words(row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    for row in [
        "addopen inside wt",
        "addopen created wct",
        "addopen O/created wct",
        "addopen O/file wa",
        "addopen O/file r",
    ] {
        stage.call(&stage.words(row)).is_ok();
    }
    stage
        .call(&stage.words("addopen O/nothing wt"))
        .is_error(ENOENT);
    assert_eq!(stage.content("home/project/inside").as_deref(), Some(""));
}

#[test]
fn what_a_child_would_open_is_judged_where_it_will_be() {
    let stage = Stage::new();
    stage.write("home/project/file", "old");
    for row in [
        "addopen file wt O/.",
        "addopen file w O/full/..",
        "addopen file wct link",
        "addopen file wct directory O/full ..",
        "addopen ../outside/file wt O/.",
        "addopen file wt @ O/.",
        "addopen file wt directory @ O/.",
        "addopen O/file wt directory",
        "addopen file wt @ P/directory ../link",
    ] {
        stage.call(&stage.words(row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    for row in [
        "addopen new wct directory",
        "addopen file wa O/.",
        "addopen file r O/.",
        "addopen new wcx O/.",
        "-C O/. addopen file wt P/.",
        "-C O/. addopen file w @ P/.",
        "-C O/. addopen P/file wt full",
    ] {
        stage.call(&stage.words(row)).is_ok();
    }
    for row in ["addopen nothing wt O/.", "addopen file wt O/nothing"] {
        stage.call(&stage.words(row)).is_error(ENOENT);
    }
    // What is not known any more is refused if it may destroy.
    let deep = ["d".repeat(250).as_str(); 5].join("/");
    std::fs::create_dir_all(stage.project().join(&deep)).unwrap();
    stage.write(format!("home/project/{deep}/file"), "old");
    stage
        .call(&["addopen", "file", "wt", &deep])
        .is_refused("unresolvable-target");
    stage.call(&["addopen", "file", "wa", &deep]).is_ok();
    assert_eq!(stage.content("home/project/file").as_deref(), Some(""));
}

#[test]
fn the_policy_is_that_of_the_first_process() {
    let stage = Stage::new();
    // Left to itself, the child would find itself in a project of its own there.
    let script = "cd $O && HOME=/ env -u BLASTRADIUS_POLICY unlink file";
    assert_eq!(stage.sh(script).refusals().len(), 1);
    assert!(stage.exists("outside/file"));
}

#[test]
fn what_others_put_into_the_environment_stays() {
    let stage = Stage::new();
    for way in [
        "keep-execve",
        "keep-execle",
        "keep-fexecve",
        "keep-vfork-execve",
        "keep-posix_spawn",
        "keep-system",
    ] {
        let ran = spawn(&stage, way, &["/usr/bin/env"]);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(lines.contains(&"KEPT=1"), "{way}: {ran:?}");
        // Ours comes last; what is not UTF-8 is passed on as it is (and replaced when it is read here).
        let preload = format!("LD_PRELOAD=/other/library.so:{LIBRARY}");
        assert!(lines.contains(&preload.as_str()), "{way}: {ran:?}");
        assert!(lines.contains(&"BINARY=\u{fffd}\u{fffd}"), "{way}: {ran:?}");
        let policies = lines
            .iter()
            .filter(|line| line.starts_with("BLASTRADIUS_POLICY="));
        assert_eq!(policies.count(), 1, "{way}: {ran:?}");
    }
    let ran = spawn(&stage, "several-execve", &["/usr/bin/env"]);
    let count = |name: &str| ran.stdout.matches(name).count();
    assert_eq!(
        (count("LD_PRELOAD="), count("BLASTRADIUS_POLICY=")),
        (1, 1),
        "{ran:?}"
    );
    let ran = spawn(&stage, "large-execve", &["/usr/bin/env"]);
    assert!(ran.stdout.contains("V0=0\n") && ran.stdout.contains("V1998=1998"));
}

#[test]
fn an_environment_that_is_as_it_must_be_is_passed_on() {
    let stage = Stage::new();
    let mut command = stage.guarded("/usr/bin/env");
    command
        .env("LD_PRELOAD", format!("/nowhere/other.so:{LIBRARY}"))
        .args(["/usr/bin/env"]);
    let ran = Ran::of(&mut command);
    assert!(
        ran.stdout
            .lines()
            .any(|line| line == format!("LD_PRELOAD=/nowhere/other.so:{LIBRARY}")),
        "{ran:?}"
    );
}

#[test]
fn arguments_arrive_as_they_were_given() {
    let stage = Stage::new();
    for way in WAYS {
        let ran = spawn(&stage, way, &["/bin/echo", "one", "two"]);
        let expected = if way.ends_with("-many") {
            "-e ".repeat(7) + "one two"
        } else {
            "one two".to_owned()
        };
        // echo takes the options off that it knows.
        assert!(expected.ends_with(&ran.stdout), "{way}: {ran:?}");
        assert!(ran.stdout.ends_with("one two"), "{way}: {ran:?}");
    }
}

#[test]
fn a_program_that_is_not_there_keeps_its_error() {
    let stage = Stage::new();
    for (way, errno) in [("execve", 2), ("execv", 2), ("execvp", 2), ("execl", 2)] {
        let ran = spawn(&stage, way, &["/nowhere/program", "one", "two"]);
        assert_eq!(ran.stdout, format!("{way}: {errno}"));
    }
}

#[test]
fn a_relative_library_is_found_from_everywhere() {
    let stage = Stage::new();
    std::fs::copy(LIBRARY, stage.project().join("copy.so")).unwrap();
    let mut command = stage.guarded("/bin/sh");
    command
        .env("LD_PRELOAD", "./copy.so")
        .env("O", stage.path("outside"))
        .args(["-c", "cd $O && env -i unlink file"]);
    let ran = Ran::of(&mut command);
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
    assert!(stage.exists("outside/file"));
    // The loader of a child elsewhere has no complaint either.
    let mut command = stage.guarded("/bin/sh");
    command
        .env("LD_PRELOAD", "./copy.so")
        .args(["-c", "cd / && /bin/true && env -u HOME /bin/true"]);
    assert_eq!(Ran::of(&mut command).stderr, "");
}

#[test]
fn musl_programs_are_guarded_by_the_same_file() {
    let Some(caller) = musl_caller() else {
        eprintln!("musl-gcc is not installed");
        return;
    };
    let stage = Stage::new();
    for row in [
        "unlink O/file",
        "remove O/file",
        "rename O/file P/x",
        "open O/file wt",
        "open64 O/file wt",
        "fopen O/file w",
        "fopen64 O/file r+",
        "freopen O/file w",
        "truncate O/file 0",
        "ftruncate64 O/file 0",
    ] {
        let ran = Ran::of(stage.guarded(caller).args(stage.words(row)));
        ran.is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    for row in [
        "-e unlink inside",
        "-e open inside wct",
        "fopen inside w",
        "freopen inside w",
        "fopen created wx",
        "-e truncate inside 1",
    ] {
        Ran::of(stage.guarded(caller).args(stage.words(row))).is_ok();
    }
    let spawner = compile(
        "spawn-musl",
        std::process::Command::new(which("musl-gcc").unwrap()),
        &[],
    );
    for way in WAYS.iter().filter(|way| **way != "execveat") {
        let mut command = stage.guarded(&spawner);
        command
            .arg(way)
            .args([caller.as_os_str(), "unlink".as_ref()])
            .arg(stage.path("outside/file"));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout, "1", "{way}: {ran:?}");
    }
    assert!(stage.exists("outside/file"));
}
