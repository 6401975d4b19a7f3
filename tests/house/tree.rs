//! What lies on the disk, read by the test process, which nothing is injected into.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// One name in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Directory,
    File { content: Vec<u8>, mode: u32 },
    Link(PathBuf),
    Other,
}

/// Every name below a directory, by its path from there. Links are not followed.
pub(crate) type Tree = BTreeMap<PathBuf, Node>;

/// Reads a tree.
pub(crate) fn read(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let entries = fs::read_dir(root.join(&below))
            .unwrap_or_else(|error| panic!("{}: {error}", root.join(&below).display()));
        for entry in entries {
            let entry = entry.unwrap();
            let name = below.join(entry.file_name());
            let kind = entry.file_type().unwrap();
            let node = if kind.is_dir() {
                pending.push(name.clone());
                Node::Directory
            } else if kind.is_symlink() {
                Node::Link(fs::read_link(entry.path()).unwrap())
            } else if kind.is_file() {
                Node::File {
                    content: fs::read(entry.path()).unwrap(),
                    mode: entry.metadata().unwrap().permissions().mode(),
                }
            } else {
                Node::Other
            };
            tree.insert(name, node);
        }
    }
    tree
}

/// The names that are gone or hold something else than before. New names are no loss.
pub(crate) fn lost(before: &Tree, after: &Tree) -> Vec<PathBuf> {
    before
        .iter()
        .filter(|(name, node)| match (node, after.get(*name)) {
            (Node::File { content, .. }, Some(Node::File { content: now, .. })) => content != now,
            (node, Some(now)) => *node != now,
            (_, None) => true,
        })
        .map(|(name, _)| name.clone())
        .collect()
}
