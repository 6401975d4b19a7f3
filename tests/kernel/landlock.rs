//! Where no filter may be put on: Landlock stands around the system's directories, unless something breaks by it, and
//! what does not hold is said.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::fs::{Access, AtFlags, CWD, accessat};

use crate::layer::caller;
use crate::stage::{Ran, Stage, compile, compiler, which};

const BINARY: &str = env!("CARGO_BIN_EXE_blastradius");

/// What a sandbox may lack.
const NO_SECCOMP: &str = "seccomp";
/// As in a container: nothing can be mounted in it either.
const CONTAINER: &str = "seccomp,unshare";
/// Nothing.
const ALL: &str = ",";
const NO_LANDLOCK: &str = "seccomp,landlock,unshare";

const EACCES: &str = "13";

/// What takes system calls away.
pub(crate) fn forbid() -> &'static Path {
    static FORBID: OnceLock<PathBuf> = OnceLock::new();
    FORBID.get_or_init(|| compile("forbid", compiler(), &[]))
}

fn without(lacks: &str, words: &[&str]) -> Vec<String> {
    let first = [forbid().to_str().unwrap(), lacks];
    first
        .iter()
        .chain(words)
        .map(|word| (*word).into())
        .collect()
}

/// A root of its own, whose `/etc` is `outside`; None where none can be made.
fn container(stage: &Stage, lacks: &str, words: &[&str]) -> Option<Command> {
    let Some(bwrap) = which("bwrap") else {
        eprintln!("skipped: bwrap is not installed");
        return None;
    };
    let mut command = stage.unguarded(bwrap);
    let root = stage.path("");
    command.args([
        "--unshare-user",
        "--uid",
        "0",
        "--tmpfs",
        "/",
        "--dir",
        "/tmp",
        "--dir",
        "/app",
    ]);
    for folder in ["/bin", "/lib", "/lib32", "/lib64", "/sbin"] {
        match std::fs::read_link(folder) {
            Ok(target) => command.arg("--symlink").arg(target).arg(folder),
            Err(_) if Path::new(folder).is_dir() => command.args(["--ro-bind", folder, folder]),
            Err(_) => &mut command,
        };
    }
    command.args([
        "--ro-bind",
        "/usr",
        "/usr",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]);
    // Where the programs are that the tests are made of.
    for folder in [env!("CARGO_TARGET_TMPDIR"), BINARY] {
        command.args(["--ro-bind", folder, folder]);
    }
    command.arg("--bind").arg(&root).arg(&root);
    command.arg("--bind").arg(stage.path("outside")).arg("/etc");
    command.args(["--chdir", stage.project().to_str().unwrap()]);
    command.args(without(lacks, words));
    Some(command)
}

fn on_host(stage: &Stage, lacks: &str, words: &[&str]) -> Ran {
    let words = without(lacks, words);
    Ran::of(stage.unguarded(&words[0]).args(&words[1..]))
}

