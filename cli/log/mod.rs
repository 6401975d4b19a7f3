//! The log: one line of JSON for every refusal, for what nearly was one, and for every program that is not seen.
//!
//! It lies in `$XDG_STATE_HOME/blastradius`, for its owner's eyes alone. A line is written whole, by one call that
//! appends, so that many processes write at once without a lock; a log that takes no line changes no verdict.

mod append;
mod entry;
mod follow;
mod read;
mod rotate;
mod summary;
mod table;
mod time;

pub use append::{Decision, append};
pub(crate) use append::{append_line, now};
pub use entry::near_rules;
pub use follow::follow;
pub use read::{Filter, entries};
pub(crate) use rotate::older;
pub use rotate::rotate;
pub use summary::summary;
pub use table::{columns, row};
pub use time::instant;
