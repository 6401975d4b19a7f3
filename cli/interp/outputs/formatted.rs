//! What `printf` prints.

use super::printed::unescaped;
use crate::interp::value::{Field, Text, Unknown};

/// Longest output that is worked out.
const LONGEST_OUTPUT: usize = 1 << 20;
/// Widest field.
const WIDEST: usize = 1 << 12;

/// The output; the format is used again while arguments last.
pub(in crate::interp) fn printf(arguments: &[Field]) -> Text {
    let arguments = match arguments.first().map(|field| field.text.bytes()) {
        Some(Some(b"--")) => &arguments[1..],
        _ => arguments,
    };
    let Some((format, mut values)) = arguments.split_first() else {
        return Text::default();
    };
    let Some(format) = format.text.bytes() else {
        return unknown();
    };
    let mut text = Text::default();
    loop {
        let before = values.len();
        if text.prefix().len() > LONGEST_OUTPUT {
            return unknown();
        }
        let mut rest = format;
        while let Some(percent) = rest.iter().position(|byte| *byte == b'%') {
            text.push_bytes(&unescaped(&rest[..percent]));
            if rest[percent..].starts_with(b"%%") {
                text.push_bytes(b"%");
                rest = &rest[percent + 2..];
                continue;
            }
            let Some((directive, length)) = Directive::read(&rest[percent + 1..]) else {
                return unknown();
            };
            rest = &rest[percent + 1 + length..];
            let value = values.split_first().map(|(first, others)| {
                values = others;
                &first.text
            });
            directive.apply(value, &mut text);
        }
        text.push_bytes(&unescaped(rest));
        if values.is_empty() || values.len() == before {
            return text;
        }
    }
}

fn unknown() -> Text {
    Text::unknown(Unknown::anything("the output of printf"))
}

/// `%-5.3s`
struct Directive {
    left: bool,
    zeros: bool,
    /// A sign or a prefix is asked for.
    decorated: bool,
    width: usize,
    precision: Option<usize>,
    conversion: u8,
}

impl Directive {
    /// What follows a `%`, and its length.
    fn read(text: &[u8]) -> Option<(Self, usize)> {
        let flags = text
            .iter()
            .take_while(|byte| b"-+ 0#".contains(byte))
            .count();
        let mut at = flags;
        let width = number(text, &mut at)?;
        let precision = if text.get(at) == Some(&b'.') {
            at += 1;
            Some(number(text, &mut at)?)
        } else {
            None
        };
        let has = |flag: u8| text[..flags].contains(&flag);
        let directive = Self {
            left: has(b'-'),
            zeros: has(b'0'),
            decorated: has(b'+') || has(b' ') || has(b'#'),
            width,
            precision,
            conversion: *text.get(at)?,
        };
        Some((directive, at + 1))
    }

    fn apply(&self, value: Option<&Text>, out: &mut Text) {
        let plain = self.width == 0 && self.precision.is_none();
        if self.conversion == b's' && plain {
            if let Some(value) = value {
                out.append(value);
            }
            return;
        }
        let bytes = match value {
            Some(value) => value.bytes(),
            None => Some(&b""[..]),
        };
        let printed = bytes.and_then(|bytes| match self.conversion {
            b's' if bytes.is_ascii() => Some(self.cut(bytes)),
            b'b' if plain && !bytes.windows(2).any(|pair| pair == b"\\c") => Some(unescaped(bytes)),
            b'c' if plain && bytes.is_ascii() => Some(bytes.iter().take(1).copied().collect()),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => self.number(bytes),
            _ => None,
        });
        match printed {
            Some(printed) => out.push_bytes(&self.padded(printed)),
            // However wide, a number holds no slash.
            None if matches!(self.conversion, b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => {
                out.push_unknown(Unknown::name("a number that printf prints"));
            }
            None => out.push_unknown(Unknown::anything("the output of printf")),
        }
    }

    fn cut(&self, bytes: &[u8]) -> Vec<u8> {
        let length = self.precision.unwrap_or(bytes.len()).min(bytes.len());
        bytes[..length].to_vec()
    }

    fn number(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.decorated || self.precision.is_some() {
            return None;
        }
        let value = value_of(bytes)?;
        Some(
            match self.conversion {
                b'd' | b'i' => value.to_string(),
                _ if value < 0 => return None,
                b'x' => format!("{value:x}"),
                b'X' => format!("{value:X}"),
                b'o' => format!("{value:o}"),
                _ => value.to_string(),
            }
            .into_bytes(),
        )
    }

    fn padded(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let missing = self.width.saturating_sub(bytes.len());
        if self.left {
            bytes.extend(std::iter::repeat_n(b' ', missing));
        } else if self.zeros && !matches!(self.conversion, b's' | b'b' | b'c') {
            let sign = usize::from(bytes.first() == Some(&b'-'));
            bytes.splice(sign..sign, std::iter::repeat_n(b'0', missing));
        } else {
            bytes.splice(0..0, std::iter::repeat_n(b' ', missing));
        }
        bytes
    }
}

/// Digits, which may be missing.
fn number(text: &[u8], at: &mut usize) -> Option<usize> {
    let digits = text[*at..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let word = std::str::from_utf8(&text[*at..*at + digits]).ok()?;
    *at += digits;
    match word {
        "" => Some(0),
        word => word.parse().ok().filter(|width| *width <= WIDEST),
    }
}

/// What a word is worth as a number: as far as it is one. `None` where shells differ.
fn value_of(bytes: &[u8]) -> Option<i64> {
    if let [b'\'' | b'"', rest @ ..] = bytes {
        let byte = rest.first().copied().unwrap_or(0);
        return byte.is_ascii().then_some(i64::from(byte));
    }
    let text = std::str::from_utf8(bytes).ok()?.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, digits) = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(rest) if rest.starts_with(|letter: char| letter.is_ascii_hexdigit()) => (16, rest),
        _ if digits.starts_with('0') => (8, digits),
        _ => (10, digits),
    };
    let length = digits
        .bytes()
        .take_while(|byte| char::from(*byte).is_digit(base))
        .count();
    let value = match &digits[..length] {
        "" => 0,
        digits => i64::from_str_radix(digits, base).ok()?,
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_bash_does() {
        for (words, expected) in [
            (&["%s-%s", "a"][..], "a-"),
            (&["<%s>", "a", "b"], "<a><b>"),
            (&["%5s|%-4s|", "a", "b"], "    a|b   |"),
            (&["%.2s", "abc"], "ab"),
            (&["%d", "x"], "0"),
            (&["%d", "12x"], "12"),
            (&["%03d", "-7"], "-07"),
            (&["%x", "255"], "ff"),
            (&["%d", "'a"], "97"),
            (&["%d", "010"], "8"),
            (&["%c", "abc"], "a"),
            (&["%%\\x41"], "%A"),
        ] {
            let fields: Vec<Field> = words.iter().map(|word| Field::known(*word)).collect();
            let text = printf(&fields);
            assert_eq!(text.bytes(), Some(expected.as_bytes()), "{words:?}");
        }
    }
}
