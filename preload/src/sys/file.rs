//! System calls on files.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::mem::MaybeUninit;

use blastradius_policy::calls::Age;

use super::{Errno, Result, call, call_writing, judged, session_number, word};
use crate::text::initialised;

/// The working directory, where a call takes a dirfd.
pub(crate) const CWD: c_int = libc::AT_FDCWD;

/// A flag of [`renameat2`]: nothing may be replaced.
pub(crate) const RENAME_NOREPLACE: c_uint = libc::RENAME_NOREPLACE;

/// A flag of [`renameat2`]: both names are exchanged.
pub(crate) const RENAME_EXCHANGE: c_uint = libc::RENAME_EXCHANGE;

/// A flag of [`times`]: the descriptor itself is meant, the path is empty.
pub(crate) const EMPTY_PATH: c_int = libc::AT_EMPTY_PATH;

/// Flags of [`openat`] that hold a file and open nothing.
pub(crate) const HELD: c_int = libc::O_PATH | libc::O_CLOEXEC;

/// What `unlink` answers for a directory.
pub(crate) const UNLINKED_DIRECTORY: Errno = Errno(libc::EISDIR);

/// A descriptor of ours, closed when dropped.
#[derive(Debug)]
pub(crate) struct Descriptor(c_int);

impl Descriptor {
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
        close(self.0);
    }
}

/// A close that fails leaves nothing to do: the descriptor is gone in any case.
fn close(fd: c_int) {
    if call(libc::SYS_close, [word(fd), 0, 0, 0, 0, 0]).is_err() {}
}

pub(crate) fn openat(
    dirfd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> Result<Descriptor> {
    let arguments = [
        word(dirfd),
        path.expose_provenance(),
        word(flags),
        mode as usize,
        0,
    ];
    descriptor(judged(libc::SYS_openat, arguments)?)
}

/// Opens a directory as a place to act from.
pub(crate) fn open_directory(dirfd: c_int, path: &CStr) -> Result<Descriptor> {
    openat(dirfd, path.as_ptr(), DIRECTORY, 0)
}

const DIRECTORY: c_int = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;

/// As [`open_directory`], but fails with ELOOP where any component is a symbolic link.
pub(crate) fn open_directory_without_links(dirfd: c_int, path: &CStr) -> Result<Descriptor> {
    let how: [u64; 3] = [
        u64::from(DIRECTORY.cast_unsigned()),
        0,
        libc::RESOLVE_NO_SYMLINKS,
    ];
    let arguments = [
        word(dirfd),
        path.as_ptr().expose_provenance(),
        how.as_ptr().expose_provenance(),
        size_of_val(&how),
        0,
    ];
    descriptor(judged(libc::SYS_openat2, arguments)?)
}

/// What `openat2` takes: three words, and whatever later kernels add.
pub(crate) struct How([u64; Self::WORDS]);

impl How {
    const WORDS: usize = 8;

    /// What the first kernels with the call knew.
    pub(crate) const LEAST: usize = 24;

    pub(crate) const fn new() -> Self {
        Self([0; Self::WORDS])
    }

    /// Its first `size` bytes; None if it is not that large.
    pub(crate) fn bytes(&mut self, size: usize) -> Option<&mut [u8]> {
        // SAFETY: words may be written byte by byte.
        let bytes = unsafe {
            core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), size_of_val(&self.0))
        };
        bytes.get_mut(..size)
    }

    pub(crate) const fn flags(&self) -> u64 {
        self.0[0]
    }

    pub(crate) const fn set_flags(&mut self, flags: u64) {
        self.0[0] = flags;
    }
}

pub(crate) fn openat2(
    dirfd: c_int,
    path: *const c_char,
    how: &How,
    size: usize,
) -> Result<Descriptor> {
    let arguments = [
        word(dirfd),
        path.expose_provenance(),
        how.0.as_ptr().expose_provenance(),
        size.min(size_of_val(&how.0)),
        0,
    ];
    descriptor(judged(libc::SYS_openat2, arguments)?)
}

pub(crate) fn open_by_handle_at(
    mount: c_int,
    handle: *const c_void,
    flags: c_int,
) -> Result<Descriptor> {
    let arguments = [word(mount), handle.expose_provenance(), word(flags), 0, 0];
    descriptor(judged(libc::SYS_open_by_handle_at, arguments)?)
}

fn descriptor(number: usize) -> Result<Descriptor> {
    c_int::try_from(number)
        .map(Descriptor)
        .map_err(|_| Errno(libc::EBADF))
}

