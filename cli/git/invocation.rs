//! A command line of git: which repository, which sub-command, which words.

use super::{Ask, Repository, Word};

/// What a command line of git begins with.
pub(crate) struct Surroundings<'a> {
    /// The words, `git` itself first.
    pub(crate) words: Vec<Word>,
    /// Where it runs.
    pub(crate) directory: &'a [u8],
    /// A variable that git would see: `Some(None)` if it is set to what is not known.
    pub(crate) variable: &'a dyn Fn(&[u8]) -> Option<Word>,
}

/// A git command.
#[derive(Clone)]
pub(crate) struct Invocation {
    /// The repository as the options and the variables say.
    pub(crate) repository: Repository,
    /// The sub-command.
    pub(crate) verb: Vec<u8>,
    /// The words after it.
    pub(crate) words: Vec<Word>,
    /// `-c clean.requireForce=false`
    pub(crate) unforced: bool,
    /// `-c NAME=VALUE`: names in small letters.
    pub(crate) settings: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Options before the sub-command that take the next word, if it is not joined to them.
const TAKE_A_WORD: &[&[u8]] = &[
    b"--namespace",
    b"--super-prefix",
    b"--config-env",
    b"--attr-source",
];

/// Options before the sub-command that say how pathspecs are read.
const PATHSPECS: &[&[u8]] = &[
    b"--literal-pathspecs",
    b"--glob-pathspecs",
    b"--noglob-pathspecs",
    b"--icase-pathspecs",
];

/// Sub-commands that no alias can stand for, as far as they are common: no need to ask.
const COMMANDS: &[&str] = &[
    "add",
    "am",
    "apply",
    "bisect",
    "blame",
    "branch",
    "cat-file",
    "checkout",
    "checkout-index",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "describe",
    "diff",
    "fetch",
    "format-patch",
    "gc",
    "grep",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "pull",
    "push",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "worktree",
];

impl Invocation {
    /// Reads a command line. `None` if the repository or the sub-command cannot be known, or nothing is done.
    pub(crate) fn read(given: Surroundings<'_>) -> Option<Self> {
        let mut repository = Repository::seen_from(given.directory, given.variable)?;
        let mut aliases = Vec::new();
        let mut unforced = false;
        let mut settings = Vec::new();
        let mut words = given.words.into_iter().skip(1);
        let verb = loop {
            let word = words.next()??;
            let (name, joined) = split(&word);
            let mut value = || match &joined {
                Some(value) => Some(value.clone()),
                None => words.next().flatten(),
            };
            match name {
                b"-C" => repository.enter(&words.next()??),
                b"-c" => {
                    let setting = words.next()??;
                    let equals = setting.iter().position(|byte| *byte == b'=');
                    let (name, value) = setting.split_at(equals.unwrap_or(setting.len()));
                    let value = value.get(1..).unwrap_or(b"true");
                    let name = name.to_ascii_lowercase();
                    match name.as_slice() {
                        b"core.worktree" => repository.work_tree = Some(value.to_vec()),
                        b"core.excludesfile" => repository.excludes = Some(value.to_vec()),
                        b"clean.requireforce" => {
                            unforced = matches!(
                                value.to_ascii_lowercase().as_slice(),
                                b"false" | b"no" | b"off" | b"0" | b""
                            );
                        }
                        _ => {}
                    }
                    settings.push((name.clone(), value.to_vec()));
                    if let Some(alias) = name.strip_prefix(b"alias.") {
                        aliases.push((alias.to_vec(), value.to_vec()));
                    }
                }
                b"--git-dir" => repository.git_dir = Some(value()?),
                b"--work-tree" => repository.work_tree = Some(value()?),
                b"-h" | b"--help" | b"--version" | b"-v" => return None,
                name if TAKE_A_WORD.contains(&name) => {
                    value()?;
                }
                name if PATHSPECS.contains(&name) => repository.pathspecs.push(name.to_vec()),
                name if name.starts_with(b"-") => {}
                _ => break word,
            }
        };
        let mut invocation = Self {
            repository,
            verb,
            words: words.collect(),
            unforced,
            settings,
        };
        invocation.expand(&aliases);
        Some(invocation)
    }

    /// The same if the sub-command is an alias that the settings of the user or the repository define.
    pub(crate) fn with_settled_alias(mut self, git: &dyn Ask) -> Self {
        if !COMMANDS.iter().any(|known| known.as_bytes() == self.verb) {
            let name = [b"alias.", self.verb.as_slice()].concat();
            // No alias, or nobody who knows of one: then there is nothing to say.
            if let Ok(text) = (self.repository).ask(git, &[&b"config"[..], b"--get", &name]) {
                self.become_alias(text.trim_ascii());
            }
        }
        self
    }

    fn expand(&mut self, aliases: &[(Vec<u8>, Vec<u8>)]) {
        let text = aliases
            .iter()
            .rfind(|(name, _)| name.eq_ignore_ascii_case(&self.verb));
        if let Some((_, text)) = text {
            self.become_alias(text);
        }
    }

    /// Puts what an alias stands for in the place of its name. One that is for a shell is followed elsewhere.
    fn become_alias(&mut self, text: &[u8]) {
        // One for a shell is followed elsewhere, unless it is nothing but git again.
        let text = match text.strip_prefix(b"!") {
            None => text,
            Some(shell) => match shell.trim_ascii_start().strip_prefix(b"git ") {
                Some(git) if !git.iter().any(|byte| b";&|$`<>()'\"\\#\n".contains(byte)) => git,
                _ => return,
            },
        };
        let mut words = text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(<[u8]>::to_vec);
        let Some(verb) = words.next() else {
            return;
        };
        self.verb = verb;
        self.words.splice(..0, words.map(Some));
    }
}

/// `--name=value`
fn split(word: &[u8]) -> (&[u8], Option<Vec<u8>>) {
    match word.iter().position(|byte| *byte == b'=') {
        Some(at) if word.starts_with(b"--") => (&word[..at], Some(word[at + 1..].to_vec())),
        _ => (word, None),
    }
}
