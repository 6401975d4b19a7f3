//! Words of which one shell makes something of its own.

use crate::{interp::parameter::is_star, shell::ast::Piece};

/// Whether a word with expansions holds a `$` that begins none: some versions of bash then split nothing in it.
pub(super) fn holds_dollar(pieces: &[Piece]) -> bool {
    pieces.iter().any(
        |piece| matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'$')),
    ) && !pieces
        .iter()
        .all(|piece| matches!(piece, Piece::Literal { .. }))
}

/// Whether bash takes `"${*#x}"` apart again, because there is a `$@` in the same word.
pub(super) fn splits_joined(pieces: &[Piece]) -> bool {
    holds_joined(pieces) && holds_list(pieces)
}

fn holds_joined(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Parameter(parameter) => {
            let is_star = parameter.name == b"*" || is_star(parameter.subscript.as_deref());
            parameter.quoted && !parameter.operator.is_empty() && is_star
                || holds_joined(&parameter.operand)
        }
        _ => false,
    })
}

/// Whether `$@` or the like is in a word.
pub(in crate::interp) fn holds_list(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Parameter(parameter) => {
            let subscript = parameter.subscript.as_deref();
            parameter.name == b"@"
                || matches!(subscript, Some([Piece::Literal { bytes, .. }]) if bytes == b"@")
                || holds_list(&parameter.operand)
                || parameter.second.as_deref().is_some_and(holds_list)
        }
        _ => false,
    })
}

/// Whether zsh, which looks for braces once the rest is expanded, puts them at one end of a list alone.
pub(super) fn braces_list(pieces: &[Piece]) -> bool {
    let braces = |piece: &Piece| matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'{'));
    pieces.iter().any(braces)
        && (pieces.iter().any(is_split) || holds_list(pieces) || pieces.iter().any(is_bare_list))
}

fn is_split(piece: &Piece) -> bool {
    match piece {
        Piece::Command { quoted, .. } => !quoted,
        Piece::Parameter(parameter) => parameter.operand.iter().any(is_split),
        _ => false,
    }
}

fn is_bare_list(piece: &Piece) -> bool {
    matches!(piece, Piece::Parameter(parameter) if parameter.name == b"*" && !parameter.length)
}
