//! Every command of a script, at every nesting level.

use super::ast::{
    AssignedValue, Assignment, Command, CommandKind, List, Piece, Pipeline, Script, Word,
};

/// The same walk over shared and over exclusive references.
macro_rules! walk {
    ($name:ident, $reference:ty, $visit:ty, $room:ident $(, $mut:tt)?) => {
        /// Visits each command before what it holds.
        pub fn $name(script: &$($mut)? Script, visit: $visit) {
            $room::list(&$($mut)? script.list, visit);
        }

        mod $room {
            use super::*;

            pub(super) fn list(list: &$($mut)? List, visit: $visit) {
                for item in &$($mut)? list.items {
                    pipeline(&$($mut)? item.first, visit);
                    for (_, next) in &$($mut)? item.rest {
                        pipeline(next, visit);
                    }
                }
            }

            fn pipeline(pipeline: &$($mut)? Pipeline, visit: $visit) {
                for inner in &$($mut)? pipeline.commands {
                    command(inner, visit);
                }
            }

            fn command(command: $reference, visit: $visit) {
                visit(command);
                kind(&$($mut)? command.kind, visit);
                for redirection in &$($mut)? command.redirections {
                    word(&$($mut)? redirection.operand, visit);
                    if let Some(document) = &$($mut)? redirection.here_document {
                        pieces(&$($mut)? document.body, visit);
                    }
                }
            }

            fn kind(kind: &$($mut)? CommandKind, visit: $visit) {
                match kind {
                    CommandKind::Simple { assignments, words } => {
                        for inner in assignments {
                            assignment(inner, visit);
                        }
                        all(words, visit);
                    }
                    CommandKind::Subshell(inner) | CommandKind::Group(inner) => list(inner, visit),
                    CommandKind::If { branches, otherwise } => {
                        for (condition, body) in branches {
                            list(condition, visit);
                            list(body, visit);
                        }
                        if let Some(otherwise) = otherwise {
                            list(otherwise, visit);
                        }
                    }
                    CommandKind::Loop { condition, body, .. } => {
                        list(condition, visit);
                        list(body, visit);
                    }
                    CommandKind::For { words, body, .. } => {
                        if let Some(words) = words {
                            all(words, visit);
                        }
                        list(body, visit);
                    }
                    CommandKind::ArithmeticFor { text, body } => {
                        pieces(text, visit);
                        list(body, visit);
                    }
                    CommandKind::Repeat { count, body } => {
                        word(count, visit);
                        list(body, visit);
                    }
                    CommandKind::Case { subject, arms } => {
                        word(subject, visit);
                        for arm in arms {
                            all(&$($mut)? arm.patterns, visit);
                            list(&$($mut)? arm.body, visit);
                        }
                    }
                    CommandKind::Function { body, .. } | CommandKind::Coproc { body, .. } => {
                        command(body, visit);
                    }
                    CommandKind::Arithmetic(text) => pieces(text, visit),
                    CommandKind::Conditional(words) => all(words, visit),
                    CommandKind::Time(inner) => pipeline(inner, visit),
                }
            }

            fn assignment(assignment: &$($mut)? Assignment, visit: $visit) {
                if let Some(subscript) = &$($mut)? assignment.subscript {
                    pieces(subscript, visit);
                }
                match &$($mut)? assignment.value {
                    AssignedValue::Scalar(inner) => word(inner, visit),
                    AssignedValue::Array(elements) => {
                        for (subscript, inner) in elements {
                            if let Some(subscript) = subscript {
                                pieces(subscript, visit);
                            }
                            word(inner, visit);
                        }
                    }
                }
            }

            fn all(words: &$($mut)? [Word], visit: $visit) {
                for inner in words {
                    word(inner, visit);
                }
            }

            fn word(word: &$($mut)? Word, visit: $visit) {
                pieces(&$($mut)? word.pieces, visit);
            }

            fn pieces(pieces: &$($mut)? [Piece], visit: $visit) {
                for piece in pieces {
                    match piece {
                        Piece::Literal { .. } => {}
                        Piece::Parameter(parameter) => {
                            if let Some(subscript) = &$($mut)? parameter.subscript {
                                self::pieces(subscript, visit);
                            }
                            self::pieces(&$($mut)? parameter.operand, visit);
                            if let Some(second) = &$($mut)? parameter.second {
                                self::pieces(second, visit);
                            }
                        }
                        Piece::Arithmetic { text, .. } => self::pieces(text, visit),
                        Piece::Command { script, .. } | Piece::Process { script, .. } => {
                            list(&$($mut)? script.list, visit);
                        }
                    }
                }
            }
        }
    };
}

walk!(for_each_command, &Command, &mut dyn FnMut(&Command), shared);
walk!(
    for_each_command_mut,
    &mut Command,
    &mut dyn FnMut(&mut Command),
    exclusive,
    mut
);
