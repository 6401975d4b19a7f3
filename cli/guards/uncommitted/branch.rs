//! `git branch -D` and its like: commits that no other name leads to.

use std::collections::BTreeSet;

use super::Case;
use super::loss::{Against, Kind, Loss, Losses, plural};
use super::overwrites;
use crate::git::{Options, Silence};

const BRANCH: Options = Options {
    short: "aCcdDfilmMqrtuv",
    long: &[
        ("delete", b'd'),
        ("force", b'f'),
        ("move", b'm'),
        ("remotes", b'r'),
        ("quiet", b'q'),
    ],
};

const UPDATE_REF: Options = Options {
    short: "dm:z",
    long: &[("stdin", b's')],
};

pub(super) fn losses(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let names = match case.invocation.verb.as_slice() {
        b"branch" => {
            let line = BRANCH.read(&case.invocation.words);
            let forced = line.has(b'f');
            if line.has(b'r') {
                None
            } else if line.has(b'D') || line.has(b'd') && forced {
                overwrites::specs(line.all())
            } else if line.has(b'M') || line.has(b'm') && forced {
                // The one that is replaced.
                let names = overwrites::specs(line.all());
                names.and_then(|mut names| Some(vec![names.pop()?]))
            } else {
                None
            }
        }
        b"update-ref" => {
            let line = UPDATE_REF.read(&case.invocation.words);
            let name = line.all().next().cloned().flatten();
            name.filter(|_| line.has(b'd'))
                .and_then(|name| Some(vec![name.strip_prefix(b"refs/heads/")?.to_vec()]))
        }
        _ => None,
    };
    let Some(names) = names else {
        return Ok(None);
    };
    let mut all = Vec::new();
    for name in &names {
        all.extend(lost_with(case, name, &names)?);
    }
    Ok(Some(Losses {
        repository: case.invocation.repository.clone(),
        against: Against::Index,
        all,
    }))
}

/// What goes with one branch while all of `names` go.
fn lost_with(case: &Case<'_>, name: &[u8], names: &[Vec<u8>]) -> Result<Option<Loss>, Silence> {
    let repository = &case.invocation.repository;
    let branch = [b"refs/heads/", name].concat();
    let mut words = vec![
        b"rev-list".to_vec(),
        b"--abbrev-commit".to_vec(),
        branch.clone(),
        b"--not".to_vec(),
    ];
    words.extend((names.iter()).map(|name| [b"--exclude=refs/heads/", name.as_slice()].concat()));
    words.push(b"--all".to_vec());
    let commits = match repository.list(case.git, &words, b'\n') {
        Ok(commits) => commits,
        // There is no such branch.
        Err(Silence::Failed) => return Ok(None),
        Err(silence) => return Err(silence),
    };
    let Some(last) = commits.first() else {
        return Ok(None);
    };
    if is_in_history(case, &branch)? {
        return Ok(None);
    }
    let count = commits.len() as u64;
    let last = String::from_utf8_lossy(last);
    let what = format!("{count} commit{} up to {last}", plural(count));
    Ok(Some(Loss::saying(Kind::Commits, name, what)))
}

/// Whether all that a branch brought in has come into the history of HEAD by other commits, as by a squashed merge.
fn is_in_history(case: &Case<'_>, branch: &[u8]) -> Result<bool, Silence> {
    let repository = &case.invocation.repository;
    let base = match repository.ask(case.git, &[&b"merge-base"[..], b"HEAD", branch]) {
        Ok(base) => base.trim_ascii().to_vec(),
        Err(Silence::Failed) => return Ok(false),
        Err(silence) => return Err(silence),
    };
    let words = [
        &b"diff"[..],
        b"--raw",
        b"-z",
        b"--no-renames",
        b"--no-abbrev",
        b"--ignore-submodules=all",
        &base,
        branch,
        b"--",
    ];
    let fields = repository.list(case.git, &words, 0)?;
    // `:100644 100644 OLD NEW M`, then the path.
    let new = fields
        .iter()
        .filter(|field| field.starts_with(b":"))
        .filter_map(|field| field.split(|byte| *byte == b' ').nth(3))
        .filter(|id| id.iter().any(|digit| *digit != b'0'));
    let brought: BTreeSet<&[u8]> = new.collect();
    if brought.is_empty() {
        // What it only removed is not known to have been removed elsewhere.
        return Ok(fields.is_empty());
    }
    let since = [&base, b"..HEAD".as_slice()].concat();
    let objects = repository.list(
        case.git,
        &[&b"rev-list"[..], b"--objects", &since, b"--"],
        b'\n',
    )?;
    let known: BTreeSet<&[u8]> = objects
        .iter()
        .filter_map(|line| line.split(|byte| *byte == b' ').next())
        .collect();
    Ok(brought.is_subset(&known))
}
