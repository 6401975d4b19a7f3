//! Reserved words: unquoted, whole, and only where a command may begin.

use super::cursor::is_meta;
use super::reader::{Read, Reader};

const RESERVED: [&[u8]; 21] = [
    b"if",
    b"then",
    b"elif",
    b"else",
    b"fi",
    b"while",
    b"until",
    b"do",
    b"done",
    b"for",
    b"select",
    b"case",
    b"esac",
    b"in",
    b"function",
    b"time",
    b"coproc",
    b"{",
    b"}",
    b"!",
    b"[[",
];
const LONGEST: usize = 8;

impl Reader<'_> {
    /// The reserved word here, or nothing.
    pub(super) fn reserved(&self) -> &'static [u8] {
        if !matches!(self.peek(), b'a'..=b'z' | b'{' | b'}' | b'!' | b'[') {
            return b"";
        }
        let mut word = [0; LONGEST];
        let mut length = 0;
        let mut at = self.at;
        while let Some(byte) = self.source.get(at).filter(|byte| !is_meta(**byte)) {
            if length == LONGEST {
                return b"";
            }
            word[length] = *byte;
            length += 1;
            at = self.ahead(at, 1);
        }
        RESERVED
            .into_iter()
            .find(|reserved| *reserved == &word[..length])
            .unwrap_or_default()
    }

    /// Takes a reserved word if it stands here.
    pub(super) fn take_reserved(&mut self, word: &[u8]) -> bool {
        let found = self.reserved() == word;
        if found {
            self.advance(word.len());
        }
        found
    }

    /// Takes a reserved word that has to come next.
    pub(super) fn need_reserved(&mut self, word: &[u8], otherwise: &'static str) -> Read<()> {
        self.blank_lines()?;
        if self.take_reserved(word) {
            Ok(())
        } else {
            self.fail(otherwise)
        }
    }

    /// Whether a list ends here because of a reserved word.
    pub(super) fn closes_list(&self) -> bool {
        matches!(
            self.reserved(),
            b"then" | b"elif" | b"else" | b"fi" | b"do" | b"done" | b"esac" | b"}"
        )
    }
}
