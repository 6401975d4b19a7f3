//! The two output streams.

use std::io::Write as _;

use super::Failure;

/// Writes data to stdout, and a newline.
///
/// # Errors
/// When stdout takes no more, so that a reader never mistakes half an answer for a whole one.
pub fn print(data: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(data.as_ref())
        .and_then(|()| stdout.write_all(b"\n"))
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::of_stdout(&error))
}

/// Writes to stderr. A closed stderr must not change a verdict, so that a failure has nowhere to go.
pub fn say(text: &str) {
    std::io::stderr().lock().write_all(text.as_bytes()).ok();
}

/// Says on stderr what went wrong and what to do about it.
pub fn complain(failure: &Failure) {
    if failure.is_worth_a_word() {
        say(&format!("blastradius: {failure}\n"));
    }
}
