//! Globs to the names on the disk.

use std::rc::Rc;

use crate::{
    interp::{
        Interpreter,
        pattern::{self, Pattern},
        state::{Cwd, State},
        value::{Field, Glob, Text, Unknown, Value},
    },
    shell::ast::Dialect,
};

impl Interpreter<'_> {
    pub(super) fn glob(
        &mut self,
        field: Field,
        pattern: &Pattern,
        state: &State,
        out: &mut Vec<Field>,
    ) {
        if self.globs_otherwise(pattern, state) {
            out.push(unknown_names(field, pattern));
            return;
        }
        let absolute = pattern.bytes.first() == Some(&b'/');
        let how = pattern::How {
            hidden: state.options.dotglob,
            dots: self.dialect() == Dialect::Sh,
            recursive: match self.dialect() {
                Dialect::Zsh => pattern::Recursive::BeforeSlash,
                _ if state.options.globstar => pattern::Recursive::Everywhere,
                _ => pattern::Recursive::Nowhere,
            },
        };
        let names = match (&state.cwd, absolute) {
            (Cwd::At(cwd), _) => pattern::expand(self.session.fs, cwd, pattern, how),
            (Cwd::Unknown(_), true) => pattern::expand(self.session.fs, b"/", pattern, how),
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
        out.reserve(names.len());
        for name in names {
            let mut text = Text::known(name);
            text.trace = field.text.trace.clone();
            text.glob = Some(glob.clone());
            out.push(Field {
                text,
                spelled: field.spelled.clone(),
                tilde: field.tilde,
                many: field.many,
                glob: Some(glob.clone()),
                array: None,
            });
        }
    }

    /// Whether options or the pattern itself make other names match than the ones that are worked out here.
    fn globs_otherwise(&self, pattern: &Pattern, state: &State) -> bool {
        let ignores = self.dialect() != Dialect::Zsh
            && !matches!(self.lookup(b"GLOBIGNORE", state), Value::Unset)
            && state.variables.contains_key(&b"GLOBIGNORE"[..]);
        // Where IFS holds what stands in a bracket, some versions of bash see no bracket.
        let splits = self.separators(state).is_none_or(|ifs| {
            ifs.iter()
                .any(|byte| !byte.is_ascii_whitespace() && pattern.bytes.contains(byte))
        });
        // There links to directories are among what is found.
        let ends_deep = pattern.bytes.ends_with(b"**/")
            && (state.options.globstar || self.dialect() == Dialect::Zsh);
        state.options.odd
            || ends_deep
            || splits && pattern.counts()
            || ignores
            || pattern.is_doubtful()
            || pattern.extended && pattern.has_extended() && !pattern.is_simply_extended()
            || self.dialect() == Dialect::Zsh && pattern.is_zsh()
    }
}

/// Names that match, of which only the directory is known.
fn unknown_names(field: Field, pattern: &Pattern) -> Field {
    let (directory, rest) = pattern.bytes.split_at(pattern.literal_directory());
    let mut text = Text::known(directory);
    text.trace = field.text.trace.clone();
    text.push_unknown(Unknown {
        may_hold_slash: rest.contains(&b'/') || pattern.has_extended() || pattern.is_zsh(),
        ..Unknown::name("the names that a glob matches")
    });
    Field {
        text,
        many: true,
        ..field
    }
}
