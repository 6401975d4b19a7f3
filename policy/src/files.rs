//! The project file and the user file: reading them, and what they add to a policy.

use core::fmt::{self, Write};

use crate::config::{FILE_MAX, Mistake, Source, Statement, statements};
use crate::discover::Overflow;
use crate::expand::{Bases, Expanded, Room, write_plain};
use crate::pattern::Form;
use crate::project::Temporary;
use crate::text::{PolicyText, Record};
use crate::{Canonical, Fs, FsError, Kind, PathBuffer, canonicalise};

/// One line for a person: why a policy is in doubt.
pub(crate) struct Message {
    bytes: [u8; Self::ROOM],
    length: usize,
}

impl Message {
    const ROOM: usize = 1024;

    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; Self::ROOM],
            length: 0,
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Sets it, unless something was wrong already: the first fault is the one to mend.
    fn say(&mut self, path: &[u8], line: Option<usize>, what: fmt::Arguments<'_>) {
        if !self.is_empty() {
            return;
        }
        self.push(path);
        let written = match line {
            Some(line) => write!(self, ":{line}: {what}"),
            None => write!(self, ": {what}"),
        };
        // `write_str` never fails: what does not fit is cut.
        debug_assert!(written.is_ok());
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = &mut self.bytes[self.length..];
        let fits = bytes.len().min(room.len());
        room[..fits].copy_from_slice(&bytes[..fits]);
        self.length += fits;
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

/// One of the two files: its content stays the same from the first look to the last.
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) path: PathBuffer,
    content: [u8; FILE_MAX],
    length: usize,
}

impl File {
    /// Reads a file. One that does not exist is empty; one that cannot be read puts the policy in doubt.
    pub(crate) fn read(
        fs: &(impl Fs + ?Sized),
        source: Source,
        path: &PathBuffer,
        doubt: &mut Message,
    ) -> Self {
        let mut file = Self {
            source,
            path: path.clone(),
            content: [0; FILE_MAX],
            length: 0,
        };
        match file.fill(fs) {
            Ok(()) => {}
            Err(Unreadable::Error(FsError::TooLong)) => {
                doubt.say(
                    path.as_bytes(),
                    None,
                    format_args!("longer than {FILE_MAX} bytes"),
                );
            }
            Err(Unreadable::Error(FsError::Denied)) => {
                doubt.say(
                    path.as_bytes(),
                    None,
                    format_args!("cannot be read: permission denied"),
                );
            }
            Err(Unreadable::Error(FsError::Other(errno))) => {
                doubt.say(
                    path.as_bytes(),
                    None,
                    format_args!("cannot be read: error {errno}"),
                );
            }
            Err(Unreadable::Error(FsError::Loop | FsError::NotFound | FsError::NotDirectory)) => {
                doubt.say(
                    path.as_bytes(),
                    None,
                    format_args!("a link that leads nowhere"),
                );
            }
            Err(Unreadable::Kind) => {
                doubt.say(path.as_bytes(), None, format_args!("no regular file"));
            }
        }
        file
    }

    fn fill(&mut self, fs: &(impl Fs + ?Sized)) -> Result<(), Unreadable> {
        match fs.lstat(self.path.as_bytes()) {
            Err(FsError::NotFound | FsError::NotDirectory) => return Ok(()),
            Err(error) => return Err(Unreadable::Error(error)),
            Ok(_) => {}
        }
        let mut target = PathBuffer::new();
        canonicalise(fs, b"", self.path.as_bytes(), true, &mut target)
            .map_err(Unreadable::Error)?;
        // A pipe would keep the reader waiting for ever.
        if fs.lstat(target.as_bytes()).map_err(Unreadable::Error)?.kind != Kind::File {
            return Err(Unreadable::Kind);
        }
        self.length = fs
            .read(target.as_bytes(), &mut self.content)
            .map_err(Unreadable::Error)?;
        Ok(())
    }

    pub(crate) fn content(&self) -> &[u8] {
        &self.content[..self.length]
    }

    /// The statements; none once a mistake was found in either file.
    pub(crate) fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        statements(self.content(), self.source).filter_map(|read| Some(read.ok()?.1))
    }

    /// What the beginnings of its patterns stand for.
    pub(crate) fn bases<'a>(
        &'a self,
        home: Option<Canonical<'a>>,
        project: Option<Canonical<'a>>,
    ) -> Bases<'a> {
        let path = self.path.canonical();
        Bases {
            file: path.parent().unwrap_or(path),
            home,
            project,
        }
    }

    /// Looks for the first mistake.
    pub(crate) fn check(
        &self,
        fs: &(impl Fs + ?Sized),
        bases: &Bases<'_>,
        room: &mut Room,
        doubt: &mut Message,
    ) {
        for read in statements(self.content(), self.source) {
            let mistake = match read {
                Err(mistake) => Some(mistake),
                Ok((
                    line,
                    Statement::Allow(pattern)
                    | Statement::Deny(pattern)
                    | Statement::State(pattern),
                )) => room
                    .expand(fs, bases, pattern)
                    .err()
                    .map(|fault| Mistake { line, fault }),
                Ok(_) => None,
            };
            if let Some(Mistake { line, fault }) = mistake {
                doubt.say(self.path.as_bytes(), Some(line), format_args!("{fault}"));
                return;
            }
        }
    }
}

enum Unreadable {
    Error(FsError),
    Kind,
}

/// The patterns of one file, kind by kind.
pub(crate) struct Lines<'a, F: ?Sized> {
    fs: &'a F,
    file: &'a File,
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
        file: &'a File,
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
            // `check` has expanded every pattern before.
            if let Ok(Some(expanded)) = room.expand(self.fs, &self.bases, pattern) {
                if let Some(link) = expanded.link {
                    each(&Part::Link(link.canonical()))?;
                }
                each(&Part::Pattern(&expanded))?;
            }
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
