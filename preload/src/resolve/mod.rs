//! From what a call names to the canonical path that is judged, without a gap in which a link could be put in
//! the way: the directory is opened first, its path is asked of the kernel, and the act goes through the
//! descriptor.

mod climb;
mod name;
mod object;
mod recent;

use blastradius_policy::Canonical;
use blastradius_policy::calls::Place;

use crate::loan::Lent;
use crate::memory::PATH_MAX;
use crate::sys::{self, CWD};
use crate::text::{Full, Text};

pub(crate) use name::{Name, Room, name, name_of_guard};
pub(crate) use object::{looked_up, object, object_at};

/// Room for a directory and a name in it.
const WHOLE: usize = PATH_MAX + 256;

/// The path of a directory or file, as far as it can be known. It is large, so it is filled in place.
pub(crate) struct Whereabouts {
    /// Empty where the path is not known.
    text: Text<WHOLE>,
    /// Directories between the last but one and the last component are left out: the path is longer than the
    /// kernel can say.
    shortened: bool,
}

impl Whereabouts {
    /// Nowhere that is known.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            text: Text::new(),
            shortened: false,
        }
    }

    /// Makes one of nowhere out of whatever is there.
    ///
    /// # Safety
    ///
    /// The place must be large and aligned enough, and the caller's alone.
    #[inline(always)]
    unsafe fn clear_at(place: *mut Self) {
        // SAFETY: promised by the caller.
        unsafe {
            Text::clear_at(&raw mut (*place).text);
            (&raw mut (*place).shortened).write(false);
        }
    }

    /// The canonical path; None if it is not known.
    pub(crate) fn path(&self) -> Option<Canonical<'_>> {
        Canonical::new(self.text.as_bytes())
    }

    /// As a verdict takes it.
    #[inline]
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            path: self.path(),
            shortened_after: self.shortened_after(),
        }
    }

    /// The directory of the final component; None if the path is not known whole.
    #[inline]
    pub(crate) fn directory(&self) -> Option<&[u8]> {
        let path = self.text.as_bytes();
        let slash = path.iter().rposition(|&byte| byte == b'/')?;
        (!self.shortened).then_some(&path[..slash])
    }

    /// The deepest directory that is known where directories are left out after it.
    fn shortened_after(&self) -> Option<Canonical<'_>> {
        self.shortened.then(|| self.path()?.parent()).flatten()
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.forget();
        if self.text.append(other.text.as_bytes()).is_ok() {
            self.shortened = other.shortened;
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.text.len()
    }

    /// Goes to a name in this directory, and says what [`Whereabouts::leave`] needs.
    pub(crate) fn enter(&mut self, name: &[u8]) -> usize {
        let length = self.text.len();
        self.push(name);
        length
    }

    /// Goes back.
    pub(crate) fn leave(&mut self, length: usize) {
        self.text.truncate(length);
    }

    fn forget(&mut self) {
        self.text.truncate(0);
        self.shortened = false;
    }

    /// Adds a component, which makes an unknown path no better known.
    fn push(&mut self, component: &[u8]) {
        if push(&mut self.text, component).is_err() {
            self.forget();
        }
    }
}

// SAFETY: both fields are written or may be anything.
unsafe impl Lent for Whereabouts {
    unsafe fn begin(place: *mut Self) {
        // SAFETY: promised by the caller.
        unsafe { Self::clear_at(place) };
    }
}

fn push(path: &mut Text<WHOLE>, component: &[u8]) -> Result<(), Full> {
    if path.len() == 0 {
        return Err(Full);
    }
    if path.as_bytes() != b"/" {
        path.push(b'/')?;
    }
    path.append(component)
}

/// Adds the components of `path`, of which none is a link.
fn push_lexically(to: &mut Text<WHOLE>, path: &[u8]) -> Result<(), Full> {
    for component in path.split(|&byte| byte == b'/') {
        match component {
            b"" | b"." => {}
            b".." => {
                let slash = to.as_bytes().iter().rposition(|&byte| byte == b'/');
                to.truncate(slash.unwrap_or(0).max(1));
            }
            name => push(to, name)?,
        }
    }
    Ok(())
}

