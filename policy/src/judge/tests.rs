use std::string::{String, ToString};

use super::*;
use crate::Preset;
use crate::discover::tests::{Session, parsed};

fn path(text: &str) -> Canonical<'_> {
    Canonical::new(text.as_bytes()).unwrap_or_else(|| panic!("not canonical: {text}"))
}

/// The verdict in a word: the id of the rule, or what allows it.
fn verdict(policy: &Policy<'_>, by: By, act: Act, kind: Option<Kind>, text: &str) -> String {
    match policy.judge(&Subject {
        path: path(text),
        act,
        by,
        kind,
    }) {
        Judgement::Allow(Ground::Harmless) => "harmless".into(),
        Judgement::Allow(Ground::Entry(entry)) => match entry.kind {
            EntryKind::AllowDefault => "default".into(),
            EntryKind::AllowProject | EntryKind::AllowUser => "line".into(),
            EntryKind::StateRepository => "repository".into(),
            EntryKind::StateProject | EntryKind::StateUser | EntryKind::StatePreset => {
                "state".into()
            }
            other => panic!("{text} allowed by {other:?}"),
        },
        Judgement::Refuse { rule, .. } => rule.id().to_string(),
    }
}

/// Judges rows of an act, a path and a verdict, on the word of a command and without knowing the kind.
fn walk(session: &Session, by: By, rows: &[(Act, &str, &str)]) {
    let text = session.text();
    let policy = parsed(&text);
    for &(act, path, expected) in rows {
        assert_eq!(
            verdict(&policy, by, act, None, path),
            expected,
            "{} {path} by {by:?}",
            act.name()
        );
    }
}

use Act::{Append, MoveAway, Overwrite, Remove, RemoveTree, Replace, Select, Sweep, Truncate};
use By::{Command, Program};

/// Acts that the floor refuses on a path that is on it.
const DESTROYING: [Act; 6] = [Remove, RemoveTree, MoveAway, Replace, Truncate, Overwrite];

fn project() -> Session {
    Session::at("/home/dev/p", &[("/home/dev/p/.git/HEAD", "file")])
}

/// Everything that could be allowed, allowed by the user.
fn wide() -> Session {
    project().and_user_file("allow /**\nstate /**")
}

#[test]
fn the_floor_stands_under_every_line() {
    let places = [
        "/",
        "/home",
        "/home/dev",
        "/home/other",
        "/root",
        "/Users",
        "/Users/dev",
        "/etc",
        "/usr",
        "/usr/bin",
        "/usr/local",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/var",
        "/var/lib",
        "/var/log",
        "/var/cache",
        "/var/spool",
        "/var/tmp",
        "/opt",
        "/boot",
        "/dev",
        "/proc",
        "/sys",
        "/run",
        "/tmp",
        "/System",
        "/Library",
        "/Applications",
        "/private",
        "/private/tmp",
        "/private/etc",
        "/private/var",
        "/Volumes/x",
        "/session-",
    ];
    for session in [project(), wide()] {
        let text = session.text();
        let policy = parsed(&text);
        for place in places {
            for by in [Command, Program] {
                for act in DESTROYING.into_iter().chain([Sweep]) {
                    let found = verdict(&policy, by, act, None, place);
                    assert_eq!(found, "floor-path", "{} {place} by {by:?}", act.name());
                }
                assert_eq!(
                    verdict(&policy, by, Append, None, place),
                    "harmless",
                    "append {place}"
                );
            }
        }
    }
}

#[test]
fn what_is_above_a_home_or_the_project_is_on_the_floor() {
    let session = Session::at(
        "/srv/work/team/p",
        &[("/srv/work/team/p/.git/HEAD", "file")],
    )
    .homes(&["/data/people/ann", "/mnt/h/ann"])
    .and_user_file("allow /**");
    let text = session.text();
    let policy = parsed(&text);
    for place in [
        "/srv/work",
        "/srv/work/team",
        "/data/people",
        "/data/people/ann",
        "/mnt/h",
        "/mnt/h/ann",
    ] {
        for act in DESTROYING {
            assert_eq!(
                verdict(&policy, Command, act, None, place),
                "floor-path",
                "{} {place}",
                act.name()
            );
        }
    }
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/srv/work/other", "out-of-scope"),
            (RemoveTree, "/srv/work/team/p", "project-root"),
            (RemoveTree, "/srv/work/team/p/src", "default"),
        ],
    );
}

