//! The ledger of a session: what its calls wrote, removed and were refused, one line a call.
//!
//! A verdict can do without it. If it is missing or damaged, every call is judged by itself.

mod file;
mod line;

pub(crate) use file::Ledger;
