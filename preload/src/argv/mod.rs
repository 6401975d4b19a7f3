//! What a program is about to do, judged before its `main` runs.
//!
//! Call by call, `rm -rf` of a directory that holds more than the scope would take away all that is in scope
//! before it met what is not. So a program that says in its words which trees it takes is judged by them
//! first, and refused whole. Single files are left to the calls.

mod started;
mod sweep;
mod words;

use blastradius_policy::programs::{self, Directory, Effect, Follow, Piece, Reader, Spelled, Word};
use blastradius_policy::{
    Act, By, Canonical, Fs, Judgement, Kind, PathBuffer, Policy, Rule, Subject,
};
use blastradius_policy::{canonicalise, canonicalise_below, takes_only_history};

use crate::decide::{self, Refusal};
use crate::disk::Disk;
use crate::memory::PATH_MAX;
use crate::report::{self, Deed};
use crate::start::state;
use crate::sys;
use crate::text::Text;

/// What a refused program exits with: that of `rm`, `mv` and `find` when something could not be done.
const REFUSED: i32 = 1;

/// Programs that are many: which one, their first word says.
const MULTI_CALL: [&[u8]; 4] = [b"busybox", b"toybox", b"coreutils", b"sbase-box"];

/// Ends the process if its words aim at a tree that it must not destroy.
pub(crate) fn judge() {
    let may_be = |name: &[u8]| MULTI_CALL.contains(&name) || programs::remover(name).is_some();
    if !started::is_none_of(may_be) {
        judge_by_file();
    }
}

/// Apart from the question before it, which every process asks: this one needs room for a path on the stack.
#[cold]
#[inline(never)]
fn judge_by_file() {
    let mut file = Text::<PATH_MAX>::new();
    let known = file.fill(sys::executable);
    if known.is_err() {
        return;
    }
    let program = base_name(file.as_bytes());
    let reader = programs::remover(program);
    let many = MULTI_CALL.contains(&program);
    if !many && reader.is_none() {
        return;
    }
    // Without a policy each call is refused.
    let Some(policy) = &state().policy else {
        return;
    };
    let refused = words::with_words(|words| {
        let (read, words) = match reader {
            Some(read) => (read, words),
            None => applet(words)?,
        };
        Some(judge_words(policy, read, words))
    });
    if refused == Some(Some(true)) {
        report::last_words();
        sys::exit_group(REFUSED);
    }
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// The reader of the program that one of many is run as, and that program's words.
fn applet<'w>(words: &'w [Word<'w>]) -> Option<(Reader, &'w [Word<'w>])> {
    let (first, rest) = words.split_first()?;
    let (name, words) = match rest.first() {
        Some(applet) if MULTI_CALL.contains(&base_name(first.prefix())) => (applet, rest),
        _ => (first, words),
    };
    Some((programs::remover(base_name(name.prefix()))?, words))
}

/// Whether any effect is refused; each that is, is told.
fn judge_words(policy: &Policy<'_>, read: Reader, words: &[Word<'_>]) -> bool {
    if sweeps_project(policy, read, words) {
        return true;
    }
    let mut refused = false;
    read(words, &mut |effect| {
        if let Some((act, place)) = tree(effect)
            && let Some(path) = place.resolve(words)
        {
            refused |= is_refused(policy, act, path.canonical());
        }
    });
    refused
}

/// Whether the words are all that lies at the top of the project; if so, it is told.
fn sweeps_project(policy: &Policy<'_>, read: Reader, words: &[Word<'_>]) -> bool {
    let mut cwd = Text::<PATH_MAX>::new();
    let sweeps = words.len() > sweep::NAMES_LEAST
        && cwd.fill(sys::getcwd).is_ok()
        && sweep::takes_all(policy, cwd.as_bytes(), read, words);
    if sweeps {
        let refusal = Refusal {
            rule: Rule::GlobBreadth,
            by: b"",
        };
        report::refusal(Deed::command(Act::Sweep), policy.project(), refusal);
    }
    sweeps
}

