//! The files of the guard itself: where they are, and that nobody inside may touch them.

use crate::contract::{LOG_FILE, PROJECT_FILE, TRUST_FILE, USER_FILE};
use crate::discover::{Origin, Overflow};
use crate::text::{PolicyText, Record};
use crate::{Canonical, Fs, FsError, PathBuffer, canonicalise};

/// Paths of the files, links not resolved.
pub(crate) struct OwnFiles {
    project: Option<PathBuffer>,
    config_home: Option<PathBuffer>,
    user: Option<PathBuffer>,
    log: Option<PathBuffer>,
    trust: Option<PathBuffer>,
}

impl OwnFiles {
    pub(crate) fn find(
        origin: &Origin<'_>,
        project: Option<Canonical<'_>>,
        home: Option<Canonical<'_>>,
    ) -> Self {
        let base = |variable: Option<&[u8]>, below_home: &[u8]| {
            let given = variable.filter(|path| path.starts_with(b"/") && !path.contains(&0));
            match given {
                Some(path) => joined(Canonical::ROOT, path),
                None => joined(home?, below_home),
            }
        };
        let config_home = base(origin.config_home, b".config");
        let state_home = base(origin.state_home, b".local/state");
        let below = |base: &Option<PathBuffer>, file| joined(base.as_ref()?.canonical(), file);
        Self {
            project: project.and_then(|root| joined(root, PROJECT_FILE)),
            user: below(&config_home, USER_FILE),
            log: below(&state_home, LOG_FILE),
            trust: below(&state_home, TRUST_FILE),
            config_home,
        }
    }

    /// The project file.
    pub(crate) fn project(&self) -> Option<Canonical<'_>> {
        self.project.as_ref().map(PathBuffer::canonical)
    }

    /// The user file. Who cannot even look into the directory of configurations (a process that has given
    /// up its rights, with the environment of root) has none.
    pub(crate) fn user(&self, fs: &(impl Fs + ?Sized)) -> Option<Canonical<'_>> {
        let inside = joined(self.config_home.as_ref()?.canonical(), b"blastradius")?;
        let sealed = fs.lstat(inside.as_bytes()) == Err(FsError::Denied);
        self.user
            .as_ref()
            .filter(|_| !sealed)
            .map(PathBuffer::canonical)
    }

    /// Writes every file of the guard, whether it exists or not, and names the log.
    pub(crate) fn write_guards(
        &self,
        fs: &(impl Fs + ?Sized),
        origin: &Origin<'_>,
        out: &mut PolicyText,
    ) -> Result<(), Overflow> {
        for path in [&self.project, &self.user, &self.log, &self.trust]
            .into_iter()
            .flatten()
        {
            write_guard(fs, path.as_bytes(), out)?;
        }
        for path in origin
            .guard_files
            .iter()
            .filter(|path| path.starts_with(b"/"))
        {
            write_guard(fs, path, out)?;
        }
        let mut log = PathBuffer::new();
        if let Some(path) = &self.log
            && canonicalise(fs, b"", path.as_bytes(), true, &mut log).is_ok()
        {
            out.record(Record::Log, &[log.as_bytes()])?;
        }
        Ok(())
    }
}

/// The name itself, and what it stands for if it is a link.
fn write_guard(fs: &(impl Fs + ?Sized), path: &[u8], out: &mut PolicyText) -> Result<(), Overflow> {
    let mut room = PathBuffer::new();
    for follow in [false, true] {
        // What cannot be resolved cannot be reached, so it needs no guard.
        if let Ok(found) = canonicalise(fs, b"", path, follow, &mut room)
            && !out
                .written(Record::Guard)
                .any(|known| known == found.as_bytes())
        {
            out.record(Record::Guard, &[found.as_bytes()])?;
        }
    }
    Ok(())
}

fn joined(directory: Canonical<'_>, below: &[u8]) -> Option<PathBuffer> {
    let mut path = PathBuffer::holding(directory)?;
    path.push_lexically(below).ok()?;
    Some(path)
}
