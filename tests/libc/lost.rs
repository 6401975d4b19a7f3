//! Ways in which a program's children lose its environment: each child is guarded, by the very policy of its parent.

use std::path::PathBuf;
use std::process::Command;

use crate::stage::{LIBRARY, Ran, Stage, compile, compiler, which};

/// Rows for `sh`, after the program that they need. `$C` removes the file `$T`; `$S` starts a program in a way that it
/// is told.
const ROWS: &[(&str, &str)] = &[
    ("env", "env -i $C $T"),
    ("env", "env -u LD_PRELOAD -u BLASTRADIUS_POLICY $C $T"),
    ("env", "env -u LD_PRELOAD $C $T"),
    ("env", "env -u BLASTRADIUS_POLICY $C $T"),
    ("env", "env - env -i env - $C $T"),
    ("sh", "unset LD_PRELOAD BLASTRADIUS_POLICY; $C $T"),
    ("sh", "unset LD_PRELOAD BLASTRADIUS_POLICY; exec $C $T"),
    (
        "sh",
        "unset LD_PRELOAD BLASTRADIUS_POLICY; (cd / && $C $T) | cat",
    ),
    ("sh", "LD_PRELOAD= $C $T"),
    ("sh", "LD_PRELOAD= BLASTRADIUS_POLICY= $C $T"),
    ("sh", "BLASTRADIUS_POLICY='1 forged' $C $T"),
    ("sh", "export BLASTRADIUS_POLICY=other; $C $T"),
    (
        "bash",
        "bash -c 'unset LD_PRELOAD BLASTRADIUS_POLICY; $0 $1' $C $T",
    ),
    ("bash", "bash -c 'exec -c $0 $1' $C $T"),
    (
        "bash",
        "bash -c 'declare +x LD_PRELOAD BLASTRADIUS_POLICY; $0 $1 & wait' $C $T",
    ),
    ("perl", "perl -e '%ENV=(); exec @ARGV' $C $T"),
    (
        "perl",
        "perl -e 'delete @ENV{qw(LD_PRELOAD BLASTRADIUS_POLICY)}; system @ARGV' $C $T",
    ),
    (
        "perl",
        "perl -e 'local %ENV; print `$ARGV[0] $ARGV[1]`' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import subprocess,sys; subprocess.run(sys.argv[1:],env={})' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import subprocess,sys; subprocess.run(sys.argv[1:],env={},close_fds=False)' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.execve(sys.argv[1],sys.argv[1:],{})' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.environ.clear(); os.execv(sys.argv[1],sys.argv[1:])' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; del os.environ[\"LD_PRELOAD\"]; os.system(\" \".join(sys.argv[1:]))' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.environ.clear(); print(os.popen(\" \".join(sys.argv[1:])).read(),end=\"\")' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.waitpid(os.posix_spawn(sys.argv[1],sys.argv[1:],{}),0)' $C $T",
    ),
    (
        "python3",
        "python3 -c 'import ctypes,os,sys; ctypes.CDLL(None).clearenv(); os.spawnv(os.P_WAIT,sys.argv[1],sys.argv[1:])' $C $T",
    ),
    (
        "node",
        "node -e 'const [c,t]=process.argv.slice(1); child_process.spawnSync(c,[t],{env:{},stdio:\"inherit\"})' $C $T",
    ),
    (
        "node",
        "node -e 'const [c,t]=process.argv.slice(1); child_process.execSync(c+\" \"+t,{env:{PATH:\"/bin\"},stdio:\"inherit\"})' $C $T",
    ),
    (
        "node",
        "node -e 'const [c,t]=process.argv.slice(1); delete process.env.LD_PRELOAD; child_process.spawnSync(c,[t],{stdio:\"inherit\"})' $C $T",
    ),
    (
        "ruby",
        "ruby -e 'Process.wait spawn(*ARGV,unsetenv_others: true)' $C $T",
    ),
    ("ruby", "ruby -e 'ENV.clear; exec(*ARGV)' $C $T"),
    (
        "ruby",
        "ruby -e 'ENV.delete(\"LD_PRELOAD\"); print `#{ARGV.join(\" \")}`' $C $T",
    ),
    ("javac", "java $JAVA $C $T"),
    ("rustc", "$RUST $C $T"),
    (
        "make",
        "printf 'unexport LD_PRELOAD BLASTRADIUS_POLICY\\nall:\\n\\t@$$C $$T' | make -sf -",
    ),
    ("make", "printf 'all:\\n\\t@env -i $$C $$T' | make -sf -"),
    ("git", "git -c alias.x='!env -i '$C x $T"),
    ("find", "find $T -exec env -i $C {} \\;"),
    ("xargs", "echo $T | xargs env -i $C"),
    ("setsid", "setsid -w nice timeout 60 env -i $C $T"),
    (
        "/lib64/ld-linux-x86-64.so.2",
        "env -i /lib64/ld-linux-x86-64.so.2 --preload '' $C $T",
    ),
    ("sh", "$S execve $C $T"),
    ("sh", "$S execve-null $C $T"),
    ("sh", "$S clear-execv $C $T"),
    ("sh", "$S execle $C $T"),
    ("sh", "$S fexecve $C $T"),
    ("sh", "$S execveat $C $T"),
    ("sh", "$S posix_spawn $C $T"),
    ("sh", "$S posix_spawnp $C $T"),
    ("sh", "$S vfork-execve $C $T"),
    ("sh", "$S vfork-execvpe $C $T"),
    ("sh", "$S large-execve $C $T"),
    ("sh", "$S large-posix_spawn $C $T"),
    ("sh", "$S several-execve $C $T"),
    ("sh", "$S several-system $C $T"),
    ("sh", "$S unsetenv-execv $C $T"),
    ("sh", "$S unsetenv-system $C $T"),
    ("sh", "$S clearenv-execvp $C $T"),
    ("sh", "$S clearenv-popen $C $T"),
    ("sh", "$S putenv-system $C $T"),
    ("sh", "$S putenv-execl $C $T"),
    ("sh", "$S setenv-posix_spawn $C $T"),
    // A program that the library cannot be loaded into passes on what it was given.
    ("sh", "$STATIC own-execve $C $T"),
    ("sh", "$STATIC own-posix_spawn $C $T"),
];

