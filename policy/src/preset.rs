//! Places where programs keep files of their own, by name.

mod table;

use crate::path::same_bytes;
use crate::{Act, Canonical, Kind, Subject, glob};

use table::LINES;

/// A named list of `state` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// What programs keep to be faster, and what lives no longer than a session.
    Caches,
    /// The agents' own directories.
    Agents,
    /// Settings, credentials and histories that programs rewrite for a person.
    Settings,
    /// What package managers install for one user.
    Tools,
    /// What a package manager of the system owns; off unless asked for.
    SystemPackages,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [
        Self::Caches,
        Self::Agents,
        Self::Settings,
        Self::Tools,
        Self::SystemPackages,
    ];

    /// The name in a file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caches => "caches",
            Self::Agents => "agents",
            Self::Settings => "settings",
            Self::Tools => "tools",
            Self::SystemPackages => "system-packages",
        }
    }

    /// The preset of that name.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name().as_bytes() == name)
    }

    /// Whether it is on unless a person turns it off.
    #[must_use]
    pub const fn on_by_default(self) -> bool {
        !matches!(self, Self::SystemPackages)
    }

    /// Its lines, with their reasons. The library asks for none, and holds none.
    pub fn lines(self) -> impl Iterator<Item = StateLine> {
        table::ROWS
            .iter()
            .filter_map(move |&(tag, pattern, reason)| {
                let (preset, _, leave) = read(tag)?;
                (preset == self).then_some(StateLine {
                    pattern,
                    stays: leave == Leave::Rewrite,
                    reason,
                })
            })
    }
}

/// One line of a preset, for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLine {
    /// As a person would write it.
    pub pattern: &'static str,
    /// Whether what it names may be rewritten and moved, and not removed.
    pub stays: bool,
    /// Which program needs it, and what would be lost at worst.
    pub reason: &'static str,
}

/// The directories that the lines of presets are relative to.
pub(crate) struct Places<'p, I> {
    pub(crate) homes: I,
    pub(crate) runtime_dir: Option<Canonical<'p>>,
    pub(crate) uid: u32,
}

/// The line of a preset that is on and lets the act happen.
pub(crate) fn find<'p>(
    subject: &Subject<'_>,
    places: Places<'p, impl Iterator<Item = Canonical<'p>>>,
    is_on: impl Fn(Preset) -> bool,
) -> Option<&'static [u8]> {
    let path = subject.path;
    let rewrites = loses_no_name(subject);
    let held = |place: Place, below: &[u8]| {
        let line = lines().find(|line| {
            line.place == place
                && (rewrites || line.leave == Leave::Anything)
                && is_on(line.preset)
                && line.holds(below)
        })?;
        Some(line.text)
    };
    if let Some(line) = held(Place::Root, path.below(Canonical::ROOT)?) {
        return Some(line);
    }
    for home in places.homes {
        if let Some(line) = path.below(home).and_then(|below| held(Place::Home, below)) {
            return Some(line);
        }
    }
    let runtime = places
        .runtime_dir
        .and_then(|directory| path.below(directory));
    if let Some(line) = runtime.and_then(|below| held(Place::Runtime, below)) {
        return Some(line);
    }
    let of_user = path.below(Canonical::literal(b"/run/user"))?;
    let name = of_user.split(|&byte| byte == b'/').next()?;
    if crate::number(name) == Some(u64::from(places.uid)) {
        return held(Place::UserRuntime, of_user);
    }
    None
}

/// What a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// `~/`
    Home,
    /// `/`
    Root,
    /// `$XDG_RUNTIME_DIR/`
    Runtime,
    /// `/run/user/UID/`
    UserRuntime,
}

impl Place {
    const ALL: [Self; 4] = [Self::Home, Self::Root, Self::Runtime, Self::UserRuntime];
}

/// What a line lets happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    /// Everything that a program does with files of its own.
    Anything,
    /// Another content under the same name, or the same content under another: a sweep of the home does not take
    /// it along.
    Rewrite,
}

/// Whether an act is one that [`Leave::Rewrite`] is for. A symbolic link holds nothing: it is made anew by being
/// removed first.
const fn loses_no_name(subject: &Subject<'_>) -> bool {
    match subject.act {
        Act::Replace | Act::Truncate | Act::Overwrite | Act::Append | Act::MoveAway => true,
        Act::Remove => matches!(subject.kind, Some(Kind::Symlink)),
        Act::RemoveTree | Act::Sweep | Act::Select => false,
    }
}

struct Line {
    preset: Preset,
    place: Place,
    leave: Leave,
    text: &'static [u8],
}

fn lines() -> impl Iterator<Item = Line> {
    LINES.filter_map(|(tag, text)| {
        let (preset, place, leave) = read(tag)?;
        Some(Line {
            preset,
            place,
            leave,
            text,
        })
    })
}

const PLACE_BITS: u32 = 2;
const REWRITE: u8 = 1 << PLACE_BITS;
/// Of a tag; the preset comes above them.
const BELOW_PRESET: u32 = PLACE_BITS + 1;

const fn tag(preset: Preset, place: Place) -> u8 {
    (preset as u8) << BELOW_PRESET | place as u8
}

fn read(tag: u8) -> Option<(Preset, Place, Leave)> {
    let leave = if tag & REWRITE == 0 {
        Leave::Anything
    } else {
        Leave::Rewrite
    };
    Some((
        *Preset::ALL.get(usize::from(tag >> BELOW_PRESET))?,
        *Place::ALL.get(usize::from(tag & (REWRITE - 1)))?,
        leave,
    ))
}

impl Line {
    /// Whether it holds what lies at `below` in its place, or a directory above it.
    fn holds(&self, below: &[u8]) -> bool {
        let start = match self.place {
            Place::Home => "~/".len(),
            Place::Root => "/".len(),
            Place::Runtime | Place::UserRuntime => return true,
        };
        let pattern = &self.text[start..];
        // Most lines differ in their first bytes: the matcher need not be asked.
        let head = pattern
            .split(|&byte| matches!(byte, b'/' | b'*'))
            .next()
            .unwrap_or(b"");
        if !below
            .get(..head.len())
            .is_some_and(|begin| same_bytes(begin, head))
        {
            return false;
        }
        let outcome = glob::run(pattern, below);
        outcome.exact || outcome.above
    }
}

#[cfg(test)]
mod tests;
