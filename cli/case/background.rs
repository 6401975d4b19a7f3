//! What is known beside a call: how the guards are set, and what the session has done before.

use std::sync::LazyLock;

/// What is known beside a call.
#[derive(Clone, Debug, Default)]
pub struct Background {
    /// How the guards are set.
    pub settings: Settings,
    pub(crate) past: Past,
}

impl Background {
    /// Nothing: guards as they are, and no session.
    #[must_use]
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Background> = LazyLock::new(Background::default);
        &NONE
    }
}

/// How the guards are set.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Lines of the user file that loosen a guard, without those that a project takes back.
    pub lines: Vec<(String, Setting)>,
    /// `limit session-removals N`
    pub session_removals: Option<u32>,
    /// `log all`
    pub log_all: bool,
    /// Lines that mean nothing: they have no effect, and a person is told.
    pub mistakes: Vec<String>,
}

/// What a `guard` line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `off`
    Off,
    /// `allow PATTERN`
    Allow(String),
}

impl Settings {
    /// Whether a guard is on.
    #[must_use]
    pub fn is_on(&self, id: &str) -> bool {
        !self.of(id).any(|setting| *setting == Setting::Off)
    }

    /// The patterns that a guard lets pass.
    pub fn allowed(&self, id: &str) -> impl Iterator<Item = &str> {
        self.of(id).filter_map(|setting| match setting {
            Setting::Allow(pattern) => Some(pattern.as_str()),
            Setting::Off => None,
        })
    }

    fn of(&self, id: &str) -> impl Iterator<Item = &Setting> {
        self.lines
            .iter()
            .filter(move |(known, _)| known == id)
            .map(|(_, setting)| setting)
    }
}

/// What the session has done before this call, as far as its ledger tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Files whose whole content it has given: canonical paths.
    pub(crate) written: Vec<Vec<u8>>,
    /// Files that hold what a secret file held, and the name of that.
    pub(crate) secrets: Vec<(Vec<u8>, Vec<u8>)>,
    /// What was refused.
    pub(crate) refused: Vec<RefusedBefore>,
    /// How many things it has removed.
    pub(crate) removed: u64,
}

/// A target that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefusedBefore {
    pub(crate) path: Vec<u8>,
    pub(crate) program: Vec<u8>,
    pub(crate) rule: String,
}

impl Past {
    /// Whether the session has written a whole file.
    pub(crate) fn wrote(&self, path: &[u8]) -> bool {
        self.written.iter().any(|known| known == path)
    }
}
