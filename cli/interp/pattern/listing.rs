//! Expanding a glob against the disk.

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

use super::{Pattern, PatternRef};

/// How a shell expands globs.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// Hidden names match too.
    pub(crate) hidden: bool,
    /// `.` and `..` are names like others.
    pub(crate) dots: bool,
    /// Where `**` goes down.
    pub(crate) recursive: Recursive,
}

/// Where `**` stands for any number of directories.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recursive {
    Nowhere,
    /// `**/`
    BeforeSlash,
    /// And at the end.
    Everywhere,
}

/// What stops a glob from being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobError {
    /// More names than anybody would list.
    TooMany,
}

/// Names looked at in one expansion.
const MOST_LOOKED_AT: usize = 200_000;
/// Names that may match.
const MOST_MATCHES: usize = 20_000;

/// The names that match, sorted by bytes; as the shell spells them (relative stays relative).
pub(crate) fn expand(
    fs: &dyn Fs,
    cwd: &[u8],
    pattern: &Pattern,
    how: How,
) -> Result<Vec<Vec<u8>>, GlobError> {
    let mut disk = Disk {
        fs,
        cwd,
        how,
        looked_at: 0,
    };
    let mut spelled: Vec<Vec<u8>> = vec![Vec::new()];
    let mut found = false;
    let mut at = 0;
    while at < pattern.bytes.len() {
        let all = pattern.bytes[at..]
            .iter()
            .take_while(|byte| **byte == b'/')
            .count();
        // Behind what they have found most shells write one of them, dash does not.
        let slashes = if found && !how.dots { all.min(1) } else { all };
        for path in &mut spelled {
            // What has gone down to nothing is followed by no slash.
            if at == 0 || !path.is_empty() && !path.ends_with(b"/") {
                path.extend(std::iter::repeat_n(b'/', slashes));
            }
        }
        at += all;
        let end = pattern.bytes[at..]
            .iter()
            .position(|byte| *byte == b'/')
            .map_or(pattern.bytes.len(), |n| n + at);
        if end == at {
            break;
        }
        let component = pattern.slice(at..end);
        let last = end == pattern.bytes.len();
        found |= component.is_glob();
        let mut next = Vec::new();
        for path in spelled {
            disk.matching(component, path, last, &mut next)?;
            if next.len() > MOST_MATCHES {
                return Err(GlobError::TooMany);
            }
        }
        spelled = next;
        if !last {
            spelled.retain(|path| path.is_empty() || is_directory(fs, cwd, path));
        } else if !component.is_glob() {
            spelled.retain(|path| exists(fs, cwd, path));
        }
        at = end;
    }
    spelled.retain(|path| !path.is_empty());
    Ok(spelled)
}

/// A disk that is searched, and how much of it has been looked at.
struct Disk<'a> {
    fs: &'a dyn Fs,
    cwd: &'a [u8],
    how: How,
    looked_at: usize,
}

