//! `shared-branches-are-not-rewritten`: pushes that take commits away from others.

use super::{Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Command, Subject};
use crate::git::{Ask, Invocation, Line, Options, Repository, Silence};

pub(super) const GUARD: Guard = Guard {
    id: "shared-branches-are-not-rewritten",
    title: "a forced push to, or the removal of, a branch that others build on",
    prevents: "a push --force to main after a local rebase: four people's merged commits were gone from the remote",
    tools: &[Tool::Shell],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::shell("git push --force origin main").saying("main"),
        Example::shell("git push -f origin master").saying("master"),
        Example::shell("git push -uf origin HEAD:main").saying("main"),
        Example::shell("git push origin +main").saying("main"),
        Example::shell("git push origin +side:refs/heads/release/1.2").saying("release/1.2"),
        Example::shell("git push --mirror origin").saying("--mirror"),
        Example::shell("git push --force --all").saying("every branch"),
        Example::shell("git push origin --delete develop").saying("develop"),
        Example::shell("git push origin :main").saying("main"),
        Example::shell("git push --force").saying("main"),
        Example::shell("git push -f origin HEAD").saying("main"),
        Example::shell("git push --force-with-lease -f origin main").saying("main"),
        Example::shell("git push -f").given(TRACKS).saying("main"),
        Example::shell("git push -f origin stable")
            .given("git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/stable")
            .saying("stable"),
        Example::shell("git checkout -q main && git push -f").saying("main"),
        Example::shell("git -c alias.shove='push --force' shove origin main").saying("main"),
    ],
    allowed: &[
        Example::shell("git push origin main"),
        Example::shell("git push --force-with-lease origin main"),
        Example::shell("git push --force-with-lease --force-if-includes origin main"),
        Example::shell("git push --force origin side"),
        Example::shell("git push -f").given("git checkout -q side"),
        Example::shell("git push origin --delete side"),
        Example::shell("git push --dry-run --force origin main"),
        Example::shell("git push -n -f origin main"),
        Example::shell("git push --force --tags").given("git checkout -q side"),
        Example::shell("git push origin main:side -f"),
        Example::shell("git commit --allow-empty -m 'never git push --force origin main'"),
        Example::shell("echo git push --force origin main"),
        Example::shell("git fetch --force origin main"),
    ],
};

/// `side`, which pushes to `main`.
const TRACKS: &str = "git init -q --bare ../remote && git remote add origin ../remote && git push -q origin main && \
                      git checkout -q side && git config push.default upstream && git branch -q -u origin/main";

const PUSH: Options = Options {
    short: "dfno:quv46",
    long: &[
        ("force", b'f'),
        ("force-with-lease?", b'l'),
        ("force-if-includes", b'i'),
        ("mirror", b'm'),
        ("all", b'a'),
        ("branches", b'a'),
        ("tags", b't'),
        ("follow-tags", b'F'),
        ("delete", b'd'),
        ("dry-run", b'n'),
        ("prune", b'p'),
        ("push-option=", b'o'),
        ("receive-pack=", b'x'),
        ("exec=", b'x'),
        ("repo=", b'r'),
        ("recurse-submodules=", b's'),
        ("signed?", b'S'),
    ],
};

/// Names that others build on everywhere.
const SHARED: &[&str] = &["main", "master", "develop", "trunk"];

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let Some(git) = command.git().filter(|git| git.verb == b"push") else {
        return Ok(Opinion::Silent);
    };
    let line = PUSH.read(&git.words);
    let words: Vec<&[u8]> = line.all().filter_map(|word| word.as_deref()).collect();
    let remote = match line.value(b'r') {
        Some(Some(remote)) => remote.as_slice(),
        _ => words.first().copied().unwrap_or(b"origin"),
    };
    let refs = words.get(1..).unwrap_or_default();
    let forced = line.has(b'f');
    let rewrites = forced
        || line.has_any(b"md")
        || refs
            .iter()
            .any(|spec| matches!(spec.first(), Some(b'+' | b':')));
    if !rewrites {
        return match line.has(b'l') {
            true => Opinion::passes("--force-with-lease takes nothing that was not seen"),
            false => Ok(Opinion::Silent),
        };
    }
    if line.has(b'n') {
        return Opinion::passes("it is a dry run");
    }
    if line.has(b'm') {
        return Ok(refusal(
            b"--mirror",
            "--mirror rewrites and removes every branch of the remote",
            &line,
        ));
    }
    if forced && line.has(b'a') {
        return Ok(refusal(
            b"--all",
            "every branch of the remote is rewritten",
            &line,
        ));
    }
    for target in targets(command, git, &line, refs, case)? {
        if is_shared(&target, git, remote, case.git)? {
            let name = crate::message::escape(&target);
            let reason = match line.has(b'd') || refs.iter().any(|spec| spec.starts_with(b":")) {
                true => format!("{name} would be removed from the remote, and others build on it"),
                false => {
                    format!("commits of {name} that others have would be gone from the remote")
                }
            };
            return Ok(refusal(&target, &reason, &line));
        }
    }
    Opinion::passes("no shared branch is among its targets")
}

