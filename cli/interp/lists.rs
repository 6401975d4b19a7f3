//! Lists, what joins their commands, and pipelines.

use super::state::{Input, Path, State, Status};
use super::{Halt, Interpreter};
use crate::shell::ast::{Command, Connector, Dialect, Item, List, Pipeline};

impl Interpreter<'_> {
    /// Runs the commands of a list in order.
    pub(super) fn list(&mut self, list: &List, state: State) -> Result<Vec<Path>, Halt> {
        let mut live = vec![Path {
            state,
            status: Status::Zero,
        }];
        let mut ended = Vec::new();
        for item in &list.items {
            let mut next = Vec::new();
            for path in live {
                next.extend(self.item(item, path.state)?);
            }
            if let [Path { status, .. }] = next.as_slice()
                && status.is_running()
            {
                live = next;
                continue;
            }
            let (running, stopped): (Vec<_>, Vec<_>) =
                next.into_iter().partition(|path| path.status.is_running());
            ended.extend(stopped);
            live = self.merged(running)?;
            if live.is_empty() {
                break;
            }
        }
        live.extend(ended);
        Ok(live)
    }

    pub(super) fn item(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
        self.step()?;
        if item.background {
            let mut after = state.clone();
            let paths = self.fork(state, |this, state| this.and_or(item, state))?;
            after.absorb(&paths);
            return Ok(vec![Path {
                state: after,
                status: Status::Zero,
            }]);
        }
        let mut paths = self.and_or(item, state)?;
        if item.rest.is_empty() && self.conditions == 0 && !item.first.negated {
            for path in &mut paths {
                if path.status == Status::NonZero && path.state.options.errexit {
                    path.status = Status::Exit;
                }
            }
        }
        Ok(paths)
    }

    pub(super) fn and_or(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
        let condition = u32::from(!item.rest.is_empty());
        self.conditions += condition;
        let result = self.joined(item, state);
        self.conditions -= condition;
        result
    }

    pub(super) fn joined(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
        let mut paths = self.pipeline(&item.first, state)?;
        for (connector, pipeline) in &item.rest {
            let mut next = Vec::new();
            for path in paths {
                let (runs, stays) = match (connector, path.status) {
                    (Connector::And, Status::Zero) | (Connector::Or, Status::NonZero) => {
                        (true, None)
                    }
                    (Connector::And, Status::Unknown) => (true, Some(Status::NonZero)),
                    (Connector::Or, Status::Unknown) => (true, Some(Status::Zero)),
                    (_, status) => (false, Some(status)),
                };
                if let Some(status) = stays {
                    next.push(Path {
                        state: path.state.clone(),
                        status,
                    });
                }
                if runs {
                    next.extend(self.pipeline(pipeline, path.state)?);
                }
            }
            paths = self.merged(next)?;
        }
        Ok(paths)
    }

    pub(super) fn pipeline(
        &mut self,
        pipeline: &Pipeline,
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        let mut paths = match pipeline.commands.as_slice() {
            [single] => self.command(single, state)?,
            commands => self.piped(commands, state)?,
        };
        if pipeline.negated {
            for path in &mut paths {
                path.status = path.status.negated();
            }
        }
        Ok(paths)
    }

    pub(super) fn piped(&mut self, commands: &[Command], state: State) -> Result<Vec<Path>, Halt> {
        let mut after = state;
        let mut input = after.input.clone();
        let mut last_paths = Vec::new();
        for (at, command) in commands.iter().enumerate() {
            let last = at + 1 == commands.len();
            let mut own = after.clone();
            own.input = input.clone();
            let keeps = last && self.dialect == Dialect::Zsh;
            let paths = if last {
                if keeps {
                    self.command(command, own)?
                } else {
                    self.fork(own, |this, state| this.command(command, state))?
                }
            } else {
                let (output, paths) = self.caught(own, |this, state| {
                    this.fork(state, |this, state| this.command(command, state))
                })?;
                input = Input::Text(output);
                paths
            };
            after.absorb(&paths);
            last_paths = paths;
            if keeps {
                return Ok(last_paths);
            }
        }
        let outputs = last_paths;
        Ok(outputs
            .into_iter()
            .map(|path| {
                let mut state = after.clone();
                state.output = path.state.output;
                let status = if path.status.is_running() {
                    path.status
                } else {
                    Status::Unknown
                };
                Path { state, status }
            })
            .collect())
    }
}
