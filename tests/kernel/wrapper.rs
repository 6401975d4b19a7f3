//! `run` stands between a program and whoever started it, and is not to be noticed there.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::stage::{Stage, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");

/// Plays a scene of `tests/python/terminal.py`, if what it needs is installed.
fn play(scene: &str, needs: &[&str]) {
    run(&["terminal.py", BINARY, scene], needs);
}

/// Runs a script of `tests/python`.
fn run(words: &[&str], needs: &[&str]) {
    let missing = needs.iter().find(|program| which(program).is_none());
    let (None, Some(python)) = (missing, which("python3")) else {
        eprintln!("skipped {words:?}: not all of {needs:?} and python3 are installed");
        return;
    };
    let stage = Stage::new();
    let script = format!("{}/tests/python/{}", env!("CARGO_MANIFEST_DIR"), words[0]);
    let mut command = stage.unguarded(python);
    let output = command.arg(script).args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
}

#[test]
fn whoever_starts_a_program_notices_nothing_in_between() {
    run(&["same.py", BINARY], &["bash", "timeout", "xargs", "grep"]);
}

#[test]
fn what_is_typed_to_interrupt_reaches_the_program_once() {
    play("interrupt", &["bash"]);
}

#[test]
fn a_program_is_stopped_and_goes_on_as_a_job_of_the_shell() {
    play("stop", &["bash"]);
}

#[test]
fn a_shell_below_has_jobs_of_its_own() {
    play("shell", &["bash"]);
}

#[test]
fn a_program_learns_of_the_size_of_its_window() {
    play("window", &["bash", "stty"]);
}

#[test]
fn an_editor_and_an_interpreter_have_the_terminal() {
    play("editor", &["bash", "vim"]);
    play("repl", &["bash"]);
}

#[test]
fn a_program_learns_that_its_terminal_is_gone() {
    play("hangup", &["bash"]);
}

#[test]
fn what_is_sent_to_the_group_reaches_the_program_once() {
    play("group", &["pkill"]);
}

#[test]
fn what_is_sent_while_the_witness_is_stopped_reaches_the_program_once() {
    play("witness", &[]);
}

#[test]
fn the_first_process_at_a_terminal_passes_on_that_it_is_gone() {
    play("leader", &["bash"]);
}

#[test]
fn jobs_in_the_background_are_stopped_as_they_are_without() {
    play("background", &["bash", "stty", "ps"]);
}

#[test]
fn a_multiplexer_that_is_started_below_outlives_the_run() {
    play("multiplexer", &["bash", "tmux"]);
}

/// A shell script below `run`.
fn guarded(stage: &Stage, script: &str) -> Command {
    let mut command = stage.guarded("/bin/sh");
    command.args(["-c", script]);
    command
}

#[test]
fn the_program_s_status_and_the_signal_that_ended_it_come_through() {
    use std::os::unix::process::ExitStatusExt;
    let stage = Stage::new();
    for status in [0, 1, 77, 125, 255] {
        let ended = guarded(&stage, &format!("exit {status}")).status().unwrap();
        assert_eq!(ended.code(), Some(status));
    }
    for signal in [1, 2, 6, 9, 11, 15, 34] {
        let ended = guarded(&stage, &format!("kill -{signal} $$"))
            .status()
            .unwrap();
        assert_eq!(ended.signal(), Some(signal));
    }
    // To a shell it is a number.
    let mut shell = stage.unguarded("/bin/sh");
    let script = format!("{BINARY} run --layers kernel -- sh -c 'kill -TERM $$'; echo $?");
    let output = shell.args(["-c", &script]).output().unwrap();
    assert_eq!(output.stdout, b"143\n");
}

#[test]
fn signals_that_the_wrapper_is_sent_are_the_program_s() {
    let stage = Stage::new();
    let script = "trap 'echo told; exit 9' USR1; echo begun; while :; do sleep 0.05; done";
    let mut wrapper = guarded(&stage, script)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines =
        std::io::BufRead::lines(std::io::BufReader::new(wrapper.stdout.take().unwrap()));
    assert_eq!(lines.next().unwrap().unwrap(), "begun");
    send("USR1", wrapper.id());
    assert_eq!(lines.next().unwrap().unwrap(), "told");
    assert_eq!(wrapper.wait().unwrap().code(), Some(9));
}

#[test]
fn a_wrapper_that_is_killed_takes_the_program_along() {
    let stage = Stage::new();
    let mut wrapper = guarded(&stage, "echo begun; exec sleep 60")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = wrapper.stdout.take().unwrap();
    let mut word = [0; 6];
    std::io::Read::read_exact(&mut stdout, &mut word).unwrap();
    wrapper.kill().unwrap();
    wrapper.wait().unwrap();
    let began = Instant::now();
    // Nobody holds the other end any more.
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut stdout, &mut rest).unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn what_the_program_closes_is_closed() {
    let stage = Stage::new();
    let mut wrapper = guarded(&stage, "exec >&- 2>&-; sleep 6")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut wrapper.stdout.take().unwrap(), &mut rest).unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    wrapper.wait().unwrap();
}

#[test]
fn what_stays_behind_outlives_the_run_and_stays_guarded() {
    let stage = Stage::new();
    let caller = crate::layer::caller().display();
    let script = format!(
        "(sleep 4; {caller} unlink $O/file >after; {caller} unlink inside) >/dev/null 2>&1 & exit 4"
    );
    let began = Instant::now();
    let output = guarded(&stage, &script)
        .env("O", stage.path("outside"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(began.elapsed() < Duration::from_secs(3));
    let until = Instant::now() + Duration::from_secs(30);
    while stage.exists("home/project/inside") {
        assert!(Instant::now() < until, "what is in the scope stays");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(stage.content("home/project/after").as_deref(), Some("1\n"));
    assert!(stage.exists("outside/file"));
}

fn send(signal: &str, process: u32) {
    let kill = Command::new("kill")
        .args([&format!("-{signal}"), &process.to_string()])
        .status();
    assert!(kill.unwrap().success());
}

#[test]
fn what_the_program_has_used_is_counted() {
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stage = Stage::new();
    let script = "import resource, subprocess, sys\n\
        busy = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'\n\
        subprocess.run([sys.argv[1], 'run', '--layers', 'kernel', '--', 'sh', '-c', busy])\n\
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime\n\
        print(used > 0.05)";
    let mut command = stage.unguarded(python);
    let output = command.args(["-c", script, BINARY]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "True\n", "{output:?}");
}

#[test]
fn whoever_ignores_children_is_told_how_the_program_ended_all_the_same() {
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stage = Stage::new();
    let script = "import os, signal, sys\n\
        child = os.fork()\n\
        if child == 0:\n\
        \x20   signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n\
        \x20   os.execv(sys.argv[1], sys.argv[1:])\n\
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))";
    let said = |words: &[&str]| {
        let mut command = stage.unguarded(&python);
        command.args(["-c", script, BINARY, "run", "--layers", "kernel", "--"]);
        let output = command.args(words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(said(&["sh", "-c", "exit 7"]), "7\n");
    // And the program still ignores them.
    let status = said(&["grep", "SigIgn", "/proc/self/status"]);
    let mask = status.split_whitespace().nth(1).unwrap();
    let mask = u64::from_str_radix(mask, 16).unwrap();
    assert_ne!(mask & 1 << 16, 0, "{status}");
}
