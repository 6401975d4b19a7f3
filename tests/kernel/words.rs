//! Where a refusal is said: on what a process was given as standard error, and nowhere else.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::layer::caller;
use crate::stage::{Ran, Stage, compile, compiler, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");

/// Refused seven times, by the shell itself.
const SEVEN: &str = "for i in 1 2 3 4 5 6 7; do true > $O/file; done";

/// A python script below the layer; its words are what has a file outside removed.
fn python(stage: &Stage, script: &str) -> Option<Ran> {
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return None;
    };
    let mut command = stage.guarded(python);
    command.args(["-c", script]).arg(caller());
    Some(Ran::of(command.args(stage.words("unlink O/file"))))
}

#[test]
fn who_reads_a_daemon_s_standard_error_does_not_wait_for_its_end() {
    let stage = Stage::new();
    let begun = Instant::now();
    let ran = stage.sh(&format!(
        "{{ {SEVEN}; exec > /dev/null 2>&1; sleep 4; }} & exit 0"
    ));
    assert!(begun.elapsed() < Duration::from_secs(2), "{ran:?}");
    assert_eq!(ran.refused(), 5, "{ran:?}");
    assert!(
        ran.stderr.ends_with("blastradius: 2 further refusals"),
        "{ran:?}"
    );
}

#[test]
fn it_is_counted_anew_after_a_while() {
    let stage = Stage::new();
    let ran = stage.sh(&format!("{SEVEN}; sleep 1.2; {SEVEN}"));
    let lines = ran.refusals();
    assert_eq!(lines.len(), 12, "{ran:?}");
    for index in [5, 11] {
        assert_eq!(lines[index], "blastradius: 2 further refusals", "{ran:?}");
    }
}

#[test]
fn what_was_counted_is_said_where_it_happened() {
    let stage = Stage::new();
    let ran = stage.sh(&format!("{{ {SEVEN}; }} 2> inside; {SEVEN}; cat inside"));
    assert!(
        ran.stdout.ends_with("blastradius: 2 further refusals"),
        "{ran:?}"
    );
    assert!(
        ran.stderr.ends_with("blastradius: 7 further refusals"),
        "{ran:?}"
    );
}

#[test]
fn a_pair_of_sockets_is_spoken_to() {
    let stage = Stage::new();
    let script = "import socket, subprocess, sys\n\
        ours, theirs = socket.socketpair()\n\
        subprocess.run(sys.argv[1:], stderr=theirs)\n\
        theirs.close()\n\
        print(ours.makefile().read())";
    let Some(ran) = python(&stage, script) else {
        return;
    };
    assert!(ran.stdout.ends_with("[out-of-scope]"), "{ran:?}");
}

#[test]
fn a_pair_of_sockets_that_nobody_reads_neither_keeps_nor_ends_anybody() {
    let stage = Stage::new();
    let script = "import socket, subprocess, sys\n\
        ours, theirs = socket.socketpair()\n\
        theirs.setblocking(False)\n\
        try:\n\
        \x20 while True: theirs.send(b'x' * 4096)\n\
        except BlockingIOError: theirs.setblocking(True)\n\
        for i in range(2):\n\
        \x20 subprocess.run(sys.argv[1:], stderr=theirs, timeout=5)\n\
        \x20 ours.close()";
    let begun = Instant::now();
    let Some(ran) = python(&stage, script) else {
        return;
    };
    assert_eq!((ran.stdout.as_str(), ran.status), ("1\n1", Some(0)));
    assert!(begun.elapsed() < Duration::from_secs(10), "{ran:?}");
}

#[test]
fn a_connection_of_a_program_s_own_is_not_spoken_to() {
    let stage = Stage::new();
    for (family, address) in [
        ("AF_INET", "('127.0.0.1', 0)"),
        ("AF_INET6", "('::1', 0)"),
        ("AF_UNIX", "'named'"),
    ] {
        let script = format!(
            "import socket, subprocess, sys\n\
            door = socket.socket(socket.{family})\n\
            try: door.bind({address})\n\
            except OSError: sys.exit('skipped: no {family}')\n\
            door.listen()\n\
            near = socket.socket(socket.{family})\n\
            near.connect(door.getsockname())\n\
            far, _ = door.accept()\n\
            for end, other in (near, far), (far, near):\n\
            \x20 subprocess.run(sys.argv[1:], stderr=end)\n\
            \x20 other.setblocking(False)\n\
            \x20 try: print(other.recv(4096), flush=True)\n\
            \x20 except BlockingIOError: print('nothing', flush=True)"
        );
        let Some(ran) = python(&stage, &script) else {
            return;
        };
        if ran.stderr.starts_with("skipped") {
            eprintln!("{}", ran.stderr);
            continue;
        }
        assert_eq!(ran.stdout, "1\nnothing\n1\nnothing", "{family}: {ran:?}");
    }
}

