//! Paths of the kind `host:path`, which lie on another machine.

/// Where the path begins in `host:path`, `user@host:path`, `host::module` or `rsync://host/path`; none for a
/// local path. A slash before the colon makes it local.
pub(super) fn remote_path(word: &[u8]) -> Option<usize> {
    let colon = word.iter().position(|&b| b == b':' || b == b'/')?;
    (word[colon] == b':' && colon > 0).then_some(colon + 1)
}
