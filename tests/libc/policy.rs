use crate::stage::{LIBRARY, Ran, Stage, caller};

/// What the first process of a session pins, as a child sees it.
fn pinned(stage: &Stage) -> String {
    let ran = stage.sh("exec env");
    ran.stdout
        .lines()
        .find_map(|line| line.strip_prefix("BLASTRADIUS_POLICY="))
        .unwrap_or_else(|| panic!("no policy: {ran:?}"))
        .to_owned()
}

#[test]
fn an_altered_policy_refuses_everything_destructive() {
    let stage = Stage::new();
    let text = pinned(&stage);
    let cut = &text[..text.len() - 1];
    let long = "x".repeat(60_000);
    let altered = text.replacen("/**", "/../**", 1);
    for policy in ["", "nonsense", cut, &long, &altered] {
        for row in [
            "unlink inside",
            "rename inside x",
            "open inside wt",
            "truncate inside 0",
            "rmdir directory",
        ] {
            let mut command = stage.guarded(caller());
            command
                .env("BLASTRADIUS_POLICY", policy)
                .args(stage.words(row));
            Ran::of(&mut command).is_refused("policy-in-doubt");
        }
        let mut command = stage.guarded(caller());
        command
            .env("BLASTRADIUS_POLICY", policy)
            .args(stage.words("open inside wa"));
        Ran::of(&mut command).is_ok();
    }
    // Children are not told anything else.
    let mut command = stage.guarded("/bin/sh");
    command
        .env("BLASTRADIUS_POLICY", "nonsense")
        .args(["-c", "env -u BLASTRADIUS_POLICY unlink inside"]);
    assert_eq!(Ran::of(&mut command).refusals().len(), 1);
    assert!(stage.exists("home/project/inside"));
}

#[test]
fn a_program_may_write_over_its_variables() {
    let stage = Stage::new();
    stage
        .call(&stage.words("scribble O/file"))
        .is_refused("out-of-scope");
    let mut child = stage.guarded("/bin/sh");
    child.args(["-c", &format!("{} scribble inside", caller().display())]);
    Ran::of(&mut child).is_ok();
}

#[test]
fn a_file_that_is_not_understood_is_named() {
    let stage = Stage::new();
    stage.write("home/project/.blastradius", "alow ./build/**\n");
    let ran = stage.call(&["unlink", "inside"]);
    ran.is_refused("policy-in-doubt");
    let file = stage.project().join(".blastradius");
    assert!(
        ran.stderr.contains(&format!("{}:1: ", file.display())),
        "{ran:?}"
    );
    assert!(stage.exists("home/project/inside"));
}

#[test]
fn the_project_file_is_heeded() {
    let stage = Stage::new();
    stage.write(
        "home/project/.blastradius",
        "deny ./inside\ndeny ./directory/keep/**\n",
    );
    std::fs::create_dir_all(stage.project().join("directory/keep")).unwrap();
    stage.call(&["unlink", "inside"]).is_refused("denied");
    stage
        .call(&["rename", "directory", "moved"])
        .is_refused("denied");
    stage.call(&["unlink", "to-file"]).is_ok();
    assert!(stage.exists("home/project/inside"));
}

#[test]
fn the_default_scope_holds_temporary_directories() {
    let stage = Stage::new();
    let file = std::env::temp_dir().join(format!("blastradius-{}", std::process::id()));
    std::fs::write(&file, "old").unwrap();
    stage.call(&["unlink".as_ref(), file.as_os_str()]).is_ok();
    assert!(!file.exists());
    let mut command = stage.guarded(caller());
    command
        .env("TMPDIR", stage.path("outside"))
        .args(stage.words("unlink O/file"));
    Ran::of(&mut command).is_ok();
}

#[test]
fn programs_keep_their_own_state() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("home/.cache/tool")).unwrap();
    stage.write("home/.cache/tool/entry", "old");
    stage.write("home/notes", "old");
    let entry = stage.path("home/.cache/tool/entry");
    stage.call(&["unlink".as_ref(), entry.as_os_str()]).is_ok();
    let notes = stage.path("home/notes");
    stage
        .call(&["unlink".as_ref(), notes.as_os_str()])
        .is_refused("out-of-scope");
}

#[test]
fn a_home_that_is_unset_or_strange_costs_no_protection() {
    let stage = Stage::new();
    for home in [None, Some(""), Some("relative"), Some("/nowhere/at/all")] {
        let mut command = stage.guarded(caller());
        command
            .env_remove("HOME")
            .args(stage.words("unlink O/file"));
        if let Some(home) = home {
            command.env("HOME", home);
        }
        Ran::of(&mut command).is_refused("out-of-scope");
    }
    assert!(stage.exists("outside/file"));
}

#[test]
fn a_working_directory_that_is_gone_leaves_no_project() {
    let stage = Stage::new();
    let script = format!(
        "mkdir -p $PWD/gone && cd gone && rmdir ../gone && \
         LD_PRELOAD={LIBRARY} exec unlink $O/file"
    );
    let mut command = stage.unguarded("/bin/sh");
    command
        .env("O", stage.path("outside"))
        .args(["-c", &script]);
    let ran = Ran::of(&mut command);
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
    assert!(stage.exists("outside/file"));
}
