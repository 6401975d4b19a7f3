use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::stage::{Ran, Stage, compile, compiler, static_caller, which};

const LOG: &str = "home/.local/state/blastradius/log";

/// The entries of programs that are not seen: path and reason.
fn entries(stage: &Stage) -> Vec<(PathBuf, String)> {
    let log = stage.content(LOG).unwrap_or_default();
    let member = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\":\"")).unwrap() + name.len() + 4;
        line[start..].split('"').next().unwrap().to_owned()
    };
    log.lines()
        .filter(|line| line.starts_with("{\"verdict\":\"unseen\","))
        .map(|line| (member(line, "path").into(), member(line, "reason")))
        .collect()
}

/// A copy of a program in the project, which no other test has told of.
fn copy(stage: &Stage, program: &Path, name: &str) -> PathBuf {
    let path = stage.project().join(name);
    std::fs::copy(program, &path).unwrap();
    path
}

#[test]
fn a_static_program_is_told_of_once_a_session_however_it_is_started() {
    let Some(program) = static_caller() else {
        eprintln!("libc cannot be linked statically here");
        return;
    };
    let stage = Stage::new();
    let path = copy(&stage, program, "tool");
    let script = stage.project().join("script");
    std::fs::write(&script, format!("#!{}\n", path.display())).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let mut ways = Vec::from(crate::exec::WAYS);
    ways.extend(["number-execve", "number-execveat", "vfork-number-execve"]);
    for way in ways {
        for program in [&path, &script] {
            if way.contains("-many") && program == &script {
                continue;
            }
            let mut command = stage.guarded(crate::stage::spawner());
            command.arg(way).arg(program).args(["number-getpid"]);
            let ran = Ran::of(&mut command);
            let line = format!(
                "blastradius: {} is a static program: what it does is not seen",
                path.display()
            );
            assert_eq!(ran.refusals(), [line], "{way}: {ran:?}");
            assert_eq!(
                entries(&stage),
                [(path.clone(), "static".to_owned())],
                "{way}"
            );
            std::fs::remove_file(stage.path(LOG)).unwrap();
        }
    }
    // By a shell that forks, and by one process that starts several.
    let other = copy(&stage, program, "other");
    let ran = stage.sh("for i in 1 2 3; do ./tool number-getpid; ./other number-getpid; done");
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
    let paths: Vec<PathBuf> = entries(&stage).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [path.clone(), other]);
    // Another session tells of it again.
    assert_eq!(stage.sh("./tool number-getpid").refusals().len(), 1);
    assert_eq!(entries(&stage).len(), 3);
}

#[test]
fn programs_that_are_seen_are_not_told_of() {
    let stage = Stage::new();
    std::fs::write(stage.project().join("script"), "#!/bin/sh\n:\n").unwrap();
    let ran = stage.sh(
        "chmod +x script; ./script; /bin/true; env true; sh -c :; cp $0 plain 2>/dev/null; ./plain 2>/dev/null;
        for l in /lib64/ld-linux-*.so.2 /lib/ld-musl-*.so.1; do [ -x $l ] && $l /bin/true; done; :",
    );
    assert_eq!(ran.refusals(), [""; 0], "{ran:?}");
    assert!(!stage.exists(LOG));
}

#[test]
fn programs_for_another_machine_and_with_other_rights_are_told_of() {
    let stage = Stage::new();
    let program = compile("early-plain", compiler(), &["-shared", "-fPIC"]);
    let mut foreign = std::fs::read(&program).unwrap();
    foreign[4] = 1;
    std::fs::write(stage.project().join("foreign"), foreign).unwrap();
    std::fs::set_permissions(
        stage.project().join("foreign"),
        PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    stage.sh("./foreign 2>/dev/null");
    let mut expected = vec![(stage.project().join("foreign"), "foreign".to_owned())];
    assert_eq!(entries(&stage), expected);

    // Whoever is root gets no other rights by root's own bit.
    let caller = crate::stage::caller();
    let set_id = copy(&stage, caller, "set-id");
    std::fs::set_permissions(&set_id, PermissionsExt::from_mode(0o4755)).unwrap();
    stage.sh("./set-id number-getpid");
    assert_eq!(entries(&stage), expected);
    let plain_user = which("setpriv").filter(|_| is_root());
    let Some(setpriv) = plain_user else {
        return;
    };
    std::fs::set_permissions(stage.path("home"), PermissionsExt::from_mode(0o777)).unwrap();
    std::fs::remove_dir_all(stage.path("home/.local")).unwrap();
    let mut command = stage.guarded(setpriv);
    command.args([
        "--reuid=65534",
        "--clear-groups",
        "./set-id",
        "number-getpid",
    ]);
    Ran::of(&mut command);
    expected = vec![(set_id.clone(), "privileged".to_owned())];
    assert_eq!(entries(&stage), expected);
    // Where no rights can be gained, the program is loaded like any other.
    std::fs::remove_dir_all(stage.path("home/.local")).unwrap();
    let mut command = stage.guarded(which("setpriv").unwrap());
    command.args([
        "--reuid=65534",
        "--clear-groups",
        "--no-new-privs",
        "./set-id",
        "number-getpid",
    ]);
    Ran::of(&mut command);
    assert_eq!(entries(&stage), []);
}

fn is_root() -> bool {
    // /proc/self belongs to whoever runs this.
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0
}

#[test]
fn without_a_log_one_process_speaks() {
    let Some(program) = static_caller() else {
        return;
    };
    let stage = Stage::new();
    copy(&stage, program, "tool");
    std::fs::write(stage.path("home/.local"), "in the way").unwrap();
    // The shell that begins the session speaks, the one below does not.
    let ran = stage.sh("sh -c './tool number-getpid; :'; sh -c './tool number-getpid; :'");
    assert_eq!(ran.refusals().len(), 0, "{ran:?}");
    let ran = stage.sh("./tool number-getpid; :");
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
}
