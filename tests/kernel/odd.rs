//! What only some programs do, and what the supervisor's own part in a call must not change.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::stage::{Ran, Stage, compile, compiler};

const EMFILE: i32 = 24;

fn odd() -> &'static PathBuf {
    static ODD: OnceLock<PathBuf> = OnceLock::new();
    ODD.get_or_init(|| compile("odd", compiler(), &["-static", "-pthread"]))
}

/// What it prints when it is guarded.
fn guarded(stage: &Stage, words: &str) -> Ran {
    Ran::of(stage.guarded(odd()).args(stage.words(words)))
}

/// The same when it is not.
fn unguarded(stage: &Stage, words: &str) -> String {
    Ran::of(stage.unguarded(odd()).args(stage.words(words))).stdout
}

#[test]
fn a_thread_may_have_descriptors_of_its_own() {
    let stage = Stage::new();
    guarded(&stage, "table O/file").is_refused("out-of-scope");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    guarded(&stage, "table inside").is_ok();
    assert_eq!(stage.content("home/project/inside").as_deref(), Some(""));
}

#[test]
fn a_file_is_not_emptied_for_whom_there_is_no_room() {
    let stage = Stage::new();
    guarded(&stage, "room inside").is_error(EMFILE);
    assert_eq!(stage.content("home/project/inside").as_deref(), Some("old"));
}

#[test]
fn a_file_that_is_closed_is_open_nowhere() {
    let stage = Stage::new();
    assert_eq!(unguarded(&stage, "busy program lock"), "ok");
    guarded(&stage, "busy program lock").is_ok();
}

#[test]
fn below_a_mount_that_lies_nowhere_a_path_means_nothing() {
    let stage = Stage::new();
    std::fs::create_dir(stage.path("outside/tmp")).unwrap();
    stage.write("outside/tmp/victim", "old");
    let ran = guarded(&stage, "detached O tmp/victim");
    if ran.stdout == "none" {
        eprintln!("skipped: mounts cannot be copied here");
        return;
    }
    ran.is_refused("unresolvable-target");
    assert_eq!(stage.content("outside/tmp/victim").as_deref(), Some("old"));
}

#[test]
fn how_a_path_may_be_followed_is_the_kernel_s_to_say() {
    let stage = Stage::new();
    std::os::unix::fs::symlink("inside", stage.project().join("link-in")).unwrap();
    // No other mount, no link of /proc, no link at all, nothing above, what is cached, and a flag that nobody knows.
    for flags in ["1", "2", "4", "8", "0x10", "0x20", "0x100"] {
        for path in [
            "inside",
            "link-in",
            "missing",
            "/proc/self/cwd/inside",
            "/dev/null",
        ] {
            let words = format!("resolve {path} {flags}");
            let expected = unguarded(&stage, &words);
            let ran = guarded(&stage, &words);
            assert_eq!(ran.stdout, expected, "{words}: {ran:?}");
        }
    }
}

#[test]
fn what_proc_shows_of_others_is_not_taken_for_ours() {
    let stage = Stage::new();
    let mut command = stage.unguarded("unshare");
    command.args([
        "-pf",
        env!("CARGO_BIN_EXE_blastradius"),
        "run",
        "--layers",
        "kernel",
        "--",
    ]);
    let ran = Ran::of(command.arg(odd()).args(stage.words("room O/file")));
    if ran.stderr.starts_with("unshare: ") {
        eprintln!("skipped: no name space of processes is to be had: {ran:?}");
        return;
    }
    const FAILED: i32 = 125;
    assert_eq!(ran.status, Some(FAILED), "{ran:?}");
    assert!(
        ran.stderr
            .contains("/proc belongs to another name space of processes"),
        "{ran:?}"
    );
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

#[test]
fn a_name_that_is_gone_takes_nothing_from_the_others() {
    let stage = Stage::new();
    std::fs::hard_link(
        stage.project().join("inside"),
        stage.project().join("other"),
    )
    .unwrap();
    guarded(&stage, "linked inside").is_ok();
    assert_eq!(stage.content("home/project/other").as_deref(), Some("o"));
}

#[test]
fn in_another_root_a_path_past_no_link_leads_where_the_program_sees_it() {
    let stage = Stage::new();
    let outside = stage.path("outside/file");
    let inner = stage
        .project()
        .join("jail")
        .join(outside.strip_prefix("/").unwrap());
    std::fs::create_dir_all(inner.parent().unwrap()).unwrap();
    std::fs::write(&inner, "old").unwrap();
    let ran = guarded(&stage, "jail jail O/file");
    if ran.stdout == "none" {
        eprintln!("skipped: the root cannot be changed here");
        return;
    }
    ran.is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    assert_eq!(std::fs::read_to_string(inner).unwrap(), "");
}

#[test]
fn what_is_no_name_and_no_file_keeps_its_error() {
    let stage = Stage::new();
    for row in [
        "unlink .",
        "unlink ..",
        "unlink /",
        "unlink directory/.",
        "unlink nothing/..",
        "unlink inside/.",
        "rmdir .",
        "rmdir ..",
        "rmdir /",
        "rmdir directory/./",
        "rmdir nothing/.",
        "rename . other",
        "rename directory/.. other",
        "rename inside .",
        "rename inside nothing/.",
        "rename / other",
        "rename-noreplace inside .",
        "rename-noreplace . other",
        "truncate directory 0",
        "truncate /dev/null 0",
        "truncate inside -1",
        "number-openat2-small inside w",
        "number-openat2-later inside w",
    ] {
        let words = stage.words(row);
        let expected = Ran::of(stage.unguarded(crate::layer::caller()).args(&words));
        let ran = stage.call(&words);
        assert_eq!(
            (&ran.stdout, &ran.stderr),
            (&expected.stdout, &expected.stderr),
            "{row}"
        );
        assert_eq!(
            stage.content("home/project/inside").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}
