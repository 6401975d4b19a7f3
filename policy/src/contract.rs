//! Names that the command line and the library share.

/// The variable in which a policy travels to child processes, by value (see [`crate::Policy`]).
pub const POLICY_VARIABLE: &[u8] = b"BLASTRADIUS_POLICY";

/// The file at a project root that declares its scope.
pub const PROJECT_FILE: &[u8] = b".blastradius";

/// The user's own file, below `$XDG_CONFIG_HOME` or `~/.config`.
pub const USER_FILE: &[u8] = b"blastradius/config";

/// The log, below `$XDG_STATE_HOME` or `~/.local/state`.
pub const LOG_FILE: &[u8] = b"blastradius/log";

/// What a person has trusted, below `$XDG_STATE_HOME` or `~/.local/state`.
pub const TRUST_FILE: &[u8] = b"blastradius/trusted";

/// Version of the rules: the first half of every policy id.
pub const RULES_VERSION: u32 = 1;

/// Longest policy text that is passed on (Linux takes at most 128 KiB for one variable).
pub const POLICY_MAX: usize = 32 * 1024;