/// Rows in which others are named to the loader: they are kept, and ours comes last.
const KEPT: &[(&str, &str)] = &[
    ("sh", "LD_PRELOAD=/nowhere/other.so $C $T"),
    ("env", "env -i LD_PRELOAD=/nowhere/other.so $C $T"),
    (
        "python3",
        "python3 -c 'import subprocess,sys; subprocess.run(sys.argv[1:],env={\"LD_PRELOAD\":\"/nowhere/other.so\"})' $C $T",
    ),
];

/// Programs of the rows that are no words of a shell.
const SOURCES: [(&str, &str, &str); 2] = [
    (
        "JAVA",
        "Lost.java",
        "public class Lost { public static void main(String[] words) throws Exception {
            ProcessBuilder child = new ProcessBuilder(words).inheritIO();
            child.environment().clear();
            child.start().waitFor();
        } }",
    ),
    (
        "RUST",
        "lost.rs",
        "fn main() {
            let words: Vec<String> = std::env::args().skip(1).collect();
            std::process::Command::new(&words[0]).args(&words[1..]).env_clear().status().unwrap();
        }",
    ),
];

/// What the rows refer to, by the names that they use.
fn variables(stage: &Stage) -> Vec<(&'static str, PathBuf)> {
    let mut variables = vec![
        ("T", stage.path("outside/file")),
        ("C", compile("child", compiler(), &[])),
        ("S", compile("spawn-lost", compiler(), &[])),
        ("STATIC", compile("spawn-static", compiler(), &["-static"])),
    ];
    for (name, file, source) in SOURCES {
        let path = stage.path(file);
        std::fs::write(&path, source).unwrap();
        variables.push((name, path));
    }
    let source = stage.path("lost.rs");
    let program = stage.path("lost");
    let made = Command::new("rustc")
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .status();
    if made.is_ok_and(|status| status.success()) {
        variables.retain(|(name, _)| *name != "RUST");
        variables.push(("RUST", program));
    }
    variables
}

/// Whether what a row needs is there.
fn is_there(needed: &str, variables: &[(&str, PathBuf)]) -> bool {
    match needed {
        "rustc" => variables
            .iter()
            .any(|(name, path)| *name == "RUST" && path.extension().is_none()),
        _ => which(needed).is_some(),
    }
}

/// Runs a row, and asserts that the child was refused under the policy of the session. Returns what the loader was
/// told for it.
fn child_of(stage: &Stage, variables: &[(&str, PathBuf)], policy: &str, row: &str) -> String {
    let mut command = stage.guarded("/bin/sh");
    command
        .env("BLASTRADIUS_POLICY", policy)
        .envs(variables.iter().map(|(name, path)| (name, path)))
        .args(["-c", row]);
    let ran = Ran::of(&mut command);
    let mut lines = ran.stdout.splitn(3, '\n');
    assert_eq!(lines.next(), Some("1"), "{row}: {ran:?}");
    let preload = lines.next().unwrap_or_default().to_owned();
    assert_eq!(lines.next(), Some(policy), "{row}: {ran:?}");
    assert_eq!(ran.refused(), 1, "{row}: {ran:?}");
    assert_eq!(
        stage.content("outside/file").as_deref(),
        Some("old"),
        "{row}"
    );
    preload
}

#[test]
fn children_that_lose_their_environment_keep_the_guard_and_its_policy() {
    let stage = Stage::new();
    let variables = variables(&stage);
    let listed = Ran::of(&mut stage.guarded("/usr/bin/env")).stdout;
    let policy = listed
        .lines()
        .find_map(|line| line.strip_prefix("BLASTRADIUS_POLICY="))
        .unwrap();
    let mut done = 0;
    for (needed, row) in ROWS {
        if !is_there(needed, &variables) {
            eprintln!("{needed} is not installed: {row}");
            continue;
        }
        let preload = child_of(&stage, &variables, policy, row);
        assert!(preload.ends_with(LIBRARY), "{row}: {preload}");
        done += 1;
    }
    assert!(done >= 28, "only {done} ways were tried");
    for (needed, row) in KEPT {
        if is_there(needed, &variables) {
            assert_eq!(
                child_of(&stage, &variables, policy, row),
                format!("/nowhere/other.so:{LIBRARY}"),
                "{row}"
            );
        }
    }
}
