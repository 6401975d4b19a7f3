//! `git status`, file by file.

use crate::git::{Ask, Repository, Silence};

/// One line of `git status --porcelain`.
pub(super) struct Entry {
    /// The index, compared to HEAD.
    pub(super) index: u8,
    /// The work tree, compared to the index.
    pub(super) tree: u8,
    /// From the top of the work tree on.
    pub(super) path: Vec<u8>,
}

impl Entry {
    pub(super) fn is_untracked(&self) -> bool {
        self.index == b'?'
    }

    pub(super) fn is_unmerged(&self) -> bool {
        self.index == b'U'
            || self.tree == b'U'
            || matches!((self.index, self.tree), (b'A', b'A') | (b'D', b'D'))
    }

    /// Content that only the index has, or had.
    pub(super) fn is_staged(&self) -> bool {
        matches!(self.index, b'M' | b'A' | b'T' | b'R' | b'C') && !self.is_unmerged()
    }

    /// Content of either kind, or what was made of a conflict.
    pub(super) fn holds_work(&self) -> bool {
        self.is_staged() || self.is_edited() || self.is_unmerged()
    }

    /// Content that only the work tree has.
    pub(super) fn is_edited(&self) -> bool {
        matches!(self.tree, b'M' | b'T') && !self.is_unmerged()
    }
}

/// What git says of the paths that `specs` match.
pub(super) fn status(
    repository: &Repository,
    git: &dyn Ask,
    untracked: bool,
    specs: &[Vec<u8>],
) -> Result<Vec<Entry>, Silence> {
    let untracked = if untracked { "all" } else { "no" };
    let mut words: Vec<Vec<u8>> = vec![
        b"status".to_vec(),
        b"--porcelain=v1".to_vec(),
        b"-z".to_vec(),
        b"--no-renames".to_vec(),
        b"--ignore-submodules=all".to_vec(),
        format!("--untracked-files={untracked}").into_bytes(),
        b"--".to_vec(),
    ];
    words.extend(specs.iter().cloned());
    let records = repository.list(git, &words, 0)?;
    Ok(records
        .iter()
        .filter_map(|record| match record.as_slice() {
            [index, tree, b' ', path @ ..] => Some(Entry {
                index: *index,
                tree: *tree,
                path: path.to_vec(),
            }),
            _ => None,
        })
        .collect())
}
