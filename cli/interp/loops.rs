//! Loops: over known words turn by turn, over what is not known any number of times.

use super::{
    Halt, Interpreter, Setter,
    state::{Path, State, Status, merge},
    value::{Text, Unknown, Value},
};
use crate::shell::ast::{List, Word};

/// Iterations that are followed one by one.
pub(super) const UNROLLED: usize = 256;
/// Rounds of a `while` loop that are followed one by one.
const ROUNDS: usize = 64;

impl Interpreter<'_> {
    /// `while` and `until`.
    pub(super) fn repeat(
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
    pub(super) fn repeat_unknown(&mut self, body: &List, state: State) -> Result<Vec<Path>, Halt> {
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

    pub(super) fn each(
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
        let mut is_any = false;
        let items: Option<Vec<Text>> = match words {
            Some(words) => {
                let fields = self.words(words, &mut state)?.fields;
                sweep = self.sweep(name, &fields, body, &state.cwd);
                is_any = fields.iter().any(|field| field.many);
                Some(fields.into_iter().map(|field| field.text).collect())
            }
            None => state
                .positional
                .as_ref()
                .map(|items| items.as_ref().clone()),
        };
        // How often it runs is not known.
        let items = items.filter(|_| !is_any);
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
    pub(super) fn turns(
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
