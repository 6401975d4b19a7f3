//! The state of a shell on one path through a string.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::changes::Changes;
use super::value::{Text, Trace, Value};
use crate::shell::ast::Command;

/// Where a shell stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cwd {
    /// Here. The path is the shell's own notion (`$PWD`): links in it are not resolved.
    At(Vec<u8>),
    /// Not known; the reason as a noun phrase.
    Unknown(Rc<str>),
}

/// How a path through a list ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It succeeded.
    Zero,
    /// It failed.
    NonZero,
    /// One or the other.
    Unknown,
    /// The shell, or the subshell, has ended.
    Exit,
    /// The function, or the sourced file, has ended.
    Return,
    /// `break`, out of so many loops.
    Break(u32),
    /// `continue`, of the loop so many levels up.
    Continue(u32),
}

impl Status {
    pub(crate) const fn is_running(self) -> bool {
        matches!(self, Self::Zero | Self::NonZero | Self::Unknown)
    }

    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Zero => Self::NonZero,
            Self::NonZero => Self::Zero,
            other => other,
        }
    }
}

/// Options that change what a string does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `set -e`
    pub(crate) errexit: bool,
    /// `set -u`
    pub(crate) nounset: bool,
    /// `set -f`
    pub(crate) noglob: bool,
    /// `shopt -s nullglob`
    pub(crate) nullglob: bool,
    /// `shopt -s failglob`
    pub(crate) failglob: bool,
    /// `shopt -s dotglob`
    pub(crate) dotglob: bool,
    /// `shopt -s extglob`
    pub(crate) extglob: bool,
    /// `shopt -s globstar`
    pub(crate) globstar: bool,
    /// `shopt -s expand_aliases`, or an interactive shell.
    pub(crate) aliases: bool,
    /// `set -P`: `cd` and `pwd` go by the directories that links lead to.
    pub(crate) links: Links,
    /// `set -x`
    pub(crate) xtrace: bool,
    /// An option is set under which words expand in ways that are not worked out.
    pub(crate) odd: bool,
}

/// How a shell takes links on its way to a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Links {
    /// As they are named: `..` takes the name before it away.
    #[default]
    Logical,
    /// As they lead.
    Physical,
    /// One or the other.
    Either,
}

/// What `declare` says of a variable's later values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// They are evaluated as arithmetic (`-i`).
    Integer,
    /// They change in another way, or not at all (`-u`, `-r`, `-n`, `-A`).
    Other,
}

/// What a command reads from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Not known.
    Unknown,
    /// This text.
    Text(Text),
}

/// What an alias stands for, if that is known.
pub(crate) type Alias = Option<Rc<[u8]>>;

/// The state of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Variables that differ from the environment that the string starts in.
    pub(crate) variables: Rc<BTreeMap<Vec<u8>, Value>>,
    /// Arrays of any number of elements, each of which is like this.
    pub(crate) several: Rc<BTreeMap<Vec<u8>, Text>>,
    /// Those whose values are not taken as they are.
    pub(crate) attributes: Rc<BTreeMap<Vec<u8>, Attribute>>,
    /// Those of them that programs see.
    pub(crate) exported: Rc<BTreeSet<Vec<u8>>>,
    /// The working directory.
    pub(crate) cwd: Cwd,
    /// Variables whose emptiness led to the working directory (`cd $UNSET`).
    pub(crate) cwd_trace: Trace,
    /// Saved by `pushd`.
    pub(crate) directories: Vec<Cwd>,
    /// `$1` and on; `None` if the caller is not known.
    pub(crate) positional: Option<Rc<Vec<Text>>>,
    /// `$0`.
    pub(crate) zero: Rc<Text>,
    /// Functions.
    pub(crate) functions: Rc<BTreeMap<Vec<u8>, Rc<Function>>>,
    /// Aliases, which count where a shell looks at them; `None` for what is not known.
    pub(crate) aliases: Rc<BTreeMap<Vec<u8>, Alias>>,
    /// Where `hash` says that programs are.
    pub(crate) hashed: Rc<BTreeMap<Vec<u8>, Vec<u8>>>,
    /// Options.
    pub(crate) options: Options,
    /// What `trap` will run at the end.
    pub(crate) traps: Vec<Text>,
    /// Directories that earlier commands have made.
    pub(crate) made: Rc<Vec<Vec<u8>>>,
    /// What earlier commands have done that later ones go by.
    pub(crate) changes: Rc<Changes>,
    /// An earlier command may have changed what is on disk.
    pub(crate) disk_changed: bool,
    /// Standard input.
    pub(crate) input: Input,
    /// Standard output so far, where it is caught.
    pub(crate) output: Text,
}

