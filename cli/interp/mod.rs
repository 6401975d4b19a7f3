//! What a string would do if a shell ran it: an over-approximation of every command, with its words, its
//! directory and its redirections as far as they can be known beforehand.
//!
//! A path through the string carries one [`State`]. Where the string goes two ways, both are followed, so
//! that each possible directory and each possible value is judged by itself; past a bound they are merged
//! into what holds in all of them.

mod aliases;
mod arithmetic;
mod assigned;
mod braces;
mod builtins;
mod changes;
mod compound;
mod computed;
mod conditions;
mod directories;
mod expand;
mod files;
mod invoke;
mod loops;
mod origin;
mod outputs;
mod parameter;
mod pattern;
mod reading;
mod readings;
mod recipes;
mod redirect;
mod simple;
mod snippets;
mod state;
mod subshell;
mod sweeps;
mod value;
mod variables;
mod wrappers;

use std::{path::Path as DiskPath, rc::Rc};

use blastradius_policy::Fs;

pub(crate) use changes::{Disk, Move};
pub(crate) use origin::{Origin, Setter};
pub(crate) use state::{Cwd, State};
pub(crate) use value::{
    Field, Found, Glob, MADE_UP, PLACEHOLDER, Segment, Taint, Text, Trace, Unknown, Value,
};
pub(crate) use variables::skip;
pub(crate) use wrappers::{FED, substituted};

use changes::Content;

use crate::{
    case::Background,
    git::Ask,
    judge::Session,
    shell::{
        ast::{Connector, Dialect, DoubtKind, Item, List, Pipeline, Script},
        read,
        tail::holds_destructive_word,
    },
    verdict::Court,
};
use state::{Input, Path, Status, merge};

/// Why interpretation of a command stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The shell would exit here (`${x:?}`, `set -u`).
    Exit,
    /// The budget is spent.
    Spent,
}

/// Words, commands and matches that are looked at before giving up.
const STEPS: u32 = 16_000;
/// Comparing so many variables, or copying them, is worth a step; comparing what else a state holds is worth as many
/// variables as [`STATE`].
const COMPARED: usize = 256;
const STATE: usize = 16;
/// So are so many bytes that are searched for destructive words.
const SEARCHED: usize = 64;
/// Bytes of expanded text before giving up: `x=$x$x` doubles with every turn of a loop.
const VOLUME: usize = 8 << 20;
/// How deep functions, `eval`, `sh -c` and substitutions nest.
const DEEPEST: u32 = 24;

/// What the interpreter needs to know about where it runs.
pub(crate) struct Place<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) fs: &'a dyn Fs,
    /// The home that `~` stands for when HOME is not set.
    pub(crate) home: Option<&'a [u8]>,
    /// Who knows what a repository holds.
    pub(crate) git: &'a dyn Ask,
    /// What is known beside the string.
    pub(crate) background: &'a Background,
}

/// What a command reads, where that is told.
pub(crate) fn input_text(state: &State) -> Option<&Text> {
    Interpreter::input_text(state)
}

impl Place<'_> {
    pub(crate) fn variable(&self, name: &[u8]) -> Option<&[u8]> {
        self.session
            .environment
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_slice())
    }

    /// The home of a user in the password database.
    fn listed_home(&self, user: &[u8]) -> Option<Vec<u8>> {
        let mut file = vec![0; LONGEST_DATABASE];
        let length = self.fs.read(b"/etc/passwd", &mut file).ok()?;
        file[..length]
            .split(|byte| *byte == b'\n')
            .find_map(|line| {
                let mut fields = line.split(|byte| *byte == b':');
                (fields.next()? == user).then_some(())?;
                let home = fields.nth(4)?;
                home.starts_with(b"/").then(|| home.to_vec())
            })
    }

    /// The home of another user, as far as the policy and the password database know homes.
    pub(crate) fn home_of(&self, user: &[u8]) -> Option<Vec<u8>> {
        if matches!(user, b"." | b"..") {
            return None;
        }
        let known = self.session.policy.homes().find(|home| home.name() == user);
        match known {
            Some(home) => Some(home.as_bytes().to_vec()),
            None if user == b"root" => Some(b"/root".to_vec()),
            None => self.listed_home(user).or_else(|| {
                let guess = [b"/home/", user].concat();
                self.fs.lstat(&guess).is_ok().then_some(guess)
            }),
        }
    }
}

/// Longest password database that is looked through.
const LONGEST_DATABASE: usize = 64 << 10;

