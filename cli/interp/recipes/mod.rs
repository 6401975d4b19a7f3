//! Commands that a file of the project keeps under a name: `make clean`, `npm run clean`.

mod make;
mod makefile;
mod package;

pub(super) use make::make;
pub(super) use package::package;

use blastradius_policy::{PathBuffer, canonicalise};

use super::{
    Interpreter,
    state::{Cwd, State},
    value::Text,
};

/// The directory that options such as `-C DIR` lead to, one after the other.
fn directory(interpreter: &Interpreter<'_>, state: &State, steps: &[&Text]) -> Option<Vec<u8>> {
    let Cwd::At(cwd) = &state.cwd else {
        return None;
    };
    let mut at = cwd.clone();
    for step in steps {
        let mut buffer = PathBuffer::new();
        let path = canonicalise(
            &interpreter.disk(state),
            &at,
            step.bytes()?,
            true,
            &mut buffer,
        );
        at = path.ok()?.as_bytes().to_vec();
    }
    Some(at)
}
