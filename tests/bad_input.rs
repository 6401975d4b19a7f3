//! Damaged configuration and hostile surroundings: a clear message each, and no loss.

mod house;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use house::{House, Outcome, feed, tools, tree};

/// Tries to remove what is outside, past the command layer.
const SCRIPT: &str = r#"rm -rf "$OUTSIDE"
python3 -c 'import os; os.unlink(os.environ["OUTSIDE"] + "/thesis.txt")'
echo new > "$OUTSIDE/thesis.txt"
true
"#;

/// A house with the script in it.
fn stage() -> House {
    let house = House::new();
    house.write("home/proj/script", SCRIPT);
    house
}

fn command<S: AsRef<OsStr>>(house: &House, words: &[S]) -> Command {
    let mut command = house.command(words);
    command
        .env("OUTSIDE", house.path("home/notes"))
        .env("LC_ALL", "C");
    command
}

fn output(mut command: Command) -> Outcome {
    command.output().unwrap().into()
}

/// Every way to ask, in one state of the surroundings. All are refused, and each answer says `says`.
fn refuses_everything(house: &House, says: &str, arrange: &dyn Fn(&mut Command)) {
    let before = tree::read(&house.path("home/notes"));
    let build = tree::read(&house.path("home/proj/build"));
    for words in [
        &["check", "--", "rm", "-rf", "build"][..],
        &["check", "-c", "rm -rf build"],
        &["run", "--", "rm", "-rf", "build"],
        &["run", "--layers", "libc", "--", "rm", "-rf", "build"],
        &["run", "--layers", "libc", "--", "sh", "script"],
        &["run", "--", "sh", "script"],
    ] {
        let mut command = command(house, words);
        arrange(&mut command);
        let outcome = output(command);
        assert!(outcome.stderr.contains(says), "{words:?}: {outcome:?}");
        assert!(
            outcome.stderr.contains("policy-in-doubt"),
            "{words:?}: {outcome:?}"
        );
        if words.contains(&"rm") {
            assert_ne!(outcome.status, Some(0), "{words:?}: {outcome:?}");
        }
    }
    let mut hook = house.command(&["hook", "claude-code"]);
    arrange(&mut hook);
    let question = format!(
        r#"{{"hook_event_name":"PreToolUse","cwd":{},"tool_name":"Bash","tool_input":{{"command":"rm -rf build"}}}}"#,
        house::json(&house.project())
    );
    let outcome = feed(hook, question.as_bytes());
    assert_eq!(outcome.status, Some(2), "{outcome:?}");
    assert!(outcome.stdout.contains("policy-in-doubt"), "{outcome:?}");
    assert_eq!(before, tree::read(&house.path("home/notes")));
    assert_eq!(build, tree::read(&house.path("home/proj/build")));
}

#[test]
fn a_project_file_that_cannot_be_read_refuses_everything_destructive() {
    let long = [b"allow ./".as_slice(), &[b'a'; 70_000], b"\n"].concat();
    for (content, says) in [
        (
            &b"# scope\nalow ./build/**\n"[..],
            ".blastradius:2: unknown word",
        ),
        (b"allow ./b\xff/**\n", ".blastradius:1: not UTF-8"),
        (b"allow ./build/**\r\nallow\n", ".blastradius:2: "),
        (b"allow ./a\0b\n", ".blastradius:1: "),
        (b"limit glob-breadth many\n", ".blastradius:1: "),
        (b"limit no-such 3\n", ".blastradius:1: "),
        (b"deny\n", ".blastradius:1: "),
        (&long, ".blastradius"),
    ] {
        let house = stage();
        house.write("home/proj/.blastradius", content);
        refuses_everything(&house, says, &|_| {});
    }
}

#[test]
fn a_project_file_that_is_no_file_refuses_everything_destructive() {
    let house = stage();
    fs::create_dir(house.path("home/proj/.blastradius")).unwrap();
    refuses_everything(&house, ".blastradius: no regular file", &|_| {});

    let house = stage();
    symlink("loop", house.path("home/proj/loop")).unwrap();
    symlink("loop", house.path("home/proj/.blastradius")).unwrap();
    refuses_everything(&house, ".blastradius", &|_| {});

    let house = stage();
    house.write("home/proj/.blastradius", "allow ./**\n");
    let closed = fs::Permissions::from_mode(0o000);
    fs::set_permissions(house.path("home/proj/.blastradius"), closed).unwrap();
    if fs::read(house.path("home/proj/.blastradius")).is_ok() {
        eprintln!("skipped a file without permissions: this user reads every file");
    } else {
        refuses_everything(&house, ".blastradius", &|_| {});
    }
}

