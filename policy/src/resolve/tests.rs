use std::string::String;
use std::vec::Vec;

use super::*;
use crate::fake::FakeFs;

fn disk() -> FakeFs {
    FakeFs::new(&[
        ("/home/dev/proj/src/main.c", "file"),
        ("/home/dev/proj/link-in", "link src"),
        ("/home/dev/proj/link-out", "link /home/dev/Documents"),
        ("/home/dev/proj/link-file", "link src/main.c"),
        ("/home/dev/proj/link-up", "link ../other/./sub/.."),
        ("/home/dev/proj/chain", "link link-in"),
        ("/home/dev/proj/slashed", "link src/"),
        ("/home/dev/proj/dangling", "link nowhere/at/all"),
        ("/home/dev/proj/loop", "link loop"),
        ("/home/dev/proj/ping", "link pong"),
        ("/home/dev/proj/pong", "link ping"),
        ("/home/dev/proj/rooted", "link /"),
        ("/home/dev/proj/empty", "link "),
        ("/home/dev/proj/sealed", "sealed"),
        ("/home/dev/Documents/thesis", "file"),
        ("/home/dev/other/sub", "dir"),
        ("/proc/self", "link 42"),
        ("/proc/42/cwd", "link /home/dev/proj"),
        ("/proc/42/root", "link /"),
        ("/proc/42/fd/3", "link pipe:[7]"),
        ("/proc/42/fd/4", "link /home/dev/gone (deleted)"),
        ("/tmp", "link private/tmp"),
        ("/private/tmp/x", "dir"),
    ])
}

const CWD: &[u8] = b"/home/dev/proj";

/// Path, whether the final component is followed, where it leads.
const ROWS: &[(&str, bool, Result<&str, FsError>)] = &[
    ("src", false, Ok("/home/dev/proj/src")),
    ("./src/", false, Ok("/home/dev/proj/src")),
    (".//src//main.c", false, Ok("/home/dev/proj/src/main.c")),
    (".", false, Ok("/home/dev/proj")),
    ("..", false, Ok("/home/dev")),
    ("../../../../..", false, Ok("/")),
    ("/", false, Ok("/")),
    ("//", false, Ok("/")),
    ("///home//dev", false, Ok("/home/dev")),
    ("", false, Err(FsError::NotFound)),
    // The final component.
    ("link-in", false, Ok("/home/dev/proj/link-in")),
    ("link-in", true, Ok("/home/dev/proj/src")),
    ("link-in/", false, Ok("/home/dev/proj/src")),
    ("link-in/.", false, Ok("/home/dev/proj/src")),
    ("link-out", false, Ok("/home/dev/proj/link-out")),
    ("link-out/", false, Ok("/home/dev/Documents")),
    ("link-out/thesis", false, Ok("/home/dev/Documents/thesis")),
    ("link-file", true, Ok("/home/dev/proj/src/main.c")),
    ("chain", true, Ok("/home/dev/proj/src")),
    ("chain/main.c", false, Ok("/home/dev/proj/src/main.c")),
    ("slashed", true, Ok("/home/dev/proj/src")),
    // Two dots go up from where a link leads, not from where it lies.
    ("link-out/..", false, Ok("/home/dev")),
    ("link-out/../proj", false, Ok("/home/dev/proj")),
    ("link-up/x", false, Ok("/home/dev/other/x")),
    ("rooted/etc", false, Ok("/etc")),
    // What is not there stays as it is spelled.
    ("new", false, Ok("/home/dev/proj/new")),
    ("new/deep/file", true, Ok("/home/dev/proj/new/deep/file")),
    ("new/../src/../x", false, Ok("/home/dev/proj/x")),
    ("new/a/../../link-in", true, Ok("/home/dev/proj/src")),
    ("new/../link-out/x", false, Ok("/home/dev/Documents/x")),
    ("dangling", false, Ok("/home/dev/proj/dangling")),
    ("dangling", true, Ok("/home/dev/proj/nowhere/at/all")),
    ("src/main.c/x", false, Ok("/home/dev/proj/src/main.c/x")),
    // Links without an end.
    ("loop", false, Ok("/home/dev/proj/loop")),
    ("loop", true, Err(FsError::Loop)),
    ("loop/x", false, Err(FsError::Loop)),
    ("ping/x", false, Err(FsError::Loop)),
    ("empty/x", false, Err(FsError::NotFound)),
    ("sealed/x", false, Ok("/home/dev/proj/sealed/x")),
    ("sealed/x/y", false, Err(FsError::Denied)),
    ("sealed/x", true, Err(FsError::Denied)),
    ("a\0b", false, Err(FsError::Other(22))),
    // The links of /proc.
    ("/proc/self/cwd", false, Ok("/proc/42/cwd")),
    ("/proc/self/cwd", true, Ok("/home/dev/proj")),
    ("/proc/self/cwd/src", false, Ok("/home/dev/proj/src")),
    ("/proc/self/root/home/dev", false, Ok("/home/dev")),
    ("/proc/self/fd/3", true, Ok("/proc/42/fd/pipe:[7]")),
    ("/proc/self/fd/4", true, Ok("/home/dev/gone (deleted)")),
    ("/tmp", false, Ok("/tmp")),
    ("/tmp/x", false, Ok("/private/tmp/x")),
    ("/tmp/", true, Ok("/private/tmp")),
];

