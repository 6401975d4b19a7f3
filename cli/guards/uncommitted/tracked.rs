//! Changes to files that git tracks, and the sub-commands that overwrite them.

use std::collections::BTreeSet;

use super::loss::{Kind, Loss, Losses};
use crate::git::{Ask, Line, Options, Repository, Silence, Word};
use crate::guards::Case;

/// What the lines of a changed file are counted against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Against {
    /// The index.
    Index,
    /// A commit.
    Commit(Vec<u8>),
}

impl Against {
    pub(super) fn head() -> Self {
        Self::Commit(b"HEAD".to_vec())
    }
}

/// One line of `git status --porcelain`.
pub(super) struct Entry {
    /// The index, compared to HEAD.
    index: u8,
    /// The work tree, compared to the index.
    tree: u8,
    /// From the top of the work tree on.
    pub(super) path: Vec<u8>,
}

impl Entry {
    pub(super) fn is_untracked(&self) -> bool {
        self.index == b'?'
    }

    fn is_unmerged(&self) -> bool {
        self.index == b'U'
            || self.tree == b'U'
            || matches!((self.index, self.tree), (b'A', b'A') | (b'D', b'D'))
    }

    /// Content that only the index has, or had.
    fn is_staged(&self) -> bool {
        matches!(self.index, b'M' | b'A' | b'T' | b'R' | b'C') && !self.is_unmerged()
    }

    /// Content of either kind, or what was made of a conflict.
    pub(super) fn holds_work(&self) -> bool {
        self.is_staged() || self.is_edited() || self.is_unmerged()
    }

