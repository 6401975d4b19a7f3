//! What would be lost, file by file, in words.

use std::collections::BTreeMap;

use blastradius_policy::Fs;

use crate::git::{Ask, Repository, Silence};
use crate::guards::Finding;
use crate::message::escape;

/// More files than these are counted, not named.
const MOST_NAMED: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Against {
    /// The index.
    Index,
    /// A commit.
    Commit(Vec<u8>),
}

impl Against {
    pub(super) fn head() -> Self {
        Self::Commit(b"HEAD".to_vec())
    }
}

/// What becomes of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A tracked file whose content is in no commit.
    Changed,
    /// A file that git does not track.
    Untracked,
    /// One that it is told to ignore.
    Ignored,
    /// What a stash holds.
    Stashed,
    /// Commits.
    Commits,
}

/// One file, or whatever else is lost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Loss {
    pub(super) kind: Kind,
    /// From the top of the work tree on, or a name of its own.
    pub(super) name: Vec<u8>,
    /// What there is of it, if that is known already.
    pub(super) what: Option<String>,
}

impl Loss {
    pub(super) fn new(kind: Kind, name: impl Into<Vec<u8>>) -> Self {
        Self {
            kind,
            name: name.into(),
            what: None,
        }
    }

    pub(super) fn saying(kind: Kind, name: impl Into<Vec<u8>>, what: String) -> Self {
        Self {
            what: Some(what),
            ..Self::new(kind, name)
        }
    }
}

/// Losses in one repository.
pub(super) struct Losses {
    /// Where it is.
    pub(super) repository: Repository,
    /// What changes are counted against.
    pub(super) against: Against,
    /// What would be lost.
    pub(super) all: Vec<Loss>,
}

impl Losses {
    /// The refusal; `None` if nothing would be lost.
    pub(super) fn finding(
        mut self,
        git: &dyn Ask,
        fs: &dyn Fs,
    ) -> Result<Option<Finding>, Silence> {
        self.all.sort();
        self.all.dedup();
        if self.all.is_empty() {
            return Ok(None);
        }
        let (top, _) = self.repository.top(git)?;
        let lines = self.lines(git);
        let mut reasons = vec![self.headline()];
        for loss in self.all.iter().take(MOST_NAMED) {
            let what = match (&loss.what, loss.kind) {
                (Some(what), _) => what.clone(),
                (None, Kind::Changed) => match lines.get(&loss.name) {
                    Some(lines) => format!("changed, {lines}"),
                    None => "changed".to_owned(),
                },
                (None, kind) => {
                    let path = [&top, b"/".as_slice(), &loss.name].concat();
                    let size = fs.lstat(&path).map_or(0, |meta| meta.size);
                    let word = if kind == Kind::Ignored {
                        "ignored"
                    } else {
                        "untracked"
                    };
                    format!("{word}, {size} byte{}", plural(size))
                }
            };
            reasons.push(format!("{}: {what}", escape(&loss.name)));
        }
        if self.all.len() > MOST_NAMED {
            reasons.push(format!("and {} more", self.all.len() - MOST_NAMED));
        }
        Ok(Some(Finding {
            operation: "discard",
            about: top,
            reasons,
            instead: self.instead().to_owned(),
        }))
    }

    fn headline(&self) -> String {
        let count = self.all.len();
        let has = |kinds: &[Kind]| self.all.iter().all(|loss| kinds.contains(&loss.kind));
        if has(&[Kind::Stashed]) {
            "what only a stash holds would be lost".to_owned()
        } else if has(&[Kind::Commits]) {
            "commits that nothing else leads to would be lost".to_owned()
        } else if count == 1 {
            "work that is in no commit would be lost".to_owned()
        } else {
            format!("work that is in no commit would be lost, in {count} files")
        }
    }

    /// What keeps the first of them; the others are kept by the next refusal.
    fn instead(&self) -> &'static str {
        let kinds = |kind| self.all.iter().any(|loss| loss.kind == kind);
        if kinds(Kind::Commits) {
            "push or merge the commits first, or give them another name: `git branch NAME COMMIT`"
        } else if kinds(Kind::Stashed) {
            "look at it first (`git stash show -p`), then `git stash pop`, or `git stash branch NAME`"
        } else if kinds(Kind::Ignored) {
            "move the ignored files out of the tree first, or name the directories that should go"
        } else {
            "commit the work first, or put it away: `git stash -u`"
        }
    }

    /// How many lines of the first changed files differ. If git does not say, they are named without that.
    fn lines(&self, git: &dyn Ask) -> BTreeMap<Vec<u8>, String> {
        let mut words: Vec<Vec<u8>> = [
            "diff",
            "--numstat",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--ignore-submodules=all",
        ]
        .map(|word| word.as_bytes().to_vec())
        .into();
        if let Against::Commit(rev) = &self.against {
            words.push(rev.clone());
        }
        words.push(b"--".to_vec());
        let named = words.len();
        words.extend(
            (self.all.iter())
                .filter(|loss| loss.kind == Kind::Changed && loss.what.is_none())
                .take(MOST_NAMED)
                .map(|loss| [b":(top,literal)", loss.name.as_slice()].concat()),
        );
        if words.len() == named {
            return BTreeMap::new();
        }
        let records = self.repository.list(git, &words, 0).unwrap_or_default();
        records
            .iter()
            .filter_map(|record| {
                let mut fields = record.splitn(3, |byte| *byte == b'\t');
                let (added, removed) = (number(fields.next()?), number(fields.next()?));
                let said = match added.zip(removed) {
                    Some((added, removed)) => {
                        format!("{added} line{} added and {removed} removed", plural(added))
                    }
                    None => "binary".to_owned(),
                };
                Some((fields.next()?.to_vec(), said))
            })
            .collect()
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

pub(super) const fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
