//! Content of files that git does not track, compared to what a commit has under their names.

use std::collections::{BTreeMap, BTreeSet};

use super::status::Entry;
use crate::git::{Ask, Repository, Silence};

/// More names than these are not put on a command line.
const MOST_WORDS: usize = 400;

/// The paths among `specs` whose content differs between two trees, or between one and the work tree.
pub(super) fn changed(
    repository: &Repository,
    git: &dyn Ask,
    trees: &[&[u8]],
    specs: &[Vec<u8>],
) -> Result<BTreeSet<Vec<u8>>, Silence> {
    // By names alone a file that was only touched would count, too.
    let mut words: Vec<&[u8]> = vec![
        b"diff",
        b"--numstat",
        b"-z",
        b"--no-renames",
        b"--no-ext-diff",
        b"--no-textconv",
        b"--ignore-submodules=all",
    ];
    words.extend(trees);
    words.push(b"--");
    words.extend(specs.iter().map(Vec::as_slice));
    let records = repository.list(git, &words, 0)?;
    let path = |record: &Vec<u8>| {
        record
            .splitn(3, |byte| *byte == b'\t')
            .nth(2)
            .map(<[u8]>::to_vec)
    };
    Ok(records.iter().filter_map(path).collect())
}

/// Those of the files that a commit has, too, and whose content is another there.
pub(super) fn differing(
    repository: &Repository,
    git: &dyn Ask,
    rev: &[u8],
    files: &[Entry],
) -> Result<BTreeSet<Vec<u8>>, Silence> {
    let names: Vec<&[u8]> = files.iter().map(|entry| entry.path.as_slice()).collect();
    let theirs = match tree(repository, git, rev, &names) {
        Ok(theirs) => theirs,
        // There is no such commit (yet), and nothing in the way.
        Err(Silence::Failed) => return Ok(BTreeSet::new()),
        Err(silence) => return Err(silence),
    };
    let both: Vec<&[u8]> = names
        .into_iter()
        .filter(|name| theirs.contains_key(*name))
        .take(MOST_WORDS)
        .collect();
    let ours = hashes(repository, git, &both)?;
    Ok(both
        .into_iter()
        .filter(|name| ours.get(*name) != theirs.get(*name))
        .map(<[u8]>::to_vec)
        .collect())
}

/// The blobs of a commit's files, by their paths from the top: of those that are named, or of all if too many are.
pub(super) fn tree(
    repository: &Repository,
    git: &dyn Ask,
    rev: &[u8],
    names: &[&[u8]],
) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, Silence> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut words: Vec<&[u8]> = vec![b"ls-tree", b"-r", b"-z", b"--full-tree", rev, b"--"];
    if names.len() <= MOST_WORDS {
        words.extend(names);
    }
    let records = repository.list(git, &words, 0)?;
    Ok(records.iter().filter_map(|record| entry(record)).collect())
}

/// `100644 blob ID<TAB>PATH`
pub(super) fn entry(record: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let id = record[..tab].rsplit(|byte| *byte == b' ').next()?;
    Some((record[tab + 1..].to_vec(), id.to_vec()))
}

/// The blobs that files of the work tree would be. Nothing is stored, and no filter runs.
pub(super) fn hashes(
    repository: &Repository,
    git: &dyn Ask,
    names: &[&[u8]],
) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, Silence> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let (top, _) = repository.top(git)?;
    let paths = names
        .iter()
        .map(|name| [&top, b"/".as_slice(), name].concat());
    let mut words: Vec<Vec<u8>> = vec![
        b"hash-object".to_vec(),
        b"--no-filters".to_vec(),
        b"--".to_vec(),
    ];
    words.extend(paths);
    let ids = match repository.list(git, &words, b'\n') {
        Ok(ids) => ids,
        // One of them cannot be read: all of them count as different.
        Err(Silence::Failed) => Vec::new(),
        Err(silence) => return Err(silence),
    };
    Ok(names.iter().map(|name| name.to_vec()).zip(ids).collect())
}
