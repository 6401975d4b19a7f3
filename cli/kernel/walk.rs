//! From what a call names to what it means, followed as the kernel would follow it for the caller, and held by a
//! descriptor at the end.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat, StatxFlags};
use rustix::io::Errno;
use rustix::path::DecInt;

use super::caller::Caller;
use super::identity;

/// As many links are followed as the kernel follows.
const LINKS_MAX: usize = 40;

const HELD: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// Opens the directory that a path leads to from `dirfd`.
pub(super) fn directory(caller: Caller<'_>, dirfd: i32, path: &CStr) -> Result<OwnedFd, Errno> {
    walk(caller, dirfd, path, HELD | OFlags::DIRECTORY)
}

/// Holds what a path leads to from `dirfd`; a final link is followed or held itself.
pub(super) fn object(
    caller: Caller<'_>,
    dirfd: i32,
    path: &CStr,
    follow: bool,
) -> Result<OwnedFd, Errno> {
    let nofollow = match follow {
        true => OFlags::empty(),
        false => OFlags::NOFOLLOW,
    };
    walk(caller, dirfd, path, HELD | nofollow)
}

/// As [`object`], by a way that leads nowhere else than to what is below `dirfd`, or past no link: so it depends on
/// nobody who asks.
pub(super) fn object_bounded(
    caller: Caller<'_>,
    dirfd: i32,
    path: &CStr,
    follow: bool,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    let nofollow = match follow {
        true => OFlags::empty(),
        false => OFlags::NOFOLLOW,
    };
    let is_within = resolve.intersects(ResolveFlags::BENEATH | ResolveFlags::IN_ROOT);
    let (start, resolve) = match path.to_bytes().starts_with(b"/") && !is_within {
        true => (caller.root()?, resolve | ResolveFlags::IN_ROOT),
        false => (caller.directory(dirfd)?, resolve),
    };
    // Below another root than ours it would climb further than the caller can.
    let climbs = path
        .to_bytes()
        .split(|&byte| byte == b'/')
        .any(|name| name == b"..");
    if climbs && !resolve.intersects(ResolveFlags::BENEATH | ResolveFlags::IN_ROOT) {
        let ours = open_directory("/")?;
        if place(&caller.root()?)? != place(&ours)? {
            return Err(Errno::PERM);
        }
    }
    rustix::fs::openat2(&start, path, HELD | nofollow, Mode::empty(), resolve)
}

fn walk(caller: Caller<'_>, dirfd: i32, path: &CStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    let bytes = path.to_bytes();
    if bytes.is_empty() {
        return Err(Errno::NOENT);
    }
    let is_absolute = bytes[0] == b'/';
    let start = match is_absolute {
        true => caller.root()?,
        false => caller.directory(dirfd)?,
    };
    // Below another root than ours, what lies above the start is not known here.
    let climbs = || bytes.split(|&byte| byte == b'/').any(|name| name == b"..");
    if is_absolute || !climbs() {
        // Without links nothing depends on who asks: `/proc/self` is one.
        let root = match is_absolute {
            true => ResolveFlags::IN_ROOT,
            false => ResolveFlags::empty(),
        };
        let resolve = ResolveFlags::NO_SYMLINKS | root;
        match rustix::fs::openat2(&start, path, flags, Mode::empty(), resolve) {
            Err(Errno::LOOP | Errno::AGAIN | Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
            found => return found,
        }
    }
    Walk::new(caller, start)?.follow(bytes, flags)
}

/// A walk by hand, one component at a time.
struct Walk<'l> {
    caller: Caller<'l>,
    root: OwnedFd,
    at: OwnedFd,
    /// What is still to be walked, the next component last.
    pending: Vec<Vec<u8>>,
    links: usize,
}

impl<'l> Walk<'l> {
    fn new(caller: Caller<'l>, at: OwnedFd) -> Result<Self, Errno> {
        Ok(Self {
            caller,
            root: caller.root()?,
            at,
            pending: Vec::new(),
            links: 0,
        })
    }

    fn follow(mut self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        self.push(path);
        let must_be_directory =
            flags.contains(OFlags::DIRECTORY) || path.ends_with(b"/") || path.ends_with(b"/.");
        while let Some(name) = self.pending.pop() {
            let is_final = self.pending.is_empty();
            match &name[..] {
                b".." => self.ascend()?,
                _ => {
                    let follows =
                        !is_final || must_be_directory || !flags.contains(OFlags::NOFOLLOW);
                    self.enter(&name, follows)?;
                }
            }
        }
        if must_be_directory && file_type(&self.at)? != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        Ok(self.at)
    }

    fn push(&mut self, path: &[u8]) {
        let names = path.split(|&byte| byte == b'/');
        let names = names.filter(|name| !matches!(*name, b"" | b"."));
        let at = self.pending.len();
        self.pending.extend(names.map(<[u8]>::to_vec));
        self.pending[at..].reverse();
    }

    fn ascend(&mut self) -> Result<(), Errno> {
        if place(&self.at)? != place(&self.root)? {
            self.at = open(&self.at, c"..", HELD | OFlags::DIRECTORY)?;
        }
        Ok(())
    }

