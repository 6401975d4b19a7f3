//! The disk, asked by system calls.

use blastradius_policy::{Fs, FsError, Kind, Meta};

use crate::memory::PATH_MAX;
use crate::sys::{self, CWD, Errno, Status};
use crate::text::Text;

/// The disk as this process sees it.
#[derive(Clone, Copy)]
pub(crate) struct Disk;

/// A path as the kernel takes it.
fn with_nul(path: &[u8]) -> Result<Text<PATH_MAX>, FsError> {
    let mut text = Text::new();
    text.append(path)
        .and_then(|()| text.push(0))
        .map_err(|_| FsError::TooLong)?;
    Ok(text)
}

pub(crate) fn error(errno: Errno) -> FsError {
    match errno.0 {
        libc::ENOENT => FsError::NotFound,
        libc::ENOTDIR => FsError::NotDirectory,
        libc::ELOOP => FsError::Loop,
        libc::ENAMETOOLONG => FsError::TooLong,
        libc::EACCES => FsError::Denied,
        other => FsError::Other(other),
    }
}

pub(crate) const fn kind(status: &Status) -> Kind {
    match status.format() {
        libc::S_IFREG => Kind::File,
        libc::S_IFDIR => Kind::Directory,
        libc::S_IFLNK => Kind::Symlink,
        libc::S_IFBLK => Kind::BlockDevice,
        _ => Kind::Other,
    }
}

impl Fs for Disk {
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError> {
        let path = with_nul(path)?;
        let status = sys::lstatat(CWD, path.as_c_str()).map_err(error)?;
        Ok(Meta {
            kind: kind(&status),
            size: status.size(),
            device: status.device(),
        })
    }

    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        let path = with_nul(path)?;
        let mut target = Text::<PATH_MAX>::new();
        target
            .fill(|room| sys::readlinkat(CWD, path.as_c_str(), room))
            .map_err(error)?;
        let length = target.len();
        into.get_mut(..length)
            .ok_or(FsError::TooLong)?
            .copy_from_slice(target.as_bytes());
        Ok(length)
    }

    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        let path = with_nul(path)?;
        // Not blocking: a FIFO in the place of a file must not stop the process.
        let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOCTTY | libc::O_NONBLOCK;
        let file = sys::openat(CWD, path.as_c_str().as_ptr(), flags, 0).map_err(error)?;
        if !sys::fstat(file.number()).map_err(error)?.is_regular() {
            return Err(FsError::Other(libc::EINVAL));
        }
        let mut length = 0;
        loop {
            let mut chunk = Text::<1024>::new();
            chunk
                .fill(|room| sys::read(file.number(), room))
                .map_err(error)?;
            if chunk.len() == 0 {
                return Ok(length);
            }
            into.get_mut(length..length + chunk.len())
                .ok_or(FsError::TooLong)?
                .copy_from_slice(chunk.as_bytes());
            length += chunk.len();
        }
    }

    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        let path = with_nul(path)?;
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
        let directory = sys::openat(CWD, path.as_c_str().as_ptr(), flags, 0).map_err(error)?;
        names(directory.number(), |name| {
            each(name);
            Walk::On
        })
        .map_err(error)
    }
}

/// Whether to go on with a listing.
#[derive(PartialEq, Eq)]
pub(crate) enum Walk {
    On,
    Stop,
}

/// Calls `each` with every name in an open directory but `.` and `..`.
pub(crate) fn names(directory: i32, mut each: impl FnMut(&[u8]) -> Walk) -> sys::Result<()> {
    /// Inode and offset, eight bytes each, come before an entry's length; then its type, then its name. macOS
    /// has the length of the name before the type.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = if cfg!(target_os = "macos") { 21 } else { 19 };
    loop {
        let mut block = Text::<1024>::new();
        block.fill(|room| sys::getdents(directory, room))?;
        let mut rest = block.as_bytes();
        if rest.is_empty() {
            return Ok(());
        }
        while let Some(&[low, high]) = rest.get(LENGTH_AT..LENGTH_AT + 2) {
            let length = usize::from(u16::from_ne_bytes([low, high]));
            let Some((entry, others)) = rest.split_at_checked(length) else {
                return Err(Errno(libc::EIO));
            };
            let name = entry.get(NAME_AT..).unwrap_or(b"");
            let name = name.split(|&byte| byte == 0).next().unwrap_or(b"");
            if !matches!(name, b"" | b"." | b"..") && each(name) == Walk::Stop {
                return Ok(());
            }
            rest = others;
        }
    }
}
