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
pub mod contract;
mod fs;
mod path;
pub mod programs;
mod rule;

pub use act::{Act, By};
pub use fs::{Fs, FsError, Kind, Meta};
pub use path::{Canonical, PathBuffer};
pub use rule::Rule;
