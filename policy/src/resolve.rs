//! Resolving a path on disk.

use crate::path::TooLong;
use crate::{Canonical, Fs, FsError, Kind, PATH_ROOM, PathBuffer};

/// Most links followed for one path, as the kernel does.
pub const LINKS_MAX: usize = 40;

/// EINVAL: a path with a NUL byte in it cannot be asked for.
const INVALID: FsError = FsError::Other(22);

/// Resolves `path` against `cwd`, both on disk: every link is followed (the final one only if
/// `follow_final`, or if a slash comes after it), `..` is the directory above what the disk holds, and what
/// does not exist is kept lexically after the deepest existing parent.
///
/// A relative path needs an absolute `cwd`; an empty path is [`FsError::NotFound`], as for the kernel.
pub fn canonicalise<'b>(
    fs: &(impl Fs + ?Sized),
    cwd: &[u8],
    path: &[u8],
    follow_final: bool,
    out: &'b mut PathBuffer,
) -> Result<Canonical<'b>, FsError> {
    out.clear();
    if !path.starts_with(b"/") {
        if !cwd.starts_with(b"/") {
            return Err(FsError::NotFound);
        }
        walk(fs, cwd, true, out)?;
    }
    walk(fs, path, follow_final, out)?;
    Ok(out.canonical())
}

/// As [`canonicalise`], below a directory that is known to be resolved already (what `getcwd` or
/// `/proc/self/fd` said): costs no call for it.
pub fn canonicalise_below<'b>(
    fs: &(impl Fs + ?Sized),
    directory: Canonical<'_>,
    path: &[u8],
    follow_final: bool,
    out: &'b mut PathBuffer,
) -> Result<Canonical<'b>, FsError> {
    out.set(directory)?;
    walk(fs, path, follow_final, out)?;
    Ok(out.canonical())
}

impl From<TooLong> for FsError {
    fn from(_: TooLong) -> Self {
        Self::TooLong
    }
}

/// Goes down `path` from where `at` is; an absolute path begins at the root.
fn walk(
    fs: &(impl Fs + ?Sized),
    path: &[u8],
    follow_final: bool,
    at: &mut PathBuffer,
) -> Result<(), FsError> {
    if path.is_empty() {
        return Err(FsError::NotFound);
    }
    if path.contains(&0) {
        return Err(INVALID);
    }
    let mut pending = Pending::new(path)?;
    if path[0] == b'/' {
        at.clear();
    }
    let mut links = 0;
    while let Some(component) = pending.next() {
        match pending.get(component) {
            b"." => continue,
            b".." => {
                at.pop();
                continue;
            }
            name => at.push(name)?,
        }
        // A slash after the final component makes the kernel follow it too.
        let follow = follow_final || !pending.is_empty();
        if !follow {
            break;
        }
        match fs.lstat(at.as_bytes()) {
            Ok(meta) if meta.kind == Kind::Symlink => {
                links += 1;
                if links > LINKS_MAX {
                    return Err(FsError::Loop);
                }
                if pending.put_link(fs, at.as_bytes())? {
                    at.clear();
                } else {
                    at.pop();
                }
            }
            Ok(_) | Err(FsError::NotFound | FsError::NotDirectory) => {}
            Err(error) => return Err(error),
        }
    }
    if cfg!(target_os = "macos") {
        leave_data_volume(at);
    }
    Ok(())
}

/// On macOS the writable half of the system is one volume whose directories also appear at the root, by
/// firmlinks, which no `readlink` shows.
fn leave_data_volume(at: &mut PathBuffer) {
    const VOLUME: Canonical<'static> = Canonical::literal(b"/System/Volumes/Data");
    const FIRMLINKS: [&[u8]; 8] = [
        b"Applications",
        b"Library",
        b"Users",
        b"Volumes",
        b"cores",
        b"home",
        b"opt",
        b"private",
    ];
    let Some(below) = at.canonical().below(VOLUME) else {
        return;
    };
    let first = below.split(|&byte| byte == b'/').next();
    if FIRMLINKS.iter().any(|&name| Some(name) == first) {
        at.cut_head(VOLUME.as_bytes().len());
    }
}

/// What is still to be walked: text at the end of a buffer, so that a link's target fits in front of it.
struct Pending {
    bytes: [u8; PATH_ROOM],
    from: usize,
}

impl Pending {
    fn new(path: &[u8]) -> Result<Self, FsError> {
        let mut pending = Self {
            bytes: [0; PATH_ROOM],
            from: PATH_ROOM.checked_sub(path.len()).ok_or(FsError::TooLong)?,
        };
        pending.bytes[pending.from..].copy_from_slice(path);
        Ok(pending)
    }

    fn is_empty(&self) -> bool {
        self.from == PATH_ROOM
    }

    /// Takes the next component off; slashes before it are dropped, those after it stay.
    fn next(&mut self) -> Option<(usize, usize)> {
        let rest = &self.bytes[self.from..];
        let start = self.from + rest.iter().position(|&byte| byte != b'/')?;
        let name = &self.bytes[start..];
        let end = start
            + name
                .iter()
                .position(|&byte| byte == b'/')
                .unwrap_or(name.len());
        self.from = end;
        Some((start, end))
    }

    fn get(&self, (start, end): (usize, usize)) -> &[u8] {
        &self.bytes[start..end]
    }

    /// Puts the target of the link at `link` in front of the rest. Says whether it is absolute.
    fn put_link(&mut self, fs: &(impl Fs + ?Sized), link: &[u8]) -> Result<bool, FsError> {
        let room = &mut self.bytes[..self.from];
        let length = fs.readlink(link, room)?;
        // A target that fills the room may have been cut.
        if length >= room.len() {
            return Err(FsError::TooLong);
        }
        if length == 0 {
            return Err(FsError::NotFound);
        }
        let start = self.from - length;
        self.bytes.copy_within(..length, start);
        self.from = start;
        Ok(self.bytes[start] == b'/')
    }
}

#[cfg(test)]
mod tests;
