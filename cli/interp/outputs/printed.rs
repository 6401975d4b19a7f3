//! What `echo` and `printf` print.

use crate::interp::value::{Field, Text, Unknown};

/// Longest output that is worked out.
const LONGEST_OUTPUT: usize = 1 << 20;

pub(super) fn echo(arguments: &[Field]) -> Text {
    let mut text = Text::default();
    let mut newline = true;
    let mut escapes = false;
    let mut rest = arguments;
    while let Some(option) = rest
        .first()
        .and_then(|field| field.text.bytes()?.strip_prefix(b"-"))
    {
        if option.is_empty() || !option.iter().all(|letter| b"neE".contains(letter)) {
            break;
        }
        newline &= !option.contains(&b'n');
        escapes |= option.contains(&b'e');
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
        Some(bytes) if escapes && bytes.contains(&b'\\') => Text::known(unescaped(bytes)),
        _ => text,
    }
}

/// Backslash escapes of `echo -e` and of `printf`'s format.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
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

/// `printf` with `%s`, `%b`, `%d` and `%%`; the format is used again while arguments last.
pub(in crate::interp) fn printf(arguments: &[Field]) -> Text {
    let arguments = match arguments.first().map(|field| field.text.bytes()) {
        Some(Some(b"--")) => &arguments[1..],
        _ => arguments,
    };
    let Some((format, mut values)) = arguments.split_first() else {
        return Text::default();
    };
    let Some(format) = format.text.bytes() else {
        return Text::unknown(Unknown::anything("the output of printf"));
    };
    let mut text = Text::default();
    loop {
        let before = values.len();
        let mut at = 0;
        // The format is used again for each value left.
        if text.prefix().len() > LONGEST_OUTPUT {
            return Text::unknown(Unknown::anything("the long output of printf"));
        }
        while at < format.len() {
            if format[at] != b'%' {
                let end = format[at..]
                    .iter()
                    .position(|byte| *byte == b'%')
                    .map_or(format.len(), |n| n + at);
                text.push_bytes(&unescaped(&format[at..end]));
                at = end;
                continue;
            }
            let conversion = format[at + 1..]
                .iter()
                .position(u8::is_ascii_alphabetic)
                .map(|n| n + at + 1);
            if format.get(at + 1) == Some(&b'%') {
                text.push_bytes(b"%");
                at += 2;
                continue;
            }
            let Some(end) = conversion else {
                return Text::unknown(Unknown::anything("the output of printf"));
            };
            let value = values.split_first().map(|(first, rest)| {
                values = rest;
                first
            });
            match (format[end], end - at) {
                (b's' | b'd' | b'i', 1) => {
                    if let Some(value) = value {
                        text.append(&value.text);
                    }
                }
                (b'b', 1) => match value.map(|value| value.text.bytes()) {
                    Some(Some(bytes)) => text.push_bytes(&unescaped(bytes)),
                    Some(None) => text.push_unknown(Unknown::anything("the output of printf")),
                    None => {}
                },
                _ => text.push_unknown(Unknown::anything("the output of printf")),
            }
            at = end + 1;
        }
        if values.is_empty() || values.len() == before {
            return text;
        }
    }
}
