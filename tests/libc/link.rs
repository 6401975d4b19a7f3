use std::os::unix::fs::MetadataExt;

use crate::stage::Stage;

const ENOENT: i32 = 2;
const EFAULT: i32 = 14;
const EEXIST: i32 = 17;
const ENOTDIR: i32 = 20;

#[test]
fn a_file_of_the_guard_is_not_brought_in_by_a_link() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("home/.config/blastradius")).unwrap();
    std::fs::create_dir_all(stage.project().join("brought")).unwrap();
    let config = "../.config/blastradius/config";
    let state = "../.local";
    for row in [
        "link inside .blastradius".to_owned(),
        "linkat inside .blastradius".to_owned(),
        "-d P/. linkat inside .blastradius".to_owned(),
        "-d P/directory symlinkat ../inside ../.blastradius".to_owned(),
        "symlink inside .blastradius".to_owned(),
        "symlink inside directory/../.blastradius".to_owned(),
        format!("symlink P/inside {config}"),
        format!("link P/inside {config}"),
        format!("number-symlinkat P/inside {config}"),
        format!("number-linkat P/inside {config}"),
        // A directory would bring all that is in it.
        format!("symlink P/brought {state}"),
    ] {
        stage.call(&stage.words(&row)).is_refused("guard-file");
        for file in [".blastradius", config, state] {
            let path = stage.project().join(file);
            assert!(std::fs::symlink_metadata(path).is_err(), "{row}: {file}");
        }
    }
}

#[test]
fn a_file_of_the_guard_gets_no_second_name() {
    let stage = Stage::new();
    stage.write("home/project/.blastradius", "");
    let file = stage.project().join(".blastradius");
    std::os::unix::fs::symlink(&file, stage.project().join("alias")).unwrap();
    for row in [
        "link .blastradius second",
        "link P/directory/../.blastradius second",
        "linkat .blastradius second",
        "linkat-follow alias second",
        "linkat-descriptor .blastradius second",
        "linkat-empty .blastradius second",
        "number-linkat .blastradius second",
    ] {
        stage.call(&stage.words(row)).is_refused("guard-file");
        assert!(!stage.exists("home/project/second"), "{row}");
        assert_eq!(file.metadata().unwrap().nlink(), 1, "{row}");
    }
    // A link to it is no way around.
    stage
        .call(&stage.words("open alias wa"))
        .is_refused("guard-file");
}

#[test]
fn other_links_are_made_as_without_us() {
    let stage = Stage::new();
    for row in [
        "link inside second",
        "link O/file third",
        "link inside O/name",
        "linkat to-file fourth",
        "linkat-follow to-file fifth",
        "linkat-descriptor inside sixth",
        "-d P/. linkat inside directory/name",
        "symlink anything seventh",
        "symlink .blastradius eighth",
        "symlink P/inside O/link",
        "-d P/directory symlinkat x ninth",
        "link inside directory/.blastradius",
        "number-linkat inside tenth",
        "number-symlinkat inside eleventh",
    ] {
        stage.call(&stage.words(&format!("-e {row}"))).is_ok();
    }
    assert_eq!(stage.content("home/project/fifth").as_deref(), Some("old"));
    assert!(stage.exists("home/project/eighth"));
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    stage.write("home/project/.blastradius", "");
    for (row, errno) in [
        ("link inside O/file", EEXIST),
        ("symlink inside O/file", EEXIST),
        ("link inside .blastradius", EEXIST),
        ("symlink inside .blastradius", EEXIST),
        ("link nothing x", ENOENT),
        ("link nothing inside/x", ENOENT),
        ("link inside/x y", ENOTDIR),
        ("link inside nothing/x", ENOENT),
        ("symlink inside inside/x", ENOTDIR),
        ("symlink inside nothing/x", ENOENT),
        ("symlink-wild x", EFAULT),
        ("linkat-follow nothing x", ENOENT),
    ] {
        stage.call(&stage.words(row)).is_error(errno);
    }
}
