use crate::stage::Stage;

const EXDEV: i32 = 18;
const EEXIST: i32 = 17;
const ENOENT: i32 = 2;

#[test]
fn refuses_to_move_what_is_outside() {
    let stage = Stage::new();
    for row in [
        "rename O/file P/taken",
        "rename O/file O/other",
        "renameat O/file P/taken",
        "renameat2 O/file P/taken",
        "rename-noreplace O/file P/taken",
        "-d O/. renameat file other",
        "-C O/. rename file other",
        "rename link/file taken",
        "rename O/full P/taken",
        "rename-exchange O/file P/inside",
        "rename-exchange P/inside O/file",
    ] {
        let ran = stage.call(&stage.words(row));
        ran.is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
        assert!(stage.exists("outside/full/file"), "{row}");
        assert!(!stage.exists("home/project/taken"), "{row}");
        assert_ne!(ran.stdout, EXDEV.to_string());
    }
}

#[test]
fn refuses_to_replace_what_is_outside() {
    let stage = Stage::new();
    stage.write("home/project/inside", "new");
    for row in [
        "rename P/inside O/file",
        "renameat P/inside O/file",
        "renameat2 P/inside O/file",
        "rename inside link/file",
        "rename inside directory/../link/file",
        "rename inside O/empty",
        "rename directory O/vacant",
    ] {
        stage.call(&stage.words(row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
        assert_eq!(stage.content("outside/empty").as_deref(), Some(""), "{row}");
        assert_eq!(
            stage.content("home/project/inside").as_deref(),
            Some("new"),
            "{row}"
        );
        assert!(stage.exists("home/project/directory"), "{row}");
    }
}

#[test]
fn moves_what_is_in_scope() {
    for row in [
        "-e rename inside moved",
        "-e rename P/inside P/moved",
        "-e renameat inside moved",
        "-e -d P/. renameat inside moved",
        "-e renameat2 inside moved",
        "-e rename-noreplace inside moved",
        "-e rename inside ./directory/../moved",
    ] {
        let stage = Stage::new();
        stage.call(&stage.words(row)).is_ok();
        assert_eq!(
            stage.content("home/project/moved").as_deref(),
            Some("old"),
            "{row}"
        );
        assert!(!stage.exists("home/project/inside"), "{row}");
    }
}

#[test]
fn replaces_what_is_in_scope() {
    let stage = Stage::new();
    stage.write("home/project/new", "new");
    stage.call(&["rename", "new", "inside"]).is_ok();
    assert_eq!(stage.content("home/project/inside").as_deref(), Some("new"));
    // The link is replaced, and what it points to stays.
    stage.call(&["rename", "inside", "to-file"]).is_ok();
    assert_eq!(
        stage.content("home/project/to-file").as_deref(),
        Some("new")
    );
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

#[test]
fn swaps_what_is_in_scope() {
    let stage = Stage::new();
    stage.write("home/project/new", "new");
    stage.call(&["rename-exchange", "new", "inside"]).is_ok();
    assert_eq!(stage.content("home/project/inside").as_deref(), Some("new"));
    assert_eq!(stage.content("home/project/new").as_deref(), Some("old"));
}

#[test]
fn a_new_name_outside_loses_nothing() {
    let stage = Stage::new();
    stage.call(&stage.words("-e rename inside O/new")).is_ok();
    assert_eq!(stage.content("outside/new").as_deref(), Some("old"));
    stage
        .call(&stage.words("-e rename directory O/newer"))
        .is_ok();
    assert!(stage.exists("outside/newer"));
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    for (row, errno) in [
        ("rename O/nothing P/x", ENOENT),
        ("rename P/nothing O/file", ENOENT),
        ("rename P/nothing O/nothing", ENOENT),
        ("rename P/inside O/nothing/x", ENOENT),
        ("rename-noreplace P/inside O/file", EEXIST),
        ("rename-noreplace P/inside P/to-file", EEXIST),
        ("rename-exchange P/inside P/nothing", ENOENT),
    ] {
        stage.call(&stage.words(row)).is_error(errno);
    }
}

#[test]
fn refuses_to_move_the_project_its_history_and_the_floor() {
    let stage = Stage::new();
    for (row, rule) in [
        ("-C /var/tmp rename P/. /var/tmp/x", ""),
        ("rename P/../project /var/tmp/x", "project-root"),
        ("rename .git hidden", "vcs-metadata"),
        ("rename P/.. /var/tmp/x", ""),
        ("rename O/../home /var/tmp/x", "floor-path"),
    ] {
        let ran = stage.call(&stage.words(row));
        if rule.is_empty() {
            assert_ne!(ran.stdout, "ok", "{row}");
        } else {
            ran.is_refused(rule);
        }
        assert!(stage.exists("home/project/.git/HEAD"), "{row}");
    }
}

#[test]
fn a_directory_that_holds_what_is_denied_stays() {
    let stage = Stage::new();
    stage.write("home/project/.blastradius", "deny **/*.pem\n");
    for directory in ["secret/a/b/c", "plain/a/b/c", "other"] {
        std::fs::create_dir_all(stage.project().join(directory)).unwrap();
    }
    stage.write("home/project/secret/a/b/c/key.pem", "old");
    stage.write("home/project/plain/a/b/c/key.txt", "old");
    std::os::unix::fs::symlink(
        stage.project().join("secret"),
        stage.project().join("plain/link"),
    )
    .unwrap();
    for row in [
        "rename secret moved",
        "rename secret /tmp/blastradius-moved",
        "rename secret/a/b moved",
        "renameat P/secret/ moved",
        "-d P/secret renameat a b",
        "rename-noreplace secret moved",
        "rename-exchange secret other",
        "rename-exchange other secret",
        "rename secret/a/b/c/key.pem x",
    ] {
        stage.call(&stage.words(row)).is_refused("denied");
        assert_eq!(
            stage
                .content("home/project/secret/a/b/c/key.pem")
                .as_deref(),
            Some("old"),
            "{row}"
        );
    }
    for row in ["rename plain moved", "rename inside other/inside"] {
        stage.call(&stage.words(&format!("-e {row}"))).is_ok();
    }
    assert!(stage.exists("home/project/moved/a/b/c/key.txt"));
    // What cannot be looked through might hold anything.
    let mut deep = String::from("deep");
    for _ in 0..40 {
        deep.push_str("/d");
    }
    std::fs::create_dir_all(stage.project().join(deep)).unwrap();
    stage
        .call(&["rename", "deep", "deeper"])
        .is_refused("denied");
    assert!(stage.exists("home/project/deep"));
}
