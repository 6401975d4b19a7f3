//! What the lines of a file add to a policy.

use crate::config::Statement;
use crate::discover::Overflow;
use crate::expand::{Bases, Expanded, Room, write_plain};
use crate::files::File;
use crate::pattern::Form;
use crate::project::Temporary;
use crate::text::{PolicyText, Record};
use crate::{Canonical, Fs};

/// The patterns of one file, kind by kind.
pub(crate) struct Lines<'a, F: ?Sized> {
    fs: &'a F,
    file: &'a File<'a>,
    bases: Bases<'a>,
    /// Whether every line counts, wherever it reaches: a person wrote or trusted this very content.
    trusted: bool,
    temporary: &'a Temporary,
}

/// Which lines of a file are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Allow,
    Deny,
    State,
}

impl<'a, F: Fs + ?Sized> Lines<'a, F> {
    pub(crate) fn new(
        fs: &'a F,
        file: &'a File<'a>,
        bases: Bases<'a>,
        trusted: bool,
        temporary: &'a Temporary,
    ) -> Self {
        Self {
            fs,
            file,
            bases,
            trusted,
            temporary,
        }
    }

    /// Whether a line counts: one of a project file must stay in the project and the temporary directories.
    pub(crate) fn counts(&self, part: &Part<'_>) -> bool {
        let path = part.path();
        self.trusted
            || self
                .bases
                .project
                .is_some_and(|root| path.is_at_or_below(root))
            || self.temporary.holds(path)
    }

    /// Writes the lines of one kind that count, or those that do not. A denial always counts.
    pub(crate) fn write(
        &self,
        which: Which,
        counting: bool,
        record: Record,
        room: &mut Room,
        out: &mut PolicyText,
    ) -> Result<(), Overflow> {
        self.each(which, room, &mut |part| {
            if counting == (which == Which::Deny || self.counts(part)) {
                part.write(record, out)
            } else {
                Ok(())
            }
        })
    }

    /// Calls `each` with every pattern of one kind: the form, and the path it begins with.
    pub(crate) fn each(
        &self,
        which: Which,
        room: &mut Room,
        each: &mut dyn FnMut(&Part<'_>) -> Result<(), Overflow>,
    ) -> Result<(), Overflow> {
        for statement in self.file.statements() {
            let pattern = match (which, statement) {
                (Which::Allow, Statement::Allow(pattern))
                | (Which::Deny, Statement::Deny(pattern))
                | (Which::State, Statement::State(pattern)) => pattern,
                _ => continue,
            };
            // A pattern that was sound when the file was checked only fails now if the disk has changed so
            // that the path does not fit any more.
            let expanded = room
                .expand(self.fs, &self.bases, pattern)
                .map_err(|_| Overflow)?;
            let Some(expanded) = expanded else {
                continue;
            };
            if let Some(link) = expanded.link {
                each(&Part::Link(link.canonical()))?;
            }
            each(&Part::Pattern(&expanded))?;
        }
        Ok(())
    }
}

/// What a line stands for: its pattern, and the link that its path is.
pub(crate) enum Part<'a> {
    Pattern(&'a Expanded<'a>),
    Link(Canonical<'a>),
}

impl Part<'_> {
    /// The path it begins with.
    pub(crate) fn path(&self) -> Canonical<'_> {
        match self {
            Self::Pattern(expanded) => expanded.path.canonical(),
            Self::Link(path) => *path,
        }
    }

    pub(crate) fn write(&self, kind: Record, text: &mut PolicyText) -> Result<(), Overflow> {
        match self {
            Self::Pattern(expanded) => expanded.write(kind, text),
            Self::Link(path) => write_plain(kind, Form::Literal, *path, text),
        }
    }
}
