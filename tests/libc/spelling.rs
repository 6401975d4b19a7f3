//! Every call with every way to spell what is outside, and in every state in which a process may be.

use std::path::PathBuf;

use crate::layer;
use crate::stage::{Ran, Stage, caller};

/// Calls that destroy `FILE` or the empty directory `VACANT`, and the option that their dirfd needs.
const CALLS: [&str; 25] = [
    "unlink FILE",
    "remove FILE",
    "rmdir VACANT",
    "remove VACANT",
    "rename FILE P/taken",
    "rename P/inside FILE",
    "rename VACANT P/taken",
    "rename-exchange FILE P/inside",
    "open FILE wt",
    "open FILE rt",
    "open64 FILE w",
    "open FILE wct",
    "__open_2 FILE +",
    "creat FILE",
    "fopen FILE w",
    "fopen FILE r+",
    "freopen FILE w",
    "truncate FILE 1",
    "truncate-reopened FILE",
    "reopen FILE wt",
    "reopen FILE w",
    "ftruncate FILE 0",
    "fallocate FILE 3",
    "fcntl FILE",
    "addopen FILE wt",
];

/// Calls that take a dirfd.
const CALLS_AT: [&str; 14] = [
    "unlinkat FILE",
    "unlinkat-directory VACANT",
    "renameat FILE P/taken",
    "renameat P/inside FILE",
    "openat FILE wt",
    "openat64 FILE w",
    "__openat_2 FILE rt",
    "number-unlinkat FILE",
    "number-unlinkat-directory VACANT",
    "number-renameat2 FILE P/taken",
    "number-renameat FILE P/taken",
    "number-openat FILE wt",
    "number-openat2 FILE w",
    "number-openat2 FILE rt",
];

/// Options, and what stands before the last component.
const SPELLINGS: [(&str, &str); 16] = [
    ("", "O/"),
    ("", "../../outside/"),
    ("", "..//.././/..///{}//outside//"),
    ("", "directory/../../../outside/"),
    ("", "link/"),
    ("", "link/full/../"),
    ("", "link/../outside/"),
    ("", "P/link/./"),
    ("", "/proc/self/cwd/../../outside/"),
    ("", "/proc/self/root/O/"),
    ("-C O/.", ""),
    ("-C O/.", "./"),
    ("-C O/full", "../"),
    // The descriptor is the first that is free.
    ("-d O/.", "/proc/self/fd/3/"),
    ("-p O/.", "/proc/thread-self/fd/3/"),
    ("-p P/directory", "/dev/fd/3/../link/"),
];

/// Options that open a directory, and what stands before the last component.
const SPELLINGS_AT: [(&str, &str); 8] = [
    ("-d O/.", ""),
    ("-p O/.", ""),
    ("-p O/.", ".//"),
    ("-d O/full", "../"),
    ("-p O/full", "../"),
    ("-d P/directory", "../link/"),
    ("-p P/directory", "../../../outside/"),
    ("-p P/link", ""),
];

/// Where the tree is, spelled from the root, for `{}`.
fn below_root(stage: &Stage) -> String {
    let name = stage.path("");
    name.file_name().unwrap().to_str().unwrap().to_owned()
}

fn row(stage: &Stage, options: &str, call: &str, before: &str) -> Vec<std::ffi::OsString> {
    let before = before.replace("{}", &below_root(stage));
    let before = before.replace(
        "root/O/",
        &format!("root{}/", stage.path("outside").display()),
    );
    let call = call
        .replace("FILE", &format!("{before}file"))
        .replace("VACANT", &format!("{before}vacant"));
    stage.words(&format!("{options} {call}"))
}

/// What must be there after a refusal.
fn assert_untouched(stage: &Stage, row: &impl std::fmt::Debug) {
    assert_eq!(
        stage.content("outside/file").as_deref(),
        Some("old"),
        "{row:?}"
    );
    assert_eq!(
        stage.content("home/project/inside").as_deref(),
        Some("old"),
        "{row:?}"
    );
    assert!(stage.exists("outside/vacant"), "{row:?}");
    assert!(!stage.exists("home/project/taken"), "{row:?}");
}

#[test]
fn every_call_refuses_every_spelling() {
    let stage = Stage::new();
    let plain = CALLS
        .iter()
        .flat_map(|call| SPELLINGS.iter().map(move |spelling| (call, spelling)));
    let at = CALLS_AT
        .iter()
        .flat_map(|call| SPELLINGS_AT.iter().map(move |spelling| (call, spelling)));
    let mut rows = 0;
    for (call, (options, before)) in plain.chain(at) {
        let words = row(&stage, options, call, before);
        let ran = stage.call(&words);
        assert_eq!(ran.stdout, "1", "{words:?}: {ran:?}");
        assert_eq!(ran.refusals().len(), 1, "{words:?}: {ran:?}");
        assert!(ran.stderr.ends_with("[out-of-scope]"), "{words:?}: {ran:?}");
        assert_untouched(&stage, &words);
        rows += 1;
    }
    assert_eq!(
        rows,
        CALLS.len() * SPELLINGS.len() + CALLS_AT.len() * SPELLINGS_AT.len()
    );
}