#[test]
fn a_user_file_that_cannot_be_read_refuses_everything_destructive() {
    let house = stage();
    house.write("home/.config/blastradius/config", "alow /\n");
    refuses_everything(&house, "blastradius/config:1: unknown word", &|_| {});

    let house = stage();
    house.write("home/config/blastradius/config", "preset no-such-thing\n");
    let config = house.path("home/config");
    refuses_everything(&house, "blastradius/config:1: ", &move |command| {
        command.env("XDG_CONFIG_HOME", &config);
    });
}

/// What is outside stays, what is inside goes: the surroundings are odd, and the policy is sound.
fn works_all_the_same(name: &str, house: &House, arrange: &dyn Fn(&mut Command)) -> Outcome {
    let before = tree::read(&house.path("home/notes"));
    let mut outside = command(house, &["run", "--layers", "libc", "--", "sh", "script"]);
    arrange(&mut outside);
    let outcome = output(outside);
    assert_eq!(
        tree::lost(&before, &tree::read(&house.path("home/notes"))),
        Vec::<PathBuf>::new(),
        "{name}: {outcome:?}"
    );
    assert!(
        outcome.stderr.contains("blastradius: refused"),
        "{name}: {outcome:?}"
    );
    let mut inside = command(house, &["run", "--", "rm", "-rf", "build"]);
    arrange(&mut inside);
    let removed = output(inside);
    assert_eq!(removed.status, Some(0), "{name}: {removed:?}");
    assert!(!house.path("home/proj/build").exists(), "{name}");
    outcome
}

#[test]
fn a_missing_or_relative_home_is_taken_from_the_password_database() {
    for home in [None, Some(""), Some("relative")] {
        let house = stage();
        let arrange = |command: &mut Command| {
            // Where the library goes is not what is tried here.
            command.env("XDG_CACHE_HOME", house.path("home/.cache"));
            match home {
                None => command.env_remove("HOME"),
                Some(home) => command.env("HOME", home),
            };
        };
        works_all_the_same(&format!("HOME={home:?}"), &house, &arrange);
        let mut doctor = command(&house, &["doctor"]);
        arrange(&mut doctor);
        let outcome = output(doctor);
        assert!(outcome.stdout.contains("HOME is "), "{home:?}: {outcome:?}");
        let mut check = command(&house, &["check", "-c", "rm -rf $HOME"]);
        arrange(&mut check);
        let outcome = output(check);
        let expected = if home == Some("relative") { 0 } else { 77 };
        assert_eq!(outcome.status, Some(expected), "{home:?}: {outcome:?}");
    }
}

#[test]
fn a_removed_working_directory_makes_relative_targets_unresolvable() {
    let house = stage();
    let before = tree::read(&house.path("home/notes"));
    let binary = env!("CARGO_BIN_EXE_blastradius");
    let notes = house.path("home/notes");
    let notes = notes.to_str().unwrap();
    for (words, status, says) in [
        ("check -- rm -rf build", 77, "unresolvable-target"),
        ("check -c 'rm -rf build'", 77, "unresolvable-target"),
        ("check -c 'rm -rf ../notes'", 77, "unresolvable-target"),
        (&*format!("check -- rm -rf {notes}"), 77, "out-of-scope"),
        ("check -- ls", 0, ""),
        ("run -- true", 0, ""),
        (
            &format!("run --layers libc -- rm -rf {notes}"),
            1,
            "[out-of-scope]",
        ),
    ] {
        let mut shell = Command::new("sh");
        shell
            .args([
                "-c",
                &format!("mkdir -p gone && cd gone && rmdir ../gone && exec {binary} {words}"),
            ])
            .current_dir(house.project())
            .env_clear()
            .env("HOME", house.home())
            .env("PATH", tools::PATH)
            .stdin(Stdio::null());
        let outcome = output(shell);
        assert_eq!(outcome.status, Some(status), "{words}: {outcome:?}");
        assert!(outcome.stderr.contains(says), "{words}: {outcome:?}");
    }
    assert_eq!(before, tree::read(&house.path("home/notes")));
}

