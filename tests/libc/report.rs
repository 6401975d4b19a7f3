use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use crate::stage::{Ran, Stage, caller};

#[test]
fn at_most_five_lines_then_the_number_of_the_others() {
    let stage = Stage::new();
    for number in 0..9 {
        stage.write(format!("outside/many{number}"), "old");
    }
    let ran = stage.sh("cd $O && rm many?");
    let refusals = ran.refusals();
    assert_eq!(refusals.len(), 6, "{ran:?}");
    assert_eq!(refusals[5], "blastradius: 4 further refusals");
    let ran = stage.sh("cd $O && rm many[0-5]");
    assert_eq!(
        ran.refusals().last(),
        Some(&"blastradius: 1 further refusal")
    );
    assert!(stage.exists("outside/many8"));
}

#[test]
fn names_that_a_terminal_would_act_on_are_escaped() {
    for (name, shown) in [
        (&b"a\x1b[2Jb"[..], r"a\x1b[2Jb"),
        (b"line\nbreak", r"line\x0abreak"),
        (b"bidi\xe2\x80\xaegpj", r"bidi\u{202e}gpj"),
        (b"zero\xe2\x80\x8bwidth", r"zero\u{200b}width"),
        (b"not\xffutf8", r"not\xffutf8"),
        (b"back\\slash", r"back\\slash"),
        ("ünï".as_bytes(), "ünï"),
        ("日本".as_bytes(), "日本"),
    ] {
        let stage = Stage::new();
        let path = stage
            .path("outside")
            .join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(&path, "old").unwrap();
        let ran = stage.call(&["unlink".as_ref(), path.as_os_str()]);
        ran.is_refused("out-of-scope");
        assert!(
            ran.stderr.contains(&format!("/outside/{shown}: outside")),
            "{ran:?}"
        );
    }
}

#[test]
fn a_very_long_path_is_cut_and_the_rule_is_not() {
    let stage = Stage::new();
    let mut directory = stage.path("outside");
    for _ in 0..15 {
        directory.push("\u{1}".repeat(200));
    }
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("file");
    std::fs::write(&path, "old").unwrap();
    let ran = stage.call(&["unlink".as_ref(), path.as_os_str()]);
    ran.is_refused("out-of-scope");
    assert!(ran.stderr.contains("..."), "{ran:?}");
    assert!(ran.stderr.len() < 4096);
}

#[test]
fn a_closed_standard_error_harms_nothing() {
    let stage = Stage::new();
    let ran = stage.sh("unlink $O/file 2>&-; echo $?");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("1", ""));
    assert!(stage.exists("outside/file"));
    // The number of standard error goes to a file of the program's: nothing but its data is written there.
    let ran = stage.sh("exec 2>&-; cat $O/empty; exec 2> data; unlink $O/file; echo data >&2");
    assert_eq!(ran.stderr, "");
    assert_eq!(
        stage
            .content("home/project/data")
            .map(|data| data.lines().last().unwrap().to_owned()),
        Some("data".to_owned())
    );
}

#[test]
fn a_broken_pipe_raises_no_signal() {
    let stage = Stage::new();
    let mut command = stage.guarded(caller());
    command
        .args(stage.words("unlink O/file"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    let mut said = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(said, "1\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_file_that_must_not_grow_raises_no_signal() {
    let stage = Stage::new();
    let state = stage.path("home/.local/state/blastradius");
    std::fs::create_dir_all(&state).unwrap();
    let ran = stage.sh("ulimit -f 0; rm $O/file; echo $?");
    assert_eq!(ran.stdout, "1", "{ran:?}");
    assert!(stage.exists("outside/file"));
}

#[test]
fn a_full_pipe_does_not_block() {
    let stage = Stage::new();
    // Nobody reads while the pipe fills; what would block is nothing but the library's line.
    let script = format!(
        "(head -c 65536 /dev/zero >&2; {} unlink $O/file > inside) 2>&1 | (sleep 0.5; cat inside)",
        caller().display()
    );
    assert_eq!(stage.sh(&script).stdout, "1");
}

#[test]
fn redirections_of_a_shell_are_followed() {
    let stage = Stage::new();
    let ran = stage.sh("{ echo > $O/file; } 2> errors; cat errors");
    assert!(ran.stdout.contains("[out-of-scope]"), "{ran:?}");
    let ran = stage.sh("(echo > $O/file) 2>&1 | cat");
    assert!(ran.stdout.contains("[out-of-scope]"), "{ran:?}");
}

#[test]
fn the_log_takes_one_line_of_json_a_refusal() {
    let stage = Stage::new();
    let directory = stage.path("home/.local/state/blastradius");
    std::fs::create_dir_all(&directory).unwrap();
    let odd = stage.path("outside/quote\"and\\back\u{1}");
    std::fs::write(&odd, "old").unwrap();
    stage.call(&stage.words("unlink O/file"));
    stage.call(&["unlink".as_ref(), odd.as_os_str()]);
    stage.call(&stage.words("open O/file wt"));
    let log = std::fs::read_to_string(directory.join("log")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "{log}");
    let program = caller().canonicalize().unwrap();
    for member in [
        r#"{"verdict":"refuse","policy":"1+"#.to_owned(),
        r#","layer":"libc","#.to_owned(),
        r#","pid":"#.to_owned(),
        format!(r#","program":"{}","#, program.display()),
        r#","operation":"remove","#.to_owned(),
        format!(r#","path":"{}","#, stage.path("outside/file").display()),
        r#","rule":"out-of-scope""#.to_owned(),
    ] {
        assert!(lines[0].contains(&member), "{member} in {}", lines[0]);
    }
    assert!(lines[0].ends_with('}'));
    assert!(lines[1].contains(r#"/quote\"and\\back\u0001""#), "{log}");
    assert!(lines[2].contains(r#""operation":"truncate""#), "{log}");
}

#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let stage = Stage::new();
    let directory = stage.path("home/.local/state/blastradius");
    std::fs::create_dir_all(&directory).unwrap();
    let log = directory.join("log");
    for what in ["directory", "full", "fifo"] {
        match what {
            "directory" => std::fs::create_dir(&log).unwrap(),
            "full" => std::os::unix::fs::symlink("/dev/full", &log).unwrap(),
            _ => {
                let made = std::process::Command::new("mkfifo").arg(&log).status();
                assert!(made.unwrap().success());
            }
        }
        stage
            .call(&stage.words("unlink O/file"))
            .is_refused("out-of-scope");
        if what == "directory" {
            std::fs::remove_dir(&log).unwrap();
        } else {
            std::fs::remove_file(&log).unwrap();
        }
    }
}

#[test]
fn an_allowed_call_leaves_no_trace() {
    let stage = Stage::new();
    let ran = Ran::of(stage.guarded("/bin/rm").arg("inside"));
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", "")
    );
    assert!(!stage.exists("home/.local"));
}