/// What an effect names, and how its path is found.
struct Place<'e> {
    directory: Directory,
    piece: Option<Piece>,
    below: &'e [u8],
    follow: bool,
}

/// The tree that an effect certainly takes.
fn tree(effect: Effect<'_>) -> Option<(Act, Place<'_>)> {
    let (act, place) = match effect {
        Effect::Path {
            act,
            path: Spelled { piece, directory },
            follow,
            certain: true,
        } => (
            act,
            Place {
                directory,
                piece: Some(piece),
                below: b"",
                follow: follow != Follow::No || act.follows_link(),
            },
        ),
        Effect::Here {
            act,
            directory,
            below,
            certain: true,
            ..
        } => (
            act,
            Place {
                directory,
                piece: None,
                below,
                follow: act.follows_link(),
            },
        ),
        _ => return None,
    };
    let takes_tree = matches!(
        act,
        Act::RemoveTree | Act::MoveAway | Act::Sweep | Act::Select
    );
    takes_tree.then_some((act, place))
}

impl Place<'_> {
    /// None: it cannot be told beforehand, or does not exist.
    fn resolve(&self, words: &[Word<'_>]) -> Option<PathBuffer> {
        let word = |piece: Piece| words.get(piece.index)?.prefix().get(piece.from..);
        let mut cwd = Text::<PATH_MAX>::new();
        cwd.fill(sys::getcwd).ok()?;
        let mut start = PathBuffer::new();
        let named = match self.directory {
            Directory::Current | Directory::TopLevel(None) => &b"."[..],
            Directory::Word(piece) | Directory::TopLevel(Some(piece)) => word(piece)?,
            Directory::Unresolved => return None,
        };
        canonicalise(&Disk, cwd.as_bytes(), named, true, &mut start).ok()?;
        if matches!(self.directory, Directory::TopLevel(_)) {
            start = top_level(start.canonical())?;
        }
        let spelled = match self.piece {
            Some(piece) => word(piece)?,
            None if self.below.is_empty() => b".",
            None => self.below,
        };
        let mut path = PathBuffer::new();
        canonicalise_below(&Disk, start.canonical(), spelled, self.follow, &mut path).ok()?;
        Some(path)
    }
}

/// The top of the work tree that holds a directory; the directory itself if there is none.
fn top_level(directory: Canonical<'_>) -> Option<PathBuffer> {
    for ancestor in directory.ancestors() {
        let mut top = PathBuffer::new();
        top.set(ancestor).ok()?;
        if top.push(b".git").is_ok() && Disk.lstat(top.as_bytes()).is_ok() {
            top.pop();
            return Some(top);
        }
    }
    let mut itself = PathBuffer::new();
    itself.set(directory).ok()?;
    Some(itself)
}

fn is_refused(policy: &Policy<'_>, act: Act, path: Canonical<'_>) -> bool {
    // What does not exist is not lost.
    let Ok(meta) = Disk.lstat(path.as_bytes()) else {
        return false;
    };
    // A single file that is moved is judged where it is.
    if act == Act::MoveAway && meta.kind != Kind::Directory {
        return false;
    }
    let subject = Subject {
        path,
        act,
        by: By::Program,
        kind: Some(meta.kind),
    };
    let refusal = match policy.judge(&subject) {
        Judgement::Refuse { rule, by } => Refusal { rule, by },
        Judgement::Allow(_) if takes_only_history(policy, &Disk, &subject) => {
            if decide::is_born_later(path) {
                return false;
            }
            Refusal {
                rule: Rule::VcsMetadata,
                by: b"",
            }
        }
        Judgement::Allow(_) => return false,
    };
    if decide::is_newborn(refusal, path) {
        return false;
    }
    report::refusal(Deed::command(act), Some(path), refusal);
    true
}
