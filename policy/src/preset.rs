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
                    word: leave.word(),
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
    /// What it lets happen.
    pub word: &'static str,
    /// Which program needs it, and what would be lost at worst.
    pub reason: &'static str,
}

/// The directories that the lines of presets are relative to.
pub(crate) struct Places<'p, I> {
    pub(crate) homes: I,
    pub(crate) runtime_dir: Option<Canonical<'p>>,
    pub(crate) uid: u32,
}

/// The line of a preset that is on and lets the act happen. Of lines that hold a path the first counts.
pub(crate) fn find<'p>(
    subject: &Subject<'_>,
    places: Places<'p, impl Iterator<Item = Canonical<'p>>>,
    is_on: impl Fn(Preset) -> bool,
) -> Option<&'static [u8]> {
    let path = subject.path;
    let held = |place: Place, below: &[u8]| {
        let line =
            lines().find(|line| line.place == place && is_on(line.preset) && line.holds(below))?;
        line.leave.lets(subject).then_some(line.text)
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
    /// Another file under the same name; a file that is opened and emptied by mistake is not lost.
    Replace,
    /// Another content under the same name: a sweep of the home does not take it along.
    Rewrite,
    /// The same, and files may be moved elsewhere, links removed: that is how package managers replace their own.
    Reinstall,
}

impl Leave {
    const ALL: [Self; 4] = [
        Self::Anything,
        Self::Replace,
        Self::Rewrite,
        Self::Reinstall,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Anything => "state",
            Self::Replace => "replace",
            Self::Rewrite => "rewrite",
            Self::Reinstall => "reinstall",
        }
    }

    /// A move within a directory is judged as a replacement where the move itself is refused (`calls/rename.rs`).
    fn lets(self, subject: &Subject<'_>) -> bool {
        let reinstalls = self == Self::Reinstall;
        match (subject.act, subject.kind) {
            _ if self == Self::Anything => true,
            (Act::Replace | Act::Append, _) => true,
            (Act::Truncate | Act::Overwrite, _) => self != Self::Replace,
            (Act::Remove, Some(Kind::Symlink)) => reinstalls,
            (Act::MoveAway, Some(Kind::File | Kind::Symlink)) => reinstalls,
            _ => false,
        }
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

/// Of a tag: what it lets happen comes above the place, the preset above both.
const PLACE_BITS: u32 = 2;
const LEAVE_BITS: u32 = 2;

const fn tag(preset: Preset, place: Place, leave: Leave) -> u8 {
    ((preset as u8) << LEAVE_BITS | leave as u8) << PLACE_BITS | place as u8
}

fn read(tag: u8) -> Option<(Preset, Place, Leave)> {
    let below = |bits: u32, value: u8| usize::from(value & ((1 << bits) - 1));
    let above_place = tag >> PLACE_BITS;
    Some((
        *Preset::ALL.get(usize::from(above_place >> LEAVE_BITS))?,
        *Place::ALL.get(below(PLACE_BITS, tag))?,
        *Leave::ALL.get(below(LEAVE_BITS, above_place))?,
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