    fn enter(&mut self, name: &[u8], follows: bool) -> Result<(), Errno> {
        let name = CString::new(name).map_err(|_| Errno::INVAL)?;
        let found = open(&self.at, &name, HELD | OFlags::NOFOLLOW)?;
        if !follows || file_type(&found)? != FileType::Symlink {
            self.at = found;
            return Ok(());
        }
        self.links += 1;
        if self.links > LINKS_MAX {
            return Err(Errno::LOOP);
        }
        let text = match self.link_of_proc(&name, &found)? {
            Link::Followed(object) => {
                self.at = object;
                return Ok(());
            }
            Link::Text(text) => text,
        };
        if text.starts_with(b"/") {
            self.at = self.root.try_clone().map_err(|_| Errno::MFILE)?;
        }
        self.push(&text);
        Ok(())
    }

    /// Links of `/proc` depend on who asks, or are none: they lead to an object, whatever their text says.
    fn link_of_proc(&self, name: &CStr, link: &OwnedFd) -> Result<Link, Errno> {
        const PROC_SUPER_MAGIC: u64 = 0x9fa0;
        const ROOT: u64 = 1;
        let text = || {
            rustix::fs::readlinkat(link, c"", Vec::new()).map(|text| Link::Text(text.into_bytes()))
        };
        if rustix::fs::fstatfs(link)?.f_type as u64 != PROC_SUPER_MAGIC {
            return text();
        }
        let here = rustix::fs::fstat(&self.at)?;
        if here.st_ino == ROOT && matches!(name.to_bytes(), b"self" | b"thread-self") {
            let numbers = self.caller.numbers().ok_or(Errno::SRCH)?;
            let ours = rustix::fs::stat("/proc").is_ok_and(|ours| ours.st_dev == here.st_dev);
            let (process, thread) = match ours {
                true => (numbers.process, numbers.thread),
                false => (numbers.process_inside, numbers.thread_inside),
            };
            let text = match name.to_bytes() {
                b"self" => process.to_string(),
                _ => format!("{process}/task/{thread}"),
            };
            return Ok(Link::Text(text.into_bytes()));
        }
        let plainly = ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(&self.at, name, HELD, Mode::empty(), plainly) {
            Err(Errno::LOOP) => open(&self.at, name, HELD).map(Link::Followed),
            _ => text(),
        }
    }
}

enum Link {
    Text(Vec<u8>),
    Followed(OwnedFd),
}

fn open(at: &OwnedFd, name: &CStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(at, name, flags, Mode::empty())
}

fn file_type(fd: impl AsFd) -> Result<FileType, Errno> {
    Ok(FileType::from_raw_mode(rustix::fs::fstat(fd)?.st_mode))
}

/// Where a directory is: its mount, and itself.
fn place(fd: &OwnedFd) -> Result<(u64, u64, u32, u32), Errno> {
    let wanted = StatxFlags::INO | StatxFlags::MNT_ID;
    let found = rustix::fs::statx(fd, c"", AtFlags::EMPTY_PATH, wanted)?;
    Ok((
        found.stx_mnt_id,
        found.stx_ino,
        found.stx_dev_major,
        found.stx_dev_minor,
    ))
}

/// The path of what is held, as the kernel says it.
pub(super) fn path_of(fd: BorrowedFd<'_>) -> Result<Vec<u8>, Errno> {
    let name = DecInt::from_fd(fd);
    let path = match descriptors() {
        Some(descriptors) => rustix::fs::readlinkat(descriptors, name, Vec::new())?,
        None => rustix::fs::readlink(format!("/proc/self/fd/{}", name.as_str()), Vec::new())?,
    };
    let path = path.into_bytes();
    match path.starts_with(b"/") {
        true => Ok(path),
        false => Err(Errno::NOENT),
    }
}

/// Whether a path leads to what is held, for us or for the caller, which may see other mounts.
pub(super) fn leads_to(caller: Caller<'_>, path: &[u8], held: BorrowedFd<'_>) -> bool {
    let Ok(status) = rustix::fs::fstat(held) else {
        return false;
    };
    let is_it = |found: Stat| (found.st_dev, found.st_ino) == (status.st_dev, status.st_ino);
    // The caller may not be let into every directory above.
    if identity::as_ourselves(|| rustix::fs::lstat(path)).is_ok_and(is_it) {
        return true;
    }
    let flags = HELD | OFlags::NOFOLLOW;
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    caller
        .root()
        .and_then(|root| rustix::fs::openat2(root, path, flags, Mode::empty(), resolve))
        .and_then(rustix::fs::fstat)
        .is_ok_and(is_it)
}

/// Whether the mount that something lies on is still where the caller, or this process, can come to it.
pub(super) fn is_attached(caller: Caller<'_>, held: BorrowedFd<'_>) -> bool {
    let found = rustix::fs::statx(held, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID);
    let Ok(mount) = found.map(|found| found.stx_mnt_id.to_string()) else {
        return false;
    };
    let holds = |mounts: String| {
        let mut numbers = mounts.lines().filter_map(|line| line.split(' ').next());
        numbers.any(|number| number == mount)
    };
    std::fs::read_to_string("/proc/self/mountinfo").is_ok_and(holds)
        || caller.mounts().is_ok_and(holds)
}

/// The directory of our descriptors: it is asked for every call.
fn descriptors() -> Option<BorrowedFd<'static>> {
    static DESCRIPTORS: OnceLock<Option<OwnedFd>> = OnceLock::new();
    let open = || open_directory("/proc/self/fd").ok();
    DESCRIPTORS.get_or_init(open).as_ref().map(AsFd::as_fd)
}

fn open_directory(path: &str) -> Result<OwnedFd, Errno> {
    rustix::fs::open(path, HELD | OFlags::DIRECTORY, Mode::empty())
}
