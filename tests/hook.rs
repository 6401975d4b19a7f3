//! The hook: what each input comes to.

mod house;

use house::{House, Outcome, feed, json};
use serde_json::{Value, json as value};

fn is_refused_for_claude(outcome: &Outcome) {
    assert_eq!(outcome.status, Some(2), "{outcome:?}");
    let answer: Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{error}: {outcome:?}"));
    let specific = &answer["hookSpecificOutput"];
    assert_eq!(specific["permissionDecision"], "deny", "{outcome:?}");
    assert!(
        !specific["permissionDecisionReason"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    assert!(
        outcome.stderr.starts_with("blastradius  BLOCKED\n"),
        "{outcome:?}"
    );
}

fn is_silent(outcome: &Outcome) {
    assert_eq!(
        (outcome.status, &*outcome.stdout, &*outcome.stderr),
        (Some(0), "", "")
    );
}

/// What Claude Code sends before it runs a command in the project.
fn bash(house: &House, command: &str) -> String {
    value!({
        "session_id": "1", "hook_event_name": "PreToolUse", "permission_mode": "default", "cwd": house.project(),
        "tool_name": "Bash", "tool_input": { "command": command, "description": "x" }
    })
    .to_string()
}

#[test]
fn refuses_in_json_in_words_and_by_status() {
    let house = House::new();
    let outcome = house.hook(bash(&house, "rm -rf /etc"));
    is_refused_for_claude(&outcome);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PreToolUse");
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"]
        .as_str()
        .unwrap();
    for part in ["/etc", "[floor-path]", "Instead: "] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
    for part in [
        "command   rm -rf /etc\n",
        "resolved  /etc\n",
        "rule      floor-path (cannot be overridden)\n",
    ] {
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
}

#[test]
fn says_nothing_of_what_is_allowed() {
    let house = House::new();
    for command in [
        "ls -la",
        "rm -rf build",
        "git status",
        "echo 'rm -rf /'",
        "",
        "   ",
        "# rm -rf /",
    ] {
        is_silent(&house.hook(bash(&house, command)));
    }
}

#[test]
fn refuses_input_that_is_not_one_proper_json_object() {
    let house = House::new();
    let flood = format!(
        "{{\"tool_input\":{{\"command\":\"ls\",\"x\":\"{}\"}}}}",
        "x".repeat(4 << 20)
    );
    let deep = "[".repeat(100_000);
    let deep_inside =
        format!("{{\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"ls\",\"x\":{deep}");
    let closed = format!("{}{}", deep, "]".repeat(100_000));
    for (name, input) in [
        ("nothing", &b""[..]),
        ("white space", b" \n"),
        ("words", b"rm -rf /"),
        ("an array", b"[]"),
        ("null", b"null"),
        ("a string", b"\"rm -rf /\""),
        ("a number", b"1"),
        ("half an object", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\""),
        ("two objects", b"{\"tool_name\":\"Read\"}{\"tool_name\":\"Read\"}"),
        ("something behind", b"{\"tool_name\":\"Read\"} x"),
        ("the command twice", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\",\"command\":\"ls\"}}"),
        ("the input twice", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_input\":{\"command\":\"ls\"}}"),
        ("a key twice, once escaped", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\",\"comm\\u0061nd\":\"ls\"}}"),
        ("a byte that is no UTF-8", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\xff\"}}"),
        ("a lone surrogate", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\\ud800\"}}"),
        ("a NUL", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /etc\\u0000\"}}"),
        ("a tool input of null", b"{\"tool_name\":\"Bash\",\"tool_input\":null}"),
        ("a tool input of array", b"{\"tool_name\":\"Bash\",\"tool_input\":[\"rm\",\"-rf\",\"/\"]}"),
        ("no tool input", b"{\"tool_name\":\"Bash\"}"),
        ("a command of array", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":[\"rm\",\"-rf\",\"/\"]}}"),
        ("a command of number", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":1}}"),
        ("commands of numbers", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"commands\":[1]}}"),
        ("a command of null", b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":null}}"),
        ("a tool name of number", b"{\"tool_name\":1,\"tool_input\":{\"command\":\"ls\"}}"),
        ("an event of array", b"{\"hook_event_name\":[],\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}"),
        ("a flood", flood.as_bytes()),
        ("a deep array", deep.as_bytes()),
        ("a deep array that closes", closed.as_bytes()),
        ("a deep array inside", deep_inside.as_bytes()),
    ] {
        let outcome = house.hook(input);
        assert_eq!(outcome.status, Some(2), "{name}");
        is_refused_for_claude(&outcome);
    }
}

#[test]
fn judges_every_tool_that_takes_a_command() {
    let house = House::new();
    for tool in [
        "Bash",
        "bash",
        "Shell",
        "Monitor",
        "mcp__desktop__execute_command",
        "mcp__x__shell",
        "run_shell_command",
    ] {
        for key in ["command", "cmd", "script"] {
            let ask = |command: &str| {
                value!({ "tool_name": tool, "cwd": house.project(), "tool_input": { key: command } }).to_string()
            };
            is_refused_for_claude(&house.hook(ask("rm -rf /")));
            is_silent(&house.hook(ask("rm -rf build")));
        }
    }
    let several = |tool: &str, command: &str| {
        value!({ "tool_name": tool, "cwd": house.project(), "tool_input": { "commands": ["ls", command] } })
            .to_string()
    };
    is_refused_for_claude(&house.hook(several("mcp__x__run_commands", "rm -rf /")));
    is_silent(&house.hook(several("mcp__x__run_commands", "rm -rf build")));
    // Names of file tools, which a server may give to anything.
    for tool in ["mcp__tmux__create", "mcp__x__write"] {
        for other in [value!({}), value!({ "path": "a" })] {
            let ask = |command: &str| {
                let mut input = other.clone();
                input["command"] = command.into();
                value!({ "tool_name": tool, "cwd": house.project(), "tool_input": input })
                    .to_string()
            };
            is_refused_for_claude(&house.hook(ask("rm -rf /")));
            is_silent(&house.hook(ask("rm -rf build")));
        }
    }
    is_silent(&house.hook(several("Todo", "rm -rf /")));
    let nameless = |command: &str| value!({ "tool_input": { "command": command } }).to_string();
    is_refused_for_claude(&house.hook(nameless("rm -rf /")));
    is_silent(&house.hook(nameless("ls")));
}

#[test]
fn leaves_tools_without_a_command_alone() {
    let house = House::new();
    for input in [
        value!({ "tool_name": "Read", "tool_input": { "file_path": "/etc/passwd" } }),
        value!({ "tool_name": "Write", "tool_input": { "file_path": "x", "content": "rm -rf /" } }),
        value!({ "tool_name": "Read", "tool_input": null }),
        value!({ "tool_name": "browser_evaluate", "tool_input": { "script": "document.remove('/') && rm(" } }),
        value!({ "tool_name": "Bash", "tool_input": {} }),
        value!({ "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": { "command": "rm -rf /" } }),
        value!({}),
    ] {
        is_silent(&house.hook(input.to_string()));
    }
}

#[test]
fn answers_under_the_name_of_the_event() {
    let house = House::new();
    let input = value!({
        "hook_event_name": "PreSkillShellCommand", "tool_name": "Bash",
        "tool_input": { "command": "rm -rf /" }, "command_name": "x"
    });
    let outcome = house.hook(input.to_string());
    is_refused_for_claude(&outcome);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        answer["hookSpecificOutput"]["hookEventName"],
        "PreSkillShellCommand"
    );
}

#[test]
fn skips_a_byte_order_mark() {
    let house = House::new();
    is_silent(&house.hook(format!("\u{feff}{}", bash(&house, "ls"))));
    is_refused_for_claude(&house.hook(format!("\u{feff}{}", bash(&house, "rm -rf /"))));
}

#[test]
fn refuses_powershell_by_its_words() {
    let house = House::new();
    let ask = |command: &str| {
        value!({ "tool_name": "PowerShell", "tool_input": { "command": command } }).to_string()
    };
    let outcome = house.hook(ask("Remove-Item -Recurse -Force C:\\"));
    is_refused_for_claude(&outcome);
    assert!(
        outcome.stderr.contains("unparseable-command-powershell"),
        "{}",
        outcome.stderr
    );
    is_silent(&house.hook(ask("Get-ChildItem")));
}

#[test]
fn judges_where_the_agent_says_it_stands() {
    let house = House::new();
    let (home, project) = (house.home(), house.project());
    let ask = |cwd: &str, command: &str| {
        format!(r#"{{"tool_name":"Bash","cwd":{cwd},"tool_input":{{"command":"{command}"}}}}"#)
    };
    let (home_text, project_text) = (json(&home), json(&project));
    let in_home = |input: String| {
        let mut command = house.command(&["hook", "claude-code"]);
        command.current_dir(&home);
        feed(command, input.as_bytes())
    };
    is_refused_for_claude(&house.hook(ask(&home_text, "rm -rf notes")));
    is_silent(&in_home(ask(&project_text, "rm -rf build")));
    for nowhere in [
        json(&project.join("gone")),
        "\"\"".to_owned(),
        "\"proj\"".to_owned(),
        "null".to_owned(),
        "7".to_owned(),
    ] {
        is_refused_for_claude(&house.hook(ask(&nowhere, "rm -rf build")));
        is_refused_for_claude(&house.hook(ask(&nowhere, "rm -rf /etc")));
        is_silent(&house.hook(ask(&nowhere, "ls")));
    }
}

#[test]
fn survives_a_working_directory_that_is_gone() {
    let house = House::new();
    let gone = house.path("home/proj/gone");
    std::fs::create_dir(&gone).unwrap();
    let script = format!(
        "cd {} && rmdir {} && exec {} hook claude-code",
        gone.display(),
        gone.display(),
        env!("CARGO_BIN_EXE_blastradius")
    );
    for (cwd, command, refused) in [
        (json(&house.project()), "rm -rf build", false),
        (json(&house.project()), "rm -rf /etc", true),
        (json(&gone), "rm -rf x", true),
        (json(&gone), "ls", false),
    ] {
        std::fs::create_dir_all(&gone).unwrap();
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &script])
            .env("HOME", house.home())
            .env_remove("BLASTRADIUS_POLICY");
        let input =
            format!(r#"{{"tool_name":"Bash","cwd":{cwd},"tool_input":{{"command":"{command}"}}}}"#);
        let outcome = feed(shell, input.as_bytes());
        if refused {
            is_refused_for_claude(&outcome)
        } else {
            is_silent(&outcome)
        }
    }
}

#[test]
fn names_a_project_file_that_it_cannot_read() {
    let house = House::new();
    for (content, part) in [
        (&b"allow ./\xff/**\n"[..], "UTF-8"),
        (b"# ok\nalow ./build/**\n", "alow"),
    ] {
        house.write("home/proj/.blastradius", content);
        let outcome = house.hook(bash(&house, "rm -rf build"));
        is_refused_for_claude(&outcome);
        for part in [".blastradius:", part] {
            assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
        }
        is_silent(&house.hook(bash(&house, "ls")));
    }
}

#[test]
fn answers_cursor_in_its_own_words() {
    let house = House::new();
    let project = house.project();
    for input in [
        value!({ "hook_event_name": "beforeShellExecution", "command": "rm -rf /", "cwd": project, "cursor_version": "2.1" }),
        value!({ "hook_event_name": "beforeShellExecution", "command": "rm -rf /", "cwd": "" }),
        value!({ "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": { "command": "rm -rf /", "working_directory": project } }),
    ] {
        let outcome = house.hook(input.to_string());
        assert_eq!(outcome.status, Some(2), "{outcome:?}");
        let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(answer["permission"], "deny");
        assert!(
            answer["agent_message"]
                .as_str()
                .unwrap()
                .contains("floor-path")
        );
    }
    let allowed = value!({ "hook_event_name": "beforeShellExecution", "command": "rm -rf build", "cwd": project });
    let outcome = house.hook(allowed.to_string());
    assert_eq!(
        (outcome.status, &*outcome.stdout, &*outcome.stderr),
        (Some(0), "{}\n", "")
    );
}

#[test]
fn refuses_in_an_envelope_that_nobody_described() {
    let house = House::new();
    for input in [
        value!({ "command": "rm -rf /" }),
        value!({ "toolName": "bash", "toolArgs": "{\"command\":\"rm -rf /\"}" }),
        value!({ "toolCalls": [{ "name": "x", "args": { "command": "ls" } }, { "name": "bash", "args": { "command": "rm -rf /" } }] }),
    ] {
        let outcome = feed(house.command(&["hook"]), input.to_string().as_bytes());
        assert_eq!(
            (outcome.status, &*outcome.stdout),
            (Some(2), ""),
            "{outcome:?}"
        );
        assert!(outcome.stderr.contains("BLOCKED"));
    }
    is_silent(&feed(house.command(&["hook"]), b"{\"command\":\"ls\"}"));
}

#[test]
fn tells_the_agent_by_its_envelope() {
    let house = House::new();
    let outcome = feed(
        house.command(&["hook"]),
        bash(&house, "rm -rf /").as_bytes(),
    );
    is_refused_for_claude(&outcome);
}

#[test]
fn refuses_also_when_nobody_can_hear_it() {
    let house = House::new();
    for closing in [">&-", "2>&-", ">&- 2>&-", ">/dev/full 2>/dev/full"] {
        let script = format!(
            "{} hook claude-code {closing}",
            env!("CARGO_BIN_EXE_blastradius")
        );
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &script])
            .current_dir(house.project())
            .env("HOME", house.home());
        shell.env_remove("BLASTRADIUS_POLICY");
        assert_eq!(
            feed(shell, bash(&house, "rm -rf /").as_bytes()).status,
            Some(2),
            "{closing}"
        );
    }
}

