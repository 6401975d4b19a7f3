//! Finding the policy of a session: project, files, defaults.

use core::fmt;

use crate::config::{Source, Statement};
use crate::contract::POLICY_MAX;
use crate::expand::Room;
use crate::figures::Digits;
use crate::files::{File, Message};
use crate::lines::Lines;
use crate::own::OwnFiles;
use crate::project::{Temporary, find_root, kind_behind, resolved};
use crate::repository::Repository;
use crate::scope::Scope;
use crate::text::Record;
use crate::{Canonical, Fs, Kind, PathBuffer, PolicyText, Preset, floor};

/// How many names a glob may expand to unless a file says otherwise.
const GLOB_BREADTH: u32 = 100;

/// What is known where a session begins. Paths as the environment gave them: they are resolved here, and
/// those that are not absolute are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The working directory; empty if it is not known.
    pub start: &'a [u8],
    /// `$HOME` first, then the password database's.
    pub homes: &'a [&'a [u8]],
    /// `$TMPDIR`.
    pub tmpdir: Option<&'a [u8]>,
    /// `$XDG_CONFIG_HOME`.
    pub config_home: Option<&'a [u8]>,
    /// `$XDG_STATE_HOME`.
    pub state_home: Option<&'a [u8]>,
    /// `$XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<&'a [u8]>,
    /// The real user id.
    pub uid: u32,
    /// When the session began: seconds and nanoseconds of the realtime clock.
    pub session_start: (i64, u32),
    /// Whether `blastradius run` begins the session.
    pub launched: bool,
    /// Files that belong to the guard itself, such as the library.
    pub guard_files: &'a [&'a [u8]],
    /// Presets that were turned on or off on the command line: they win over the user file.
    pub presets: &'a [(Preset, bool)],
}

/// Says whether a person has trusted what a project file holds.
pub trait Trust {
    /// Whether this very content of `file` is trusted.
    fn trusts(&self, file: &[u8], content: &[u8]) -> bool;
}

/// Trusts nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoTrust;

impl Trust for NoTrust {
    fn trusts(&self, _file: &[u8], _content: &[u8]) -> bool {
        false
    }
}

/// A policy that does not fit into [`crate::contract::POLICY_MAX`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the policy is longer than {POLICY_MAX} bytes")
    }
}

impl core::error::Error for Overflow {}

/// Finds the policy that holds where a session begins, and writes its text into `out`.
///
/// A file that cannot be read or understood is no error here: the text then is a policy in doubt
/// ([`crate::Policy::doubt`]), which refuses everything destructive. So it is after an overflow.
pub fn discover(
    fs: &(impl Fs + ?Sized),
    origin: &Origin<'_>,
    trust: &(impl Trust + ?Sized),
    out: &mut PolicyText,
) -> Result<(), Overflow> {
    let written = write(fs, origin, trust, out);
    if written.is_err() {
        write_overflow(origin, out)?;
    }
    written
}

/// A policy that says only that there is too much of it.
fn write_overflow(origin: &Origin<'_>, out: &mut PolicyText) -> Result<(), Overflow> {
    write_session_start(origin, out)?;
    write_figure(Record::Uid, origin.uid, out)?;
    let most = Digits::decimal(POLICY_MAX as u64);
    let message = [
        &b"the policy is longer than "[..],
        most.as_bytes(),
        b" bytes",
    ];
    out.record(Record::Doubt, &message)?;
    write_figure(Record::GlobBreadth, GLOB_BREADTH, out)?;
    out.finish()
}

/// Begins a text.
fn write_session_start(origin: &Origin<'_>, out: &mut PolicyText) -> Result<(), Overflow> {
    let (seconds, nanoseconds) = origin.session_start;
    out.begin()?;
    let sign: &[u8] = if seconds < 0 { b"-" } else { b"" };
    let whole = Digits::decimal(seconds.unsigned_abs());
    let fraction = Digits::decimal_of(9, nanoseconds.min(999_999_999).into());
    out.record(
        Record::SessionStart,
        &[sign, whole.as_bytes(), b".", fraction.as_bytes()],
    )?;
    match origin.launched {
        true => out.record(Record::Launched, &[]),
        false => Ok(()),
    }
}

fn write_figure(kind: Record, figure: u32, out: &mut PolicyText) -> Result<(), Overflow> {
    out.record(kind, &[Digits::decimal(figure.into()).as_bytes()])
}

