//! `--strict`: one plain command and nothing else, as the first version of the seed read it.

use crate::shell::ast::{Command, CommandKind, Connector, Item, Piece, Script, Word};

/// The first construct in a script that makes it more than one plain command, by the tail of its rule's id.
pub(super) fn compound(script: &Script, source: &[u8]) -> Option<&'static str> {
    if script.list.items.len() > 1 {
        let between = source
            .iter()
            .position(|byte| matches!(byte, b';' | b'\n' | b'&'));
        return Some(match between.map(|at| source[at]) {
            Some(b'\n') => "newline",
            Some(b'&') => "background",
            _ => "semicolon",
        });
    }
    script.list.items.first().and_then(of_item)
}

fn of_item(item: &Item) -> Option<&'static str> {
    if item.background {
        return Some("background");
    }
    match item.rest.first() {
        Some((Connector::And, _)) => return Some("logical-and"),
        Some((Connector::Or, _)) => return Some("logical-or"),
        None => {}
    }
    if item.first.commands.len() > 1 {
        return Some("pipe");
    }
    item.first.commands.first().and_then(of_command)
}

fn of_command(command: &Command) -> Option<&'static str> {
    match &command.kind {
        CommandKind::Simple { words, .. } => words.iter().find_map(of_word),
        CommandKind::Subshell(_) => Some("subshell"),
        _ => Some("compound-command"),
    }
}

fn of_word(word: &Word) -> Option<&'static str> {
    word.pieces.iter().find_map(|piece| match piece {
        Piece::Command { .. } => Some("command-substitution"),
        Piece::Process { .. } => Some("process-substitution"),
        Piece::Arithmetic { .. } => Some("arithmetic"),
        Piece::Parameter(parameter) => parameter
            .operand
            .iter()
            .any(|piece| matches!(piece, Piece::Command { .. }))
            .then_some("command-substitution"),
        Piece::Literal { .. } => None,
    })
}
