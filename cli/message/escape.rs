//! Names as a terminal may see them.

use std::fmt::Write as _;
use std::path::Path;

/// Text that is safe to print: control, bidi and zero-width characters and bytes that are no UTF-8 are spelled
/// out, everything else stays as it is.
#[must_use]
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut text, character);
        }
        for byte in chunk.invalid() {
            push_formatted(&mut text, format_args!("\\x{byte:02x}"));
        }
    }
    text
}

/// A path that is safe to print.
#[must_use]
pub fn escape_path(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

fn push(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        control if control.is_ascii_control() => {
            push_formatted(text, format_args!("\\x{:02x}", u32::from(control)));
        }
        hidden if is_hidden(hidden) => {
            push_formatted(text, format_args!("\\u{{{:x}}}", u32::from(hidden)))
        }
        plain => text.push(plain),
    }
}

fn push_formatted(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // A String takes whatever is written to it.
    text.write_fmt(arguments).expect("writing to a String");
}

/// Characters that change how their neighbours look, or that look like nothing.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// One word as it could be typed into a shell. Not escaped.
#[must_use]
pub fn quote(word: &[u8]) -> Vec<u8> {
    let plain =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"@%+=:,./-_".contains(byte) || *byte >= 0x80;
    if !word.is_empty() && word.iter().all(plain) {
        return word.to_vec();
    }
    let mut quoted = vec![b'\''];
    for &byte in word {
        if byte == b'\'' {
            quoted.extend_from_slice(b"'\\''");
        } else {
            quoted.push(byte);
        }
    }
    quoted.push(b'\'');
    quoted
}

/// Words as they could be typed into a shell. Not escaped.
#[must_use]
pub fn quote_words(words: &[Vec<u8>]) -> Vec<u8> {
    words
        .iter()
        .map(|word| quote(word))
        .collect::<Vec<_>>()
        .join(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_out_what_a_terminal_would_obey_or_hide() {
        for (bytes, text) in [
            (&b"plain name.txt"[..], "plain name.txt"),
            ("Größe/日本".as_bytes(), "Größe/日本"),
            (b"a\nb\tc\rd", "a\\nb\\tc\\rd"),
            (b"\x1b[2Jx\x7f", "\\x1b[2Jx\\x7f"),
            ("cod\u{202e}exe.txt".as_bytes(), "cod\\u{202e}exe.txt"),
            ("ho\u{200b}me".as_bytes(), "ho\\u{200b}me"),
            ("\u{85}".as_bytes(), "\\u{85}"),
            (b"caf\xe9", "caf\\xe9"),
            (b"\xf0\x9f\x92", "\\xf0\\x9f\\x92"),
        ] {
            assert_eq!(escape(bytes), text);
        }
    }

    #[test]
    fn quotes_only_the_words_that_need_it() {
        let words =
            [&b"rm"[..], b"-rf", b"my dir", b"it's", b"", b"$x", b"~/a"].map(<[u8]>::to_vec);
        assert_eq!(
            quote_words(&words),
            br"rm -rf 'my dir' 'it'\''s' '' '$x' '~/a'"
        );
    }
}
