//! Landlock, for where no supervisor is to be had: nothing can be removed, renamed or emptied in the directories of
//! the system.
//!
//! Landlock grants, and what it grants holds for all that lies below; it knows neither what a program has made itself
//! nor a file that is kept in a directory whose others are not. Wherever programs put files in place by a new name
//! (homes, caches, other repositories) everything is granted, then, because a lock that cannot be removed again is
//! worse than none. What is left are the directories in which the policy lets nobody remove anything.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use blastradius_policy::{EntryKind, Policy, Preset};
use landlock::{
    AccessFs, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, RestrictSelfError,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus,
};
use nix::libc::SIGCHLD;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{Access, AtFlags, CWD};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};

use super::sys;

/// Directories at the root in which nothing is removed, unless the policy has a line for it. Not those in which it
/// means nothing (`/proc`, `/sys`), nor `/dev`, where terminals and shared memory come and go.
const KEPT: [&str; 9] = [
    "bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr",
];

/// What is granted below them: a directory, and how the names begin that are meant.
const GRANTED: [(&str, &[u8]); 5] = [
    // What the owner of a machine installs: `make install`, `pip`, `npm -g`.
    ("/usr", b"local"),
    // Sources, which may be a project.
    ("/usr", b"src"),
    // Compiled modules get their names when they are whole.
    ("/usr/lib", b"python"),
    ("/usr/lib64", b"python"),
    // `npm -g`.
    ("/usr/lib", b"node_modules"),
];

/// What holds from now on.
#[derive(Debug)]
pub(crate) struct Wall {
    kept: Vec<PathBuf>,
    /// Whether emptying a file is refused, too (Linux 6.2).
    keeps_contents: bool,
}

/// Why nothing is put on.
#[derive(Debug)]
pub(crate) enum Without {
    /// The kernel has none that would do, or a sandbox forbids it.
    NotHere,
    /// This user can change nothing of the system's anyway.
    NothingToKeep,
    /// Sandboxes that a program may start would not start.
    Sandboxes,
    /// One lies within the other, and the kernel has room for no more.
    TooMany,
    /// It did not work.
    Failed(io::Error),
}

impl std::fmt::Display for Wall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, place) in self.kept.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                _ if index + 1 == self.kept.len() => " and ",
                _ => ", ",
            })?;
            write!(f, "{}", place.display())?;
        }
        f.write_str(match self.keeps_contents {
            true => "",
            false => " (from removal alone: this kernel cannot keep files from being emptied)",
        })
    }
}

impl std::fmt::Display for Without {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotHere => f.write_str("Landlock is not to be had either"),
            Self::NothingToKeep => {
                f.write_str("Landlock would keep nothing that this user can change")
            }
            Self::Sandboxes => f.write_str(
                "Landlock is left out, because sandboxes such as bwrap do not start below it (--require landlock puts it on all the same)",
            ),
            Self::TooMany => f.write_str("there is no room for one more sandbox of Landlock"),
            Self::Failed(error) => write!(f, "Landlock cannot be put on: {error}"),
        }
    }
}

/// Puts it on this process and all that comes of it. Where it is not `required`, only if nothing breaks by it.
///
/// # Errors
/// Where it is not put on. Then this process is as it was.
pub(crate) fn put_on(policy: &Policy<'_>, required: bool) -> Result<Wall, Without> {
    let rules = ruleset()?;
    let plan = match required {
        true => Plan::of(policy).map_err(Without::Failed)?,
        false => Plan::that_breaks_nothing(policy)?,
    };
    let keeps_contents = restrict(grant(rules, &plan.granted)?)?;
    Ok(Wall {
        kept: plan.kept,
        keeps_contents,
    })
}

/// What it would keep, if it were put on.
///
/// # Errors
/// Where it would not be.
pub(crate) fn outlook(policy: &Policy<'_>) -> Result<Wall, Without> {
    ruleset()?;
    let plan = Plan::that_breaks_nothing(policy)?;
    Ok(Wall {
        kept: plan.kept,
        keeps_contents: true,
    })
}

