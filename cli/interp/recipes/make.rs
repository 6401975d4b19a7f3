//! `make TARGET`: its recipes are run as make would expand them.

use std::collections::BTreeMap;

use super::{
    directory,
    makefile::{Makefile, Target},
};
use crate::{
    interp::{
        Halt, Interpreter, Unknown,
        invoke::Call,
        parameter::is_name,
        state::{Cwd, Path, State},
        value::{Text, Value},
        wrappers::{child_state, finish},
    },
    shell::ast::Dialect,
};

/// Short options whose value may be the next word.
const VALUED: &[u8] = b"CfIoWE";
/// What make looks for, in order.
const NAMES: [&[u8]; 3] = [b"GNUmakefile", b"makefile", b"Makefile"];
/// The shell variable that stands for what only make finds out.
const HOLE: &[u8] = b"MAKE_VALUE";
/// How deep variables name each other.
const DEEPEST: u32 = 20;

/// What the words ask for.
#[derive(Default)]
struct Asked<'a> {
    steps: Vec<&'a Text>,
    file: Option<&'a Text>,
    variables: BTreeMap<Vec<u8>, Vec<u8>>,
    goals: Vec<Vec<u8>>,
}

/// Runs the recipes that make would; `None` if they cannot be told.
pub(in crate::interp) fn make(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Option<Vec<Path>>, Halt> {
    let Some(asked) = asked(call) else {
        return Ok(None);
    };
    let Some((name, makefile, at)) = found(interpreter, &asked, state) else {
        return Ok(None);
    };
    let goals = match asked.goals.as_slice() {
        [] => makefile.goal().into_iter().collect(),
        goals => goals.to_vec(),
    };
    let mut inner = child_state(call, state);
    inner.cwd = Cwd::At(at.clone());
    inner.assign(
        HOLE,
        Value::Scalar(Text::unknown(Unknown::anything(
            "a value that make computes",
        ))),
    );
    inner.export(HOLE);
    let dialect = match makefile.variables.get(&b"SHELL"[..]) {
        Some(Some(shell)) if shell.ends_with(b"bash") => Dialect::Bash,
        _ => Dialect::Sh,
    };
    let paths = interpreter.within_file(&name, |interpreter| {
        let mut paths = Vec::new();
        for (name, target) in goals.iter().flat_map(|goal| makefile.order(goal)) {
            let make = Make {
                file: &makefile,
                overrides: &asked.variables,
                at: &at,
                name: &name,
                target: &target,
            };
            for line in make.lines(interpreter, &inner) {
                let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
                paths = interpreter.shell(&Text::known(line), dialect, child)?;
                inner.absorb(&paths);
            }
        }
        Ok(paths)
    })?;
    Ok(paths.map(|mut paths| {
        for path in &mut paths {
            path.state.disk_changed = true;
        }
        finish(interpreter, state, paths)
    }))
}

fn asked(call: &Call) -> Option<Asked<'_>> {
    let mut asked = Asked::default();
    let mut fields = call.fields[1..].iter();
    while let Some(field) = fields.next() {
        let word = field.text.bytes()?;
        match word {
            // Nothing runs.
            b"-n" | b"--just-print" | b"--dry-run" | b"--recon" | b"-q" | b"--question" | b"-t"
            | b"--touch" => return None,
            b"-C" | b"--directory" => asked.steps.push(&fields.next()?.text),
            b"-f" | b"--file" | b"--makefile" => asked.file = Some(&fields.next()?.text),
            // Attached values would need texts of their own.
            _ if [
                &b"-C"[..],
                b"-f",
                b"--directory=",
                b"--file=",
                b"--makefile=",
            ]
            .iter()
            .any(|option| word.starts_with(option)) =>
            {
                return None;
            }
            [b'-', letter] if VALUED.contains(letter) => {
                fields.next();
            }
            _ if word.starts_with(b"-") => {}
            // `-j 4`
            _ if word.iter().all(u8::is_ascii_digit) => {}
            _ => match word.iter().position(|byte| *byte == b'=') {
                Some(equals) => {
                    let name = word[..equals].strip_suffix(b":").unwrap_or(&word[..equals]);
                    let value = word[equals + 1..].to_vec();
                    asked.variables.insert(name.to_vec(), value);
                }
                None => asked.goals.push(word.to_vec()),
            },
        }
    }
    Some(asked)
}

fn found(
    interpreter: &Interpreter<'_>,
    asked: &Asked<'_>,
    state: &State,
) -> Option<(String, Makefile, Vec<u8>)> {
    let at = directory(interpreter, state, &asked.steps)?;
    let names = match asked.file {
        Some(file) => vec![file.bytes()?],
        None => NAMES.to_vec(),
    };
    names.into_iter().find_map(|name| {
        let path = if name.starts_with(b"/") {
            name.to_vec()
        } else {
            [&at, &b"/"[..], name].concat()
        };
        let script = interpreter.script_file(&Text::known(path), state)?;
        let shown = String::from_utf8_lossy(name).into_owned();
        Some((shown, Makefile::read(&script.source), at.clone()))
    })
}

