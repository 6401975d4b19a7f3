use crate::stage::Stage;

const ENOENT: i32 = 2;
const EEXIST: i32 = 17;
const EINVAL: i32 = 22;

#[test]
fn refuses_streams_that_empty_or_overwrite_a_file_outside() {
    let stage = Stage::new();
    for symbol in ["fopen", "fopen64", "_IO_fopen", "freopen", "freopen64"] {
        for mode in ["w", "wb", "we", "w+", "wb+", "w+e", "r+", "rb+", "r+b"] {
            for path in ["O/file", "to-file", "link/file"] {
                let row = format!("{symbol} {path} {mode}");
                stage.call(&stage.words(&row)).is_refused("out-of-scope");
                assert_eq!(
                    stage.content("outside/file").as_deref(),
                    Some("old"),
                    "{row}"
                );
            }
        }
    }
    for mode in ["w", "r+", "w+"] {
        let row = format!("freopen-same O/file {mode}");
        stage.call(&stage.words(&row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    #[cfg(target_env = "gnu")]
    {
        stage
            .call(&stage.words("fopen O/file w,ccs=UTF-8"))
            .is_refused("out-of-scope");
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    }
}

#[test]
fn modes_that_nobody_writes_are_read_as_libc_reads_them() {
    let stage = Stage::new();
    let long = format!("w{}", "b".repeat(100));
    for mode in ["r,+", long.as_str()] {
        let row = format!("fopen O/file {mode}");
        stage.call(&stage.words(&row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn mount_tables_are_streams_too() {
    let stage = Stage::new();
    for mode in ["w", "r+", "w+"] {
        let row = format!("setmntent O/file {mode}");
        stage.call(&stage.words(&row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    stage.call(&stage.words("setmntent created w")).is_ok();
    stage.call(&stage.words("setmntent O/file a")).is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("oldnew"));
}

#[test]
#[cfg(target_env = "gnu")]
fn a_stream_that_appends_begins_at_the_end() {
    let stage = Stage::new();
    stage.write("home/project/inside", "old-old");
    for (mode, place) in [("a", 7), ("ab", 7), ("ae", 7), ("a+", 0), ("r+", 0)] {
        let row = format!("fopen-tell inside {mode} {place}");
        stage.call(&stage.words(&row)).is_ok();
    }
    stage.call(&stage.words("fopen-tell O/file a 3")).is_ok();
}

#[test]
fn writes_streams_in_scope() {
    for symbol in [
        "fopen",
        "fopen64",
        "_IO_fopen",
        "freopen",
        "freopen64",
        "freopen-same",
    ] {
        for (mode, content) in [
            ("w", "new"),
            ("w+", "new"),
            ("wbe", "new"),
            ("r+", "new-old"),
            ("a", "old-oldnew"),
            ("a+", "old-oldnew"),
        ] {
            let stage = Stage::new();
            stage.write("home/project/inside", "old-old");
            let row = format!("{symbol} inside {mode}");
            stage.call(&stage.words(&row)).is_ok();
            assert_eq!(
                stage.content("home/project/inside").as_deref(),
                Some(content),
                "{row}"
            );
        }
    }
    let stage = Stage::new();
    for row in [
        "fopen created w",
        "fopen created2 wx",
        "freopen created3 wx",
    ] {
        stage.call(&stage.words(row)).is_ok();
        let name = row.split(' ').nth(1).unwrap();
        assert_eq!(
            stage.content(format!("home/project/{name}")).as_deref(),
            Some("new"),
            "{row}"
        );
    }
}

#[test]
fn appending_passes_outside() {
    let stage = Stage::new();
    stage.call(&stage.words("fopen O/file a")).is_ok();
    stage.call(&stage.words("freopen O/file a")).is_ok();
    assert_eq!(stage.content("outside/file").as_deref(), Some("oldnewnew"));
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    for (row, errno) in [
        ("fopen O/nothing r+", ENOENT),
        ("fopen O/nothing/x w", ENOENT),
        ("freopen O/nothing r+", ENOENT),
        ("fopen inside wx", EEXIST),
        ("fopen inside q", EINVAL),
    ] {
        stage.call(&stage.words(row)).is_error(errno);
    }
}
