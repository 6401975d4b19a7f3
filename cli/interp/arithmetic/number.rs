//! The numbers of arithmetic.

/// What a word that begins with a digit is worth; `None` if it is no number.
pub(super) fn parse(word: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(word).ok()?;
    if let Some((base, digits)) = text.split_once('#') {
        let base: i64 = base.parse().ok().filter(|base| (2..=64).contains(base))?;
        return in_base(digits, base);
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return in_base(digits, 16);
    }
    if has_leading_zero(word) {
        return in_base(&text[1..], 8);
    }
    text.parse().ok()
}

/// Whether it is octal to some shells.
pub(super) fn has_leading_zero(word: &[u8]) -> bool {
    word.len() > 1 && word[0] == b'0' && word[1..].iter().all(u8::is_ascii_digit)
}

fn in_base(digits: &str, base: i64) -> Option<i64> {
    if digits.is_empty() {
        return None;
    }
    digits.bytes().try_fold(0_i64, |value, digit| {
        let digit = i64::from(match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'z' => digit - b'a' + 10,
            b'A'..=b'Z' if base <= 36 => digit - b'A' + 10,
            b'A'..=b'Z' => digit - b'A' + 36,
            b'@' => 62,
            b'_' => 63,
            _ => return None,
        });
        if digit >= base {
            return None;
        }
        value.checked_mul(base)?.checked_add(digit)
    })
}