#[test]
fn guards_look_at_the_file_tools_of_each_agent() {
    let house = House::new();
    let (project, lock) = (house.project(), house.project().join("yarn.lock"));
    house.write("home/proj/yarn.lock", "a\n");
    house.write("home/proj/.env", "A=1\n");
    let (env, patch) = (
        project.join(".env"),
        "*** Begin Patch\n*** Update File: yarn.lock\n@@\n-a\n+b\n*** End Patch",
    );
    for input in [
        value!({ "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": { "file_path": lock, "content": "b" } }),
        value!({ "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": { "file_path": lock, "old_string": "a", "new_string": "b" } }),
        value!({ "hook_event_name": "PreToolUse", "tool_name": "MultiEdit", "tool_input": { "file_path": lock, "edits": [{ "old_string": "a", "new_string": "b" }] } }),
        value!({ "hook_event_name": "PreToolUse", "tool_name": "NotebookEdit", "tool_input": { "notebook_path": lock, "new_source": "b" } }),
        value!({ "hook_event_name": "PreToolUse", "cwd": project, "tool_name": "Edit", "tool_input": { "file_path": "yarn.lock", "old_string": "a", "new_string": "b" } }),
        value!({ "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": { "file_path": env } }),
        value!({ "hook_event_name": "PreToolUse", "cwd": project, "turn_id": "1", "tool_name": "apply_patch", "tool_input": { "command": patch } }),
        value!({ "hook_event_name": "BeforeTool", "cwd": project, "tool_name": "replace", "tool_input": { "file_path": lock, "old_string": "a", "new_string": "b" } }),
        value!({ "hook_event_name": "BeforeTool", "cwd": project, "tool_name": "read_file", "tool_input": { "absolute_path": env } }),
        value!({ "hook_event_name": "preToolUse", "cursor_version": "2", "tool_name": "Write", "tool_input": { "file_path": lock, "content": "b" } }),
        value!({ "hook_event_name": "beforeReadFile", "cursor_version": "2", "file_path": env, "content": "A=1" }),
        value!({ "toolName": "create", "cwd": project, "toolArgs": value!({ "path": lock, "file_text": "b" }).to_string() }),
        value!({ "toolName": "view", "cwd": project, "toolArgs": { "path": env } }),
        value!({ "toolCalls": [{ "name": "view", "args": { "path": lock } }, { "name": "edit", "args": { "path": lock, "old_str": "a", "new_str": "b" } }] }),
        value!({ "tool": "edit", "cwd": project, "args": { "filePath": lock, "oldString": "a", "newString": "b" } }),
    ] {
        let outcome = feed(house.command(&["hook"]), input.to_string().as_bytes());
        assert_eq!(outcome.status, Some(2), "{input}: {outcome:?}");
        let named = [
            "lockfiles-are-generated-not-edited",
            "secret-files-stay-out-of-context",
        ];
        assert!(
            named.iter().any(|id| outcome.stderr.contains(id)),
            "{input}: {outcome:?}"
        );
    }
    // A tool that removes a file is judged as a command that does.
    let remove = |path: &str| {
        value!({ "hook_event_name": "preToolUse", "cursor_version": "2", "cwd": project, "tool_name": "Delete", "tool_input": { "path": path } })
            .to_string()
    };
    let outcome = feed(
        house.command(&["hook"]),
        remove("../notes/thesis.txt").as_bytes(),
    );
    assert!(outcome.stderr.contains("out-of-scope"), "{outcome:?}");
    assert_eq!(
        feed(house.command(&["hook"]), remove("my file").as_bytes()).status,
        Some(0)
    );
}