#[test]
fn a_static_program_removes_and_empties_nothing_of_the_system_s() {
    let script = format!(
        "for act in 'unlink /etc/file' 'rename /etc/file /etc/moved' 'rename /etc/file /tmp/moved' 'open /etc/file wt' \
         'truncate /etc/file 0' 'rmdir /etc/vacant' 'rename /etc/vacant /etc/moved' 'rmdir /app'; do {} $act; done",
        caller().display()
    );
    let stage = Stage::new();
    let words = [
        BINARY,
        BINARY,
        "run",
        "--layers",
        "libc,kernel",
        "--",
        "sh",
        "-c",
        &script,
    ];
    let Some(mut command) = container(&stage, CONTAINER, &words) else {
        return;
    };
    let ran = Ran::of(&mut command);
    let answers: Vec<&str> = ran.stdout.split_whitespace().collect();
    // To another directory it is another device.
    let expected = [EACCES, EACCES, "18", EACCES, EACCES, EACCES, EACCES, EACCES];
    assert_eq!(answers, expected, "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    assert!(stage.exists("outside/vacant"));
    assert!(
        ran.stderr.contains(
            "the kernel layer cannot be put on: seccomp is forbidden here; Landlock keeps /etc and /usr; elsewhere static programs and raw system calls are not seen"
        ),
        "{ran:?}"
    );
    // Without it they do.
    let mut command = container(&stage, NO_LANDLOCK, &words).unwrap();
    let ran = Ran::of(&mut command);
    assert!(ran.stdout.starts_with("ok"), "{ran:?}");
    assert!(!stage.exists("outside/file"));
    assert!(
        ran.stderr.contains(
            "seccomp is forbidden here; Landlock is not to be had either: static programs and raw system calls are not seen"
        ),
        "{ran:?}"
    );
}

/// Has a program ignore its children, and gives it room for so many descriptors if it is to have few.
const IGNORE: &str = "import os, resource, signal, sys\n\
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n\
    if sys.argv[1]: resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]),) * 2)\n\
    os.execv(sys.argv[2], sys.argv[2:])";

#[test]
fn whoever_ignores_children_gets_it_as_well() {
    let stage = Stage::new();
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let first = [python.to_str().unwrap(), "-c", IGNORE, ""];
    let run = [BINARY, "run", "--layers", "libc,kernel", "--"];
    let program = [caller().to_str().unwrap(), "unlink", "/etc/file"];
    let words = [&first[..], &run, &program].concat();
    let Some(mut command) = container(&stage, CONTAINER, &words) else {
        return;
    };
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, EACCES, "{ran:?}");
    assert!(ran.stderr.contains("Landlock keeps /etc"), "{ran:?}");
    assert!(stage.exists("outside/file"));
    // Where sandboxes start it is left out, and nothing else is said.
    let mut command = container(&stage, NO_SECCOMP, &words).unwrap();
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "ok", "{ran:?}");
    assert!(ran.stderr.contains("Landlock is left out"), "{ran:?}");
}

#[test]
fn what_it_cannot_see_passes_and_what_is_new_at_the_root_stays() {
    let script = format!(
        "{} open /etc/file w; mkdir /later && echo x > /later/x; rm /later/x 2> /dev/null || echo stays",
        caller().display()
    );
    let stage = Stage::new();
    let words = [
        BINARY,
        "run",
        "--layers",
        "libc,kernel",
        "--quiet",
        "--",
        "sh",
        "-c",
        &script,
    ];
    let Some(mut command) = container(&stage, CONTAINER, &words) else {
        return;
    };
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "ok\nstays", "{ran:?}");
    assert_eq!(stage.content("outside/file").as_deref(), Some("new"));
}

#[test]
fn what_the_policy_lets_a_program_change_is_not_kept() {
    let stage = Stage::new();
    let file = ["unlink", "/etc/file"];
    let preset = [BINARY, "run", "--preset", "system-packages", "--"];
    let program = caller().to_str().unwrap();
    for (config, first) in [
        ("", &preset[..]),
        ("state /etc/**\n", &[BINARY, "run", "--"]),
    ] {
        stage.write("outside/file", "old");
        std::fs::create_dir_all(stage.path("home/.config/blastradius")).unwrap();
        stage.write("home/.config/blastradius/config", config);
        let words = [first, &[program], &file].concat();
        let Some(mut command) = container(&stage, CONTAINER, &words) else {
            return;
        };
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout, "ok", "{ran:?}");
        assert!(!stage.exists("outside/file"));
    }
}

#[test]
fn it_is_left_out_where_it_breaks_something_or_keeps_nothing() {
    let stage = Stage::new();
    let ran = on_host(&stage, NO_SECCOMP, &[BINARY, "run", "--", "true"]);
    let changes_etc = accessat(CWD, "/etc", Access::WRITE_OK, AtFlags::EACCESS).is_ok();
    let why = match changes_etc {
        true => {
            "Landlock is left out, because sandboxes such as bwrap do not start below it (--require landlock puts it on all the same)"
        }
        false => "Landlock would keep nothing that this user can change",
    };
    let line = format!(
        "blastradius: the kernel layer cannot be put on: seccomp is forbidden here; {why}: static programs and raw system calls are not seen"
    );
    assert_eq!((ran.status, ran.stderr), (Some(0), line));
    if let (Some(bwrap), true) = (which("bwrap"), changes_etc) {
        let sandbox = [bwrap.to_str().unwrap(), "--bind", "/", "/", "true"];
        for (first, starts) in [
            (&[BINARY, "run", "--quiet", "--"][..], true),
            (&[BINARY, "run", "--layers", "libc,landlock", "--"], false),
        ] {
            let ran = on_host(&stage, NO_SECCOMP, &[first, &sandbox].concat());
            assert_eq!(ran.status == Some(0), starts, "{ran:?}");
        }
    }
}

