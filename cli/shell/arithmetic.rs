//! The text of `((...))` and `$((...))`.

use super::ast::{DoubtKind, Piece};
use super::cursor::is_meta;
use super::pieces::push;
use super::reader::{Read, Reader};

impl Reader<'_> {
    /// Tries to read arithmetic after `opening` bytes, which end in `((`.
    ///
    /// When bash finds that a `((` begins no arithmetic, it reads what it has seen once more and then runs the bodies
    /// of here-documents in it as commands: they are as doubtful as all that follows.
    pub(super) fn arithmetic_attempt(&mut self, opening: usize) -> Read<Option<Vec<Piece>>> {
        let start = self.at;
        let bodies = self.shared.bodies.len();
        let mut has_document = false;
        let text = self.attempt(|reader| {
            reader.advance(opening);
            let text = reader.arithmetic();
            has_document = reader.shared.bodies.len() > bodies;
            text
        })?;
        if text.is_none() && has_document {
            self.doubt_to_end(DoubtKind::HereDocumentBody, start);
        }
        Ok(text)
    }

    /// The text after `((`, if `))` ends it. If the first `)` that closes it stands alone, it is no arithmetic.
    pub(super) fn arithmetic(&mut self) -> Read<Option<Vec<Piece>>> {
        self.deeper(|reader| {
            let mut pieces = Vec::new();
            let mut open = 0usize;
            loop {
                reader.tick()?;
                if reader.is_at_end() {
                    return reader.fail("an unterminated ((");
                }
                let byte = reader.peek();
                match byte {
                    b'(' => open += 1,
                    b')' if open > 0 => open -= 1,
                    b')' if reader.take(b"))") => return Ok(Some(pieces)),
                    b')' => return Ok(None),
                    _ if is_meta(byte) => {}
                    _ => {
                        reader.word_step(&mut pieces)?;
                        continue;
                    }
                }
                push(&mut pieces, &[byte], false);
                reader.advance(1);
            }
        })
    }
}
