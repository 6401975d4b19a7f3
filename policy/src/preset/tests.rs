use super::*;

fn found(path: &str, is_on: impl Fn(Preset) -> bool) -> Option<&'static str> {
    found_for(path, Act::Replace, None, is_on)
}

fn found_for(
    path: &str,
    act: Act,
    kind: Option<Kind>,
    is_on: impl Fn(Preset) -> bool,
) -> Option<&'static str> {
    let path = Canonical::new(path.as_bytes()).unwrap_or_else(|| panic!("not canonical: {path}"));
    let places = Places {
        homes: [
            Canonical::literal(b"/home/dev"),
            Canonical::literal(b"/root"),
        ]
        .into_iter(),
        runtime_dir: Some(Canonical::literal(b"/data/run")),
        uid: 1000,
    };
    let subject = Subject {
        path,
        act,
        by: crate::By::Program,
        kind,
    };
    find(&subject, places, is_on).map(|line| core::str::from_utf8(line).unwrap())
}

#[test]
fn programs_find_their_places() {
    let rows = [
        ("/home/dev/.cache", Some("~/.cache/**")),
        ("/home/dev/.cache/pip/x", Some("~/.cache/**")),
        ("/root/.cache/x", Some("~/.cache/**")),
        ("/home/dev/.cachet", None),
        ("/home/other/.cache/x", None),
        ("/home/dev/.cargo", None),
        ("/home/dev/.cargo/bin/x", Some("~/.cargo/bin/*")),
        ("/home/dev/.cargo/bin", None),
        ("/home/dev/.cargo/config.toml", None),
        ("/home/dev/.cargo/.package-cache", Some("~/.cargo/.*")),
        (
            "/home/dev/.cargo/registry/cache/x",
            Some("~/.cargo/registry/**"),
        ),
        ("/home/dev/.npm/_logs/x", Some("~/.npm/**")),
        ("/home/dev/.npmrc", Some("~/.npmrc")),
        ("/home/dev/go/pkg/mod/x", Some("~/go/pkg/**")),
        ("/home/dev/go/src/x", None),
        ("/home/dev/.bash_history", Some("~/.bash_history*")),
        ("/home/dev/.bash_history-123.tmp", Some("~/.bash_history*")),
        ("/home/dev/.bashrc", None),
        ("/home/dev/.gitconfig", Some("~/.gitconfig")),
        ("/home/dev/.gitconfig.lock", Some("~/.gitconfig.lock")),
        ("/home/dev/.gitconfig-work", None),
        ("/home/dev/.zsh_history.LOCK", Some("~/.zsh_history.LOCK")),
        (
            "/home/dev/.ssh/known_hosts.old",
            Some("~/.ssh/known_hosts.old"),
        ),
        ("/home/dev/.ssh/config", None),
        ("/home/dev/.gnupg/private-keys-v1.d/x.key", None),
        ("/home/dev/.gnupg/gpg.conf", None),
        (
            "/usr/local/share/.cache/yarn/v6/x",
            Some("/usr/local/share/.cache/yarn/**"),
        ),
        ("/home/dev/.ssh/id_rsa", None),
        ("/home/dev/.ssh", None),
        ("/home/dev/.claude.json", Some("~/.claude*")),
        ("/home/dev/.claude/projects/x.jsonl", Some("~/.claude*")),
        ("/home/dev/.codex/sessions/x", Some("~/.codex/**")),
        (
            "/home/dev/.config/opencode/x",
            Some("~/.config/opencode/**"),
        ),
        ("/home/dev/.config/other/x", None),
        ("/dev/shm/x", Some("/dev/shm/**")),
        ("/dev/x", None),
        ("/run/mount/utab", Some("/run/mount/**")),
        ("/run/lock/x", None),
        ("/data/run/bus", Some("$XDG_RUNTIME_DIR/**")),
        ("/run/user/1000/x", Some("/run/user/UID/**")),
        ("/run/user/1001/x", None),
        ("/run/user/01000/x", None),
        ("/run/user", None),
        ("/usr/bin/x", None),
        ("/home/dev", None),
        ("/", None),
    ];
    for (path, expected) in rows {
        assert_eq!(found(path, Preset::on_by_default), expected, "{path}");
    }
}

