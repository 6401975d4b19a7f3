//! What the operators of `${...}` do to a string that is known.

use crate::interp::{
    pattern::Pattern,
    value::{Text, Unknown},
};

pub(super) fn length(text: &Text) -> Text {
    match text.bytes() {
        // Bytes or characters: that is up to the locale.
        Some(bytes) if bytes.is_ascii() => Text::known(bytes.len().to_string()),
        _ => Text::unknown(Unknown::name("the length of a variable")),
    }
}

/// `None` if the length is none.
pub(super) fn substring(bytes: &[u8], offset: i64, count: Option<i64>) -> Option<Vec<u8>> {
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let start = if offset < 0 {
        length.saturating_add(offset)
    } else {
        offset
    };
    if start < 0 || start > length {
        return Some(Vec::new());
    }
    let end = match count {
        None => length,
        Some(count) if count < 0 => length.saturating_add(count),
        Some(count) => start.saturating_add(count).min(length),
    };
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if start <= end => Some(bytes[start..end].to_vec()),
        _ => None,
    }
}

/// `^`, `^^`, `,` and `,,`: characters that match become upper or lower case.
pub(super) fn changed_case(bytes: &[u8], pattern: &Pattern, operator: &str) -> Vec<u8> {
    let first_only = operator.len() == 1;
    bytes
        .iter()
        .enumerate()
        .map(|(at, byte)| {
            let matches = pattern.bytes.is_empty() || pattern.as_ref().matches(&[*byte]);
            match (matches && !(first_only && at > 0), operator.as_bytes()[0]) {
                (false, _) => *byte,
                (true, b'^') => byte.to_ascii_uppercase(),
                (true, _) => byte.to_ascii_lowercase(),
            }
        })
        .collect()
}

pub(super) fn first_changed(bytes: &[u8], change: impl Fn(&u8) -> u8) -> Vec<u8> {
    let mut out = bytes.to_vec();
    if let Some(first) = out.first_mut() {
        *first = change(first);
    }
    out
}

pub(super) fn trim(bytes: &[u8], pattern: &Pattern, operator: &str) -> Vec<u8> {
    let pattern = pattern.as_ref();
    let ends: Vec<usize> = (0..=bytes.len()).collect();
    match operator {
        "#" => ends
            .iter()
            .find(|&&end| pattern.matches(&bytes[..end]))
            .map_or(bytes, |&end| &bytes[end..]),
        "##" => ends
            .iter()
            .rev()
            .find(|&&end| pattern.matches(&bytes[..end]))
            .map_or(bytes, |&end| &bytes[end..]),
        "%" => ends
            .iter()
            .rev()
            .find(|&&start| pattern.matches(&bytes[start..]))
            .map_or(bytes, |&start| &bytes[..start]),
        _ => ends
            .iter()
            .find(|&&start| pattern.matches(&bytes[start..]))
            .map_or(bytes, |&start| &bytes[..start]),
    }
    .to_vec()
}

pub(super) fn replace(bytes: &[u8], pattern: &Pattern, with: &[u8], operator: &str) -> Vec<u8> {
    let is_empty = pattern.bytes.is_empty();
    let pattern = pattern.as_ref();
    if is_empty {
        // An anchored nothing stands at the beginning or at the end.
        return match operator {
            "/#" => [with, bytes].concat(),
            "/%" => [bytes, with].concat(),
            _ => bytes.to_vec(),
        };
    }
    if bytes.is_empty() && pattern.matches(bytes) {
        return with.to_vec();
    }
    let fixed = pattern.fixed_length();
    let longest = |start: usize| {
        let lengths = fixed.map_or(1..=bytes.len() - start, |length| length..=length);
        let last = bytes.len().min(start + lengths.end());
        (start + lengths.start()..=last)
            .rev()
            .find(|&end| pattern.matches(&bytes[start..end]))
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = match operator {
            "/#" if at > 0 => None,
            "/%" => pattern.matches(&bytes[at..]).then_some(bytes.len()),
            _ => longest(at),
        };
        match end {
            Some(end) => {
                out.extend_from_slice(with);
                at = end;
                if operator != "//" {
                    break;
                }
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out.extend_from_slice(&bytes[at..]);
    out
}
