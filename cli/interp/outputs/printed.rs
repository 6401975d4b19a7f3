//! What `echo` prints.

use crate::{
    interp::value::{Field, Text, Unknown},
    shell::ast::Dialect,
};

pub(super) fn echo(arguments: &[Field], dialect: Dialect) -> Text {
    let mut text = Text::default();
    let mut newline = true;
    let mut escapes = dialect == Dialect::Zsh;
    let mut rest = arguments;
    while let Some(option) = rest
        .first()
        .and_then(|field| field.text.bytes()?.strip_prefix(b"-"))
    {
        if option.is_empty() && dialect == Dialect::Zsh {
            rest = &rest[1..];
            break;
        }
        if option.is_empty() || !option.iter().all(|letter| b"neE".contains(letter)) {
            break;
        }
        newline &= !option.contains(&b'n');
        escapes = (escapes || option.contains(&b'e')) && !option.contains(&b'E');
        rest = &rest[1..];
    }
    for (at, field) in rest.iter().enumerate() {
        if at > 0 {
            text.push_bytes(b" ");
        }
        text.append(&field.text);
    }
    if newline {
        text.push_bytes(b"\n");
    }
    match text.bytes() {
        // dash heeds them, bash by its name does not.
        Some(bytes) if dialect == Dialect::Sh && !escapes && bytes.contains(&b'\\') => {
            Text::unknown(Unknown::anything("what echo makes of a backslash"))
        }
        Some(bytes) if escapes && bytes.contains(&b'\\') => Text::known(unescaped(bytes)),
        _ => text,
    }
}

/// Backslash escapes of `echo -e` and of `printf`'s format.
pub(super) fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 == bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 2;
        match bytes[at - 1] {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'e' => out.push(27),
            b'\\' => out.push(b'\\'),
            b'x' => {
                let digits = bytes[at..]
                    .iter()
                    .take(2)
                    .take_while(|byte| byte.is_ascii_hexdigit())
                    .count();
                let text = std::str::from_utf8(&bytes[at..at + digits]).unwrap_or_default();
                match u8::from_str_radix(text, 16) {
                    Ok(byte) => out.push(byte),
                    Err(_) => out.extend_from_slice(b"\\x"),
                }
                at += digits;
            }
            b'0'..=b'7' => {
                let start = if bytes[at - 1] == b'0' { at } else { at - 1 };
                let digits = bytes[start..]
                    .iter()
                    .take(3)
                    .take_while(|byte| (b'0'..=b'7').contains(byte))
                    .count();
                let value = bytes[start..start + digits]
                    .iter()
                    .fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                out.push(u8::try_from(value & 0xff).unwrap_or_default());
                at = start + digits;
            }
            other => out.extend_from_slice(&[b'\\', other]),
        }
    }
    out
}