/// A function with the source that its spans point into.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its body.
    pub(crate) body: Command,
    /// The text it was read from.
    pub(crate) source: Rc<[u8]>,
}

impl State {
    pub(crate) fn new(cwd: Cwd, positional: Option<Vec<Text>>, zero: Text) -> Self {
        Self {
            variables: Rc::default(),
            several: Rc::default(),
            attributes: Rc::default(),
            exported: Rc::default(),
            cwd,
            cwd_trace: Trace::default(),
            directories: Vec::new(),
            positional: positional.map(Rc::new),
            zero: Rc::new(zero),
            functions: Rc::default(),
            aliases: Rc::default(),
            hashed: Rc::default(),
            options: Options::default(),
            traps: Vec::new(),
            made: Rc::default(),
            changes: Rc::default(),
            disk_changed: false,
            input: Input::Unknown,
            output: Text::default(),
        }
    }

    pub(crate) fn assign(&mut self, name: &[u8], value: Value) {
        let value = match (self.attributes.get(name), value) {
            (None, value) | (Some(_), value @ Value::Unset) => value,
            (Some(Attribute::Integer), Value::Scalar(text)) if is_integer(&text) => {
                Value::Scalar(text)
            }
            (Some(_), _) => Value::Any("a variable whose values change".into()),
        };
        Rc::make_mut(&mut self.variables).insert(name.to_vec(), value);
        if self.several.contains_key(name) {
            Rc::make_mut(&mut self.several).remove(name);
        }
    }

    /// From here on a variable's values are not taken as they are.
    pub(crate) fn describe(&mut self, name: &[u8], attribute: Attribute) {
        Rc::make_mut(&mut self.attributes).insert(name.to_vec(), attribute);
    }

    pub(crate) fn export(&mut self, name: &[u8]) {
        Rc::make_mut(&mut self.exported).insert(name.to_vec());
    }

    /// Whether the shell itself is another than before: where it stands, and what its variables hold.
    pub(crate) fn has_moved(&self, before: &Self) -> bool {
        self.cwd != before.cwd
            || self.variables != before.variables
            || self.positional != before.positional
            || self.directories != before.directories
            || self.options != before.options
    }

    /// What happened to the disk in another shell happened here too.
    pub(crate) fn absorb(&mut self, paths: &[Path]) {
        for path in paths {
            self.disk_changed |= path.state.disk_changed;
            self.absorb_changes(&path.state);
        }
        if let Some((first, rest)) = paths.split_first() {
            for made in first.state.made.iter() {
                if !self.made.contains(made)
                    && rest.iter().all(|path| path.state.made.contains(made))
                {
                    Rc::make_mut(&mut self.made).push(made.clone());
                }
            }
        }
    }

    fn absorb_changes(&mut self, other: &Self) {
        if self.changes != other.changes {
            Rc::make_mut(&mut self.changes).absorb(&other.changes);
        }
    }

