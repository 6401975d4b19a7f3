//! Names as they may be shown: a file name is written by whoever created it.

use crate::text::{Full, Text};

/// Where the bytes go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// A terminal: `\x1b`, `\u{202e}`.
    Terminal,
    /// A JSON string: a byte that is no UTF-8 becomes the text `\xff`.
    Json,
}

/// Adds `bytes`, with all that a terminal would act on or a reader would not see written out. Past `room`
/// bytes of text, the rest is `...`.
pub(super) fn append_escaped<const N: usize>(
    text: &mut Text<N>,
    bytes: &[u8],
    style: Style,
    room: usize,
) -> Result<(), Full> {
    /// The longest escape, `\\u{10ffff}`, and the dots.
    const LONGEST: usize = 11 + 3;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if text.len() + LONGEST > room {
                return text.append(b"...");
            }
            append_character(text, character, style)?;
        }
        for &byte in chunk.invalid() {
            if text.len() + LONGEST > room {
                return text.append(b"...");
            }
            if style == Style::Json {
                text.push(b'\\')?;
            }
            text.append(b"\\x")?;
            append_hex(text, u32::from(byte), 2)?;
        }
    }
    Ok(())
}

fn append_character<const N: usize>(
    text: &mut Text<N>,
    character: char,
    style: Style,
) -> Result<(), Full> {
    let code = u32::from(character);
    match style {
        Style::Json if matches!(character, '"' | '\\') => {
            text.push(b'\\')?;
            text.push(code as u8)
        }
        Style::Json if is_hidden(character) && code <= 0xffff => {
            text.append(b"\\u")?;
            append_hex(text, code, 4)
        }
        Style::Terminal if character == '\\' => text.append(b"\\\\"),
        Style::Terminal if is_hidden(character) && code <= 0xff => {
            text.append(b"\\x")?;
            append_hex(text, code, 2)
        }
        Style::Terminal if is_hidden(character) => {
            text.append(b"\\u{")?;
            append_hex(text, code, 4)?;
            text.push(b'}')
        }
        _ => text.append(character.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Control characters, those that change the direction of text, those without width, and tags.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// At least `digits` digits.
fn append_hex<const N: usize>(text: &mut Text<N>, number: u32, digits: u32) -> Result<(), Full> {
    let needed = (8 - number.leading_zeros() / 4).max(digits);
    for place in (0..needed).rev() {
        let digit = (number >> (4 * place)) & 0xf;
        text.push(b"0123456789abcdef"[digit as usize])?;
    }
    Ok(())
}