/// Interprets strings and hands every command to a [`Court`].
pub(crate) struct Interpreter<'a> {
    pub(crate) session: &'a Place<'a>,
    pub(crate) court: Court<'a>,
    source: Rc<[u8]>,
    /// The string that is judged, if it is one.
    outermost: Option<Rc<[u8]>>,
    /// Where in it the command stands that is followed.
    at: Option<usize>,
    dialect: Dialect,
    steps: u32,
    /// Where `steps` ends: less inside a file.
    limit: u32,
    volume: usize,
    depth: u32,
    /// Inside so many conditions: `set -e` does not apply.
    conditions: u32,
    /// Inside so many loops: `break` means something.
    loops: u32,
    /// Inside so many functions: `return` does.
    calls: u32,
    /// The files that the last redirection opened, and what the string had written to them before.
    opened: Vec<(Vec<u8>, Option<Content>)>,
    /// Output is caught by so many substitutions and pipes.
    catching: u32,
    /// Output goes to a file or a device, by so many redirections.
    hidden: u32,
    /// What process substitutions print, by the names of their pipes.
    pipes: Vec<(Vec<u8>, Text)>,
    /// A word is assigned: `~` counts behind colons in its operands too.
    assigning: bool,
    /// Aliases that are being expanded: none is in itself.
    aliased: Vec<Vec<u8>>,
    /// Variables that the running function has made its own.
    locals: Vec<Vec<u8>>,
    /// Loops over globs that are running.
    sweeps: Vec<sweeps::Sweep>,
    /// How often an expansion has come to an error, as far as one can tell: the shell may have gone no further.
    failures: u32,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(place: &'a Place<'a>) -> Self {
        Self {
            session: place,
            court: Court::new(place),
            source: Rc::default(),
            outermost: None,
            at: None,
            dialect: place.session.dialect,
            steps: 0,
            limit: STEPS,
            volume: 0,
            depth: 0,
            conditions: 0,
            loops: 0,
            calls: 0,
            opened: Vec::new(),
            catching: 0,
            hidden: 0,
            pipes: Vec::new(),
            assigning: false,
            aliased: Vec::new(),
            locals: Vec::new(),
            sweeps: Vec::new(),
            failures: 0,
        }
    }

    /// The disk as it is to be expected by now.
    fn disk(&self, state: &State) -> Disk<'a> {
        Disk::new(self.session.fs, state.changes.clone())
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The state in which a string starts.
    pub(crate) fn start(&self, positional: &[Vec<u8>]) -> State {
        let cwd = self
            .session
            .session
            .cwd
            .map(DiskPath::as_os_str)
            .map(std::os::unix::ffi::OsStrExt::as_bytes);
        let cwd = match cwd {
            Some(path) => Cwd::At(path.to_vec()),
            None => Cwd::Unknown("the working directory, which is unknown or was removed".into()),
        };
        let zero = positional
            .first()
            .map_or_else(|| Text::known(*b"sh"), |zero| Text::known(zero.clone()));
        let rest = positional.get(1..).unwrap_or_default();
        State::new(
            cwd,
            Some(rest.iter().map(|word| Text::known(word.clone())).collect()),
            zero,
        )
    }

    /// Interprets a whole string. Refuses what a spent budget or an unreadable tail may hide.
    pub(crate) fn string(&mut self, source: &[u8], state: State) {
        let text: Rc<[u8]> = source.into();
        self.outermost = Some(text.clone());
        self.court.hears(text.clone());
        let result = self.fork(state, |this, state| {
            this.script_text(text, this.dialect, state)
        });
        if result.is_err() && holds_destructive_word(source) {
            self.court.unreadable(
                source,
                "too-large",
                "the command is too large to be followed to its end",
            );
        }
    }

    /// Interprets literal words, as they would be given to `execvp`.
    pub(crate) fn argv(&mut self, argv: &[Vec<u8>], state: State) {
        if argv.is_empty() {
            return;
        }
        let fields = argv.iter().map(|word| Field::known(word.clone())).collect();
        let call = invoke::Call {
            fields,
            vanished: Trace::default(),
            vanished_spelled: Vec::new(),
            prefix: Vec::new(),
            functions: false,
            builtins: false,
        };
        if self.invoke(call, state).is_err() {
            let typed = argv.join(&b' ');
            if holds_destructive_word(&typed) {
                self.court.unreadable(
                    &typed,
                    "too-large",
                    "the command is too large to be followed to its end",
                );
            }
        }
    }

    /// Reads a text and runs it to its end, traps included. Returns how it may end.
    fn script_text(
        &mut self,
        source: Rc<[u8]>,
        dialect: Dialect,
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        self.pay(source.len() / SEARCHED)?;
        self.nested(|this| {
            let script = read(&source, dialect);
            let outer = std::mem::replace(&mut this.source, source);
            let outer_dialect = std::mem::replace(&mut this.dialect, dialect);
            let is_shared = matches!(dialect, Dialect::Sh | Dialect::Unknown);
            // What is cut is refused already if it matters.
            let is_cut = script.error.as_ref().is_some_and(|error| error.is_limit);
            let other = is_shared
                && script.doubts.is_empty()
                && !is_cut
                && readings::expands_otherwise(&this.source);
            let result = match other {
                true => this.other_readings(&script, &state),
                false => Ok(()),
            };
            let result = result.and_then(|()| this.script(&script, state));
            this.source = outer;
            this.dialect = outer_dialect;
            result
        })
    }

    /// The commands of a script, then what its end and its errors mean.
    fn script(&mut self, script: &Script, state: State) -> Result<Vec<Path>, Halt> {
        let is_cut = script.error.as_ref().is_some_and(|error| error.is_limit);
        if !script.doubts.is_empty() && !is_cut {
            self.other_readings(script, &state)?;
        }
        let mut paths = self.list(&script.list, state)?;
        if let Some(error) = &script.error {
            let source = self.source.clone();
            let is_shared = matches!(self.dialect, Dialect::Sh | Dialect::Unknown);
            // Where the reader gives up, what other shells read before is not looked at either.
            let from = match error.is_limit && is_shared {
                true => 0,
                false => error.line_start,
            };
            let tail = source.get(from..).unwrap_or_default();
            if holds_destructive_word(tail) {
                self.court.unreadable(tail, "syntax-error", error.message);
            }
            // dash ends here, bash goes on behind an `eval` of such a text.
            for path in paths.iter_mut().filter(|path| path.status.is_running()) {
                path.status = Status::Unknown;
            }
        }
        self.doubts(script)?;
        Ok(paths)
    }

    /// Places that shells read differently are refused if they may destroy, unless what each shell would run can be
    /// judged.
    fn doubts(&mut self, script: &Script) -> Result<(), Halt> {
        let source = self.source.clone();
        for doubt in &script.doubts {
            let text = readings::text_of(&source, doubt);
            self.pay(text.len() / SEARCHED)?;
            let message = match doubt.kind {
                DoubtKind::HereDocumentBody => {
                    "a substitution in a here-document could not be read"
                }
                DoubtKind::GlobQualifier if readings::qualifies_by_code(text) => {
                    "a glob qualifier may run code"
                }
                DoubtKind::ZshCompound => "zsh begins a compound command where others read a name",
                DoubtKind::SpacedSubscript if self.dialect != Dialect::Bash => {
                    "a subscript with blanks is read in different ways by different shells"
                }
                DoubtKind::UnevenSubstitution => {
                    "a substitution does not end between the quotes that it stands in"
                }
                DoubtKind::ArithmeticCommand
                | DoubtKind::ConditionalCommand
                | DoubtKind::TimeKeyword => {
                    if readings::hides_command(text, doubt.kind) {
                        let message = "dash runs something else here";
                        self.court.unreadable(text, "ambiguous", message);
                    }
                    continue;
                }
                _ => continue,
            };
            if holds_destructive_word(text) {
                self.court.unreadable(text, "ambiguous", message);
            }
        }
        Ok(())
    }

    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Halt>) -> Result<T, Halt> {
        if self.depth >= DEEPEST {
            return Err(Halt::Spent);
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn step(&mut self) -> Result<(), Halt> {
        self.pay(1)
    }

    /// Takes work that is worth so many steps out of the budget.
    fn pay(&mut self, steps: usize) -> Result<(), Halt> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limit {
            Err(Halt::Spent)
        } else {
            Ok(())
        }
    }

    /// Merges equal states, which takes comparing each with all others.
    fn merged(&mut self, paths: Vec<Path>) -> Result<Vec<Path>, Halt> {
        let most = paths.iter().map(|path| path.state.variables.len()).max();
        let pairs = paths.len() * paths.len();
        self.pay(pairs.saturating_mul(STATE + most.unwrap_or(0)) / COMPARED)?;
        Ok(merge(paths))
    }

    /// Takes text that an expansion has made out of the budget.
    fn charge(&mut self, bytes: usize) -> Result<(), Halt> {
        self.volume = self.volume.saturating_add(bytes);
        if self.volume > VOLUME {
            Err(Halt::Spent)
        } else {
            Ok(())
        }
    }

    /// Runs the commands of a list in order.
    fn list(&mut self, list: &List, state: State) -> Result<Vec<Path>, Halt> {
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

    fn item(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
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

    fn and_or(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
        let condition = u32::from(!item.rest.is_empty());
        self.conditions += condition;
        let result = self.joined(item, state);
        self.conditions -= condition;
        result
    }

    fn joined(&mut self, item: &Item, state: State) -> Result<Vec<Path>, Halt> {
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

    fn pipeline(&mut self, pipeline: &Pipeline, state: State) -> Result<Vec<Path>, Halt> {
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

    fn piped(
        &mut self,
        commands: &[crate::shell::ast::Command],
        state: State,
    ) -> Result<Vec<Path>, Halt> {
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
