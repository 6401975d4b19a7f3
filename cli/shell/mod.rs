//! Reading shell strings: bytes to [`ast::Script`].
//!
//! Recursive descent over bytes. Nothing is expanded; every word keeps which of its pieces were quoted, every
//! substitution is read as commands, and every complete command before an error is kept. Depth and fuel are
//! counted: no input makes it recurse without bound, or take more than linear time.

mod arithmetic;
pub mod ast;
mod command;
mod compound;
mod cursor;
mod heredoc;
mod list;
mod parameter;
mod quote;
mod redirection;
mod substitution;
pub mod tail;
#[cfg(test)]
mod tests;
pub mod walk;
mod word;

use ast::{Dialect, Script};
use cursor::Reader;

/// Reads a string as a shell of that dialect would.
#[must_use]
pub fn read(source: &[u8], dialect: Dialect) -> Script {
    Reader::new(source, dialect).script_in_passes()
}
