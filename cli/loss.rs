//! What is on disk that an act would take, for `explain`.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _, path::Path};

use blastradius_policy::{Act, Canonical};

use crate::message::escape_path;

/// Names that are counted before giving up: an explanation is to come soon.
const MOST_NAMES: u64 = 20_000;

/// What an act on a path would take, in a few words.
#[must_use]
pub fn of(path: Canonical<'_>, act: Act) -> String {
    let path = Path::new(OsStr::from_bytes(path.as_bytes()));
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return "nothing: it does not exist".to_owned();
        }
        Err(error) => return format!("not known: {error}"),
    };
    if act == Act::Append {
        return "nothing: it is added to".to_owned();
    }
    if meta.is_symlink() {
        return match fs::read_link(path) {
            Ok(to) => format!("the link to {}", escape_path(&to)),
            Err(error) => format!("a link that cannot be read: {error}"),
        };
    }
    if !meta.is_dir() {
        return format!("a file of {}", size(meta.len()));
    }
    if act == Act::Remove {
        return "an empty directory, or nothing".to_owned();
    }
    let mut found = Found::default();
    found.add(path);
    let found = match found.is_cut {
        true => format!("more than {MOST_NAMES} names"),
        false => format!(
            "{}{} file{} in {} director{}, {}",
            if found.is_partial { "at least " } else { "" },
            found.files,
            if found.files == 1 { "" } else { "s" },
            found.directories,
            if found.directories == 1 { "y" } else { "ies" },
            size(found.bytes),
        ),
    };
    match act {
        Act::MoveAway => format!("{found}, which move"),
        Act::Select => format!("of {found}, those that a test picks"),
        _ => found,
    }
}

/// What lies in a tree.
#[derive(Default)]
struct Found {
    files: u64,
    directories: u64,
    bytes: u64,
    is_cut: bool,
    /// Something could not be looked into.
    is_partial: bool,
}

impl Found {
    /// Counts a directory and what is below it; links are not followed.
    fn add(&mut self, top: &Path) {
        let mut left = vec![top.to_owned()];
        while let Some(directory) = left.pop() {
            self.directories += 1;
            let Ok(entries) = fs::read_dir(&directory) else {
                self.is_partial = true;
                continue;
            };
            for entry in entries {
                let Ok(entry) = entry else {
                    self.is_partial = true;
                    break;
                };
                if self.files + self.directories >= MOST_NAMES {
                    self.is_cut = true;
                    return;
                }
                match entry.metadata() {
                    Ok(meta) if meta.is_dir() => left.push(entry.path()),
                    Ok(meta) => {
                        self.files += 1;
                        self.bytes += meta.len();
                    }
                    Err(_) => {
                        self.files += 1;
                        self.is_partial = true;
                    }
                }
            }
        }
    }
}

/// A size with a unit of powers of a thousand.
fn size(bytes: u64) -> String {
    let mut rest = bytes;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if rest < 10_000 {
            return format!("{rest} {unit}");
        }
        rest /= 1000;
    }
    format!("{rest} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path, act: Act) -> String {
        of(
            Canonical::new(path.as_os_str().as_bytes()).expect("it is absolute"),
            act,
        )
    }

    #[test]
    fn counts_what_is_there() {
        let place = tempfile::tempdir().expect("there is room");
        let top = place.path().canonicalize().expect("it exists");
        fs::create_dir_all(top.join("a/b")).expect("it can be made");
        fs::write(top.join("a/x"), [0; 1500]).expect("it can be written");
        fs::write(top.join("a/b/y"), [0; 1500]).expect("it can be written");
        std::os::unix::fs::symlink("/", top.join("a/b/link")).expect("it can be made");
        for (name, act, expected) in [
            ("a", Act::RemoveTree, "3 files in 2 directories, 3001 bytes"),
            ("a/b", Act::Sweep, "2 files in 1 directory, 1501 bytes"),
            ("a/x", Act::Remove, "a file of 1500 bytes"),
            ("a/x", Act::Append, "nothing: it is added to"),
            ("a/b/link", Act::Remove, "the link to /"),
            ("none", Act::RemoveTree, "nothing: it does not exist"),
        ] {
            assert_eq!(said(&top.join(name), act), expected, "{name}");
        }
    }

    #[test]
    fn says_sizes_shortly() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (9_999, "9999 bytes"),
            (10_000, "10 kB"),
            (123_456_789, "123 MB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