/// The branches of the remote that are rewritten or removed.
fn targets(
    command: &Command<'_>,
    git: &Invocation,
    line: &Line,
    refs: &[&[u8]],
    case: &Case<'_>,
) -> Result<Vec<Vec<u8>>, Silence> {
    if refs.is_empty() {
        // `--tags` alone pushes no branch.
        return match line.has(b't') {
            true => Ok(Vec::new()),
            false => Ok(vec![upstream(git, command, case)?]),
        };
    }
    let mut targets = Vec::new();
    for spec in refs {
        let plain = spec.strip_prefix(b"+").unwrap_or(spec);
        let plus = plain.len() < spec.len();
        let removed = plain.starts_with(b":") || line.has(b'd');
        if !plus && !removed && !line.has(b'f') {
            continue;
        }
        let target = match plain.iter().rposition(|byte| *byte == b':') {
            Some(colon) => &plain[colon + 1..],
            None => plain,
        };
        let target = target.strip_prefix(b"refs/heads/").unwrap_or(target);
        targets.push(match target {
            b"HEAD" | b"@" => current(git, command, case)?,
            target => target.to_vec(),
        });
    }
    Ok(targets)
}

/// Where a push without a refspec goes: what git says, else the name of the branch itself.
fn upstream(git: &Invocation, command: &Command<'_>, case: &Case<'_>) -> Result<Vec<u8>, Silence> {
    let branch = current(git, command, case)?;
    let name = [b"refs/heads/", branch.as_slice()].concat();
    let words: [&[u8]; 3] = [b"for-each-ref", b"--format=%(push:lstrip=3)", &name];
    let push = git.repository.ask_plainly(case.git, &words)?;
    let push = push.trim_ascii();
    Ok(if push.is_empty() {
        branch
    } else {
        push.to_vec()
    })
}

/// The branch that is current when the push runs.
fn current(git: &Invocation, command: &Command<'_>, case: &Case<'_>) -> Result<Vec<u8>, Silence> {
    let switched = command
        .earlier
        .iter()
        .rev()
        .find_map(|words| switched_to(words));
    if let Some(branch) = switched {
        return Ok(branch);
    }
    let branch = git
        .repository
        .ask_plainly(case.git, &["symbolic-ref", "--short", "HEAD"])?;
    Ok(branch.trim_ascii().to_vec())
}

/// `git checkout -q BRANCH`, `git switch -c BRANCH`.
fn switched_to(words: &[Vec<u8>]) -> Option<Vec<u8>> {
    let [git, verb, rest @ ..] = words else {
        return None;
    };
    let switches = git.ends_with(b"git") && matches!(verb.as_slice(), b"checkout" | b"switch");
    if !switches || rest.iter().any(|word| word == b"--") {
        return None;
    }
    rest.iter().find(|word| !word.starts_with(b"-")).cloned()
}

fn is_shared(
    name: &[u8],
    git: &Invocation,
    remote: &[u8],
    asked: &dyn Ask,
) -> Result<bool, Silence> {
    if SHARED.iter().any(|shared| shared.as_bytes() == name)
        || name.starts_with(b"release/")
        || name.contains(&b'*')
    {
        return Ok(true);
    }
    let head = [b"refs/remotes/", remote, b"/HEAD"].concat();
    let words: [&[u8]; 3] = [b"symbolic-ref", b"--quiet", &head];
    let repository: &Repository = &git.repository;
    match repository.ask_plainly(asked, &words) {
        Ok(default) => Ok(default.trim_ascii().ends_with(&[b"/", name].concat())),
        Err(Silence::Failed) => Ok(false),
        Err(silence) => Err(silence),
    }
}

fn refusal(about: &[u8], reason: &str, line: &Line) -> Opinion {
    let instead = match line.has(b'd') {
        true => "leave the branch, and ask the user to remove it where that is meant",
        false => {
            "use `git push --force-with-lease`, or push to a new branch: `git push origin HEAD:refs/heads/NAME`"
        }
    };
    Opinion::Refuses(Finding {
        operation: "push",
        about: about.to_vec(),
        reasons: vec![reason.to_owned()],
        instead: instead.to_owned(),
    })
}