#[test]
fn a_home_named_by_a_variable_does_not_replace_the_real_one() {
    // $HOME and $TMPDIR set so that together they would open the real home.
    let session = project()
        .homes(&["/tmp/x", "/home/dev"])
        .tmpdir("/home/dev");
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/home/dev", "floor-path"),
            (RemoveTree, "/home/dev/Documents", "out-of-scope"),
            (RemoveTree, "/tmp/x", "floor-path"),
            (RemoveTree, "/tmp/y", "default"),
        ],
    );
    let session = project().homes(&["/home/dev/notrepo"]);
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/home/dev", "floor-path"),
            (RemoveTree, "/home/dev/notrepo", "floor-path"),
        ],
    );
}

#[test]
fn the_default_scope_is_the_project_and_tmp() {
    walk(
        &project(),
        Command,
        &[
            (RemoveTree, "/home/dev/p/build", "default"),
            (Remove, "/home/dev/p/README.md", "default"),
            (Remove, "/home/dev/p/a\nb", "default"),
            (Truncate, "/home/dev/p/app.log", "default"),
            (MoveAway, "/home/dev/p/src", "default"),
            (Replace, "/home/dev/p/src/main.c", "default"),
            (Overwrite, "/home/dev/p/db", "default"),
            (Sweep, "/home/dev/p", "default"),
            (Sweep, "/home/dev/p/build", "default"),
            (Select, "/home/dev/p", "default"),
            (RemoveTree, "/tmp/scratch", "default"),
            (Remove, "/tmp/scratch/a.txt", "default"),
            (Sweep, "/tmp/scratch", "default"),
            (RemoveTree, "/home/dev/pp", "out-of-scope"),
            (RemoveTree, "/home/dev/Documents", "out-of-scope"),
            (Remove, "/home/dev/.bashrc", "out-of-scope"),
            (Truncate, "/home/dev/.bashrc", "out-of-scope"),
            (Append, "/home/dev/.bashrc", "harmless"),
            (RemoveTree, "/home/other/Documents", "out-of-scope"),
            (RemoveTree, "/var/tmp/x", "out-of-scope"),
            (RemoveTree, "/opt/x", "out-of-scope"),
            (RemoveTree, "/home/dev/.cache/pip", "out-of-scope"),
            (RemoveTree, "/home/dev/.claude", "out-of-scope"),
            (RemoveTree, "/dev/shm/x", "system-path"),
            (Remove, "/etc/hosts", "system-path"),
            (Truncate, "/etc/passwd", "system-path"),
            (Append, "/etc/passwd", "harmless"),
            (RemoveTree, "/usr/lib/python3", "system-path"),
            (RemoveTree, "/var/lib/dpkg", "system-path"),
            (Sweep, "/home/dev/other", "out-of-scope"),
            (Sweep, "/home/dev", "floor-path"),
            (Sweep, "/tmp", "floor-path"),
        ],
    );
}

#[test]
fn a_session_at_home_has_no_project() {
    walk(
        &Session::at("/home/dev", &[("/home/dev/.git/HEAD", "file")]),
        Command,
        &[
            (RemoveTree, "/home/dev/p", "out-of-scope"),
            (RemoveTree, "/home/dev/Documents", "out-of-scope"),
            (Sweep, "/home/dev", "floor-path"),
            (RemoveTree, "/tmp/x", "default"),
        ],
    );
}

#[test]
fn a_session_in_a_temporary_directory_may_remove_it() {
    walk(
        &Session::at("/tmp/scratch", &[]),
        Command,
        &[
            (RemoveTree, "/tmp/scratch", "default"),
            (Sweep, "/tmp/scratch", "default"),
            (RemoveTree, "/tmp/other", "default"),
            (RemoveTree, "/tmp", "floor-path"),
        ],
    );
}

#[test]
fn a_directory_of_temporary_files_is_not_itself_one() {
    walk(
        &project().tmpdir("/home/dev/t"),
        Command,
        &[
            (RemoveTree, "/home/dev/t", "out-of-scope"),
            (Sweep, "/home/dev/t", "default"),
            (Select, "/home/dev/t", "default"),
            (RemoveTree, "/home/dev/t/x", "default"),
            (Remove, "/home/dev/t/x/y", "default"),
        ],
    );
}

#[test]
fn a_container_root_is_a_project_and_a_floor() {
    walk(
        &Session::at("/workspace", &[("/workspace/.git/HEAD", "file")]),
        Command,
        &[
            (RemoveTree, "/workspace", "floor-path"),
            (MoveAway, "/workspace", "floor-path"),
            (Sweep, "/workspace", "default"),
            (Select, "/workspace", "default"),
            (RemoveTree, "/workspace/build", "default"),
            (RemoveTree, "/workspace/.git", "vcs-metadata"),
            (RemoveTree, "/app", "floor-path"),
            (Sweep, "/app", "floor-path"),
        ],
    );
}

