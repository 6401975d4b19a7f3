//! git: what discards, removes or moves files of a work tree, and the files and commands it is given.

mod alias;
mod discard;
mod pathspec;
mod remove;
#[cfg(test)]
mod tests;
mod write;

use super::line::{Item, Line};
use super::options::{INFORMS, Options, options};
use super::{Directory, Effect, Piece, Sink, Unknown, Word};
use crate::Act;
use crate::packed::{Packed, packed};

const GIT: Options = options! {
    short: "C:c:hpPv",
    long: [
        ("git-dir=", b'g'),
        ("work-tree=", b'w'),
        ("namespace=", b'n'),
        ("super-prefix=", b's'),
        ("config-env=", b'e'),
        ("attr-source=", b'a'),
        ("exec-path?", b'x'),
        ("html-path", INFORMS),
        ("man-path", INFORMS),
        ("info-path", INFORMS),
        ("list-cmds=", INFORMS),
    ],
    permute: false,
};

/// What the options before the sub-command say about the repository.
#[derive(Clone, Copy)]
struct Repository {
    /// Where relative paths begin.
    directory: Directory,
    /// The top of the work tree.
    top: Directory,
    /// Whether the work tree was named: then paths begin there if the directory lies outside it.
    named: bool,
    /// Whether `git clean` acts without `-f`.
    unforced: bool,
}

pub(super) fn git(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, GIT);
    if line.only_informs() {
        return;
    }
    let Some(command) = line.operands().next() else {
        return;
    };
    let repository = repository(line);
    let Some(name) = argv[command].known() else {
        sink(Effect::Unknown {
            act: Act::Sweep,
            why: Unknown::UnknownWord,
        });
        return;
    };
    if !run(repository, name, argv, command + 1, sink) {
        alias::expand(repository, line, name, command + 1, sink);
    }
}

/// Reads one sub-command, whose arguments begin at `argv[first]`. False if nothing is known about it.
fn run(
    repository: Repository,
    name: &[u8],
    argv: &[Word<'_>],
    first: usize,
    sink: &mut Sink<'_>,
) -> bool {
    let command = Command {
        repository,
        argv,
        first,
    };
    let Some((code, _)) = COMMANDS.into_iter().find(|&(_, listed)| listed == name) else {
        return false;
    };
    match code {
        CLEAN => command.clean(sink),
        RESET => command.reset(sink),
        CHECKOUT => command.checkout(sink),
        RESTORE => command.restore(sink),
        SWITCH => command.switch(sink),
        READ_TREE => command.read_tree(sink),
        CHECKOUT_INDEX => command.checkout_index(sink),
        ABORT => command.abort(sink),
        REBASE => {
            command.abort(sink);
            command.rebase(sink);
        }
        RM => command.rm(sink),
        MV => command.mv(sink),
        WORKTREE => command.worktree(sink),
        SUBMODULE => command.submodule(sink),
        FILTER_BRANCH => command.filter_branch(sink),
        BISECT => command.bisect(sink),
        ARCHIVE => command.archive(sink),
        BUNDLE => command.bundle(sink),
        FORMAT_PATCH => {
            command.output(sink);
            command.format_patch(sink);
        }
        _ => command.output(sink),
    }
    true
}

const CLEAN: u8 = 1;
const RESET: u8 = 2;
const CHECKOUT: u8 = 3;
const RESTORE: u8 = 4;
const SWITCH: u8 = 5;
const READ_TREE: u8 = 6;
const CHECKOUT_INDEX: u8 = 7;
const ABORT: u8 = 8;
const REBASE: u8 = 9;
const RM: u8 = 10;
const MV: u8 = 11;
const WORKTREE: u8 = 12;
const SUBMODULE: u8 = 13;
const FILTER_BRANCH: u8 = 14;
const BISECT: u8 = 15;
const ARCHIVE: u8 = 16;
const BUNDLE: u8 = 17;
const FORMAT_PATCH: u8 = 18;
const SHOWS: u8 = 19;

/// The sub-commands that are read; several that only show take the same options.
const COMMANDS: Packed = packed!(&[
    (CLEAN, "clean"),
    (RESET, "reset"),
    (CHECKOUT, "checkout"),
    (RESTORE, "restore"),
    (SWITCH, "switch"),
    (READ_TREE, "read-tree"),
    (CHECKOUT_INDEX, "checkout-index"),
    (ABORT, "merge"),
    (ABORT, "am"),
    (ABORT, "cherry-pick"),
    (ABORT, "revert"),
    (REBASE, "rebase"),
    (RM, "rm"),
    (MV, "mv"),
    (WORKTREE, "worktree"),
    (SUBMODULE, "submodule"),
    (FILTER_BRANCH, "filter-branch"),
    (BISECT, "bisect"),
    (ARCHIVE, "archive"),
    (BUNDLE, "bundle"),
    (FORMAT_PATCH, "format-patch"),
    (SHOWS, "diff"),
    (SHOWS, "show"),
    (SHOWS, "log"),
    (SHOWS, "diff-tree"),
    (SHOWS, "diff-index"),
    (SHOWS, "diff-files"),
    (SHOWS, "stash"),
    (SHOWS, "range-diff"),
    (SHOWS, "reflog"),
    (SHOWS, "whatchanged"),
]);

/// A sub-command with its arguments.
struct Command<'a> {
    repository: Repository,
    argv: &'a [Word<'a>],
    first: usize,
}

impl<'a> Command<'a> {
    const fn line(&self, options: Options) -> Line<'a> {
        Line::from(self.argv, self.first, options)
    }

    /// Everything in the work tree that git tracks, or that it cleans.
    const fn whole_tree(&self) -> Effect<'static> {
        Effect::here(Act::Sweep, self.repository.top)
    }
}

fn repository(line: Line<'_>) -> Repository {
    let mut directory = Directory::Current;
    for item in line.items() {
        match item {
            Item::Operand(_) => break,
            Item::Doubt => directory = Directory::Unresolved,
            Item::Option(b'C', Some(path)) => directory = line.enter(directory, path),
            Item::Option(..) => {}
        }
    }
    let named = line.value(b"w").or_else(|| setting(line, b"core.worktree"));
    let top = match (named, directory) {
        (Some(path), _) => line.enter(directory, path),
        (None, directory) if line.has(b"g") => directory,
        (None, Directory::Current) => Directory::TopLevel(None),
        (None, Directory::Word(path)) => Directory::TopLevel(Some(path)),
        (None, _) => Directory::Unresolved,
    };
    Repository {
        directory,
        top,
        named: named.is_some(),
        unforced: setting(line, b"clean.requireforce")
            .and_then(|value| line.bytes(value))
            .is_some_and(is_false),
    }
}

/// The value that the last `-c NAME=VALUE` gives a setting; its name is in lower case.
fn setting(line: Line<'_>, name: &[u8]) -> Option<Piece> {
    line.items()
        .filter_map(|item| match item {
            Item::Option(b'c', Some(setting)) => {
                let text = line.prefix(setting);
                let equals = text.iter().position(|&b| b == b'=')?;
                text[..equals].eq_ignore_ascii_case(name).then(|| Piece {
                    index: setting.index,
                    from: setting.from + equals + 1,
                })
            }
            _ => None,
        })
        .last()
}

fn is_false(value: &[u8]) -> bool {
    [&b"false"[..], b"no", b"off", b"0", b""]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}
