//! Everything a person, an agent or a log reads.

mod escape;
mod explanation;
mod failure;
mod json;
mod line;
mod log;
mod panel;
mod stream;

pub use escape::{escape, escape_path, quote, quote_words};
pub use explanation::Explanation;
pub use failure::Failure;
pub use json::{Context, decision, refusal_without_command};
pub use line::{one_line, sentences};
pub use log::{Decision, append};
pub use panel::{Panel, Style};
pub use stream::{complain, print, say};