/// Puts it on this process so that nothing but what lies in one directory can be removed.
///
/// # Errors
/// Where that does not work.
pub(crate) fn keep_all_but(place: &Path) -> Result<(), Without> {
    restrict(grant(ruleset()?, &[place.to_owned()])?).map(drop)
}

fn grant(rules: RulesetCreated, places: &[PathBuf]) -> Result<RulesetCreated, Without> {
    places
        .iter()
        // What cannot be found any more needs nothing.
        .filter_map(|place| PathFd::new(place).ok())
        .try_fold(rules, |rules, place| {
            rules.add_rule(PathBeneath::new(place, rights()))
        })
        .map_err(failed)
}

/// What is refused where it is not granted. Not to make and to write: what has been made and cannot be removed again
/// would be left behind all the same, and every terminal is opened to write.
fn rights() -> BitFlags<AccessFs> {
    AccessFs::RemoveFile | AccessFs::RemoveDir | AccessFs::Refer | AccessFs::Truncate
}

fn ruleset() -> Result<RulesetCreated, Without> {
    Ruleset::default()
        // Without it (before Linux 5.19) nothing could be moved to another directory, wherever it is.
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::Refer)
        .map_err(|_| Without::NotHere)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(rights())
        .and_then(Ruleset::create)
        .map_err(failed)
}

