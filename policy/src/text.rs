//! The text in which a policy travels.

use crate::contract::POLICY_MAX;

/// Room for the text of one policy.
#[derive(Clone)]
pub struct PolicyText {
    bytes: [u8; POLICY_MAX],
    length: usize,
}

impl PolicyText {
    /// Holds nothing, which is no policy.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bytes: [0; POLICY_MAX],
            length: 0,
        }
    }

    /// The text, without NUL bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Default for PolicyText {
    fn default() -> Self {
        Self::new()
    }
}
