//! Commands that a program runs for what it finds: `find -exec`, `fd -x`, shell texts in options.

use super::{Court, Nested, Owned, aim::Aim};
use crate::interp::{Cwd, Field, Found, State, Text, Unknown, skip, substituted};
use blastradius_policy::programs::Follow;

impl Owned {
    /// What it would run; `None` if it is an effect of its own.
    pub(super) fn nested(
        &self,
        court: &Court<'_>,
        fields: &[Field],
        state: &State,
    ) -> Option<Vec<Nested>> {
        match self {
            Self::Runs {
                first,
                end,
                root,
                tested,
                follow,
                in_directory,
                appended,
            } => {
                let words = fields.get(*first..*end).unwrap_or_default();
                let mut found = match root
                    .and_then(|root| fields.get(root.piece.index).map(|field| (field, root)))
                {
                    Some((field, root)) => {
                        Aim::piece(field, root.piece, super::Base::of(&state.cwd), false, state)
                            .text
                    }
                    None => Text::known(*b"."),
                };
                let shown = String::from_utf8_lossy(&found.display()).into_owned();
                found.push_unknown(Unknown {
                    found: Some(Found {
                        tested: *tested,
                        follow: *follow == Follow::Below,
                    }),
                    ..Unknown::anything(format!("what is found below {shown}"))
                });
                let markers = [&b"{}"[..], b"{//}", b"{/.}", b"{/}", b"{.}"];
                let holds = words.iter().any(|word| {
                    word.text
                        .bytes()
                        .is_some_and(|bytes| bytes.windows(2).any(|pair| pair == b"{}"))
                });
                let mut out: Vec<Field> = words
                    .iter()
                    .map(|word| {
                        markers.iter().fold(word.clone(), |word, marker| {
                            substituted(&word, marker, &found)
                        })
                    })
                    .collect();
                if *appended && !holds {
                    out.push(Field {
                        spelled: found.display().as_slice().into(),
                        text: found,
                        ..Field::default()
                    });
                }
                // Where it runs in the directory of what was found, relative words begin there; `{}` is judged by
                // its start point all the same.
                let cwd = in_directory.then(|| {
                    match root.and_then(|root| fields.get(root.piece.index)) {
                        Some(field) => super::Base::of(&state.cwd).joined(&field.text).as_cwd(),
                        None => state.cwd.clone(),
                    }
                });
                let cwd =
                    cwd.filter(|_| !words.iter().any(|word| word.text.bytes() == Some(b"{}")));
                Some(vec![Nested::Command { fields: out, cwd }])
            }
            Self::Shell { text, directory } => {
                let field = fields.get(text.index)?;
                let cwd: Cwd = court.base(*directory, fields, state).as_cwd();
                Some(vec![Nested::Script {
                    text: skip(&field.text, text.from),
                    cwd,
                }])
            }
            _ => None,
        }
    }
}
