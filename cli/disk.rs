//! The disk, for the policy.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use blastradius_policy::{Fs, FsError, Kind, Meta};
use rustix::fs::OFlags;
use rustix::io::Errno;

/// The file system of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Fs for Disk {
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError> {
        fs::symlink_metadata(as_path(path))
            .map(|found| meta(&found))
            .map_err(|error| reason(&error))
    }

    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        let target = fs::read_link(as_path(path)).map_err(|error| reason(&error))?;
        let target = target.as_os_str().as_bytes();
        into.get_mut(..target.len())
            .ok_or(FsError::TooLong)?
            .copy_from_slice(target);
        Ok(target.len())
    }

    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        let mut file = open(as_path(path)).map_err(|error| reason(&error))?;
        let mut length = 0;
        while length < into.len() {
            match file.read(&mut into[length..]) {
                Ok(0) => return Ok(length),
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(reason(&error)),
            }
        }
        match file.read(&mut [0]) {
            Ok(0) => Ok(length),
            Ok(_) => Err(FsError::TooLong),
            Err(error) => Err(reason(&error)),
        }
    }

    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        for entry in fs::read_dir(as_path(path)).map_err(|error| reason(&error))? {
            each(
                entry
                    .map_err(|error| reason(&error))?
                    .file_name()
                    .as_bytes(),
            );
        }
        Ok(())
    }
}

/// The same, asking about each name once: one decision resolves many paths that begin alike.
#[derive(Debug, Default)]
pub struct Remembered {
    seen: RefCell<BTreeMap<Vec<u8>, Result<Meta, FsError>>>,
}

impl Fs for Remembered {
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError> {
        if let Some(known) = self.seen.borrow().get(path) {
            return *known;
        }
        let found = Disk.lstat(path);
        self.seen.borrow_mut().insert(path.to_vec(), found);
        found
    }

    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        Disk.readlink(path, into)
    }

    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        Disk.read(path, into)
    }

    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        Disk.list(path, each)
    }
}

/// Opens a regular file. A fifo without a writer would hang, and its bytes are nobody's declaration.
fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(Errno::INVAL.into())
    }
}

fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

fn meta(found: &fs::Metadata) -> Meta {
    let kind = found.file_type();
    Meta {
        kind: if kind.is_file() {
            Kind::File
        } else if kind.is_dir() {
            Kind::Directory
        } else if kind.is_symlink() {
            Kind::Symlink
        } else if kind.is_block_device() {
            Kind::BlockDevice
        } else {
            Kind::Other
        },
        size: found.size(),
        device: found.dev(),
    }
}

fn reason(error: &io::Error) -> FsError {
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOENT) => FsError::NotFound,
        Some(Errno::NOTDIR) => FsError::NotDirectory,
        Some(Errno::LOOP) => FsError::Loop,
        Some(Errno::NAMETOOLONG) => FsError::TooLong,
        Some(Errno::ACCESS) => FsError::Denied,
        Some(other) => FsError::Other(other.raw_os_error()),
        // A path with a NUL never reaches the kernel.
        None => FsError::Other(Errno::INVAL.raw_os_error()),
    }
}
