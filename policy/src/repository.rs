//! What git keeps where: the directory of a repository, and the worktrees that share it.

use crate::project::{kind_behind, resolved};
use crate::{Canonical, Fs, Kind, PathBuffer, canonicalise};

const DOT_GIT: &[u8] = b".git";

/// Longest pointer file that is read (`.git`, `gitdir`, `commondir`: one path).
const POINTER_MAX: usize = 4096 + 16;

/// A project root's repository.
pub(crate) struct Repository {
    /// `.git` at the root: a directory, a file or a link.
    pub(crate) name: PathBuffer,
    /// The directory it stands for.
    pub(crate) directory: PathBuffer,
    /// What all worktrees share; the same as `directory` in the main one.
    pub(crate) common: PathBuffer,
    /// Whether `directory` and the root name each other, or are the main worktree's.
    shares: bool,
}

/// Whether `.git` marks a directory as a root: a directory, or a file that points to one.
pub(crate) fn is_marked(fs: &(impl Fs + ?Sized), root: Canonical<'_>) -> bool {
    let Some(name) = below(root, DOT_GIT) else {
        return false;
    };
    match kind_behind(fs, name.as_bytes()) {
        Some(Kind::Directory) => true,
        Some(Kind::File) => pointer(fs, name.as_bytes(), b"gitdir:", root).is_some(),
        _ => false,
    }
}

impl Repository {
    /// Finds the repository of a root; `None` if there is none, or if `.git` points to no repository.
    pub(crate) fn find(fs: &(impl Fs + ?Sized), root: Canonical<'_>) -> Option<Self> {
        let name = below(root, DOT_GIT)?;
        let kind = kind_behind(fs, name.as_bytes())?;
        if kind == Kind::Directory {
            let directory = resolved(fs, name.as_bytes())?;
            let common = directory.clone();
            return Some(Self {
                name,
                directory,
                common,
                shares: true,
            });
        }
        let directory = pointer(fs, name.as_bytes(), b"gitdir:", root)?;
        exists(fs, directory.canonical(), b"HEAD")?;
        let common = pointer_in(fs, directory.canonical(), b"commondir");
        let back = pointer_in(fs, directory.canonical(), b"gitdir");
        let shares =
            common.is_some() && back.is_some_and(|back| back.canonical() == name.canonical());
        let common = common.unwrap_or_else(|| directory.clone());
        exists(fs, common.canonical(), b"objects")?;
        Some(Self {
            name,
            directory,
            common,
            shares,
        })
    }

    /// `.git` at a root.
    pub(crate) fn name_at(root: Canonical<'_>) -> Option<PathBuffer> {
        below(root, DOT_GIT)
    }

    /// Its paths, each once.
    pub(crate) fn places(&self) -> impl Iterator<Item = Canonical<'_>> {
        let all = [&self.name, &self.directory, &self.common].map(PathBuffer::canonical);
        (0..all.len())
            .filter(move |&at| !all[..at].contains(&all[at]))
            .map(move |at| all[at])
    }

    /// Whether the directories it is kept in are what they claim to be as far as `safe` can tell.
    pub(crate) fn is_kept_where(&self, safe: impl Fn(Canonical<'_>) -> bool) -> bool {
        safe(self.directory.canonical()) && safe(self.common.canonical())
    }

    /// Calls `each` with the root of every other worktree, the main one first.
    pub(crate) fn each_worktree(
        &self,
        fs: &(impl Fs + ?Sized),
        each: &mut dyn FnMut(Canonical<'_>),
    ) {
        if !self.shares {
            return;
        }
        let common = self.common.canonical();
        if common.name() == DOT_GIT && self.common.canonical() != self.directory.canonical() {
            common.parent().into_iter().for_each(&mut *each);
        }
        let Some(worktrees) = below(common, b"worktrees") else {
            return;
        };
        // A directory that is not there or cannot be listed has no worktrees for us: the scope gets narrower.
        fs.list(worktrees.as_bytes(), &mut |entry| {
            let Some(administrative) = below(worktrees.canonical(), entry) else {
                return;
            };
            if administrative.canonical() != self.directory.canonical()
                && let Some(name) = linked(fs, administrative.canonical())
                && let Some(root) = name.canonical().parent()
            {
                each(root);
            }
        })
        .unwrap_or(());
    }
}

/// The `.git` file of the worktree that `administrative` belongs to, if the two name each other.
fn linked(fs: &(impl Fs + ?Sized), administrative: Canonical<'_>) -> Option<PathBuffer> {
    let name = pointer_in(fs, administrative, b"gitdir")?;
    let back = pointer(fs, name.as_bytes(), b"gitdir:", name.canonical().parent()?)?;
    (back.canonical() == administrative).then_some(name)
}

/// Reads the path in `directory/file`, which git writes relative to `directory`.
fn pointer_in(
    fs: &(impl Fs + ?Sized),
    directory: Canonical<'_>,
    file: &[u8],
) -> Option<PathBuffer> {
    let path = below(directory, file)?;
    pointer(fs, path.as_bytes(), b"", directory)
}

/// Reads a file that holds `prefix` and one path, and resolves it against `base`.
fn pointer(
    fs: &(impl Fs + ?Sized),
    file: &[u8],
    prefix: &[u8],
    base: Canonical<'_>,
) -> Option<PathBuffer> {
    let mut content = [0; POINTER_MAX];
    let length = fs.read(file, &mut content).ok()?;
    let path = content[..length].strip_prefix(prefix)?.trim_ascii();
    if path.contains(&b'\n') {
        return None;
    }
    let mut out = PathBuffer::new();
    canonicalise(fs, base.as_bytes(), path, true, &mut out).ok()?;
    Some(out)
}

pub(crate) fn below(directory: Canonical<'_>, name: &[u8]) -> Option<PathBuffer> {
    let mut path = PathBuffer::new();
    path.set(directory).ok()?;
    path.push_lexically(name).ok()?;
    Some(path)
}

fn exists(fs: &(impl Fs + ?Sized), directory: Canonical<'_>, name: &[u8]) -> Option<()> {
    fs.lstat(below(directory, name)?.as_bytes())
        .ok()
        .map(|_| ())
}
