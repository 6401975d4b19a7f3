//! Every command of a script, at every level.

use super::ast::{AssignedValue, Command, CommandKind, List, Piece, Pipeline, Script, Word};

/// Calls `visit` for every command in a script, also for those in substitutions, here-documents and functions.
pub fn for_each_command(script: &Script, visit: &mut dyn FnMut(&Command)) {
    list(&script.list, visit);
}

fn list(of: &List, visit: &mut dyn FnMut(&Command)) {
    for item in &of.items {
        pipeline(&item.first, visit);
        for (_, rest) in &item.rest {
            pipeline(rest, visit);
        }
    }
}

fn pipeline(of: &Pipeline, visit: &mut dyn FnMut(&Command)) {
    for each in &of.commands {
        command(each, visit);
    }
}

fn command(of: &Command, visit: &mut dyn FnMut(&Command)) {
    visit(of);
    for redirection in &of.redirections {
        word(&redirection.operand, visit);
        if let Some(document) = &redirection.here_document {
            pieces(&document.body, visit);
        }
    }
    match &of.kind {
        CommandKind::Simple { assignments, words } => {
            for assignment in assignments {
                pieces(assignment.subscript.as_deref().unwrap_or_default(), visit);
                match &assignment.value {
                    AssignedValue::Scalar(value) => word(value, visit),
                    AssignedValue::Array(elements) => {
                        for (subscript, element) in elements {
                            pieces(subscript.as_deref().unwrap_or_default(), visit);
                            word(element, visit);
                        }
                    }
                }
            }
            words.iter().for_each(|each| word(each, visit));
        }
        CommandKind::Subshell(body) | CommandKind::Group(body) => list(body, visit),
        CommandKind::If {
            branches,
            otherwise,
        } => {
            for (condition, body) in branches {
                list(condition, visit);
                list(body, visit);
            }
            if let Some(body) = otherwise {
                list(body, visit);
            }
        }
        CommandKind::Loop {
            condition, body, ..
        } => {
            list(condition, visit);
            list(body, visit);
        }
        CommandKind::For { words, body, .. } => {
            words.iter().flatten().for_each(|each| word(each, visit));
            list(body, visit);
        }
        CommandKind::ArithmeticFor { text, body } => {
            pieces(text, visit);
            list(body, visit);
        }
        CommandKind::Case { subject, arms } => {
            word(subject, visit);
            for arm in arms {
                arm.patterns.iter().for_each(|each| word(each, visit));
                list(&arm.body, visit);
            }
        }
        CommandKind::Function { body, .. } | CommandKind::Coproc { body, .. } => {
            command(body, visit)
        }
        CommandKind::Arithmetic(text) => pieces(text, visit),
        CommandKind::Conditional(words) => words.iter().for_each(|each| word(each, visit)),
        CommandKind::Time(body) => pipeline(body, visit),
    }
}

fn word(of: &Word, visit: &mut dyn FnMut(&Command)) {
    pieces(&of.pieces, visit);
}

fn pieces(of: &[Piece], visit: &mut dyn FnMut(&Command)) {
    for piece in of {
        match piece {
            Piece::Literal { .. } => {}
            Piece::Parameter(parameter) => {
                pieces(parameter.subscript.as_deref().unwrap_or_default(), visit);
                pieces(&parameter.operand, visit);
                pieces(parameter.second.as_deref().unwrap_or_default(), visit);
            }
            Piece::Command { script, .. } | Piece::Process { script, .. } => {
                list(&script.list, visit)
            }
            Piece::Arithmetic { text, .. } => pieces(text, visit),
        }
    }
}
