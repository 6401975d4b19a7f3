//! Words that name everything at the top of the project: what a shell makes of `rm -rf *` when `cd build` has
//! failed before it. The glob is gone by the time that the program starts; what it matched is not.

use blastradius_policy::programs::{Directory, Effect, Reader, Spelled, Word};
use blastradius_policy::{Act, Canonical, Fs, PathBuffer, Policy, canonicalise};

use super::words::Pages;
use crate::decide;
use crate::disk::Disk;

/// Fewer names may well have been written out by hand.
pub(super) const NAMES_LEAST: usize = 3;

/// Whether the words take every visible name at the top of the project, and something there is older than the
/// session.
pub(super) fn takes_all(policy: &Policy<'_>, cwd: &[u8], read: Reader, words: &[Word<'_>]) -> bool {
    let Some(root) = policy.project().filter(|&root| !policy.spelt(root)) else {
        return false;
    };
    let Some(mut named) = Pages::new(words.len()) else {
        return false;
    };
    let named = named.as_mut_slice(words.len());
    let mut directory = Remembered::new(cwd);
    let mut count = 0;
    read(words, &mut |effect| {
        if let Effect::Path {
            act: Act::Remove | Act::RemoveTree,
            path:
                Spelled {
                    piece,
                    directory: Directory::Current,
                },
            certain: true,
            ..
        } = effect
            && let Some(word) = words.get(piece.index)
            && directory.is(parent(word.prefix()), root)
            && let Some(mark) = named.get_mut(piece.index)
        {
            *mark = 1;
            count += 1;
        }
    });
    if count < NAMES_LEAST {
        return false;
    }
    let (mut all, mut any_old) = (true, false);
    let listed = Disk.list(root.as_bytes(), &mut |name| {
        if !all || name.starts_with(b".") {
            return;
        }
        let mut operands = words.iter().zip(named.iter());
        all = operands.any(|(word, &mark)| mark == 1 && base(word.prefix()) == name);
        any_old = any_old || !is_new(root, name);
    });
    listed.is_ok() && all && any_old
}

fn is_new(root: Canonical<'_>, name: &[u8]) -> bool {
    let mut path = PathBuffer::new();
    let whole = path.set(root).and_then(|()| path.push(name));
    whole.is_ok() && decide::is_born_later(path.canonical())
}

fn without_slashes(word: &[u8]) -> &[u8] {
    let end = word.iter().rposition(|&byte| byte != b'/');
    end.map_or(b"", |last| &word[..=last])
}

/// What stands before the final component, with its slash.
fn parent(word: &[u8]) -> &[u8] {
    let word = without_slashes(word);
    let slash = word.iter().rposition(|&byte| byte == b'/');
    slash.map_or(b"", |slash| &word[..=slash])
}

fn base(word: &[u8]) -> &[u8] {
    let word = without_slashes(word);
    &word[parent(word).len()..]
}

/// Which directory a spelling leads to; most words of a line begin alike.
struct Remembered<'w> {
    cwd: &'w [u8],
    spelled: Option<&'w [u8]>,
    found: bool,
}

impl<'w> Remembered<'w> {
    const fn new(cwd: &'w [u8]) -> Self {
        Self {
            cwd,
            spelled: None,
            found: false,
        }
    }

    fn is(&mut self, spelled: &'w [u8], root: Canonical<'_>) -> bool {
        if self.spelled != Some(spelled) {
            let mut path = PathBuffer::new();
            let named = if spelled.is_empty() { b"." } else { spelled };
            let known = canonicalise(&Disk, self.cwd, named, true, &mut path);
            self.found = known.is_ok_and(|directory| directory == root);
            self.spelled = Some(spelled);
        }
        self.found
    }
}
