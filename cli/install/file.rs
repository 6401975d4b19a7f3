//! A settings file: read, kept in a backup, replaced in one step.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A settings file and what it held when it was read.
pub(super) struct SettingsFile {
    /// The file itself: a link on the way was followed, so that it stays a link.
    path: PathBuf,
    content: Option<Vec<u8>>,
}

impl SettingsFile {
    /// Reads the file, which need not exist.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let path = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && fs::symlink_metadata(path).is_ok() =>
            {
                return Err(io::Error::other(
                    "it is a link to a file that does not exist",
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(error),
        };
        match fs::metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("it is not a regular file"));
            }
            Ok(found) if found.mode() & 0o222 == 0 => {
                return Err(io::Error::other("it is read-only"));
            }
            Ok(_) | Err(_) => {}
        }
        let content = read_if_there(&path)?;
        Ok(Self { path, content })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }

    /// Where the first version is kept.
    pub(super) fn backup_path(&self) -> PathBuf {
        let mut name = self
            .path
            .file_name()
            .map_or_else(OsString::new, ToOwned::to_owned);
        name.push(".blastradius-backup");
        self.path.with_file_name(name)
    }

    /// The first version, if it was kept.
    pub(super) fn backup(&self) -> io::Result<Option<Vec<u8>>> {
        read_if_there(&self.backup_path())
    }

    /// Keeps the file as it is now, unless an earlier version is kept already or there is no file.
    pub(super) fn keep_backup(&self) -> io::Result<()> {
        let Some(content) = &self.content else {
            return Ok(());
        };
        match self.staged(content)?.persist_noclobber(self.backup_path()) {
            Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => Err(failed.error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Removes the kept version.
    pub(super) fn drop_backup(&self) -> io::Result<()> {
        match fs::remove_file(self.backup_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Replaces the content in one step: a reader sees the old file or the new one.
    pub(super) fn write(&self, content: &[u8]) -> io::Result<()> {
        let folder = self.folder()?;
        fs::create_dir_all(folder)?;
        let file = self.staged(content)?;
        if read_if_there(&self.path)? != self.content {
            return Err(io::Error::other(
                "it was changed by another program meanwhile: run this again",
            ));
        }
        file.persist(&self.path).map_err(|failed| failed.error)?;
        File::open(folder)?.sync_all()
    }

    /// Content in a file beside ours, with the owner and the mode of ours, if there is one, before anything is in it:
    /// settings may hold secrets.
    fn staged(&self, content: &[u8]) -> io::Result<NamedTempFile> {
        let before = match fs::metadata(&self.path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mode = before.as_ref().map_or(0o666, |_| 0o600);
        let mut file = tempfile::Builder::new()
            .prefix(".settings.json.")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(self.folder()?)?;
        if let Some(before) = before {
            let now = file.as_file().metadata()?;
            if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
                fchown(file.as_file(), Some(before.uid()), Some(before.gid()))?;
            }
            file.as_file()
                .set_permissions(Permissions::from_mode(before.mode() & 0o7777))?;
        }
        file.write_all(content)?;
        file.as_file().sync_all()?;
        Ok(file)
    }

    fn folder(&self) -> io::Result<&Path> {
        self.path
            .parent()
            .ok_or_else(|| io::Error::other("it has no folder"))
    }

    /// Removes a file that we made, and its folder if nothing else is in it.
    pub(super) fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        if let Some(folder) = self.path.parent() {
            // Not empty: then it is in use.
            fs::remove_dir(folder).ok();
        }
        Ok(())
    }
}

fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
