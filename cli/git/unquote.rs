//! Names as git prints them where it does not end them with a NUL.

/// `"a\tb\303\251"` is a C string; anything else is the name itself.
pub(crate) fn unquoted(printed: &[u8]) -> Vec<u8> {
    let Some(mut rest) = printed
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""))
    else {
        return printed.to_vec();
    };
    let mut name = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        let octal = rest
            .get(..3)
            .filter(|digits| digits.iter().all(|digit| (b'0'..=b'7').contains(digit)));
        if let Some(digits) = octal {
            let value = digits
                .iter()
                .fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            name.push(u8::try_from(value).unwrap_or(b'?'));
            rest = &rest[3..];
        } else if let Some((&letter, after)) = rest.split_first() {
            name.push(match letter {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            });
            rest = after;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn reads_c_strings_and_leaves_other_names_alone() {
        for (printed, name) in [
            ("a b", "a b"),
            ("\"a\\\"b\"", "a\"b"),
            ("\"a\\\\b\"", "a\\b"),
            ("\"\\303\\274\\n\"", "\u{fc}\n"),
            ("\"", "\""),
            ("\"\\\"", ""),
        ] {
            assert_eq!(unquoted(printed.as_bytes()), name.as_bytes(), "{printed}");
        }
    }
}