/// One target that is made.
struct Make<'a> {
    file: &'a Makefile,
    overrides: &'a BTreeMap<Vec<u8>, Vec<u8>>,
    at: &'a [u8],
    name: &'a [u8],
    target: &'a Target,
}

impl Make<'_> {
    /// The texts that shells are given.
    fn lines(&self, interpreter: &Interpreter<'_>, state: &State) -> Vec<Vec<u8>> {
        let lines: Vec<Vec<u8>> = self
            .target
            .recipe
            .iter()
            .map(|line| {
                let line = line.trim_ascii_start();
                let marks = line
                    .iter()
                    .take_while(|byte| matches!(byte, b'@' | b'-' | b'+' | b' ' | b'\t'))
                    .count();
                let mut out = Vec::new();
                self.expand(&line[marks..], interpreter, state, 0, &mut out);
                out
            })
            .collect();
        if self.file.one_shell {
            vec![lines.join(&b'\n')]
        } else {
            lines
        }
    }

    fn expand(
        &self,
        text: &[u8],
        interpreter: &Interpreter<'_>,
        state: &State,
        depth: u32,
        out: &mut Vec<u8>,
    ) {
        let mut rest = text;
        while let Some(dollar) = rest.iter().position(|byte| *byte == b'$') {
            out.extend_from_slice(&rest[..dollar]);
            rest = &rest[dollar + 1..];
            let (reference, after) = match rest {
                [b'(' | b'{', ..] => match closing(rest) {
                    Some(end) => (&rest[1..end], &rest[end + 1..]),
                    None => return,
                },
                [b'$', after @ ..] => {
                    out.push(b'$');
                    rest = after;
                    continue;
                }
                [_, after @ ..] => (&rest[..1], after),
                [] => return,
            };
            let leads = leads(out, after);
            self.reference(reference, leads, interpreter, state, depth, out);
            rest = after;
        }
        out.extend_from_slice(rest);
    }

    fn reference(
        &self,
        name: &[u8],
        leads: bool,
        interpreter: &Interpreter<'_>,
        state: &State,
        depth: u32,
        out: &mut Vec<u8>,
    ) {
        let hole = |out: &mut Vec<u8>| out.extend_from_slice(&[b"${", HOLE, b"}"].concat());
        if depth > DEEPEST {
            return hole(out);
        }
        match name {
            b"@" => return out.extend_from_slice(self.name),
            b"<" => return out.extend(self.target.needs.iter().take(1).flatten()),
            b"^" | b"+" | b"?" => return out.extend_from_slice(&self.target.needs.join(&b' ')),
            b"CURDIR" => return out.extend_from_slice(self.at),
            b"MAKE" => return out.extend_from_slice(b"make"),
            b"RM" if !self.file.variables.contains_key(name) => {
                return out.extend_from_slice(b"rm -f");
            }
            _ => {}
        }
        if let Some(command) = name.strip_prefix(b"shell ") {
            out.extend_from_slice(b"$(");
            self.expand(command, interpreter, state, depth + 1, out);
            return out.push(b')');
        }
        // The shell finds the same names.
        if let Some(pattern) = name
            .strip_prefix(b"wildcard ")
            .or(name.strip_prefix(b"strip "))
        {
            return self.expand(pattern.trim_ascii(), interpreter, state, depth + 1, out);
        }
        if !name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte))
        {
            return hole(out);
        }
        if let Some(value) = self.overrides.get(name) {
            return self.expand(value, interpreter, state, depth + 1, out);
        }
        match self.file.variables.get(name) {
            Some(Some(value)) => self.expand(value, interpreter, state, depth + 1, out),
            Some(None) => hole(out),
            None => match interpreter.lookup(name, state) {
                Value::Unset if self.file.includes => hole(out),
                // Left to the shell, where it is unset too: so that it is told what is missing.
                // Elsewhere in a word it is a part that may be missing, as make's variables often are.
                Value::Unset if is_name(name) && leads => {
                    out.extend_from_slice(&[b"${", name, b"}"].concat());
                }
                Value::Unset => {}
                Value::Scalar(text) if text.bytes().is_some() => {
                    out.extend_from_slice(text.bytes().unwrap_or_default());
                }
                _ => hole(out),
            },
        }
    }
}

/// The bracket that ends a reference which begins with one.
fn closing(text: &[u8]) -> Option<usize> {
    let (open, close) = match text.first()? {
        b'(' => (b'(', b')'),
        _ => (b'{', b'}'),
    };
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Whether what stands between these bytes is all that a word of a shell begins with: its first directory, or the
/// whole of it.
fn leads(before: &[u8], after: &[u8]) -> bool {
    let quoted = before.iter().filter(|byte| **byte == b'\'').count() % 2 == 1;
    let last = before.last().copied().unwrap_or(b' ');
    let next = after.first().copied().unwrap_or(b' ');
    !quoted
        && (last.is_ascii_whitespace() || b"\"=;&|(".contains(&last))
        && (next.is_ascii_whitespace() || b"\"/*;&|)".contains(&next))
}
