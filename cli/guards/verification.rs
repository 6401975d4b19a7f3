//! `verification-hooks-are-not-bypassed`: git told not to run the hooks that check.

use super::{Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Command, Subject};
use crate::git::{Invocation, Options, Silence};

pub(super) const GUARD: Guard = Guard {
    id: "verification-hooks-are-not-bypassed",
    title: "a git command that skips the hooks or the signature which it should pass",
    prevents: "a commit --no-verify past a failing type check: the release was built from it that night",
    tools: &[Tool::Shell],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::shell("git commit -o -n src/a.txt -m x"),
        Example::shell("git commit --no-verify -m x").saying("--no-verify"),
        Example::shell("git commit -n -m x").saying("-n"),
        Example::shell("git commit -anm x").saying("-n"),
        Example::shell("git commit --no-ver -m x").saying("--no-verify"),
        Example::shell("git push --no-verify origin side").saying("--no-verify"),
        Example::shell("git merge --no-verify side").saying("--no-verify"),
        Example::shell("git rebase --no-verify main").saying("--no-verify"),
        Example::shell("git am --no-verify x.patch").saying("--no-verify"),
        Example::shell("git commit --no-gpg-sign -m x").saying("--no-gpg-sign"),
        Example::shell("git -c commit.gpgsign=false commit -m x").saying("commit.gpgsign"),
        Example::shell("HUSKY=0 git commit -m x").saying("HUSKY=0"),
        Example::shell("export HUSKY=0; git commit -m x").saying("HUSKY=0"),
        Example::shell("LEFTHOOK=0 git push origin side").saying("LEFTHOOK=0"),
        Example::shell("git -c core.hooksPath=/dev/null commit -m x").saying("core.hooksPath"),
        Example::shell("git config core.hooksPath /dev/null").saying("core.hooksPath"),
        Example::shell("git -c alias.ci='commit --no-verify' ci -m x").saying("--no-verify"),
    ],
    allowed: &[
        Example::shell("git commit -m 'why --no-verify is wrong'"),
        Example::shell("git commit -m --no-verify"),
        Example::shell("git commit -am '-n is not for me'"),
        Example::shell("git log --grep=--no-verify"),
        Example::shell("grep -rn -e --no-verify ."),
        Example::shell("git push -n origin main"),
        Example::shell("git merge -n side"),
        Example::shell("git commit --verify -m x"),
        Example::shell("git commit -- -n"),
        Example::shell("HUSKY=0 npm ci"),
        Example::shell("git -c core.hooksPath=.githooks commit -m x"),
        Example::shell("git config core.hooksPath .githooks"),
        Example::shell("git cherry-pick -n side"),
        Example::shell("HUSKY=1 git commit -m x"),
    ],
};

const VERIFY: Options = Options {
    short: "am:F:C:c:t:S::u::no:quvs",
    long: &[
        ("no-verify", b'N'),
        ("verify", b'V'),
        ("no-gpg-sign", b'G'),
        ("gpg-sign?", b'g'),
        ("message=", b'm'),
        ("file=", b'F'),
        ("author=", b'm'),
        ("date=", b'm'),
        ("fixup=", b'm'),
        ("squash=", b'm'),
        ("trailer=", b'm'),
        ("cleanup=", b'm'),
        ("template=", b'm'),
        ("reuse-message=", b'm'),
        ("reedit-message=", b'm'),
        ("pathspec-from-file=", b'm'),
        ("push-option=", b'o'),
        ("repo=", b'o'),
        ("receive-pack=", b'o'),
        ("strategy=", b'o'),
        ("strategy-option=", b'o'),
        ("exec=", b'o'),
        ("onto=", b'o'),
        ("into-name=", b'o'),
        ("directory=", b'o'),
        ("exclude=", b'o'),
        ("include=", b'o'),
        ("no-edit", b'e'),
        ("no-ff", b'e'),
    ],
};

