//! Aliases: text that stands for the first word of a command on a later line.
//!
//! Which shells look at them depends on how they were started, and from which line on they do on how they read. So a
//! command is judged as it stands, and as an alias makes it.

use std::rc::Rc;

use super::{
    Halt, Interpreter,
    state::{Path, State},
    value::Field,
};
use crate::shell::{
    ast::{Assignment, Dialect, Piece, Redirection, Word},
    tail::holds_destructive_word,
};

/// `alias name=text` and `unalias name`.
pub(super) fn define(is_added: bool, arguments: &[Field], state: &mut State) {
    for field in arguments {
        let prefix = field.text.prefix();
        if !is_added {
            let aliases = Rc::make_mut(&mut state.aliases);
            match field.text.bytes() {
                Some(b"-a") => aliases.clear(),
                Some(name) => {
                    aliases.remove(name);
                }
                None => {}
            }
        } else if let Some(equals) = prefix.iter().position(|byte| *byte == b'=') {
            let text = field.text.bytes().map(|bytes| bytes[equals + 1..].into());
            Rc::make_mut(&mut state.aliases).insert(prefix[..equals].to_vec(), text);
        }
    }
}

impl Interpreter<'_> {
    /// What a command comes to if its first word is taken for an alias; `None` if that is none.
    pub(super) fn unaliased(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        redirections: &[Redirection],
        state: &State,
    ) -> Result<Option<Vec<Path>>, Halt> {
        let counts = self.dialect() != Dialect::Bash || state.options.aliases;
        if state.aliases.is_empty() || !counts || self.dialect() == Dialect::Unknown {
            return Ok(None);
        }
        let Some(
            [
                Piece::Literal {
                    bytes,
                    quoted: false,
                },
            ],
        ) = words.first().map(|word| word.pieces.as_slice())
        else {
            return Ok(None);
        };
        let Some(alias) = state.aliases.get(bytes).cloned() else {
            return Ok(None);
        };
        if self.aliased.contains(bytes) {
            return Ok(None);
        }
        let first = words[0].span;
        let spans = assignments.iter().map(|one| one.span);
        let spans = spans.chain(words.iter().map(|one| one.span));
        let spans = spans.chain(redirections.iter().map(|one| one.span));
        let (mut start, mut end) = (first.start, first.end);
        for span in spans {
            start = start.min(span.start);
            end = end.max(span.end);
        }
        let source = self.source.clone();
        let part = |from: usize, to: usize| source.get(from..to).unwrap_or_default();
        // In backticks nothing tells where the words stand, and a body of a here-document is elsewhere.
        let is_placed = part(first.start, first.end) == bytes.as_slice()
            && redirections.iter().all(|one| one.here_document.is_none());
        let Some(alias) = alias.filter(|_| is_placed) else {
            if holds_destructive_word(part(start, end)) {
                let message = "what an alias stands for is not known";
                self.court
                    .unreadable(part(start, end), "ambiguous", message);
            }
            return Ok(None);
        };
        let text = [part(start, first.start), &alias, part(first.end, end)].concat();
        self.aliased.push(bytes.clone());
        let dialect = self.dialect();
        let paths = self.script_text(text.into(), dialect, state.clone());
        self.aliased.pop();
        paths.map(Some)
    }
}
