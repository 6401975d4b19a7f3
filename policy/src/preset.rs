//! Places where programs keep files of their own, by name.

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
        LINES
            .iter()
            .filter(move |line| line.preset == self)
            .map(|line| line.text)
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
        let line = LINES
            .iter()
            .find(|line| line.place == place && is_on(line.preset) && line.holds(below))?;
        Some(line.text.as_bytes())
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
    if crate::text::number(name) == Some(u64::from(places.uid)) {
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

struct Line {
    preset: Preset,
    place: Place,
    text: &'static str,
}

impl Line {
    /// Whether it holds what lies at `below` in its place, or a directory above it.
    fn holds(&self, below: &[u8]) -> bool {
        let start = match self.place {
            Place::Home => "~/".len(),
            Place::Root => "/".len(),
            Place::Runtime | Place::UserRuntime => return true,
        };
        let pattern = &self.text.as_bytes()[start..];
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

const fn cache(text: &'static str) -> Line {
    Line {
        preset: Preset::Caches,
        place: Place::Home,
        text,
    }
}

const fn agent(text: &'static str) -> Line {
    Line {
        preset: Preset::Agents,
        place: Place::Home,
        text,
    }
}

const fn system(text: &'static str) -> Line {
    Line {
        preset: Preset::SystemPackages,
        place: Place::Root,
        text,
    }
}

const LINES: [Line; 55] = [
    // Caches that their program can fill again.
    cache("~/.cache/**"),
    cache("~/Library/Caches/**"),
    cache("~/.npm/**"),
    cache("~/.node-gyp/**"),
    cache("~/.pnpm-store/**"),
    cache("~/.local/share/pnpm/store/**"),
    cache("~/.yarn/berry/cache/**"),
    cache("~/.bun/install/cache/**"),
    cache("~/.cargo/registry/**"),
    cache("~/.cargo/git/**"),
    cache("~/.cargo/.*"),
    cache("~/.rustup/tmp/**"),
    cache("~/.rustup/downloads/**"),
    cache("~/go/pkg/**"),
    cache("~/.gradle/caches/**"),
    cache("~/.gradle/daemon/**"),
    cache("~/.m2/repository/**"),
    cache("~/.nuget/packages/**"),
    cache("~/.ccache/**"),
    // Histories and other small files that programs rewrite.
    cache("~/.local/state/**"),
    cache("~/.bash_history*"),
    cache("~/.zsh_history*"),
    cache("~/.zsh_sessions/**"),
    cache("~/.zcompdump*"),
    cache("~/.local/share/fish/fish_history*"),
    cache("~/.python_history*"),
    cache("~/.node_repl_history*"),
    cache("~/.irb_history*"),
    cache("~/.sqlite_history*"),
    cache("~/.psql_history*"),
    cache("~/.mysql_history*"),
    cache("~/.lesshst*"),
    cache("~/.viminfo*"),
    cache("~/.wget-hsts*"),
    cache("~/.gitconfig*"),
    cache("~/.ssh/known_hosts*"),
    // What lives no longer than a session.
    Line {
        preset: Preset::Caches,
        place: Place::Root,
        text: "/dev/shm/**",
    },
    Line {
        preset: Preset::Caches,
        place: Place::Root,
        text: "/proc/self/**",
    },
    Line {
        preset: Preset::Caches,
        place: Place::Runtime,
        text: "$XDG_RUNTIME_DIR/**",
    },
    Line {
        preset: Preset::Caches,
        place: Place::UserRuntime,
        text: "/run/user/UID/**",
    },
    agent("~/.claude*"),
    agent("~/.local/share/claude/**"),
    agent("~/.codex/**"),
    agent("~/.gemini/**"),
    agent("~/.cursor/**"),
    agent("~/.copilot/**"),
    agent("~/.config/opencode/**"),
    agent("~/.local/share/opencode/**"),
    agent("~/.config/goose/**"),
    agent("~/.local/share/goose/**"),
    agent("~/.aider*"),
    agent("~/.qwen/**"),
    system("/usr/**"),
    system("/etc/**"),
    system("/var/**"),
];

#[cfg(test)]
mod tests;
