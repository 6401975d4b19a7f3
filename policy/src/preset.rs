//! Places where programs keep files of their own.

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
}
