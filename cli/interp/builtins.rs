//! The shell's own commands that change what comes after them.

use std::rc::Rc;

use super::{
    Halt, Interpreter, aliases, conditions, directories,
    invoke::Call,
    outputs,
    state::{Path, State, Status},
    value::{Field, Text, Unknown},
};
use crate::shell::ast::Dialect;

/// Builtins of bash that are no commands in dash, of zsh that are none in bash, and of bash that are none in zsh.
const NOT_IN_DASH: &[&[u8]] = &[
    b"pushd",
    b"declare",
    b"typeset",
    b"shopt",
    b"mapfile",
    b"readarray",
    b"let",
    b"source",
];
const ONLY_ZSH: &[&[u8]] = &[
    b"integer",
    b"float",
    b"setopt",
    b"unsetopt",
    b"noglob",
    b"nocorrect",
];
const ONLY_BASH: &[&[u8]] = &[b"shopt", b"mapfile", b"readarray"];

impl Interpreter<'_> {
    /// Runs a builtin; `None` if there is none of that name. Where only some of the shells that are meant have it,
    /// it may be no command at all.
    pub(super) fn builtin(
        &mut self,
        name: &[u8],
        call: &Call,
        before: &State,
    ) -> Result<Option<Vec<Path>>, Halt> {
        let first = call.fields.get(1).and_then(|field| field.text.bytes());
        let is_known = match self.dialect() {
            Dialect::Bash | Dialect::Unknown => !ONLY_ZSH.contains(&name),
            Dialect::Zsh => !ONLY_BASH.contains(&name),
            Dialect::Sh => !ONLY_ZSH.contains(&name),
        };
        if !is_known {
            return Ok(Some(done(before.clone(), Status::NonZero)));
        }
        let is_missing = self.dialect() == Dialect::Sh
            && match name {
                // It has nothing to take away unless there was a `pushd`.
                b"popd" => before.directories.is_empty(),
                b"printf" => first == Some(b"-v"),
                name => NOT_IN_DASH.contains(&name),
            };
        let paths = self.builtin_of_bash(name, call, before)?;
        Ok(paths.map(|mut paths| {
            if is_missing {
                paths.extend(done(before.clone(), Status::NonZero));
            }
            paths
        }))
    }

    fn builtin_of_bash(
        &mut self,
        name: &[u8],
        call: &Call,
        before: &State,
    ) -> Result<Option<Vec<Path>>, Halt> {
        let arguments = &call.fields[1..];
        let mut state = before.clone();
        self.names_again(name, arguments, before)?;
        let paths = match name {
            b":" | b"true" => done(state, Status::Zero),
            b"false" => done(state, Status::NonZero),
            b"cd" | b"chdir" => directories::cd(self, arguments, call, state),
            b"pushd" | b"popd" => {
                let mut paths = match name {
                    b"pushd" => directories::pushd(self, arguments, call, state),
                    _ => directories::popd(self, arguments, state),
                };
                for path in &mut paths {
                    outputs::append_unknown(self, &mut path.state, "the saved directories");
                }
                paths
            }
            b"exit" | b"logout" => done(state, Status::Exit),
            // Outside a function, outside a loop: bash complains and goes on.
            b"return" if self.calls == 0 => done(state, Status::Unknown),
            b"break" | b"continue" if self.loops == 0 => done(state, Status::Zero),
            b"return" => done(state, Status::Return),
            b"break" => done(state, Status::Break(levels(arguments))),
            b"continue" => done(state, Status::Continue(levels(arguments))),
            b"eval" => self.eval(arguments, call, state)?,
            b"exec" => self.exec(call, state)?,
            b"command" => return self.command_builtin(call, state).map(Some),
            b"builtin" => {
                let inner = Call {
                    functions: false,
                    builtins: true,
                    ..call.inner(arguments.to_vec())
                };
                if inner.fields.is_empty() {
                    done(state, Status::Zero)
                } else {
                    self.invoke(inner, state)?
                }
            }
            b"noglob" | b"nocorrect" | b"-" if !arguments.is_empty() => self.invoke(
                Call {
                    functions: true,
                    builtins: true,
                    ..call.inner(arguments.to_vec())
                },
                state,
            )?,
            b"trap" => {
                let arguments = match arguments.first().and_then(|field| field.text.bytes()) {
                    Some(b"--") => &arguments[1..],
                    _ => arguments,
                };
                if let Some(action) = arguments.first().filter(|_| arguments.len() > 1)
                    && !matches!(action.text.bytes(), Some(b"" | b"-"))
                    && !state.traps.contains(&action.text)
                {
                    // They go along with every copy of the state.
                    self.pay(state.traps.len())?;
                    state.traps.push(action.text.clone());
                }
                done(state, Status::Zero)
            }
            b"source" | b"." => self.source_file(arguments, state)?,
            b"alias" | b"unalias" => {
                let is_added = name == b"alias";
                aliases::define(is_added, arguments, &mut state);
                outputs::append_unknown(self, &mut state, "the output of a builtin");
                done(state, Status::Unknown)
            }
            b"compgen" | b"complete" => {
                self.completed(name, arguments, &state)?;
                outputs::append_unknown(self, &mut state, "the output of a builtin");
                done(state, Status::Unknown)
            }
            b"hash" => {
                hashed(arguments, self.dialect(), &mut state);
                outputs::append_unknown(self, &mut state, "the output of a builtin");
                done(state, Status::Unknown)
            }
            b"jobs" | b"bg" | b"fg" | b"disown" | b"ulimit" | b"umask" | b"wait" | b"times"
            | b"kill" | b"type" | b"history" | b"fc" | b"bind" | b"enable" => {
                outputs::append_unknown(self, &mut state, "the output of a builtin");
                done(state, Status::Unknown)
            }
            b"test" | b"[" => {
                let status = conditions::tested(arguments, self.dialect());
                done(state, status)
            }
            b"let" => {
                let mut status = Status::Unknown;
                for argument in arguments {
                    status = match self.evaluated(&argument.text, &mut state)?.bytes() {
                        Some(b"0") => Status::NonZero,
                        Some(_) => Status::Zero,
                        None => Status::Unknown,
                    };
                }
                done(state, status)
            }
            _ => return self.variable_builtin(name, call, state),
        };
        Ok(Some(paths))
    }

    /// What `compgen` and `complete` run to find words.
    fn completed(&mut self, name: &[u8], arguments: &[Field], state: &State) -> Result<(), Halt> {
        let dialect = self.dialect();
        if let Some(command) = value_of(b'C', arguments).and_then(|field| field.text.bytes()) {
            self.fork(state.clone(), |this, state| {
                this.script_text(command.into(), dialect, state)
            })?;
        }
        if let Some(words) = value_of(b'W', arguments).and_then(|field| field.text.bytes()) {
            self.expanded_again(words, state)?;
        }
        if name == b"compgen"
            && let Some(function) = value_of(b'F', arguments).and_then(|field| field.text.bytes())
            && let Some(function) = state.functions.get(function).cloned()
        {
            self.fork(state.clone(), |this, state| {
                this.call(&function, None, state)
            })?;
        }
        Ok(())
    }

    /// `mapfile -C COMMAND`: it runs for every so many lines, with the number and the text of one.
    pub(super) fn called_back(
        &mut self,
        arguments: &[Field],
        state: State,
    ) -> Result<Vec<Path>, Halt> {
        let Some(callback) = value_of(b'C', arguments).cloned() else {
            return Ok(done(state, Status::Zero));
        };
        let Some(command) = callback.text.bytes() else {
            return self.unknown_text(&callback.text, state);
        };
        let positional = state.positional.clone();
        let mut inner = state.clone();
        inner.positional = Some(Rc::new(vec![
            Text::unknown(Unknown::name("the number of a line")),
            Text::unknown(Unknown::anything("a line that was read")),
        ]));
        let dialect = self.dialect();
        let source = [command, b" \"$1\" \"$2\""].concat();
        let mut paths = self.script_text(source.into(), dialect, inner)?;
        for path in &mut paths {
            path.state.positional.clone_from(&positional);
        }
        paths.extend(done(state, Status::Zero));
        Ok(paths)
    }

    fn eval(
        &mut self,
        arguments: &[Field],
        call: &Call,
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        let mut text = Text::default();
        for (at, field) in arguments.iter().enumerate() {
            if at > 0 {
                text.push_bytes(b" ");
            }
            text.append(&field.text);
        }
        for (name, value) in &call.prefix {
            state.assign(name, value.clone());
        }
        match text.bytes() {
            Some(source) => {
                let dialect = self.dialect();
                self.script_text(source.into(), dialect, state)
            }
            None => self.unknown_text(&text, state),
        }
    }

    fn exec(&mut self, call: &Call, state: State) -> Result<Vec<Path>, Halt> {
        let mut rest = &call.fields[1..];
        while let Some(option) = rest
            .first()
            .and_then(|field| field.text.bytes())
            .filter(|word| word.starts_with(b"-"))
        {
            rest = if option == b"-a" {
                rest.get(2..).unwrap_or_default()
            } else {
                &rest[1..]
            };
        }
        if rest.is_empty() {
            return Ok(done(state, Status::Zero));
        }
        let mut paths = self.invoke(call.inner(rest.to_vec()), state)?;
        for path in &mut paths {
            path.status = Status::Exit;
        }
        Ok(paths)
    }

    fn command_builtin(&mut self, call: &Call, mut state: State) -> Result<Vec<Path>, Halt> {
        let mut rest = &call.fields[1..];
        while let Some(option) = rest
            .first()
            .and_then(|field| field.text.bytes())
            .filter(|word| word.starts_with(b"-") && word.len() > 1)
        {
            if option == b"--" {
                rest = &rest[1..];
                break;
            }
            if option.contains(&b'v') || option.contains(&b'V') {
                outputs::append_unknown(self, &mut state, "the path of a command");
                return Ok(done(state, Status::Unknown));
            }
            rest = &rest[1..];
        }
        if rest.is_empty() {
            return Ok(done(state, Status::Zero));
        }
        self.invoke(
            Call {
                functions: false,
                builtins: true,
                ..call.inner(rest.to_vec())
            },
            state,
        )
    }

    fn source_file(&mut self, arguments: &[Field], state: State) -> Result<Vec<Path>, Halt> {
        let Some(file) = arguments.first() else {
            return Ok(done(state, Status::NonZero));
        };
        if let Some(text) = self.script_in(&file.text, &state) {
            let dialect = self.dialect();
            return match text.bytes() {
                Some(source) => self.script_text(source.into(), dialect, state),
                None => self.unknown_text(&text, state),
            };
        }
        let name = String::from_utf8_lossy(&file.text.display()).into_owned();
        if let Some(script) = self.script_file(&file.text, &state) {
            let dialect = self.dialect();
            let inner = state.clone();
            let paths = self.follow_script(script, |this, source| {
                this.script_text(source, dialect, inner)
            })?;
            if let Some(paths) = paths {
                return Ok(paths.into_iter().map(returned).collect());
            }
        }
        self.court.note(format!(
            "{name} is read by the shell: what it does is judged only as it happens"
        ));
        let state = State {
            disk_changed: true,
            ..state
        };
        Ok(done(state, Status::Unknown))
    }
}

