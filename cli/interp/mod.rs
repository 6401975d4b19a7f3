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
mod budget;
mod builtins;
mod changes;
mod compound;
mod computed;
mod conditions;
mod directories;
mod expand;
mod files;
mod invoke;
mod lists;
mod loops;
mod origin;
mod outputs;
mod parameter;
mod pattern;
mod place;
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

pub(crate) use changes::{Disk, Move};
pub(crate) use origin::{Origin, Setter};
pub(crate) use place::Place;
pub(crate) use state::{Cwd, State};
pub(crate) use value::{
    Field, Found, Glob, MADE_UP, PLACEHOLDER, Segment, Taint, Text, Trace, Unknown, Value,
};
pub(crate) use variables::skip;
pub(crate) use wrappers::{FED, substituted};

use crate::{
    shell::{
        ast::{Dialect, DoubtKind, Script},
        read,
        tail::holds_destructive_word,
    },
    verdict::Court,
};
use budget::{SEARCHED, STEPS};
use changes::Content;
use state::{Path, Status};

/// Why interpretation of a command stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The shell would exit here (`${x:?}`, `set -u`).
    Exit,
    /// The budget is spent.
    Spent,
}

/// What a command reads, where that is told.
pub(crate) fn input_text(state: &State) -> Option<&Text> {
    Interpreter::input_text(state)
}

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
}