#[test]
fn logs_refusals_and_nothing_else() {
    let house = House::new();
    is_silent(&house.hook(bash(&house, "rm -rf build")));
    let log = house.path("home/.local/state/blastradius/log");
    assert!(!log.exists());
    is_refused_for_claude(&house.hook(bash(&house, "rm -rf /etc")));
    is_refused_for_claude(&house.hook(bash(&house, "rm -rf /usr")));
    let lines: Vec<Value> = std::fs::read_to_string(&log)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["verdict"], "refuse");
    assert_eq!(lines[0]["asked_by"], "claude-code");
    assert_eq!(lines[0]["command"], "rm -rf /etc");
    assert_eq!(lines[1]["actions"][0]["targets"][0]["resolved"], "/usr");
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&log).unwrap());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_log_that_takes_nothing_changes_no_verdict() {
    let house = House::new();
    let state = house.path("home/.local/state/blastradius");
    std::fs::create_dir_all(&state).unwrap();
    std::os::unix::fs::symlink("/dev/full", state.join("log")).unwrap();
    let outcome = house.hook(bash(&house, "rm -rf /etc"));
    assert_eq!(outcome.status, Some(2));
    assert!(
        outcome.stderr.contains("the refusal was not logged"),
        "{}",
        outcome.stderr
    );
    std::fs::remove_file(state.join("log")).unwrap();
    let fifo = std::process::Command::new("mkfifo")
        .arg(state.join("log"))
        .status()
        .unwrap();
    assert!(fifo.success());
    assert_eq!(house.hook(bash(&house, "rm -rf /etc")).status, Some(2));
}

#[test]
fn a_policy_in_the_environment_counts_only_beside_the_library() {
    let house = House::new();
    let inherited = house.run(&[
        "run",
        "--preset",
        "system-packages",
        "--",
        "sh",
        "-c",
        "printf %s \"$BLASTRADIUS_POLICY\"",
    ]);
    let lenient = inherited.stdout.replace(
        house.project().to_str().unwrap(),
        house.path("home").to_str().unwrap(),
    );
    assert_ne!(lenient, inherited.stdout);
    for policy in ["all is allowed", &lenient] {
        for (command, refused) in [("rm -rf build", false), ("rm -rf ../notes", true)] {
            let mut hook = house.command(&["hook", "claude-code"]);
            hook.env("BLASTRADIUS_POLICY", policy);
            let outcome = feed(hook, bash(&house, command).as_bytes());
            if refused {
                is_refused_for_claude(&outcome);
            } else {
                is_silent(&outcome);
            }
        }
    }
}
