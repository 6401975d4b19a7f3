//! Splitting by IFS.

use std::rc::Rc;

use super::Chunk;
use crate::interp::{
    Interpreter,
    pattern::Pattern,
    state::State,
    value::{Field, Text, Trace, Unknown, Value},
};
use crate::shell::ast::Dialect;

const DEFAULT_IFS: &[u8] = b" \t\n";

/// A word whose chunks become fields.
pub(super) struct Source<'a> {
    pub(super) spelled: &'a Rc<[u8]>,
    pub(super) tilde: bool,
}

impl Interpreter<'_> {
    /// The characters that split; `None` if they are not known.
    pub(in crate::interp) fn separators(&self, state: &State) -> Option<Vec<u8>> {
        match self.lookup(b"IFS", state) {
            Value::Unset => Some(DEFAULT_IFS.to_vec()),
            Value::Scalar(text) => text.bytes().map(<[u8]>::to_vec),
            Value::Array(_) | Value::Any(_) => None,
        }
    }

    /// Splits chunks into fields and expands their globs. Returns what was lost if no field came out.
    pub(super) fn split(
        &mut self,
        chunks: Vec<Chunk>,
        state: &State,
        source: &Source<'_>,
        out: &mut Vec<Field>,
    ) -> Trace {
        let separators = self.separators(state);
        if let [Chunk::Several(unknown) | Chunk::Unknown(unknown)] = chunks.as_slice()
            && let Some(listed) = &unknown.listed
            && separators.as_deref() == Some(DEFAULT_IFS)
            && (listed.lines.iter().flatten())
                .all(|byte| !byte.is_ascii_whitespace() && !b"*?[\\(".contains(byte))
        {
            // Some of these words.
            out.extend(listed.lines.iter().map(|line| Field {
                text: Text::known(line.clone()),
                spelled: source.spelled.clone(),
                many: true,
                glob: listed.glob.clone().filter(|glob| glob.takes(line)),
                ..Field::default()
            }));
            return Trace::default();
        }
        let mut draft = Draft::default();
        let mut trace = Trace::default();
        for chunk in chunks {
            match chunk {
                Chunk::Bytes {
                    bytes,
                    active,
                    splits: false,
                } => {
                    draft.written |= active && bytes.contains(&b'(');
                    draft.push(&bytes, active);
                }
                Chunk::Bytes { bytes, active, .. } => match &separators {
                    Some(ifs) => {
                        self.separate(&bytes, active, ifs, &mut draft, state, source, out);
                    }
                    None => {
                        draft.many = true;
                        draft.push_unknown(Unknown::anything("words split by an unknown IFS"));
                    }
                },
                Chunk::Unknown(unknown) => draft.push_unknown(unknown),
                Chunk::Several(unknown) => {
                    draft.many = true;
                    draft.push_unknown(unknown);
                }
                Chunk::Break(_) => {
                    draft.kept = true;
                    self.finish(&mut draft, state, source, out);
                }
                // As if it were joined by the first character of IFS, and then split.
                Chunk::Joint(_) => match separators.as_deref() {
                    Some(ifs @ [first, ..]) if self.dialect() != Dialect::Zsh => {
                        self.separate(&[*first], false, ifs, &mut draft, state, source, out);
                    }
                    _ => self.finish(&mut draft, state, source, out),
                },
                Chunk::Trace(lost) => {
                    draft.text.trace.extend(&lost);
                    trace.extend(&lost);
                }
                Chunk::Exists => {
                    draft.kept = true;
                    draft.after_blank = false;
                }
            }
        }
        self.finish(&mut draft, state, source, out);
        trace
    }

    /// Adds bytes that IFS applies to.
    #[expect(clippy::too_many_arguments, reason = "what `split` goes by")]
    fn separate(
        &mut self,
        bytes: &[u8],
        active: bool,
        ifs: &[u8],
        draft: &mut Draft,
        state: &State,
        source: &Source<'_>,
        out: &mut Vec<Field>,
    ) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if !ifs.contains(&byte) {
                let end = rest.iter().position(|byte| ifs.contains(byte));
                let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
                draft.push(run, active);
                rest = after;
                continue;
            }
            rest = after;
            if b" \t\n".contains(&byte) {
                if draft.exists() {
                    self.finish(draft, state, source, out);
                    draft.after_blank = true;
                }
            } else if !std::mem::take(&mut draft.after_blank) {
                draft.kept = true;
                self.finish(draft, state, source, out);
            }
        }
    }

    fn finish(
        &mut self,
        draft: &mut Draft,
        state: &State,
        source: &Source<'_>,
        out: &mut Vec<Field>,
    ) {
        let mut draft = std::mem::take(draft);
        if !draft.exists() {
            return;
        }
        let mut pattern = draft.flush();
        pattern.extended = state.options.extglob;
        if draft.written && !pattern.extended {
            // It could only be read with `extglob` on.
            pattern = pattern.without_extended();
        }
        let glob = !draft.maybe && !state.options.noglob && pattern.is_glob();
        let field = Field {
            text: draft.text,
            spelled: source.spelled.clone(),
            tilde: source.tilde,
            many: draft.many,
            glob: None,
            array: None,
        };
        if glob {
            self.glob(field, &pattern, state, out);
        } else {
            out.push(field);
        }
    }
}

/// A field that is being put together.
#[derive(Default)]
struct Draft {
    text: Text,
    pattern: Pattern,
    /// Bytes of `pattern` that are already in `text`.
    flushed: usize,
    /// It is a field even if it stays empty.
    kept: bool,
    /// It may be several, or none.
    many: bool,
    /// It holds something unknown.
    maybe: bool,
    /// A parenthesis stands in the word itself.
    written: bool,
    /// Blanks have just ended another field: a separator that follows them belongs to them.
    after_blank: bool,
}

impl Draft {
    fn exists(&self) -> bool {
        self.kept || !self.text.is_empty() || !self.pattern.bytes.is_empty()
    }

    fn push(&mut self, bytes: &[u8], active: bool) {
        self.after_blank &= bytes.is_empty();
        self.pattern.push(bytes, active);
    }

    fn push_unknown(&mut self, unknown: Unknown) {
        self.kept |= !unknown.may_be_empty;
        self.maybe = true;
        self.after_blank = false;
        self.flush();
        self.text.push_unknown(unknown);
    }

    fn flush(&mut self) -> Pattern {
        let rest = self.pattern.bytes[self.flushed..].to_vec();
        self.text.push_bytes(&rest);
        self.flushed = self.pattern.bytes.len();
        self.pattern.clone()
    }
}
