//! What may be destroyed, and what may not: floor, scope, rules and verdicts.
//!
//! The core of this crate judges one canonical path against a [`Policy`], a view over the text in which a
//! policy travels from a process to its children. It allocates nothing, reads no environment, opens nothing
//! (the disk is reached through [`Fs`]) and prints nothing, so that the same code decides in the command
//! line, inside every guarded process, and below the kernel layer. The `std` feature adds what only the
//! command line needs: wording and error types.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

mod act;
pub mod calls;
mod config;
pub mod contract;
mod discover;
mod executable;
mod expand;
#[cfg(any(test, feature = "std"))]
pub mod fake;
mod figures;
mod files;
mod floor;
mod fs;
mod glob;
mod judge;
mod lines;
mod nested;
mod own;
mod packed;
mod path;
mod pattern;
mod policy;
mod preset;
pub mod programs;
mod project;
mod repository;
mod resolve;
mod rule;
mod scope;
mod text;

pub use act::{Act, By};
pub use config::{Declared, declared};
pub use discover::{NoTrust, Origin, Overflow, Trust, discover};
pub use executable::{Executable, HEAD, Unseen, is_loader};
pub use figures::{Digits, number};
pub use fs::{Fs, FsError, Kind, Meta};
pub use glob::holds_pattern;
pub use judge::BEFORE_SCOPE;
pub use nested::takes_only_history;
pub use path::{Canonical, PATH_ROOM, PathBuffer, TooLong};
pub use policy::{Below, Corrupt, Entry, EntryKind, Ground, Judgement, Policy, PolicyId, Subject};
pub use preset::{Preset, StateLine};
pub use resolve::{LINKS_MAX, canonicalise, canonicalise_below};
pub use rule::{Overridable, ROWS, Row, Rule};
pub use text::PolicyText;
