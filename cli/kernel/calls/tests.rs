//! The tables, held against the headers of the kernel.

use std::collections::BTreeMap;

use super::{AARCH64, ARM, Call, I386, X86_64};

/// The numbers that a header defines, by name.
fn header(path: &str, prefix: &str) -> Option<BTreeMap<String, u32>> {
    let text = std::fs::read_to_string(path).ok()?;
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let (define, name, number) = (words.next()?, words.next()?, words.next()?);
        let name = name.strip_prefix(prefix)?;
        (define == "#define").then_some((name.to_owned(), number.parse().ok()?))
    };
    Some(text.lines().filter_map(entry).collect())
}

/// The names that a kind of call has.
fn names(call: Call) -> &'static [&'static str] {
    match call {
        Call::Unlink => &["unlink"],
        Call::Rmdir => &["rmdir"],
        Call::UnlinkAt => &["unlinkat"],
        Call::Rename => &["rename"],
        Call::RenameAt => &["renameat"],
        Call::RenameAt2 => &["renameat2"],
        Call::Link => &["link"],
        Call::LinkAt => &["linkat"],
        Call::Symlink => &["symlink"],
        Call::SymlinkAt => &["symlinkat"],
        Call::Open => &["open"],
        Call::Creat => &["creat"],
        Call::OpenAt => &["openat"],
        Call::OpenAt2 => &["openat2"],
        Call::OpenByHandle => &["open_by_handle_at"],
        Call::Truncate => &["truncate"],
        Call::TruncateHalves => &["truncate64"],
        Call::Ftruncate => &["ftruncate"],
        Call::FtruncateHalves => &["ftruncate64"],
        Call::Fallocate => &["fallocate"],
        Call::Fcntl => &["fcntl", "fcntl64"],
        Call::Ring => &["io_uring_setup", "io_uring_enter", "io_uring_register"],
        Call::Changes => &[
            "setuid",
            "setgid",
            "setreuid",
            "setregid",
            "setgroups",
            "setresuid",
            "setresgid",
            "setfsuid",
            "setfsgid",
            "capset",
            "setuid32",
            "setgid32",
            "setreuid32",
            "setregid32",
            "setgroups32",
            "setresuid32",
            "setresgid32",
            "setfsuid32",
            "setfsgid32",
        ],
        Call::Prctl => &["prctl"],
        Call::Confines => &["landlock_restrict_self"],
    }
}

const ALL: [Call; 25] = [
    Call::Unlink,
    Call::Rmdir,
    Call::UnlinkAt,
    Call::Rename,
    Call::RenameAt,
    Call::RenameAt2,
    Call::Link,
    Call::LinkAt,
    Call::Symlink,
    Call::SymlinkAt,
    Call::Open,
    Call::Creat,
    Call::OpenAt,
    Call::OpenAt2,
    Call::OpenByHandle,
    Call::Truncate,
    Call::TruncateHalves,
    Call::Ftruncate,
    Call::FtruncateHalves,
    Call::Fallocate,
    Call::Fcntl,
    Call::Ring,
    Call::Changes,
    Call::Prctl,
    Call::Confines,
];

#[test]
fn each_table_has_every_name_of_its_header_and_no_other() {
    const X86: &str = "/usr/include/x86_64-linux-gnu/asm";
    const GENERIC: &str = "/usr/include/asm-generic/unistd.h";
    for (path, table) in [
        (format!("{X86}/unistd_64.h"), X86_64),
        (format!("{X86}/unistd_32.h"), I386),
        (GENERIC.to_owned(), AARCH64),
    ] {
        let Some(mut defined) = header(&path, "__NR_") else {
            eprintln!("skipped: there is no {path}");
            continue;
        };
        // Names that the generic header has for machines of 32 and 64 bits alike.
        defined.extend(header(&path, "__NR3264_").unwrap_or_default());
        let mut expected = Vec::new();
        for call in ALL {
            for name in names(call) {
                if let Some(number) = defined.get(*name) {
                    expected.push((*number, call));
                }
            }
        }
        let sorted = |mut rows: Vec<(u32, Call)>| {
            rows.sort_by_key(|(number, _)| *number);
            rows
        };

        // Headers that are older than the kernel lack what is new; the generic one has both spellings of some.
        let found = sorted(table.to_vec());
        let known: Vec<u32> = expected.iter().map(|(number, _)| *number).collect();
        let newer = |number: u32| number >= 425 && !known.contains(&number);
        let found: Vec<_> = found
            .into_iter()
            .filter(|(number, _)| !newer(*number))
            .collect();
        assert_eq!(found, sorted(expected), "{path}");
    }
}

#[test]
fn no_number_comes_twice() {
    for table in [X86_64, AARCH64, I386, ARM] {
        let numbers: std::collections::BTreeSet<u32> =
            table.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers.len(), table.len());
    }
}
