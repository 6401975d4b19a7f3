//! Changes to files that git tracks, and what lies in the way of others.

use std::collections::BTreeSet;

use super::Case;
use super::content;
use super::loss::{Against, Kind, Loss, Losses};
use super::overwrites::{Overwrites, overwrites};
use super::status::{Entry, status};
use crate::git::{Silence, Word};

/// What a sub-command would lose of tracked files, and of those that lie in its way.
pub(super) fn losses(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let Some(overwrites) = overwrites(case)? else {
        return Ok(None);
    };
    let repository = &case.invocation.repository;
    let head = Against::head();
    let (against, all) = match overwrites {
        Overwrites::Everything(target) => (head, everything(case, target)?),
        Overwrites::Staged => {
            let entries = status(repository, case.git, false, &[])?;
            // git stops if a file that would go was edited since it was staged.
            let stops = entries
                .iter()
                .any(|entry| entry.is_staged() && entry.is_edited());
            let lost = |entry: &Entry| !stops && entry.is_staged() && entry.tree == b' ';
            (head, changed(case, &entries, lost)?)
        }
        Overwrites::FromIndex(specs) => {
            let entries = status(repository, case.git, false, &specs)?;
            let all = changed(case, &entries, Entry::is_edited)?;
            (Against::Index, without_staged(case, all)?)
        }
        Overwrites::FromCommit {
            rev,
            specs,
            index,
            removes,
        } => (head, from_commit(case, rev, &specs, index, removes)?),
        Overwrites::Removed(specs) => {
            let entries = status(repository, case.git, false, &specs)?;
            let lost = |entry: &Entry| entry.is_edited() || entry.is_staged() && entry.tree == b' ';
            (head, changed(case, &entries, lost)?)
        }
        Overwrites::Replaced(specs) => {
            let entries = status(repository, case.git, true, &specs)?;
            let mut all = changed(case, &entries, |entry| {
                entry.is_edited() || entry.is_staged()
            })?;
            all.extend(untracked(case, &entries)?);
            (head, all)
        }
    };
    Ok(Some(Losses {
        repository: repository.clone(),
        against,
        all,
    }))
}

/// The entries that a test picks, but for what earlier commands have put away.
fn changed(
    case: &Case<'_>,
    entries: &[Entry],
    lost: impl Fn(&Entry) -> bool,
) -> Result<Vec<Loss>, Silence> {
    if case.saved.tracked {
        return Ok(Vec::new());
    }
    let picked: Vec<&Entry> = entries
        .iter()
        .filter(|entry| lost(entry) && (entry.is_edited() || !case.saved.staged))
        .collect();
    if picked.is_empty() {
        return Ok(Vec::new());
    }
    let (top, _) = case.invocation.repository.top(case.git)?;
    Ok(picked
        .into_iter()
        .filter(|entry| {
            !case
                .saved
                .holds(&[&top, b"/".as_slice(), &entry.path].concat())
        })
        .map(|entry| Loss::new(Kind::Changed, entry.path.clone()))
        .collect())
}

/// Where the index stays, what an earlier command has put into it stays, too.
fn without_staged(case: &Case<'_>, mut all: Vec<Loss>) -> Result<Vec<Loss>, Silence> {
    if !all.is_empty() {
        let (top, _) = case.invocation.repository.top(case.git)?;
        all.retain(|loss| {
            !case
                .saved
                .has_staged(&[&top, b"/".as_slice(), &loss.name].concat())
        });
    }
    Ok(all)
}

/// All that is changed, and what is not tracked but lies in the way of the commit that is gone to.
fn everything(case: &Case<'_>, target: Option<Word>) -> Result<Vec<Loss>, Silence> {
    let repository = &case.invocation.repository;
    let entries = status(repository, case.git, true, &[])?;
    // In the middle of a merge what is staged comes from the other side.
    let merging = entries.iter().any(Entry::is_unmerged);
    let mut all = changed(case, &entries, |entry| {
        entry.is_edited() || entry.is_staged() && !merging
    })?;
    let new: Vec<Entry> = entries.into_iter().filter(Entry::is_untracked).collect();
    if new.is_empty() {
        return Ok(all);
    }
    if !case.saved.added.is_empty() {
        let (top, _) = repository.top(case.git)?;
        let added = |entry: &&Entry| {
            case.saved
                .has_added(&[&top, b"/".as_slice(), &entry.path].concat())
        };
        all.extend(untracked(case, new.iter().filter(added))?);
    }
    if let Some(rev) = target.unwrap_or_else(|| Some(b"HEAD".to_vec())) {
        let other = content::differing(repository, case.git, &rev, &new)?;
        let in_the_way = new.iter().filter(|entry| other.contains(&entry.path));
        all.extend(untracked(case, in_the_way)?);
    }
    Ok(all)
}

/// Untracked files that are not empty, but for what earlier commands have put away.
fn untracked<'e>(
    case: &Case<'_>,
    entries: impl IntoIterator<Item = &'e Entry>,
) -> Result<Vec<Loss>, Silence> {
    let (top, _) = case.invocation.repository.top(case.git)?;
    let lost = entries.into_iter().filter(|entry| {
        let path = [&top, b"/".as_slice(), &entry.path].concat();
        let empty = case.fs.lstat(&path).is_ok_and(|meta| meta.size == 0);
        entry.is_untracked() && !empty && !case.saved.holds(&path)
    });
    Ok(lost
        .map(|entry| Loss::new(Kind::Untracked, entry.path.clone()))
        .collect())
}

/// What differs from the commit that is taken, and is in none.
fn from_commit(
    case: &Case<'_>,
    rev: Word,
    specs: &[Vec<u8>],
    index: bool,
    removes: bool,
) -> Result<Vec<Loss>, Silence> {
    let repository = &case.invocation.repository;
    let entries = status(repository, case.git, true, specs)?;
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let lost = |entry: &Entry| entry.is_edited() || index && entry.is_staged();
    let Some(rev) = rev else {
        return changed(case, &entries, lost);
    };
    let rev = if rev == b"-" { b"@{-1}".to_vec() } else { rev };
    let mut words: Vec<Vec<u8>> = [
        "diff",
        "--name-status",
        "-z",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules=all",
    ]
    .map(|word| word.as_bytes().to_vec())
    .into();
    words.extend([rev.clone(), b"--".to_vec()]);
    words.extend(specs.iter().cloned());
    let fields = repository.list(case.git, &words, 0)?;
    let mut differs = BTreeSet::new();
    for pair in fields.chunks_exact(2) {
        if matches!(pair[0].as_slice(), b"M" | b"T") || removes && pair[0] == b"A" {
            differs.insert(pair[1].as_slice());
        }
    }
    let mut all = changed(case, &entries, |entry| {
        lost(entry) && differs.contains(entry.path.as_slice())
    })?;
    if !index {
        all = without_staged(case, all)?;
    }
    if !all.is_empty() {
        let content = content::changed(repository, case.git, &[&rev], specs)?;
        all.retain(|loss| content.contains(&loss.name));
    }
    let new: Vec<Entry> = entries.into_iter().filter(Entry::is_untracked).collect();
    let other = content::differing(repository, case.git, &rev, &new)?;
    all.extend(untracked(
        case,
        new.iter().filter(|entry| other.contains(&entry.path)),
    )?);
    Ok(all)
}
