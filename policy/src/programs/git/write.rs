//! Files that sub-commands write, and commands that they run.

use super::Command;
use crate::Act;
use crate::programs::line::Item;
use crate::programs::options::{Options, options};
use crate::programs::{Effect, Follow, Sink};

const OUTPUT: Options = options! {
    short: "",
    long: [
        ("output=", b'o'),
        ("output-directory=", b'd'),
        ("output-indicator-new=", b'i'),
        ("output-indicator-old=", b'i'),
        ("output-indicator-context=", b'i'),
    ],
    permute: true,
};

const FORMAT_PATCH: Options = options! {
    short: "ho:v:",
    long: [("output-directory=", b'o'), ("output=", b'f')],
    permute: true,
};

const ARCHIVE: Options = options! {
    short: "0123456789hlo:v",
    long: [
        ("output=", b'o'),
        ("format=", b'f'),
        ("prefix=", b'p'),
        ("remote=", b'r'),
        ("exec=", b'e'),
    ],
    permute: true,
};

const BUNDLE: Options = options! {
    short: "hq",
    long: [("quiet", b'q'), ("version=", b'V')],
    permute: true,
};

const REBASE: Options = options! {
    short: "C:fhikmnqs:S::vx:X:",
    long: [("exec=", b'x'), ("onto=", b'o'), ("strategy=", b's')],
    permute: true,
};

const FILTER_BRANCH: Options = options! {
    short: "d:f",
    long: [
        ("setup=", b'x'),
        ("env-filter=", b'x'),
        ("tree-filter=", b'x'),
        ("index-filter=", b'x'),
        ("parent-filter=", b'x'),
        ("msg-filter=", b'x'),
        ("commit-filter=", b'x'),
        ("tag-name-filter=", b'x'),
        ("subdirectory-filter=", b's'),
        ("original=", b'o'),
    ],
    permute: false,
};

const NONE: Options = options! {
    short: "",
    long: [],
    permute: false,
};

impl Command<'_> {
    /// `--output`, which every sub-command that shows a difference knows.
    pub(super) fn output(&self, sink: &mut Sink<'_>) {
        let line = self.line(OUTPUT);
        if let Some(path) = line.value(b"o") {
            sink(line.on(Act::Truncate, self.spelled(path)));
        }
    }

    pub(super) fn format_patch(&self, sink: &mut Sink<'_>) {
        let line = self.line(FORMAT_PATCH);
        if let Some(path) = line.value(b"o") {
            sink(line.on(Act::Select, self.spelled(path)).sure(false));
        }
    }

    pub(super) fn archive(&self, sink: &mut Sink<'_>) {
        let line = self.line(ARCHIVE);
        if let Some(path) = line.value(b"o") {
            sink(line.on(Act::Truncate, self.spelled(path)));
        }
    }

    pub(super) fn bundle(&self, sink: &mut Sink<'_>) {
        let line = self.line(BUNDLE);
        let mut operands = line.operands();
        let action = operands.next().and_then(|index| self.argv[index].known());
        if let (Some(b"create"), Some(path)) = (action, operands.next()) {
            sink(line.on(Act::Replace, self.spelled(path)));
        }
    }

    pub(super) fn rebase(&self, sink: &mut Sink<'_>) {
        self.shells(REBASE, sink);
    }

    /// The filters run in a temporary tree below the top; a history is rewritten, not the work tree.
    pub(super) fn filter_branch(&self, sink: &mut Sink<'_>) {
        self.shells(FILTER_BRANCH, sink);
    }

    /// Every option `x` is a text for the shell.
    fn shells(&self, options: Options, sink: &mut Sink<'_>) {
        for item in self.line(options).items() {
            if let Item::Option(b'x', Some(text)) = item {
                sink(Effect::Shell {
                    text,
                    directory: self.repository.top,
                });
            }
        }
    }

    pub(super) fn bisect(&self, sink: &mut Sink<'_>) {
        let mut operands = self.line(NONE).operands();
        let action = operands.next().and_then(|index| self.argv[index].known());
        if let (Some(b"run"), Some(first)) = (action, operands.next()) {
            self.runs(first, false, sink);
        }
    }

    /// The rest of the argv is a command.
    pub(super) fn runs(&self, first: usize, in_directory: bool, sink: &mut Sink<'_>) {
        sink(Effect::Runs {
            first,
            end: self.argv.len(),
            root: None,
            tested: true,
            follow: Follow::No,
            in_directory,
            appended: false,
        });
    }
}
