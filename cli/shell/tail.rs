//! stub
/// stub
pub fn holds_destructive_word(_t: &[u8]) -> bool {
    true
}
