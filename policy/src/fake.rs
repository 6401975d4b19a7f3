//! A disk in memory, for tests of this crate and of those that use it.

use std::collections::BTreeMap;
use std::vec::Vec;

use crate::{Fs, FsError, Kind, Meta};

/// A disk in memory. Built from rows of a path and what is there:
///
/// - `dir`
/// - `file`, or `file CONTENT`
/// - `link TARGET`
/// - `block` or `other`: a device
/// - `sealed`: a directory that cannot be entered
///
/// Directories above a row come by themselves.
#[derive(Clone, Debug, Default)]
pub struct FakeFs {
    nodes: BTreeMap<Vec<u8>, Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Directory,
    Sealed,
    File(Vec<u8>),
    Link(Vec<u8>),
    Block,
    Other,
}

impl FakeFs {
    /// Builds a disk; a row that cannot be understood panics.
    #[must_use]
    pub fn new(rows: &[(&str, &str)]) -> Self {
        let mut disk = Self::default();
        disk.nodes.insert(b"/".to_vec(), Node::Directory);
        for (path, what) in rows {
            disk.add(path, what);
        }
        disk
    }

    /// Adds one row.
    pub fn add(&mut self, path: &str, what: &str) {
        let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
        let node = match word {
            "dir" => Node::Directory,
            "sealed" => Node::Sealed,
            "file" => Node::File(rest.into()),
            "link" => Node::Link(rest.into()),
            "block" => Node::Block,
            "other" => Node::Other,
            _ => panic!("{path}: no such kind of row: {what}"),
        };
        for (at, byte) in path.bytes().enumerate().skip(1) {
            if byte == b'/' {
                self.nodes
                    .entry(path.as_bytes()[..at].to_vec())
                    .or_insert(Node::Directory);
            }
        }
        self.nodes.insert(path.as_bytes().to_vec(), node);
    }

    /// Adds a file of any bytes.
    pub fn add_bytes(&mut self, path: &str, content: &[u8]) {
        self.add(path, "file");
        self.nodes
            .insert(path.as_bytes().to_vec(), Node::File(content.to_vec()));
    }

    /// Where a path leads, as the kernel would walk it: the oracle of [`crate::canonicalise`].
    pub fn real_path(&self, path: &[u8]) -> Result<Vec<u8>, FsError> {
        self.find(path, true).map(|(at, _)| at)
    }

    /// Finds a node as the kernel would: links above it are followed, the final one if `follow`.
    fn find(&self, path: &[u8], follow: bool) -> Result<(Vec<u8>, &Node), FsError> {
        let mut todo: Vec<Vec<u8>> = components(path);
        let mut at: Vec<u8> = b"/".to_vec();
        let mut links = 0;
        while let Some(component) = todo.pop() {
            match self.nodes.get(&at) {
                Some(Node::Directory) => {}
                Some(Node::Sealed) => return Err(FsError::Denied),
                Some(_) => return Err(FsError::NotDirectory),
                None => return Err(FsError::NotFound),
            }
            if component == b".." {
                at = parent(&at);
                continue;
            }
            let mut next = at.clone();
            if next != b"/" {
                next.push(b'/');
            }
            next.extend_from_slice(&component);
            match self.nodes.get(&next) {
                Some(Node::Link(target)) if follow || !todo.is_empty() => {
                    links += 1;
                    if links > 40 {
                        return Err(FsError::Loop);
                    }
                    if target.starts_with(b"/") {
                        at = b"/".to_vec();
                    }
                    todo.extend(components(target));
                }
                Some(_) => at = next,
                None => return Err(FsError::NotFound),
            }
        }
        self.nodes
            .get(&at)
            .map(|node| (at, node))
            .ok_or(FsError::NotFound)
    }
}

/// The components, the first one last.
fn components(path: &[u8]) -> Vec<Vec<u8>> {
    path.split(|&byte| byte == b'/')
        .filter(|component| !matches!(*component, b"" | b"."))
        .map(<[u8]>::to_vec)
        .rev()
        .collect()
}

fn parent(path: &[u8]) -> Vec<u8> {
    let slash = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    path[..slash.max(1)].to_vec()
}

fn copy(from: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
    into.get_mut(..from.len())
        .ok_or(FsError::TooLong)?
        .copy_from_slice(from);
    Ok(from.len())
}

impl Fs for FakeFs {
    fn lstat(&self, path: &[u8]) -> Result<Meta, FsError> {
        let (_, node) = self.find(path, path.len() > 1 && path.ends_with(b"/"))?;
        let (kind, size) = match node {
            Node::Directory | Node::Sealed => (Kind::Directory, 4096),
            Node::File(content) => (Kind::File, content.len() as u64),
            Node::Link(target) => (Kind::Symlink, target.len() as u64),
            Node::Block => (Kind::BlockDevice, 0),
            Node::Other => (Kind::Other, 0),
        };
        Ok(Meta {
            kind,
            size,
            device: 1,
        })
    }

    fn readlink(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        match self.find(path, false)? {
            (_, Node::Link(target)) => copy(target, into),
            _ => Err(FsError::Other(22)),
        }
    }

    fn read(&self, path: &[u8], into: &mut [u8]) -> Result<usize, FsError> {
        match self.find(path, true)? {
            (_, Node::File(content)) => copy(content, into),
            (_, Node::Directory) => Err(FsError::Other(21)),
            _ => Err(FsError::Denied),
        }
    }

    fn list(&self, path: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        let (at, node) = self.find(path, true)?;
        match node {
            Node::Directory => {}
            Node::Sealed => return Err(FsError::Denied),
            _ => return Err(FsError::NotDirectory),
        }
        for name in self.nodes.keys() {
            if name.len() > 1 && parent(name) == at {
                let slash = name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
                each(&name[slash + 1..]);
            }
        }
        Ok(())
    }
}
