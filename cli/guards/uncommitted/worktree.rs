//! Work trees that go as a whole: `git worktree remove`, `git submodule deinit` and `update`.

use blastradius_policy::Kind as FileKind;

use super::Case;
use super::clean::{self, Taking};
use super::loss::{Against, Kind, Loss, Losses, plural};
use super::status::{Entry, status};
use crate::git::{Options, Repository, Silence, Word};

/// Longer files than this are not compared.
const LONGEST_COPY: usize = 256 << 10;

const WORKTREE: Options = Options {
    short: "f",
    long: &[("force", b'f')],
};

const SUBMODULE: Options = Options {
    short: "b:fj:Nq",
    long: &[
        ("force", b'f'),
        ("all", b'a'),
        ("branch=", b'b'),
        ("reference=", b'b'),
        ("depth=", b'b'),
        ("jobs=", b'j'),
        ("filter=", b'b'),
    ],
};

/// `git worktree remove`: without force git looks for changes itself, but takes what is ignored along.
pub(super) fn removal(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let Some((Some(action), rest)) = case.invocation.words.split_first() else {
        return Ok(None);
    };
    let line = WORKTREE.read(rest);
    let Some(Some(path)) = line.all().next().filter(|_| action == b"remove") else {
        return Ok(None);
    };
    let directory = case.invocation.repository.at(path);
    // The main work tree, which has no file there, git does not remove.
    let marker = [&directory, b"/.git".as_slice()].concat();
    if !case
        .fs
        .lstat(&marker)
        .is_ok_and(|meta| meta.kind == FileKind::File)
    {
        return Ok(None);
    }
    let tree = case.invocation.repository.other(directory);
    let mut all = whole(case, &tree)?;
    if line.has(b'f') {
        all.extend(commits(case, &tree)?);
    } else {
        all.retain(|loss| loss.kind == Kind::Ignored);
    }
    without_copies(case, &tree, &mut all)?;
    Ok(Some(Losses {
        repository: tree,
        against: Against::head(),
        all,
    }))
}

/// Settings are copied into a linked work tree from the one that the command stands in: those are no loss.
fn without_copies(case: &Case<'_>, tree: &Repository, all: &mut Vec<Loss>) -> Result<(), Silence> {
    if all.iter().any(|loss| loss.kind == Kind::Ignored) {
        let (theirs, _) = tree.top(case.git)?;
        let (ours, _) = case.invocation.repository.top(case.git)?;
        let read = |top: &[u8], name: &[u8]| {
            let mut content = vec![0; LONGEST_COPY];
            let path = [top, b"/", name].concat();
            let length = case.fs.read(&path, &mut content).ok()?;
            content.truncate(length);
            Some(content)
        };
        all.retain(|loss| {
            let copy = || read(&theirs, &loss.name);
            loss.kind != Kind::Ignored
                || copy().is_none_or(|copy| read(&ours, &loss.name) != Some(copy))
        });
    }
    Ok(())
}

/// `git submodule deinit -f` and `git submodule update -f`. The first refusal is enough.
pub(super) fn submodules(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let words: &[Word] = &case.invocation.words;
    let Some(at) = words
        .iter()
        .position(|word| !word.as_ref().is_some_and(|word| word.starts_with(b"-")))
    else {
        return Ok(None);
    };
    let line = SUBMODULE.read(&words[at + 1..]);
    let empties = match words[at].as_deref() {
        Some(b"deinit") => true,
        Some(b"update") => false,
        _ => return Ok(None),
    };
    let specs: Option<Vec<_>> = line.all().cloned().collect();
    let Some(specs) = specs.filter(|_| line.has(b'f')) else {
        return Ok(None);
    };
    if empties && specs.is_empty() && !line.has(b'a') {
        return Ok(None);
    }
    let repository = &case.invocation.repository;
    let mut words: Vec<Vec<u8>> = ["ls-files", "--stage", "--full-name", "-z", "--"]
        .map(|word| word.as_bytes().to_vec())
        .into();
    if specs.is_empty() {
        words.push(b":/".to_vec());
    }
    words.extend(specs);
    let records = repository.list(case.git, &words, 0)?;
    let modules = records
        .iter()
        .filter(|record| record.starts_with(b"160000 "))
        .filter_map(|record| record.splitn(2, |byte| *byte == b'\t').nth(1));
    for module in modules {
        let (top, _) = repository.top(case.git)?;
        let directory = [&top, b"/".as_slice(), module].concat();
        // One that was never filled belongs to the repository around it.
        if case
            .fs
            .lstat(&[&directory, b"/.git".as_slice()].concat())
            .is_err()
        {
            continue;
        }
        let tree = repository.other(directory);
        let all = if empties {
            whole(case, &tree)?
        } else {
            changes(case, &tree)?
        };
        if !all.is_empty() {
            return Ok(Some(Losses {
                repository: tree,
                against: Against::head(),
                all,
            }));
        }
    }
    Ok(None)
}

/// All that is in a work tree and nowhere else.
fn whole(case: &Case<'_>, tree: &Repository) -> Result<Vec<Loss>, Silence> {
    let mut all = changes(case, tree)?;
    all.extend(clean::removed(case, tree, &Taking::everything(), true)?);
    Ok(all)
}

fn changes(case: &Case<'_>, tree: &Repository) -> Result<Vec<Loss>, Silence> {
    let entries = status(tree, case.git, false, &[])?;
    Ok(entries
        .into_iter()
        .filter(Entry::holds_work)
        .map(|entry| Loss::new(Kind::Changed, entry.path))
        .collect())
}

/// Commits of a detached HEAD that no name leads to.
fn commits(case: &Case<'_>, tree: &Repository) -> Result<Option<Loss>, Silence> {
    if tree.holds(case.git, &["symbolic-ref", "--quiet", "HEAD"])? {
        return Ok(None);
    }
    let words = [
        "rev-list",
        "--abbrev-commit",
        "HEAD",
        "--not",
        "--branches",
        "--tags",
        "--remotes",
    ];
    let commits = tree.list(case.git, &words, b'\n')?;
    Ok(commits.first().map(|last| {
        let count = commits.len() as u64;
        let last = String::from_utf8_lossy(last);
        let what = format!("{count} commit{} up to {last}", plural(count));
        Loss::saying(Kind::Commits, *b"HEAD", what)
    }))
}