#[test]
fn what_is_required_and_not_to_be_had_is_not_run_without() {
    let stage = Stage::new();
    for (lacks, required, said) in [
        (
            CONTAINER,
            "kernel",
            "the kernel layer cannot be put on: seccomp is forbidden here",
        ),
        (NO_LANDLOCK, "landlock", "Landlock is not to be had either"),
        (
            NO_LANDLOCK,
            "kernel",
            "the kernel layer cannot be put on: seccomp is forbidden here",
        ),
    ] {
        let ran = on_host(
            &stage,
            lacks,
            &[BINARY, "run", "--require", required, "--", "true"],
        );
        assert_eq!(ran.status, Some(125), "{lacks} {required}: {ran:?}");
        assert!(ran.stderr.contains(said), "{lacks} {required}: {ran:?}");
    }
    let ran = on_host(
        &stage,
        NO_SECCOMP,
        &[BINARY, "run", "--require", "landlock", "--", "true"],
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn doctor_says_what_it_would_keep_and_why_not() {
    let stage = Stage::new();
    let ran = on_host(&stage, NO_SECCOMP, &[BINARY, "doctor"]);
    let row = "\nlandlock  not used    a file in a throw-away tree could not be";
    assert!(ran.stdout.contains(row), "{ran:?}");
    let Some(mut command) = container(&stage, CONTAINER, &[BINARY, "doctor"]) else {
        return;
    };
    let ran = Ran::of(&mut command);
    for part in [
        "\nkernel    not here    cannot be put on: seccomp is forbidden",
        "\nlandlock  yes         a file in a throw-away tree could not be",
        "emptying in /etc and /usr\n",
        "goes on with Landlock in place of the kernel layer",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn doctor_is_unwell_where_a_layer_is_there_and_does_not_work() {
    let stage = Stage::new();
    let Some(python) = which("python3") else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    // Room for itself, and not for the descriptors of a call that is judged.
    let words = [
        python.to_str().unwrap(),
        "-c",
        IGNORE,
        "9",
        BINARY,
        "doctor",
    ];
    let Some(mut command) = container(&stage, ALL, &words) else {
        return;
    };
    let ran = Ran::of(&mut command);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in [
        "\nlibc      yes ",
        "\nkernel    NO          Too many open files",
        "\nlandlock  not used ",
        "see the rows with NO",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn without_the_kernel_layer_being_asked_for_nothing_is_put_on() {
    let stage = Stage::new();
    let words = [
        BINARY,
        "run",
        "--layers",
        "command,libc",
        "--",
        caller().to_str().unwrap(),
        "unlink",
        "/etc/file",
    ];
    let Some(mut command) = container(&stage, CONTAINER, &words) else {
        return;
    };
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "ok", "{ran:?}");
    assert!(!ran.stderr.contains("Landlock"), "{ran:?}");
}

/// What programs do outside of any project, and would leave half done if they could not remove what they have made.
const EVERYDAY: &str = r#"
    cd ~/project && git init -q work && cd work && echo a > a && git add . && git -c user.name=x -c user.email=x@x commit -qm one
    git config --global core.x 1 && git config --global core.x 2 && git config --global --unset core.x
    mkdir -p ~/other && git init -q ~/other && touch ~/other/a && git -C ~/other add a && git -C ~/other status --short
    HISTFILE=~/.bash_history bash --norc -ic 'history -s one; history -w; HISTFILESIZE=1; history -s two; history -a' 2> /dev/null
    mkdir -p ~/.ssh ~/.local/share/x && mktemp -d ~/.local/share/x/XXXX > made && rmdir "$(cat made)" && rm made
    (umask 77; echo host key > ~/.ssh/known_hosts.new && mv ~/.ssh/known_hosts.new ~/.ssh/known_hosts)
    mkdir d e && echo x > d/x && mv d/x e/ && ln e/x d/y && mv d ../moved && mv ../moved d && rm -r d e
    mkdir -p /app/build && cd /app/build && echo 1 > out.tmp && mv out.tmp out && echo 2 > out && rm out && cd / && rmdir /app/build
    echo x > /dev/shm/x && echo y > /dev/shm/x && rm /dev/shm/x && echo x > /tmp/x && mv /tmp/x ~/project/x
    python3 -c '
import os, pty, sqlite3
home = os.environ["HOME"]
for mode in "delete", "truncate", "wal":
    c = sqlite3.connect(home + "/.local/share/x/db")
    c.execute("pragma journal_mode=" + mode)
    c.execute("create table if not exists t (x)")
    c.execute("insert into t values (1)")
    c.commit()
    c.execute("vacuum")
    c.close()
    os.unlink(home + "/.local/share/x/db")
with open(home + "/.config-of-mine", "w") as f:
    f.truncate(100)
os.close(pty.openpty()[1])
'
    cd / && find ~ /app /tmp /dev/shm -not -path '*/.git/*' -not -path '*/.cache*' | sort
"#;

#[test]
fn everyday_work_is_what_it_is_without() {
    if let Some(missing) = ["git", "bash", "python3"]
        .iter()
        .find(|name| which(name).is_none())
    {
        eprintln!("skipped: {missing} is not installed");
        return;
    }
    let bare = Stage::new();
    let Some(mut command) = container(&bare, CONTAINER, &["/bin/sh", "-c", EVERYDAY]) else {
        return;
    };
    let expected = Ran::of(&mut command);
    assert_eq!(expected.status, Some(0), "{expected:?}");
    let stage = Stage::new();
    let words = [
        BINARY,
        "run",
        "--layers",
        "libc,landlock",
        "--",
        "sh",
        "-c",
        EVERYDAY,
    ];
    let ran = Ran::of(&mut container(&stage, CONTAINER, &words).unwrap());
    let steady = |stage: &Stage, text: &str| text.replace(stage.path("").to_str().unwrap(), "S/");
    assert_eq!(
        (
            ran.status,
            steady(&stage, &ran.stdout),
            steady(&stage, &ran.stderr)
        ),
        (
            expected.status,
            steady(&bare, &expected.stdout),
            steady(&bare, &expected.stderr)
        )
    );
}

/// In a project of its own, and with a home of its own.
const BUILDS: [(&str, &str); 2] = [
    (
        "cargo",
        r#"mkdir src && printf '[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml &&
        printf 'fn main() { println!("hello"); }\n#[test]\nfn one() {}\n' > src/main.rs &&
        cargo build --offline -q && ./target/debug/tiny && echo >> src/main.rs && cargo build --offline -q &&
        cargo test --offline -q > tested && cargo clean -q && ls -A && ls -A ~"#,
    ),
    (
        "npm",
        r#"mkdir dep && printf '{"name":"dep","version":"1.0.0"}' > dep/package.json && echo 'module.exports = 1' > dep/index.js &&
        (cd dep && npm pack --silent) && mv dep/dep-1.0.0.tgz . &&
        printf '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:./dep-1.0.0.tgz"}}' > package.json &&
        npm install --offline --silent --no-audit --no-fund && npm ci --offline --silent --no-audit --no-fund &&
        node -p 'require("dep")' && npm uninstall --offline --silent --no-audit --no-fund dep && ls -A && ls -A ~"#,
    ),
];

#[test]
fn builds_are_what_they_are_without() {
    // The cargo that runs this test, not a shim that asks a home for its toolchain.
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| env!("CARGO").to_owned());
    let folder = Path::new(&cargo)
        .parent()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    for (tool, script) in BUILDS {
        if tool == "npm" && (which("npm").is_none() || which("node").is_none()) {
            eprintln!("skipped: npm is not installed");
            continue;
        }
        let built = |words: &[&str]| {
            let stage = Stage::new();
            let work = stage.project().join("work");
            std::fs::create_dir(&work).unwrap();
            std::fs::create_dir_all(stage.path("home/.cache/blastradius")).unwrap();
            let mut command = stage.unguarded(words[0]);
            command
                .args(&words[1..])
                .args(["sh", "-c", script])
                .current_dir(work)
                .env("PATH", format!("{folder}:/usr/local/bin:/usr/bin:/bin"))
                .env("npm_config_update_notifier", "false");
            let ran = Ran::of(&mut command);
            (ran.status, ran.stdout, ran.stderr)
        };
        let expected = built(&["/usr/bin/env"]);
        assert_eq!(expected.0, Some(0), "{tool} without: {expected:?}");
        assert_eq!(
            built(&[BINARY, "run", "--layers", "libc,landlock", "--"]),
            expected
        );
    }
}
