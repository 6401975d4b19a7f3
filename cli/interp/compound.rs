//! Compound commands: conditions, `case`, functions.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    Halt, Interpreter,
    loops::UNROLLED,
    pattern::Pattern,
    redirect::may_fail,
    state::{Function, Path, State, Status, merge},
    value::{Text, Value},
};
use crate::shell::ast::{Arm, Command, CommandKind, List, Word};

impl Interpreter<'_> {
    /// One command with its redirections.
    pub(super) fn command(
        &mut self,
        command: &Command,
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        self.step()?;
        self.arrive(command.span);
        if let CommandKind::Simple { assignments, words } = &command.kind {
            return self.simple(assignments, words, command, state);
        }
        if let CommandKind::Function { name, body } = &command.kind {
            let function = Function {
                body: body.as_ref().clone(),
                source: self.source.clone(),
            };
            Rc::make_mut(&mut state.functions).insert(name.clone(), Rc::new(function));
            return Ok(vec![Path {
                state,
                status: Status::Zero,
            }]);
        }
        let outer_input = (!command.redirections.is_empty()).then(|| state.input.clone());
        let before = state.output.clone();
        let elsewhere = match self.redirections(&command.redirections, &[], &mut state) {
            Ok(output) => output.elsewhere,
            Err(Halt::Exit) => {
                return Ok(vec![Path {
                    state,
                    status: Status::Exit,
                }]);
            }
            Err(halt) => return Err(halt),
        };
        let turns = u32::from(matches!(
            command.kind,
            CommandKind::Loop { .. }
                | CommandKind::For { .. }
                | CommandKind::ArithmeticFor { .. }
                | CommandKind::Repeat { .. }
        ));
        self.loops += turns;
        let start = state.clone();
        self.hidden += u32::from(elsewhere);
        let result = self.nested(|this| this.compound(&command.kind, state));
        self.hidden -= u32::from(elsewhere);
        self.loops -= turns;
        let mut paths = match result {
            // A word of its own ends the shell (`case ${x:?} in`), but not what other paths do.
            Err(Halt::Exit) => vec![Path {
                state: start,
                status: Status::Exit,
            }],
            result => result?,
        };
        let may_fail = may_fail(&command.redirections);
        for path in &mut paths {
            if may_fail && path.status == Status::Zero {
                path.status = Status::Unknown;
            }
            if let Some(input) = &outer_input {
                path.state.input = input.clone();
            }
            if elsewhere {
                path.state.output = before.clone();
            }
        }
        Ok(paths)
    }

    fn compound(&mut self, kind: &CommandKind, mut state: State) -> Result<Vec<Path>, Halt> {
        match kind {
            CommandKind::Group(list) => self.list(list, state),
            CommandKind::Subshell(list) => {
                let mut after = state.clone();
                let paths = self.fork(state, |this, state| this.list(list, state))?;
                after.absorb(&paths);
                Ok(self.afterwards(&after, paths))
            }
            CommandKind::If {
                branches,
                otherwise,
            } => self.branches(branches, otherwise.as_ref(), state),
            CommandKind::Loop {
                until,
                condition,
                body,
            } => self.repeat(*until, condition, body, state),
            CommandKind::For {
                name,
                words,
                body,
                select,
            } => self.each(name, words.as_deref(), body, *select, state),
            CommandKind::ArithmeticFor { text, body } => {
                self.arithmetic_text(text, &mut state)?;
                self.repeat_unknown(body, state)
            }
            CommandKind::Repeat { count, body } => {
                let count = self.text(count, &mut state, super::expand::Tilde::AtStart)?;
                let count = self.evaluated(&count, &mut state)?;
                let count = count.bytes().and_then(|digits| {
                    let count = std::str::from_utf8(digits).ok()?.parse::<i64>().ok()?;
                    usize::try_from(count.max(0)).ok()
                });
                match count.filter(|count| *count <= UNROLLED) {
                    Some(count) => self.turns(count, body, state, |_, _, _| {}),
                    None => self.repeat_unknown(body, state),
                }
            }
            CommandKind::Case { subject, arms } => self.case(subject, arms, state),
            CommandKind::Arithmetic(text) => {
                let value = self.arithmetic_text(text, &mut state)?;
                let status = match value.bytes() {
                    Some(b"0") => Status::NonZero,
                    Some(_) => Status::Zero,
                    None => Status::Unknown,
                };
                Ok(vec![Path { state, status }])
            }
            CommandKind::Conditional(words) => {
                let status = self.conditional(words, &mut state)?;
                Ok(vec![Path { state, status }])
            }
            CommandKind::Time(pipeline) => self.pipeline(pipeline, state),
            CommandKind::Coproc { body, .. } => {
                let mut after = state.clone();
                let paths = self.fork(state, |this, state| this.command(body, state))?;
                after.absorb(&paths);
                Ok(vec![Path {
                    state: after,
                    status: Status::Zero,
                }])
            }
            CommandKind::Simple { .. } | CommandKind::Function { .. } => Ok(vec![Path {
                state,
                status: Status::Zero,
            }]),
        }
    }

    /// The shell goes on in `after`; what a copy of it printed is kept.
    pub(super) fn afterwards(&self, after: &State, paths: Vec<Path>) -> Vec<Path> {
        let out = paths.into_iter().map(|path| {
            let mut state = after.clone();
            state.output = path.state.output;
            Path {
                state,
                status: path.status,
            }
        });
        merge(out.collect())
    }

    pub(super) fn condition(&mut self, list: &List, state: State) -> Result<Vec<Path>, Halt> {
        self.conditions += 1;
        let result = self.list(list, state);
        self.conditions -= 1;
        result
    }

    fn branches(
        &mut self,
        branches: &[(List, List)],
        otherwise: Option<&List>,
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        let mut out = Vec::new();
        let mut undecided = vec![state];
        for (condition, body) in branches {
            let mut next = Vec::new();
            for state in undecided {
                for path in self.condition(condition, state)? {
                    if matches!(path.status, Status::NonZero | Status::Unknown) {
                        next.push(path.state.clone());
                    }
                    match path.status {
                        Status::Zero | Status::Unknown => out.extend(self.list(body, path.state)?),
                        Status::NonZero => {}
                        _ => out.push(path),
                    }
                }
            }
            undecided = next;
        }
        for state in undecided {
            match otherwise {
                Some(list) => out.extend(self.list(list, state)?),
                None => out.push(Path {
                    state,
                    status: Status::Zero,
                }),
            }
        }
        Ok(merge(out))
    }

    fn case(&mut self, subject: &Word, arms: &[Arm], mut state: State) -> Result<Vec<Path>, Halt> {
        let subject = self.text(subject, &mut state, super::expand::Tilde::AtStart)?;
        let mut out = Vec::new();
        let mut falls = false;
        for arm in arms {
            let mut matches = Some(false);
            for pattern in &arm.patterns {
                let pattern = self.pattern(&pattern.pieces, &mut state)?;
                let takes_all = pattern.as_ref().is_some_and(Pattern::takes_all);
                // Case may not count (`nocasematch`).
                let pattern = pattern.filter(|_| !state.options.odd);
                matches = match (pattern, subject.bytes()) {
                    _ if takes_all => Some(true),
                    (Some(pattern), Some(subject)) if pattern.as_ref().matches(subject) => {
                        Some(true)
                    }
                    (Some(_), Some(_)) => matches,
                    _ if matches == Some(true) => matches,
                    _ => None,
                };
            }
            if matches == Some(false) && !falls {
                continue;
            }
            out.extend(self.list(&arm.body, state.clone())?);
            falls = arm.falls_through;
            if matches == Some(true) && !falls {
                return self.merged(out);
            }
        }
        out.push(Path {
            state,
            status: Status::Zero,
        });
        self.merged(out)
    }

    /// Calls a function: its arguments are its positional parameters, and `local` ends with it.
    pub(super) fn call(
        &mut self,
        function: &Rc<Function>,
        arguments: Option<Rc<Vec<Text>>>,
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        let outer = std::mem::replace(&mut self.source, function.source.clone());
        let positional = state.positional.clone();
        let variables = state.variables.clone();
        let mut inside = state;
        inside.positional = arguments;
        let outer_locals = std::mem::take(&mut self.locals);
        self.calls += 1;
        let result = self.nested(|this| this.command(&function.body, inside));
        self.calls -= 1;
        let locals = std::mem::replace(&mut self.locals, outer_locals);
        self.source = outer;
        let mut paths = result?;
        for path in &mut paths {
            path.state.positional = positional.clone();
            restore(&mut path.state, &variables, &locals);
            if path.status == Status::Return {
                path.status = Status::Unknown;
            }
        }
        Ok(merge(paths))
    }
}

fn restore(state: &mut State, before: &BTreeMap<Vec<u8>, Value>, locals: &[Vec<u8>]) {
    for name in locals {
        match before.get(name) {
            Some(value) => state.assign(name, value.clone()),
            None => {
                Rc::make_mut(&mut state.variables).remove(name);
            }
        }
    }
}
