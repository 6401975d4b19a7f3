//! A script as text that shows its structure: `'...'` is quoted, everything else is not.

use crate::shell::ast::{
    AssignedValue, Assignment, Command, CommandKind, Connector, List, Parameter, Piece, Pipeline,
    Redirection, RedirectionOperator, Word,
};

pub(super) fn list(list: &List) -> String {
    let mut text = String::new();
    for (index, item) in list.items.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&pipeline(&item.first));
        for (connector, next) in &item.rest {
            text.push_str(match connector {
                Connector::And => " && ",
                Connector::Or => " || ",
            });
            text.push_str(&pipeline(next));
        }
        text.push(if item.background { '&' } else { ';' });
    }
    text
}

fn pipeline(pipeline: &Pipeline) -> String {
    let commands: Vec<String> = pipeline.commands.iter().map(command).collect();
    let negation = if pipeline.negated { "! " } else { "" };
    format!("{negation}{}", commands.join(" | "))
}

pub(super) fn command(command: &Command) -> String {
    let mut parts = vec![kind(&command.kind)];
    parts.extend(command.redirections.iter().map(redirection));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn kind(kind: &CommandKind) -> String {
    match kind {
        CommandKind::Simple { assignments, words } => {
            let mut parts: Vec<String> = assignments.iter().map(assignment).collect();
            parts.extend(words.iter().map(word));
            parts.join(" ")
        }
        CommandKind::Subshell(inner) => format!("({})", list(inner)),
        CommandKind::Group(inner) => format!("{{{}}}", list(inner)),
        CommandKind::If {
            branches,
            otherwise,
        } => {
            let mut text = String::new();
            for (condition, body) in branches {
                text += &format!("if {} then {} ", list(condition), list(body));
            }
            if let Some(otherwise) = otherwise {
                text += &format!("else {} ", list(otherwise));
            }
            text + "fi"
        }
        CommandKind::Loop {
            until,
            condition,
            body,
        } => {
            let word = if *until { "until" } else { "while" };
            format!("{word} {} do {} done", list(condition), list(body))
        }
        CommandKind::For {
            name,
            words,
            body,
            select,
        } => {
            let word = if *select { "select" } else { "for" };
            let values = words
                .as_ref()
                .map_or(String::new(), |words| format!(" in{}", spaced(words)));
            format!("{word} {}{values} do {} done", text(name), list(body))
        }
        CommandKind::ArithmeticFor { text, body } => {
            format!("for (({})) do {} done", pieces(text), list(body))
        }
        CommandKind::Repeat { count, body } => {
            format!("repeat {} do {} done", word(count), list(body))
        }
        CommandKind::Case { subject, arms } => {
            let mut text = format!("case {} in", word(subject));
            for arm in arms {
                let patterns: Vec<String> = arm.patterns.iter().map(word).collect();
                let end = if arm.falls_through { ";&" } else { ";;" };
                text += &format!(" {}) {}{end}", patterns.join("|"), list(&arm.body));
            }
            text + " esac"
        }
        CommandKind::Function { name, body } => format!("{}() {}", text(name), command(body)),
        CommandKind::Arithmetic(text) => format!("(({}))", pieces(text)),
        CommandKind::Conditional(words) => format!("[[{} ]]", spaced(words)),
        CommandKind::Time(inner) => format!("time {}", pipeline(inner)),
        CommandKind::Coproc { name, body } => format!("coproc {} {}", text(name), command(body)),
    }
}

fn spaced(words: &[Word]) -> String {
    words
        .iter()
        .map(|inner| format!(" {}", word(inner)))
        .collect()
}

fn assignment(assignment: &Assignment) -> String {
    let subscript = subscript(assignment.subscript.as_deref());
    let operator = if assignment.append { "+=" } else { "=" };
    let value = match &assignment.value {
        AssignedValue::Scalar(value) => word(value),
        AssignedValue::Array(elements) => {
            let elements: Vec<String> = elements
                .iter()
                .map(|(key, value)| match key {
                    Some(key) => format!("[{}]={}", pieces(key), word(value)),
                    None => word(value),
                })
                .collect();
            format!("({})", elements.join(" "))
        }
    };
    format!("{}{subscript}{operator}{value}", text(&assignment.name))
}

fn subscript(subscript: Option<&[Piece]>) -> String {
    subscript.map_or(String::new(), |inner| format!("[{}]", pieces(inner)))
}

fn redirection(redirection: &Redirection) -> String {
    let operator = match redirection.operator {
        RedirectionOperator::Read => "<",
        RedirectionOperator::Write => ">",
        RedirectionOperator::Clobber => ">|",
        RedirectionOperator::Append => ">>",
        RedirectionOperator::ReadWrite => "<>",
        RedirectionOperator::DuplicateIn => "<&",
        RedirectionOperator::DuplicateOut => ">&",
        RedirectionOperator::WriteBoth => "&>",
        RedirectionOperator::AppendBoth => "&>>",
        RedirectionOperator::HereDocument => "<<",
        RedirectionOperator::HereString => "<<<",
    };
    let descriptor = redirection
        .descriptor
        .as_deref()
        .map_or(String::new(), text);
    let body = redirection
        .here_document
        .as_ref()
        .map_or(String::new(), |document| {
            assert_eq!(redirection.operand.span, redirection.span);
            let mark = if document.quoted { "'" } else { "" };
            format!("{mark}{{{}}}", pieces(&document.body))
        });
    format!("{descriptor}{operator}{}{body}", word(&redirection.operand))
}

pub(super) fn word(word: &Word) -> String {
    pieces(&word.pieces)
}

fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Literal {
            bytes,
            quoted: true,
        } => format!("'{}'", text(bytes)),
        Piece::Literal { bytes, .. } => text(bytes),
        Piece::Parameter(inner) => quoted(inner.quoted, parameter(inner)),
        Piece::Command {
            script,
            quoted: is_quoted,
            ..
        } => {
            assert!(script.error.is_none() && script.doubts.is_empty());
            quoted(*is_quoted, format!("$({})", list(&script.list)))
        }
        Piece::Arithmetic {
            text,
            quoted: is_quoted,
            ..
        } => quoted(*is_quoted, format!("$(({}))", pieces(text))),
        Piece::Process { script, .. } => format!("<({})", list(&script.list)),
    }
}

fn quoted(is_quoted: bool, text: String) -> String {
    if is_quoted {
        format!("\"{text}\"")
    } else {
        text
    }
}

fn parameter(parameter: &Parameter) -> String {
    let second = parameter
        .second
        .as_ref()
        .map_or(String::new(), |second| format!("|{}", pieces(second)));
    format!(
        "${{{}{}{}{}{}{}{second}}}",
        if parameter.length { "#" } else { "" },
        if parameter.indirect { "!" } else { "" },
        text(&parameter.name),
        subscript(parameter.subscript.as_deref()),
        parameter.operator,
        pieces(&parameter.operand),
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\n', "⏎")
}
