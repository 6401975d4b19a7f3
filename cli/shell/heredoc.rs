//! Here-documents: their bodies begin after the line that names them.

use std::ops::Range;

use super::{
    ast::{DoubtKind, HereDocument, Piece, Word},
    cursor::{Read, Reader},
    word::Pieces,
};

/// A here-document whose body is still to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    /// Where its operator stands: its name between passes.
    operator: usize,
    delimiter: Vec<u8>,
    quoted: bool,
    strip: bool,
}

/// Where a body was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    range: Range<usize>,
    quoted: bool,
    strip: bool,
}

impl Reader<'_> {
    /// Notes a here-document; gives its body if an earlier pass has found it.
    pub(super) fn delimited(
        &mut self,
        operator: usize,
        word: &Word,
        at: usize,
        strip: bool,
    ) -> Read<Option<HereDocument>> {
        let mut delimiter = Vec::new();
        let mut quoted = false;
        for piece in &word.pieces {
            match piece {
                Piece::Literal {
                    bytes,
                    quoted: quote,
                } => {
                    delimiter.extend_from_slice(bytes);
                    quoted |= *quote;
                }
                // Not expanded: it stands for itself.
                _ => {
                    delimiter = self.source[at..self.at].to_vec();
                    break;
                }
            }
        }
        self.pending.push(Pending {
            operator,
            delimiter,
            quoted,
            strip,
        });
        match self.bodies.get(&operator).cloned() {
            Some(body) => self.body(&body).map(Some),
            None => Ok(None),
        }
    }

    /// Passes over the bodies that begin here, and remembers where they are.
    pub(super) fn skip_bodies(&mut self) -> Read<()> {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.at;
            let mut continued = false;
            loop {
                self.pay()?;
                let line_start = self.at;
                let rest = self.rest();
                let length = rest.iter().position(|byte| *byte == b'\n');
                let line = &rest[..length.unwrap_or(rest.len())];
                let compared = if pending.strip {
                    &line[line.iter().take_while(|byte| **byte == b'\t').count()..]
                } else {
                    line
                };
                let ends = !continued && compared == pending.delimiter;
                self.at += line.len() + usize::from(length.is_some());
                if ends || length.is_none() {
                    let end = if ends { line_start } else { self.at };
                    if !ends {
                        self.doubt(start, DoubtKind::HereDocumentAtEnd);
                    }
                    let body = Body {
                        range: start..end,
                        quoted: pending.quoted,
                        strip: pending.strip,
                    };
                    self.bodies.insert(pending.operator, body);
                    break;
                }
                let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
                continued = !pending.quoted && backslashes % 2 == 1;
            }
        }
        Ok(())
    }

    fn body(&mut self, body: &Body) -> Read<HereDocument> {
        let text = &self.source[body.range.clone()];
        let stripped: Vec<u8>;
        let (text, offset) = if body.strip {
            stripped = without_tabs(text);
            (stripped.as_slice(), body.range.start)
        } else {
            (text, body.range.start)
        };
        if body.quoted {
            let pieces = vec![Piece::Literal {
                bytes: text.to_vec(),
                quoted: true,
            }];
            return Ok(HereDocument {
                quoted: true,
                body: pieces,
            });
        }
        let (pieces, fuel) = self.nested(|this| {
            let mut inner = this.of_copy(text, offset);
            let first = inner.body_pieces();
            // A body may hold substitutions with here-documents of their own.
            let pieces = if inner.bodies.is_empty() {
                first
            } else {
                inner.at = 0;
                inner.pending.clear();
                inner.body_pieces()
            };
            Ok((pieces, inner.fuel))
        })?;
        self.fuel = fuel;
        match pieces {
            Ok(body) => Ok(HereDocument {
                quoted: false,
                body,
            }),
            Err(_) => {
                // The shell says so only when it expands the body; what stands in it may have run in part.
                self.doubt(body.range.start, DoubtKind::HereDocumentBody);
                let bytes = text.to_vec();
                Ok(HereDocument {
                    quoted: false,
                    body: vec![Piece::Literal {
                        bytes,
                        quoted: true,
                    }],
                })
            }
        }
    }

    fn body_pieces(&mut self) -> Read<Vec<Piece>> {
        let mut pieces = Pieces::default();
        while self.peek().is_some() {
            self.double_quoted_piece(&mut pieces, b"")?;
        }
        Ok(pieces.0)
    }
}

fn without_tabs(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        out.extend_from_slice(&line[line.iter().take_while(|byte| **byte == b'\t').count()..]);
    }
    out
}