#[test]
fn what_a_test_selects_is_judged_by_what_lies_below() {
    walk(
        &project(),
        Command,
        &[
            (Select, "/tmp", "default"),
            (Select, "/tmp/x", "default"),
            (Select, "/home/dev/p/src", "default"),
            (Select, "/home/dev", "out-of-scope"),
            (Select, "/etc", "system-path"),
            (Select, "/opt", "out-of-scope"),
            (Select, "/", "floor-path"),
            (Select, "/home", "floor-path"),
            (Select, "/usr", "floor-path"),
            (Select, "/var", "floor-path"),
        ],
    );
    walk(
        &wide(),
        Command,
        &[
            (Select, "/", "floor-path"),
            (Select, "/home", "floor-path"),
            (Select, "/usr", "floor-path"),
            (Select, "/home/dev", "line"),
            (Select, "/opt", "line"),
        ],
    );
}

#[test]
fn a_project_that_tmp_holds_does_not_forbid_selecting_there() {
    let session = Session::at("/tmp/x/p", &[("/tmp/x/p/.git/HEAD", "file")]);
    walk(
        &session,
        Command,
        &[
            (Select, "/tmp", "default"),
            (RemoveTree, "/tmp/x", "floor-path"),
            (RemoveTree, "/tmp/x/p", "project-root"),
            (RemoveTree, "/tmp/y", "default"),
        ],
    );
}

#[test]
fn lines_make_the_scope() {
    let session = Session::with_project_file(
        "# scope\nallow /tmp/**\nallow ./build/**\nallow <repo>/dist\nallow ./out/*.o\nallow ./any/*\ndeny ./secrets/**\n",
    );
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/home/dev/p/build", "line"),
            (Remove, "/home/dev/p/build/a/b", "line"),
            (RemoveTree, "/home/dev/p/dist", "line"),
            (Remove, "/home/dev/p/dist/out.js", "line"),
            (Remove, "/home/dev/p/out/a.o", "line"),
            (Remove, "/home/dev/p/out/sub/z.o", "out-of-scope"),
            (RemoveTree, "/home/dev/p/out", "out-of-scope"),
            (RemoveTree, "/home/dev/p/any/sub", "line"),
            (Remove, "/home/dev/p/any/sub/x", "out-of-scope"),
            (Sweep, "/home/dev/p/any", "line"),
            (RemoveTree, "/home/dev/p/src", "out-of-scope"),
            (Remove, "/home/dev/p/src/a.c", "out-of-scope"),
            (Remove, "/home/dev/p/secrets/key.pem", "denied"),
            (Sweep, "/home/dev/p", "denied"),
            (Sweep, "/home/dev/p/src", "out-of-scope"),
            (Sweep, "/home/dev/p/build", "line"),
            (RemoveTree, "/tmp/x", "line"),
            (RemoveTree, "/tmp", "floor-path"),
            (RemoveTree, "/home/dev/p", "denied"),
        ],
    );
    // Where a directory may be removed, a program may remove what is in it.
    walk(
        &session,
        Program,
        &[
            (Remove, "/home/dev/p/any/sub/x", "line"),
            (Remove, "/home/dev/p/out/sub/z.o", "out-of-scope"),
        ],
    );
}

#[test]
fn a_sweep_of_the_root_needs_all_of_it_in_scope() {
    walk(
        &Session::with_project_file("allow ./build/**"),
        Command,
        &[(Sweep, "/home/dev/p", "out-of-scope")],
    );
    walk(
        &Session::with_project_file("allow ./**"),
        Command,
        &[(Sweep, "/home/dev/p", "line")],
    );
    walk(
        &Session::with_project_file("allow <repo>"),
        Command,
        &[(Sweep, "/home/dev/p", "line")],
    );
    walk(
        &Session::with_project_file("allow ./*.o"),
        Command,
        &[(Select, "/home/dev/p", "out-of-scope")],
    );
}

#[test]
fn untrusted_lines_do_not_count() {
    let session =
        Session::with_project_file("allow /**\nallow ./**\nstate ~/.t/**\ndeny ./secrets/**");
    let rows = &[
        (RemoveTree, "/etc", "floor-path"),
        (RemoveTree, "/home/dev/Documents", "out-of-scope"),
        (RemoveTree, "/home/dev/p/src", "line"),
        (Remove, "/home/dev/.t/x", "out-of-scope"),
    ];
    walk(&session, Program, rows);
    let text = session.text();
    let policy = parsed(&text);
    assert_eq!(
        policy.untrusted(path("/home/dev/Documents")),
        Some(b"/**".as_slice())
    );
    walk(
        &session.trusted(),
        Program,
        &[
            (RemoveTree, "/home/dev/Documents", "line"),
            (Remove, "/home/dev/.t/x", "line"),
            (Remove, "/etc/hosts", "system-path"),
            (RemoveTree, "/etc", "floor-path"),
        ],
    );
    assert_eq!(
        policy.untrusted(path("/home/dev/p")),
        Some(b"/**".as_slice())
    );
}

