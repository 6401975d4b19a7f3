//! Shells within the shell: forks, substitutions, `sh -c`, `eval`.

use std::rc::Rc;

use super::{
    Halt, Interpreter, outputs,
    state::{Input, Path, State, Status, merge},
    value::{Text, Unknown},
};
use crate::shell::{
    ast::{Dialect, Script, Span},
    tail::holds_destructive_word,
};

/// bash numbers the pipes of process substitutions from the top of its table down; any number will do here.
const FIRST_PIPE: usize = 63;

impl Interpreter<'_> {
    /// Runs in a copy of the shell, to its end: traps set in it fire there.
    pub(super) fn fork(
        &mut self,
        mut state: State,
        run: impl FnOnce(&mut Self, State) -> Result<Vec<Path>, Halt>,
    ) -> Result<Vec<Path>, Halt> {
        state.traps.clear();
        let before = state.clone();
        let ended = match run(self, state) {
            // What ends this shell does not end the one around it.
            Err(Halt::Exit) => vec![Path {
                state: before,
                status: Status::Exit,
            }],
            ended => ended?,
        };
        let mut paths = Vec::new();
        for path in ended {
            let path = self.fire_traps(path)?;
            let status = if path.status.is_running() {
                path.status
            } else {
                Status::Unknown
            };
            paths.push(Path { status, ..path });
        }
        Ok(merge(paths))
    }

    /// What `trap` has left for the end.
    pub(super) fn fire_traps(&mut self, mut path: Path) -> Result<Path, Halt> {
        for trap in std::mem::take(&mut path.state.traps) {
            if let Some(text) = trap.bytes() {
                let dialect = self.dialect();
                let after = self.script_text(text.into(), dialect, path.state.clone())?;
                path.state.absorb(&after);
            }
        }
        Ok(path)
    }

    /// Runs with its standard output caught, and returns that.
    pub(super) fn caught(
        &mut self,
        mut state: State,
        run: impl FnOnce(&mut Self, State) -> Result<Vec<Path>, Halt>,
    ) -> Result<(Text, Vec<Path>), Halt> {
        state.output = Text::default();
        self.catching += 1;
        let result = run(self, state);
        self.catching -= 1;
        let paths = result?;
        let mut outputs = paths.iter().map(|path| &path.state.output);
        let output = match outputs.next() {
            Some(first) if outputs.all(|other| other == first) => first.clone(),
            _ => Text::unknown(Unknown::anything(
                "output that depends on what happens before",
            )),
        };
        Ok((output, paths))
    }

    /// `$(...)` and backticks.
    pub(super) fn substitution(
        &mut self,
        script: &Script,
        span: Span,
        state: &mut State,
    ) -> Result<Text, Halt> {
        self.pay(2)?;
        let inner = state.clone();
        let failures = self.failures;
        let (output, paths) = self.caught(inner, |this, state| {
            this.nested(|this| this.fork(state, |this, state| this.script(script, state)))
        })?;
        state.absorb(&paths);
        if self.failures > failures {
            return Ok(Text::unknown(Unknown::anything(
                "the output of commands that may have failed",
            )));
        }
        if script.error.is_some() {
            return Ok(Text::unknown(Unknown::anything(
                "the output of a command that could not be read",
            )));
        }
        let mut text = output.without_trailing_newlines();
        if text.is_empty() && text.trace.lost_nothing() {
            text.trace.empty.push(self.spelled(span).to_vec());
        }
        Ok(text)
    }

    /// Runs a process substitution beside the shell. Returns the name of its pipe; what it prints is kept for a
    /// shell that reads it as a script.
    pub(super) fn aside(&mut self, script: &Script, state: &mut State) -> Result<Vec<u8>, Halt> {
        let inner = state.clone();
        let (output, paths) = self.caught(inner, |this, state| {
            this.nested(|this| this.fork(state, |this, state| this.script(script, state)))
        })?;
        state.absorb(&paths);
        let name = format!("/dev/fd/{}", FIRST_PIPE + self.pipes.len()).into_bytes();
        self.pipes.push((name.clone(), output));
        Ok(name)
    }

    /// What a shell would read from a file that is the pipe of a process substitution, or its own input.
    pub(super) fn script_in(&self, file: &Text, state: &State) -> Option<Text> {
        let name = file.bytes()?;
        if name == b"/dev/stdin" || name == b"/dev/fd/0" || name == b"/proc/self/fd/0" {
            return Self::input_text(state).cloned();
        }
        self.printed_into(file)
    }

    /// What a process substitution prints into a file that is its pipe.
    pub(super) fn printed_into(&self, file: &Text) -> Option<Text> {
        let name = file.bytes()?;
        let (_, output) = self.pipes.iter().rev().find(|(pipe, _)| pipe == name)?;
        Some(output.clone())
    }

    /// A new shell that runs `text`.
    pub(super) fn shell(
        &mut self,
        text: &Text,
        dialect: Dialect,
        child: State,
    ) -> Result<Vec<Path>, Halt> {
        let Some(source) = text.bytes() else {
            return self.unknown_text(text, child);
        };
        let source: Rc<[u8]> = source.into();
        self.fork(child, |this, state| {
            this.script_text(source, dialect, state)
        })
    }

    /// A shell is given a text that is not wholly known. What is known of it is read; a hole in it could hold
    /// anything, so whatever may destroy is refused.
    pub(super) fn unknown_text(&mut self, text: &Text, child: State) -> Result<Vec<Path>, Halt> {
        self.court.script(text, &child);
        let shown = text.display();
        let known: Vec<u8> = text.segments.iter().fold(Vec::new(), |mut known, segment| {
            match segment {
                super::Segment::Known(bytes) => known.extend_from_slice(bytes),
                super::Segment::Unknown(_) => known.push(b' '),
            }
            known
        });
        let why = text
            .why_unknown()
            .map_or("something that cannot be known", |unknown| &unknown.why)
            .to_owned();
        if holds_destructive_word(&known) {
            self.court.unresolved_script(&shown, &why);
        } else {
            self.court.note(format!(
                "a shell runs {why}: what it does is seen only as it happens"
            ));
        }
        let mut state = child;
        state.disk_changed = true;
        outputs::append_unknown(self, &mut state, "the output of a script");
        Ok(vec![Path {
            state,
            status: Status::Unknown,
        }])
    }

    /// The state in which a child shell starts: only exported variables, no functions, default options.
    pub(super) fn child(&self, state: &State, positional: Option<Vec<Text>>, zero: Text) -> State {
        let mut child = State::new(state.cwd.clone(), positional, zero);
        for (name, value) in state.variables.iter() {
            let visible = state.exported.contains(name) || self.session.variable(name).is_some();
            if visible {
                child.assign(name, value.clone());
                child.export(name);
            }
        }
        child.cwd_trace = state.cwd_trace.clone();
        child.made = state.made.clone();
        child.changes = state.changes.clone();
        child.disk_changed = state.disk_changed;
        child.input = state.input.clone();
        child.output = state.output.clone();
        child
    }

    /// What a command reads, where nothing says.
    pub(super) fn input_text(state: &State) -> Option<&Text> {
        match &state.input {
            Input::Text(text) => Some(text),
            Input::Unknown => None,
        }
    }
}