#[test]
fn resolves_as_the_kernel_does() {
    let disk = disk();
    for &(path, follow, expected) in ROWS {
        let mut out = PathBuffer::new();
        let found = canonicalise(&disk, CWD, path.as_bytes(), follow, &mut out);
        let found = found.map(|path| String::from_utf8(path.as_bytes().to_vec()).unwrap());
        assert_eq!(
            found.as_deref().map_err(|error| *error),
            expected,
            "{path:?} follow {follow}"
        );
    }
}

#[test]
fn a_working_directory_is_resolved_too() {
    let rows: &[(&str, Result<&str, FsError>)] = &[
        ("/home/dev/proj/link-out", Ok("/home/dev/Documents/x")),
        ("/home/dev/proj/../proj/", Ok("/home/dev/proj/x")),
        ("/proc/self/cwd", Ok("/home/dev/proj/x")),
        ("", Err(FsError::NotFound)),
        ("relative", Err(FsError::NotFound)),
    ];
    for &(cwd, expected) in rows {
        let mut out = PathBuffer::new();
        let found = canonicalise(&disk(), cwd.as_bytes(), b"x", false, &mut out);
        assert_eq!(
            found.map(Canonical::as_bytes),
            expected.map(str::as_bytes),
            "{cwd}"
        );
    }
}

#[test]
fn a_known_directory_costs_no_call() {
    let mut out = PathBuffer::new();
    let directory = Canonical::literal(b"/home/dev/proj/link-out");
    let found = canonicalise_below(&disk(), directory, b"x", false, &mut out);
    assert_eq!(
        found.map(Canonical::as_bytes),
        Ok(b"/home/dev/proj/link-out/x".as_slice())
    );
    let found = canonicalise_below(&disk(), directory, b"/proc/self/cwd/x", false, &mut out);
    assert_eq!(
        found.map(Canonical::as_bytes),
        Ok(b"/home/dev/proj/x".as_slice())
    );
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let mut disk = FakeFs::new(&[("/end", "dir")]);
    for at in 0..41 {
        let target = if at == 0 {
            "link /end".into()
        } else {
            format!("link /l{}", at - 1)
        };
        disk.add(&format!("/l{at}"), &target);
    }
    let mut out = PathBuffer::new();
    let forty = canonicalise(&disk, b"", b"/l39", true, &mut out).map(Canonical::as_bytes);
    assert_eq!(forty, Ok(b"/end".as_slice()));
    let more = canonicalise(&disk, b"", b"/l40", true, &mut out).map(Canonical::as_bytes);
    assert_eq!(more, Err(FsError::Loop));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let long: Vec<u8> = b"/aaaaaaa".repeat(PATH_ROOM / 8);
    let mut out = PathBuffer::new();
    assert!(canonicalise(&disk(), b"", &long, false, &mut out).is_ok());
    let longer = [long.as_slice(), b"/b"].concat();
    let found = canonicalise(&disk(), b"", &longer, false, &mut out).map(Canonical::as_bytes);
    assert_eq!(found, Err(FsError::TooLong));
    // A short path that links make long.
    let target: String = "/bbbbbbb".repeat(500);
    let disk = FakeFs::new(&[("/l", &format!("link {target}"))]);
    let tail = [b"/l".as_slice(), &b"/c".repeat(300)].concat();
    let found = canonicalise(&disk, b"", &tail, false, &mut out).map(Canonical::as_bytes);
    assert_eq!(found, Err(FsError::TooLong));
}

/// Disks full of links, and paths that wander over them: where the walk of the fake kernel arrives, so do we.
#[test]
fn agrees_with_a_walk_on_random_disks() {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let mut seed = 11_u64;
    let mut below = |limit: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % limit) as usize
    };
    let mut arrived = 0;
    for _ in 0..400 {
        let mut disk = FakeFs::new(&[("/a/a/a", "file"), ("/b/c", "dir"), ("/c/d/b", "dir")]);
        for _ in 0..6 {
            let place = format!("/{}/{}", NAMES[below(4)], NAMES[below(4)]);
            let up = ["", "../", "../../", "/", "./"][below(5)];
            let down = [NAMES[below(4)], NAMES[below(4)]].join("/");
            if disk.lstat(place.as_bytes()) == Err(FsError::NotFound) {
                disk.add(&place, &format!("link {up}{down}"));
            }
        }
        for _ in 0..100 {
            let path: String = (0..=below(5))
                .map(|_| format!("/{}", ["a", "b", "c", "d", "..", "."][below(6)]))
                .collect();
            let mut out = PathBuffer::new();
            let found = canonicalise(&disk, b"", path.as_bytes(), true, &mut out);
            match disk.real_path(path.as_bytes()) {
                Ok(expected) => {
                    arrived += 1;
                    assert_eq!(
                        found.map(Canonical::as_bytes),
                        Ok(expected.as_slice()),
                        "{path} on {disk:?}"
                    );
                }
                Err(FsError::Loop) => {
                    assert_eq!(found.err(), Some(FsError::Loop), "{path} on {disk:?}")
                }
                // What does not exist has no walk to compare with; it must be canonical all the same.
                Err(_) => {
                    if let Ok(found) = found {
                        assert!(
                            Canonical::new(found.as_bytes()).is_some(),
                            "{path} on {disk:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(arrived > 5000, "too few paths arrive: {arrived}");
}
