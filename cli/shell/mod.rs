//! Reading shell strings: bytes to [`ast::Script`].
//!
//! Recursive descent over bytes. Every recursion is counted and every step is paid for, so a hostile string ends
//! in an error instead of an overflowing stack or a hanging process.

mod arithmetic;
mod array;
pub mod ast;
mod command;
mod compound;
mod conditional;
mod cursor;
mod escape;
mod function;
mod heredoc;
mod list;
mod parameter;
mod pieces;
mod quote;
mod reader;
mod redirection;
mod reserved;
mod simple;
mod substitution;
pub mod tail;
#[cfg(test)]
mod tests;
pub mod walk;
mod word;

use ast::{Dialect, Script};

/// Reads `source`. Never fails: what cannot be read is an error in the script.
pub fn read(source: &[u8], dialect: Dialect) -> Script {
    reader::script(source, dialect)
}
