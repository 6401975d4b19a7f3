//! Compound commands: conditions, loops, `case`, functions.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    Halt, Interpreter, Setter,
    pattern::Pattern,
    redirect::may_fail,
    state::{Function, Path, State, Status, merge},
    value::{Text, Unknown, Value},
};
use crate::shell::ast::{Arm, Command, CommandKind, List, Word};

/// Iterations that are followed one by one.
const UNROLLED: usize = 256;
/// Rounds of a `while` loop that are followed one by one.
const ROUNDS: usize = 64;

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

    fn condition(&mut self, list: &List, state: State) -> Result<Vec<Path>, Halt> {
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

    /// `while` and `until`.
    fn repeat(
        &mut self,
        until: bool,
        condition: &List,
        body: &List,
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        let mut out = Vec::new();
        let mut seen: Vec<State> = Vec::new();
        let mut entering = vec![state];
        for round in 0..=ROUNDS {
            let mut again = Vec::new();
            for state in entering {
                if seen.contains(&state) {
                    continue;
                }
                seen.push(state.clone());
                for path in self.condition(condition, state)? {
                    let status = if until {
                        path.status.negated()
                    } else {
                        path.status
                    };
                    if matches!(status, Status::NonZero | Status::Unknown) {
                        out.push(Path {
                            state: path.state.clone(),
                            status: match round {
                                0 => Status::Zero,
                                // That of the body.
                                _ => Status::Unknown,
                            },
                        });
                    }
                    match status {
                        Status::Zero | Status::Unknown => {
                            let after = self.list(body, path.state)?;
                            out.extend(leave(after, &mut again));
                        }
                        Status::NonZero => {}
                        _ => out.push(path),
                    }
                }
            }
            if again.is_empty() {
                break;
            }
            entering = again;
            if round == ROUNDS || entering.len() > 8 {
                // It has not settled: what differs from round to round is not known from here on.
                let mut widened = entering.swap_remove(0);
                for state in entering.iter().chain(&seen) {
                    widened.widen(state);
                }
                let paths = self.condition(condition, widened.clone())?;
                for path in paths {
                    out.push(Path {
                        state: path.state.clone(),
                        status: Status::Zero,
                    });
                    let mut ignored = Vec::new();
                    out.extend(leave(self.list(body, path.state)?, &mut ignored));
                    out.extend(ignored.into_iter().map(|state| Path {
                        state,
                        status: Status::Zero,
                    }));
                }
                break;
            }
        }
        Ok(merge(out))
    }

    /// A body that runs any number of times.
    fn repeat_unknown(&mut self, body: &List, state: State) -> Result<Vec<Path>, Halt> {
        let mut out = vec![Path {
            state: state.clone(),
            status: Status::Zero,
        }];
        let mut again = Vec::new();
        out.extend(leave(self.list(body, state.clone())?, &mut again));
        if let Some(mut widened) = again.pop() {
            for other in again.iter().chain([&state]) {
                widened.widen(other);
            }
            let mut last = Vec::new();
            out.extend(leave(self.list(body, widened)?, &mut last));
            out.extend(last.into_iter().map(|state| Path {
                state,
                status: Status::Zero,
            }));
        }
        Ok(merge(out))
    }

    fn each(
        &mut self,
        name: &[u8],
        words: Option<&[Word]>,
        body: &List,
        select: bool,
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        let before = state.clone();
        let at = self.at;
        let mut sweep = None;
        let items: Option<Vec<Text>> = match words {
            Some(words) => {
                let fields = self.words(words, &mut state)?.fields;
                sweep = self.sweep(name, &fields, body, &state.cwd);
                Some(fields.into_iter().map(|field| field.text).collect())
            }
            None => state
                .positional
                .as_ref()
                .map(|items| items.as_ref().clone()),
        };
        let outer = self.sweeps.len();
        self.sweeps.extend(sweep);
        let result = self.each_of(name, words, items, body, select, state, before, at);
        self.sweeps.truncate(outer);
        result
    }

    #[expect(clippy::too_many_arguments, reason = "what `each` has found out")]
    fn each_of(
        &mut self,
        name: &[u8],
        words: Option<&[Word]>,
        items: Option<Vec<Text>>,
        body: &List,
        select: bool,
        state: State,
        before: State,
        at: Option<usize>,
    ) -> Result<Vec<Path>, Halt> {
        let counted = items.as_ref().is_some_and(|items| {
            items.len() <= UNROLLED && items.iter().all(|item| item.bytes().is_some())
        });
        let Some(items) = items.filter(|_| counted && !select) else {
            return self.each_unknown(name, words, body, before);
        };
        self.turns(items.len(), body, state, |this, turn, state| {
            let mut item = items[turn].clone();
            item.set_by(name, Setter::Loop, at);
            this.set_scalar(name, item, state);
        })
    }

    /// A body that runs so many times, each after `begin` of its number.
    fn turns(
        &mut self,
        count: usize,
        body: &List,
        state: State,
        begin: impl Fn(&Self, usize, &mut State),
    ) -> Result<Vec<Path>, Halt> {
        let mut out = Vec::new();
        let mut live = vec![Path {
            state,
            status: Status::Zero,
        }];
        for turn in 0..count {
            let mut next = Vec::new();
            for mut path in live {
                self.step()?;
                begin(self, turn, &mut path.state);
                for mut path in self.list(body, path.state)? {
                    if matches!(path.status, Status::Continue(0 | 1)) {
                        path.status = Status::Zero;
                    }
                    // The last command's status is that of the loop.
                    match path.status.is_running() {
                        true => next.push(path),
                        false => out.extend(leave(vec![path], &mut Vec::new())),
                    }
                }
            }
            live = merge(next);
        }
        out.extend(live);
        Ok(merge(out))
    }

    /// A loop over words that are not all known: each of them is looked at, any number of times.
    fn each_unknown(
        &mut self,
        name: &[u8],
        words: Option<&[Word]>,
        body: &List,
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        let at = self.at;
        let fields = match words {
            Some(words) => self.words(words, &mut state)?.fields,
            None => Vec::new(),
        };
        let mut items: Vec<Text> = fields
            .into_iter()
            .map(|field| field.text)
            .take(UNROLLED)
            .collect();
        if items.is_empty() {
            items.push(Text::unknown(Unknown::anything(
                "an argument of an unknown caller",
            )));
        }
        let mut out = Vec::new();
        for mut item in items {
            let mut own = state.clone();
            item.set_by(name, Setter::Loop, at);
            own.assign(name, Value::Scalar(item));
            out.extend(self.repeat_unknown(body, own)?);
        }
        out.push(Path {
            state,
            status: Status::Zero,
        });
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

/// Splits what a loop's body leaves into what goes round again and what leaves the loop.
fn leave(paths: Vec<Path>, again: &mut Vec<State>) -> Vec<Path> {
    let mut out = Vec::new();
    for path in paths {
        match path.status {
            Status::Zero | Status::NonZero | Status::Unknown | Status::Continue(0 | 1) => {
                again.push(path.state)
            }
            Status::Break(0 | 1) => out.push(Path {
                state: path.state,
                status: Status::Zero,
            }),
            Status::Break(levels) => out.push(Path {
                state: path.state,
                status: Status::Break(levels - 1),
            }),
            Status::Continue(levels) => out.push(Path {
                state: path.state,
                status: Status::Continue(levels - 1),
            }),
            Status::Exit | Status::Return => out.push(path),
        }
    }
    out
}