    /// What holds in both: everything that differs is not known afterwards.
    pub(crate) fn widen(&mut self, other: &Self) {
        let names: Vec<Vec<u8>> = self
            .variables
            .keys()
            .chain(other.variables.keys())
            .cloned()
            .collect();
        for name in names {
            if self.variables.get(&name) != other.variables.get(&name) {
                let either = Value::either(self.variables.get(&name), other.variables.get(&name));
                self.assign(&name, either);
            }
        }
        for (name, attribute) in other.attributes.iter() {
            if self.attributes.get(name) != Some(attribute) {
                self.describe(name, Attribute::Other);
            }
        }
        if self.several != other.several {
            Rc::make_mut(&mut self.several)
                .retain(|name, text| other.several.get(name) == Some(text));
        }
        if self.cwd != other.cwd {
            self.cwd = Cwd::Unknown("the working directory, which differs between branches".into());
        }
        for name in other.exported.iter() {
            if !self.exported.contains(name) {
                self.export(name);
            }
        }
        self.cwd_trace.extend(&other.cwd_trace);
        if self.directories != other.directories {
            self.directories.clear();
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        for (name, function) in other.functions.iter() {
            if !self.functions.contains_key(name) {
                Rc::make_mut(&mut self.functions).insert(name.clone(), function.clone());
            }
        }
        for (name, alias) in other.aliases.iter() {
            if self.aliases.get(name) != Some(alias) {
                let known = !self.aliases.contains_key(name);
                let alias = alias.clone().filter(|_| known);
                Rc::make_mut(&mut self.aliases).insert(name.clone(), alias);
            }
        }
        for (name, path) in other.hashed.iter() {
            if !self.hashed.contains_key(name) {
                Rc::make_mut(&mut self.hashed).insert(name.clone(), path.clone());
            }
        }
        self.options.aliases |= other.options.aliases;
        let globs = |options: &Options| {
            let Options {
                noglob,
                nullglob,
                dotglob,
                extglob,
                globstar,
                odd,
                ..
            } = *options;
            [noglob, nullglob, dotglob, extglob, globstar, odd]
        };
        self.options.odd |= globs(&self.options) != globs(&other.options);
        if self.options.links != other.options.links {
            self.options.links = Links::Either;
        }
        self.options.xtrace |= other.options.xtrace;
        self.options.noglob &= other.options.noglob;
        self.options.errexit &= other.options.errexit;
        self.options.nounset &= other.options.nounset;
        for trap in &other.traps {
            if !self.traps.contains(trap) {
                self.traps.push(trap.clone());
            }
        }
        if self.made != other.made {
            Rc::make_mut(&mut self.made).retain(|path| other.made.contains(path));
        }
        self.disk_changed |= other.disk_changed;
        self.absorb_changes(other);
        if self.input != other.input {
            self.input = Input::Unknown;
        }
        if self.output != other.output {
            self.output = Text::unknown(super::value::Unknown::anything(
                "output that differs between branches",
            ));
        }
    }
}

/// Whether it is a number that arithmetic leaves as it is.
fn is_integer(text: &Text) -> bool {
    text.bytes()
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .is_some_and(|digits| {
            digits
                .parse::<i64>()
                .is_ok_and(|number| number.to_string() == digits)
        })
}

/// A state, and how it came to its end.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) status: Status,
}

/// How many states are kept apart before they are widened into one.
const KEPT_APART: usize = 24;

/// Merges equal states, and widens when there are too many.
pub(crate) fn merge(paths: Vec<Path>) -> Vec<Path> {
    if paths.len() < 2 {
        return paths;
    }
    let mut out: Vec<Path> = Vec::with_capacity(paths.len().min(KEPT_APART));
    for path in paths {
        let same = out.iter_mut().find(|known| {
            (known.status == path.status || known.status.is_running() && path.status.is_running())
                && known.state == path.state
        });
        match same {
            Some(known) if known.status != path.status => known.status = Status::Unknown,
            Some(_) => {}
            None => out.push(path),
        }
    }
    if out.len() <= KEPT_APART {
        return out;
    }
    let mut widened: Vec<Path> = Vec::new();
    for path in out {
        let class = |status: Status| {
            if status.is_running() {
                Status::Unknown
            } else {
                status
            }
        };
        match widened
            .iter_mut()
            .find(|known| class(known.status) == class(path.status))
        {
            Some(known) => {
                known.state.widen(&path.state);
                if known.status != path.status {
                    known.status = Status::Unknown;
                }
            }
            None => widened.push(path),
        }
    }
    widened
}
