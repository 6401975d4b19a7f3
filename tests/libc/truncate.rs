use crate::stage::Stage;

const EINVAL: i32 = 22;
const ENOENT: i32 = 2;
const EISDIR: i32 = 21;

#[test]
fn refuses_to_shorten_a_file_outside() {
    let stage = Stage::new();
    for symbol in ["truncate", "truncate64", "ftruncate", "ftruncate64"] {
        for path in ["O/file", "to-file", "link/file", "P/../../outside/file"] {
            for length in [0, 2] {
                let row = format!("{symbol} {path} {length}");
                stage.call(&stage.words(&row)).is_refused("out-of-scope");
                assert_eq!(
                    stage.content("outside/file").as_deref(),
                    Some("old"),
                    "{row}"
                );
            }
        }
    }
}

#[test]
fn shortens_what_is_in_scope() {
    for symbol in ["truncate", "truncate64", "ftruncate", "ftruncate64"] {
        let stage = Stage::new();
        let row = format!("-e {symbol} P/inside 2");
        stage.call(&stage.words(&row)).is_ok();
        assert_eq!(
            stage.content("home/project/inside").as_deref(),
            Some("ol"),
            "{row}"
        );
    }
}

#[test]
fn growing_loses_nothing() {
    for symbol in ["truncate", "ftruncate"] {
        let stage = Stage::new();
        stage
            .call(&stage.words(&format!("-e {symbol} O/file 4")))
            .is_ok();
        assert_eq!(stage.content("outside/file").as_deref(), Some("old\0"));
        stage
            .call(&stage.words(&format!("-e {symbol} O/file 4")))
            .is_ok();
    }
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    let stage = Stage::new();
    for (row, errno) in [
        ("truncate O/file -1", EINVAL),
        ("truncate O/nothing 0", ENOENT),
        ("truncate O/full 0", EISDIR),
        ("ftruncate O/file -1", EINVAL),
    ] {
        stage.call(&stage.words(row)).is_error(errno);
    }
}

#[test]
fn parts_of_a_file_outside_are_not_given_back() {
    let stage = Stage::new();
    // Keeping its size: a hole, and zeros.
    for mode in [3, 0x11] {
        let row = format!("fallocate O/file {mode}");
        stage.call(&stage.words(&row)).is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
    stage.call(&stage.words("fallocate O/file 1")).is_ok();
    stage.call(&stage.words("fallocate O/empty 0")).is_ok();
}