/// Whether emptying a file is refused, too.
fn restrict(rules: RulesetCreated) -> Result<bool, Without> {
    // Whoever may do without keeps the rights that programs such as sudo would gain.
    let again = rules.try_clone().map_err(Without::Failed)?;
    let status = rules
        .no_new_privs(false)
        .restrict_self()
        .or_else(|_| again.no_new_privs(true).restrict_self())
        .map_err(|error| match error {
            RulesetError::RestrictSelf(RestrictSelfError::RestrictSelfCall { source, .. })
                if source.raw_os_error() == Some(Errno::TOOBIG.raw_os_error()) =>
            {
                Without::TooMany
            }
            error => failed(error),
        })?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(true),
        RulesetStatus::PartiallyEnforced => Ok(false),
        RulesetStatus::NotEnforced => Err(Without::NotHere),
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Without {
    Without::Failed(io::Error::other(error))
}

/// Whether we may put another file into a directory.
fn can_change(place: &Path) -> bool {
    rustix::fs::accessat(CWD, place, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

/// Whether something can be mounted by what is started here, which Landlock forbids.
fn can_start_sandboxes() -> bool {
    // Of children that are ignored nobody is told how they end.
    let ignores_children = sys::by_default(SIGCHLD);
    let child = sys::fork(|| {
        let alone = unshare(CloneFlags::CLONE_NEWNS)
            .or_else(|_| unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS));
        let flags = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
        const NONE: Option<&str> = None;
        let mounted = alone.and_then(|()| mount(NONE, "/", NONE, flags, NONE));
        std::process::exit(i32::from(mounted.is_err()))
    });
    let status = child.and_then(|child| {
        let child = Pid::from_raw(child.as_raw());
        Ok(waitpid(child, WaitOptions::empty())?)
    });
    if ignores_children {
        sys::ignore(SIGCHLD);
    }
    // Where it cannot be tried, nothing is broken.
    !matches!(status, Ok(Some((_, status))) if status.exit_status() == Some(1))
}

/// What is kept, and where everything is granted.
#[derive(Debug, Default)]
struct Plan {
    kept: Vec<PathBuf>,
    granted: Vec<PathBuf>,
}

impl Plan {
    fn that_breaks_nothing(policy: &Policy<'_>) -> Result<Self, Without> {
        let plan = Self::of(policy).map_err(Without::Failed)?;
        if !plan.kept.iter().any(|place| can_change(place)) {
            return Err(Without::NothingToKeep);
        }
        match can_start_sandboxes() {
            true => Err(Without::Sandboxes),
            false => Ok(plan),
        }
    }

    fn of(policy: &Policy<'_>) -> io::Result<Self> {
        let mut plan = Self::default();
        for entry in fs::read_dir("/")? {
            let entry = entry?;
            // What a link leads to has a name of its own, and what is no directory is kept.
            if entry.file_type()?.is_dir() {
                match KEPT.iter().any(|name| entry.file_name() == *name) {
                    true => plan.kept.push(entry.path()),
                    false => plan.granted.push(entry.path()),
                }
            }
        }
        for (folder, start) in GRANTED {
            let names = fs::read_dir(folder).into_iter().flatten().flatten();
            let meant = names.filter(|entry| entry.file_name().as_bytes().starts_with(start));
            plan.granted.extend(meant.map(|entry| entry.path()));
        }
        for place in claims(policy) {
            if place == Path::new(ROOT) {
                // It may be about any directory.
                plan.granted.append(&mut plan.kept);
            } else if let Some(there) = nearest(&place).filter(|there| *there != Path::new(ROOT)) {
                plan.granted.push(there.to_owned());
            }
        }
        let granted = &plan.granted;
        plan.kept.retain(|place| !granted.contains(place));
        plan.kept.sort_unstable();
        Ok(plan)
    }
}

const ROOT: &str = "/";

/// Directories in which somebody may change something, whatever lies around them: the project, homes, and those that
/// a line of the policy begins with.
fn claims(policy: &Policy<'_>) -> Vec<PathBuf> {
    use EntryKind::{AllowDefault, AllowUser, StateRepository, StateUser};
    let lines = policy
        .entries()
        .filter(|entry| {
            matches!(
                entry.kind,
                AllowDefault | AllowUser | StateRepository | StateUser
            )
        })
        .filter_map(|entry| begin(entry.pattern));
    let presets = Preset::ALL
        .into_iter()
        .filter(|preset| policy.is_on(*preset))
        .flat_map(Preset::lines)
        .filter_map(|line| begin(line.pattern.as_bytes()));
    let homes = policy.homes().filter(|home| !home.is_root());
    let paths = homes.chain(policy.project());
    lines
        .chain(presets)
        .chain(paths.map(|path| to_path(path.as_bytes())))
        .collect()
}

fn to_path(bytes: &[u8]) -> PathBuf {
    Path::new(OsStr::from_bytes(bytes)).to_owned()
}

/// The directory that everything that a pattern matches lies in. None for one that is relative to another place.
fn begin(pattern: &[u8]) -> Option<PathBuf> {
    let is_special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'\\');
    let literal = match pattern.iter().position(is_special) {
        Some(end) => &pattern[..end],
        None => pattern,
    };
    let directory = match literal.iter().rposition(|byte| *byte == b'/')? {
        // A directory at the root, by its name.
        0 if literal == pattern => pattern,
        0 => b"/",
        slash => &literal[..slash],
    };
    pattern.starts_with(b"/").then(|| to_path(directory))
}

/// The deepest directory on the way to a path that is there.
fn nearest(path: &Path) -> Option<&Path> {
    path.ancestors().find(|place| place.is_dir())
}

#[cfg(test)]
mod tests {
    use super::begin;
    use std::path::Path;

    #[test]
    fn a_pattern_begins_where_all_that_it_matches_lies() {
        for (pattern, place) in [
            ("/etc/**", Some("/etc")),
            ("/etc/app/*.conf", Some("/etc/app")),
            ("/etc/app", Some("/etc")),
            ("/usr/lib/x?/**", Some("/usr/lib")),
            ("/usr/[[]x/**", Some("/usr")),
            ("/data", Some("/data")),
            ("/da*", Some("/")),
            ("/**/x", Some("/")),
            ("~/.cache/**", None),
        ] {
            assert_eq!(
                begin(pattern.as_bytes()).as_deref(),
                place.map(Path::new),
                "{pattern}"
            );
        }
    }
}