    /// Content that only the work tree has.
    fn is_edited(&self) -> bool {
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

const RESET: Options = Options {
    short: "Npq",
    long: &[
        ("hard", b'H'),
        ("merge", b'M'),
        ("keep", b'k'),
        ("patch", b'p'),
        ("unified=", b'U'),
        ("inter-hunk-context=", b'U'),
        ("pathspec-from-file=", b'F'),
    ],
};

const CHECKOUT: Options = Options {
    short: "23b:B:dflmpqtU:",
    long: &[
        ("force", b'f'),
        ("detach", b'd'),
        ("track?", b't'),
        ("orphan=", b'b'),
        ("conflict=", b'U'),
        ("unified=", b'U'),
        ("inter-hunk-context=", b'U'),
        ("patch", b'p'),
        ("no-overlay", b'O'),
        ("recurse-submodules?", b'r'),
        ("pathspec-from-file=", b'F'),
    ],
};

const RESTORE: Options = Options {
    short: "mpqs:SU:W23",
    long: &[
        ("source=", b's'),
        ("staged", b'S'),
        ("worktree", b'W'),
        ("overlay", b'o'),
        ("patch", b'p'),
        ("conflict=", b'U'),
        ("unified=", b'U'),
        ("inter-hunk-context=", b'U'),
        ("recurse-submodules?", b'r'),
        ("pathspec-from-file=", b'F'),
    ],
};

const SWITCH: Options = Options {
    short: "c:C:dfmqt",
    long: &[
        ("create=", b'c'),
        ("force-create=", b'C'),
        ("orphan=", b'c'),
        ("force", b'f'),
        ("discard-changes", b'f'),
        ("conflict=", b'U'),
        ("track?", b't'),
        ("recurse-submodules?", b'r'),
    ],
};

const READ_TREE: Options = Options {
    short: "imnuv",
    long: &[
        ("reset", b'R'),
        ("dry-run", b'n'),
        ("prefix=", b'p'),
        ("index-output=", b'o'),
        ("exclude-per-directory=", b'e'),
    ],
};

const CHECKOUT_INDEX: Options = Options {
    short: "afnquz",
    long: &[
        ("all", b'a'),
        ("force", b'f'),
        ("no-create", b'n'),
        ("prefix=", b'p'),
        ("stage=", b's'),
        ("stdin", b'i'),
        ("temp", b'n'),
    ],
};

const RM: Options = Options {
    short: "fnqr",
    long: &[
        ("dry-run", b'n'),
        ("cached", b'c'),
        ("force", b'f'),
        ("pathspec-from-file=", b'F'),
    ],
};

const MV: Options = Options {
    short: "fknv",
    long: &[("dry-run", b'n'), ("force", b'f')],
};

/// The options of a sub-command that takes the work tree to another state.
pub(super) fn options_of(verb: &[u8]) -> &'static Options {
    match verb {
        b"reset" => &RESET,
        b"restore" => &RESTORE,
        b"switch" => &SWITCH,
        _ => &CHECKOUT,
    }
}

/// What a sub-command does to tracked files.
enum Overwrites {
    /// All of them become those of a commit, HEAD if it is not named.
    Everything(Option<Word>),
    /// What is staged goes, and with it its files.
    Staged,
    /// The files of these paths become those of the index.
    FromIndex(Vec<Vec<u8>>),
    /// The files of these paths become those of a commit.
    FromCommit {
        rev: Word,
        specs: Vec<Vec<u8>>,
        /// So do the entries of the index.
        index: bool,
        /// What the commit does not have goes.
        removes: bool,
    },
    /// The files of these paths go.
    Removed(Vec<Vec<u8>>),
    /// Whatever is at these paths is replaced.
    Replaced(Vec<Vec<u8>>),
}

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

fn overwrites(case: &Case<'_>) -> Result<Option<Overwrites>, Silence> {
    let words = &case.invocation.words;
    Ok(match case.invocation.verb.as_slice() {
        b"reset" => {
            let line = RESET.read(words);
            let paths = line.behind.iter().flatten().next().is_some() || line.operands.len() > 1;
            let target = line.operands.first().cloned();
            match line.last_of(b"HMk") {
                // git refuses to do these with paths.
                _ if paths => None,
                Some(b'H') => Some(Overwrites::Everything(target)),
                Some(b'M') => Some(Overwrites::Staged),
                _ => None,
            }
        }
        b"switch" => {
            let line = SWITCH.read(words);
            let target = line.operands.first().cloned();
            line.has(b'f').then_some(Overwrites::Everything(target))
        }
        b"read-tree" => {
            let line = READ_TREE.read(words);
            let acts = line.has(b'R') && line.has(b'u') && !line.has(b'n');
            acts.then(|| Overwrites::Everything(line.operands.first().cloned()))
        }
        b"checkout" => checkout(case, &CHECKOUT.read(words))?,
        b"restore" => restore(&RESTORE.read(words)),
        b"checkout-index" => {
            let line = CHECKOUT_INDEX.read(words);
            if !line.has(b'f') || line.has_any(b"npi") {
                None
            } else if line.has(b'a') {
                Some(Overwrites::FromIndex(vec![b":/".to_vec()]))
            } else {
                specs(line.all()).map(Overwrites::FromIndex)
            }
        }
        b"rm" => {
            let line = RM.read(words);
            let acts = line.has(b'f') && !line.has_any(b"cnF");
            specs(line.all()).filter(|_| acts).map(Overwrites::Removed)
        }
        b"mv" => {
            let line = MV.read(words);
            let acts = line.has(b'f') && !line.has(b'n');
            specs(line.all())
                .filter(|_| acts)
                .and_then(|names| replaced(case, &names))
                .map(Overwrites::Replaced)
        }
        _ => None,
    })
}

/// A branch or a path: git is asked, as it asks itself.
fn checkout(case: &Case<'_>, line: &Line) -> Result<Option<Overwrites>, Silence> {
    if line.has_any(b"pF") {
        return Ok(None);
    }
    let first = line.operands.first();
    let behind = line.behind.as_deref().unwrap_or_default();
    let forced = line.has(b'f');
    let switches = |target: Option<Word>| forced.then_some(Overwrites::Everything(target));
    if line.has_any(b"bBd") {
        return Ok(switches(first.cloned()));
    }
    if !behind.is_empty() {
        return Ok(match first {
            None => specs(behind).map(Overwrites::FromIndex),
            Some(rev) => specs(behind).map(|specs| from(rev.clone(), specs, line)),
        });
    }
    let Some(first) = first else {
        return Ok(switches(None));
    };
    let Some(name) = first else {
        return Ok(None);
    };
    if line.behind.is_some() || is_revision(case, name)? {
        let paths = &line.operands[1..];
        if paths.is_empty() {
            return Ok(switches(Some(first.clone())));
        }
        return Ok(specs(paths).map(|specs| from(first.clone(), specs, line)));
    }
    Ok(specs(&line.operands).map(Overwrites::FromIndex))
}

fn from(rev: Word, specs: Vec<Vec<u8>>, line: &Line) -> Overwrites {
    Overwrites::FromCommit {
        rev,
        specs,
        index: true,
        removes: line.has(b'O'),
    }
}

fn restore(line: &Line) -> Option<Overwrites> {
    let (staged, tree) = (line.has(b'S'), line.has(b'W'));
    if line.has_any(b"pF") || staged && !tree {
        return None;
    }
    let specs = specs(line.all())?;
    if !staged && !line.has(b's') {
        return Some(Overwrites::FromIndex(specs));
    }
    Some(Overwrites::FromCommit {
        rev: line
            .value(b's')
            .map_or_else(|| Some(b"HEAD".to_vec()), Clone::clone),
        specs,
        index: staged,
        removes: !line.has(b'o'),
    })
}

/// Where `git mv` puts what it moves.
fn replaced(case: &Case<'_>, names: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let (target, sources) = names.split_last()?;
    let path = case.invocation.repository.at(target);
    let directory = case
        .fs
        .lstat(&path)
        .is_ok_and(|meta| meta.kind == blastradius_policy::Kind::Directory);
    if !directory {
        return Some(vec![target.clone()]);
    }
    let inside = sources.iter().map(|source| {
        let name = source.rsplit(|byte| *byte == b'/').next().unwrap_or(source);
        [target, b"/".as_slice(), name].concat()
    });
    Some(inside.collect())
}

/// Paths, if there are any and all of them are known.
pub(super) fn specs<'w>(words: impl IntoIterator<Item = &'w Word>) -> Option<Vec<Vec<u8>>> {
    let specs: Vec<Vec<u8>> = words.into_iter().cloned().collect::<Option<_>>()?;
    (!specs.is_empty()).then_some(specs)
}

fn is_revision(case: &Case<'_>, name: &[u8]) -> Result<bool, Silence> {
    let name = if name == b"-" { b"@{-1}" } else { name };
    let tree = [name, b"^{tree}"].concat();
    let words = [
        &b"rev-parse"[..],
        b"--verify",
        b"--quiet",
        b"--end-of-options",
        &tree,
    ];
    case.invocation.repository.holds(case.git, &words)
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
        .filter(|entry| lost(entry) && !(case.saved.staged && !entry.is_edited()))
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
        let other = super::content::differing(repository, case.git, &rev, &new)?;
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
        let content = super::content::changed(repository, case.git, &[&rev], specs)?;
        all.retain(|loss| content.contains(&loss.name));
    }
    let new: Vec<Entry> = entries.into_iter().filter(Entry::is_untracked).collect();
    let other = super::content::differing(repository, case.git, &rev, &new)?;
    all.extend(untracked(
        case,
        new.iter().filter(|entry| other.contains(&entry.path)),
    )?);
    Ok(all)
}
