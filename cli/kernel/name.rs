//! Names and objects of a caller, held by descriptors of ours, as the policy looks at them.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};

use blastradius_policy::calls::{self, Age, Guard, Place};
use blastradius_policy::{Canonical, Kind};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, StatxFlags};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

use super::caller::Caller;
use super::walk;

/// Where something is.
#[derive(Clone, Debug, Default)]
pub(super) struct Whereabouts {
    /// Empty where it is not known.
    path: Vec<u8>,
    /// Length of the deepest directory that is known, where others are left out after it.
    shortened_after: Option<usize>,
}

impl Whereabouts {
    /// Where an open directory is. One that is deeper than the kernel can say is found by climbing to one that is
    /// not.
    fn of_directory(caller: Caller<'_>, directory: BorrowedFd<'_>) -> Self {
        match path_that_leads_to(caller, directory) {
            Ok(path) => Self {
                path,
                shortened_after: None,
            },
            Err(Errno::NAMETOOLONG) if walk::is_attached(caller, directory) => {
                Self::climb(directory).unwrap_or_default()
            }
            Err(_) => Self::default(),
        }
    }

    fn climb(directory: BorrowedFd<'_>) -> Option<Self> {
        const PARENT: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
        let mut at = rustix::fs::openat(directory, c"..", PARENT, Mode::empty()).ok()?;
        loop {
            match walk::path_of(at.as_fd()) {
                Err(Errno::NAMETOOLONG) => {
                    at = rustix::fs::openat(&at, c"..", PARENT, Mode::empty()).ok()?;
                }
                path => {
                    let path = path.ok()?;
                    let shortened_after = Some(path.len());
                    return Some(Self {
                        path,
                        shortened_after,
                    });
                }
            }
        }
    }

    /// Where an open file is.
    pub(super) fn of_object(caller: Caller<'_>, object: BorrowedFd<'_>) -> Self {
        Self {
            path: path_that_leads_to(caller, object).unwrap_or_default(),
            shortened_after: None,
        }
    }

    fn push(&mut self, name: &[u8]) {
        // What is not known is no better known by a name in it.
        if !self.path.is_empty() {
            if self.path != b"/" {
                self.path.push(b'/');
            }
            self.path.extend(name);
        }
    }

    pub(super) fn path(&self) -> Option<Canonical<'_>> {
        Canonical::new(&self.path)
    }

    pub(super) fn place(&self) -> Place<'_> {
        let known = |length: usize| Canonical::new(self.path.get(..length)?);
        Place {
            path: self.path(),
            shortened_after: self.shortened_after.and_then(known),
        }
    }
}

/// The path of what is held. What the kernel says is no path where a mount has been taken away and is still in use:
/// it begins at the mount then, and may lead anywhere.
fn path_that_leads_to(caller: Caller<'_>, held: BorrowedFd<'_>) -> Result<Vec<u8>, Errno> {
    const REMOVED: &[u8] = b" (deleted)";
    let path = walk::path_of(held)?;
    if walk::leads_to(caller, &path, held) {
        return Ok(path);
    }
    // It was moved meanwhile, or has lost this name and has others, or we may not go there.
    match walk::is_attached(caller, held) {
        true => Ok(path
            .strip_suffix(REMOVED)
            .map_or_else(|| path.clone(), <[u8]>::to_vec)),
        false => Err(Errno::NOENT),
    }
}

/// A name in a directory that is held.
pub(super) struct Name {
    pub(super) parent: OwnedFd,
    /// The final component, with the slashes that came after it.
    pub(super) base: CString,
    pub(super) whereabouts: Whereabouts,
}

impl Name {
    /// Resolves the parent of a path. None: whatever the kernel says, the call removes nothing (an empty path, or
    /// one that ends in `.` or `..`), so that it is its own business.
    pub(super) fn find(caller: Caller<'_>, dirfd: i32, path: &CStr) -> Result<Option<Self>, Errno> {
        let bytes = path.to_bytes();
        let Some((start, end)) = final_component(bytes) else {
            return Ok(None);
        };
        let base = CString::new(&bytes[start..]).map_err(|_| Errno::INVAL)?;
        let parent = match &bytes[..start] {
            b"" => caller.directory(dirfd)?,
            directory => {
                let directory = CString::new(directory).map_err(|_| Errno::INVAL)?;
                walk::directory(caller, dirfd, &directory)?
            }
        };
        // In a directory that has been removed there is nothing, and nothing can be made.
        if rustix::fs::fstat(&parent)?.st_nlink == 0 {
            return Err(Errno::NOENT);
        }
        let mut whereabouts = Whereabouts::of_directory(caller, parent.as_fd());
        whereabouts.push(&bytes[start..end]);
        Ok(Some(Self {
            parent,
            base,
            whereabouts,
        }))
    }
}

/// Where the final component of a path begins and ends; None if it has none that can be removed.
pub(super) fn final_component(path: &[u8]) -> Option<(usize, usize)> {
    let end = path.iter().rposition(|&byte| byte != b'/')? + 1;
    let slash = path[..end].iter().rposition(|&byte| byte == b'/');
    let start = slash.map_or(0, |slash| slash + 1);
    (!matches!(&path[start..end], b"." | b"..")).then_some((start, end))
}