/// Closes standard error, or everything, before it starts the binary.
fn closed(house: &House, closing: &str, words: &str) -> Outcome {
    let mut shell = command(house, &["unused"]);
    let binary = PathBuf::from(shell.get_program());
    let environment: Vec<_> = shell
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    shell = Command::new("sh");
    shell
        .args([
            "-c",
            &format!("exec {} {words} {closing}", binary.display()),
        ])
        .current_dir(house.project())
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null());
    output(shell)
}

#[test]
fn a_closed_stderr_changes_no_verdict() {
    for closing in [
        "2>&-",
        ">&- 2>&-",
        "<&- >&- 2>&-",
        "2>/dev/full",
        ">/dev/full 2>/dev/full",
    ] {
        let house = stage();
        let before = tree::read(&house.path("home/notes"));
        for (words, status) in [
            ("check -- rm -rf ../notes", 77),
            ("check -c 'rm -rf ../notes'", 77),
            ("run -- rm -rf ../notes", 77),
            ("run --layers libc -- rm -rf ../notes", 1),
            ("run --layers libc -- sh script", 0),
            ("run -- true", 0),
        ] {
            let outcome = closed(&house, closing, words);
            assert_eq!(
                outcome.status,
                Some(status),
                "{words} {closing}: {outcome:?}"
            );
        }
        assert_eq!(before, tree::read(&house.path("home/notes")), "{closing}");
    }
}

/// A program without stderr may open a file under its number.
#[test]
fn a_refusal_is_not_written_into_a_file_that_became_descriptor_two() {
    if !tools::has("descriptor two", &["perl"]) {
        return;
    }
    let house = stage();
    house.write(
        "home/proj/two.pl",
        r#"use POSIX; POSIX::close(2); my $fd = POSIX::open("data", O_RDWR | O_CREAT); unlink("$ENV{OUTSIDE}/thesis.txt"); POSIX::write($fd, "mine\n", 5); exit($fd == 2 ? 0 : 1)"#,
    );
    for closing in ["", "2>&-"] {
        house.write("home/proj/data", "");
        let outcome = closed(&house, closing, "run --layers libc -- perl two.pl");
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert_eq!(house.read("home/proj/data"), "mine\n", "{closing}");
        assert_eq!(house.read("home/notes/thesis.txt"), "x");
    }
}

#[test]
fn a_log_that_takes_no_line_changes_no_verdict() {
    let house = stage();
    fs::create_dir_all(house.path("home/.local/state/blastradius")).unwrap();
    symlink("/dev/full", house.path("home/.local/state/blastradius/log")).unwrap();
    works_all_the_same("/dev/full", &house, &|_| {});
    let outcome = house.run(&["run", "--", "rm", "-rf", "../notes"]);
    assert_eq!(outcome.status, Some(77), "{outcome:?}");
    assert!(outcome.stderr.contains("not logged"), "{outcome:?}");

    let house = stage();
    house.write(
        "home/.local/state/blastradius",
        "a file in the place of the folder",
    );
    works_all_the_same("a file for a folder", &house, &|_| {});

    let house = stage();
    fs::create_dir_all(house.path("home/.local/state/blastradius/log")).unwrap();
    works_all_the_same("a folder for a file", &house, &|_| {});
}

