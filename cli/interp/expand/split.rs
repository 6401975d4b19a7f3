//! Splitting by IFS.

use std::rc::Rc;

use super::Chunk;
use crate::interp::{
    Interpreter,
    pattern::Pattern,
    state::State,
    value::{Field, Losses, Text, Value},
};

const DEFAULT_IFS: &[u8] = b" \t\n";

impl Interpreter<'_> {
    /// Splits chunks into fields and expands their globs. Returns what was lost if no field came out.
    pub(super) fn split(
        &mut self,
        chunks: Vec<Chunk>,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) -> Losses {
        let ifs = match self.lookup(b"IFS", state) {
            Value::Scalar(text) => text
                .bytes()
                .map_or_else(|| DEFAULT_IFS.to_vec(), <[u8]>::to_vec),
            _ => DEFAULT_IFS.to_vec(),
        };
        let mut draft = Draft::default();
        let mut losses = Losses::default();
        for chunk in chunks {
            match chunk {
                Chunk::Bytes {
                    bytes,
                    quoted,
                    expanded,
                } if quoted || !expanded => draft.push(&bytes, !quoted),
                Chunk::Bytes { bytes, .. } => {
                    let mut parts = Separated::new(&bytes, &ifs);
                    while let Some((part, ends)) = parts.next() {
                        draft.push(part, true);
                        if ends {
                            self.finish(&mut draft, state, spelled, tilde, out);
                        }
                    }
                }
                Chunk::Unknown(unknown) => {
                    draft.exists |= !unknown.may_be_empty;
                    draft.maybe = true;
                    draft.flush();
                    draft.text.push_unknown(unknown);
                }
                Chunk::Break => self.finish_always(&mut draft, state, spelled, tilde, out),
                Chunk::Losses(lost) => {
                    draft.text.losses.extend(&lost);
                    losses.extend(&lost);
                }
                Chunk::Exists => draft.exists = true,
            }
        }
        self.finish(&mut draft, state, spelled, tilde, out);
        losses
    }

    fn finish_always(
        &mut self,
        draft: &mut Draft,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) {
        draft.exists = true;
        self.finish(draft, state, spelled, tilde, out);
    }

    fn finish(
        &mut self,
        draft: &mut Draft,
        state: &State,
        spelled: &Rc<[u8]>,
        tilde: bool,
        out: &mut Vec<Field>,
    ) {
        let mut draft = std::mem::take(draft);
        let pattern = draft.flush().without_extended();
        let glob = !draft.maybe && !state.options.noglob && pattern.is_glob();
        if !draft.exists && draft.text.is_empty() {
            return;
        }
        let field = Field {
            text: draft.text,
            spelled: spelled.clone(),
            tilde,
            glob: None,
        };
        if !glob {
            out.push(field);
            return;
        }
        self.glob(field, &pattern, state, out);
    }
}

/// A field that is being put together.
#[derive(Default)]
struct Draft {
    text: Text,
    pattern: Pattern,
    /// Bytes of `pattern` that are already in `text`.
    flushed: usize,
    exists: bool,
    /// It holds something unknown.
    maybe: bool,
}

impl Draft {
    fn push(&mut self, bytes: &[u8], active: bool) {
        self.pattern.push(bytes, active);
    }

    fn flush(&mut self) -> Pattern {
        let rest = self.pattern.bytes[self.flushed..].to_vec();
        self.text.push_bytes(&rest);
        self.flushed = self.pattern.bytes.len();
        self.pattern.clone()
    }
}

/// The stretches of an unquoted expansion between separators.
struct Separated<'a> {
    rest: &'a [u8],
    ifs: &'a [u8],
}

impl<'a> Separated<'a> {
    const fn new(bytes: &'a [u8], ifs: &'a [u8]) -> Self {
        Self { rest: bytes, ifs }
    }

    /// The next stretch, and whether a field ends after it.
    fn next(&mut self) -> Option<(&'a [u8], bool)> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| self.ifs.contains(byte));
        let Some(end) = end else {
            return Some((std::mem::take(&mut self.rest), false));
        };
        let part = &self.rest[..end];
        let blank = |byte: &u8| b" \t\n".contains(byte) && self.ifs.contains(byte);
        let mut after = end;
        while self.rest.get(after).is_some_and(blank) {
            after += 1;
        }
        if self
            .rest
            .get(after)
            .is_some_and(|byte| self.ifs.contains(byte) && !blank(byte))
        {
            after += 1;
            while self.rest.get(after).is_some_and(blank) {
                after += 1;
            }
        }
        self.rest = &self.rest[after..];
        Some((part, true))
    }
}
