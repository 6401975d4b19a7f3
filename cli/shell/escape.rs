//! The escapes of `$'...'`.

/// The bytes that `text` stands for. As in bash, a NUL ends them.
pub(super) fn decode(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' || rest.is_empty() {
            bytes.push(*first);
            continue;
        }
        let from_kind = rest;
        let kind = rest[0];
        rest = &rest[1..];
        let before = bytes.len();
        match kind {
            b'a' => bytes.push(0x07),
            b'b' => bytes.push(0x08),
            b'e' | b'E' => bytes.push(0x1b),
            b'f' => bytes.push(0x0c),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(0x0b),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(kind),
            b'x' if rest.first() == Some(&b'{') => {
                let value = number(&mut &rest[1..], 16, usize::MAX);
                let length = rest.iter().position(|byte| *byte == b'}');
                rest = &rest[length.map_or(1, |length| length + 1).min(rest.len())..];
                bytes.push(value.unwrap_or(0) as u8);
            }
            b'x' => match number(&mut rest, 16, 2) {
                Some(value) => bytes.push(value as u8),
                None => bytes.extend_from_slice(b"\\x"),
            },
            b'u' | b'U' => match number(&mut rest, 16, if kind == b'u' { 4 } else { 8 }) {
                Some(value) => push_character(&mut bytes, value),
                None => bytes.extend_from_slice(&[b'\\', kind]),
            },
            b'0'..=b'7' => {
                rest = from_kind;
                bytes.push(number(&mut rest, 8, 3).unwrap_or(0) as u8);
            }
            b'c' => {
                if let [control, after @ ..] = rest {
                    bytes.push(if *control == b'?' {
                        0x7f
                    } else {
                        control & 0x1f
                    });
                    rest = after;
                }
            }
            other => bytes.extend_from_slice(&[b'\\', other]),
        }
        if bytes.len() > before && bytes.last() == Some(&0) {
            bytes.pop();
            return bytes;
        }
    }
    bytes
}

/// Digits at the start of `text`, which are taken.
fn number(text: &mut &[u8], base: u32, longest: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..longest {
        let Some(digit) = text
            .first()
            .and_then(|byte| char::from(*byte).to_digit(base))
        else {
            break;
        };
        value = Some(value.unwrap_or(0u32).wrapping_mul(base).wrapping_add(digit));
        *text = &text[1..];
    }
    value
}

fn push_character(bytes: &mut Vec<u8>, value: u32) {
    if let Some(character) = char::from_u32(value) {
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
