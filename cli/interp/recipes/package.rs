//! The scripts of a `package.json`.

use blastradius_policy::Canonical;
use serde_json::Value as Json;

use super::directory;
use crate::{
    interp::{
        Halt, Interpreter,
        invoke::Call,
        state::{Cwd, Path, State},
        value::Text,
        wrappers::{child_state, finish},
    },
    shell::ast::Dialect,
};

/// What the words ask for.
struct Asked<'a> {
    /// Options that change the directory.
    steps: Vec<&'a Text>,
    script: &'a str,
    arguments: Vec<&'a Text>,
}

/// `npm run NAME` and its like; `None` if no script of the project runs.
pub(in crate::interp) fn package(
    interpreter: &mut Interpreter<'_>,
    manager: &str,
    call: &Call,
    state: &State,
) -> Result<Option<Vec<Path>>, Halt> {
    let Some((file, lines)) =
        asked(manager, call).and_then(|asked| found(interpreter, &asked, state))
    else {
        return Ok(None);
    };
    let mut inner = child_state(call, state);
    inner.cwd = Cwd::At(file[..file.len() - NAME.len() - 1].to_vec());
    let paths = interpreter.within_file(&String::from_utf8_lossy(NAME), |interpreter| {
        let mut paths = Vec::new();
        for line in &lines {
            let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
            paths = interpreter.shell(line, Dialect::Sh, child)?;
            inner.absorb(&paths);
        }
        Ok(paths)
    })?;
    Ok(paths.map(|paths| finish(interpreter, state, paths)))
}

const NAME: &[u8] = b"package.json";

fn asked<'a>(manager: &str, call: &'a Call) -> Option<Asked<'a>> {
    let mut steps = Vec::new();
    let mut words = Vec::new();
    let mut fields = call.fields[1..].iter().map(|field| &field.text);
    while let Some(text) = fields.next() {
        let word = text.bytes()?;
        match word {
            b"--prefix" | b"-C" | b"--dir" | b"--cwd" => steps.push(fields.next()?),
            b"--" => break,
            // What takes a value in a word of its own names no script; what is left is no option.
            _ if word.starts_with(b"-") => {}
            _ => {
                words.push(std::str::from_utf8(word).ok()?);
                if words.len() == 2 || !matches!(words[0], "run" | "run-script" | "rum" | "urn") {
                    break;
                }
            }
        }
    }
    let script = match (manager, words.as_slice()) {
        (_, [_, script]) => script,
        ("npm", [script @ ("test" | "start" | "stop" | "restart")]) => script,
        ("npm", [short @ ("t" | "tst")]) if !short.is_empty() => "test",
        ("yarn" | "pnpm", [script]) => script,
        _ => return None,
    };
    let arguments = fields.filter(|text| text.bytes() != Some(b"--")).collect();
    Some(Asked {
        steps,
        script,
        arguments,
    })
}

/// The nearest `package.json`, and the lines that it keeps under a name, with those before and after.
fn found(
    interpreter: &Interpreter<'_>,
    asked: &Asked<'_>,
    state: &State,
) -> Option<(Vec<u8>, Vec<Text>)> {
    let start = directory(interpreter, state, &asked.steps)?;
    let files = Canonical::new(&start)?
        .ancestors()
        .map(|directory| [directory.as_bytes(), b"/", NAME].concat())
        .collect::<Vec<_>>();
    let (file, script) = files.into_iter().find_map(|file| {
        let script = interpreter.script_file(&Text::known(file.clone()), state)?;
        Some((file, script))
    })?;
    let content: Json = serde_json::from_slice(&script.source).ok()?;
    let line = |name: &str| content["scripts"][name].as_str().map(Text::known);
    let mut main = line(asked.script)?;
    for argument in &asked.arguments {
        main.push_bytes(b" ");
        match argument.bytes() {
            Some(word) => main.push_bytes(&quoted(word)),
            None => main.append(argument),
        }
    }
    let before = line(&format!("pre{}", asked.script));
    let after = line(&format!("post{}", asked.script));
    Some((
        file,
        [before, Some(main), after].into_iter().flatten().collect(),
    ))
}

fn quoted(word: &[u8]) -> Vec<u8> {
    let mut out = b"'".to_vec();
    for byte in word {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            byte => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}
