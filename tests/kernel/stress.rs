//! Many callers at once, callers that are killed, and a supervisor that is: nothing waits for ever, and no act outside
//! passes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::layer::caller;
use crate::stage::{Ran, Stage, assert_storm_loses_nothing, compile, compiler};

#[test]
fn threads_signals_and_forks_neither_hang_nor_pass() {
    let storm = compile("storm-static", compiler(), &["-pthread", "-static"]);
    assert_storm_loses_nothing(&storm, ["2", "32", "2"]);
}

#[test]
fn callers_that_are_killed_leave_nobody_waiting() {
    let stage = Stage::new();
    let script = format!(
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            (while :; do {caller} unlink $O/file; {caller} create-rewrite new$i; {caller} unlink new$i; done) >/dev/null 2>&1 &
            pids=\"$pids $!\"
        done
        sleep 1
        kill -9 $pids
        {caller} unlink inside",
        caller = caller().display()
    );
    let mut command = stage.guarded("/bin/sh");
    let ran = Ran::of(
        command
            .args(["-c", &script])
            .env("O", stage.path("outside")),
    );
    assert_eq!(ran.stdout, "ok", "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

/// The child of a process.
fn child_of(process: u32) -> u32 {
    let path = format!("/proc/{process}/task/{process}/children");
    let children = std::fs::read_to_string(path).unwrap();
    children.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn without_its_supervisor_nothing_is_done() {
    const ENOSYS: &str = "38";
    let stage = Stage::new();
    let script = format!(
        "{caller} unlink $O/file; read line; {caller} unlink $O/file; {caller} unlink inside; {caller} open inside wt; exit 6",
        caller = caller().display()
    );
    let mut wrapper = stage
        .guarded("/bin/sh")
        .args(["-c", &script])
        .env("O", stage.path("outside"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(wrapper.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "1");
    let supervisor = child_of(wrapper.id());
    let kill = Command::new("kill")
        .args(["-9", &supervisor.to_string()])
        .status();
    assert!(kill.unwrap().success());
    let began = Instant::now();
    // The program goes on reading.
    drop(wrapper.stdin.take());
    let answers: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(answers, [ENOSYS, ENOSYS, ENOSYS]);
    assert_eq!(wrapper.wait().unwrap().code(), Some(6));
    assert!(began.elapsed() < Duration::from_secs(5));
    for file in ["outside/file", "home/project/inside"] {
        assert_eq!(stage.content(file).as_deref(), Some("old"));
    }
}

/// `scripts/soak kernel` has more of everything.
#[test]
fn no_act_and_no_end_takes_a_second() {
    let rate = compile("rate", compiler(), &["-pthread", "-static"]);
    let stage = Stage::new();
    let mut wrapper = stage
        .guarded(rate)
        .arg(stage.project().join("directory"))
        .arg(stage.path("outside/file"))
        .args(["32", "3000", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(wrapper.stdout.take().unwrap()).lines();
    let said = lines.next().unwrap().unwrap();
    let numbers: Vec<u64> = said
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    let [acts, wrong, _, _, longest, end] = numbers[..] else {
        panic!("{said}");
    };
    assert!(acts > 1000 && wrong == 0, "{said}");
    const SECOND: u64 = 1_000_000;
    assert!(longest < SECOND && end < SECOND, "{said}");
    writeln!(wrapper.stdin.take().unwrap()).unwrap();
    let supervisor = child_of(wrapper.id());
    std::thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    let kill = Command::new("kill")
        .args(["-9", &supervisor.to_string()])
        .status();
    assert!(kill.unwrap().success());
    // It says when the last of its threads was told.
    assert!(lines.next().unwrap().is_ok());
    assert!(began.elapsed() < Duration::from_secs(1));
    assert_eq!(wrapper.wait().unwrap().code(), Some(0));
    assert!(stage.exists("outside/file"));
}

#[test]
fn where_there_is_little_of_everything_it_is_guarded_or_not_begun() {
    const TOO_LONG: i32 = 124;
    const ENOSYS: &str = "38";
    let stage = Stage::new();
    let mut refused = 0;
    let descriptors = (4..24).chain([32, 64]).map(|most| ("-n", most));
    // At the edge of what a process of ours takes.
    let memory = (18_000..27_000).step_by(250).map(|most| ("-v", most));
    for (limit, most) in descriptors.chain(memory) {
        let script = format!(
            "ulimit {limit} {most}; exec {} run --layers kernel -- {} unlink $O/file",
            env!("CARGO_BIN_EXE_blastradius"),
            caller().display()
        );
        let mut command = stage.unguarded("/usr/bin/timeout");
        command.args(["20", "sh", "-c", &script]);
        let ran = Ran::of(command.env("O", stage.path("outside")));
        let row = format!("{limit} {most}: {ran:?}");
        let has_begun = ran.status == Some(0);
        assert_ne!(ran.status, Some(TOO_LONG), "{row}");
        // A supervisor for which there is too little ends, and then nothing is done.
        assert!(!has_begun || ["1", ENOSYS].contains(&&*ran.stdout), "{row}");
        assert!(
            has_begun || !ran.stderr.is_empty() || ran.status.is_none(),
            "{row}"
        );
        assert!(stage.exists("outside/file"));
        refused += i32::from(ran.stdout == "1");
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn what_a_process_is_not_told_is_counted_at_its_end() {
    let Some(python) = crate::stage::which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stage = Stage::new();
    let script = "import os, sys\n\
        for i in range(12):\n\
        \x20 try: os.unlink(sys.argv[1])\n\
        \x20 except PermissionError: pass";
    let mut command = stage.guarded(python);
    command.args(["-c", script]).arg(stage.path("outside/file"));
    let ran = Ran::of(&mut command);
    assert_eq!(ran.refused(), 5, "{ran:?}");
    assert!(
        ran.stderr.ends_with("\nblastradius: 7 further refusals"),
        "{ran:?}"
    );
}

#[test]
fn what_the_library_has_judged_needs_no_supervisor() {
    let stage = Stage::new();
    let script = format!(
        "read line; for call in 'unlink inside' 'open other wt' 'fcntl other' \"unlink $O/file\"; do {caller} $call; done",
        caller = crate::stage::caller().display()
    );
    stage.write("home/project/other", "old");
    let mut wrapper = stage
        .unguarded(env!("CARGO_BIN_EXE_blastradius"))
        .args(["run", "--require", "kernel", "--", "sh", "-c", &script])
        .env("O", stage.path("outside"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The wrapper's child is the supervisor once the program is its grandchild.
    let until = Instant::now() + Duration::from_secs(20);
    let children = |process: u32| {
        let path = format!("/proc/{process}/task/{process}/children");
        std::fs::read_to_string(path).unwrap_or_default()
    };
    let supervisor = loop {
        assert!(Instant::now() < until);
        let child = children(wrapper.id());
        if let Some(Ok(child)) = child.split_whitespace().next().map(str::parse)
            && let Some(program) = children(child).split_whitespace().next()
            && std::fs::read_link(format!("/proc/{program}/exe"))
                .is_ok_and(|exe| !exe.ends_with("blastradius"))
        {
            break child;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let kill = Command::new("kill")
        .args(["-9", &supervisor.to_string()])
        .status();
    assert!(kill.unwrap().success());
    drop(wrapper.stdin.take());
    let lines = BufReader::new(wrapper.stdout.take().unwrap()).lines();
    let answers: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(answers, ["ok", "ok", "ok", "1"]);
    wrapper.wait().unwrap();
    assert!(stage.exists("outside/file"));
}
