//! The disk as the policy sees it.

use core::fmt;

/// What a name is, without following a final symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A block device: writing to it destroys whole file systems.
    BlockDevice,
    /// A pipe, socket, terminal or other character device.
    Other,
}

/// What `lstat` says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// Device number: differs where another file system is mounted.
    pub device: u64,
}

/// Why the disk gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FsError {
    /// ENOENT.
    NotFound,
    /// ENOTDIR: a component in the middle is a file.
    NotDirectory,
    /// ELOOP, or more than 40 links followed.
    Loop,
    /// ENAMETOOLONG, or more than a buffer holds.
    TooLong,
    /// EACCES.
    Denied,
    /// Any other errno.
    Other(i32),
}

impl FsError {
    /// In words; an errno without any is itself.
    pub(crate) const fn words(self) -> Result<&'static str, i32> {
        match self {
            Self::NotFound => Ok("no such file or directory"),
            Self::NotDirectory => Ok("not a directory"),
            Self::Loop => Ok("too many links"),
            Self::TooLong => Ok("too long"),
            Self::Denied => Ok("permission denied"),
            Self::Other(errno) => Err(errno),
        }
    }
}

impl fmt::Display for FsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            Ok(words) => f.write_str(words),
            Err(errno) => write!(f, "error {errno}"),
        }
    }
}

impl core::error::Error for FsError {}

/// The few questions that resolving a path and finding a policy ask. Paths are absolute.
pub trait Fs {
    /// `lstat(2)`.
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError>;
    /// `readlink(2)`: writes the target into `into` and returns its length.
    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError>;
    /// Reads a regular file from its beginning into `into` and returns how much was read. A file that is
    /// longer than `into` is [`FsError::TooLong`].
    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError>;
    /// Calls `each` with every name in a directory but `.` and `..`, in any order.
    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError>;
}
