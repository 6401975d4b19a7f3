//! The command layer and everything else behind the `blastradius` binary.

pub mod shell;
