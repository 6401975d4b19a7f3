//! Programs whose command runs in a session or a shell of its own: tmux, hyperfine.

use super::super::{
    Halt, Interpreter,
    invoke::Call,
    state::{Path, State, Status},
    value::{Field, Text},
};
use super::{
    changed, child_state, finish,
    table::{PLAIN, Wrapper},
    take,
};
use crate::shell::ast::Dialect;

/// tmux itself, before its command.
const TMUX: Wrapper = Wrapper {
    short: "cfLSTu",
    ..PLAIN
};

/// Its commands that run a shell command, with the options of each that take a value.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["new-session", "new"], "ceFfnstxy"),
    (&["new-window", "neww"], "ceFnt"),
    (&["split-window", "splitw"], "ceFlpt"),
    (&["respawn-pane", "respawnp"], "cet"),
    (&["respawn-window", "respawnw"], "cet"),
    (&["display-popup", "popup"], "bcdehsStTwxy"),
    (&["run-shell", "run"], "cdt"),
];

/// `tmux new -d CMD`, `tmux send-keys 'CMD' Enter`.
pub(super) fn tmux(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let mut paths = Vec::new();
    let own = take(&TMUX, &call.fields).rest;
    // A word that is `;`, or ends so, ends one of its commands.
    let ends = |field: &Field| field.text.bytes().is_some_and(|word| word.ends_with(b";"));
    for command in own.split_inclusive(ends) {
        let Some(name) = command.first().and_then(|field| field.text.bytes()) else {
            continue;
        };
        let name = String::from_utf8_lossy(name).into_owned();
        if matches!(name.as_str(), "send-keys" | "send") {
            let typed = take(
                &Wrapper {
                    short: "cNt",
                    ..PLAIN
                },
                command,
            );
            // The names of keys end lines; what is typed is read by a shell, most likely.
            let is_key = |field: &Field| {
                matches!(
                    field.text.bytes(),
                    Some(b"Enter" | b"C-m" | b"KPEnter" | b"Space" | b"C-c" | b"Escape")
                )
            };
            for line in typed.rest.split(is_key) {
                paths = run(interpreter, &joined(line, b""), call, state, None)?;
            }
            continue;
        }
        if let Some((names, short)) = COMMANDS
            .iter()
            .find(|(names, _)| names.contains(&name.as_str()))
        {
            let taken = take(
                &Wrapper {
                    names,
                    short,
                    directory: &["-c"],
                    ..PLAIN
                },
                command,
            );
            let text = joined(&taken.rest, b" ");
            paths = run(interpreter, &text, call, state, taken.directory.as_ref())?;
        }
    }
    if paths.is_empty() {
        paths.push(Path {
            state: state.clone(),
            status: Status::Unknown,
        });
    }
    Ok(paths)
}

/// Every operand is a command for a shell, and so are those that set the scene.
pub(super) fn hyperfine(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    const SCENES: &[&[u8]] = &[
        b"--prepare",
        b"-p",
        b"--setup",
        b"-s",
        b"--cleanup",
        b"-c",
        b"--conclude",
        b"-C",
    ];
    let mut paths = vec![Path {
        state: state.clone(),
        status: Status::Unknown,
    }];
    let mut is_scene = false;
    for field in &call.fields[1..] {
        let prefix = field.text.prefix();
        let is_option = prefix.starts_with(b"-") && !is_scene;
        is_scene = is_option && SCENES.contains(&prefix);
        if !is_option {
            paths = run(interpreter, &field.text, call, state, None)?;
        }
    }
    Ok(paths)
}

fn joined(fields: &[Field], by: &[u8]) -> Text {
    let mut text = Text::default();
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            text.push_bytes(by);
        }
        text.append(&field.text);
    }
    text
}

fn run(
    interpreter: &mut Interpreter<'_>,
    text: &Text,
    call: &Call,
    state: &State,
    directory: Option<&Text>,
) -> Result<Vec<Path>, Halt> {
    let mut inner = child_state(call, state);
    if let Some(directory) = directory {
        inner.cwd = changed(&inner.cwd, directory);
    }
    let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
    let paths = interpreter.shell(text, Dialect::Unknown, child)?;
    Ok(finish(interpreter, state, paths))
}
