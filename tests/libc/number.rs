use crate::stage::{Ran, Stage, caller, musl_caller};

const ENOENT: i32 = 2;
const E2BIG: i32 = 7;
const EFAULT: i32 = 14;
const EEXIST: i32 = 17;
const EXDEV: i32 = 18;
const EINVAL: i32 = 22;
const ENOSYS: i32 = 38;
const ELOOP: i32 = 40;

/// Calls that have no number on every architecture.
const OF_X86_64: [&str; 7] = [
    "unlink O/file",
    "rmdir O/vacant",
    "rename O/file P/taken",
    "rename inside O/file",
    "open O/file wct",
    "open to-file w",
    "creat link/file",
];

#[test]
fn refuses_by_number_what_is_refused_by_name() {
    let stage = Stage::new();
    let mut rows = vec![
        "unlinkat O/file",
        "unlinkat-high O/file",
        "unlinkat link/file",
        "unlinkat-directory O/vacant",
        "renameat2 O/file P/taken",
        "renameat2 inside O/file",
        "renameat O/file P/taken",
        "openat O/file wt",
        "openat O/file rt",
        "openat2 O/file wt",
        "openat2 to-file +",
        "openat2 O/file wct",
        // RESOLVE_NO_MAGICLINKS, and RESOLVE_IN_ROOT from the directory.
        "openat2 O/file w 2",
        "open_by_handle_at O/file wt",
        "open_by_handle_at O/file +",
        "truncate O/file 0",
        "ftruncate O/file 1",
        "fallocate O/file 3",
        "fcntl O/file",
    ];
    if cfg!(target_arch = "x86_64") {
        rows.extend(OF_X86_64);
    }
    for row in rows {
        let ran = stage.call(&stage.words(&format!("number-{row}")));
        ran.is_refused("out-of-scope");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
        assert!(stage.exists("outside/vacant"), "{row}");
    }
    let in_root = "-d O/. number-openat2 /file wt 0x10";
    stage.call(&stage.words(in_root)).is_refused("out-of-scope");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

#[test]
fn does_by_number_what_is_in_scope() {
    for (row, content) in [
        ("unlinkat inside", None),
        ("-d P/. number-unlinkat inside", None),
        ("renameat2 inside moved", None),
        ("openat inside wt", Some("new")),
        ("openat2 inside wt", Some("new")),
        ("openat2 inside wct 0x8", Some("new")),
        ("openat2 inside wa", Some("oldnew")),
        ("open_by_handle_at inside wt", Some("new")),
        ("truncate inside 1", Some("o")),
        ("ftruncate inside 2", Some("ol")),
        ("fallocate inside 3", Some("\0\0d")),
        ("fcntl inside", Some("new")),
    ] {
        let stage = Stage::new();
        let row = match row.strip_prefix("-d") {
            Some(_) => format!("-e {row}"),
            None => format!("-e number-{row}"),
        };
        stage.call(&stage.words(&row)).is_ok();
        assert_eq!(
            stage.content("home/project/inside").as_deref(),
            content,
            "{row}"
        );
    }
}

#[test]
fn everything_else_reaches_the_kernel_as_it_is() {
    let stage = Stage::new();
    // The second page begins with another letter.
    stage.write("home/project/pages", &("a".repeat(4096) + "b"));
    for row in [
        "getpid",
        "fork",
        "mmap pages 0 a",
        "mmap pages 4096 b",
        "openat O/file r",
        "openat O/file wa",
        "openat O/created wct",
        "openat2 O/file r",
    ] {
        stage
            .call(&stage.words(&format!("-e number-{row}")))
            .is_ok();
    }
    for (row, errno) in [
        ("none", ENOSYS),
        // Whoever has no ring makes calls.
        ("io_uring_setup", ENOSYS),
        ("unlinkat O/nothing", ENOENT),
        ("unlinkat-null", EFAULT),
        ("openat2 O/nothing wt", ENOENT),
        ("openat2 inside wcx", EEXIST),
        ("openat2 to-file wt 4", ELOOP),
        ("openat2 ../x wct 8", EXDEV),
        ("openat2-later inside wt", E2BIG),
        ("openat2-small inside wt", EINVAL),
        ("openat2-wild inside", EFAULT),
        ("rename-noreplace inside O/file", EEXIST),
    ] {
        let row = stage.words(&format!("number-{row}"));
        stage.call(&row).is_error(errno);
        let plain = Ran::of(stage.unguarded(caller()).args(&row));
        if errno != ENOSYS {
            assert_eq!(plain.stdout, errno.to_string(), "without us: {row:?}");
        }
    }
    assert_eq!(stage.content("home/project/inside").as_deref(), Some("old"));
}

#[test]
fn a_program_that_is_started_by_number_is_guarded() {
    let stage = Stage::new();
    let spawner = crate::stage::spawner();
    for way in ["number-execve", "number-execveat", "vfork-number-execve"] {
        for before in ["", "keep-", "several-", "clear-"] {
            let way = format!("{before}{way}");
            let mut command = stage.guarded(spawner);
            command
                .arg(&way)
                .args([caller().as_os_str(), "unlink".as_ref()])
                .arg(stage.path("outside/file"));
            let ran = Ran::of(&mut command);
            assert_eq!(ran.stdout, "1", "{way}: {ran:?}");
            assert_eq!(ran.refusals().len(), 1, "{way}: {ran:?}");
            assert!(stage.exists("outside/file"), "{way}");
        }
    }
}

#[test]
fn numbers_are_judged_in_programs_of_musl_too() {
    let Some(caller) = musl_caller() else {
        return;
    };
    let stage = Stage::new();
    for row in [
        "unlinkat O/file",
        "renameat2 O/file P/x",
        "openat2 O/file wt",
        "fcntl O/file",
    ] {
        let row = stage.words(&format!("number-{row}"));
        Ran::of(stage.guarded(caller).args(row)).is_refused("out-of-scope");
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    }
    for row in ["getpid", "fork", "unlinkat inside"] {
        let row = stage.words(&format!("-e number-{row}"));
        Ran::of(stage.guarded(caller).args(row)).is_ok();
    }
}