#[test]
fn below_system_directories_only_the_user_file_counts() {
    let file = "allow /etc/app/**\nstate /etc/state/**\nallow /opt/x/**";
    walk(
        &Session::with_project_file(file).trusted(),
        Program,
        &[
            (Remove, "/etc/app/x", "system-path"),
            (Remove, "/etc/state/x", "system-path"),
            (Remove, "/opt/x/y", "line"),
        ],
    );
    walk(
        &project().and_user_file(file),
        Program,
        &[
            (Remove, "/etc/app/x", "line"),
            (Remove, "/etc/state/x", "state"),
            (RemoveTree, "/etc", "floor-path"),
        ],
    );
    // A project that lies there is a project all the same.
    let session = Session::at(
        "/usr/src/app",
        &[(
            "/usr/src/app/.blastradius",
            "file allow ./build/**\nallow /usr/src/lib/**",
        )],
    );
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/usr/src/app/build", "line"),
            (RemoveTree, "/usr/src/app/src", "system-path"),
            (RemoveTree, "/usr/src/lib", "system-path"),
        ],
    );
}

#[test]
fn a_denial_wins_over_every_allow() {
    let session = Session::with_project_file(
        "allow ./**\ndeny ./secrets/**\ndeny ./keys/*.pem\ndeny ./one\ndeny ./deep/a/*/x\n",
    )
    .and_user_file("allow /**\ndeny ~/keep/**");
    for by in [Command, Program] {
        walk(
            &session,
            by,
            &[
                (Remove, "/home/dev/p/secrets/key.pem", "denied"),
                (RemoveTree, "/home/dev/p/secrets", "denied"),
                (Truncate, "/home/dev/p/secrets/key.pem", "denied"),
                (Append, "/home/dev/p/secrets/key.pem", "harmless"),
                (Remove, "/home/dev/p/keys/a.pem", "denied"),
                (Remove, "/home/dev/p/keys/a.txt", "line"),
                // A directory that matches is protected with what is in it.
                (Remove, "/home/dev/p/keys/d.pem/x", "denied"),
                (Remove, "/home/dev/p/one/x", "denied"),
                (Remove, "/home/dev/p/oneself", "line"),
                // Removing a parent removes what is denied.
                (RemoveTree, "/home/dev/p/deep", "denied"),
                (MoveAway, "/home/dev/p/deep", "denied"),
                (Replace, "/home/dev/p/deep", "denied"),
                (Remove, "/home/dev/p/deep", "line"),
                // Whether there is an x in a directory of it, the disk tells.
                (RemoveTree, "/home/dev/p/deep/a", "line"),
                (RemoveTree, "/home/dev/p/deep/b", "line"),
                (RemoveTree, "/home/dev/keep", "denied"),
                (RemoveTree, "/home/dev/p", "denied"),
                (Sweep, "/home/dev/p", "denied"),
                (Select, "/home/dev/p", "denied"),
                (RemoveTree, "/home/dev/p/src", "line"),
            ],
        );
    }
}

