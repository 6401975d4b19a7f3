//! What the commands of a string have done so far, by the work trees that they did it in.

use std::collections::BTreeMap;

use super::Saved;
use crate::git::Invocation;

/// The work trees that a string has been at.
#[derive(Default)]
pub(crate) struct Trees {
    trees: BTreeMap<Vec<u8>, Saved>,
    /// Files that were copied, moved or removed by name: whatever git does to them later, it is not what loses them.
    copied: Vec<Vec<u8>>,
}

impl Trees {
    pub(crate) fn copied(&mut self, path: Vec<u8>) {
        self.copied.push(path);
    }

    /// What was done to a work tree.
    pub(crate) fn of(&self, tree: &[u8]) -> Saved {
        let mut saved = self.trees.get(tree).cloned().unwrap_or_default();
        saved.copied.extend(self.copied.iter().cloned());
        saved
    }

    /// A git command has been judged: later ones find what it leaves.
    pub(crate) fn record(&mut self, tree: &[u8], invocation: &Invocation) {
        if Saved::is_changed_by(&invocation.verb) {
            let saved = self.trees.entry(tree.to_vec()).or_default();
            saved.record(tree, invocation);
        }
    }

    /// The difference between the work tree and the index or a commit was written to a file.
    pub(crate) fn saved_as_patch(&mut self, tree: &[u8]) {
        self.trees.entry(tree.to_vec()).or_default().tracked = true;
    }
}
