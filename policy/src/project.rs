//! Where a session works: the project root and the temporary directories.

use crate::contract::PROJECT_FILE;
use crate::{Canonical, Fs, Kind, PathBuffer, canonicalise, floor, repository};

/// Whether a directory can be a project root: no system directory, no home, nothing above a home.
pub(crate) fn may_be_root<'h>(
    directory: Canonical<'_>,
    mut homes: impl Iterator<Item = Canonical<'h>>,
) -> bool {
    !floor::never_root(directory) && !homes.any(|home| home.is_at_or_below(directory))
}

/// The project root of a session that begins in `start`.
///
/// It is the nearest directory with a marker that may be one; else `start` itself, unless that is a
/// temporary directory, which is in the scope anyway and precious to nobody.
pub(crate) fn find_root<'s, 'h, I: Iterator<Item = Canonical<'h>>>(
    fs: &(impl Fs + ?Sized),
    start: Canonical<'s>,
    homes: impl Fn() -> I,
    temporary: &Temporary,
) -> Option<Canonical<'s>> {
    start
        .ancestors()
        .find(|&directory| may_be_root(directory, homes()) && has_marker(fs, directory))
        .or_else(|| {
            let plain = floor::plain_root(start)
                && may_be_root(start, homes())
                && !temporary.holds_below(start);
            plain.then_some(start)
        })
}

fn has_marker(fs: &(impl Fs + ?Sized), directory: Canonical<'_>) -> bool {
    let mut file = PathBuffer::new();
    let named = file
        .set(directory)
        .and_then(|()| file.push(PROJECT_FILE))
        .is_ok();
    (named && fs.lstat(file.as_bytes()).is_ok()) || repository::is_marked(fs, directory)
}

/// The temporary directories of the default scope.
pub(crate) struct Temporary {
    system: Option<PathBuffer>,
    own: Option<PathBuffer>,
}

impl Temporary {
    /// `/tmp`, and `$TMPDIR` if it is absolute, not on the floor and above nothing that is.
    pub(crate) fn find<'h, I: Iterator<Item = Canonical<'h>>>(
        fs: &(impl Fs + ?Sized),
        tmpdir: Option<&[u8]>,
        homes: impl Fn() -> I,
    ) -> Self {
        let safe = |path: Canonical<'_>| !homes().any(|home| home.is_at_or_below(path));
        let system = resolved(fs, b"/tmp").filter(|path| {
            let path = path.canonical();
            let known =
                [b"/tmp".as_slice(), b"/private/tmp", b"/var/tmp"].contains(&path.as_bytes());
            known || (floor::fixed(path).is_none() && floor::system(path).is_none() && safe(path))
        });
        let own = tmpdir
            .filter(|path| path.starts_with(b"/"))
            .and_then(|path| resolved(fs, path));
        let own = own.filter(|path| {
            let path = path.canonical();
            let shared_memory = path.is_below(Canonical::literal(b"/dev/shm"));
            floor::fixed(path).is_none()
                && (floor::system(path).is_none() || shared_memory)
                && safe(path)
        });
        Self { system, own }
    }

    /// Leaves `$TMPDIR` out if it is above the project root, unless it is where macOS puts it: a variable
    /// must not widen a project's scope to its neighbours.
    pub(crate) fn heed_root(&mut self, root: Canonical<'_>) {
        let folders = [
            Canonical::literal(b"/private/var/folders"),
            Canonical::literal(b"/var/folders"),
        ];
        self.own.take_if(|path| {
            let path = path.canonical();
            root.is_below(path) && !folders.iter().any(|&top| path.is_below(top))
        });
    }

    /// `/tmp`, resolved.
    pub(crate) fn system(&self) -> Option<Canonical<'_>> {
        self.system.as_ref().map(PathBuffer::canonical)
    }

    /// `$TMPDIR`, resolved, unless `/tmp` holds it.
    pub(crate) fn own(&self) -> Option<Canonical<'_>> {
        let own = self.own.as_ref().map(PathBuffer::canonical);
        own.filter(|own| {
            !self
                .system()
                .is_some_and(|system| own.is_at_or_below(system))
        })
    }

    /// Whether a path lies strictly below one of them.
    pub(crate) fn holds_below(&self, path: Canonical<'_>) -> bool {
        [self.system(), self.own()]
            .into_iter()
            .flatten()
            .any(|top| path.is_below(top))
    }

    /// Whether a path is one of them or lies below it.
    pub(crate) fn holds(&self, path: Canonical<'_>) -> bool {
        [self.system(), self.own()]
            .into_iter()
            .flatten()
            .any(|top| path.is_at_or_below(top))
    }
}

/// A path from the environment, resolved; `None` if that fails.
pub(crate) fn resolved(fs: &(impl Fs + ?Sized), path: &[u8]) -> Option<PathBuffer> {
    let mut out = PathBuffer::new();
    canonicalise(fs, b"", path, true, &mut out).ok()?;
    Some(out)
}

/// What a path is once links are followed.
pub(crate) fn kind_behind(fs: &(impl Fs + ?Sized), path: &[u8]) -> Option<Kind> {
    let target = resolved(fs, path)?;
    Some(fs.lstat(target.as_bytes()).ok()?.kind)
}
