//! The project file and the user file: reading them, and saying what is wrong with them.

use crate::config::{FILE_MAX, Mistake, Source, Statement, statements};
use crate::expand::{Bases, Room};
use crate::figures::Digits;
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
    fn say(&mut self, path: Canonical<'_>, line: Option<usize>, what: impl FnOnce(&mut Self)) {
        if !self.is_empty() {
            return;
        }
        self.push(path.as_bytes());
        if let Some(line) = line {
            self.push(b":");
            self.push(Digits::decimal(line as u64).as_bytes());
        }
        self.push(b": ");
        what(self);
    }

    /// What does not fit is cut.
    fn push(&mut self, bytes: &[u8]) {
        let room = &mut self.bytes[self.length..];
        let fits = bytes.len().min(room.len());
        room[..fits].copy_from_slice(&bytes[..fits]);
        self.length += fits;
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
        if let Err(unreadable) = self.fill(fs, path) {
            doubt.say(path, None, |message| unreadable.tell(message));
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
                doubt.say(path, Some(line), |message| {
                    fault.tell(&mut |piece| message.push(piece.as_bytes()));
                });
                return;
            }
        }
    }
}

enum Unreadable {
    Error(FsError),
    Kind,
}

impl Unreadable {
    fn tell(self, message: &mut Message) {
        match self {
            Self::Kind => message.push(b"no regular file"),
            Self::Error(FsError::TooLong) => {
                message.push(b"longer than ");
                message.push(Digits::decimal(FILE_MAX as u64).as_bytes());
                message.push(b" bytes");
            }
            Self::Error(error) => {
                message.push(b"cannot be read: ");
                match error.words() {
                    Ok(words) => message.push(words.as_bytes()),
                    Err(errno) => {
                        message.push(b"error ");
                        message.push(Digits::decimal(errno.unsigned_abs().into()).as_bytes());
                    }
                }
            }
        }
    }
}