#[test]
fn a_file_that_can_be_read_as_well_is_spoken_to_at_its_end() {
    let stage = Stage::new();
    let script = "import subprocess, sys, tempfile\n\
        with tempfile.TemporaryFile() as errors:\n\
        \x20 errors.write(b'before ')\n\
        \x20 errors.flush()\n\
        \x20 subprocess.run(sys.argv[1:], stderr=errors)\n\
        \x20 errors.seek(0)\n\
        \x20 print(errors.read().decode())";
    if let Some(ran) = python(&stage, script) {
        let said = ran.stdout.strip_prefix("1\nbefore blastradius: refused");
        assert!(
            said.is_some_and(|said| said.ends_with("[out-of-scope]")),
            "{ran:?}"
        );
    }
    let unlink = format!("{} unlink $O/file", caller().display());
    let ran = stage.sh(&format!("{unlink} 2<> errors; cat errors"));
    assert!(ran.stdout.ends_with("[out-of-scope]"), "{ran:?}");
    // Data that got the number: its beginning stays what it is.
    stage.write("home/project/data", "data");
    let ran = stage.sh(&format!("{unlink} 2<> data"));
    assert_eq!(ran.stdout, "1", "{ran:?}");
    assert_eq!(stage.content("home/project/data").as_deref(), Some("data"));
}

#[test]
fn where_descriptors_cannot_be_taken_the_file_is_opened() {
    let unlink = format!("{} unlink $O/file", caller().display());
    for lacks in ["pidfd_getfd", "pidfd_open"] {
        let stage = Stage::new();
        let sh = |script: &str| {
            let mut command = stage.unguarded(crate::landlock::forbid());
            command.args([lacks, BINARY, "run", "--layers", "kernel", "--"]);
            command.args(["sh", "-c", script]);
            Ran::of(command.env("O", stage.path("outside")))
        };
        sh(&unlink).is_refused("out-of-scope");
        let ran = sh(&format!("{SEVEN}; exec 2> /dev/null; sleep 1"));
        assert_eq!(ran.refused(), 5, "{lacks}: {ran:?}");
        assert!(
            ran.stderr.ends_with("blastradius: 2 further refusals"),
            "{lacks}: {ran:?}"
        );
        let ran = sh(&format!(
            "echo before > errors; {unlink} 2>> errors; cat errors"
        ));
        let said = ran.stdout.strip_prefix("1\nbefore\nblastradius: refused");
        assert!(said.is_some(), "{lacks}: {ran:?}");
        // Opened anew it would be written from its beginning.
        let ran = sh(&format!(
            "{{ echo before >&2; {unlink}; }} 2> errors; cat errors"
        ));
        assert_eq!(ran.stdout, "1\nbefore", "{lacks}: {ran:?}");
    }
}

#[test]
fn a_terminal_that_is_opened_stays_its_own_session_s() {
    let Some(script) = which("script") else {
        eprintln!("skipped: script is not installed");
        return;
    };
    let stage = Stage::new();
    let run = format!(
        "{} pidfd_getfd {BINARY} run --layers kernel -- {} unlink {}",
        crate::landlock::forbid().display(),
        caller().display(),
        stage.path("outside/file").display()
    );
    let mut command = stage.unguarded(script);
    let ran = Ran::of(command.args(["-qec", &run, "/dev/null"]));
    assert!(ran.stdout.contains("[out-of-scope]"), "{ran:?}");
}

#[test]
fn a_process_whose_first_thread_has_ended_is_told() {
    let stage = Stage::new();
    let headless = compile("headless", compiler(), &["-static", "-pthread"]);
    let mut command = stage.guarded(headless);
    let ran = Ran::of(command.arg(stage.path("outside/file")));
    assert_eq!((ran.status, ran.refused()), (Some(1), 1), "{ran:?}");
}

#[test]
fn who_cannot_be_looked_into_is_refused_in_the_log() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    const NOBODY: u32 = 65534;
    let stage = Stage::new();
    let state = stage.path("home/.local/state/blastradius");
    std::fs::create_dir_all(&state).unwrap();
    let Some(setpriv) = which("setpriv").filter(|_| chown(&state, Some(NOBODY), None).is_ok())
    else {
        eprintln!("skipped: only root can become another user, and with setpriv");
        return;
    };
    let copy = |from: &Path, name: &str, mode| {
        let to = stage.path(name);
        std::fs::copy(from, &to).unwrap();
        std::fs::set_permissions(&to, std::fs::Permissions::from_mode(mode)).unwrap();
        to
    };
    let binary = copy(Path::new(BINARY), "blastradius", 0o755);
    // Whoever may not read a program may not look into what runs it.
    let closed = copy(caller(), "closed", 0o711);
    let mut command = stage.unguarded(setpriv);
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    command
        .arg(binary)
        .args(["run", "--layers", "kernel", "--"]);
    command.arg(closed).args(stage.words("unlink O/file"));
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "1", "{ran:?}");
    let log = std::fs::read_to_string(state.join("log")).unwrap_or_default();
    for member in [
        r#""layer":"kernel""#,
        r#""program":"closed""#,
        r#""operation":"remove""#,
        r#""rule":"unresolvable-target""#,
    ] {
        assert!(log.contains(member), "{member}: {ran:?} {log}");
    }
}