/// Finds where an open directory, or the working directory, is.
fn directory(dirfd: i32, found: &mut Whereabouts) {
    found.shortened = false;
    let told = if dirfd == CWD {
        found.text.fill(sys::getcwd)
    } else {
        told_or_recalled(dirfd, &mut found.text)
    };
    match told {
        Ok(()) if found.text.as_bytes().starts_with(b"/") => {}
        // `(unreachable)`: below another root, where our paths mean nothing.
        Ok(()) => found.forget(),
        Err(errno) => climb::climb(dirfd, errno, found),
    }
}

fn told_or_recalled(dirfd: i32, text: &mut Text<WHOLE>) -> sys::Result<()> {
    /// It may be moved meanwhile.
    const ATTEMPTS: u32 = 3;
    let status = sys::fstat(dirfd)?;
    let identity = status.identity();
    if recent::recall(identity, text).is_some() {
        return Ok(());
    }
    for _ in 0..ATTEMPTS {
        link_of(dirfd, text)?;
        if !text.as_bytes().starts_with(b"/") {
            break;
        }
        // In a directory that has been removed there is nothing to lose.
        if status.is_nameless() || leads_to(text, identity) {
            recent::remember(identity, text.as_bytes());
            return Ok(());
        }
    }
    // What is told is no path where a mount has been taken away and is still in use: it begins at the mount then.
    text.truncate(0);
    Ok(())
}

fn leads_to(path: &mut Text<WHOLE>, identity: (u64, u64)) -> bool {
    let length = path.len();
    if path.push(0).is_err() {
        return false;
    }
    let there = sys::lstatat(CWD, path.as_c_str());
    path.truncate(length);
    there.is_ok_and(|there| there.identity() == identity)
}

/// What the kernel says an open file is called.
#[cfg(target_os = "macos")]
fn link_of(fd: i32, into: &mut Text<WHOLE>) -> sys::Result<()> {
    into.fill(|room| sys::path_of(fd, room))
}

/// What `/proc` says an open file is called. The name is that of the thread, which may have descriptors of
/// its own, and outlives the thread that the process began with.
#[cfg(target_os = "linux")]
fn link_of(fd: i32, into: &mut Text<WHOLE>) -> sys::Result<()> {
    match read_link(b"/proc/thread-self/fd/", fd, into) {
        Err(sys::Errno(libc::ENOENT)) => read_link(b"/proc/self/fd/", fd, into),
        told => told,
    }
}

#[cfg(target_os = "linux")]
fn read_link(directory: &[u8], fd: i32, into: &mut Text<WHOLE>) -> sys::Result<()> {
    let link = descriptor_path(directory, fd);
    // Longer than PATH_MAX it cannot be.
    into.fill(|room| sys::readlinkat(CWD, link.as_c_str(), &mut room[..PATH_MAX]))
}

/// Room for such a path: the longest directory, ten digits and a NUL.
pub(crate) const REOPENING_MAX: usize = 40;

/// The path that opens again what a descriptor refers to.
pub(crate) fn reopening_path(fd: i32) -> Text<REOPENING_MAX> {
    const DIRECTORY: &[u8] = if cfg!(target_os = "macos") {
        b"/dev/fd/"
    } else {
        b"/proc/thread-self/fd/"
    };
    descriptor_path(DIRECTORY, fd)
}

fn descriptor_path(directory: &[u8], fd: i32) -> Text<REOPENING_MAX> {
    let mut path = Text::new();
    let mut digits = [0; 10];
    let mut at = digits.len();
    let mut rest = fd.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    // The longest directory and ten digits fit.
    let whole = path
        .append(directory)
        .and_then(|()| path.append(&digits[at..]))
        .and_then(|()| path.push(0));
    debug_assert!(whole.is_ok());
    path
}
