//! Shells: the string, the file or the input that they run.

use super::super::{
    Halt, Interpreter,
    invoke::Call,
    outputs,
    state::{Path, State, Status},
    value::{Field, Text},
};
use super::{child_state, finish};
use crate::shell::ast::Dialect;

/// `sh -c STRING NAME ARGS`, `sh FILE`, `sh -s`, and a shell that reads its standard input.
pub(super) fn shell(
    interpreter: &mut Interpreter<'_>,
    name: &str,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let dialect = match name {
        "bash" | "rbash" => Dialect::Bash,
        "zsh" => Dialect::Zsh,
        "sh" | "fish" => Dialect::Unknown,
        _ => Dialect::Sh,
    };
    let mut at = 1;
    let mut string = false;
    let mut stdin = false;
    let mut has_aliases = false;
    let mut is_traced = false;
    while let Some(word) = call.fields.get(at).and_then(|field| field.text.bytes()) {
        if word == b"--" || word == b"-" {
            at += 1;
            break;
        }
        if word.starts_with(b"--") {
            at += if matches!(word, b"--rcfile" | b"--init-file") {
                2
            } else {
                1
            };
            continue;
        }
        if !matches!(word.first(), Some(b'-' | b'+')) || word.len() < 2 {
            break;
        }
        string |= word[0] == b'-' && word.contains(&b'c');
        stdin |= word.contains(&b's');
        has_aliases |= word[0] == b'-' && (word.contains(&b'i') || word.contains(&b'O'));
        is_traced |= word[0] == b'-' && word[1..].contains(&b'x');
        let named = call.fields.get(at + 1).and_then(|field| field.text.bytes());
        is_traced |= word == b"-o" && named == Some(b"xtrace");
        // `-o NAME` and `-O NAME` take the next word.
        at += 1 + word[1..]
            .iter()
            .filter(|letter| matches!(letter, b'o' | b'O'))
            .count();
    }
    let inner = child_state(call, state);
    let ready = |mut child: State| {
        child.options.aliases |= has_aliases;
        child.options.xtrace |= is_traced;
        child
    };
    let rest = call.fields.get(at..).unwrap_or_default();
    let texts = |fields: &[Field]| {
        fields
            .iter()
            .map(|field| field.text.clone())
            .collect::<Vec<_>>()
    };
    let paths = if string {
        let Some((script, arguments)) = rest.split_first() else {
            return Ok(vec![Path {
                state: state.clone(),
                status: Status::NonZero,
            }]);
        };
        let zero = arguments
            .first()
            .map_or_else(|| Text::known(name), |field| field.text.clone());
        let child = interpreter.child(
            &inner,
            Some(texts(arguments.get(1..).unwrap_or_default())),
            zero,
        );
        interpreter.shell(&script.text, dialect, ready(child))?
    } else if let Some(file) = rest.first().filter(|_| !stdin) {
        let child = interpreter.child(&inner, Some(texts(&rest[1..])), file.text.clone());
        if let Some(text) = interpreter.script_in(&file.text, &inner) {
            let paths = interpreter.shell(&text, dialect, ready(child))?;
            return Ok(finish(interpreter, state, paths));
        }
        if let Some(script) = interpreter.script_file(&file.text, &child)
            && let Some(paths) = interpreter.run_script(script, dialect, ready(child))?
        {
            return Ok(finish(interpreter, state, paths));
        }
        let shown = String::from_utf8_lossy(&file.text.display()).into_owned();
        interpreter.court.note(format!(
            "{name} runs {shown}: what it does is judged only as it happens"
        ));
        let mut child = inner;
        child.disk_changed = true;
        outputs::append_unknown(interpreter, &mut child, "the output of a script");
        vec![Path {
            state: child,
            status: Status::Unknown,
        }]
    } else {
        let child = interpreter.child(&inner, Some(texts(rest)), Text::known(name));
        match Interpreter::input_text(&inner).cloned() {
            Some(text) => interpreter.shell(&text, dialect, ready(child))?,
            None => vec![Path {
                state: child,
                status: Status::Unknown,
            }],
        }
    };
    Ok(finish(interpreter, state, paths))
}
