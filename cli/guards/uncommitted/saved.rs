//! What the commands of a string have put away, or are about to take out of reach, before a later one discards.

use crate::case::is_at_or_below;
use crate::git::{ADD, COMMIT, Invocation, Options, Word};

/// One work tree after the commands so far. They are taken to succeed: a later command that must not run otherwise
/// is joined to them by `&&`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Saved {
    /// Changes to tracked files are in a commit, a stash or a patch.
    pub(crate) tracked: bool,
    /// What was staged is in a commit.
    pub(super) staged: bool,
    /// Paths whose files, but for ignored ones, are in a commit or a stash.
    pub(super) committed: Vec<Vec<u8>>,
    /// Paths whose files are somewhere else altogether.
    pub(crate) copied: Vec<Vec<u8>>,
    /// Paths that were added to the index and not committed yet.
    pub(super) added: Vec<Vec<u8>>,
    added_tracked: bool,
    /// The string has made a stash, which holds what was uncommitted before.
    pub(super) stashed: bool,
    /// A stash has been applied.
    pub(super) applied: bool,
    /// The work tree has been taken to a state whose files are named by this and a path: `HEAD:`, `main:`, or `:` for
    /// the index.
    pub(super) moved: Option<Vec<u8>>,
}

pub(super) const STASH: Options = Options {
    short: "akm:pqSu",
    long: &[
        ("all", b'a'),
        ("include-untracked", b'u'),
        ("message=", b'm'),
        ("patch", b'p'),
        ("staged", b'S'),
        ("pathspec-from-file=", b'F'),
    ],
};

impl Saved {
    /// Whether a sub-command is one that matters here.
    pub(crate) fn is_changed_by(verb: &[u8]) -> bool {
        matches!(
            verb,
            b"add"
                | b"stage"
                | b"commit"
                | b"stash"
                | b"reset"
                | b"checkout"
                | b"switch"
                | b"restore"
        )
    }

    pub(crate) fn record(&mut self, top: &[u8], invocation: &Invocation) {
        let words = &invocation.words;
        let path = |word: &Word| {
            let word = word.as_deref()?;
            Some(match word {
                b"." => invocation.repository.directory.clone(),
                b":/" => top.to_vec(),
                path => lexical(&invocation.repository.at(path)),
            })
        };
        match invocation.verb.as_slice() {
            b"add" | b"stage" => {
                let line = ADD.read(words);
                if line.has_any(b"np") {
                } else if line.has(b'u') {
                    self.added_tracked = true;
                } else if line.has(b'A') && line.all().next().is_none() {
                    self.added.push(top.to_vec());
                } else {
                    self.added.extend(line.all().filter_map(path));
                }
            }
            b"commit" => {
                let line = COMMIT.read(words);
                if line.has_any(b"n") {
                    return;
                }
                self.staged = true;
                self.tracked |= line.has(b'a') || self.added_tracked;
                self.committed.append(&mut self.added);
                self.committed.extend(line.all().filter_map(path));
            }
            b"stash" => self.stash(top, words, path),
            verb => self.goes_to(verb, words),
        }
    }

    fn stash(&mut self, top: &[u8], words: &[Word], path: impl Fn(&Word) -> Option<Vec<u8>>) {
        let (action, rest) = action(words);
        match action {
            b"push" | b"save" => {
                let line = STASH.read(rest);
                if line.has(b'p') {
                    return;
                }
                self.stashed = true;
                self.moved = Some(b"HEAD:".to_vec());
                self.committed.append(&mut self.added);
                let some: Vec<_> = line.all().filter_map(path).collect();
                if action == b"push" && !some.is_empty() {
                    self.committed.extend(some);
                } else {
                    self.tracked |= !line.has(b'S');
                    self.staged = true;
                    if line.has(b'a') {
                        self.copied.push(top.to_vec());
                    } else if line.has(b'u') {
                        self.committed.push(top.to_vec());
                    }
                }
            }
            b"apply" => self.applied = true,
            // What the string put away is in the work tree again, and nowhere else.
            b"pop" | b"branch" => {
                let moved = self.moved.take();
                *self = Self {
                    moved,
                    ..Self::default()
                };
            }
            b"drop" | b"clear" => self.stashed = false,
            _ => {}
        }
    }

    /// Where reset, checkout, switch and restore take the files of the work tree.
    fn goes_to(&mut self, verb: &[u8], words: &[Word]) {
        let line = super::overwrites::options_of(verb).read(words);
        let first = line.operands.first().cloned().flatten();
        let named = |rev: Option<Vec<u8>>| {
            let rev = rev.unwrap_or_else(|| b"HEAD".to_vec());
            [
                if rev == b"-" { b"@{-1}".to_vec() } else { rev },
                b":".to_vec(),
            ]
            .concat()
        };
        // With paths only those change, and only files of rules matter.
        let takes_rules = |paths: &[Word]| {
            paths.iter().any(|path| {
                let path = path.as_deref().unwrap_or_default();
                matches!(path, b"." | b":/" | b"*") || path.ends_with(b".gitignore")
            })
        };
        let before = line.operands.as_slice();
        let behind = line.behind.as_deref().unwrap_or_default();
        let index = || Some(b":".to_vec());
        let moved = match verb {
            b"reset" if line.has_any(b"HMk") => Some(named(first)),
            b"restore" if !takes_rules(before) && !takes_rules(behind) => None,
            b"restore" if line.has(b's') => Some(named(line.value(b's').cloned().flatten())),
            b"restore" if line.has(b'S') => line.has(b'W').then(|| named(None)),
            b"restore" => index(),
            b"switch" if !line.has_any(b"cC") => first.map(|rev| named(Some(rev))),
            b"checkout" if line.has_any(b"bB") => None,
            b"checkout" if !behind.is_empty() => match first {
                _ if !takes_rules(behind) => None,
                Some(rev) => Some(named(Some(rev))),
                None => index(),
            },
            // A path, or a branch: git is asked when it matters.
            b"checkout" => match before {
                [_] if takes_rules(before) => index(),
                [_] => first.map(|rev| named(Some(rev))),
                [_, paths @ ..] if takes_rules(paths) => first.map(|rev| named(Some(rev))),
                _ => None,
            },
            _ => None,
        };
        if moved.is_some() {
            self.moved = moved;
        }
    }

    /// Whether a path, which begins at the root, is in a commit or a stash by now.
    pub(super) fn holds(&self, path: &[u8]) -> bool {
        self.committed
            .iter()
            .any(|known| is_at_or_below(path, known))
            || self.has_copy(path)
    }

    /// Whether it was copied or moved by name.
    pub(super) fn has_copy(&self, path: &[u8]) -> bool {
        self.copied.iter().any(|known| is_at_or_below(path, known))
    }

    /// Whether a change to a tracked file was added to the index.
    pub(super) fn has_staged(&self, path: &[u8]) -> bool {
        self.added_tracked || self.has_added(path)
    }

    /// Whether it was added to the index.
    pub(super) fn has_added(&self, path: &[u8]) -> bool {
        self.added.iter().any(|known| is_at_or_below(path, known))
    }
}

/// What `git stash` is asked to do, and the words after that.
pub(super) fn action(words: &[Word]) -> (&[u8], &[Word]) {
    match words.split_first() {
        Some((Some(action), rest)) if !action.starts_with(b"-") => (action, rest),
        _ => (b"push", words),
    }
}

/// A path without dots, which git takes out of what it is given without a look at the disk.
fn lexical(path: &[u8]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = Vec::new();
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    [b"/".as_slice(), &names.join(&b'/')].concat()
}