#[test]
fn each_line_lets_its_acts_happen_and_no_other() {
    const WRITTEN: &[(Act, Option<Kind>)] = &[
        (Act::Replace, None),
        (Act::Truncate, Some(Kind::File)),
        (Act::Overwrite, Some(Kind::File)),
    ];
    const MOVED: &[(Act, Option<Kind>)] = &[
        (Act::MoveAway, Some(Kind::File)),
        (Act::MoveAway, Some(Kind::Symlink)),
        (Act::Remove, Some(Kind::Symlink)),
    ];
    const LOST: &[(Act, Option<Kind>)] = &[
        (Act::MoveAway, None),
        (Act::MoveAway, Some(Kind::Directory)),
        (Act::Remove, None),
        (Act::Remove, Some(Kind::File)),
        (Act::Remove, Some(Kind::Directory)),
        (Act::RemoveTree, Some(Kind::Directory)),
        (Act::Sweep, Some(Kind::Directory)),
        (Act::Select, Some(Kind::Directory)),
    ];
    let rows = [
        ("/home/dev/.cache/x", [3, 3, 8]),
        ("/home/dev/.local/bin/x", [3, 3, 0]),
        ("/home/dev/.local/bin", [3, 3, 0]),
        ("/home/dev/.npmrc", [3, 0, 0]),
        ("/home/dev/.bash_history", [3, 0, 0]),
        ("/home/dev/.gitconfig", [1, 0, 0]),
        ("/home/dev/.git-credentials", [1, 0, 0]),
        ("/home/dev/.ssh/known_hosts", [1, 0, 0]),
        ("/home/dev/.local/state/nvim/shada/main.shada", [3, 3, 8]),
        ("/home/dev/.local/state/nvim/swap/%x.swp", [3, 0, 0]),
        ("/home/dev/.vim/swap/x.swp", [0, 0, 0]),
        ("/home/dev/.kube/config", [0, 0, 0]),
        ("/home/dev/.aws/credentials", [0, 0, 0]),
        ("/home/dev/notes", [0, 0, 0]),
    ];
    for (path, expected) in rows {
        let lets = |acts: &[(Act, Option<Kind>)]| {
            acts.iter()
                .filter(|(act, kind)| found_for(path, *act, *kind, Preset::on_by_default).is_some())
                .count()
        };
        assert_eq!([WRITTEN, MOVED, LOST].map(lets), expected, "{path}");
    }
}

#[test]
fn a_preset_is_turned_on_and_off() {
    assert_eq!(
        found("/home/dev/.cache/x", |preset| preset != Preset::Caches),
        None
    );
    assert_eq!(
        found("/home/dev/.claude/x", |preset| preset != Preset::Agents),
        None
    );
    assert_eq!(
        found("/usr/lib/x", |preset| preset == Preset::SystemPackages),
        Some("/usr/**")
    );
    assert_eq!(found("/var/lib/dpkg/x", |_| true), Some("/var/**"));
}

#[test]
fn presets_have_names_and_lines() {
    for preset in Preset::ALL {
        assert_eq!(Preset::from_name(preset.name().as_bytes()), Some(preset));
        assert!(preset.lines().count() > 0, "{}", preset.name());
    }
    assert_eq!(Preset::from_name(b"all"), None);
    for (at, preset) in Preset::ALL.into_iter().enumerate() {
        assert_eq!(preset as usize, at);
    }
}

#[test]
fn every_line_has_a_reason_of_its_own() {
    let mut patterns = std::collections::HashSet::new();
    let mut reasons = std::collections::HashSet::new();
    for preset in Preset::ALL {
        for line in preset.lines() {
            let StateLine {
                pattern, reason, ..
            } = line;
            assert!(patterns.insert(pattern), "{pattern} stands there twice");
            assert!(
                reasons.insert(reason),
                "{pattern} has another line's reason"
            );
            // A program or what it keeps, and something said of it.
            assert!(
                reason.split_whitespace().count() >= 3,
                "{pattern}: {reason:?}"
            );
        }
    }
    assert_eq!(patterns.len(), LINES.count());
}

#[test]
fn every_line_is_a_sound_pattern() {
    assert_eq!(lines().count(), LINES.count());
    for line in lines() {
        for component in line
            .text
            .split(|&byte| byte == b'/')
            .filter(|component| !component.is_empty())
        {
            assert_eq!(
                glob::check(component),
                Ok(()),
                "{}",
                line.text.escape_ascii()
            );
        }
    }
}
