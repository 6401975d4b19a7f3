//! The command line: words, statuses, panels.

mod house;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use house::{House, Outcome};
use serde_json::Value;

/// What should become of a command line.
#[derive(Clone, Copy)]
enum Should {
    /// The program ran: these are its words, one a line.
    Run(&'static str),
    /// Refused under this rule.
    Refuse(&'static str),
    /// This status, this in what is printed.
    End(i32, &'static str),
}

use Should::{End, Refuse, Run};

/// A program on PATH that prints its own name and words and does nothing.
fn puppet(house: &House, names: &[&str]) {
    for name in names {
        let path = house.path("bin").join(name);
        house.write(
            &format!("bin/{name}"),
            "#!/bin/sh\nprintf '%s\\n' \"${0##*/}\" \"$@\"\n",
        );
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Runs with puppets in the place of real programs: nothing here may remove anything.
fn run(house: &House, words: &[&str]) -> Outcome {
    puppet(house, &["rm", "git", "grep", "echo", "npm", "true"]);
    let mut command = house.command(words);
    command.env("PATH", house.path("bin"));
    command.output().unwrap().into()
}

#[test]
fn wraps_words_as_they_are() {
    let house = House::new();
    let home = house.home();
    let home = home.to_str().unwrap();
    for (words, should) in [
        (&["--", "true"][..], Run("true\n")),
        (&["true"], Run("true\n")),
        (
            &["run", "true", "-x", "--quiet", "--", "-c", "y"],
            Run("true\n-x\n--quiet\n--\n-c\ny\n"),
        ),
        (&["--quiet", "true", "--strict"], Run("true\n--strict\n")),
        (
            &["--", "nonexistent-cmd"],
            End(127, "nonexistent-cmd: not found"),
        ),
        (&["--", ""], End(127, "not found")),
        (&[], End(0, "Usage: blastradius [run]")),
        (&["-x"], End(2, "unexpected argument '-x'")),
        (
            &["--no-such", "true"],
            End(2, "unexpected argument '--no-such'"),
        ),
        (&["--"], End(2, "nothing to run")),
        (&["run"], End(2, "nothing to run")),
        (
            &["run", "-c", "true", "--", "true"],
            End(2, "cannot be used with"),
        ),
        (&["--help"], End(0, "Usage: blastradius [run]")),
        (&["--version"], End(0, "blastradius 0.")),
        (&["--", "rm", "-rf", "/session-"], Refuse("floor-path")),
        (
            &["--", "rm -rf \"$AGENT_TMP/session-$SID\""],
            Refuse("empty-variable-expansion"),
        ),
        (&[""], End(127, "'': not found")),
        (&["rm -rf build"], End(127, "rm -rf build: not found")),
        (
            &["--", "rm", "-rf", "it's", home, "it's"],
            Refuse("floor-path"),
        ),
        (&["--", "rm", "-rf", "\"", home, "\""], Refuse("floor-path")),
        (&["--", "rm", "-rf", "x\\", "/home"], Refuse("floor-path")),
        (&["--", "rm", "/tmp/a b/../../etc/x"], Refuse("system-path")),
        (&["--", "rm", "my dir/f"], Run("rm\nmy dir/f\n")),
        (&["--", "rm", "[ab].txt"], Run("rm\n[ab].txt\n")),
        (
            &["--", "git", "commit", "-m", "fix; y"],
            Run("git\ncommit\n-m\nfix; y\n"),
        ),
        (
            &["--", "grep", "-rn", "a|b", "src"],
            Run("grep\n-rn\na|b\nsrc\n"),
        ),
        (&["--", "echo", "$(x)"], Run("echo\n$(x)\n")),
        (
            &["--", "rm", "-rf", "line1\nline2"],
            Run("rm\n-rf\nline1\nline2\n"),
        ),
        (&["--", "git", "--version"], Run("git\n--version\n")),
        (&["--", "rm", "--help"], Run("rm\n--help\n")),
        (&["--", "rm", "-h", "build"], Run("rm\n-h\nbuild\n")),
        (
            &["--", "rm", "-rf", "--quiet", "build"],
            Run("rm\n-rf\n--quiet\nbuild\n"),
        ),
        (&["--", "npm", "ci", "--strict"], Run("npm\nci\n--strict\n")),
        (
            &["--", "cd", "/", "&&", "rm", "-rf", "etc"],
            Refuse("floor-path"),
        ),
        (
            &["--", "rm", "-rf", "/etc", home, "../notes"],
            Refuse("out-of-scope"),
        ),
    ] {
        let outcome = run(&house, words);
        match should {
            Run(output) => assert_eq!(
                (outcome.status, &*outcome.stdout),
                (Some(0), output),
                "{words:?}: {outcome:?}"
            ),
            End(status, part) => {
                assert_eq!(outcome.status, Some(status), "{words:?}: {outcome:?}");
                let printed = if status == 0 {
                    &outcome.stdout
                } else {
                    &outcome.stderr
                };
                assert!(printed.contains(part), "{words:?}: {outcome:?}");
            }
            Refuse(rule) => {
                assert_eq!(
                    (outcome.status, &*outcome.stdout),
                    (Some(77), ""),
                    "{words:?}: {outcome:?}"
                );
                assert!(
                    outcome.stderr.contains(&format!("rule      {rule} (")),
                    "{words:?}: {outcome:?}"
                );
            }
        }
    }
}

#[test]
fn a_missing_command_is_one_line() {
    let house = House::new();
    for words in [&["--"][..], &["run", "--"], &["check"], &["explain", "--"]] {
        let outcome = house.run(words);
        assert_eq!(
            (outcome.status, outcome.stderr.lines().count()),
            (Some(2), 1),
            "{outcome:?}"
        );
    }
}

#[test]
fn the_panel_is_laid_out_as_users_know_it() {
    let house = House::new();
    let outcome = house.run(&["check", "--", "rm", "-rf", "/session-"]);
    assert_eq!(outcome.status, Some(77));
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(lines[0], "blastradius  BLOCKED");
    assert_eq!(lines[1], "");
    assert_eq!(lines[2], "  command   rm -rf /session-");
    assert_eq!(lines[3], "  resolved  /session-");
    assert_eq!(lines[4], "");
    assert!(lines[5].starts_with("  reason    "), "{}", outcome.stderr);
    assert!(
        outcome
            .stderr
            .contains("\n\n  rule      floor-path (cannot be overridden)\n  instead   "),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome
            .stderr
            .ends_with("\n\n  If this is intentional, run it yourself outside the agent.\n"),
        "{}",
        outcome.stderr
    );
    assert!(!outcome.stderr.contains('\x1b'));
}

#[test]
fn the_panel_counts_what_it_does_not_show() {
    let house = House::new();
    let mut words = vec!["check".to_owned(), "--".to_owned(), "rm".to_owned()];
    words.extend((0..13).map(|number| format!("/usr/{number}")));
    let outcome = house.run(&words);
    assert_eq!(
        outcome.stderr.matches("resolved  ").count(),
        10,
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.contains("\n  and 3 more refused\n"),
        "{}",
        outcome.stderr
    );
    words.insert(1, "--quiet".to_owned());
    let outcome = house.run(&words);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("/usr/0") && outcome.stderr.contains("(and 12 more)"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_usage_error_is_ours_and_escaped() {
    let house = House::new();
    for words in [
        &["check", "--\x1b[2J", "--", "ls"][..],
        &["completions", "\x1b[2J\u{202e}"],
        &["run", "--preset", "\x1b[2J"],
        &["hook", "\x1b[2J"],
    ] {
        let outcome = house.run(words);
        assert_eq!(outcome.status, Some(2), "{outcome:?}");
        assert!(outcome.stderr.starts_with("blastradius: "), "{outcome:?}");
        assert!(outcome.stderr.contains("\\x1b[2J"), "{outcome:?}");
        assert!(
            !outcome.stderr.contains(['\x1b', '\u{202e}']),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_reader_that_leaves_early_is_told_nothing() {
    let house = House::new();
    for words in ["policy", "man", "--help"] {
        let script = format!(
            "{{ sleep 0.1; exec {} {words}; }} | true",
            env!("CARGO_BIN_EXE_blastradius")
        );
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &script])
            .current_dir(house.project())
            .env("HOME", house.home());
        let outcome: Outcome = shell.output().unwrap().into();
        assert_eq!(outcome.stderr, "", "{words}: {outcome:?}");
    }
}

#[test]
fn names_are_escaped_before_a_terminal_sees_them() {
    let house = House::new();
    for (name, shown) in [
        (&b"/usr/\x1b[2Jx"[..], "/usr/\\x1b[2Jx"),
        ("/usr/\u{202e}gpj".as_bytes(), "/usr/\\u{202e}gpj"),
        (b"/usr/caf\xe9", "/usr/caf\\xe9"),
        (b"/usr/a\n  rule      none", "/usr/a\\n  rule      none"),
    ] {
        let words = [
            "check".as_ref(),
            "--".as_ref(),
            "rm".as_ref(),
            OsStr::from_bytes(name),
        ];
        let outcome = house.run(&words);
        assert!(
            outcome.stderr.contains(&format!("resolved  {shown}\n")),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn json_says_what_the_panel_says() {
    let house = House::new();
    let outcome = house.run(&[
        "check",
        "--json",
        "-c",
        "rm -rf \"$AGENT_TMP/session-$SID\" && rm -rf build",
    ]);
    assert_eq!((outcome.status, &*outcome.stderr), (Some(77), ""));
    assert_eq!(outcome.stdout.lines().count(), 1);
    let object: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "verdict",
            "policy",
            "layer",
            "command",
            "cwd",
            "project",
            "actions",
            "notes",
            "elapsed_us"
        ]
    );
    assert_eq!(object["verdict"], "refuse");
    assert_eq!(object["layer"], "command");
    assert_eq!(object["cwd"], house.project().to_str().unwrap());
    assert_eq!(object["project"], house.project().to_str().unwrap());
    let action = &object["actions"][0];
    assert_eq!(action["program"], "rm");
    assert_eq!(action["operation"], "remove-recursive");
    let target = &action["targets"][0];
    assert_eq!(target["spelled"], "\"$AGENT_TMP/session-$SID\"");
    assert_eq!(target["resolved"], "/session-");
    assert_eq!(target["verdict"], "refuse");
    assert_eq!(target["rule"], "empty-variable-expansion");
    assert_eq!(target["overridable"], false);
    assert_eq!(
        target["evidence"]["unset"],
        serde_json::json!(["AGENT_TMP", "SID"])
    );
    assert_eq!(object["actions"][1]["targets"][0]["verdict"], "allow");

    let outcome = house.run(&["check", "--json", "--", "ls"]);
    let object: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        (outcome.status, &object["verdict"]),
        (Some(0), &Value::from("allow"))
    );
}

#[test]
fn json_keeps_bytes_that_are_no_text() {
    let house = House::new();
    let words = [
        "check".as_ref(),
        "--json".as_ref(),
        "--".as_ref(),
        "rm".as_ref(),
        OsStr::from_bytes(b"/usr/caf\xe9"),
    ];
    let object: Value = serde_json::from_str(&house.run(&words).stdout).unwrap();
    assert_eq!(
        object["actions"][0]["targets"][0]["resolved"],
        "/usr/caf\\xe9"
    );
}

#[test]
fn check_runs_nothing_and_logs_nothing() {
    let house = House::new();
    assert_eq!(
        house.run(&["check", "--", "rm", "-rf", "build"]).status,
        Some(0)
    );
    assert!(house.path("home/proj/build/a.o").exists());
    assert_eq!(house.run(&["check", "-c", "rm -rf /etc"]).status, Some(77));
    assert!(!house.path("home/.local").exists());
    assert!(!house.path("home/.cache/blastradius").exists());
}

#[test]
fn check_judges_in_another_directory() {
    let house = House::new();
    assert_eq!(
        house
            .run(&["check", "--cwd", "..", "-c", "rm -rf notes"])
            .status,
        Some(77)
    );
    assert_eq!(
        house
            .run(&["check", "--cwd", "build", "-c", "rm -rf ../build"])
            .status,
        Some(0)
    );
    let outcome = house.run(&["check", "--cwd", "nowhere", "-c", "ls"]);
    assert_eq!(outcome.status, Some(125));
    assert!(outcome.stderr.contains("nowhere: "), "{}", outcome.stderr);
}

#[test]
fn explain_shows_targets_and_verdicts() {
    let house = House::new();
    let outcome = house.run(&["explain", "-c", "rm -rf build; rm -f ../notes/thesis.txt"]);
    assert_eq!(outcome.status, Some(77));
    for part in [
        "remove-recursive of build -> ",
        "allowed\n",
        "/home/notes/thesis.txt",
        "out-of-scope",
        "verdict  refuse",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
    let outcome = house.run(&["explain", "-c", "D=build; cd . && rm -rf $D"]);
    assert_eq!(outcome.status, Some(0));
    for part in [
        "runs     cd .\n         rm -rf build\n",
        "since    D is from the assignment at column 1\n",
        "loses    ",
        "rules    not floor-path, not guard-file,",
        "         allow ",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
    let outcome = house.run(&["explain", "-c", "ls"]);
    assert_eq!(outcome.status, Some(0));
    assert!(
        outcome.stdout.contains("verdict  allow"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_layer_that_nobody_knows_is_an_error() {
    let house = House::new();
    assert_eq!(house.run(&["--layers", "moon", "true"]).status, Some(2));
}

#[test]
fn the_program_s_own_status_comes_through() {
    let house = House::new();
    assert_eq!(house.run(&["-c", "exit 7"]).status, Some(7));
    assert_eq!(house.run(&["--", "sh", "-c", "exit 77"]).status, Some(77));
    house.write("home/proj/plain", "text");
    assert_eq!(house.run(&["./plain"]).status, Some(126));
    assert_eq!(house.run(&["./build"]).status, Some(126));
    assert_eq!(house.run(&["./nothing"]).status, Some(127));
}

#[test]
fn run_passes_policy_and_library_on() {
    let house = House::new();
    let outcome = house.run(&[
        "--",
        "sh",
        "-c",
        "echo \"$LD_PRELOAD\"; echo \"${BLASTRADIUS_POLICY:+set}\"",
    ]);
    let expected = house.path("home/.cache/blastradius");
    let mut lines = outcome.stdout.lines();
    let library = lines.next().unwrap();
    assert!(
        library.starts_with(expected.to_str().unwrap()),
        "{outcome:?}"
    );
    assert_eq!(lines.next(), Some("set"));
    let found = std::fs::metadata(library).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o555);

    let mut command = house.command(&["--", "sh", "-c", "echo \"$LD_PRELOAD\""]);
    command.env("LD_PRELOAD", library).output().unwrap();
    let again: Outcome = command.output().unwrap().into();
    assert_eq!(again.stdout.trim(), library);
}

#[test]
fn the_library_goes_where_it_can() {
    let house = House::new();
    let library =
        |command: &mut std::process::Command| -> Outcome { command.output().unwrap().into() };

    let first = house.run(&["library"]);
    assert_eq!(first.status, Some(0), "{first:?}");
    let path = std::path::PathBuf::from(first.stdout.trim_end());
    assert!(
        path.starts_with(house.path("home/.cache/blastradius")),
        "{first:?}"
    );
    let content = std::fs::read(&path).unwrap();

    // Damage is mended.
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "something else").unwrap();
    assert_eq!(house.run(&["library"]).stdout, first.stdout);
    assert_eq!(std::fs::read(&path).unwrap(), content);

    // A path that the loader would split is passed over.
    for bad in ["home/a:b", "home/a b"] {
        let mut command = house.command(&["library"]);
        let outcome = library(
            command
                .env("XDG_CACHE_HOME", house.path(bad))
                .env("XDG_RUNTIME_DIR", house.path("run")),
        );
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert!(
            outcome
                .stdout
                .starts_with(house.path("run").to_str().unwrap()),
            "{outcome:?}"
        );
    }

    let copied = house.run(&[
        "library".as_ref(),
        "--copy".as_ref(),
        house.path("image").as_os_str(),
    ]);
    assert_eq!(copied.status, Some(0), "{copied:?}");
    assert_eq!(std::fs::read(copied.stdout.trim_end()).unwrap(), content);
}

#[test]
fn a_library_folder_that_others_can_write_to_is_passed_over() {
    let house = House::new();
    let open = house.path("home/.cache/blastradius");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = house.command(&["library"]);
    let outcome: Outcome = command
        .env("XDG_RUNTIME_DIR", house.path("run"))
        .output()
        .unwrap()
        .into();
    assert!(
        outcome
            .stdout
            .starts_with(house.path("run").to_str().unwrap()),
        "{outcome:?}"
    );
}

#[test]
fn a_guarded_session_keeps_its_policy() {
    let house = House::new();
    let binary = env!("CARGO_BIN_EXE_blastradius");
    let inner = |words: &str| {
        house.run(&[
            "--",
            "sh",
            "-c",
            &format!("cd ../notes && {binary} {words}"),
        ])
    };
    let id = |outcome: &Outcome| -> Value {
        serde_json::from_str::<Value>(&outcome.stdout)
            .unwrap_or_else(|error| panic!("{error}: {outcome:?}"))["policy"]
            .clone()
    };
    let outer = house.run(&["check", "--json", "--", "ls"]);
    assert_eq!(id(&inner("check --json -- ls")), id(&outer));
    for words in [
        "--trust-project true",
        "--preset system-packages true",
        "trust",
        "uninstall --claude-code --global",
    ] {
        let outcome = inner(words);
        assert!(
            matches!(outcome.status, Some(77 | 125)),
            "{words}: {outcome:?}"
        );
    }
}

#[test]
fn policy_says_where_lines_come_from() {
    let house = House::new();
    house.write(
        "home/proj/.blastradius",
        "allow ./build/**\ndeny ./secrets/**\nallow ../notes/**\n",
    );
    house.write("home/.config/blastradius/config", "allow ~/scratch/**\n");
    let outcome = house.run(&["policy"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    for (part, origin) in [
        ("/proj/build/**", "project file"),
        ("/scratch/**", "user file"),
        ("/secrets/**", "project or user file"),
        ("/notes/**", "blastradius trust"),
    ] {
        let found = outcome
            .stdout
            .lines()
            .any(|line| line.contains(part) && line.contains(origin));
        assert!(found, "{part}: {}", outcome.stdout);
    }
}

#[test]
fn policy_says_what_each_preset_holds_and_why() {
    let house = House::new();
    house.write(
        "home/.config/blastradius/config",
        "preset tools off\npreset system-packages\n",
    );
    let outcome = house.run(&["policy", "--presets"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    let has = |words: [&str; 3]| {
        outcome.stdout.lines().any(|line| {
            line.starts_with(words[0]) && line.contains(words[1]) && line.contains(words[2])
        })
    };
    for words in [
        ["preset", "caches", "on"],
        ["preset", "tools", "off"],
        ["preset", "system-packages", "on"],
        ["state", "~/.cache/**", "made again"],
        ["replace", "~/.gitconfig ", "git config"],
        ["rewrite", "~/.npmrc ", "npm config"],
        ["reinstall", "~/.local/bin/** ", "any link"],
        ["state", "/etc/**", "apt-get"],
    ] {
        assert!(has(words), "{words:?}: {}", outcome.stdout);
    }
}

#[test]
fn trust_needs_a_terminal() {
    let house = House::new();
    assert_eq!(house.run(&["trust"]).status, Some(0));
    house.write("home/proj/.blastradius", "allow ../notes/**\n");
    let outcome = house.run(&["trust"]);
    assert_eq!(outcome.status, Some(125), "{outcome:?}");
    assert!(
        outcome.stderr.contains("/notes/**") && outcome.stderr.contains("terminal"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn the_log_is_printed_as_it_is_where_json_is_asked_for() {
    let house = House::new();
    let empty = house.run(&["log"]);
    assert_eq!((empty.status, &*empty.stdout), (Some(0), ""));
    run(&house, &["--", "rm", "-rf", "/etc"]);
    let outcome = house.run(&["log", "--json"]);
    let line: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(line["asked_by"], "run");
    assert_eq!(line["command"], "rm -rf /etc");
}

#[test]
fn completions_and_manual_are_there() {
    let house = House::new();
    assert!(
        house
            .run(&["completions", "bash"])
            .stdout
            .contains("blastradius")
    );
    assert!(house.run(&["man"]).stdout.contains(".TH blastradius"));
}

#[test]
fn a_closed_stdout_is_no_success() {
    let house = House::new();
    for words in ["check --json -c ls", "policy", "library"] {
        let script = format!("{} {words} >/dev/full", env!("CARGO_BIN_EXE_blastradius"));
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &script])
            .current_dir(house.project())
            .env("HOME", house.home());
        let outcome: Outcome = shell.output().unwrap().into();
        assert_eq!(outcome.status, Some(125), "{words}: {outcome:?}");
    }
}

#[test]
fn doctor_tries_what_it_says() {
    let house = House::new();
    let outcome = house.run(&["doctor"]);
    for part in [
        "\ncommand   yes ",
        "\nlibc      yes ",
        "\nkernel    yes ",
        "\nlandlock  not used ",
        "ok  project",
        "\nWhat `blastradius run` starts is judged before it runs, and at each call that it makes.\n",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
    assert_eq!(outcome.status, Some(0), "{}", outcome.stdout);

    house.write("home/proj/.blastradius", "alow x\n");
    let outcome = house.run(&["doctor"]);
    assert_eq!(outcome.status, Some(1));
    assert!(outcome.stdout.contains("NO  policy"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains(".blastradius:1: "),
        "{}",
        outcome.stdout
    );

    let mut command = house.command(&["doctor"]);
    let outcome: Outcome = command.env_remove("HOME").output().unwrap().into();
    assert_eq!(outcome.status, Some(1));
    assert!(
        outcome.stdout.contains("HOME is not set"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_program_that_is_not_seen_is_told_of_by_run_and_doctor() {
    let house = House::new();
    let cc = std::process::Command::new("cc")
        .args(["-static", "-x", "c", "-", "-o"])
        .arg(house.project().join("tool"))
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn();
    let compiled = cc.and_then(|mut cc| {
        std::io::Write::write_all(
            &mut cc.stdin.take().unwrap(),
            b"int main(void) { return 5; }",
        )?;
        cc.wait()
    });
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("nothing can be linked statically here");
        return;
    }
    let outcome = house.run(&["doctor"]);
    assert!(!outcome.stdout.contains("blind spots"), "{outcome:?}");
    let path = house.project().join("tool");
    let line = format!(
        "blastradius: {} is a static program: what it does is not seen\n",
        path.display()
    );
    for (words, said) in [
        (vec!["./tool"], line.as_str()),
        (vec!["--quiet", "./tool"], ""),
        // Below `run`, the log alone is told.
        (vec!["sh", "-c", "./tool"], ""),
        (vec!["sh", "-c", "exec env -i ./tool; exit 1"], ""),
    ] {
        let words = [vec!["run", "--layers", "command,libc"], words].concat();
        let outcome = house.run(&words);
        assert_eq!(outcome.status, Some(5), "{words:?}: {outcome:?}");
        assert_eq!(outcome.stderr, said, "{words:?}");
    }
    // One layer is not there to see, the other sees all.
    for layers in ["command", "command,libc,kernel"] {
        let outcome = house.run(&["run", "--layers", layers, "./tool"]);
        assert_eq!((outcome.status, &outcome.stderr[..]), (Some(5), ""));
    }
    let log = house.run(&["log", "--json"]).stdout;
    let entries = log.lines().filter(|line| line.contains("unseen"));
    // One of each session with the library.
    assert_eq!(entries.count(), 4, "{log}");
    let outcome = house.run(&["doctor"]);
    let expected = format!("started, and not seen into: {} (static)", path.display());
    assert!(outcome.stdout.contains(&expected), "{outcome:?}");
}
