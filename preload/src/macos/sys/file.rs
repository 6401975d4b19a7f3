//! Calls on files.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::mem::MaybeUninit;

use blastradius_policy::calls::Age;

use super::{Errno, Result, call};
use crate::memory::PATH_MAX;
use crate::text::initialised;

/// The working directory, where a call takes a dirfd.
pub(crate) const CWD: c_int = libc::AT_FDCWD;

/// A flag of [`renameat2`]: nothing may be replaced.
pub(crate) const RENAME_NOREPLACE: c_uint = libc::RENAME_EXCL;

/// A flag of [`renameat2`]: both names are exchanged.
pub(crate) const RENAME_EXCHANGE: c_uint = libc::RENAME_SWAP;

/// A flag of [`times`]: the descriptor itself is meant, the path is empty. No flag of macOS.
pub(crate) const EMPTY_PATH: c_int = 1 << 30;

/// Flags of [`openat`] that hold a file, and neither wait nor become its terminal.
pub(crate) const HELD: c_int =
    libc::O_EVTONLY | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;

/// What `unlink` answers for a directory.
pub(crate) const UNLINKED_DIRECTORY: Errno = Errno(libc::EPERM);

/// A descriptor of ours, closed when dropped.
#[derive(Debug)]
pub(crate) struct Descriptor(c_int);

impl Descriptor {
    /// What a call that opens has answered; -1 with errno is an error.
    pub(crate) fn opened(open: impl FnOnce() -> c_int) -> Result<Self> {
        call(open).map(Self)
    }

    pub(crate) const fn number(&self) -> c_int {
        self.0
    }

    /// Hands the descriptor to the caller of a hook.
    pub(crate) const fn release(self) -> c_int {
        let number = self.0;
        core::mem::forget(self);
        number
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // A close that fails leaves nothing to do.
        // SAFETY: the descriptor is ours.
        if call(|| unsafe { libc::close(self.0) }).is_err() {}
    }
}

