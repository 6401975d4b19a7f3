//! Putting words together from literals.

use super::ast::Piece;

/// Adds bytes; neighbours that are quoted alike become one literal. Quoted nothing is a literal too.
pub(super) fn push(pieces: &mut Vec<Piece>, text: &[u8], is_quoted: bool) {
    if text.is_empty() && !is_quoted {
        return;
    }
    match pieces.last_mut() {
        Some(Piece::Literal { bytes, quoted }) if *quoted == is_quoted => {
            bytes.extend_from_slice(text);
        }
        _ => pieces.push(Piece::Literal {
            bytes: text.to_vec(),
            quoted: is_quoted,
        }),
    }
}

/// Adds a word's pieces to another's.
pub(super) fn append(pieces: &mut Vec<Piece>, more: Vec<Piece>) {
    for piece in more {
        match piece {
            Piece::Literal { bytes, quoted } => push(pieces, &bytes, quoted),
            other => pieces.push(other),
        }
    }
}

/// The text of a word that is one unquoted literal.
pub(super) fn bare(pieces: &[Piece]) -> Option<&[u8]> {
    match pieces {
        [
            Piece::Literal {
                bytes,
                quoted: false,
            },
        ] => Some(bytes),
        _ => None,
    }
}
