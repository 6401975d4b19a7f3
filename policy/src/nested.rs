//! Repositories inside the project: removing one may take the only copy of a history.

use crate::project::kind_behind;
use crate::repository::below;
use crate::{Act, Canonical, Fs, Kind, Policy, Subject};

/// The longest configuration that is read. One with more in it has a remote, or is nobody's scratch.
const CONFIG_MAX: usize = 4096;

/// Whether an act that the policy allows takes a repository inside the project that has commits and no remote:
/// its history is nowhere else. An `allow` line for the very path lifts it.
#[must_use]
pub fn takes_only_history(policy: &Policy<'_>, fs: &dyn Fs, subject: &Subject<'_>) -> bool {
    let path = subject.path;
    subject.act == Act::RemoveTree
        && policy.project().is_some_and(|root| path.is_below(root))
        && !policy.spelt(path)
        && is_only_copy(fs, path)
}

/// A `.git` file is a worktree's or a submodule's: what it points to is elsewhere.
fn is_only_copy(fs: &dyn Fs, directory: Canonical<'_>) -> bool {
    let Some(repository) = below(directory, b".git") else {
        return false;
    };
    kind_behind(fs, repository.as_bytes()) == Some(Kind::Directory)
        && has_no_remote(fs, repository.canonical())
        && has_commits(fs, repository.canonical())
}

fn has_no_remote(fs: &dyn Fs, repository: Canonical<'_>) -> bool {
    let mut room = [0; CONFIG_MAX];
    let config = below(repository, b"config")
        .and_then(|file| fs.read(file.as_bytes(), &mut room).ok())
        .and_then(|length| room.get(..length));
    config.is_some_and(|config| {
        !config
            .split(|&byte| byte == b'\n')
            .any(|line| line.trim_ascii_start().starts_with(b"[remote "))
    })
}

fn has_commits(fs: &dyn Fs, repository: Canonical<'_>) -> bool {
    let packed = below(repository, b"packed-refs");
    if packed.is_some_and(|file| fs.lstat(file.as_bytes()).is_ok_and(|meta| meta.size > 0)) {
        return true;
    }
    let mut any = false;
    below(repository, b"refs/heads")
        .is_some_and(|heads| fs.list(heads.as_bytes(), &mut |_| any = true).is_ok())
        && any
}

#[cfg(test)]
mod tests {
    use super::is_only_copy;
    use crate::Canonical;
    use crate::fake::FakeFs;

    #[test]
    fn a_history_without_a_remote_is_the_only_copy() {
        const COMMITTED: (&str, &str) = ("/p/r/.git/refs/heads/main", "file 1f");
        const PLAIN: (&str, &str) = ("/p/r/.git/config", "file [core]\n\tbare = false\n");
        const REMOTE: (&str, &str) = ("/p/r/.git/config", "file [core]\n [remote \"o\"]\n");
        const PACKED: (&str, &str) = ("/p/r/.git/packed-refs", "file 1f refs/heads/main\n");
        for (rows, expected) in [
            (&[PLAIN, COMMITTED][..], true),
            (&[PLAIN, PACKED], true),
            (&[REMOTE, COMMITTED], false),
            // No commit yet, no configuration, a submodule, no repository.
            (&[PLAIN, ("/p/r/.git/refs/heads", "dir")], false),
            (&[COMMITTED], false),
            (&[("/p/r/.git", "file gitdir: ../.git/modules/r\n")], false),
            (&[("/p/r/file", "file x")], false),
        ] {
            let fs = FakeFs::new(rows);
            let directory = Canonical::new(b"/p/r").unwrap();
            assert_eq!(is_only_copy(&fs, directory), expected, "{rows:?}");
        }
    }
}
