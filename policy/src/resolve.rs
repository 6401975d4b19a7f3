//! Resolving a path on disk.

use crate::{Canonical, Fs, FsError, PathBuffer};

/// Most links followed for one path, as the kernel does.
pub const LINKS_MAX: usize = 40;

/// Resolves `path` against `cwd`, both on disk: every link is followed (the final one only if
/// `follow_final`, or if a slash comes after it), `..` is the directory above what the disk holds, and what
/// does not exist is kept lexically after the deepest existing parent.
pub fn canonicalise<'b>(
    _fs: &(impl Fs + ?Sized),
    _cwd: &[u8],
    _path: &[u8],
    _follow_final: bool,
    _out: &'b mut PathBuffer,
) -> Result<Canonical<'b>, FsError> {
    Err(FsError::Other(0))
}

/// As [`canonicalise`], below a directory that is known to be resolved already (what `getcwd` or
/// `/proc/self/fd` said): costs no call for it.
pub fn canonicalise_below<'b>(
    _fs: &(impl Fs + ?Sized),
    _directory: Canonical<'_>,
    _path: &[u8],
    _follow_final: bool,
    _out: &'b mut PathBuffer,
) -> Result<Canonical<'b>, FsError> {
    Err(FsError::Other(0))
}
