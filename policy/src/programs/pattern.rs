//! Patterns that a program expands by itself.

/// Whether a pattern has a literal character to select by: `*` and `.*` match whatever there is.
pub(super) fn selects(pattern: &[u8]) -> bool {
    pattern
        .iter()
        .any(|byte| !b"*?.[]!^$+/\\(){}|".contains(byte))
}

/// A pattern, cut before the first component that is not literal: the directory below which it matches, and
/// the rest. None if all of it is literal.
pub(super) fn split(pattern: &[u8]) -> Option<(&[u8], &[u8])> {
    let glob = pattern.iter().position(|b| b"*?[".contains(b))?;
    let slash = pattern[..glob].iter().rposition(|&b| b == b'/');
    Some(pattern.split_at(slash.map_or(0, |slash| slash + 1)))
}