/// Records come in the order of [`Record`]; what is written already is asked for what comes next.
fn write(
    fs: &(impl Fs + ?Sized),
    origin: &Origin<'_>,
    trust: &(impl Trust + ?Sized),
    out: &mut PolicyText,
) -> Result<(), Overflow> {
    write_session_start(origin, out)?;
    let start = Some(origin.start)
        .filter(|path| path.starts_with(b"/"))
        .and_then(|path| resolved(fs, path));
    let start = start.filter(|path| kind_behind(fs, path.as_bytes()) == Some(Kind::Directory));
    let start = start.as_ref().map(PathBuffer::canonical);
    if let Some(start) = start {
        out.record(Record::Start, &[start.as_bytes()])?;
    }
    write_homes(fs, origin, out)?;
    if let Some(directory) = runtime_dir(fs, origin, out) {
        out.record(Record::RuntimeDir, &[directory.as_bytes()])?;
    }
    write_figure(Record::Uid, origin.uid, out)?;

    let mut temporary = Temporary::find(fs, origin.tmpdir, || homes(out));
    let project = start.and_then(|start| find_root(fs, start, || homes(out), &temporary));
    if let Some(root) = project {
        temporary.heed_root(root);
        out.record(Record::Project, &[root.as_bytes()])?;
    }

    let home = homes(out).next().and_then(PathBuffer::holding);
    let home = home.as_ref().map(PathBuffer::canonical);
    let own = OwnFiles::find(origin, project, home);
    let mut doubt = Message::new();
    let mut room = Room::new();
    let mut of_project = File::new(Source::Project, own.project());
    let mut of_user = File::new(Source::User, own.user(fs));
    for file in [&mut of_project, &mut of_user] {
        file.read(fs, &mut doubt);
        file.check(fs, &file.bases(home, project), &mut room, &mut doubt);
    }
    if !doubt.is_empty() {
        out.record(Record::Doubt, &[doubt.as_bytes()])?;
        of_project.forget();
        of_user.forget();
    }
    write_figures([&of_project, &of_user], origin, out)?;
    own.write_guards(fs, origin, out)?;

    let repository = project.and_then(|root| Repository::find(fs, root));
    let repository =
        repository.filter(|found| found.is_kept_where(|path| holds_nobody(path, homes(out))));
    let trusted = of_project.is_trusted(trust);
    Scope {
        fs,
        project,
        repository: repository.as_ref(),
        temporary: &temporary,
        of_project: Lines::new(
            fs,
            &of_project,
            of_project.bases(home, project),
            trusted,
            &temporary,
        ),
        of_user: Lines::new(fs, &of_user, of_user.bases(home, project), true, &temporary),
    }
    .write(&mut room, out)?;
    out.finish()
}

/// The homes written so far.
pub(crate) fn homes(out: &PolicyText) -> impl Iterator<Item = Canonical<'_>> {
    out.written(Record::Home).filter_map(Canonical::new)
}

/// Each home as the disk has it, then as it was given, if that is another path.
fn write_homes(
    fs: &(impl Fs + ?Sized),
    origin: &Origin<'_>,
    out: &mut PolicyText,
) -> Result<(), Overflow> {
    for home in origin
        .homes
        .iter()
        .filter(|home| home.starts_with(b"/") && !home.contains(&0))
    {
        let mut given = PathBuffer::new();
        let given = given.push_lexically(home).is_ok().then_some(given);
        for path in [resolved(fs, home), given].iter().flatten() {
            if !homes(out).any(|known| known == path.canonical()) {
                out.record(Record::Home, &[path.as_bytes()])?;
            }
        }
    }
    Ok(())
}

/// Whether a directory is no home, above none, and no directory of the system.
fn holds_nobody<'h>(path: Canonical<'_>, mut homes: impl Iterator<Item = Canonical<'h>>) -> bool {
    floor::fixed(path).is_none() && !homes.any(|home| home.is_at_or_below(path))
}

/// `$XDG_RUNTIME_DIR`, if it is what it should be: a variable must not make a home a place of programs.
fn runtime_dir(
    fs: &(impl Fs + ?Sized),
    origin: &Origin<'_>,
    out: &PolicyText,
) -> Option<PathBuffer> {
    let given = origin.runtime_dir.filter(|path| path.starts_with(b"/"))?;
    resolved(fs, given).filter(|path| holds_nobody(path.canonical(), homes(out)))
}

/// The limit of a glob and the presets that are on. The user file wins over the project's, the command line
/// over both.
fn write_figures(
    files: [&File<'_>; 2],
    origin: &Origin<'_>,
    out: &mut PolicyText,
) -> Result<(), Overflow> {
    let mut breadth = GLOB_BREADTH;
    let mut on = Preset::ALL.map(Preset::on_by_default);
    for statement in files.into_iter().flat_map(File::statements) {
        match statement {
            Statement::GlobBreadth(value) => breadth = value,
            Statement::Preset(preset, value) => on[preset as usize] = value,
            Statement::Allow(_)
            | Statement::Deny(_)
            | Statement::State(_)
            | Statement::Declared(_) => {}
        }
    }
    for &(preset, value) in origin.presets {
        on[preset as usize] = value;
    }
    write_figure(Record::GlobBreadth, breadth, out)?;
    for preset in Preset::ALL
        .into_iter()
        .filter(|preset| on[*preset as usize])
    {
        out.record(Record::Preset, &[preset.name().as_bytes()])?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
