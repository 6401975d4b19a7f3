use crate::stage::Stage;

const EISDIR: i32 = 21;
const ENOENT: i32 = 2;
const ENOTDIR: i32 = 20;
const ENOTEMPTY: i32 = 39;
const EINVAL: i32 = 22;
const EFAULT: i32 = 14;
const ENAMETOOLONG: i32 = 36;

#[test]
fn refuses_every_spelling_of_a_file_outside() {
    let stage = Stage::new();
    for row in [
        "unlink O/file",
        "remove O/file",
        "unlinkat O/file",
        "-d O/. unlinkat file",
        "-d O/full unlinkat ../file",
        "-d P/directory unlinkat ../../../outside/file",
        "-C O/. unlink file",
        "-C O/. unlink ./file",
        "-C O/full unlink ../file",
        "unlink ../../outside/file",
        "unlink ..//..//outside//file",
        "unlink directory/../../../outside/file",
        "unlink link/file",
        "unlink P/link/file",
        "unlink ./link/./file",
        "unlink link/full/../file",
        "-C P/link unlink file",
        "-d P/link unlinkat file",
        "unlink /proc/self/cwd/../../outside/file",
    ] {
        let ran = stage.call(&stage.words(row));
        ran.is_refused("out-of-scope");
        let path = stage.path("outside/file");
        assert_eq!(
            ran.stderr,
            format!(
                "blastradius: refused unlink of {}: outside the scope [out-of-scope]",
                path.display()
            ),
            "{row}"
        );
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn refuses_an_empty_directory_outside() {
    let stage = Stage::new();
    for row in [
        "rmdir O/vacant",
        "rmdir O/vacant/",
        "rmdir O/vacant//",
        "rmdir link/vacant",
        "remove O/vacant",
        "unlinkat-directory O/vacant",
        "-d O/. unlinkat-directory vacant",
        "-C O/. rmdir vacant",
    ] {
        stage.call(&stage.words(row)).is_refused("out-of-scope");
        assert!(stage.exists("outside/vacant"), "{row}");
    }
}

#[test]
fn removes_what_is_in_scope() {
    for (row, gone) in [
        ("-e unlink inside", "inside"),
        ("-e unlink P/inside", "inside"),
        ("-e unlink directory/../inside", "inside"),
        ("-e remove inside", "inside"),
        // libc leaves the error of its first attempt behind.
        ("remove directory", "directory"),
        ("-e rmdir directory", "directory"),
        ("-e rmdir directory/", "directory"),
        ("-e unlinkat-directory directory", "directory"),
        ("-e -d P/. unlinkat inside", "inside"),
        // The link lies inside, whatever it points to.
        ("-e unlink to-file", "to-file"),
        ("-e unlink link", "link"),
        ("-e remove link", "link"),
    ] {
        let stage = Stage::new();
        stage.call(&stage.words(row)).is_ok();
        assert!(!stage.exists(format!("home/project/{gone}")), "{row}");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    let long = format!("unlink {}", "n/".repeat(2100));
    for (row, errno) in [
        ("unlink O/nothing", ENOENT),
        ("unlink O/nothing/more", ENOENT),
        ("unlink O/file/more", ENOTDIR),
        ("unlink O/full", EISDIR),
        ("unlink O/full/.", EINVAL),
        ("rmdir O/full", ENOTEMPTY),
        ("rmdir O/file", ENOTDIR),
        ("rmdir O/vacant/.", EINVAL),
        ("unlinkat-flags O/file", EINVAL),
        ("unlink-null", EFAULT),
        ("unlink-wild", EFAULT),
        ("unlink nothing", ENOENT),
        (long.as_str(), ENAMETOOLONG),
    ] {
        let ran = stage.call(&stage.words(row));
        if row.ends_with("/.") && ran.stdout == EISDIR.to_string() {
            continue;
        }
        ran.is_error(errno);
    }
    stage.call(&["unlink", ""]).is_error(ENOENT);
    assert!(stage.exists("outside/full/file"));
}

#[test]
fn refuses_the_floor_and_the_project_itself() {
    let stage = Stage::new();
    // Nothing is removed even without the library: the directories are not empty, or in use.
    for (row, rule) in [
        ("rmdir P/../../home/project/.git/../.git", ""),
        ("unlink P/.blastradius", ""),
    ] {
        let ran = stage.call(&stage.words(row));
        assert!(!ran.stdout.contains("ok"), "{row} {rule}");
    }
    std::fs::remove_dir_all(stage.path("home/project")).unwrap();
    std::fs::create_dir_all(stage.path("home/project")).unwrap();
    let mut rmdir = stage.guarded(crate::stage::caller());
    crate::stage::Ran::of(rmdir.args(["rmdir", ".."])).is_error(ENOTEMPTY);
    stage
        .call(&stage.words("rmdir P/"))
        .is_refused("project-root");
    assert!(stage.exists("home/project"));
}

#[test]
fn what_was_born_in_the_session_may_go() {
    let stage = Stage::new();
    stage.call(&stage.words("create-unlink O/fresh")).is_ok();
    assert!(!stage.exists("outside/fresh"));
}

#[test]
fn works_without_descriptors_and_below_paths_that_are_too_long() {
    let stage = Stage::new();
    stage
        .call(&stage.words("unlink-without-descriptors P/link/file"))
        .is_refused("out-of-scope");
    stage
        .call(&stage.words("unlink-without-descriptors P/inside"))
        .is_ok();
    stage.call(&stage.words("deep-unlink P/directory")).is_ok();
    stage
        .call(&stage.words("deleted-cwd P/gone"))
        .is_error(ENOENT);
    stage
        .call(&stage.words("deleted-cwd O/gone"))
        .is_error(ENOENT);
}

#[test]
fn what_is_born_in_the_first_moment_of_a_session_is_newborn() {
    let stage = Stage::new();
    for _ in 0..20 {
        stage
            .call(&stage.words("create-unlink-at-once O/fresh"))
            .is_ok();
    }
}
