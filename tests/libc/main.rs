//! The library inside programs: one file a family of calls.

mod open;
mod rename;
mod stage;
mod stdio;
mod truncate;
mod unlink;
