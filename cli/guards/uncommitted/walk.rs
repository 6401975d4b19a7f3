//! What a directory that git would remove holds: git names the directory alone.

use blastradius_policy::{Fs, Kind};

use super::worth;

/// Names that are looked at below one directory.
const MOST_NAMES: usize = 4000;
/// How deep.
const DEEPEST: u32 = 24;

/// A file of the disk that nobody can make again.
pub(super) struct Work {
    /// Its path, from where the walk began.
    pub(super) path: Vec<u8>,
    pub(super) ignored: bool,
}

/// Walks over what would be removed.
pub(super) struct Walk<'a> {
    fs: &'a dyn Fs,
    /// The top of the work tree.
    top: &'a [u8],
    /// Whether a path from the top on is ignored.
    ignored: &'a dyn Fn(&[u8]) -> bool,
    left: usize,
    pub(super) found: Vec<Work>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(fs: &'a dyn Fs, top: &'a [u8], ignored: &'a dyn Fn(&[u8]) -> bool) -> Self {
        Self {
            fs,
            top,
            ignored,
            left: MOST_NAMES,
            found: Vec::new(),
        }
    }

    /// Looks at one path from the top on, which git would remove.
    pub(super) fn look(&mut self, path: &[u8]) {
        let ignored = (self.ignored)(path);
        let parent = path
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(0, |at| at);
        if !worth::lies_in_made(&path[..parent], ignored) {
            self.at(path, 0);
        }
    }

    fn at(&mut self, path: &[u8], depth: u32) {
        if self.left == 0 || depth > DEEPEST {
            return;
        }
        self.left -= 1;
        let full = [self.top, b"/", path].concat();
        let Ok(meta) = self.fs.lstat(&full) else {
            return;
        };
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let ignored = (self.ignored)(path);
        if meta.kind != Kind::Directory {
            let made = match meta.kind {
                Kind::File => meta.size == 0 || worth::is_made_file(name, ignored),
                // What it leads to stays.
                Kind::Symlink => ignored || worth::is_made_directory(name, ignored),
                _ => true,
            };
            if !made {
                self.found.push(Work {
                    path: path.to_vec(),
                    ignored,
                });
            }
            return;
        }
        if worth::is_made_directory(name, ignored) {
            return;
        }
        let mut names = Vec::new();
        // What cannot be listed cannot be told; the rest still can.
        let listed = self.fs.list(&full, &mut |name| names.push(name.to_vec()));
        if listed.is_err() || names.iter().any(|name| worth::is_mark(name)) {
            return;
        }
        names.sort();
        for name in names {
            self.at(&[path, b"/", &name].concat(), depth + 1);
        }
    }
}