#[test]
fn denials_below_are_certain_or_for_the_disk_to_tell() {
    let text = Session::with_project_file("deny ./secrets/**\ndeny **/*.pem\ndeny ./t/*/**").text();
    let policy = parsed(&text);
    let pem = b"/home/dev/p/**/*.pem".as_slice();
    let rows: &[(&str, Below<'_>)] = &[
        ("/home/dev/p", Below::Certain(b"/home/dev/p/secrets/**")),
        ("/home/dev", Below::Certain(b"/home/dev/p/secrets/**")),
        ("/", Below::Certain(b"/home/dev/p/secrets/**")),
        ("/home/dev/p/src", Below::Possible(pem)),
        ("/home/dev/p/t", Below::Certain(b"/home/dev/p/t/*/**")),
        ("/home/dev/q", Below::No),
        ("/tmp/x", Below::No),
    ];
    for (text, expected) in rows {
        assert_eq!(policy.denies_below(path(text)), *expected, "{text}");
    }
    walk(
        &Session::with_project_file("deny **/*.pem"),
        Command,
        &[
            (RemoveTree, "/home/dev/p/src", "default"),
            (Remove, "/home/dev/p/src/k.pem", "denied"),
            (Remove, "/home/dev/p/k.pem", "denied"),
        ],
    );
}

#[test]
fn state_is_for_programs_alone() {
    let rows = [
        "/home/dev/.cache/pip/x",
        "/home/dev/.npm/_cacache/x",
        "/home/dev/.claude.json",
        "/home/dev/.claude/x",
        "/home/dev/.gitconfig.lock",
        "/home/dev/.ssh/known_hosts.old",
        "/dev/shm/x",
        "/run/user/1000/x",
        "/data/run/x",
        "/home/dev/.mytool/x",
    ];
    let session = project()
        .runtime_dir("/data/run")
        .and_user_file("state ~/.mytool/**");
    let text = session.text();
    let policy = parsed(&text);
    for place in rows {
        for act in DESTROYING {
            assert_eq!(
                verdict(&policy, Program, act, None, place),
                "state",
                "{} {place}",
                act.name()
            );
            let refused = verdict(&policy, Command, act, None, place);
            assert!(
                ["out-of-scope", "system-path"].contains(&refused.as_str()),
                "{} {place}: {refused}",
                act.name()
            );
        }
    }
    walk(
        &session,
        Program,
        &[
            (Replace, "/home/dev/.gitconfig", "state"),
            (Remove, "/home/dev/.gitconfig", "out-of-scope"),
            (Truncate, "/home/dev/.bash_history", "state"),
            (Remove, "/home/dev/.bash_history", "out-of-scope"),
            (Remove, "/home/dev/.bashrc", "out-of-scope"),
            (Replace, "/home/dev/.ssh/id_rsa", "out-of-scope"),
            (Remove, "/home/dev/.ssh/id_rsa", "out-of-scope"),
            (Remove, "/home/dev/Documents/x", "out-of-scope"),
            (Remove, "/run/user/1001/x", "out-of-scope"),
            (Remove, "/etc/hosts", "system-path"),
            (Remove, "/usr/lib/x", "system-path"),
        ],
    );
}

#[test]
fn a_denial_wins_over_state() {
    let session = project().and_user_file("deny ~/.cache/precious/**");
    walk(
        &session,
        Program,
        &[
            (Remove, "/home/dev/.cache/precious/x", "denied"),
            (Remove, "/home/dev/.cache/x", "state"),
            (MoveAway, "/home/dev/.cache", "guard-file"),
        ],
    );
}

#[test]
fn a_runtime_directory_that_is_a_home_is_no_state() {
    for variable in ["/home/dev", "/home", "/", "relative"] {
        walk(
            &project().runtime_dir(variable),
            Program,
            &[(Remove, "/home/dev/Documents/x", "out-of-scope")],
        );
    }
}

#[test]
fn presets_open_and_close_places() {
    let packages = project().preset(Preset::SystemPackages, true);
    walk(
        &packages,
        Program,
        &[
            (Remove, "/usr/lib/x", "state"),
            (Replace, "/var/lib/dpkg/status", "state"),
            (Replace, "/etc/ld.so.cache", "state"),
            (RemoveTree, "/usr/lib", "floor-path"),
            (Remove, "/boot/vmlinuz", "system-path"),
        ],
    );
    walk(
        &packages,
        Command,
        &[(RemoveTree, "/usr/lib/x", "system-path")],
    );
    walk(
        &project().preset(Preset::Agents, false),
        Program,
        &[(Remove, "/home/dev/.claude/x", "out-of-scope")],
    );
}

#[test]
fn the_project_root_and_its_history_stay() {
    let session = project();
    for by in [Command, Program] {
        walk(
            &session,
            by,
            &[
                (Remove, "/home/dev/p", "project-root"),
                (RemoveTree, "/home/dev/p", "project-root"),
                (MoveAway, "/home/dev/p", "project-root"),
                (Replace, "/home/dev/p", "project-root"),
                (Remove, "/home/dev/p/.git", "vcs-metadata"),
                (RemoveTree, "/home/dev/p/.git", "vcs-metadata"),
                (MoveAway, "/home/dev/p/.git", "vcs-metadata"),
                (Replace, "/home/dev/p/.git", "vcs-metadata"),
                (Truncate, "/home/dev/p/.git", "vcs-metadata"),
                (Overwrite, "/home/dev/p/.git", "vcs-metadata"),
                (Sweep, "/home/dev/p/.git", "vcs-metadata"),
                (RemoveTree, "/home/dev/p/.gitignore", "default"),
                (RemoveTree, "/home/dev/p/sub/.git", "default"),
                (Remove, "/home/dev/p/.git/index.lock", "default"),
                (Remove, "/home/dev/p/.git/index", "default"),
                (Select, "/home/dev/p/.git", "default"),
            ],
        );
    }
}

#[test]
fn a_command_may_not_take_what_a_repository_needs() {
    let session = project();
    walk(
        &session,
        Command,
        &[
            (Remove, "/home/dev/p/.git/HEAD", "vcs-metadata"),
            (Truncate, "/home/dev/p/.git/HEAD", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/objects", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/objects/pack", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/objects/ab", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/refs", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/refs/heads", "vcs-metadata"),
            (Sweep, "/home/dev/p/.git/objects", "vcs-metadata"),
            (Remove, "/home/dev/p/.git/packed-refs", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/logs", "vcs-metadata"),
            (Remove, "/home/dev/p/.git/config", "vcs-metadata"),
            (Replace, "/home/dev/p/.git/config", "default"),
            (Truncate, "/home/dev/p/.git/config", "default"),
            (
                Remove,
                "/home/dev/p/.git/objects/pack/tmp_pack_1",
                "default",
            ),
            (RemoveTree, "/home/dev/p/.git/refs/original", "default"),
            (Remove, "/home/dev/p/.git/refs/heads/old.lock", "default"),
            (Remove, "/home/dev/p/.git/hooks/pre-commit", "default"),
            (RemoveTree, "/home/dev/p/.git/rebase-merge", "default"),
        ],
    );
    walk(
        &session,
        Program,
        &[
            (Replace, "/home/dev/p/.git/HEAD", "default"),
            (Remove, "/home/dev/p/.git/objects/ab", "default"),
            (Replace, "/home/dev/p/.git/packed-refs", "default"),
            (Truncate, "/home/dev/p/.git/HEAD", "default"),
            (Remove, "/home/dev/p/.git/refs/heads/old", "default"),
            (MoveAway, "/home/dev/p/.git/logs/refs/heads/old", "default"),
            (Remove, "/home/dev/p/.git/HEAD", "vcs-metadata"),
            (Remove, "/home/dev/p/.git/config", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/objects", "vcs-metadata"),
            (MoveAway, "/home/dev/p/.git/refs", "vcs-metadata"),
        ],
    );
}

#[test]
fn git_works_whatever_the_scope_is() {
    let session = Session::with_project_file("allow ./build/**");
    walk(
        &session,
        Program,
        &[
            (Replace, "/home/dev/p/.git/index", "repository"),
            (Remove, "/home/dev/p/.git/objects/ab/cd", "repository"),
            (Remove, "/home/dev/p/.git", "vcs-metadata"),
            (Remove, "/home/dev/p/src/x", "out-of-scope"),
        ],
    );
    walk(
        &session,
        Command,
        &[(Remove, "/home/dev/p/.git/index", "out-of-scope")],
    );
}

#[test]
fn an_allow_that_spells_the_path_lifts_the_rule() {
    walk(
        &Session::with_project_file("allow <repo>"),
        Command,
        &[
            (RemoveTree, "/home/dev/p", "line"),
            (RemoveTree, "/home/dev/p/.git", "vcs-metadata"),
        ],
    );
    walk(
        &Session::with_project_file("allow .\nallow ./.git"),
        Command,
        &[
            (RemoveTree, "/home/dev/p/.git", "line"),
            (Remove, "/home/dev/p/.git/HEAD", "line"),
        ],
    );
    walk(
        &Session::with_project_file("allow ./**\nallow ./.git/objects"),
        Command,
        &[
            (RemoveTree, "/home/dev/p", "project-root"),
            (RemoveTree, "/home/dev/p/.git", "vcs-metadata"),
            (RemoveTree, "/home/dev/p/.git/objects", "line"),
        ],
    );
    walk(
        &project().and_user_file("allow ~/p"),
        Command,
        &[(RemoveTree, "/home/dev/p", "default")],
    );
    walk(
        &project().and_user_file("allow ~/*"),
        Command,
        &[(RemoveTree, "/home/dev/p", "project-root")],
    );
    walk(
        &project().and_user_file("allow ~/**"),
        Command,
        &[(RemoveTree, "/home/dev/p", "project-root")],
    );
}

#[test]
fn a_worktree_does_not_let_the_history_go() {
    let session = Session::at(
        "/home/dev/one",
        &[
            ("/home/dev/main/.git/HEAD", "file"),
            ("/home/dev/main/.git/objects", "dir"),
            (
                "/home/dev/main/.git/worktrees/one/gitdir",
                "file /home/dev/one/.git\n",
            ),
            (
                "/home/dev/main/.git/worktrees/one/commondir",
                "file ../..\n",
            ),
            ("/home/dev/main/.git/worktrees/one/HEAD", "file"),
            (
                "/home/dev/one/.git",
                "file gitdir: /home/dev/main/.git/worktrees/one\n",
            ),
            (
                "/home/dev/main/.git/worktrees/two/gitdir",
                "file /home/dev/two/.git\n",
            ),
            (
                "/home/dev/two/.git",
                "file gitdir: /home/dev/main/.git/worktrees/two\n",
            ),
        ],
    );
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/home/dev/one/build", "default"),
            (RemoveTree, "/home/dev/main/build", "default"),
            (RemoveTree, "/home/dev/two", "default"),
            (RemoveTree, "/home/dev/one", "project-root"),
            (Remove, "/home/dev/one/.git", "vcs-metadata"),
            (RemoveTree, "/home/dev/main/.git", "vcs-metadata"),
            (RemoveTree, "/home/dev/main/.git/objects", "vcs-metadata"),
            (RemoveTree, "/home/dev/main", "vcs-metadata"),
            (MoveAway, "/home/dev/main", "vcs-metadata"),
            (RemoveTree, "/home/dev/other", "out-of-scope"),
        ],
    );
}

#[test]
fn the_files_of_the_guard_are_left_alone() {
    let session = Session::with_project_file("allow ./**")
        .and_user_file("allow ~/**\nallow ~/.config/blastradius/config");
    let text = session.text();
    let policy = parsed(&text);
    let files = [
        "/home/dev/p/.blastradius",
        "/home/dev/.config/blastradius/config",
        "/home/dev/.local/state/blastradius/log",
        "/home/dev/.local/state/blastradius/trusted",
        "/home/dev/.cache/blastradius/lib.so",
    ];
    for file in files {
        for act in [
            Remove, RemoveTree, MoveAway, Replace, Truncate, Overwrite, Append,
        ] {
            for by in [Command, Program] {
                assert_eq!(
                    verdict(&policy, by, act, None, file),
                    "guard-file",
                    "{} {file}",
                    act.name()
                );
            }
        }
    }
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/home/dev/.config/blastradius", "guard-file"),
            (RemoveTree, "/home/dev/.config", "guard-file"),
            (MoveAway, "/home/dev/.local", "guard-file"),
            (Remove, "/home/dev/.config", "line"),
            (RemoveTree, "/home/dev/.config/other", "line"),
            // The root has a rule that a person can lift.
            (RemoveTree, "/home/dev/p", "project-root"),
            (Sweep, "/home/dev/p", "line"),
            (Remove, "/home/dev/p/sub/.blastradius", "line"),
        ],
    );
}

