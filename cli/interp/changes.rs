//! What earlier commands of a string have done to the disk, where later ones go by it.

use std::rc::Rc;

use blastradius_policy::{Fs, FsError, Kind, Meta};

/// Links and moves that are to be expected once a string has run so far. Paths are canonical.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    links: Vec<(Vec<u8>, Vec<u8>)>,
    moves: Vec<Move>,
    /// Files that were written, and what they hold if that is known.
    written: Vec<(Vec<u8>, Content)>,
}

/// What a file holds, if that is known.
pub(crate) type Content = Option<Rc<[u8]>>;

/// A file that was moved to a name that nothing had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) source: Vec<u8>,
    pub(crate) target: Vec<u8>,
}

impl Changes {
    /// `name` has become a link.
    pub(super) fn link(&mut self, name: Vec<u8>, target: Vec<u8>) {
        self.links.retain(|(known, _)| *known != name);
        self.links.push((name, target));
    }

    pub(super) fn moved(&mut self, moved: Move) {
        if !self.moves.contains(&moved) {
            self.moves.push(moved);
        }
    }

    /// A file was written; `content` is all that it holds, if known.
    pub(super) fn write(&mut self, path: Vec<u8>, content: Content) {
        self.written.retain(|(known, _)| *known != path);
        self.written.push((path, content));
    }

    /// Whether a file was written, and what it holds if that is known.
    pub(crate) fn content(&self, path: &[u8]) -> Option<Content> {
        let (_, content) = self.written.iter().find(|(known, _)| known == path)?;
        Some(content.clone())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.links.len() + self.moves.len() + self.written.len()
    }

    /// What else now has the name `target`, if something was moved there.
    pub(crate) fn occupant(&self, target: &[u8]) -> Option<&Move> {
        self.moves.iter().find(|moved| moved.target == target)
    }

    /// What happened in another shell, or on another branch, happened here too.
    pub(super) fn absorb(&mut self, other: &Self) {
        for (name, target) in &other.links {
            if !self.links.iter().any(|(known, _)| known == name) {
                self.links.push((name.clone(), target.clone()));
            }
        }
        for (path, content) in &other.written {
            if self.content(path).as_ref() != Some(content) {
                // Written on one of several ways here: it may hold either.
                self.write(path.clone(), None);
            }
        }
        for moved in &other.moves {
            self.moved(moved.clone());
        }
    }

    fn target(&self, name: &[u8]) -> Option<&[u8]> {
        let (_, target) = self.links.iter().find(|(known, _)| known == name)?;
        Some(target)
    }
}

/// The disk with the links that a string has made so far.
#[derive(Clone)]
pub(crate) struct Disk<'a> {
    fs: &'a dyn Fs,
    changes: Rc<Changes>,
}

impl<'a> Disk<'a> {
    pub(crate) const fn new(fs: &'a dyn Fs, changes: Rc<Changes>) -> Self {
        Self { fs, changes }
    }

    /// The same disk after other changes.
    pub(crate) fn after(&mut self, changes: &Rc<Changes>) {
        self.changes = changes.clone();
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The disk before the string ran.
    pub(crate) const fn before(&self) -> &'a dyn Fs {
        self.fs
    }
}

impl Fs for Disk<'_> {
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError> {
        match self.changes.target(path) {
            Some(target) => Ok(Meta {
                kind: Kind::Symlink,
                size: target.len() as u64,
                device: 0,
            }),
            None => self.fs.lstat(path),
        }
    }

    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        let Some(target) = self.changes.target(path) else {
            return self.fs.readlink(path, into);
        };
        into.get_mut(..target.len())
            .ok_or(FsError::TooLong)?
            .copy_from_slice(target);
        Ok(target.len())
    }

    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        self.fs.read(path, into)
    }

    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        self.fs.list(path, each)
    }
}
