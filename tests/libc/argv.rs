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
fn all_that_lies_at_the_top_of_the_project_is_not_removed_at_once() {
    for (line, refused) in [
        // What the shell makes of a glob when a `cd` before it has failed.
        ("cd nowhere; rm -rf *", true),
        ("cd nowhere; ls | xargs rm -f", true),
        ("rm -rf ./*", true),
        ("rm -rf \"$PWD\"/*", true),
        ("cd directory && rm -rf ../*", true),
        ("rm -rf directory inside", false),
        ("cd directory && rm -rf *", false),
        ("touch a b c && rm -f a b c", false),
    ] {
        let stage = Stage::new();
        stage.write("home/project/other", "old");
        stage.write("home/project/directory/file", "old");
        let ran = Ran::of(stage.guarded("sh").args(["-c", line]));
        let told = ran.stderr.contains("[glob-breadth]");
        assert_eq!(told, refused, "{line}: {ran:?}");
        assert!(stage.exists("home/project/other"), "{line}: {ran:?}");
        if refused {
            assert!(stage.exists("home/project/inside"), "{line}: {ran:?}");
            assert!(
                stage.exists("home/project/directory/file"),
                "{line}: {ran:?}"
            );
        }
    }
    // All of it came since the session began.
    let stage = Stage::new();
    for name in ["inside", "link", "to-file"] {
        std::fs::remove_file(stage.project().join(name)).unwrap();
    }
    std::fs::remove_dir(stage.project().join("directory")).unwrap();
    let ran = Ran::of(
        stage
            .guarded("sh")
            .args(["-c", "touch a b c && rm -f * && ls"]),
    );
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("", ""),
        "{ran:?}"
    );
}

#[test]
fn a_repository_whose_history_is_nowhere_else_is_not_removed() {
    const CONFIG: &str = "home/project/nested/.git/config";
    let stage = Stage::new();
    let make = |config: &str| {
        std::fs::create_dir_all(stage.project().join("nested/.git/refs/heads")).unwrap();
        stage.write("home/project/nested/.git/refs/heads/main", "1f");
        stage.write(CONFIG, config);
    };
    make("[core]\n");
    let remove = || Ran::of(stage.guarded("rm").args(["-rf", "nested"]));
    let ran = remove();
    assert!(ran.stderr.ends_with("[vcs-metadata]"), "{ran:?}");
    assert!(stage.exists(CONFIG));
    make("[core]\n[remote \"origin\"]\n");
    let ran = remove();
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(!stage.exists(CONFIG));
    // One that came since the session began.
    let ran = stage.sh("mkdir -p new/.git/refs/heads && cd new/.git && touch refs/heads/main config && cd ../.. && rm -rf new");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(!stage.exists("home/project/new"));
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
    // Under another name, and as the interpreter of a script: what the kernel was told to start is neither.
    for (file, make) in [
        ("innocent", "ln -s \"$(command -v rm)\" innocent"),
        (
            "script",
            "printf '#!%s -rf\\n' \"$(command -v rm)\" > script && chmod +x script",
        ),
    ] {
        let line = format!("{make} && ./{file} -rf \"$HOME\"");
        let ran = Ran::of(stage.guarded("sh").args(["-c", &line]));
        assert!(ran.stderr.ends_with("[floor-path]"), "{file}: {ran:?}");
        assert!(ran.stderr.contains("recursive removal"), "{file}: {ran:?}");
    }
}
