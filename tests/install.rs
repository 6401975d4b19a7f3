//! `install` and `uninstall` on real files.

mod house;

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use house::{House, Outcome};
use serde_json::Value;

const GLOBAL: &str = "home/.claude/settings.json";
const BACKUP: &str = "home/.claude/settings.json.blastradius-backup";

fn install(house: &House) -> Outcome {
    house.run(&["install", "--claude-code", "--global"])
}

fn uninstall(house: &House) -> Outcome {
    house.run(&["uninstall", "--claude-code", "--global"])
}

fn works(outcome: &Outcome) {
    assert_eq!(
        (outcome.status, &*outcome.stdout),
        (Some(0), ""),
        "{outcome:?}"
    );
}

/// The handler in plain JSON settings.
fn handler(house: &House, file: &str) -> Value {
    let settings: Value = serde_json::from_str(&house.read(file)).unwrap();
    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    let group = groups.last().unwrap();
    assert_eq!(
        group["matcher"],
        "Bash|PowerShell|Monitor|Read|Write|Edit|MultiEdit|NotebookEdit|Grep"
    );
    group["hooks"][0].clone()
}

#[test]
fn makes_a_file_and_removes_it_again() {
    let house = House::new();
    works(&install(&house));
    let handler = handler(&house, GLOBAL);
    assert_eq!(handler["type"], "command");
    assert_eq!(handler["command"], env!("CARGO_BIN_EXE_blastradius"));
    assert_eq!(handler["args"], serde_json::json!(["hook", "claude-code"]));
    assert!(handler["timeout"].as_u64().unwrap() >= 30);
    assert!(!house.path(BACKUP).exists());
    works(&uninstall(&house));
    assert!(!house.path("home/.claude").exists());
}

#[test]
fn restores_every_byte() {
    for text in [
        "{}",
        "",
        "\n",
        "{\n}\n",
        "{\"model\":\"opus\"}",
        "{\r\n\t\"model\": \"opus\" // mine\r\n}\r\n",
        "\u{feff}{\n    \"model\": \"opus\",\n}\n",
        "// mine\n{ \"hooks\": { /* none */ } }\n",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]}\n    ],\n    \"Stop\": []\n  }\n}",
    ] {
        let house = House::new();
        house.write(GLOBAL, text);
        works(&install(&house));
        assert_ne!(house.read(GLOBAL), text);
        assert_eq!(
            house.read(GLOBAL).starts_with('\u{feff}'),
            text.starts_with('\u{feff}')
        );
        assert_eq!(house.read(BACKUP), text);
        works(&uninstall(&house));
        assert_eq!(house.read(GLOBAL), text);
        assert!(!house.path(BACKUP).exists());
    }
}

#[test]
fn a_second_run_changes_nothing_and_keeps_the_first_backup() {
    let house = House::new();
    house.write(GLOBAL, "{\"model\": \"opus\"}\n");
    works(&install(&house));
    let (once, inode) = (
        house.read(GLOBAL),
        std::fs::metadata(house.path(GLOBAL)).unwrap().ino(),
    );
    let again = install(&house);
    works(&again);
    assert!(
        again.stderr.contains("has the hook already"),
        "{}",
        again.stderr
    );
    assert_eq!(house.read(GLOBAL), once);
    assert_eq!(std::fs::metadata(house.path(GLOBAL)).unwrap().ino(), inode);
    house.write(
        GLOBAL,
        once.replace(env!("CARGO_BIN_EXE_blastradius"), "/gone/blastradius"),
    );
    works(&install(&house));
    assert_eq!(house.read(GLOBAL), once);
    assert_eq!(house.read(BACKUP), "{\"model\": \"opus\"}\n");
}

#[test]
fn takes_out_only_its_own_when_the_file_has_changed_since() {
    let house = House::new();
    house.write(GLOBAL, "{\n  \"model\": \"opus\"\n}\n");
    works(&install(&house));
    house.write(GLOBAL, house.read(GLOBAL).replace("opus", "sonnet"));
    works(&uninstall(&house));
    assert_eq!(house.read(GLOBAL), "{\n  \"model\": \"sonnet\"\n}\n");
    assert!(!house.path(BACKUP).exists());
    let again = uninstall(&house);
    works(&again);
    assert!(again.stderr.contains("no hook of ours"), "{}", again.stderr);
}

