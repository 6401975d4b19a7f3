//! Callers who are somebody else than the supervisor, or may do less.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::PathBuf;
use std::process::Command;

use crate::layer::caller;
use crate::stage::{Ran, Stage, compile, compiler, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");
const NOBODY: u32 = 65534;
const AS_NOBODY: &str = "--reuid 65534 --regid 65534 --clear-groups";

/// The programs that take rights away, where they are installed and there are rights to be taken.
fn tools() -> Option<[PathBuf; 2]> {
    let is_root = rustix::process::geteuid().is_root();
    let capsh = PathBuf::from("/usr/sbin/capsh");
    let tools = which("setpriv").filter(|_| is_root && capsh.exists());
    if tools.is_none() {
        eprintln!("skipped: this takes root, capsh and setpriv");
    }
    Some([capsh, tools?])
}

/// A tree of which others may use the project, and change what is outside.
fn open_stage() -> Stage {
    let stage = Stage::new();
    for directory in ["home", "home/project", "outside", "outside/vacant"] {
        fs::set_permissions(stage.path(directory), Permissions::from_mode(0o777)).unwrap();
    }
    for file in ["home/project/inside", "outside/file"] {
        fs::set_permissions(stage.path(file), Permissions::from_mode(0o666)).unwrap();
    }
    fs::copy(caller(), stage.path("caller")).unwrap();
    stage
}

/// Words that begin a session without a right that root has.
fn without(right: &str, capsh: &PathBuf, stage: &Stage) -> Command {
    let mut command = stage.unguarded(capsh);
    command.arg(format!("--drop={right}"));
    command.args(["--", "-c", r#"exec "$0" "$@""#, BINARY]);
    command.args(["run", "--layers", "kernel", "--"]);
    command
}

#[test]
fn another_user_s_child_is_judged_also_where_it_cannot_be_looked_into() {
    let Some([capsh, setpriv]) = tools() else {
        return;
    };
    const STATE: &str = "home/.local/state/blastradius";
    for (right, user) in [
        ("cap_sys_ptrace", AS_NOBODY),
        (
            "cap_sys_ptrace",
            "--reuid 65534 --regid 65534 --groups 3,65534,1",
        ),
        ("cap_sys_ptrace", "--regid 65534 --keep-groups"),
        ("cap_sys_ptrace", "--reuid 65534 --keep-groups"),
        (
            "cap_sys_ptrace",
            "--reuid 65534 --clear-groups --inh-caps +chown --ambient-caps +chown",
        ),
        ("cap_sys_ptrace,cap_setgid", "--reuid 65534 --keep-groups"),
        ("cap_net_raw", AS_NOBODY),
    ] {
        let stage = open_stage();
        fs::create_dir_all(stage.path(STATE)).unwrap();
        let call = |row: &str| {
            let mut command = without(right, &capsh, &stage);
            command.arg(&setpriv).args(user.split(' '));
            Ran::of(command.arg(stage.path("caller")).args(stage.words(row)))
        };
        for row in [
            "open new wtc",
            "open /proc/self/cwd/new wt",
            "truncate new 1",
            "rename new newer",
            "rmdir directory",
            "truncate inside 1",
            "unlink inside",
        ] {
            let ran = call(row);
            assert_eq!(
                (&ran.stdout[..], &ran.stderr[..]),
                ("ok", ""),
                "{right} {user}: {row}"
            );
        }
        let made = fs::metadata(stage.path("home/project/newer")).unwrap();
        let is_user = user.contains("--reuid");
        assert_eq!(made.uid(), if is_user { NOBODY } else { 0 }, "{user}");
        for row in [
            "unlink O/file",
            "unlink link/file",
            "open O/file wt",
            "truncate O/file 1",
            "rename O/file taken",
            "rmdir O/vacant",
            "unlink /proc/self/cwd/../../outside/file",
        ] {
            call(row).is_refused("out-of-scope");
        }
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
        assert!(stage.exists("outside/vacant"));
        // The working directory may be where no way leads for that user.
        fs::set_permissions(stage.path("home"), Permissions::from_mode(0o700)).unwrap();
        call("open late wtc").is_ok();
        call("open late wt").is_ok();
        call("unlink late").is_ok();
        call("unlink link/file").is_refused("out-of-scope");
        // The log is written by whoever the supervisor is, and knows the program.
        let log = fs::metadata(stage.path(STATE).join("log")).unwrap();
        assert_eq!((log.uid(), log.gid()), (0, 0), "{user}");
        let log = stage.content(format!("{STATE}/log")).unwrap();
        assert_eq!(log.matches("/caller\"").count(), 8, "{user}: {log}");
    }
}

#[test]
fn one_session_serves_several_users_in_turn() {
    let Some([capsh, setpriv]) = tools() else {
        return;
    };
    let stage = open_stage();
    let (caller, setpriv) = (stage.path("caller"), setpriv.display().to_string());
    let caller = caller.display();
    let script = format!(
        "for i in 1 2 3; do \
         for user in '--reuid 65534 --clear-groups' '--reuid 1 --regid 1 --clear-groups' '--reuid 0 --keep-groups'; do \
         (set -- $user; {setpriv} $user sh -c \
         \"{caller} open $2-$i wtc; {caller} unlink $2-$i; {caller} unlink ../../outside/file\") & \
         done; done; wait; {caller} unlink inside; {caller} unlink $O/file"
    );
    let mut command = without("cap_sys_ptrace", &capsh, &stage);
    command.env("O", stage.path("outside"));
    let ran = Ran::of(command.args(["/bin/sh", "-c", &script]));
    let answers = |answer: &str| ran.stdout.lines().filter(|line| *line == answer).count();
    assert_eq!((answers("ok"), answers("1")), (19, 10), "{ran:?}");
    assert_eq!(ran.refused(), 10, "{ran:?}");
    assert!(!stage.exists("home/project/inside"));
    assert!(stage.exists("outside/file"));
}

#[test]
fn nothing_is_done_for_a_caller_that_it_may_not_do_itself() {
    let Some([capsh, setpriv]) = tools() else {
        return;
    };
    let capsh = capsh.display();
    let rights = "cap_dac_override,cap_dac_read_search,cap_fowner";
    let as_nobody = format!("{} {AS_NOBODY}", setpriv.display());
    for lessens in [
        // A bound, which takes effect at exec; root that is nobody special; the rights themselves; another user.
        format!("{capsh} --drop={rights} --"),
        format!("{capsh} --secbits=3 --"),
        format!("{} --bounding-set -all sh", setpriv.display()),
        format!("{as_nobody} sh"),
    ] {
        let stage = open_stage();
        // No line of the project's scope keeps these: the file system does.
        let own = stage.project().join("own");
        fs::create_dir_all(own.join("vacant")).unwrap();
        for (file, mode) in [
            ("own/file", 0o600),
            ("own/other", 0o600),
            ("own/open", 0o644),
        ] {
            stage.write(format!("home/project/{file}"), "old");
            let path = stage.project().join(file);
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            chown(path, Some(2), Some(2)).unwrap();
        }
        chown(&own, Some(2), Some(2)).unwrap();
        for row in [
            "unlink own/file",
            "rename own/file own/taken",
            "rename own/other moved",
            "rmdir own/vacant",
            "truncate own/file 1",
            "open own/file wt",
            "open own/file wtc",
            "open own/open rt",
            "truncate own/open 1",
        ] {
            let script = format!("{} {row}", stage.path("caller").display());
            for words in [vec![], vec![BINARY, "run", "--layers", "kernel", "--"]] {
                let mut words = words.into_iter().chain(lessens.split(' '));
                let mut command = stage.unguarded(words.next().unwrap());
                let ran = Ran::of(command.args(words).args(["-c", &script]));
                let denied = rustix::io::Errno::ACCESS.raw_os_error().to_string();
                assert_eq!(
                    (&ran.stdout[..], &ran.stderr[..]),
                    (&denied[..], ""),
                    "{lessens}: {row}"
                );
            }
        }
        for file in ["own/file", "own/other", "own/open"] {
            let content = stage.content(format!("home/project/{file}"));
            assert_eq!(content.as_deref(), Some("old"), "{lessens}");
        }
        assert!(own.join("vacant").exists());
    }
}

#[test]
fn no_race_is_opened_for_others_by_one_that_changes_who_it_is() {
    const ATTEMPTS: &str = "5000";
    let Some([capsh, setpriv]) = tools() else {
        return;
    };
    let (capsh, setpriv) = (capsh.display(), setpriv.display());
    for before in [
        format!("{setpriv} {AS_NOBODY} true; exec \"$@\""),
        format!("{capsh} --drop=cap_dac_override -- -c true; exec \"$@\""),
        format!("exec {setpriv} {AS_NOBODY} \"$@\""),
        format!("exec {setpriv} --bounding-set -net_raw \"$@\""),
    ] {
        let stage = open_stage();
        let race = compile("race", compiler(), &["-pthread"]);
        fs::copy(race, stage.path("race-program")).unwrap();
        for directory in ["race/in/.git", "race/in/real", "race/out"] {
            fs::create_dir_all(stage.path(directory)).unwrap();
        }
        symlink("../out", stage.path("race/in/turn")).unwrap();
        for name in 0..64 {
            stage.write(format!("race/out/f{name}"), "old");
            fs::create_dir(stage.path(format!("race/out/d{name}"))).unwrap();
        }
        for path in ["race", "race/in", "race/in/real", "race/in/turn"] {
            chown_link(&stage, path);
        }
        for name in 0..64 {
            chown_link(&stage, &format!("race/out/f{name}"));
        }
        chown_link(&stage, "race/out");
        let mut command = stage.guarded("/bin/sh");
        command
            .args(["-c", &before, "sh"])
            .current_dir(stage.path("race/in"));
        let ran = Ran::of(
            command
                .arg(stage.path("race-program"))
                .args(["..", ATTEMPTS]),
        );
        assert_eq!(ran.status, Some(0), "{before}: {ran:?}");
        for name in 0..64 {
            let file = stage.content(format!("race/out/f{name}"));
            assert_eq!(file.as_deref(), Some("old"), "{before}: f{name}");
            assert!(
                stage.exists(format!("race/out/d{name}")),
                "{before}: d{name}"
            );
        }
        assert!(!ran.stdout.contains("done 0,"), "{before}: {ran:?}");
        assert!(!ran.stdout.contains("refused 0,"), "{before}: {ran:?}");
    }
}

fn chown_link(stage: &Stage, path: &str) {
    std::os::unix::fs::lchown(stage.path(path), Some(NOBODY), Some(NOBODY)).unwrap();
}

#[test]
fn who_cannot_be_looked_into_does_nothing_and_that_is_logged() {
    let Some([capsh, _]) = tools() else {
        return;
    };
    const LOG: &str = "home/.local/state/blastradius";
    let unseen = compile("unseen", compiler(), &["-static"]);
    for how in ["user", "effective", "files", "wish"] {
        let stage = open_stage();
        fs::create_dir_all(stage.path(LOG)).unwrap();
        fs::copy(&unseen, stage.path("unseen")).unwrap();
        let remove = |right: &str| {
            let mut command = without(right, &capsh, &stage);
            Ran::of(command.arg(stage.path("unseen")).args([how, "inside"]))
        };
        let ran = remove("cap_sys_ptrace");
        assert_eq!(ran.stdout, "1", "{how}: {ran:?}");
        assert!(stage.exists("home/project/inside"), "{how}");
        let log = stage.content(format!("{LOG}/log")).unwrap();
        assert!(
            log.contains(r#""rule":"unresolvable-target""#),
            "{how}: {log}"
        );
        remove("cap_net_raw").is_ok();
        assert!(!stage.exists("home/project/inside"), "{how}");
    }
}
