use crate::stage::{Ran, Stage};

#[test]
fn a_tree_that_holds_more_than_the_scope_is_refused_whole() {
    for (program, words, rule) in [
        // The home holds the project: not one file of it goes.
        ("rm", "-rf H", "floor-path"),
        ("rm", "-r -f H/", "floor-path"),
        ("rm", "--recursive --force H", "floor-path"),
        ("rm", "-rf inside H", "floor-path"),
        ("rm", "-rf -- H/../home", "floor-path"),
        ("rm", "-rf ..", "floor-path"),
        ("rm", "-rf P", "project-root"),
        ("rm", "-rf .git", "vcs-metadata"),
        ("rm", "-rf .git/objects", "vcs-metadata"),
        ("rm", "-rf O/full", "out-of-scope"),
        ("rm", "-rf link/full", "out-of-scope"),
        ("find", "H -delete", "floor-path"),
        ("find", "O -delete", "out-of-scope"),
        ("find", "O -name file -delete", "out-of-scope"),
        ("mv", "P O/away", "project-root"),
        ("mv", "O/full P/taken", "out-of-scope"),
    ] {
        let stage = Stage::new();
        std::fs::create_dir_all(stage.project().join(".git/objects/ab")).unwrap();
        let arguments = words.split(' ').map(|word| match word.split_at(1) {
            ("H", rest) => format!("{}{rest}", stage.path("home").display()),
            ("P", rest) => format!("{}{rest}", stage.project().display()),
            ("O", rest) => format!("{}{rest}", stage.path("outside").display()),
            _ => word.to_owned(),
        });
        let ran = Ran::of(stage.guarded(program).args(arguments));
        let row = format!("{program} {words}: {ran:?}");
        assert_eq!(ran.status, Some(1), "{row}");
        assert_eq!(ran.stderr.lines().count(), 1, "{row}");
        assert!(ran.stderr.ends_with(&format!("[{rule}]")), "{row}");
        assert!(stage.exists("home/project/inside"), "{row}");
        assert!(stage.exists("home/project/.git/HEAD"), "{row}");
        assert!(stage.exists("home/project/.git/objects/ab"), "{row}");
        assert!(stage.exists("outside/full/file"), "{row}");
    }
}

#[test]
fn a_tree_with_a_denied_file_is_refused_whole() {
    let stage = Stage::new();
    stage.write("home/project/.blastradius", "deny ./directory/secret\n");
    stage.write("home/project/directory/secret", "old");
    stage.write("home/project/directory/other", "old");
    let ran = Ran::of(stage.guarded("rm").args(["-rf", "directory"]));
    assert!(ran.stderr.ends_with("[denied]"), "{ran:?}");
    assert!(stage.exists("home/project/directory/other"));
    // A pattern that only the disk can tell of is left to the calls.
    stage.write("home/project/.blastradius", "deny **/secret\n");
    let ran = Ran::of(stage.guarded("rm").args(["-rf", "directory"]));
    assert!(ran.stderr.contains("[denied]"), "{ran:?}");
    assert!(stage.exists("home/project/directory/secret"));
    assert!(!stage.exists("home/project/directory/other"));
}

#[test]
fn what_is_in_scope_passes() {
    for (program, words, gone) in [
        ("rm", "-rf directory", "directory"),
        ("rm", "-rf directory inside", "inside"),
        ("rm", "-rf link", "link"),
        ("rm", "-rf nothing", "nothing"),
        ("find", "directory -delete", "directory"),
        ("find", ". -name inside -delete", "inside"),
        ("mv", "directory moved", "directory"),
    ] {
        let stage = Stage::new();
        stage.write("home/project/directory/file", "old");
        let ran = Ran::of(stage.guarded(program).args(words.split(' ')));
        let row = format!("{program} {words}: {ran:?}");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{row}");
        assert!(!stage.exists(format!("home/project/{gone}")), "{row}");
        assert!(stage.exists("outside/full/file"), "{row}");
    }
}

#[test]
fn a_tree_that_does_not_exist_is_no_loss() {
    let stage = Stage::new();
    let ran = Ran::of(
        stage
            .guarded("rm")
            .args(["-rf", "/var/tmp/nothing-of-the-kind"]),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_program_is_known_by_its_file_and_not_by_its_first_word() {
    use std::os::unix::process::CommandExt;
    let stage = Stage::new();
    let ran = Ran::of(
        stage
            .guarded("rm")
            .arg0("innocent")
            .args(["-rf".into(), stage.path("home")]),
    );
    assert!(ran.stderr.ends_with("[floor-path]"), "{ran:?}");
    let ran = Ran::of(
        stage
            .guarded("echo")
            .arg0("rm")
            .args(["-rf".into(), stage.path("home")]),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}
