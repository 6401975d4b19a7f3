//! The policy that holds for this process.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use blastradius_policy::{Canonical, Origin, Policy, PolicyText, Preset, Trust, discover};

use super::Environment;
use crate::disk::Remembered;
use crate::library;
use crate::message::{Failure, escape};

/// What a person asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of presets to switch on.
    pub presets: Vec<Preset>,
    /// Where the project is looked for, if not in the working directory.
    pub start: Option<std::path::PathBuf>,
}

/// The policy in force, in the form in which it travels.
pub struct Effective {
    text: Vec<u8>,
    inherited: bool,
}

impl Effective {
    /// The policy that holds here, with what this user trusts and nothing asked for.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn here(environment: &Environment) -> Result<Self, Failure> {
        let trust = super::TrustFile::of(environment);
        Self::find(environment, &Options::default(), &trust)
    }

    /// The policy of the guarded session that this process runs in, else the one that its surroundings lead to.
    ///
    /// # Errors
    /// When an inherited policy is damaged, or when the files declare more than a policy can carry.
    pub fn find(
        environment: &Environment,
        options: &Options,
        trust: &(impl Trust + ?Sized),
    ) -> Result<Self, Failure> {
        match environment.inherited_policy() {
            Some(text) => Self::inherit(text),
            None => Self::discover(environment, options, trust),
        }
    }

    fn inherit(text: &[u8]) -> Result<Self, Failure> {
        let effective = Self {
            text: text.to_vec(),
            inherited: true,
        };
        match Policy::parse(&effective.text) {
            Ok(_) => Ok(effective),
            Err(_) => Err(Failure::new(
                "BLASTRADIUS_POLICY is damaged, so the policy of this session is not known",
            )
            .hint("leave the variable alone: it is set by `blastradius run` for what it starts")),
        }
    }

    /// Builds the policy from the surroundings, whatever was inherited.
    ///
    /// # Errors
    /// When the files declare more than a policy can carry.
    pub fn discover(
        environment: &Environment,
        options: &Options,
        trust: &(impl Trust + ?Sized),
    ) -> Result<Self, Failure> {
        let homes: Vec<&[u8]> = [
            environment.directory("HOME"),
            environment.account_home.as_deref(),
        ]
        .into_iter()
        .flatten()
        .map(bytes)
        .collect();
        let working_directory = super::working_directory();
        let start = options.start.as_deref().or(working_directory.as_deref());
        let mut own = library::places(environment);
        if let Some(state) = environment.state_home() {
            let state = state.join("blastradius");
            own.push(state.join("sessions"));
            own.extend(crate::log::older(&state.join("log")));
        }
        let guard_files: Vec<&[u8]> = own.iter().map(|place| bytes(place)).collect();
        let presets: Vec<(Preset, bool)> = options
            .presets
            .iter()
            .map(|preset| (*preset, true))
            .collect();
        let origin = Origin {
            start: start.map_or(&b""[..], bytes),
            homes: &homes,
            tmpdir: environment.directory("TMPDIR").map(bytes),
            config_home: environment.directory("XDG_CONFIG_HOME").map(bytes),
            state_home: environment.directory("XDG_STATE_HOME").map(bytes),
            runtime_dir: environment.directory("XDG_RUNTIME_DIR").map(bytes),
            uid: environment.uid,
            session_start: now(),
            launched: true,
            guard_files: &guard_files,
            presets: &presets,
        };
        Self::from_origin(&origin, trust)
    }

    /// Builds a policy for given surroundings.
    ///
    /// # Errors
    /// When the files declare more than a policy can carry.
    pub fn from_origin(
        origin: &Origin<'_>,
        trust: &(impl Trust + ?Sized),
    ) -> Result<Self, Failure> {
        let mut text = Box::new(PolicyText::new());
        let found = discover(&Remembered::default(), origin, trust, &mut text);
        let effective = Self {
            text: text.as_bytes().to_vec(),
            inherited: false,
        };
        if found.is_err() || Policy::parse(&effective.text).is_err() {
            return Err(Failure::new("the scope is too large to be passed on to programs")
                .hint("shorten .blastradius and ~/.config/blastradius/config: one pattern with ** does for many lines"));
        }
        Ok(effective)
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy<'_> {
        Policy::parse(&self.text).expect("the text was parsed when it was taken in")
    }

    /// The text that travels in `BLASTRADIUS_POLICY`.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether it comes from a guarded session around this process.
    #[must_use]
    pub const fn is_inherited(&self) -> bool {
        self.inherited
    }
}

/// Why there is no project scope, if there is none.
#[must_use]
pub fn why_no_project(policy: &Policy<'_>) -> Option<String> {
    if policy.project().map(Canonical::as_bytes).is_some() {
        return None;
    }
    if policy.start().is_empty() {
        return Some("the working directory is not known".to_owned());
    }
    Some(format!(
        "{} is the root, a home, an ancestor of a home or a system directory, and none of these is ever a project",
        escape(policy.start())
    ))
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn now() -> (i64, u32) {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => (
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            since.subsec_nanos(),
        ),
        // A clock before 1970: nothing counts as born after the session began.
        Err(_) => (i64::MAX, 0),
    }
}