#[test]
fn a_device_is_no_file() {
    let text = wide().text();
    let policy = parsed(&text);
    for act in Act::ALL {
        let found = verdict(&policy, Command, act, Some(Kind::BlockDevice), "/dev/sda");
        assert_eq!(found, "floor-path", "{}", act.name());
        let found = verdict(&policy, Program, act, Some(Kind::BlockDevice), "/tmp/disk");
        assert_eq!(found, "floor-path", "{}", act.name());
    }
    for act in [Truncate, Overwrite, Append] {
        for kind in [Kind::Other, Kind::Directory] {
            assert_eq!(
                verdict(&policy, Command, act, Some(kind), "/dev/null"),
                "harmless",
                "{}",
                act.name()
            );
        }
    }
    let text = project().text();
    let policy = parsed(&text);
    assert_eq!(
        verdict(&policy, Command, Remove, Some(Kind::Other), "/dev/null"),
        "system-path"
    );
    assert_eq!(
        verdict(&policy, Command, Truncate, Some(Kind::File), "/etc/passwd"),
        "system-path"
    );
}

#[test]
fn in_doubt_nothing_destructive_passes() {
    let session = Session::with_project_file("oops");
    let text = session.text();
    let policy = parsed(&text);
    for by in [Command, Program] {
        for place in [
            "/home/dev/p/build",
            "/tmp/x",
            "/home/dev/.cache/x",
            "/",
            "/home/dev/p/.git",
        ] {
            for act in DESTROYING.into_iter().chain([Sweep, Select]) {
                let found = verdict(&policy, by, act, None, place);
                assert_eq!(found, "policy-in-doubt", "{} {place}", act.name());
            }
        }
        walk(
            &session,
            by,
            &[
                (Append, "/home/dev/p/log", "harmless"),
                (Append, "/home/dev/p/.blastradius", "guard-file"),
            ],
        );
    }
    assert_eq!(
        verdict(&policy, Command, Truncate, Some(Kind::Other), "/dev/null"),
        "harmless"
    );
}

