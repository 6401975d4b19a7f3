//! Sub-commands that remove or move what they are given.

use super::Command;
use crate::Act;
use crate::programs::options::{Options, options};
use crate::programs::{Effect, Piece, Sink, Spelled, Target};

const RM: Options = options! {
    short: "fhnqr",
    long: [
        ("dry-run", b'n'),
        ("quiet", b'q'),
        ("cached", b'c'),
        ("force", b'f'),
        ("pathspec-from-file=", b'F'),
    ],
    permute: true,
};

const MV: Options = options! {
    short: "fhknv",
    long: [("verbose", b'v'), ("dry-run", b'n'), ("force", b'f')],
    permute: true,
};

const WORKTREE: Options = options! {
    short: "b:B:dfhnqv",
    long: [
        ("force", b'f'),
        ("reason=", b'r'),
        ("expire=", b'e'),
        ("orphan", b'o'),
    ],
    permute: true,
};

const SUBMODULE: Options = options! {
    short: "b:dfhjnNqr",
    long: [
        ("force", b'f'),
        ("all", b'a'),
        ("recursive", b'R'),
        ("quiet", b'q'),
        ("name=", b'N'),
        ("branch=", b'b'),
        ("reference=", b'c'),
        ("depth=", b'D'),
        ("jobs=", b'j'),
        ("filter=", b'F'),
    ],
    permute: false,
};

impl Command<'_> {
    pub(super) fn rm(&self, sink: &mut Sink<'_>) {
        let line = self.line(RM);
        if line.has(b"cnh") || line.only_informs() {
            return;
        }
        if line.has(b"F") {
            sink(self.whole_tree());
        }
        let act = if line.has(b"r") || line.may_hold_more() {
            Act::RemoveTree
        } else {
            Act::Remove
        };
        for index in line.operands() {
            self.pathspec(act, index, true, sink);
        }
    }

    pub(super) fn mv(&self, sink: &mut Sink<'_>) {
        let line = self.line(MV);
        if line.has(b"nh") {
            return;
        }
        let Some(last) = line.operands().last() else {
            return;
        };
        // Without `-f` git does not replace anything.
        let replaces = line.has(b"f") || line.in_doubt();
        let several = line.operands().count() > 2;
        for index in line.operands().filter(|&index| index != last) {
            sink(line.on(Act::MoveAway, self.spelled(index)));
            if replaces {
                sink(Effect::Into {
                    act: Act::Replace,
                    name: index.into(),
                    inside: Some(self.spelled(last)),
                    target: if several {
                        Target::Directory
                    } else {
                        Target::Either
                    },
                    certain: true,
                });
            }
        }
    }

    pub(super) fn worktree(&self, sink: &mut Sink<'_>) {
        let line = self.line(WORKTREE);
        let mut operands = line.operands();
        let act = match operands.next().and_then(|index| self.argv[index].known()) {
            Some(b"remove") => Act::RemoveTree,
            Some(b"move") => Act::MoveAway,
            _ => return,
        };
        if let Some(path) = operands.next() {
            sink(line.on(act, self.spelled(path)));
        }
    }

    pub(super) fn submodule(&self, sink: &mut Sink<'_>) {
        let line = self.line(SUBMODULE);
        let Some(action) = line.operands().next() else {
            return;
        };
        let rest = Self {
            first: action + 1,
            ..*self
        };
        let line = rest.line(SUBMODULE);
        match self.argv[action].known() {
            Some(b"deinit") if line.has(b"a") => sink(self.whole_tree()),
            Some(b"deinit") => line
                .operands()
                .for_each(|index| self.pathspec(Act::Sweep, index, true, sink)),
            Some(b"update") if line.has(b"f") => sink(self.whole_tree().sure(false)),
            Some(b"foreach") => {
                if let Some(first) = line.operands().next() {
                    self.each_runs(first, sink);
                }
            }
            _ => {}
        }
    }

    /// One word is a text for the shell, several are a command.
    fn each_runs(&self, first: usize, sink: &mut Sink<'_>) {
        if first + 1 == self.argv.len() {
            sink(Effect::Shell {
                text: first.into(),
                directory: self.repository.top,
            });
        } else {
            self.runs(first, true, sink);
        }
    }

    /// Where a path word of this sub-command begins.
    pub(super) fn spelled(&self, piece: impl Into<Piece>) -> Spelled {
        Spelled {
            piece: piece.into(),
            directory: self.repository.directory,
        }
    }
}
