//! What a guard looks at: one thing that an agent is about to do, in its place.

mod background;
mod change;
mod command;
mod file_call;
mod settings;

pub use background::{Background, Setting, Settings};
pub(crate) use background::{Past, RefusedBefore};
pub(crate) use change::{By, Change, Piece, What};
pub(crate) use command::{Around, Command};
pub use file_call::{FileCall, FileDeed};

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise, holds_pattern};

use crate::git::Ask;
use crate::interp::Text;

/// Longest file that a guard reads.
const LONGEST: u64 = 1 << 20;

/// One thing that is about to happen.
pub(crate) enum Subject<'a> {
    /// A program is started.
    Command(&'a Command<'a>),
    /// A file is written, edited, removed or moved.
    Change(&'a Change<'a>),
    /// A file's content comes into the session.
    Reading(&'a [u8]),
    /// A shell runs a text that is not wholly known.
    Script(&'a Text),
}

/// It, and whom to ask about the rest.
pub(crate) struct Case<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) git: &'a dyn Ask,
    pub(crate) fs: &'a dyn Fs,
    /// What is known beside the call.
    pub(crate) background: &'a Background,
    /// The home, if there is one.
    pub(crate) home: Option<&'a [u8]>,
    /// Variables that decide which repository git finds.
    pub(crate) variable: &'a dyn Fn(&[u8]) -> Option<crate::git::Word>,
}

impl Case<'_> {
    /// The content of a regular file that is not too long; links are followed.
    pub(crate) fn content(&self, path: &[u8]) -> Option<Vec<u8>> {
        content(self.fs, path)
    }
}

/// The content of a regular file that is not too long; links are followed.
pub(crate) fn content(fs: &dyn Fs, path: &[u8]) -> Option<Vec<u8>> {
    let mut buffer = PathBuffer::new();
    let path = canonicalise(fs, b"/", path, true, &mut buffer).ok()?;
    let meta = fs.lstat(path.as_bytes()).ok()?;
    if meta.kind != Kind::File || meta.size > LONGEST {
        return None;
    }
    let mut room = vec![0; usize::try_from(meta.size).ok()? + 1];
    let length = fs.read(path.as_bytes(), &mut room).ok()?;
    room.truncate(length);
    Some(room)
}

/// The last component of a path.
pub(crate) fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// The directory of a path.
pub(crate) fn folder(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(0) => b"/",
        Some(at) => &path[..at],
        None => b".",
    }
}

/// Whether a path is a directory or lies below it, by components.
pub(crate) fn is_at_or_below(path: &[u8], directory: &[u8]) -> bool {
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Whether a pattern of the user file is about this: a path, or the name of something.
pub(crate) fn matches(pattern: &str, about: &[u8], home: Option<&[u8]>) -> bool {
    let pattern = pattern.as_bytes();
    let below_home = pattern.strip_prefix(b"~/").zip(home);
    let pattern = match below_home {
        Some((rest, home)) => [home, b"/".as_slice(), rest].concat(),
        // A relative pattern is about a path wherever that begins.
        None if about.starts_with(b"/") && !pattern.starts_with(b"/") => [
            b"**/".as_slice(),
            pattern.strip_prefix(b"./").unwrap_or(pattern),
        ]
        .concat(),
        None => pattern.to_vec(),
    };
    holds_pattern(&pattern, about)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_are_about_paths_and_names() {
        for (pattern, about, holds) in [
            ("~/work/**", "/home/dev/work/a/b", true),
            ("~/work/**", "/home/dev/play", false),
            ("/srv/x", "/srv/x", true),
            ("db/migrate/**", "/srv/app/db/migrate/1.sql", true),
            ("*.lock", "/srv/app/Cargo.lock", true),
            ("release/*", "release/1", true),
            ("main", "main", true),
            ("main", "mainly", false),
        ] {
            assert_eq!(
                matches(pattern, about.as_bytes(), Some(b"/home/dev")),
                holds,
                "{pattern} {about}"
            );
        }
    }
}
