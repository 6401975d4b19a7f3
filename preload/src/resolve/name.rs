//! Names that are removed or replaced: the parent is pinned, the final component is kept as it is.

use core::ffi::{CStr, c_char, c_int};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use blastradius_policy::{PathBuffer, canonicalise};

use crate::disk::Disk;
use crate::memory::{self, PathCopy};
use crate::resolve::{WHOLE, Whereabouts, directory, push_lexically};
use crate::sys::{self, CWD, Descriptor, Errno, Result};
use crate::text::Text;

/// A name in a directory that is held.
pub(crate) struct Name<'c> {
    parent: Parent,
    base: &'c CStr,
    whereabouts: Whereabouts,
}

enum Parent {
    /// The caller's dirfd, or the working directory.
    Given(c_int),
    Held(Descriptor),
}

impl Name<'_> {
    /// Where the act goes through, together with [`Name::base`].
    pub(crate) const fn dirfd(&self) -> c_int {
        match &self.parent {
            Parent::Given(fd) => *fd,
            Parent::Held(descriptor) => descriptor.number(),
        }
    }

    /// The final component, with the slashes that came after it.
    pub(crate) const fn base(&self) -> &CStr {
        self.base
    }

    /// Both, as system calls take them.
    pub(crate) const fn pair(&self) -> (c_int, *const c_char) {
        (self.dirfd(), self.base.as_ptr())
    }

    pub(crate) const fn whereabouts(&self) -> &Whereabouts {
        &self.whereabouts
    }

    pub(super) fn into_whereabouts(self) -> Whereabouts {
        self.whereabouts
    }
}

/// Resolves the parent of `path`. None: whatever the kernel says, it removes nothing (an empty path, one that
/// ends in `.` or `..`, or is too long), so the call is its own business. An error is the one that the kernel
/// would have given for the parent.
#[inline]
pub(crate) fn name<'c>(
    dirfd: c_int,
    path: *const c_char,
    copy: &'c mut PathCopy,
) -> Result<Option<Name<'c>>> {
    match memory::copy_path(path, copy) {
        Err(Errno(libc::ENAMETOOLONG)) => return Ok(None),
        copied => copied?,
    }
    let Some((start, end)) = final_component(copy.as_bytes()) else {
        return Ok(None);
    };
    if start > 0 {
        return below(dirfd, copy, start, end).map(Some);
    }
    let mut whereabouts = directory(dirfd);
    whereabouts.push(&copy.as_bytes()[..end]);
    Ok(Some(Name {
        parent: Parent::Given(dirfd),
        base: copy.as_c_str(),
        whereabouts,
    }))
}

/// As [`name`], but None also where the final component is not that of one of `files`.
pub(crate) fn name_among<'c>(
    dirfd: c_int,
    path: *const c_char,
    copy: &'c mut PathCopy,
    files: &[&[u8]],
) -> Result<Option<Name<'c>>> {
    memory::copy_path(path, copy)?;
    let Some((start, end)) = final_component(copy.as_bytes()) else {
        return Ok(None);
    };
    let base = &copy.as_bytes()[start..end];
    let among = files
        .iter()
        .any(|file| file.rsplit(|&byte| byte == b'/').next() == Some(base));
    if among {
        name(dirfd, path, copy)
    } else {
        Ok(None)
    }
}

/// Where the final component begins and ends in a path that ends in a NUL; None if it has none that can be
/// removed.
fn final_component(path: &[u8]) -> Option<(usize, usize)> {
    let path = path.strip_suffix(b"\0").unwrap_or(path);
    let end = path.iter().rposition(|&byte| byte != b'/')? + 1;
    let slash = path[..end].iter().rposition(|&byte| byte == b'/');
    let start = slash.map_or(0, |slash| slash + 1);
    (!matches!(&path[start..end], b"." | b"..")).then_some((start, end))
}

/// `path` holds a parent, `[..start]`, and a final component, `[start..end]`.
fn below<'c>(dirfd: c_int, path: &'c mut PathCopy, start: usize, end: usize) -> Result<Name<'c>> {
    // The slash between the two becomes the NUL of the parent, which for the root is that slash alone.
    path.as_mut_bytes()[start - 1] = 0;
    let parent = if start == 1 { c"/" } else { path.as_c_str() };
    match hold(dirfd, parent) {
        Ok((descriptor, mut whereabouts)) => {
            whereabouts.push(&path.as_bytes()[start..end]);
            Ok(Name {
                parent: Parent::Held(descriptor),
                base: c_str(&path.as_bytes()[start..]),
                whereabouts,
            })
        }
        // No descriptor is to be had: the path is looked up twice, and a link put there in between goes
        // unseen. Refusing would break programs that clean up for want of descriptors.
        Err(Errno(libc::EMFILE | libc::ENFILE)) => {
            path.as_mut_bytes()[start - 1] = b'/';
            Ok(Name {
                parent: Parent::Given(dirfd),
                whereabouts: look_up(dirfd, &path.as_bytes()[..end]),
                base: path.as_c_str(),
            })
        }
        Err(errno) => Err(errno),
    }
}

fn c_str(bytes: &[u8]) -> &CStr {
    CStr::from_bytes_until_nul(bytes).unwrap_or(c"")
}

/// Whether `openat2` has been found missing (before Linux 5.6) or forbidden (by a sandbox).
static WITHOUT_OPENAT2: AtomicBool = AtomicBool::new(false);

/// Opens a directory and says where it is.
fn hold(dirfd: c_int, path: &CStr) -> Result<(Descriptor, Whereabouts)> {
    let absolute = path.to_bytes().starts_with(b"/");
    if (absolute || dirfd == CWD) && !WITHOUT_OPENAT2.load(Relaxed) {
        // A path that meets no link is canonical but for its dots, which spares asking the kernel for it.
        match sys::open_directory_without_links(dirfd, path) {
            Ok(descriptor) => {
                let whereabouts = lexically(absolute, path.to_bytes())
                    .unwrap_or_else(|| directory(descriptor.number()));
                return Ok((descriptor, whereabouts));
            }
            Err(Errno(libc::ELOOP)) => {}
            Err(Errno(libc::ENOSYS | libc::EPERM | libc::E2BIG | libc::EINVAL)) => {
                WITHOUT_OPENAT2.store(true, Relaxed);
            }
            Err(errno) => return Err(errno),
        }
    }
    let descriptor = sys::open_directory(dirfd, path)?;
    let whereabouts = directory(descriptor.number());
    Ok((descriptor, whereabouts))
}

/// Where a path without links leads, from the root or from the working directory.
fn lexically(absolute: bool, path: &[u8]) -> Option<Whereabouts> {
    let mut text = Text::<WHOLE>::new();
    if absolute {
        text.push(b'/').ok()?;
    } else {
        text.fill(sys::getcwd).ok()?;
        if !text.as_bytes().starts_with(b"/") {
            return None;
        }
    }
    push_lexically(&mut text, path).ok()?;
    Some(Whereabouts {
        text,
        shortened: false,
    })
}

/// Where a path leads, by looking at each component.
#[cold]
#[inline(never)]
fn look_up(dirfd: c_int, path: &[u8]) -> Whereabouts {
    let mut out = PathBuffer::new();
    let start = directory(dirfd);
    let mut found = Whereabouts::unknown();
    let start = start.path().map_or(&b""[..], |path| path.as_bytes());
    if let Ok(path) = canonicalise(&Disk, start, path, false, &mut out)
        && found.text.append(path.as_bytes()).is_err()
    {
        return Whereabouts::unknown();
    }
    found
}