#[test]
fn every_spelling_is_one_of_the_file() {
    // Without the library, each row would have had its way.
    for call in ["unlink FILE", "open FILE wt"] {
        for (options, before) in SPELLINGS {
            let stage = Stage::new();
            let words = row(&stage, options, call, before);
            let ran = Ran::of(stage.unguarded(caller()).args(&words));
            assert_eq!(ran.stdout, "ok", "{words:?}: {ran:?}");
            assert_ne!(
                stage.content("outside/file").as_deref(),
                Some("old"),
                "{words:?}"
            );
        }
    }
    for (options, before) in SPELLINGS_AT {
        let stage = Stage::new();
        let words = row(&stage, options, "unlinkat FILE", before);
        let ran = Ran::of(stage.unguarded(caller()).args(&words));
        assert_eq!(ran.stdout, "ok", "{words:?}: {ran:?}");
        assert!(!stage.exists("outside/file"), "{words:?}");
    }
}

/// What a call answers where no descriptor is to be had.
const EMFILE: &str = "24";

/// Calls that fail by themselves then.
const WITH_DESCRIPTOR: [&str; 10] = [
    "reopen",
    "truncate-reopened",
    "open",
    "__open",
    "creat",
    "fopen",
    "freopen",
    "ftruncate",
    "fallocate",
    "fcntl",
];

#[test]
fn no_state_of_a_process_lets_a_call_through() {
    let stage = Stage::new();
    for state in ["-s 1", "-s 38", "-s 1 -c", "-c", "-f", "-s 38 -f"] {
        for (calls, spellings) in [
            (
                &CALLS[..],
                &[("", "O/"), ("", "link/"), ("-C O/full", "../")][..],
            ),
            (
                &CALLS_AT[..],
                &[("-p O/.", ""), ("-d P/directory", "../link/")][..],
            ),
        ] {
            for call in calls {
                for (options, before) in spellings {
                    let words = row(&stage, &format!("{options} {state}"), call, before);
                    let ran = stage.call(&words);
                    let name = call.trim_start_matches("number-");
                    let forbidden = state.contains("-s") && name.starts_with("openat2");
                    let fails = state.contains("-f")
                        && WITH_DESCRIPTOR.iter().any(|start| name.starts_with(start));
                    let covered =
                        !layer::IS_INSIDE && state.contains("-c") && name.starts_with("freopen");
                    if forbidden || fails || covered {
                        assert_ne!(ran.stdout, "ok", "{words:?}");
                    } else {
                        assert_eq!(ran.stdout, "1", "{words:?}: {ran:?}");
                    }
                    if layer::IS_INSIDE && state.contains("-f") && name.starts_with("openat ") {
                        assert_eq!(ran.stdout, EMFILE, "{words:?}");
                    }
                    assert_untouched(&stage, &words);
                }
            }
        }
        // In scope it works.
        for (call, opens) in [
            ("unlink directory/x", false),
            ("rename directory/x directory/y", false),
            ("rmdir directory/z", false),
            ("truncate directory/x 0", false),
            ("open directory/x wt", true),
        ] {
            std::fs::create_dir_all(stage.project().join("directory/z")).unwrap();
            stage.write("home/project/directory/x", "old");
            let ran = stage.call(&stage.words(&format!("{state} {call}")));
            let expected = if opens && state.contains("-f") {
                EMFILE
            } else {
                "ok"
            };
            assert_eq!(ran.stdout, expected, "{state} {call}: {ran:?}");
        }
    }
}

#[test]
fn a_new_root_changes_no_verdict_on_what_is_outside() {
    let stage = Stage::new();
    let outside: PathBuf = stage.path("outside");
    let within = |call: &str| {
        let mut command = stage.guarded(caller());
        command.arg("-r").arg(&outside).args(call.split(' '));
        Ran::of(&mut command)
    };
    if within("number-getpid").status == Some(3) {
        eprintln!("only root can change its root");
        return;
    }
    for call in [
        "unlink /file",
        "unlink file",
        "rmdir vacant",
        "rename file other",
        "open file wt",
        "truncate /file 0",
        "ftruncate file 0",
        "fopen /file w",
    ] {
        let ran = within(call);
        assert_eq!(ran.stdout, "1", "{call}: {ran:?}");
        assert_untouched(&stage, &call);
    }
}
