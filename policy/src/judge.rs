//! The verdict on one act: floor > guard file > deny > project root and history > allow > state.

use crate::pattern::Pattern;
use crate::policy::{Below, Entry, EntryKind, Ground, Judgement, Policy, Subject};
use crate::preset::{self, Places};
use crate::text::Record;
use crate::{Act, By, Canonical, Kind, Rule, floor};

/// What a block device is named as in a refusal.
const BLOCK_DEVICE: &[u8] = b"block device";

/// The rules that come before `allow` and `state` lines, in their order.
pub const BEFORE_SCOPE: [Rule; 5] = [
    Rule::FloorPath,
    Rule::GuardFile,
    Rule::Denied,
    Rule::ProjectRoot,
    Rule::VcsMetadata,
];

impl<'a> Policy<'a> {
    /// Judges one act.
    pub fn judge(&self, subject: &Subject<'_>) -> Judgement<'a> {
        if writes_nowhere(subject) {
            return Judgement::Allow(Ground::Harmless);
        }
        if subject.act == Act::Append {
            return self.judge_append(subject);
        }
        if let Some(message) = self.doubt() {
            return refuse(Rule::PolicyInDoubt, message);
        }
        for rule in BEFORE_SCOPE {
            if let Some(by) = self.strikes(rule, subject) {
                return refuse(rule, by);
            }
        }
        if let Some(entry) = self.in_scope(subject).or_else(|| self.in_state(subject)) {
            return Judgement::Allow(Ground::Entry(entry));
        }
        match floor::system(subject.path) {
            Some(directory) => refuse(Rule::SystemPath, directory),
            None => refuse(Rule::OutOfScope, b""),
        }
    }

    /// What one rule of [`BEFORE_SCOPE`] says of an act, whatever the others do: the pattern or path by which it refuses.
    #[must_use]
    pub fn strikes(&self, rule: Rule, subject: &Subject<'_>) -> Option<&'a [u8]> {
        match rule {
            Rule::FloorPath => self.on_floor(subject),
            Rule::GuardFile => self.on_guard(subject),
            Rule::Denied => self.denied(subject),
            Rule::ProjectRoot => self.on_root(subject),
            Rule::VcsMetadata => self.on_history(subject),
            _ => None,
        }
    }

    /// Whether a deny line matches something strictly below `path`.
    #[must_use]
    pub fn denies_below(&self, path: Canonical<'_>) -> Below<'a> {
        let mut answer = Below::No;
        for pattern in self.patterns(Record::Deny) {
            match pattern.below(path) {
                Below::No => {}
                certain @ Below::Certain(_) => return certain,
                possible @ Below::Possible(_) => answer = possible,
            }
        }
        answer
    }

    /// Whether a program may remove any one name strictly below `directory`, because nothing there is special to
    /// a rule. No where it would take a closer look to tell.
    #[must_use]
    pub fn lets_go_below(&self, directory: Canonical<'_>) -> bool {
        let below = |place: Canonical<'a>| place.is_below(directory);
        let around = |place: Canonical<'a>| below(place) || directory.is_at_or_below(place);
        let sweep = Subject {
            path: directory,
            act: Act::Sweep,
            by: By::Program,
            kind: None,
        };
        self.doubt().is_none()
            && directory.depth() >= floor::DEEPEST
            && !self.homes().chain(self.project()).any(below)
            && !self.paths(Record::Guard).any(below)
            && !self.paths(Record::Repository).any(around)
            && self.records(Record::Deny).next().is_none()
            && self.in_scope(&sweep).is_some()
    }

    /// Appending destroys nothing, but a guard's own file must not grow, and a block device has no end.
    fn judge_append(&self, subject: &Subject<'_>) -> Judgement<'a> {
        if subject.kind == Some(Kind::BlockDevice) {
            return refuse(Rule::FloorPath, BLOCK_DEVICE);
        }
        match self.on_guard(subject) {
            Some(by) => refuse(Rule::GuardFile, by),
            None => Judgement::Allow(Ground::Harmless),
        }
    }

    fn on_floor(&self, subject: &Subject<'_>) -> Option<&'a [u8]> {
        let path = subject.path;
        if subject.kind == Some(Kind::BlockDevice) {
            return Some(BLOCK_DEVICE);
        }
        if subject.act == Act::Select {
            // What a test picks is judged by what lies below; but a floor path must not be among it.
            let home = || {
                self.homes()
                    .find(|home| home.is_below(path))
                    .map(Canonical::as_bytes)
            };
            return floor::fixed_below(path).or_else(home);
        }
        // A project root on the floor (`/app` in a container) may be swept all the same: it stays.
        let swept_root = subject.act == Act::Sweep && self.project() == Some(path);
        if let Some(name) = floor::fixed(path).filter(|_| !swept_root) {
            return Some(name);
        }
        let above = |place: &Canonical<'a>| place.is_at_or_below(path);
        self.homes()
            .find(above)
            .or_else(|| self.project().filter(|root| root.is_below(path)))
            .map(Canonical::as_bytes)
    }

    fn on_guard(&self, subject: &Subject<'_>) -> Option<&'a [u8]> {
        let path = subject.path;
        // The project root has a rule of its own, which a person can lift.
        let inside = subject.act.takes_contents() && self.project() != Some(path);
        let found = self
            .paths(Record::Guard)
            .find(|&guard| guard == path || (inside && guard.is_below(path)))?;
        Some(found.as_bytes())
    }

    fn denied(&self, subject: &Subject<'_>) -> Option<&'a [u8]> {
        if let Some(pattern) = self
            .patterns(Record::Deny)
            .find(|pattern| pattern.holds(subject.path))
        {
            return Some(pattern.text());
        }
        if !reaches_below(subject.act) {
            return None;
        }
        match self.denies_below(subject.path) {
            Below::Certain(pattern) => Some(pattern),
            Below::Possible(_) | Below::No => None,
        }
    }

    fn on_root(&self, subject: &Subject<'_>) -> Option<&'a [u8]> {
        let root = self.project()?;
        let stays = matches!(subject.act, Act::Sweep | Act::Select);
        (root == subject.path && !stays && !self.spelt(root)).then_some(root.as_bytes())
    }

    /// A repository's own directory, and what its history cannot do without: git replaces that, and never
    /// takes it away. A command does not replace it either.
    fn on_history(&self, subject: &Subject<'_>) -> Option<&'a [u8]> {
        if subject.act == Act::Select {
            return None;
        }
        let path = subject.path;
        let hit = |repository: &Canonical<'a>| {
            let lost = match path.below(*repository) {
                Some(b"") => true,
                Some(below) => {
                    let takes_away = !rewrites(subject.act);
                    (subject.by == By::Command || takes_away) && is_vital(subject.act, below)
                }
                None => subject.act.takes_contents() && repository.is_below(path),
            };
            lost && !self.spelt(path) && !self.spelt(*repository)
        };
        self.paths(Record::Repository)
            .find(hit)
            .map(Canonical::as_bytes)
    }

    /// Whether an `allow` line of a file spells this very path: what lifts `project-root`, `vcs-metadata` and
    /// `mount-crossing`.
    #[must_use]
    pub fn spelt(&self, path: Canonical<'_>) -> bool {
        [Record::AllowProject, Record::AllowUser]
            .into_iter()
            .flat_map(|kind| self.patterns(kind))
            .any(|pattern| pattern.spells(path))
    }

    fn in_scope(&self, subject: &Subject<'_>) -> Option<Entry<'a>> {
        let covers = |pattern: &Pattern<'a>| match (subject.act, subject.by) {
            (Act::Sweep | Act::Select, _) => pattern.holds_all_below(subject.path),
            (_, By::Command) => pattern.admits(subject.path),
            (_, By::Program) => pattern.holds(subject.path),
        };
        let find = |record, kind| {
            let pattern = self.patterns(record).find(covers)?;
            Some(Entry {
                kind,
                pattern: pattern.text(),
            })
        };
        find(Record::AllowDefault, EntryKind::AllowDefault)
            .or_else(|| {
                let counts = self.project_counts(subject.path);
                counts.then(|| find(Record::AllowProject, EntryKind::AllowProject))?
            })
            .or_else(|| find(Record::AllowUser, EntryKind::AllowUser))
    }

    fn in_state(&self, subject: &Subject<'_>) -> Option<Entry<'a>> {
        if subject.by == By::Command {
            return None;
        }
        let path = subject.path;
        let find = |record, kind| {
            let pattern = self.patterns(record).find(|pattern| pattern.holds(path))?;
            Some(Entry {
                kind,
                pattern: pattern.text(),
            })
        };
        let places = Places {
            homes: self.homes(),
            runtime_dir: self.runtime_dir(),
            uid: self.uid(),
        };
        find(Record::StateRepository, EntryKind::StateRepository)
            .or_else(|| {
                let counts = self.project_counts(path);
                counts.then(|| find(Record::StateProject, EntryKind::StateProject))?
            })
            .or_else(|| find(Record::StateUser, EntryKind::StateUser))
            .or_else(|| {
                let pattern = preset::find(subject, places, |preset| self.is_on(preset))?;
                Some(Entry {
                    kind: EntryKind::StatePreset,
                    pattern,
                })
            })
    }

    /// Whether lines of a project file count at `path`: not below a system directory, except in a project
    /// that lies there (`/usr/src/app`).
    fn project_counts(&self, path: Canonical<'_>) -> bool {
        self.project().is_some_and(|root| path.is_at_or_below(root))
            || floor::system(path).is_none()
    }
}

const fn refuse<'p>(rule: Rule, by: &'p [u8]) -> Judgement<'p> {
    Judgement::Refuse { rule, by }
}

/// Writing to a terminal, a pipe or `/dev/null` loses nothing, and a directory cannot be written to.
fn writes_nowhere(subject: &Subject<'_>) -> bool {
    matches!(subject.act, Act::Truncate | Act::Overwrite | Act::Append)
        && matches!(subject.kind, Some(Kind::Other | Kind::Directory))
}

const fn reaches_below(act: Act) -> bool {
    act.takes_contents() || matches!(act, Act::Sweep | Act::Select)
}

/// Whether something stays under the name.
const fn rewrites(act: Act) -> bool {
    matches!(act, Act::Replace | Act::Truncate | Act::Overwrite)
}

/// Whether an act on what lies at `below` in a repository's directory takes history away. A lock file or the
/// index does not; rewriting `config` does not, removing it makes the directory no repository.
fn is_vital(act: Act, below: &[u8]) -> bool {
    let (top, deeper) = match below.iter().position(|&byte| byte == b'/') {
        Some(slash) => (&below[..slash], Some(&below[slash + 1..])),
        None => (below, None),
    };
    match (top, deeper) {
        (b"HEAD" | b"packed-refs" | b"objects" | b"refs" | b"logs", None) => true,
        (b"config", None) => !rewrites(act),
        // `rm -rf .git/objects/*` is no better than `rm -rf .git/objects`.
        (b"objects", Some(child)) => act.takes_contents() && !child.contains(&b'/'),
        (b"refs", Some(b"heads" | b"tags" | b"remotes")) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
