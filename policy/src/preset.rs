//! Places where programs keep files of their own, by name.

use crate::packed::{Packed, packed};
use crate::path::same_bytes;
use crate::{Canonical, glob};

/// A named list of `state` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Caches, lock files and histories.
    Caches,
    /// The agents' own directories.
    Agents,
    /// What a package manager of the system owns; off unless asked for.
    SystemPackages,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 3] = [Self::Caches, Self::Agents, Self::SystemPackages];

    /// The name in a file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caches => "caches",
            Self::Agents => "agents",
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

    /// Its lines, as a person would write them.
    pub fn lines(self) -> impl Iterator<Item = &'static str> {
        lines()
            .filter(move |line| line.preset == self)
            .filter_map(|line| core::str::from_utf8(line.text).ok())
    }
}

/// The directories that the lines of presets are relative to.
pub(crate) struct Places<'p, I> {
    pub(crate) homes: I,
    pub(crate) runtime_dir: Option<Canonical<'p>>,
    pub(crate) uid: u32,
}

/// The line of a preset that is on and holds `path`.
pub(crate) fn find<'p>(
    path: Canonical<'_>,
    places: Places<'p, impl Iterator<Item = Canonical<'p>>>,
    is_on: impl Fn(Preset) -> bool,
) -> Option<&'static [u8]> {
    let held = |place: Place, below: &[u8]| {
        let line =
            lines().find(|line| line.place == place && is_on(line.preset) && line.holds(below))?;
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

struct Line {
    preset: Preset,
    place: Place,
    text: &'static [u8],
}

fn lines() -> impl Iterator<Item = Line> {
    LINES.filter_map(|(tag, text)| {
        Some(Line {
            preset: *Preset::ALL.get(usize::from(tag >> PLACE_BITS))?,
            place: *Place::ALL.get(usize::from(tag & ((1 << PLACE_BITS) - 1)))?,
            text,
        })
    })
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

/// Of a tag; the preset comes above them.
const PLACE_BITS: u32 = 2;

const fn tag(preset: Preset, place: Place) -> u8 {
    (preset as u8) << PLACE_BITS | place as u8
}

const CACHE: u8 = tag(Preset::Caches, Place::Home);
const SHORT_LIVED: u8 = tag(Preset::Caches, Place::Root);
const RUNTIME: u8 = tag(Preset::Caches, Place::Runtime);
const USER_RUNTIME: u8 = tag(Preset::Caches, Place::UserRuntime);
const AGENT: u8 = tag(Preset::Agents, Place::Home);
const SYSTEM: u8 = tag(Preset::SystemPackages, Place::Root);

const LINES: Packed = packed!(&[
    // Caches that their program can fill again.
    (CACHE, "~/.cache/**"),
    (CACHE, "~/Library/Caches/**"),
    (CACHE, "~/.npm/**"),
    (CACHE, "~/.node-gyp/**"),
    (CACHE, "~/.pnpm-store/**"),
    (CACHE, "~/.local/share/pnpm/store/**"),
    (CACHE, "~/.yarn/berry/cache/**"),
    (CACHE, "~/.bun/install/cache/**"),
    (CACHE, "~/.cargo/registry/**"),
    (CACHE, "~/.cargo/git/**"),
    (CACHE, "~/.cargo/.*"),
    (CACHE, "~/.rustup/tmp/**"),
    (CACHE, "~/.rustup/downloads/**"),
    (CACHE, "~/go/pkg/**"),
    (CACHE, "~/.gradle/caches/**"),
    (CACHE, "~/.gradle/daemon/**"),
    (CACHE, "~/.m2/repository/**"),
    (CACHE, "~/.nuget/packages/**"),
    (CACHE, "~/.ccache/**"),
    // Histories and other small files that programs rewrite.
    (CACHE, "~/.local/state/**"),
    (CACHE, "~/.bash_history*"),
    (CACHE, "~/.zsh_history*"),
    (CACHE, "~/.zsh_sessions/**"),
    (CACHE, "~/.zcompdump*"),
    (CACHE, "~/.local/share/fish/fish_history*"),
    (CACHE, "~/.python_history*"),
    (CACHE, "~/.node_repl_history*"),
    (CACHE, "~/.irb_history*"),
    (CACHE, "~/.sqlite_history*"),
    (CACHE, "~/.psql_history*"),
    (CACHE, "~/.mysql_history*"),
    (CACHE, "~/.lesshst*"),
    (CACHE, "~/.viminfo*"),
    (CACHE, "~/.wget-hsts*"),
    (CACHE, "~/.gitconfig*"),
    (CACHE, "~/.ssh/known_hosts*"),
    // What lives no longer than a session.
    (SHORT_LIVED, "/dev/shm/**"),
    (SHORT_LIVED, "/proc/self/**"),
    // The table of `mount`.
    (SHORT_LIVED, "/run/mount/**"),
    (RUNTIME, "$XDG_RUNTIME_DIR/**"),
    (USER_RUNTIME, "/run/user/UID/**"),
    (AGENT, "~/.claude*"),
    (AGENT, "~/.local/share/claude/**"),
    (AGENT, "~/.codex/**"),
    (AGENT, "~/.gemini/**"),
    (AGENT, "~/.cursor/**"),
    (AGENT, "~/.copilot/**"),
    (AGENT, "~/.config/opencode/**"),
    (AGENT, "~/.local/share/opencode/**"),
    (AGENT, "~/.config/goose/**"),
    (AGENT, "~/.local/share/goose/**"),
    (AGENT, "~/.aider*"),
    (AGENT, "~/.qwen/**"),
    (SYSTEM, "/usr/**"),
    (SYSTEM, "/etc/**"),
    (SYSTEM, "/var/**"),
]);

#[cfg(test)]
mod tests;
