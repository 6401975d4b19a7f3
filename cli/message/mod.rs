//! Everything a person, an agent or a log reads.

mod escape;
mod explanation;
mod failure;
mod json;
mod line;
mod panel;
mod stream;

pub use crate::log::{Decision, append};
pub use escape::{escape, escape_path, quote, quote_words};
pub use explanation::Explanation;
pub use failure::Failure;
pub use json::{Context, add_near, decision, refusal_without_command};
pub use line::{one_line, sentences};
pub(crate) use panel::rule_name;
pub use panel::{Panel, Style};
pub use stream::{complain, print, say};