pub(crate) fn unlinkat(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<()> {
    let arguments = [word(dirfd), path.expose_provenance(), word(flags), 0, 0];
    judged(libc::SYS_unlinkat, arguments).map(drop)
}

pub(crate) fn renameat2(
    from: (c_int, *const c_char),
    to: (c_int, *const c_char),
    flags: c_uint,
) -> Result<()> {
    let arguments = [
        word(from.0),
        from.1.expose_provenance(),
        word(to.0),
        to.1.expose_provenance(),
        flags as usize,
    ];
    judged(libc::SYS_renameat2, arguments).map(drop)
}

pub(crate) fn linkat(
    from: (c_int, *const c_char),
    to: (c_int, *const c_char),
    flags: c_int,
) -> Result<()> {
    let arguments = [
        word(from.0),
        from.1.expose_provenance(),
        word(to.0),
        to.1.expose_provenance(),
        word(flags),
    ];
    judged(libc::SYS_linkat, arguments).map(drop)
}

pub(crate) fn symlinkat(target: *const c_char, name: (c_int, *const c_char)) -> Result<()> {
    let arguments = [
        target.expose_provenance(),
        word(name.0),
        name.1.expose_provenance(),
        0,
        0,
    ];
    judged(libc::SYS_symlinkat, arguments).map(drop)
}

/// Whether [`renameat2`] failed for want of the flag, and not for what was asked.
pub(crate) const fn lacks_rename_flags(errno: Errno) -> bool {
    matches!(errno.0, libc::EINVAL | libc::ENOSYS)
}

pub(crate) fn truncate(path: *const c_char, length: i64) -> Result<()> {
    let arguments = [
        path.expose_provenance(),
        length.cast_unsigned() as usize,
        0,
        0,
        0,
    ];
    judged(libc::SYS_truncate, arguments).map(drop)
}

pub(crate) fn ftruncate(fd: c_int, length: i64) -> Result<()> {
    let arguments = [word(fd), length.cast_unsigned() as usize, 0, 0, 0];
    judged(libc::SYS_ftruncate, arguments).map(drop)
}

pub(crate) fn seek_to_end(fd: c_int) -> Result<()> {
    call(
        libc::SYS_lseek,
        [word(fd), 0, word(libc::SEEK_END), 0, 0, 0],
    )
    .map(drop)
}

pub(crate) fn fallocate(fd: c_int, mode: c_int, offset: i64, length: i64) -> Result<()> {
    let arguments = [
        word(fd),
        word(mode),
        offset.cast_unsigned() as usize,
        length.cast_unsigned() as usize,
        0,
    ];
    judged(libc::SYS_fallocate, arguments).map(drop)
}

/// Sets both times of an open file to now.
pub(crate) fn touch(fd: c_int) -> Result<()> {
    call(libc::SYS_utimensat, [word(fd), 0, 0, 0, 0, 0]).map(drop)
}

/// What a file is.
#[derive(Clone, Copy)]
pub(crate) struct Status(libc::stat);

impl Status {
    pub(crate) const fn is_regular(&self) -> bool {
        self.format() == libc::S_IFREG
    }

    pub(crate) const fn is_block_device(&self) -> bool {
        self.format() == libc::S_IFBLK
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

    pub(crate) const fn is_executable(&self) -> bool {
        self.0.st_mode & 0o111 != 0
    }

    /// The user that a program becomes, whoever starts it.
    pub(crate) fn becomes_user(&self) -> Option<u32> {
        (self.0.st_mode & libc::S_ISUID != 0).then_some(self.0.st_uid)
    }

    /// The group that a program becomes, whoever starts it.
    pub(crate) fn becomes_group(&self) -> Option<u32> {
        const BITS: libc::mode_t = libc::S_ISGID | libc::S_IXGRP;
        (self.0.st_mode & BITS == BITS).then_some(self.0.st_gid)
    }

    /// Whether no name is left: nobody but the holders of a descriptor can lose it.
    pub(crate) const fn is_nameless(&self) -> bool {
        self.0.st_nlink == 0
    }

    pub(crate) const fn size(&self) -> u64 {
        self.0.st_size.cast_unsigned()
    }

    pub(crate) const fn device(&self) -> u64 {
        self.0.st_dev
    }

    /// Device and inode number.
    pub(crate) const fn identity(&self) -> (u64, u64) {
        (self.0.st_dev, self.0.st_ino)
    }
}

pub(crate) fn fstat(fd: c_int) -> Result<Status> {
    let mut status = MaybeUninit::<libc::stat>::uninit();
    let arguments = [
        word(fd),
        status.as_mut_ptr().expose_provenance(),
        0,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes one struct stat, whose layout is libc's on both architectures.
    unsafe { call_writing(libc::SYS_fstat, arguments) }?;
    // SAFETY: the call succeeded, so all of it is written.
    Ok(Status(unsafe { status.assume_init() }))
}

/// How many bytes a block device holds.
pub(crate) fn device_size(fd: c_int) -> Result<u64> {
    /// `_IOR(0x12, 114, size_t)`
    const BLKGETSIZE64: usize = 0x8008_1272;
    let mut size = MaybeUninit::<u64>::uninit();
    let arguments = [
        word(fd),
        BLKGETSIZE64,
        size.as_mut_ptr().expose_provenance(),
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes eight bytes; a device that does not know the request writes nothing.
    unsafe { call_writing(libc::SYS_ioctl, arguments) }?;
    // SAFETY: the call succeeded, so all of it is written.
    Ok(unsafe { size.assume_init() })
}

pub(crate) fn fstatat(dirfd: c_int, path: *const c_char, flags: c_int) -> Result<Status> {
    let mut status = MaybeUninit::<libc::stat>::uninit();
    let arguments = [
        word(dirfd),
        path.expose_provenance(),
        status.as_mut_ptr().expose_provenance(),
        word(flags),
        0,
        0,
    ];
    // SAFETY: the kernel writes one struct stat, whose layout is libc's on both architectures.
    unsafe { call_writing(libc::SYS_newfstatat, arguments) }?;
    // SAFETY: the call succeeded, so all of it is written.
    Ok(Status(unsafe { status.assume_init() }))
}

/// As [`fstatat`] for the name itself, a final link not followed.
pub(crate) fn lstatat(dirfd: c_int, path: &CStr) -> Result<Status> {
    fstatat(dirfd, path.as_ptr(), libc::AT_SYMLINK_NOFOLLOW)
}

/// The times of a name, a final link not followed; with AT_EMPTY_PATH those of the descriptor.
pub(crate) fn times(dirfd: c_int, path: &CStr, flags: c_int) -> Result<Age> {
    let mut status = MaybeUninit::<libc::statx>::uninit();
    let arguments = [
        word(dirfd),
        path.as_ptr().expose_provenance(),
        word(flags | libc::AT_SYMLINK_NOFOLLOW),
        (libc::STATX_BTIME | libc::STATX_MTIME) as usize,
        status.as_mut_ptr().expose_provenance(),
        0,
    ];
    // SAFETY: the kernel writes one struct statx.
    unsafe { call_writing(libc::SYS_statx, arguments) }?;
    // SAFETY: the call succeeded, so all of it is written.
    let status = unsafe { status.assume_init() };
    let known = status.stx_mask & libc::STATX_BTIME != 0;
    let time = |time: libc::statx_timestamp| (time.tv_sec, time.tv_nsec);
    Ok(Age {
        birth: known.then_some(time(status.stx_btime)),
        modified: time(status.stx_mtime),
        asked: super::realtime()?.0,
    })
}

/// Whether a name, or with AT_EMPTY_PATH the descriptor, is on an overlay of file systems.
pub(crate) fn is_on_overlay(dirfd: c_int, path: &CStr, flags: c_int) -> Result<bool> {
    if flags & libc::AT_EMPTY_PATH != 0 {
        return is_overlay(dirfd);
    }
    let held = libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    is_overlay(openat(dirfd, path.as_ptr(), held, 0)?.number())
}

fn is_overlay(fd: c_int) -> Result<bool> {
    let mut status = MaybeUninit::<libc::statfs>::uninit();
    let arguments = [
        word(fd),
        status.as_mut_ptr().expose_provenance(),
        0,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes one struct statfs.
    unsafe { call_writing(libc::SYS_fstatfs, arguments) }?;
    // SAFETY: the call succeeded, so all of it is written.
    let kind = unsafe { status.assume_init() }.f_type;
    // glibc and musl differ on whether both are signed.
    Ok(u32::try_from(kind).ok() == u32::try_from(libc::OVERLAYFS_SUPER_MAGIC).ok())
}

/// Writes the target of a link into `into`, without a NUL; a target that fills it may be cut.
pub(crate) fn readlinkat<'b>(
    dirfd: c_int,
    path: &CStr,
    into: &'b mut [MaybeUninit<u8>],
) -> Result<&'b [u8]> {
    let arguments = [
        word(dirfd),
        path.as_ptr().expose_provenance(),
        into.as_mut_ptr().expose_provenance(),
        into.len(),
        0,
        0,
    ];
    // SAFETY: the kernel writes at most `into.len()` bytes.
    let length = unsafe { call_writing(libc::SYS_readlinkat, arguments) }?;
    Ok(written(into, length))
}

/// The working directory, without its NUL. It begins with `(unreachable)` where the root does not reach it.
pub(crate) fn getcwd(into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    let arguments = [
        into.as_mut_ptr().expose_provenance(),
        into.len(),
        0,
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes at most `into.len()` bytes.
    let length = unsafe { call_writing(libc::SYS_getcwd, arguments) }?;
    Ok(written(into, length.saturating_sub(1)))
}

pub(crate) fn read(fd: c_int, into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    let arguments = [
        word(fd),
        into.as_mut_ptr().expose_provenance(),
        into.len(),
        0,
        0,
        0,
    ];
    loop {
        // SAFETY: the kernel writes at most `into.len()` bytes.
        match unsafe { call_writing(libc::SYS_read, arguments) } {
            Err(Errno(libc::EINTR)) => {}
            length => return Ok(written(into, length?)),
        }
    }
}

/// As [`read`], from an offset.
pub(crate) fn read_at(fd: c_int, into: &mut [MaybeUninit<u8>], offset: u64) -> Result<&[u8]> {
    let arguments = [
        word(fd),
        into.as_mut_ptr().expose_provenance(),
        into.len(),
        offset as usize,
        0,
        0,
    ];
    // SAFETY: the kernel writes at most `into.len()` bytes.
    let length = unsafe { call_writing(libc::SYS_pread64, arguments) }?;
    Ok(written(into, length))
}

pub(crate) fn mkdirat(dirfd: c_int, path: &CStr, mode: c_uint) -> Result<()> {
    let arguments = [
        word(dirfd),
        path.as_ptr().expose_provenance(),
        mode as usize,
        0,
        0,
        0,
    ];
    call(libc::SYS_mkdirat, arguments).map(drop)
}

/// Whether a file gives capabilities to whoever executes it.
pub(crate) fn has_capabilities(fd: c_int) -> bool {
    let name = c"security.capability";
    // Without room, the call answers the length alone.
    let arguments = [word(fd), name.as_ptr().expose_provenance(), 0, 0, 0, 0];
    call(libc::SYS_fgetxattr, arguments).is_ok_and(|length| length > 0)
}

/// Fills `into` with directory entries.
pub(crate) fn getdents(fd: c_int, into: &mut [MaybeUninit<u8>]) -> Result<&[u8]> {
    let arguments = [
        word(fd),
        into.as_mut_ptr().expose_provenance(),
        into.len(),
        0,
        0,
        0,
    ];
    // SAFETY: the kernel writes at most `into.len()` bytes.
    let length = unsafe { call_writing(libc::SYS_getdents64, arguments) }?;
    Ok(written(into, length))
}

pub(crate) fn write(fd: c_int, bytes: &[u8]) -> Result<usize> {
    let arguments = [
        word(fd),
        bytes.as_ptr().expose_provenance(),
        bytes.len(),
        0,
        0,
        0,
    ];
    call(libc::SYS_write, arguments)
}

/// The flags of a descriptor (`FD_CLOEXEC`) and of its open file.
pub(crate) fn descriptor_flags(fd: c_int) -> Result<(c_int, c_int)> {
    Ok((ask(fd, libc::F_GETFD)?, status_flags(fd)?))
}

/// The flags of an open file.
pub(crate) fn status_flags(fd: c_int) -> Result<c_int> {
    ask(fd, libc::F_GETFL)
}

fn ask(fd: c_int, what: c_int) -> Result<c_int> {
    let flags = call(libc::SYS_fcntl, [word(fd), word(what), 0, 0, 0, 0])?;
    c_int::try_from(flags).map_err(|_| Errno(libc::EINVAL))
}

/// Any command of `fcntl`.
///
/// # Safety
///
/// The argument must be what the command takes: some write through a pointer.
pub(crate) unsafe fn fcntl(fd: c_int, command: c_int, argument: usize) -> Result<usize> {
    // SAFETY: promised by the caller.
    unsafe {
        call_writing(
            libc::SYS_fcntl,
            [word(fd), word(command), argument, 0, 0, session_number()],
        )
    }
}

/// What the kernel has just written.
fn written(into: &[MaybeUninit<u8>], length: usize) -> &[u8] {
    let into = &into[..length.min(into.len())];
    // SAFETY: the kernel has written that many bytes from the beginning.
    unsafe { initialised(into) }
}
