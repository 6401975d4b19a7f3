//! One reader a program: what an argv would do to paths, by callback, without allocation.
//!
//! Readers are generic over [`Word`]: in the library every word is known bytes; in the command layer a word
//! may be unknown in part (a variable that is not set, the output of a command), and a reader must then say
//! what it cannot rule out.

mod word;

pub use word::{Effect, Sink, Word};
