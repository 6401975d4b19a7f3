//! From words to what they run: functions, builtins, wrappers, shells, programs.

use std::rc::Rc;

use blastradius_policy::programs;

use super::{
    Halt, Interpreter,
    files::interpreter_of,
    outputs,
    state::{Path, State, Status},
    value::{Field, Segment, Text, Trace, Unknown, Value},
    wrappers,
};
use crate::{
    shell::ast::Dialect,
    verdict::{Given, Nested, base_name},
};

/// A command after expansion.
pub(super) struct Call {
    /// Its words, at least one.
    pub(super) fields: Vec<Field>,
    /// What words lost that left no field.
    pub(super) vanished: Trace,
    /// Those words, as written.
    pub(super) vanished_spelled: Vec<Rc<[u8]>>,
    /// `NAME=value` in front.
    pub(super) prefix: Vec<(Vec<u8>, Value)>,
    /// Functions are looked at (not below `command`, nor in a program that runs another).
    pub(super) functions: bool,
    /// So are builtins.
    pub(super) builtins: bool,
}

/// What becomes of a command's output, and the process substitutions that it may read.
struct Seen<'s> {
    is_shown: bool,
    pipes: &'s [(Vec<u8>, Text)],
}

impl Call {
    /// What a court needs to know of it.
    fn given<'s>(&'s self, name: &'s [u8], state: &'s State, seen: Seen<'s>) -> Given<'s> {
        Given {
            is_shown: seen.is_shown,
            pipes: seen.pipes,
            name,
            fields: &self.fields,
            vanished: &self.vanished,
            vanished_spelled: &self.vanished_spelled,
            prefix: &self.prefix,
            state,
        }
    }

    /// The same command line from word `first` on, as another program runs it.
    pub(super) fn inner(&self, fields: Vec<Field>) -> Self {
        Self {
            fields,
            vanished: self.vanished.clone(),
            vanished_spelled: self.vanished_spelled.clone(),
            prefix: self.prefix.clone(),
            functions: false,
            builtins: false,
        }
    }
}

