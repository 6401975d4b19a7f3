//! Loops over a glob: what they remove at every turn they remove as the glob itself would.

use std::rc::Rc;

use super::{
    Interpreter,
    pattern::Pattern,
    state::{Cwd, State},
    value::{Field, Glob},
};
use crate::shell::ast::{Command, CommandKind, Connector, List, Piece, Pipeline, Span, Word};

/// A loop over names that globs match.
pub(super) struct Sweep {
    name: Vec<u8>,
    globs: Vec<Rc<Glob>>,
    cwd: Cwd,
    source: Rc<[u8]>,
    /// The commands that run at every turn.
    always: Vec<Span>,
}

/// Words after which the rest of a turn may not come.
const LEAVES: [&str; 5] = ["continue", "break", "return", "exit", "exec"];
/// Commands that do not fail in earnest.
const SUCCEEDS: [&[u8]; 6] = [b"echo", b"printf", b"true", b":", b"rm", b"sleep"];

impl Interpreter<'_> {
    /// The loop over these words, if they come from globs.
    pub(super) fn sweep(
        &self,
        name: &[u8],
        words: &[Field],
        body: &List,
        cwd: &Cwd,
    ) -> Option<Sweep> {
        let mut globs: Vec<Rc<Glob>> = Vec::new();
        for glob in words.iter().filter_map(|field| field.glob.as_ref()) {
            let is_known = globs.iter().any(|known| Rc::ptr_eq(known, glob));
            // A slash at the end picks the directories.
            if !is_known && glob.matches > 0 && glob.pattern.last() != Some(&b'/') {
                globs.push(glob.clone());
            }
        }
        if globs.is_empty() {
            return None;
        }
        let mut always = Vec::new();
        self.run_always(body, &mut always);
        Some(Sweep {
            name: name.to_vec(),
            globs,
            cwd: cwd.clone(),
            source: self.source.clone(),
            always,
        })
    }

    /// Notes the commands that run at every turn; whether the rest of the turn is sure to come.
    fn run_always(&self, list: &List, out: &mut Vec<Span>) -> bool {
        for item in &list.items {
            let mut last = &item.first;
            if !self.pipeline_always(last, out) {
                return false;
            }
            for (connector, pipeline) in &item.rest {
                if *connector != Connector::And || !succeeds(last) {
                    break;
                }
                self.pipeline_always(pipeline, out);
                last = pipeline;
            }
            let mut rest = item.rest.iter().flat_map(|(_, rest)| &rest.commands);
            if rest.any(|command| self.may_leave(command)) {
                return false;
            }
        }
        true
    }

    fn pipeline_always(&self, pipeline: &Pipeline, out: &mut Vec<Span>) -> bool {
        for command in &pipeline.commands {
            let goes_on = match &command.kind {
                CommandKind::Group(list) | CommandKind::Subshell(list) => {
                    self.run_always(list, out)
                }
                _ if self.may_leave(command) => false,
                CommandKind::Simple { .. } => {
                    out.push(command.span);
                    true
                }
                _ => true,
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn may_leave(&self, command: &Command) -> bool {
        let text = self.source.get(command.span.start..command.span.end);
        let text = text.unwrap_or_default();
        LEAVES.iter().any(|word| {
            text.windows(word.len())
                .any(|window| window == word.as_bytes())
        })
    }

    /// Hands the glob of a loop to the words that are its variable and nothing else, so that they are judged as the glob
    /// would be where it takes all of the project.
    pub(super) fn swept(&self, words: &[Word], span: Span, fields: &mut [Field], state: &State) {
        for sweep in &self.sweeps {
            let is_always = Rc::ptr_eq(&sweep.source, &self.source)
                && sweep.always.contains(&span)
                && sweep.cwd == state.cwd;
            if !is_always {
                continue;
            }
            for word in words.iter().filter(|word| is_variable(word, &sweep.name)) {
                let spelled = self.spelled(word.span);
                let fields = (fields.iter_mut())
                    .filter(|field| field.spelled == spelled && field.glob.is_none());
                for field in fields {
                    let name = field.text.bytes().unwrap_or_default();
                    field.glob = (sweep.globs.iter())
                        .find(|glob| {
                            matches(glob, name) && self.court.sweeps_project(glob, &state.cwd)
                        })
                        .cloned();
                }
            }
        }
    }
}

fn succeeds(pipeline: &Pipeline) -> bool {
    let name = |command: &Command| match &command.kind {
        CommandKind::Simple { words, .. } => match words.first()?.pieces.as_slice() {
            [Piece::Literal { bytes, .. }] => Some(bytes.clone()),
            _ => None,
        },
        _ => None,
    };
    let last = pipeline.commands.last().and_then(name);
    !pipeline.negated && last.is_some_and(|name| SUCCEEDS.contains(&name.as_slice()))
}

/// `$name`, `${name}`, `./$name`.
fn is_variable(word: &Word, name: &[u8]) -> bool {
    let is_it = |piece: &Piece| {
        matches!(piece, Piece::Parameter(parameter)
            if parameter.name == name
                && parameter.operator.is_empty()
                && parameter.subscript.is_none()
                && !parameter.indirect
                && !parameter.length)
    };
    match word.pieces.as_slice() {
        [variable] => is_it(variable),
        [Piece::Literal { bytes, .. }, variable] => bytes == b"./" && is_it(variable),
        _ => false,
    }
}

fn matches(glob: &Glob, name: &[u8]) -> bool {
    let own = name.strip_prefix(b"./").unwrap_or(name);
    glob.takes(name) || glob.takes(own)
}

impl Glob {
    /// Whether a name is one of those that it matches.
    pub(super) fn takes(&self, name: &[u8]) -> bool {
        let slashes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'/').count();
        let pattern = Pattern {
            bytes: self.pattern.clone(),
            active: self.active.clone(),
            ..Pattern::default()
        };
        slashes(name) == slashes(&pattern.bytes) && pattern.as_ref().matches(name)
    }
}
