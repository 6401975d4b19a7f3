//! Names that are removed or replaced: the parent is pinned, the final component is kept as it is.

use core::ffi::{CStr, c_char, c_int};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use blastradius_policy::calls::is_name_of_guard;
use blastradius_policy::{PathBuffer, canonicalise};

use crate::disk::Disk;
use crate::loan::Lent;
use crate::memory::{self, PathCopy};
use crate::resolve::{Whereabouts, directory, push_lexically};
use crate::sys::{self, CWD, Descriptor, Errno, Result};
use crate::valgrind;

/// Room for resolving one name.
pub(crate) struct Room {
    copy: PathCopy,
    whereabouts: Whereabouts,
}

// SAFETY: both fields are begun.
unsafe impl Lent for Room {
    #[inline(always)]
    unsafe fn begin(place: *mut Self) {
        // SAFETY: promised by the caller.
        unsafe {
            PathCopy::begin(&raw mut (*place).copy);
            Whereabouts::begin(&raw mut (*place).whereabouts);
        }
    }
}

/// A name in a directory that is held.
pub(crate) struct Name<'r> {
    parent: Parent,
    base: &'r CStr,
    whereabouts: &'r Whereabouts,
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
        self.whereabouts
    }
}

/// Resolves the parent of `path`. None: whatever the kernel says, it removes nothing (an empty path, one that
/// ends in `.` or `..`, or is too long), so the call is its own business. An error is the one that the kernel
/// would have given for the parent.
#[inline]
pub(crate) fn name<'r>(
    dirfd: c_int,
    path: *const c_char,
    room: &'r mut Room,
) -> Result<Option<Name<'r>>> {
    match memory::copy_path(path, &mut room.copy) {
        Err(Errno(libc::ENAMETOOLONG)) => return Ok(None),
        copied => copied?,
    }
    let Some((start, end)) = final_component(room.copy.as_bytes()) else {
        return Ok(None);
    };
    if start > 0 {
        return below(dirfd, room, start, end).map(Some);
    }
    directory(dirfd, &mut room.whereabouts);
    room.whereabouts.push(&room.copy.as_bytes()[..end]);
    Ok(Some(Name {
        parent: Parent::Given(dirfd),
        base: room.copy.as_c_str(),
        whereabouts: &room.whereabouts,
    }))
}

/// As [`name`], but None also where the final component is not that of a file of the guard.
pub(crate) fn name_of_guard<'r>(
    dirfd: c_int,
    path: *const c_char,
    room: &'r mut Room,
) -> Result<Option<Name<'r>>> {
    memory::copy_path(path, &mut room.copy)?;
    let Some((start, end)) = final_component(room.copy.as_bytes()) else {
        return Ok(None);
    };
    if is_name_of_guard(&room.copy.as_bytes()[start..end]) {
        name(dirfd, path, room)
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

/// The copy in `room` holds a parent, `[..start]`, and a final component, `[start..end]`.
fn below(dirfd: c_int, room: &mut Room, start: usize, end: usize) -> Result<Name<'_>> {
    let Room { copy, whereabouts } = room;
    // The slash between the two becomes the NUL of the parent, which for the root is that slash alone.
    copy.as_mut_bytes()[start - 1] = 0;
    let parent = if start == 1 { c"/" } else { copy.as_c_str() };
    match hold(dirfd, parent, whereabouts) {
        Ok(descriptor) => {
            whereabouts.push(&copy.as_bytes()[start..end]);
            Ok(Name {
                parent: Parent::Held(descriptor),
                base: c_str(&copy.as_bytes()[start..]),
                whereabouts,
            })
        }
        // No descriptor is to be had: the path is looked up twice, and a link put there in between goes
        // unseen. Refusing would break programs that clean up for want of descriptors.
        Err(Errno(libc::EMFILE | libc::ENFILE)) => {
            copy.as_mut_bytes()[start - 1] = b'/';
            look_up(dirfd, &copy.as_bytes()[..end], whereabouts);
            Ok(Name {
                parent: Parent::Given(dirfd),
                base: copy.as_c_str(),
                whereabouts,
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

/// Opens a directory and finds where it is.
fn hold(dirfd: c_int, path: &CStr, found: &mut Whereabouts) -> Result<Descriptor> {
    let absolute = path.to_bytes().starts_with(b"/");
    let by_openat2 = !WITHOUT_OPENAT2.load(Relaxed) && !valgrind::is_present();
    if (absolute || dirfd == CWD) && by_openat2 {
        // A path that meets no link is canonical but for its dots, which spares asking the kernel for it.
        match sys::open_directory_without_links(dirfd, path) {
            Ok(descriptor) => {
                if lexically(absolute, path.to_bytes(), found).is_none() {
                    directory(descriptor.number(), found);
                }
                return Ok(descriptor);
            }
            Err(Errno(libc::ELOOP)) => {}
            Err(Errno(libc::ENOSYS | libc::EPERM | libc::E2BIG | libc::EINVAL)) => {
                WITHOUT_OPENAT2.store(true, Relaxed);
            }
            Err(errno) => return Err(errno),
        }
    }
    let descriptor = sys::open_directory(dirfd, path)?;
    directory(descriptor.number(), found);
    Ok(descriptor)
}

/// Where a path without links leads, from the root or from the working directory.
fn lexically(absolute: bool, path: &[u8], found: &mut Whereabouts) -> Option<()> {
    found.forget();
    if absolute {
        found.text.push(b'/').ok()?;
    } else {
        found.text.fill(sys::getcwd).ok()?;
        if !found.text.as_bytes().starts_with(b"/") {
            return None;
        }
    }
    push_lexically(&mut found.text, path).ok()
}

/// Where a path leads, by looking at each component.
#[cold]
#[inline(never)]
fn look_up(dirfd: c_int, path: &[u8], found: &mut Whereabouts) {
    let mut out = PathBuffer::new();
    directory(dirfd, found);
    let start = found.path().map_or(&b""[..], |path| path.as_bytes());
    let resolved = canonicalise(&Disk, start, path, false, &mut out);
    found.forget();
    if let Ok(path) = resolved
        && found.text.append(path.as_bytes()).is_err()
    {
        found.forget();
    }
}