#[test]
fn a_refusal_names_what_decided() {
    let session = Session::with_project_file("deny ./secrets/**");
    let text = session.text();
    let policy = parsed(&text);
    #[rustfmt::skip]
    let rows: &[(Act, &str, &str)] = &[
        (RemoveTree, "/etc", "/etc"),
        (RemoveTree, "/usr/bin", "/usr/*"),
        (RemoveTree, "/home/dev", "/home/*"),
        (RemoveTree, "/home/dev/p/secrets", "/home/dev/p/secrets/**"),
        (RemoveTree, "/home/dev/p/.git", "/home/dev/p/.git"),
        (Remove, "/home/dev/p/.blastradius", "/home/dev/p/.blastradius"),
        (Remove, "/etc/hosts", "/etc"),
        (Remove, "/home/dev/x", ""),
    ];
    for &(act, text, expected) in rows {
        let subject = Subject {
            path: path(text),
            act,
            by: Command,
            kind: None,
        };
        let Judgement::Refuse { by, .. } = policy.judge(&subject) else {
            panic!("{text} was allowed");
        };
        assert_eq!(by.escape_ascii().to_string(), expected, "{text}");
    }
}

#[test]
fn a_layout_of_macos_is_judged_as_its_own() {
    let session = Session::at(
        "/Users/dev/p",
        &[
            ("/Users/dev/p/.git/HEAD", "file"),
            ("/tmp", "link private/tmp"),
            ("/private/tmp/x", "dir"),
            ("/private/etc/hosts", "file"),
            ("/var", "link private/var"),
            ("/private/var/folders/ab/T/y", "dir"),
        ],
    )
    .homes(&["/Users/dev"])
    .tmpdir("/var/folders/ab/T");
    walk(
        &session,
        Command,
        &[
            (RemoveTree, "/tmp", "floor-path"),
            (RemoveTree, "/private/tmp", "floor-path"),
            (RemoveTree, "/private/tmp/x", "default"),
            (RemoveTree, "/private/var/folders/ab/T", "out-of-scope"),
            (RemoveTree, "/private/var/folders/ab/T/y", "default"),
            (RemoveTree, "/etc", "floor-path"),
            (RemoveTree, "/private/etc", "floor-path"),
            (Remove, "/private/etc/hosts", "system-path"),
            (RemoveTree, "/private/var", "floor-path"),
            (RemoveTree, "/Users/dev", "floor-path"),
            (RemoveTree, "/Library", "floor-path"),
            (Sweep, "/private/tmp", "floor-path"),
        ],
    );
}

