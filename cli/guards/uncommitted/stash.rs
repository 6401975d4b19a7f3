//! `git stash drop` and `git stash clear`: what only a stash holds.

use std::collections::BTreeMap;

use super::Case;
use super::content;
use super::loss::{Against, Kind, Loss, Losses};
use super::saved;
use super::status::status;
use super::worth;
use crate::git::Silence;

/// More stashes than these are not looked into.
const MOST_STASHES: usize = 8;

pub(super) fn losses(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let (action, rest) = saved::action(&case.invocation.words);
    let line = saved::STASH.read(rest);
    let names = match action {
        b"drop" => match line.operands.first() {
            None => vec![b"stash@{0}".to_vec()],
            Some(Some(name)) if name.iter().all(u8::is_ascii_digit) => {
                vec![[b"stash@{", name.as_slice(), b"}"].concat()]
            }
            Some(Some(name)) => vec![name.clone()],
            Some(None) => return Ok(None),
        },
        b"clear" => all(case)?,
        _ => return Ok(None),
    };
    let mut lost = Vec::new();
    if case.saved.stashed && action == b"drop" {
        // The one on top is made by the string itself.
        if !case.saved.applied {
            lost = put_away(case)?;
        }
    } else {
        for name in names.iter().take(MOST_STASHES) {
            if !case.saved.applied {
                lost.extend(only_in(case, name)?);
            }
        }
        if case.saved.stashed {
            lost.extend(put_away(case)?);
        }
    }
    Ok(Some(Losses {
        repository: case.invocation.repository.clone(),
        against: Against::head(),
        all: lost,
    }))
}

/// The stashes, the last one first.
fn all(case: &Case<'_>) -> Result<Vec<Vec<u8>>, Silence> {
    let words = ["rev-list", "--walk-reflogs", "--max-count=8", "refs/stash"];
    match case.invocation.repository.list(case.git, &words, b'\n') {
        Err(Silence::Failed) => Ok(Vec::new()),
        found => found.map(|ids| {
            (0..ids.len())
                .map(|at| format!("stash@{{{at}}}").into())
                .collect()
        }),
    }
}

/// What the string has put into a stash: all that is changed now.
fn put_away(case: &Case<'_>) -> Result<Vec<Loss>, Silence> {
    let entries = status(&case.invocation.repository, case.git, false, &[])?;
    Ok(entries
        .into_iter()
        .map(|entry| Loss::new(Kind::Changed, entry.path))
        .collect())
}

/// Files whose content in a stash is neither in the work tree nor in HEAD.
fn only_in(case: &Case<'_>, stash: &[u8]) -> Result<Vec<Loss>, Silence> {
    let repository = &case.invocation.repository;
    let base = [stash, b"^1"].concat();
    let differs = |trees: &[&[u8]]| content::changed(repository, case.git, trees, &[]);
    let stashed = match differs(&[&base, stash]) {
        Ok(stashed) => stashed,
        // There is no such stash.
        Err(Silence::Failed) => return Ok(Vec::new()),
        Err(silence) => return Err(silence),
    };
    let here = differs(&[stash])?;
    let head = differs(&[stash, b"HEAD"])?;
    let mut lost: Vec<Vec<u8>> = stashed
        .into_iter()
        .filter(|name| here.contains(name) && head.contains(name))
        .collect();
    // A file that the stash does not have was removed in it.
    let kept = content::tree(repository, case.git, stash, &slices(&lost))?;
    lost.retain(|name| kept.contains_key(name));
    lost.extend(untracked_only_in(case, stash)?);
    let what = format!("only in {}", String::from_utf8_lossy(stash));
    Ok(lost
        .into_iter()
        .map(|name| Loss::saying(Kind::Stashed, name, what.clone()))
        .collect())
}

/// The files that `git stash -u` took along.
fn untracked_only_in(case: &Case<'_>, stash: &[u8]) -> Result<Vec<Vec<u8>>, Silence> {
    let repository = &case.invocation.repository;
    let rev = [stash, b"^3"].concat();
    let words: [&[u8]; 5] = [b"ls-tree", b"-r", b"-z", b"--full-tree", &rev];
    let taken = match repository.list(case.git, &words, 0) {
        Ok(records) => records
            .iter()
            .filter_map(|record| content::entry(record))
            .collect(),
        Err(Silence::Failed) => BTreeMap::new(),
        Err(silence) => return Err(silence),
    };
    let (top, _) = repository.top(case.git)?;
    let worth = |name: &&Vec<u8>| {
        let last = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
        !worth::is_made_file(last, true) && !worth::lies_in_made(name, true)
    };
    let there = |name: &Vec<u8>| {
        let path = [&top, b"/".as_slice(), name].concat();
        case.fs.lstat(&path).is_ok()
    };
    let (here, mut lost): (Vec<Vec<u8>>, Vec<Vec<u8>>) =
        taken.keys().filter(worth).cloned().partition(there);
    let ours = content::hashes(repository, case.git, &slices(&here))?;
    lost.extend(
        here.into_iter()
            .filter(|name| ours.get(name) != taken.get(name)),
    );
    Ok(lost)
}

fn slices(names: &[Vec<u8>]) -> Vec<&[u8]> {
    names.iter().map(Vec::as_slice).collect()
}