pub(crate) fn openat(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> Result<Descriptor> {
    // SAFETY: the kernel checks the address itself, and answers EFAULT.
    Descriptor::opened(|| unsafe { libc::openat(dirfd, path, flags, mode) })
}

/// Opens a directory as a place to act from. Before macOS 13 the system does not know that it is only to be
/// searched, and opens it for reading.
pub(crate) fn open_directory(dirfd: c_int, path: &CStr) -> Result<Descriptor> {
    openat(dirfd, path.as_ptr(), libc::O_SEARCH | libc::O_CLOEXEC, 0)
}

/// Never: a name may be spelled in other ways than on the disk (case, Unicode, firmlinks), so the system has to
/// be asked for a path that meets no link, too.
pub(crate) const fn open_directory_without_links(_: c_int, _: &CStr) -> Result<Descriptor> {
    Err(Errno(libc::ENOSYS))
}

/// The path of what is open, as it is spelled on the disk. One that is too long is ENAMETOOLONG.
pub(crate) fn path_of(fd: c_int, into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    // The call takes no length.
    let room = into.get_mut(..PATH_MAX).ok_or(Errno(libc::ENAMETOOLONG))?;
    // SAFETY: the kernel writes at most MAXPATHLEN bytes, which is PATH_MAX.
    match call(|| unsafe { libc::fcntl(fd, libc::F_GETPATH, room.as_mut_ptr().cast::<c_void>()) }) {
        Err(Errno(libc::ENOSPC)) => Err(Errno(libc::ENAMETOOLONG)),
        // SAFETY: a string has been written.
        done => done.map(|_| unsafe { string(room) }),
    }
}

pub(crate) fn unlinkat(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<()> {
    // SAFETY: the kernel checks the address itself.
    call(|| unsafe { libc::unlinkat(dirfd, path, flags) }).map(drop)
}

/// `renameatx_np`, under the name that it has elsewhere.
pub(crate) fn renameat2(
    from: (c_int, *const c_char),
    to: (c_int, *const c_char),
    flags: c_uint,
) -> Result<()> {
    call(|| match flags {
        // Every file system takes it.
        // SAFETY: the kernel checks the addresses itself.
        0 => unsafe { libc::renameat(from.0, from.1, to.0, to.1) },
        // SAFETY: the kernel checks the addresses itself.
        flags => unsafe { libc::renameatx_np(from.0, from.1, to.0, to.1, flags) },
    })
    .map(drop)
}

pub(crate) fn linkat(
    from: (c_int, *const c_char),
    to: (c_int, *const c_char),
    flags: c_int,
) -> Result<()> {
    // SAFETY: the kernel checks the addresses itself.
    call(|| unsafe { libc::linkat(from.0, from.1, to.0, to.1, flags) }).map(drop)
}

pub(crate) fn symlinkat(target: *const c_char, name: (c_int, *const c_char)) -> Result<()> {
    // SAFETY: the kernel checks the addresses itself.
    call(|| unsafe { libc::symlinkat(target, name.0, name.1) }).map(drop)
}

/// Whether [`renameat2`] failed for want of the flag, and not for what was asked.
pub(crate) const fn lacks_rename_flags(errno: Errno) -> bool {
    matches!(errno.0, libc::ENOTSUP | libc::ENOSYS)
}

pub(crate) fn truncate(path: *const c_char, length: i64) -> Result<()> {
    // SAFETY: the kernel checks the address itself.
    call(|| unsafe { libc::truncate(path, length) }).map(drop)
}

pub(crate) fn ftruncate(fd: c_int, length: i64) -> Result<()> {
    // SAFETY: no memory is involved.
    call(|| unsafe { libc::ftruncate(fd, length) }).map(drop)
}

pub(crate) fn seek_to_end(fd: c_int) -> Result<()> {
    // SAFETY: no memory is involved.
    call(|| unsafe { libc::lseek(fd, 0, libc::SEEK_END) } as c_int).map(drop)
}

/// Sets both times of an open file to now.
pub(crate) fn touch(fd: c_int) -> Result<()> {
    // SAFETY: null stands for now.
    call(|| unsafe { libc::futimes(fd, core::ptr::null()) }).map(drop)
}

/// What a file is.
#[derive(Clone, Copy)]
pub(crate) struct Status(libc::stat);

impl Status {
    pub(crate) const fn is_regular(&self) -> bool {
        self.format() == libc::S_IFREG
    }

    pub(crate) const fn is_directory(&self) -> bool {
        self.format() == libc::S_IFDIR
    }

    /// The file type bits of the mode.
    pub(crate) const fn format(&self) -> libc::mode_t {
        self.0.st_mode & libc::S_IFMT
    }

    /// Whether writing may take set-id bits away.
    pub(crate) const fn has_set_id(&self) -> bool {
        self.0.st_mode & (libc::S_ISUID | libc::S_ISGID) != 0
    }

    /// Whether no name is left: nobody but the holders of a descriptor can lose it.
    pub(crate) const fn is_nameless(&self) -> bool {
        self.0.st_nlink == 0
    }

    pub(crate) const fn size(&self) -> u64 {
        self.0.st_size.cast_unsigned()
    }

    pub(crate) const fn device(&self) -> u64 {
        self.0.st_dev.cast_unsigned() as u64
    }

    /// Device and inode number.
    pub(crate) const fn identity(&self) -> (u64, u64) {
        (self.device(), self.0.st_ino)
    }
}

pub(crate) fn fstat(fd: c_int) -> Result<Status> {
    let mut status = MaybeUninit::uninit();
    // SAFETY: there is room for one struct stat.
    call(|| unsafe { libc::fstat(fd, status.as_mut_ptr()) })?;
    // SAFETY: the call succeeded, so all of it is written.
    Ok(Status(unsafe { status.assume_init() }))
}

pub(crate) fn fstatat(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<Status> {
    let mut status = MaybeUninit::uninit();
    // SAFETY: there is room for one struct stat; the kernel checks the other address itself.
    call(|| unsafe { libc::fstatat(dirfd, path, status.as_mut_ptr(), flags) })?;
    // SAFETY: the call succeeded, so all of it is written.
    Ok(Status(unsafe { status.assume_init() }))
}

/// As [`fstatat`] for the name itself, a final link not followed.
pub(crate) fn lstatat(dirfd: c_int, path: &CStr) -> Result<Status> {
    fstatat(dirfd, path.as_ptr(), libc::AT_SYMLINK_NOFOLLOW)
}

/// The times of a name, a final link not followed; with [`EMPTY_PATH`] those of the descriptor.
pub(crate) fn times(dirfd: c_int, path: &CStr, flags: c_int) -> Result<Age> {
    let (status, mount) = if flags & EMPTY_PATH != 0 {
        (fstat(dirfd)?, dirfd)
    } else {
        (lstatat(dirfd, path)?, dirfd)
    };
    let time = |seconds, nanoseconds| (seconds, u32::try_from(nanoseconds).unwrap_or(0));
    let Status(stat) = status;
    let birth = time(stat.st_birthtime, stat.st_birthtime_nsec);
    Ok(Age {
        birth: (birth.0 > 0 && keeps_births(mount, status.device())).then_some(birth),
        modified: time(stat.st_mtime, stat.st_mtime_nsec),
        asked: super::realtime()?.0,
    })
}

/// Other file systems than Apple's may give another time for that of birth.
fn keeps_births(fd: c_int, device: u64) -> bool {
    let mut mount = MaybeUninit::<libc::statfs>::uninit();
    let told = if fd == CWD {
        // SAFETY: there is room for one struct statfs, and the path is a string.
        call(|| unsafe { libc::statfs(c".".as_ptr(), mount.as_mut_ptr()) })
    } else {
        // SAFETY: there is room for one struct statfs.
        call(|| unsafe { libc::fstatfs(fd, mount.as_mut_ptr()) })
    };
    if told.is_err() || !fstat_or_cwd(fd).is_ok_and(|status| status.device() == device) {
        return false;
    }
    // SAFETY: the call succeeded, so all of it is written.
    let name = unsafe { mount.assume_init() }.f_fstypename;
    let is = |wanted: &[u8]| {
        wanted
            .iter()
            .zip(&name)
            .all(|(&wanted, &byte)| byte.cast_unsigned() == wanted)
    };
    is(b"apfs\0") || is(b"hfs\0")
}

fn fstat_or_cwd(fd: c_int) -> Result<Status> {
    if fd == CWD {
        fstatat(CWD, c".".as_ptr(), 0)
    } else {
        fstat(fd)
    }
}

/// There are none here that give a file a new birth.
pub(crate) const fn is_on_overlay(_: c_int, _: &CStr, _: c_int) -> Result<bool> {
    Ok(false)
}

/// Writes the target of a link into `into`, without a NUL; a target that fills it may be cut.
pub(crate) fn readlinkat<'b>(
    dirfd: c_int,
    path: &CStr,
    into: &'b mut [MaybeUninit<u8>],
) -> Result<&'b [u8]> {
    // SAFETY: at most `into.len()` bytes are written.
    let length = call(|| unsafe {
        libc::readlinkat(dirfd, path.as_ptr(), into.as_mut_ptr().cast(), into.len())
    })?;
    Ok(written(into, length))
}

/// The working directory, without its NUL.
pub(crate) fn getcwd(into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    let here = open_directory(CWD, c".")?;
    path_of(here.number(), into)
}

pub(crate) fn read(fd: c_int, into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    loop {
        // SAFETY: at most `into.len()` bytes are written.
        match call(|| unsafe { libc::read(fd, into.as_mut_ptr().cast(), into.len()) }) {
            Err(Errno(libc::EINTR)) => {}
            length => return Ok(written(into, length?)),
        }
    }
}

/// Fills `into` with directory entries. libc's `readdir` is made of this, and allocates.
pub(crate) fn getdents(fd: c_int, into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    unsafe extern "C" {
        fn __getdirentries64(
            fd: c_int,
            into: *mut c_void,
            length: usize,
            position: *mut i64,
        ) -> isize;
    }
    let mut position = 0;
    // SAFETY: at most `into.len()` bytes are written, and the position.
    let length = call(|| unsafe {
        __getdirentries64(fd, into.as_mut_ptr().cast(), into.len(), &raw mut position)
    })?;
    Ok(written(into, length))
}

pub(crate) fn write(fd: c_int, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the bytes are there.
    let length = call(|| unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) })?;
    Ok(length.cast_unsigned())
}

/// The flags of a descriptor (`FD_CLOEXEC`) and of its open file.
pub(crate) fn descriptor_flags(fd: c_int) -> Result<(c_int, c_int)> {
    // SAFETY: both only answer a number.
    let ask = |what: c_int| call(|| unsafe { libc::fcntl(fd, what) });
    Ok((ask(libc::F_GETFD)?, ask(libc::F_GETFL)?))
}

/// What a call has just written.
fn written(into: &[MaybeUninit<u8>], length: isize) -> &[u8] {
    let into = &into[..length.cast_unsigned().min(into.len())];
    // SAFETY: that many bytes have been written from the beginning.
    unsafe { initialised(into) }
}

/// The bytes before the first NUL.
///
/// # Safety
///
/// All of them, and the NUL, have been written.
unsafe fn string(bytes: &[MaybeUninit<u8>]) -> &[u8] {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(bytes.as_ptr().cast()) }.to_bytes()
}
