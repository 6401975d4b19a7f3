//! Quotes: single, double and ANSI-C.

use super::{
    cursor::{Read, Reader},
    word::Pieces,
};

impl Reader<'_> {
    pub(super) fn single_quoted(&mut self, pieces: &mut Pieces) -> Read<()> {
        let rest = &self.rest()[1..];
        let Some(end) = rest.iter().position(|byte| *byte == b'\'') else {
            return self.fail("a single quote is not closed");
        };
        pieces.literal(&rest[..end], true);
        self.at += end + 2;
        Ok(())
    }

    pub(super) fn double_quoted(&mut self, pieces: &mut Pieces) -> Read<()> {
        self.nested(|this| {
            this.at += 1;
            // Quotes make a field even of nothing.
            pieces.literal(b"", true);
            loop {
                if this.peek() == Some(b'"') {
                    this.at += 1;
                    return Ok(());
                }
                if this.peek().is_none() {
                    return this.fail("a double quote is not closed");
                }
                this.double_quoted_piece(pieces, b"\"")?;
            }
        })
    }

    /// One piece of text as it is read in double quotes. `also` is what a backslash escapes besides `$`, `` ` ``
    /// and itself.
    pub(super) fn double_quoted_piece(&mut self, pieces: &mut Pieces, also: &[u8]) -> Read<()> {
        self.pay()?;
        match self.peek() {
            Some(b'$') => self.dollar(true, pieces),
            Some(b'`') => self.backticks(true, pieces),
            Some(b'\\') => {
                match self.peek_at(1) {
                    Some(b'\n') => {}
                    Some(byte) if matches!(byte, b'$' | b'`' | b'\\') || also.contains(&byte) => {
                        pieces.literal(&[byte], true)
                    }
                    Some(byte) => pieces.literal(&[b'\\', byte], true),
                    None => {
                        pieces.literal(b"\\", true);
                        self.at += 1;
                        return Ok(());
                    }
                }
                self.at += 2;
                Ok(())
            }
            Some(_) => {
                let rest = self.rest();
                let run = rest
                    .iter()
                    .position(|byte| {
                        matches!(byte, b'$' | b'`' | b'\\') || also.contains(byte) || *byte == b'}'
                    })
                    .unwrap_or(rest.len())
                    .max(1);
                pieces.literal(&rest[..run], true);
                self.at += run;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// `$'...'`, after the `$`.
    pub(super) fn ansi_quoted(&mut self, pieces: &mut Pieces) -> Read<()> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            self.pay()?;
            match self.peek() {
                None => return self.fail("a $' quote is not closed"),
                Some(b'\'') => {
                    self.at += 1;
                    pieces.literal(&out, true);
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    let taken = ansi_escape(self.rest(), &mut out);
                    self.at += taken;
                }
                Some(byte) => {
                    out.push(byte);
                    self.at += 1;
                }
            }
        }
    }
}

/// What stands after a backslash in `$'...'`; returns how much of it was taken.
pub(super) fn ansi_escape(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(&letter) = rest.first() else {
        out.push(b'\\');
        return 0;
    };
    let number = |digits: &[u8], radix: u32| {
        let text = std::str::from_utf8(digits).unwrap_or_default();
        u32::from_str_radix(text, radix).ok()
    };
    let digits = |from: usize, most: usize, is: fn(&u8) -> bool| {
        rest[from..]
            .iter()
            .take(most)
            .take_while(|byte| is(byte))
            .count()
    };
    let plain = match letter {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' | b'\'' | b'"' | b'?' => letter,
        b'x' => {
            let count = digits(1, 2, u8::is_ascii_hexdigit);
            match number(&rest[1..1 + count], 16) {
                Some(value) => out.extend(u8::try_from(value)),
                None => out.extend_from_slice(b"\\x"),
            }
            return 1 + count;
        }
        b'u' | b'U' => {
            let count = digits(1, if letter == b'u' { 4 } else { 8 }, u8::is_ascii_hexdigit);
            match number(&rest[1..1 + count], 16).and_then(char::from_u32) {
                Some(value) => out.extend_from_slice(value.encode_utf8(&mut [0; 4]).as_bytes()),
                None => out.extend_from_slice(&[b'\\', letter]),
            }
            return 1 + count;
        }
        b'0'..=b'7' => {
            let count = digits(0, 3, |byte| (b'0'..=b'7').contains(byte));
            out.extend(number(&rest[..count], 8).and_then(|value| u8::try_from(value & 0xff).ok()));
            return count;
        }
        b'c' if rest.len() > 1 => {
            out.push(rest[1] & 0x1f);
            return 2;
        }
        other => {
            out.extend_from_slice(&[b'\\', other]);
            return 1;
        }
    };
    out.push(plain);
    1
}
