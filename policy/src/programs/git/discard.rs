//! Sub-commands that overwrite changes, or clean away what is not tracked.

use super::Command;
use crate::Act;
use crate::programs::line::Line;
use crate::programs::options::{INFORMS, Options, options};
use crate::programs::{Effect, Sink};

const CLEAN: Options = options! {
    short: "de:fhinqxX",
    long: [
        ("exclude=", b'e'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("dry-run", b'n'),
        ("no-dry-run", b'N'),
        ("quiet", b'q'),
    ],
    permute: true,
};

const RESET: Options = options! {
    short: "hNpq",
    long: [
        ("hard", b'H'),
        ("merge", b'H'),
        ("mixed", b'm'),
        ("soft", b's'),
        ("keep", b'k'),
        ("quiet", b'q'),
        ("patch", b'p'),
        ("pathspec-from-file=", b'F'),
    ],
    permute: true,
};

const CHECKOUT: Options = options! {
    short: "23b:B:dfhlmpqtU:",
    long: [
        ("force", b'f'),
        ("quiet", b'q'),
        ("detach", b'd'),
        ("track?", b't'),
        ("orphan=", b'b'),
        ("conflict=", b'U'),
        ("unified=", b'U'),
        ("inter-hunk-context=", b'U'),
        ("ours", b'2'),
        ("theirs", b'3'),
        ("merge", b'm'),
        ("patch", b'p'),
        ("recurse-submodules?", b'r'),
        ("pathspec-from-file=", b'F'),
    ],
    permute: true,
};

const RESTORE: Options = options! {
    short: "hmpqs:SU:W",
    long: [
        ("source=", b's'),
        ("staged", b'S'),
        ("worktree", b'W'),
        ("conflict=", b'U'),
        ("unified=", b'U'),
        ("inter-hunk-context=", b'U'),
        ("recurse-submodules?", b'r'),
        ("pathspec-from-file=", b'F'),
    ],
    permute: true,
};

const SWITCH: Options = options! {
    short: "c:C:dfhmqt",
    long: [
        ("create=", b'c'),
        ("force-create=", b'C'),
        ("orphan=", b'c'),
        ("force", b'f'),
        ("discard-changes", b'f'),
        ("conflict=", b'U'),
        ("track?", b't'),
        ("recurse-submodules?", b'r'),
    ],
    permute: true,
};

const READ_TREE: Options = options! {
    short: "himnquv",
    long: [
        ("reset", b'R'),
        ("dry-run", b'n'),
        ("prefix=", b'p'),
        ("index-output=", b'o'),
        ("exclude-per-directory=", b'e'),
    ],
    permute: true,
};

const CHECKOUT_INDEX: Options = options! {
    short: "afhnquz",
    long: [
        ("all", b'a'),
        ("force", b'f'),
        ("no-create", b'n'),
        ("index", b'u'),
        ("prefix=", b'p'),
        ("stage=", b's'),
        ("stdin", b'i'),
        ("temp", b'n'),
    ],
    permute: true,
};

const ABORT: Options = options! {
    short: "",
    long: [("abort", b'a'), ("skip", b'a')],
    permute: true,
};

impl Command<'_> {
    pub(super) fn clean(&self, sink: &mut Sink<'_>) {
        let line = self.line(CLEAN);
        let acts = line.has(b"fi") || self.repository.unforced || line.may_hold_more();
        let dry = matches!(line.last(b"nN"), Some((b'n', _)));
        if !acts || dry || informs(line) {
            return;
        }
        if !self.pathspecs(line, sink) {
            let directory = if self.repository.named {
                self.repository.top
            } else {
                self.repository.directory
            };
            sink(Effect::here(Act::Sweep, directory));
        }
    }

    pub(super) fn reset(&self, sink: &mut Sink<'_>) {
        let line = self.line(RESET);
        if (line.has(b"H") || line.in_doubt()) && !informs(line) {
            sink(self.whole_tree());
        }
    }

    pub(super) fn checkout(&self, sink: &mut Sink<'_>) {
        let line = self.line(CHECKOUT);
        if informs(line) {
            return;
        }
        let dashes = self.dashes();
        let paths_follow = line.operands().any(|index| index > dashes);
        if line.has(b"F") || (!paths_follow && (line.has(b"f") || line.in_doubt())) {
            sink(self.whole_tree());
            return;
        }
        let creates = line.has(b"bB");
        for index in line.operands() {
            if index > dashes {
                self.pathspec(Act::Sweep, index, true, sink);
            } else if dashes == usize::MAX && !creates && self.may_be_path(index) {
                // A branch or a path: only the disk can tell.
                self.pathspec(Act::Sweep, index, false, sink);
            }
        }
    }

    pub(super) fn restore(&self, sink: &mut Sink<'_>) {
        let line = self.line(RESTORE);
        if informs(line) || (line.has(b"S") && !line.has(b"W")) {
            return;
        }
        if line.has(b"F") {
            sink(self.whole_tree());
        }
        self.pathspecs(line, sink);
    }

    pub(super) fn switch(&self, sink: &mut Sink<'_>) {
        let line = self.line(SWITCH);
        if (line.has(b"f") || line.in_doubt()) && !informs(line) {
            sink(self.whole_tree());
        }
    }

    pub(super) fn read_tree(&self, sink: &mut Sink<'_>) {
        let line = self.line(READ_TREE);
        if line.has(b"R") && line.has(b"u") && !line.has(b"n") {
            sink(self.whole_tree());
        }
    }

    pub(super) fn checkout_index(&self, sink: &mut Sink<'_>) {
        let line = self.line(CHECKOUT_INDEX);
        if !line.has(b"f") || line.has(b"n") {
            return;
        }
        if let Some(prefix) = line.value(b"p") {
            sink(line.on(Act::Select, prefix).sure(false));
        } else if line.has(b"ai") {
            sink(self.whole_tree());
        } else {
            self.pathspecs(line, sink);
        }
    }

    /// Going back to where a merge or rebase began throws away what was done since.
    pub(super) fn abort(&self, sink: &mut Sink<'_>) {
        if self.line(ABORT).has(b"a") {
            sink(self.whole_tree());
        }
    }

    /// Sweeps every pathspec. False if there is none.
    fn pathspecs(&self, line: Line<'_>, sink: &mut Sink<'_>) -> bool {
        let mut any = false;
        for index in line.operands() {
            any = true;
            self.pathspec(Act::Sweep, index, true, sink);
        }
        any
    }

    /// The position of `--`, or one that no word has.
    fn dashes(&self) -> usize {
        self.argv[self.first..]
            .iter()
            .position(|word| word.known() == Some(b"--"))
            .map_or(usize::MAX, |count| self.first + count)
    }

    /// `-` is the branch before.
    fn may_be_path(&self, index: usize) -> bool {
        self.argv[index].known() != Some(b"-")
    }
}

/// `git COMMAND -h`, or `--help` wherever it stands.
fn informs(line: Line<'_>) -> bool {
    line.has(&[b'h', INFORMS])
}
