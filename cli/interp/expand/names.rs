//! Globs to the names on the disk.

use std::rc::Rc;

use crate::interp::{
    Interpreter,
    pattern::{self, Pattern},
    state::{Cwd, State},
    value::{Field, Glob, Text},
};

impl Interpreter<'_> {
    pub(super) fn glob(
        &mut self,
        field: Field,
        pattern: &Pattern,
        state: &State,
        out: &mut Vec<Field>,
    ) {
        let absolute = pattern.bytes.first() == Some(&b'/');
        let names = match (&state.cwd, absolute) {
            (Cwd::At(cwd), _) => {
                pattern::expand(self.session.fs, cwd, pattern, state.options.dotglob)
            }
            (Cwd::Unknown(_), true) => {
                pattern::expand(self.session.fs, b"/", pattern, state.options.dotglob)
            }
            (Cwd::Unknown(_), false) => Ok(Vec::new()),
        };
        let (names, count) = match names {
            Ok(names) => {
                let count = names.len();
                (names, count)
            }
            Err(pattern::GlobError::TooMany) => (Vec::new(), usize::MAX),
        };
        let glob = Rc::new(Glob {
            pattern: pattern.bytes.clone(),
            active: pattern.active.clone(),
            matches: count,
        });
        if names.is_empty() {
            if !state.options.nullglob || count == usize::MAX {
                out.push(Field {
                    glob: Some(glob),
                    ..field
                });
            }
            return;
        }
        for name in names {
            let mut text = Text::known(name);
            text.losses = field.text.losses.clone();
            out.push(Field {
                text,
                glob: Some(glob.clone()),
                ..field.clone()
            });
        }
    }
}