/// `hash -p PATH NAME`, zsh's `hash NAME=PATH`.
fn hashed(arguments: &[Field], dialect: Dialect, state: &mut State) {
    let words: Vec<&[u8]> = (arguments.iter())
        .filter_map(|field| field.text.bytes())
        .collect();
    let mut pairs: Vec<(&[u8], &[u8])> = Vec::new();
    if dialect != Dialect::Zsh
        && let Some(at) = words.iter().position(|word| word.starts_with(b"-p"))
    {
        let (path, names) = match (&words[at][2..], &words[at + 1..]) {
            (b"", [path, names @ ..]) => (*path, names),
            (path, names) => (path, names),
        };
        pairs.extend(names.iter().map(|name| (*name, path)));
    }
    if matches!(dialect, Dialect::Zsh | Dialect::Unknown) {
        pairs.extend(words.iter().filter_map(|word| {
            let equals = word.iter().position(|byte| *byte == b'=')?;
            Some((&word[..equals], &word[equals + 1..]))
        }));
    }
    for (name, path) in pairs {
        if !path.is_empty() {
            Rc::make_mut(&mut state.hashed).insert(name.to_vec(), path.to_vec());
        }
    }
}

/// The value of a short option.
fn value_of(option: u8, arguments: &[Field]) -> Option<&Field> {
    let at = (arguments.iter()).position(|field| {
        (field.text.bytes()).is_some_and(|word| {
            word.first() == Some(&b'-') && !word.starts_with(b"--") && word.last() == Some(&option)
        })
    })?;
    arguments.get(at + 1)
}

/// One path.
pub(super) fn done(state: State, status: Status) -> Vec<Path> {
    vec![Path { state, status }]
}

/// `return` ends a sourced file, and nothing beyond it.
fn returned(mut path: Path) -> Path {
    if path.status == Status::Return {
        path.status = Status::Unknown;
    }
    path
}

fn levels(arguments: &[Field]) -> u32 {
    arguments
        .first()
        .and_then(|field| std::str::from_utf8(field.text.bytes()?).ok()?.parse().ok())
        .unwrap_or(1)
}

/// A new list of positional parameters, if it is known how many there are.
pub(super) fn positional(fields: &[Field]) -> Option<Rc<Vec<Text>>> {
    (!fields.iter().any(|field| field.many)).then(|| {
        let texts = fields.iter().map(|field| field.text.clone());
        Rc::new(texts.collect())
    })
}