/// Where a directory lets go, whatever lies in it may be removed one by one; and there are such directories.
#[test]
fn a_directory_that_lets_go_holds_nothing_that_is_refused() {
    let sessions = [
        project(),
        wide(),
        project().and_user_file("deny /home/dev/p/keep/**"),
        Session::with_project_file("allow ./build/**\nallow ./*.log\nallow /tmp/a/b/c/*"),
        Session::at("/tmp/a/b", &[("/tmp/a/b/.git/HEAD", "file")]),
        wide().homes(&["/home/dev", "/srv/x/y/z/dev"]),
    ];
    let directories = [
        "/",
        "/tmp",
        "/tmp/a",
        "/tmp/a/b",
        "/tmp/a/b/c",
        "/tmp/a/b/c/d",
        "/tmp/a/b/.git",
        "/home",
        "/home/dev",
        "/home/dev/p",
        "/home/dev/p/src",
        "/home/dev/p/src/deep",
        "/home/dev/p/keep",
        "/home/dev/p/build",
        "/home/dev/p/build/obj",
        "/home/dev/p/.git",
        "/home/dev/p/.git/refs",
        "/home/dev/.config",
        "/home/dev/.config/blastradius",
        "/home/dev/.local/state/blastradius",
        "/home/dev/x/y",
        "/var/lib/x/y",
        "/etc/a/b",
        "/private/var",
        "/srv/x/y/z",
        "/System/Volumes",
        "/usr/lib/x",
    ];
    let names = [
        "f",
        "a",
        "b",
        "c",
        "p",
        "dev",
        ".git",
        "HEAD",
        "heads",
        "config",
        "log",
        "trusted",
        ".blastradius",
        "keep",
        "keep/f",
        "build",
        "x.log",
        "root",
        "d/e",
    ];
    let mut letting_go = 0;
    for session in sessions {
        let text = session.text();
        let policy = parsed(&text);
        for directory in directories {
            if !policy.lets_go_below(path(directory)) {
                continue;
            }
            letting_go += 1;
            for name in names {
                let name = std::format!("{}/{name}", directory.trim_end_matches('/'));
                let judged = policy.judge(&Subject {
                    path: path(&name),
                    act: Remove,
                    by: Program,
                    kind: None,
                });
                assert!(matches!(judged, Judgement::Allow(_)), "{name}: {judged:?}");
            }
        }
    }
    assert!(letting_go >= 15, "only {letting_go}");
}