impl Interpreter<'_> {
    /// Runs a command.
    pub(super) fn invoke(&mut self, call: Call, state: State) -> Result<Vec<Path>, Halt> {
        // The words and the variables are copied on the way.
        let names = state.variables.len() + state.aliases.len();
        self.pay(1 + call.fields.len() + names / 4)?;
        if call.fields.is_empty() {
            let status = Status::Unknown;
            return Ok(vec![Path { state, status }]);
        }
        self.court.steps(&call.fields, &state.cwd);
        self.nested(|this| this.invoked(call, state))
    }

    fn invoked(&mut self, mut call: Call, mut state: State) -> Result<Vec<Path>, Halt> {
        // zsh's `=rm` is the path of rm.
        if matches!(self.dialect(), Dialect::Zsh | Dialect::Unknown)
            && let Some(name) = call.fields[0]
                .text
                .bytes()
                .and_then(|name| name.strip_prefix(b"="))
            && !name.is_empty()
            && call.fields[0].spelled.first() == Some(&b'=')
        {
            call.fields[0].text = Text::known(name.to_vec());
        }
        let Some(name) = call.fields[0].text.bytes().map(<[u8]>::to_vec) else {
            return Ok(self.unknown_program(&call, state));
        };
        if call.functions
            && let Some(function) = state.functions.get(&name).cloned()
        {
            let arguments = super::builtins::positional(&call.fields[1..]);
            let before: Vec<(Vec<u8>, Option<Value>)> = call
                .prefix
                .iter()
                .map(|(name, _)| (name.clone(), state.variables.get(name).cloned()))
                .collect();
            for (name, value) in call.prefix {
                state.assign(&name, value);
            }
            let mut paths = self.call(&function, arguments, state)?;
            for path in &mut paths {
                undo(&mut path.state, &before);
            }
            return Ok(paths);
        }
        if call.builtins
            && !name.contains(&b'/')
            && let Some(paths) = self.builtin(&name, &call, &state)?
        {
            return Ok(paths);
        }
        if (call.functions || call.builtins)
            && let Some(path) = state.hashed.get(&name).cloned()
        {
            let mut elsewhere = call.inner(call.fields.clone());
            elsewhere.fields[0].text = Text::known(path);
            let mut paths = self.invoke(elsewhere, state.clone())?;
            // It may be found as ever: `hash` may have failed.
            paths.extend(self.found_program(&name, &call, state)?);
            return self.merged(paths);
        }
        self.found_program(&name, &call, state)
    }

    /// A command that is neither a function nor a builtin.
    fn found_program(&mut self, name: &[u8], call: &Call, state: State) -> Result<Vec<Path>, Halt> {
        if let Some(paths) = wrappers::run(self, base_name(name), call, &state)? {
            return Ok(paths);
        }
        if name.contains(&b'/')
            && !programs::is_destructive(base_name(name))
            && let Some(paths) = self.script_program(call, &state)?
        {
            return Ok(paths);
        }
        self.program(base_name(name), call, state)
    }

    /// A program that is a shell script. `None`: it is none, or more than can be followed.
    fn script_program(&mut self, call: &Call, state: &State) -> Result<Option<Vec<Path>>, Halt> {
        let name = &call.fields[0].text;
        let Some(script) = self.script_file(name, state) else {
            return Ok(None);
        };
        let dialect = if script.source.starts_with(b"#!") {
            interpreter_of(&script.source)
        } else {
            // What the kernel does not take, the shell does.
            script.typed.then_some(Dialect::Sh)
        };
        let Some(dialect) = dialect else {
            return Ok(None);
        };
        let arguments = call.fields[1..].iter().map(|field| field.text.clone());
        let inner = wrappers::child_state(call, state);
        let child = self.child(&inner, Some(arguments.collect()), name.clone());
        let paths = self.run_script(script, dialect, child)?;
        Ok(paths.map(|paths| wrappers::finish(self, state, paths)))
    }

    /// A program that is no wrapper: what it destroys is judged, what it runs is followed.
    fn program(&mut self, name: &[u8], call: &Call, mut state: State) -> Result<Vec<Path>, Halt> {
        self.snippet(name, call, &mut state)?;
        if programs::is_destructive(name) {
            // It is looked for on the disk, by way of all that the string has changed there.
            self.pay(4 + state.changes.len() / 8)?;
        }
        let seen = Seen {
            is_shown: self.catching == 0 && self.hidden == 0,
            pipes: &self.pipes,
        };
        let nested = self.court.program(&call.given(name, &state, seen));
        for moved in self.court.take_moves() {
            Rc::make_mut(&mut state.changes).moved(moved);
        }
        for path in self.court.take_written() {
            Rc::make_mut(&mut state.changes).write(path, None);
        }
        let elsewhere = self.court.runs_elsewhere(name, &call.fields);
        if elsewhere {
            self.court.enter();
        }
        let followed = self.follow(nested, call, &mut state);
        if elsewhere {
            self.court.leave();
        }
        followed?;
        if name == b"blastradius" {
            self.own_commands(call);
        }
        if !outputs::is_harmless(name, &call.fields) {
            state.disk_changed = true;
        }
        outputs::of_program(self, name, call, &mut state);
        outputs::taken(name, call, &mut state);
        let status = match name {
            b"true" => Status::Zero,
            b"false" => Status::NonZero,
            _ => Status::Unknown,
        };
        let Some(directory) = outputs::cloned(name, &call.fields, &state) else {
            return Ok(vec![Path { state, status }]);
        };
        let failed = Path {
            state: state.clone(),
            status: Status::NonZero,
        };
        Rc::make_mut(&mut state.made).push(directory);
        let status = Status::Zero;
        Ok(vec![Path { state, status }, failed])
    }

    /// The commands that a program runs.
    fn follow(&mut self, nested: Vec<Nested>, call: &Call, state: &mut State) -> Result<(), Halt> {
        for nested in nested {
            match nested {
                Nested::Command { fields, cwd } => {
                    let mut inner = state.clone();
                    if let Some(cwd) = cwd {
                        inner.cwd = cwd;
                    }
                    let paths =
                        self.fork(inner, |this, state| this.invoke(call.inner(fields), state))?;
                    state.absorb(&paths);
                }
                Nested::Script { text, cwd } => {
                    let mut child = self.child(state, Some(Vec::new()), Text::known(*b"sh"));
                    child.cwd = cwd;
                    let paths = self.shell(&text, Dialect::Sh, child)?;
                    state.absorb(&paths);
                }
            }
        }
        Ok(())
    }

    /// A command must not take the guard away.
    fn own_commands(&mut self, call: &Call) {
        if call
            .fields
            .get(1)
            .and_then(|field| field.text.bytes())
            .is_some_and(|word| word == b"uninstall" || word == b"trust")
        {
            let words: Vec<Vec<u8>> = call
                .fields
                .iter()
                .map(|field| field.text.display())
                .collect();
            self.court.guard_command(&words);
        }
    }

    /// The command word itself is not known. Most often that is a path from another command
    /// (`$(npm bin)/eslint`); it is refused only if its arguments say that something would be removed.
    fn unknown_program(&mut self, call: &Call, mut state: State) -> Vec<Path> {
        let why = call.fields[0].text.why_unknown().map_or_else(
            || "an unknown program".into(),
            |unknown| unknown.why.clone(),
        );
        let ends_known = match call.fields[0].text.segments.last() {
            Some(Segment::Known(bytes)) => bytes
                .rsplit(|byte| *byte == b'/')
                .next()
                .map(<[u8]>::to_vec),
            _ => None,
        };
        let named = ends_known.filter(|name| !name.is_empty());
        if let Some(name) = named
            .as_deref()
            .filter(|name| programs::is_destructive(name))
        {
            let seen = Seen {
                is_shown: false,
                pipes: &self.pipes,
            };
            self.court.program(&call.given(name, &state, seen));
        } else if named.is_none() && call.fields[1..].iter().any(looks_destructive) {
            let words: Vec<Vec<u8>> = call
                .fields
                .iter()
                .map(|field| field.text.display())
                .collect();
            self.court
                .unresolved_program(&words, &call.fields[0].spelled, &why, &state);
        } else {
            self.court.note(format!(
                "which program runs depends on {why}: it is judged only as it happens"
            ));
        }
        state.disk_changed = true;
        if self.catching > 0 {
            state
                .output
                .push_unknown(Unknown::anything("the output of an unknown program"));
        }
        vec![Path {
            state,
            status: Status::Unknown,
        }]
    }

    /// Whether output is being caught at all.
    pub(super) const fn is_catching(&self) -> bool {
        self.catching > 0
    }
}

fn looks_destructive(field: &Field) -> bool {
    let Some(word) = field.text.bytes() else {
        return false;
    };
    match word.strip_prefix(b"-") {
        Some(b"-recursive" | b"-force" | b"-delete" | b"delete" | b"-no-preserve-root") => true,
        Some(letters) if letters.len() <= 4 && !letters.is_empty() => {
            letters.iter().all(|letter| b"rRfvid".contains(letter))
                && letters.iter().any(|letter| b"rRf".contains(letter))
                && letters.len() > 1
        }
        _ => false,
    }
}

fn undo(state: &mut State, before: &[(Vec<u8>, Option<Value>)]) {
    for (name, value) in before {
        match value {
            Some(value) => state.assign(name, value.clone()),
            None => {
                Rc::make_mut(&mut state.variables).remove(name);
            }
        }
    }
}