impl Disk<'_> {
    /// Adds what a component makes of the path before it.
    fn matching(
        &mut self,
        component: PatternRef<'_>,
        path: Vec<u8>,
        last: bool,
        out: &mut Vec<Vec<u8>>,
    ) -> Result<(), GlobError> {
        if component.is_recursive()
            && match self.how.recursive {
                Recursive::Nowhere => false,
                Recursive::BeforeSlash => !last,
                Recursive::Everywhere => true,
            }
        {
            return self.below(path, last, out);
        }
        if !component.is_glob() {
            let mut longer = path;
            longer.extend_from_slice(&component.unescaped());
            out.push(longer);
            return Ok(());
        }
        let escaped = usize::from(component.is_active(0, b'\\'));
        let shown = component.bytes.get(escaped) == Some(&b'.');
        let first = out.len();
        let mut take = |name: &[u8]| {
            if (name[0] != b'.' || shown || self.how.hidden) && component.takes(name) {
                out.push([path.as_slice(), name].concat());
            }
        };
        if self.how.dots && shown {
            take(b".");
            take(b"..");
        }
        list(self.fs, self.cwd, &path, &mut self.looked_at, &mut take)?;
        out[first..].sort_unstable();
        Ok(())
    }

    /// Every directory at and below a path, links not followed; at the end of a pattern every name.
    fn below(
        &mut self,
        path: Vec<u8>,
        last: bool,
        out: &mut Vec<Vec<u8>>,
    ) -> Result<(), GlobError> {
        let mut names = Vec::new();
        list(self.fs, self.cwd, &path, &mut self.looked_at, &mut |name| {
            if name[0] != b'.' || self.how.hidden {
                names.push(name.to_vec());
            }
        })?;
        names.sort_unstable();
        out.push(path.clone());
        for name in names {
            let longer = [path.as_slice(), &name].concat();
            if is_real_directory(self.fs, self.cwd, &longer) {
                let deeper = [longer.as_slice(), b"/"].concat();
                let start = out.len();
                self.below(deeper, last, out)?;
                if last {
                    out[start] = longer;
                }
            } else if last {
                out.push(longer);
            }
            if out.len() > MOST_MATCHES {
                return Err(GlobError::TooMany);
            }
        }
        Ok(())
    }
}

impl PatternRef<'_> {
    fn is_recursive(self) -> bool {
        self.bytes == b"**" && self.active == [true, true]
    }

    /// Whether a name matches, counted in bytes or in characters: that is up to the locale.
    fn takes(self, name: &[u8]) -> bool {
        if name.is_ascii() {
            return self.matches(name);
        }
        let characters: Vec<u8> = String::from_utf8_lossy(name)
            .chars()
            .map(|character| {
                u8::try_from(character)
                    .ok()
                    .filter(u8::is_ascii)
                    .unwrap_or(0xff)
            })
            .collect();
        self.matches(name) || self.matches(&characters)
    }

    fn unescaped(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        while at < self.bytes.len() {
            at += usize::from(self.is_active(at, b'\\') && at + 1 < self.bytes.len());
            out.push(self.bytes[at]);
            at += 1;
        }
        out
    }
}

/// Calls `each` with the names in a directory. As in a shell, what cannot be listed holds none.
fn list(
    fs: &dyn Fs,
    cwd: &[u8],
    path: &[u8],
    looked_at: &mut usize,
    each: &mut dyn FnMut(&[u8]),
) -> Result<(), GlobError> {
    let mut buffer = PathBuffer::new();
    let path = if path.is_empty() { &b"."[..] } else { path };
    let Ok(directory) = canonicalise(fs, cwd, path, true, &mut buffer) else {
        return Ok(());
    };
    let mut too_many = false;
    let listed = fs.list(directory.as_bytes(), &mut |name| {
        *looked_at += 1;
        too_many |= *looked_at > MOST_LOOKED_AT;
        if !too_many && name != b"." && name != b".." {
            each(name);
        }
    });
    match listed {
        _ if too_many => Err(GlobError::TooMany),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn is_real_directory(fs: &dyn Fs, cwd: &[u8], path: &[u8]) -> bool {
    let mut buffer = PathBuffer::new();
    canonicalise(fs, cwd, path, false, &mut buffer)
        .and_then(|path| fs.lstat(path.as_bytes()))
        .is_ok_and(|meta| meta.kind == Kind::Directory)
}

fn is_directory(fs: &dyn Fs, cwd: &[u8], path: &[u8]) -> bool {
    let mut buffer = PathBuffer::new();
    canonicalise(fs, cwd, path, true, &mut buffer)
        .and_then(|path| fs.lstat(path.as_bytes()))
        .is_ok_and(|meta| meta.kind == Kind::Directory)
}

fn exists(fs: &dyn Fs, cwd: &[u8], path: &[u8]) -> bool {
    let mut buffer = PathBuffer::new();
    canonicalise(fs, cwd, path, false, &mut buffer)
        .and_then(|path| fs.lstat(path.as_bytes()))
        .is_ok()
}
