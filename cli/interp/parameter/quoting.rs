//! `${name@Q}` and its like.

use crate::interp::value::{Text, Unknown};

/// What `letter` makes of a value; unknown where that depends on more than the value.
pub(super) fn transformed(bytes: &[u8], letter: Option<u8>) -> Text {
    let unknown = || Text::unknown(Unknown::anything("a transformed variable"));
    let holds = |what: &[u8]| bytes.iter().any(|byte| what.contains(byte));
    match letter {
        _ if !bytes.is_ascii() => unknown(),
        Some(b'U') => Text::known(bytes.to_ascii_uppercase()),
        Some(b'L') => Text::known(bytes.to_ascii_lowercase()),
        Some(b'u') => Text::known(super::strings::first_changed(bytes, u8::to_ascii_uppercase)),
        Some(b'Q') if !bytes.iter().any(u8::is_ascii_control) => Text::known(quoted(bytes)),
        Some(b'E') if !holds(b"\\") => Text::known(bytes),
        Some(b'P') if !holds(b"\\$`!") => Text::known(bytes),
        _ => unknown(),
    }
}

fn quoted(bytes: &[u8]) -> Vec<u8> {
    if bytes == b"'" {
        return b"\\'".to_vec();
    }
    let mut out = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            byte => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}
