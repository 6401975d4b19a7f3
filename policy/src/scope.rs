//! What may be destroyed, written down: the default scope or that of the project file, what is denied, and
//! where git and other programs keep files of their own.

use crate::discover::{Overflow, homes};
use crate::expand::{Room, write_plain};
use crate::lines::{Lines, Which};
use crate::pattern::Form;
use crate::project::{Temporary, may_be_root};
use crate::repository::Repository;
use crate::text::{PolicyText, Record};
use crate::{Canonical, Fs};

/// What a scope is made of.
pub(crate) struct Scope<'a, F: ?Sized> {
    pub(crate) fs: &'a F,
    pub(crate) project: Option<Canonical<'a>>,
    pub(crate) repository: Option<&'a Repository>,
    pub(crate) temporary: &'a Temporary,
    pub(crate) of_project: Lines<'a, F>,
    pub(crate) of_user: Lines<'a, F>,
}

impl<F: Fs + ?Sized> Scope<'_, F> {
    /// Writes the records from [`Record::Repository`] on.
    pub(crate) fn write(&self, room: &mut Room, out: &mut PolicyText) -> Result<(), Overflow> {
        self.write_history(out)?;
        let mut replaced = false;
        self.of_project.each(Which::Allow, room, &mut |part| {
            replaced |= self.of_project.counts(part);
            Ok(())
        })?;
        if !replaced {
            self.write_default(out)?;
        }
        let files = [&self.of_project, &self.of_user];
        let mut lines = |which, counting, records: [Record; 2], out: &mut PolicyText| {
            files
                .into_iter()
                .zip(records)
                .try_for_each(|(lines, record)| lines.write(which, counting, record, room, out))
        };
        let untrusted = [Record::Untrusted; 2];
        lines(
            Which::Allow,
            true,
            [Record::AllowProject, Record::AllowUser],
            out,
        )?;
        lines(Which::Deny, true, [Record::Deny; 2], out)?;
        self.write_repository(out)?;
        lines(
            Which::State,
            true,
            [Record::StateProject, Record::StateUser],
            out,
        )?;
        lines(Which::Allow, false, untrusted, out)?;
        lines(Which::State, false, untrusted, out)
    }

    /// What holds the history: `.git` at the root, and the directories it stands for.
    fn write_history(&self, out: &mut PolicyText) -> Result<(), Overflow> {
        if let Some(repository) = self.repository {
            return repository
                .places()
                .try_for_each(|path| out.record(Record::Repository, &[path.as_bytes()]));
        }
        let name = self.project.and_then(Repository::name_at);
        match name.filter(|name| self.fs.lstat(name.as_bytes()).is_ok()) {
            Some(name) => out.record(Record::Repository, &[name.as_bytes()]),
            None => Ok(()),
        }
    }

    /// Git's work in its own directories is its business, whatever the scope is.
    fn write_repository(&self, out: &mut PolicyText) -> Result<(), Overflow> {
        let places = self.repository.into_iter().flat_map(Repository::places);
        places
            .into_iter()
            .try_for_each(|path| write_plain(Record::StateRepository, Form::Tree, path, out))
    }

    /// The scope of a project whose file allows nothing: itself, the worktrees it shares a repository with,
    /// and the temporary directories.
    fn write_default(&self, out: &mut PolicyText) -> Result<(), Overflow> {
        if let Some(root) = self.project {
            write_plain(Record::AllowDefault, Form::Tree, root, out)?;
            self.write_worktrees(root, out)?;
        }
        if let Some(path) = self.temporary.system() {
            write_plain(Record::AllowDefault, Form::Tree, path, out)?;
        }
        // The directory itself belongs to whoever made it.
        match self.temporary.own() {
            Some(path) => write_plain(Record::AllowDefault, Form::Under, path, out),
            None => Ok(()),
        }
    }

    fn write_worktrees(&self, root: Canonical<'_>, out: &mut PolicyText) -> Result<(), Overflow> {
        let Some(repository) = self.repository else {
            return Ok(());
        };
        let mut written = Ok(());
        repository.each_worktree(self.fs, &mut |worktree| {
            let ours = !worktree.is_at_or_below(root) && may_be_root(worktree, homes(out));
            if ours && written.is_ok() {
                written = write_plain(Record::AllowDefault, Form::Tree, worktree, out);
            }
        });
        written
    }
}
