//! Reading shell strings: bytes to [`ast::Script`].

pub mod ast;
