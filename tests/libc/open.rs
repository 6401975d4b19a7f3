use std::os::unix::fs::{MetadataExt, PermissionsExt};

use crate::stage::{Ran, Stage, caller};

const EPERM: i32 = 1;
const EBADF: i32 = 9;
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;
const ENOENT: i32 = 2;
const ELOOP: i32 = 40;
const ENOTDIR: i32 = 20;

/// Every symbol that opens, with the words around the path and flags.
const SYMBOLS: [(&str, &str); 10] = [
    ("open", ""),
    ("open64", ""),
    ("__open", ""),
    ("__open64", ""),
    ("openat", ""),
    ("openat64", ""),
    ("__open_2", ""),
    ("__open64_2", ""),
    ("__openat_2", ""),
    ("__openat64_2", ""),
];

#[test]
fn refuses_to_empty_or_overwrite_a_file_outside_through_every_symbol() {
    let stage = Stage::new();
    for (symbol, _) in SYMBOLS {
        for flags in ["wt", "+t", "rt", "w", "+", "wat"] {
            for path in ["O/file", "P/to-file", "link/file", "../../outside/file"] {
                let row = format!("{symbol} {path} {flags}");
                stage.call(&stage.words(&row)).is_refused("out-of-scope");
                assert_eq!(
                    stage.content("outside/file").as_deref(),
                    Some("old"),
                    "{row}"
                );
            }
        }
    }
    for row in [
        "creat O/file",
        "creat64 O/file",
        "open O/file wct",
        "open64 to-file wct",
        "open O/file +ct",
        "open O/file wc",
        "-d O/. openat file wct",
        "-C O/. open file wct",
        "open /proc/self/cwd/to-file wct",
    ] {
        stage.call(&stage.words(row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn says_whether_it_was_emptied_or_overwritten() {
    let stage = Stage::new();
    let path = stage.path("outside/file");
    for (flags, words) in [("wt", "truncation of"), ("w", "overwriting of")] {
        let ran = stage.call(&stage.words(&format!("open O/file {flags}")));
        let line = format!(
            "blastradius: refused {words} {}: outside the scope [out-of-scope]",
            path.display()
        );
        assert_eq!(ran.stderr, line);
    }
}

#[test]
fn writes_what_is_in_scope() {
    for (symbol, _) in SYMBOLS {
        for (flags, content) in [
            ("wt", "new"),
            ("+t", "new"),
            ("w", "new-old"),
            ("wa", "old-oldnew"),
        ] {
            let stage = Stage::new();
            stage.write("home/project/inside", "old-old");
            let row = format!("-e {symbol} inside {flags}");
            stage.call(&stage.words(&row)).is_ok();
            assert_eq!(
                stage.content("home/project/inside").as_deref(),
                Some(content),
                "{row}"
            );
        }
    }
    let stage = Stage::new();
    for row in ["-e creat inside", "-e creat64 inside", "-e open inside wct"] {
        stage.call(&stage.words(row)).is_ok();
        assert_eq!(
            stage.content("home/project/inside").as_deref(),
            Some("new"),
            "{row}"
        );
    }
    // Linux empties what is opened for reading, too.
    stage.call(&stage.words("-e open inside rt")).is_ok();
    assert_eq!(stage.content("home/project/inside").as_deref(), Some(""));
}

#[test]
fn appending_and_what_holds_nothing_pass() {
    let stage = Stage::new();
    stage.call(&stage.words("-e open O/file wa")).is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("oldnew"));
    stage.call(&stage.words("-e open O/file wca")).is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("oldnewnew"));
    stage.call(&stage.words("-e open O/empty wt")).is_ok();
    assert_eq!(stage.content("outside/empty").as_deref(), Some("new"));
    stage.call(&stage.words("-e open O/created wct")).is_ok();
    assert_eq!(stage.content("outside/created").as_deref(), Some("new"));
    stage.call(&stage.words("-e open O/exclusive wcx")).is_ok();
    stage.call(&stage.words("-e open O/file r")).is_ok();
    stage.call(&stage.words("-e open O/file p")).is_ok();
    stage.call(&stage.words("-e open O/. Tw")).is_ok();
    stage.call(&stage.words("-e open /dev/null wct")).is_ok();
    stage.call(&stage.words("-e open /dev/full wt")).is_ok();
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    for (row, errno) in [
        ("open O/nothing wt", ENOENT),
        ("open O/nothing/x wct", ENOENT),
        ("open O/file/x wct", ENOTDIR),
        ("open O/full wt", EISDIR),
        ("open O/full rt", EISDIR),
        ("open directory rt", EISDIR),
        ("open O/file wcx", EEXIST),
        ("open O/file wctx", EEXIST),
        ("open to-file wtn", ELOOP),
        ("open to-file wcx", EEXIST),
        ("open O/file wd", ENOTDIR),
    ] {
        stage.call(&stage.words(row)).is_error(errno);
    }
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

#[test]
fn a_new_file_keeps_its_mode() {
    let stage = Stage::new();
    stage
        .call(&stage.words("-e open-mode P/setgid wct 2755"))
        .is_ok();
    let mode = stage.project().join("setgid").metadata().unwrap().mode();
    // The write that follows may take the bit of a file that a group can execute; the call must not.
    let expected = {
        let mut plain = stage.unguarded(caller());
        Ran::of(plain.args(stage.words("open-mode P/plain wct 2755"))).is_ok();
        stage.project().join("plain").metadata().unwrap().mode()
    };
    assert_eq!(mode, expected);
}

#[test]
fn a_dangling_link_creates_what_it_points_to() {
    let stage = Stage::new();
    let link = stage.project().join("dangling");
    std::os::unix::fs::symlink(stage.path("outside/later"), &link).unwrap();
    stage.call(&stage.words("-e open dangling wct")).is_ok();
    assert_eq!(stage.content("outside/later").as_deref(), Some("new"));
}

#[test]
fn what_only_appended_does_not_begin_to_write_over() {
    let stage = Stage::new();
    for symbol in ["fcntl", "fcntl64", "__fcntl"] {
        for path in ["O/file", "to-file"] {
            let row = format!("{symbol} {path}");
            stage.call(&stage.words(&row)).is_refused("out-of-scope");
            assert_eq!(
                stage.content("outside/file").as_deref(),
                Some("old"),
                "{row}"
            );
        }
        stage.write("home/project/inside", "old");
        stage
            .call(&stage.words(&format!("-e {symbol} inside")))
            .is_ok();
        assert_eq!(stage.content("home/project/inside").as_deref(), Some("new"));
    }
    stage.call(&stage.words("-e fcntl O/empty")).is_ok();
    stage.call(&stage.words("-e fcntl-keep O/file")).is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("oldnew"));
    stage.call(&stage.words("-e fcntl-commands O/file")).is_ok();
    stage.call(&stage.words("fcntl-bad")).is_error(EBADF);
}

#[test]
fn a_handle_leads_to_the_same_verdict_as_a_path() {
    let stage = Stage::new();
    for flags in ["wt", "w", "rt"] {
        let row = format!("open_by_handle_at O/file {flags}");
        let ran = stage.call(&stage.words(&row));
        if ran.stdout == EPERM.to_string() && ran.refusals().is_empty() {
            eprintln!("only root opens by handle");
            return;
        }
        ran.is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    stage
        .call(&stage.words("-e open_by_handle_at inside wt"))
        .is_ok();
    assert_eq!(stage.content("home/project/inside").as_deref(), Some("new"));
    stage
        .call(&stage.words("-e open_by_handle_at O/file wa"))
        .is_ok();
}

#[test]
fn what_was_born_in_the_session_may_be_rewritten() {
    let stage = Stage::new();
    stage.call(&stage.words("create-rewrite O/fresh")).is_ok();
    assert_eq!(stage.content("outside/fresh").as_deref(), Some("new"));
}

#[test]
fn a_pipe_is_opened_as_it_is_without_us() {
    let stage = Stage::new();
    let ran = stage.sh("mkfifo $O/pipe; cat $O/pipe & echo through > $O/pipe; wait");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("through", ""));
}

#[test]
fn the_descriptor_has_the_number_it_would_have() {
    let stage = Stage::new();
    // The idiom of shells: the lowest free number is the one that was closed.
    let ran = stage.sh("exec 1>&-; exec > inside; echo written");
    assert_eq!(ran.stderr, "");
    assert_eq!(
        stage.content("home/project/inside").as_deref(),
        Some("written\n")
    );
}

#[test]
fn refuses_the_guards_own_files_also_when_they_are_new() {
    let stage = Stage::new();
    for row in [
        "open .blastradius wct",
        "open .blastradius wca",
        "open .blastradius wcx",
        "open directory/../.blastradius wct",
        "rename inside .blastradius",
        "fopen .blastradius w",
        "fopen .blastradius a",
    ] {
        stage.call(&stage.words(row)).is_refused("guard-file");
        assert!(!stage.exists("home/project/.blastradius"), "{row}");
    }
    stage.write("home/project/.blastradius", "");
    for row in [
        "open .blastradius wa",
        "open .blastradius w",
        "open .blastradius wt",
        "unlink .blastradius",
        "rename .blastradius x",
        "rename inside .blastradius",
        "truncate .blastradius 9",
    ] {
        stage.call(&stage.words(row)).is_refused("guard-file");
        assert_eq!(
            stage.content("home/project/.blastradius").as_deref(),
            Some(""),
            "{row}"
        );
    }
    // Nor may a directory bring one along.
    let config = stage.path("home/.config");
    std::fs::create_dir_all(stage.project().join("brought/blastradius")).unwrap();
    stage
        .call(&["rename".as_ref(), "brought".as_ref(), config.as_os_str()])
        .is_refused("guard-file");
    assert!(!config.exists());
    // The same name elsewhere is nobody's.
    stage
        .call(&stage.words("-e open directory/.blastradius wct"))
        .is_ok();
}

#[test]
fn a_protected_file_stays_protected() {
    let stage = Stage::new();
    let file = stage.project().join("inside");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).unwrap();
    // As root this passes, as anyone else it does not: as without us in either case.
    let mut plain = stage.unguarded(caller());
    let expected = Ran::of(plain.args(["open", "inside", "rt"])).stdout;
    stage.write("home/project/other", "old");
    assert_eq!(stage.call(&["open", "inside", "rt"]).stdout, expected);
}

#[test]
fn a_device_that_holds_nothing_may_be_written() {
    let stage = Stage::new();
    let image = stage.path("home/project/image");
    std::fs::write(&image, vec![0; 1 << 20]).unwrap();
    let Some(losetup) = ["/sbin/losetup", "/usr/sbin/losetup"]
        .iter()
        .find(|path| std::fs::exists(path).unwrap())
    else {
        return;
    };
    // Guarded: it finds a free device and opens it to be written.
    let attached = Ran::of(
        stage
            .guarded(losetup)
            .args(["--find", "--show"])
            .arg(&image),
    );
    let bare = Ran::of(stage.unguarded(losetup).arg("--find"));
    if bare.status != Some(0) {
        eprintln!("no loop devices here: {bare:?}");
        return;
    }
    assert_eq!((attached.status, &*attached.stderr), (Some(0), ""));
    let device = attached.stdout;
    let ran = stage.call(&["open", &device, "w"]);
    let detached = Ran::of(stage.unguarded(losetup).args(["--detach", &device]));
    ran.is_refused("floor-path");
    assert_eq!(detached.status, Some(0), "{detached:?}");
    assert!(std::fs::read(&image).unwrap().iter().all(|&byte| byte == 0));
}