pub(super) fn kind_of(status: &Stat) -> Kind {
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Symlink,
        FileType::BlockDevice => Kind::BlockDevice,
        _ => Kind::Other,
    }
}

fn age(at: BorrowedFd<'_>, path: &CStr, flags: AtFlags) -> Option<Age> {
    let wanted = StatxFlags::BTIME | StatxFlags::MTIME;
    let found = rustix::fs::statx(at, path, flags | AtFlags::SYMLINK_NOFOLLOW, wanted).ok()?;
    let knows_birth = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    let birth = (found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
    Some(Age {
        birth: knows_birth.then_some(birth),
        modified: (found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec),
        asked: clock_gettime(ClockId::Realtime).tv_sec,
    })
}

fn may_be_on_overlay(object: BorrowedFd<'_>) -> bool {
    const OVERLAYFS_SUPER_MAGIC: u64 = 0x794c_7630;
    rustix::fs::fstatfs(object).map_or(true, |found| found.f_type as u64 == OVERLAYFS_SUPER_MAGIC)
}

impl calls::Object for Name {
    fn age(&self) -> Option<Age> {
        age(self.parent.as_fd(), &self.base, AtFlags::empty())
    }

    fn may_be_on_overlay(&self) -> bool {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        rustix::fs::openat(&self.parent, &self.base, flags, Mode::empty())
            .map_or(true, |object| may_be_on_overlay(object.as_fd()))
    }
}

impl calls::Name for Name {
    type Error = Errno;

    fn place(&self) -> Place<'_> {
        self.whereabouts.place()
    }

    fn kind(&self) -> Result<Kind, Errno> {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::statat(&self.parent, &self.base, flags).map(|status| kind_of(&status))
    }

    fn is_missing(error: &Errno) -> bool {
        *error == Errno::NOENT
    }

    fn holds_something(&self) -> bool {
        let listed = list(self.parent.as_fd(), &self.base);
        listed.is_ok_and(|names| {
            names
                .into_iter()
                .flatten()
                .any(|entry| !is_dots(entry.file_name()))
        })
    }

    fn holds_denied(&self, guard: Guard<'_, '_>) -> bool {
        let mut whereabouts = self.whereabouts.clone();
        !is_free(
            self.parent.as_fd(),
            &self.base,
            &mut whereabouts,
            guard,
            DEEPEST,
        )
    }
}

/// Deeper trees are not looked through: what they hold is not known.
const DEEPEST: u32 = 32;

/// Whether nothing below a name is denied. `path` is where it is, and is left so.
fn is_free(
    parent: BorrowedFd<'_>,
    base: &CStr,
    path: &mut Whereabouts,
    guard: Guard<'_, '_>,
    levels: u32,
) -> bool {
    let directory = match list(parent, base) {
        Ok(directory) => directory,
        Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT) => return true,
        Err(_) => return false,
    };
    if levels == 0 {
        return false;
    }
    let Ok(held) = rustix::fs::openat(parent, base, LIST, Mode::empty()) else {
        return false;
    };
    let length = path.path.len();
    for entry in directory {
        let Ok(entry) = entry else {
            return false;
        };
        if is_dots(entry.file_name()) {
            continue;
        }
        path.push(entry.file_name().to_bytes());
        let free = !guard.denies(path.place())
            && is_free(held.as_fd(), entry.file_name(), path, guard, levels - 1);
        path.path.truncate(length);
        if !free {
            return false;
        }
    }
    true
}

const LIST: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

fn list(parent: BorrowedFd<'_>, base: &CStr) -> Result<Dir, Errno> {
    Dir::new(rustix::fs::openat(parent, base, LIST, Mode::empty())?)
}

fn is_dots(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

/// Something that is held itself.
pub(super) struct Object {
    pub(super) held: OwnedFd,
    pub(super) status: Stat,
}

impl Object {
    pub(super) fn of(held: OwnedFd) -> Result<Self, Errno> {
        let status = rustix::fs::fstat(&held)?;
        Ok(Self { held, status })
    }

    pub(super) fn kind(&self) -> Kind {
        kind_of(&self.status)
    }

    /// What leads to it again, whatever has its name by then.
    pub(super) fn path_to_open(&self) -> String {
        format!("/proc/self/fd/{}", self.held.as_raw_fd())
    }

    pub(super) fn size(&self) -> u64 {
        self.status.st_size.cast_unsigned()
    }

    /// A file with a name: nobody but the holders of a descriptor can lose one without.
    pub(super) fn is_named_file(&self) -> bool {
        self.kind() == Kind::File && self.status.st_nlink > 0
    }

    /// Whether it is a block device that holds nothing, such as a loop device that is free.
    pub(super) fn is_empty_device(&self) -> bool {
        let number = self.status.st_rdev;
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let size = std::fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/size"));
        self.kind() == Kind::BlockDevice && size.is_ok_and(|size| size.trim() == "0")
    }
}

impl calls::Object for Object {
    fn age(&self) -> Option<Age> {
        age(self.held.as_fd(), c"", AtFlags::EMPTY_PATH)
    }

    fn may_be_on_overlay(&self) -> bool {
        may_be_on_overlay(self.held.as_fd())
    }
}