/// Variables that tell a manager of hooks to run none.
const VARIABLES: &[&str] = &[
    "HUSKY",
    "LEFTHOOK",
    "OVERCOMMIT_DISABLE",
    "HUSKY_SKIP_HOOKS",
];

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let Some(git) = command.git() else {
        return Ok(Opinion::Silent);
    };
    if git.verb == b"config" {
        return Ok(configured(git));
    }
    let verbs: [&[u8]; 7] = [
        b"commit",
        b"push",
        b"merge",
        b"rebase",
        b"am",
        b"cherry-pick",
        b"revert",
    ];
    if !verbs.contains(&git.verb.as_slice()) {
        return Ok(Opinion::Silent);
    }
    let how = by_option(git)
        .or_else(|| by_setting(git))
        .or_else(|| by_variable(command));
    Ok(how.map_or(Opinion::Silent, |(how, what)| refusal(&how, what)))
}

fn by_option(git: &Invocation) -> Option<(String, &'static str)> {
    let options = match git.verb.as_slice() {
        // What `-o` takes elsewhere, it does not take there.
        b"commit" => Options {
            short: "am:F:C:c:t:S::u::noquvs",
            ..VERIFY
        },
        _ => VERIFY,
    };
    let line = options.read(&git.words);
    let hooks = "the hooks that check it would not run";
    match line.last_of(b"NV") {
        Some(b'N') => return Some(("--no-verify".to_owned(), hooks)),
        // For the other verbs the letter means something else.
        None if line.has(b'n') && matches!(git.verb.as_slice(), b"commit" | b"am") => {
            return Some(("-n".to_owned(), hooks));
        }
        _ => {}
    }
    (line.last_of(b"GgS") == Some(b'G'))
        .then(|| ("--no-gpg-sign".to_owned(), "the commit would not be signed"))
}

fn by_setting(git: &Invocation) -> Option<(String, &'static str)> {
    git.settings
        .iter()
        .rev()
        .find_map(|(name, value)| match name.as_slice() {
            b"core.hookspath" if is_nowhere(value) => Some((
                "core.hooksPath".to_owned(),
                "the hooks that check it would not run",
            )),
            b"commit.gpgsign" if is_false(value) => Some((
                "commit.gpgsign".to_owned(),
                "the commit would not be signed",
            )),
            _ => None,
        })
}

fn by_variable(command: &Command<'_>) -> Option<(String, &'static str)> {
    VARIABLES.iter().find_map(|name| {
        let value = command.own_variable(name.as_bytes())??;
        let off = match *name {
            "HUSKY" | "LEFTHOOK" => is_false(&value),
            _ => !is_false(&value),
        };
        let shown = format!("{name}={}", String::from_utf8_lossy(&value));
        off.then_some((shown, "the hooks that check it would not run"))
    })
}

/// `git config core.hooksPath /dev/null`
fn configured(git: &Invocation) -> Opinion {
    let words: Vec<&[u8]> = git
        .words
        .iter()
        .filter_map(|word| word.as_deref())
        .filter(|word| !word.starts_with(b"-"))
        .collect();
    let words = match words.split_first() {
        Some((&b"set", rest)) => rest,
        _ => words.as_slice(),
    };
    match words {
        [name, value] if name.eq_ignore_ascii_case(b"core.hooksPath") && is_nowhere(value) => {
            refusal(
                "core.hooksPath",
                "no hook of this repository would run from now on",
            )
        }
        _ => Opinion::Silent,
    }
}

fn is_nowhere(path: &[u8]) -> bool {
    matches!(path, b"" | b"/dev/null" | b"/nonexistent")
}

fn is_false(value: &[u8]) -> bool {
    matches!(
        value.to_ascii_lowercase().as_slice(),
        b"0" | b"false" | b"no" | b"off"
    )
}

fn refusal(how: &str, what: &str) -> Opinion {
    Opinion::Refuses(Finding {
        operation: "bypass",
        about: how.as_bytes().to_vec(),
        reasons: vec![format!("{how}: {what}")],
        instead: "fix what the hook reports, then commit as usual; if the hook itself is broken, tell the user".to_owned(),
    })
}
