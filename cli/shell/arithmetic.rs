//! Arithmetic as text: only its substitutions are read.

use super::{
    ast::Piece,
    cursor::{Read, Reader},
    word::Pieces,
};

impl Reader<'_> {
    /// Up to and with the closing `))`. Fails where the parentheses are those of subshells.
    pub(super) fn arithmetic_text(&mut self) -> Read<Vec<Piece>> {
        self.nested(|this| {
            let mut pieces = Pieces::default();
            let mut open = 0_usize;
            loop {
                this.pay()?;
                match this.peek() {
                    None => return this.fail("arithmetic is not closed"),
                    Some(b'(') => open += 1,
                    Some(b')') if open > 0 => open -= 1,
                    Some(b')') if this.peek_at(1) == Some(b')') => {
                        this.at += 2;
                        return Ok(pieces.0);
                    }
                    Some(b')') => return this.fail("these parentheses hold commands"),
                    Some(b'\\') if this.peek_at(1) == Some(b'\n') => {
                        this.at += 2;
                        continue;
                    }
                    Some(_) => {
                        if this.quoted_piece(&mut pieces)? {
                            continue;
                        }
                    }
                }
                pieces.literal(&[this.source[this.at]], false);
                this.at += 1;
            }
        })
    }
}