#[test]
fn a_full_disk_for_the_log_changes_no_verdict() {
    let house = stage();
    let state = house.path("home/.local/state/blastradius");
    fs::create_dir_all(&state).unwrap();
    let root = fs::canonicalize(house.path("")).unwrap();
    let caged = |script: &str| {
        let inner = command(&house, &["unused"]);
        let mut cage = Command::new("bwrap");
        cage.args(["--ro-bind", "/", "/", "--dev", "/dev", "--bind"])
            .args([&root, &root])
            .args(["--size", "65536", "--tmpfs"])
            .arg(&state)
            .arg("--chdir")
            .arg(house.project());
        for (name, value) in inner.get_envs() {
            cage.arg("--setenv").arg(name).arg(value.unwrap());
        }
        cage.env("STATE", &state)
            .env("GUARD", inner.get_program())
            .args(["sh", "-c", script])
            .stdin(Stdio::null());
        output(cage)
    };
    let full = r#"touch "$STATE/log"; cat /dev/zero > "$STATE/fill" 2> /dev/null;"#;
    if !tools::has("a full disk", &["bwrap"])
        || !caged(&format!(r#"{full} ! echo x 2> /dev/null >> "$STATE/log""#))
            .stderr
            .is_empty()
    {
        eprintln!("skipped a full disk: no bwrap that can mount a small file system");
        return;
    }
    let before = tree::read(&house.path("home/notes"));
    for (words, status, says) in [
        ("run -- rm -rf ../notes", 77, "not logged"),
        (
            "run --layers libc -- rm -rf ../notes",
            1,
            "refused recursive removal",
        ),
        ("run --layers libc -- sh script", 0, "refused"),
        ("run -- rm -rf build", 0, ""),
    ] {
        let outcome = caged(&format!(r#"{full} "$GUARD" {words}"#));
        assert_eq!(outcome.status, Some(status), "{words}: {outcome:?}");
        assert!(outcome.stderr.contains(says), "{words}: {outcome:?}");
    }
    assert_eq!(before, tree::read(&house.path("home/notes")));
}

/// Whatever is loaded already stays, in its place before ours. The loader takes a space for a colon.
#[test]
fn a_preload_that_is_there_already_is_kept() {
    for (held, kept) in [
        ("/nonexistent.so", "/nonexistent.so:"),
        ("/a.so /b.so", "/a.so:/b.so:"),
        ("/a.so:", "/a.so:"),
        ("", ""),
    ] {
        let house = stage();
        let arrange = |command: &mut Command| {
            command.env("LD_PRELOAD", held);
        };
        works_all_the_same(&format!("LD_PRELOAD={held}"), &house, &arrange);
        let mut shown = command(
            &house,
            &["run", "--", "sh", "-c", "printf %s \"$LD_PRELOAD\""],
        );
        arrange(&mut shown);
        let outcome = output(shown);
        let ours = outcome.stdout.strip_prefix(kept).unwrap_or_default();
        assert!(PathBuf::from(ours).is_file(), "{held:?}: {outcome:?}");
    }
}

#[test]
fn a_library_already_loaded_is_not_loaded_twice() {
    let house = stage();
    let script = format!(
        "{} run -- sh -c 'printf %s \"$LD_PRELOAD\"'",
        env!("CARGO_BIN_EXE_blastradius")
    );
    let outcome = output(command(&house, &["run", "--", "sh", "-c", &script]));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert_eq!(
        outcome.stdout.matches("libblastradius").count(),
        1,
        "{outcome:?}"
    );
}

/// The loader would read such a path as two: the library goes elsewhere, or nothing runs.
#[test]
fn a_cache_path_that_the_loader_would_split_is_not_used() {
    for name in ["a:b", "a b", "a\tb", "a\nb"] {
        let house = stage();
        let cache = house.path(name);
        let runtime = house.path("runtime");
        let arrange = |command: &mut Command| {
            command
                .env("XDG_CACHE_HOME", &cache)
                .env("XDG_RUNTIME_DIR", &runtime);
        };
        works_all_the_same(name, &house, &arrange);
        let mut library = command(&house, &["library"]);
        arrange(&mut library);
        let outcome = output(library);
        assert!(
            outcome.stdout.starts_with(runtime.to_str().unwrap()),
            "{name:?}: {outcome:?}"
        );
        assert!(!cache.exists(), "{name:?}");
    }
}

#[test]
fn a_name_that_is_not_unicode_is_judged_as_it_is() {
    let house = stage();
    let name = OsStr::from_bytes(b"caf\xe9");
    let inside = house.project().join(name);
    let outside = house.path("home/notes").join(name);
    for path in [&inside, &outside] {
        fs::write(path, "x").unwrap();
    }
    let outcome = output(command(
        &house,
        &[
            "run".as_ref(),
            "--".as_ref(),
            "rm".as_ref(),
            outside.as_os_str(),
        ],
    ));
    assert_eq!(outcome.status, Some(77), "{outcome:?}");
    assert!(outside.exists());
    let outcome = output(command(
        &house,
        &[
            "run".as_ref(),
            "--".as_ref(),
            "rm".as_ref(),
            inside.as_os_str(),
        ],
    ));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(!inside.exists());
}
