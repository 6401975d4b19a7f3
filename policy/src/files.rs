//! The project file and the user file: reading them, and saying what is wrong with them.

use core::fmt::{self, Write};

use crate::config::{FILE_MAX, Mistake, Source, Statement, statements};
use crate::expand::{Bases, Room};
use crate::{Canonical, Fs, FsError, Kind, PathBuffer, Trust, canonicalise};

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
    fn say(&mut self, path: Canonical<'_>, line: Option<usize>, what: fmt::Arguments<'_>) {
        if !self.is_empty() {
            return;
        }
        self.push(path.as_bytes());
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
pub(crate) struct File<'a> {
    pub(crate) source: Source,
    /// Where it is; `None` if there is no place for it.
    pub(crate) path: Option<Canonical<'a>>,
    content: [u8; FILE_MAX],
    length: usize,
}

impl<'a> File<'a> {
    /// A file that has not been read: empty.
    pub(crate) const fn new(source: Source, path: Option<Canonical<'a>>) -> Self {
        Self {
            source,
            path,
            content: [0; FILE_MAX],
            length: 0,
        }
    }

    /// Reads it. One that does not exist is empty; one that cannot be read puts the policy in doubt.
    pub(crate) fn read(&mut self, fs: &(impl Fs + ?Sized), doubt: &mut Message) {
        let Some(path) = self.path else {
            return;
        };
        let mut wrong = |what: fmt::Arguments<'_>| doubt.say(path, None, what);
        match self.fill(fs, path) {
            Ok(()) => {}
            Err(Unreadable::Kind) => wrong(format_args!("no regular file")),
            Err(Unreadable::Error(FsError::TooLong)) => {
                wrong(format_args!("longer than {FILE_MAX} bytes"))
            }
            Err(Unreadable::Error(error)) => wrong(format_args!("cannot be read: {error}")),
        }
    }

    /// Forgets what was read: a file that is not understood says nothing, not even in part.
    pub(crate) const fn forget(&mut self) {
        self.length = 0;
    }

    fn fill(&mut self, fs: &(impl Fs + ?Sized), path: Canonical<'_>) -> Result<(), Unreadable> {
        match fs.lstat(path.as_bytes()) {
            Err(FsError::NotFound | FsError::NotDirectory) => return Ok(()),
            Err(error) => return Err(Unreadable::Error(error)),
            Ok(_) => {}
        }
        let mut target = PathBuffer::new();
        canonicalise(fs, b"", path.as_bytes(), true, &mut target).map_err(Unreadable::Error)?;
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

    /// Whether a person has trusted what it holds.
    pub(crate) fn is_trusted(&self, trust: &(impl Trust + ?Sized)) -> bool {
        let content = self.content();
        self.path
            .is_some_and(|path| !content.is_empty() && trust.trusts(path.as_bytes(), content))
    }

    /// The statements of a file without mistakes.
    pub(crate) fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        statements(self.content(), self.source).filter_map(|read| Some(read.ok()?.1))
    }

    /// What the beginnings of its patterns stand for.
    pub(crate) fn bases(
        &self,
        home: Option<Canonical<'a>>,
        project: Option<Canonical<'a>>,
    ) -> Bases<'a> {
        let directory = self.path.and_then(Canonical::parent);
        Bases {
            file: directory.unwrap_or(Canonical::ROOT),
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
        let Some(path) = self.path else {
            return;
        };
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
                doubt.say(path, Some(line), format_args!("{fault}"));
                return;
            }
        }
    }
}

enum Unreadable {
    Error(FsError),
    Kind,
}
