//! The sub-commands that overwrite files which git tracks, and with what.

use blastradius_policy::Kind as FileKind;

use super::Case;
use crate::git::{Line, Options, Silence, Word};

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
pub(super) enum Overwrites {
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

pub(super) fn overwrites(case: &Case<'_>) -> Result<Option<Overwrites>, Silence> {
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
        .is_ok_and(|meta| meta.kind == FileKind::Directory);
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