#[test]
fn keeps_mode_and_follows_links() {
    let house = House::new();
    house.write("home/dotfiles/claude.json", "{}\n");
    let real = house.path("home/dotfiles/claude.json");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::create_dir(house.path("home/.claude")).unwrap();
    symlink(&real, house.path(GLOBAL)).unwrap();
    works(&install(&house));
    assert!(house.path(GLOBAL).is_symlink());
    assert_eq!(std::fs::metadata(&real).unwrap().mode() & 0o7777, 0o640);
    assert!(
        house
            .read("home/dotfiles/claude.json")
            .contains("blastradius")
    );
    works(&uninstall(&house));
    assert_eq!(house.read("home/dotfiles/claude.json"), "{}\n");
}

#[test]
fn prints_the_lines_where_it_cannot_edit() {
    for (text, reason) in [
        (&b"{ not json"[..], "not valid JSON"),
        (b"{\"hooks\": []}", "\"hooks\" is not an object"),
        (b"{\"hooks\": {\"PreToolUse\": \"x\"}}", "is not an array"),
        (b"[]", "not a JSON object"),
        (b"{\"a\": \"\xff\"}", "not UTF-8"),
    ] {
        let house = House::new();
        house.write(GLOBAL, text);
        let outcome = install(&house);
        assert_eq!(outcome.status, Some(125), "{outcome:?}");
        assert!(
            outcome.stderr.contains(reason),
            "{reason}: {}",
            outcome.stderr
        );
        assert!(
            outcome.stderr.contains("settings.json was left as it is"),
            "{}",
            outcome.stderr
        );
        let lines: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(
            lines["hooks"]["PreToolUse"][0]["matcher"],
            "Bash|PowerShell|Monitor|Read|Write|Edit|MultiEdit|NotebookEdit|Grep"
        );
        assert_eq!(std::fs::read(house.path(GLOBAL)).unwrap(), text);
        assert!(!house.path(BACKUP).exists());
    }
}

#[test]
fn leaves_a_read_only_file_and_a_dangling_link_alone() {
    let house = House::new();
    house.write(GLOBAL, "{}");
    std::fs::set_permissions(house.path(GLOBAL), std::fs::Permissions::from_mode(0o444)).unwrap();
    let outcome = install(&house);
    assert_eq!(outcome.status, Some(125));
    assert!(outcome.stderr.contains("read-only"), "{}", outcome.stderr);
    std::fs::remove_file(house.path(GLOBAL)).unwrap();
    symlink("/nonexistent/settings.json", house.path(GLOBAL)).unwrap();
    let outcome = install(&house);
    assert_eq!(outcome.status, Some(125));
    assert!(
        outcome
            .stderr
            .contains("a link to a file that does not exist"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn goes_where_claude_code_looks() {
    let house = House::new();
    let mut command = house.command(&["install", "--claude-code", "--global"]);
    command.env("CLAUDE_CONFIG_DIR", house.path("home/elsewhere"));
    works(&command.output().unwrap().into());
    handler(&house, "home/elsewhere/settings.json");

    let mut below = house.command(&["install", "--claude-code"]);
    below.current_dir(house.path("home/proj/build"));
    works(&below.output().unwrap().into());
    handler(&house, "home/proj/.claude/settings.json");
}

#[test]
fn says_that_home_is_missing() {
    let house = House::new();
    for words in [
        ["install", "--claude-code", "--global"],
        ["uninstall", "--claude-code", "--global"],
    ] {
        let mut command = house.command(&words);
        command.env_remove("HOME");
        let outcome: Outcome = command.output().unwrap().into();
        assert_eq!(outcome.status, Some(125));
        assert!(
            outcome.stderr.contains("HOME is not set"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn warns_where_hooks_are_switched_off() {
    let house = House::new();
    house.write(GLOBAL, "{\"disableAllHooks\": true}");
    let outcome = install(&house);
    works(&outcome);
    assert!(
        outcome.stderr.contains("disableAllHooks"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn is_not_taken_out_from_inside() {
    let house = House::new();
    works(&install(&house));
    let mut command = house.command(&["uninstall", "--claude-code", "--global"]);
    command.env("BLASTRADIUS_POLICY", "anything");
    let outcome: Outcome = command.output().unwrap().into();
    assert_eq!(outcome.status, Some(77));
    handler(&house, GLOBAL);
}

#[test]
fn asks_which_agent() {
    let house = House::new();
    assert_eq!(house.run(&["install"]).status, Some(2));
    assert_eq!(
        house.run(&["install", "--claude-code", "extra"]).status,
        Some(2)
    );
}
