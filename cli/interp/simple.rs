//! Simple commands: words, assignments, redirections, then whatever the first word names.

use std::rc::Rc;

use super::{
    Halt, Interpreter,
    expand::Tilde,
    invoke::Call,
    origin::{self, Setter},
    redirect::may_fail,
    state::{Path, State, Status},
    value::{Field, Text, Trace, Unknown, Value},
};
use crate::shell::{
    ast::{
        AssignedValue, Assignment, Command, CommandKind, Dialect, Piece, Redirection, Script, Word,
    },
    read,
};

impl Interpreter<'_> {
    pub(super) fn simple(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        command: &Command,
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        let redirections = command.redirections.as_slice();
        if let Some(mut paths) = self.unaliased(assignments, words, redirections, &state)? {
            self.aliased.push(first_word(words));
            let plain = self.simple(assignments, words, command, state);
            self.aliased.pop();
            paths.extend(plain?);
            return self.merged(paths);
        }
        // To dash `x+=y` is the name of a command, which there is not.
        let is_command =
            self.dialect() == Dialect::Sh && assignments.iter().any(|assignment| assignment.append);
        let before = is_command.then(|| state.clone());
        let failures = self.failures;
        let at = self.at;
        match self.prepared(assignments, words, redirections, &mut state) {
            Ok(mut call) => {
                self.at = at;
                self.swept(words, command.span, &mut call.fields, &state);
                self.traced(&state)?;
                // What cannot be expanded ends more than the command.
                let ended = (self.failures > failures).then(|| Path {
                    state: state.clone(),
                    status: Status::Exit,
                });
                let fails = self.redirects_nowhere(redirections, &state);
                let stayed = fails.then(|| state.clone());
                let mut paths = self.carry_out(call, assignments, state)?;
                if let Some(stayed) = stayed
                    && paths.iter().any(|path| path.state.has_moved(&stayed))
                {
                    let (state, status) = (stayed, Status::NonZero);
                    paths.push(Path { state, status });
                }
                paths.extend(ended);
                paths.extend(before.map(|state| Path {
                    state,
                    status: Status::NonZero,
                }));
                if may_fail(redirections) {
                    for path in paths.iter_mut().filter(|path| path.status == Status::Zero) {
                        path.status = Status::Unknown;
                    }
                }
                Ok(paths)
            }
            Err(Halt::Exit) => Ok(vec![Path {
                state,
                status: Status::Exit,
            }]),
            Err(halt) => Err(halt),
        }
    }

    fn prepared(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        redirections: &[Redirection],
        state: &mut State,
    ) -> Result<Prepared, Halt> {
        let declares = words.first().is_some_and(declares);
        let expanded = if declares {
            self.declaration_words(words, state)?
        } else {
            self.words(words, state)?
        };
        // Without redirections `read` takes from what the shell itself reads.
        let outer_input = (!redirections.is_empty()).then(|| state.input.clone());
        let output = self.redirections(redirections, &expanded.fields, state)?;
        let mut values = Vec::new();
        for assignment in assignments {
            self.pay(1 + state.variables.len() / 16)?;
            let mut value = self.assigned(assignment, state)?;
            let at = self.place_of(assignment.span);
            origin::mark(&mut value, &assignment.name, Setter::Assignment, at);
            if expanded.fields.is_empty() {
                state.assign(&assignment.name, value.clone());
            }
            values.push((assignment.name.clone(), value));
        }
        Ok(Prepared {
            fields: expanded.fields,
            vanished: expanded.vanished,
            vanished_spelled: expanded.vanished_spelled,
            values,
            output,
            outer_input,
        })
    }

    fn carry_out(
        &mut self,
        call: Prepared,
        assignments: &[Assignment],
        mut state: State,
    ) -> Result<Vec<Path>, Halt> {
        let before = state.output.clone();
        let mut paths = if call.fields.is_empty() {
            for (name, value) in call.values {
                state.assign(&name, value);
            }
            let status = if assignments.iter().all(succeeds) {
                Status::Zero
            } else {
                Status::Unknown
            };
            vec![Path { state, status }]
        } else {
            let call_ = Call {
                fields: call.fields,
                vanished: call.vanished,
                vanished_spelled: call.vanished_spelled,
                prefix: call.values,
                functions: true,
                builtins: true,
            };
            let caught = call.output.file.is_some();
            if caught {
                state.output = Text::default();
            }
            self.catching += u32::from(caught);
            self.hidden += u32::from(call.output.elsewhere);
            let paths = self.invoke(call_, state);
            self.hidden -= u32::from(call.output.elsewhere);
            self.catching -= u32::from(caught);
            paths?
        };
        for path in &mut paths {
            if let Some((file, _)) = &call.output.file {
                self.court.keeps_secret(file, &path.state.output);
            }
            if let Some((file, held)) = &call.output.file
                && let Some(printed) = path.state.output.bytes()
            {
                let content = [held, printed].concat();
                self.court.wrote(file, &content, &path.state);
                Rc::make_mut(&mut path.state.changes).write(file.clone(), Some(content.into()));
            }
            if let Some(input) = &call.outer_input {
                path.state.input = input.clone();
            }
            if call.output.elsewhere {
                path.state.output = before.clone();
            }
        }
        Ok(paths)
    }

    /// `export X=~/a`: such words are assignments, not subject to splitting.
    fn declaration_words(
        &mut self,
        words: &[Word],
        state: &mut State,
    ) -> Result<super::expand::Words, Halt> {
        let mut out = super::expand::Words::default();
        for word in words {
            if let Some(array) = self.declared_array(word, state)? {
                out.fields.push(array);
                continue;
            }
            let assigns = match word.pieces.first() {
                Some(Piece::Literal {
                    bytes,
                    quoted: false,
                }) => bytes.iter().position(|byte| *byte == b'='),
                _ => None,
            };
            // With braces it is several words, and no assignment to a shell that splits.
            let is_braced = self.dialect() != Dialect::Sh
                && super::braces::expand(&word.pieces, &self.source, self.dialect())
                    .is_none_or(|words| words != [word.pieces.as_slice()]);
            if let Some(equals) = assigns.filter(|_| is_braced) {
                let plain = self.words(std::slice::from_ref(word), state)?;
                let mut text = Text::default();
                if let Some(Piece::Literal { bytes, .. }) = word.pieces.first() {
                    text.push_bytes(&bytes[..=equals]);
                }
                text.push_unknown(Unknown::anything("one of several assigned values"));
                out.vanished.extend(&plain.vanished);
                out.fields.push(Field {
                    text,
                    spelled: self.spelled(word.span),
                    many: true,
                    ..Field::default()
                });
                continue;
            }
            let Some(equals) = assigns else {
                let plain = self.words(std::slice::from_ref(word), state)?;
                out.fields.extend(plain.fields);
                out.vanished.extend(&plain.vanished);
                continue;
            };
            let mut rest = word.clone();
            let mut name = Vec::new();
            if let Some(Piece::Literal { bytes, .. }) = rest.pieces.first_mut() {
                name = bytes.drain(..=equals).collect();
            }
            let mut value = self.text(&rest, state, Tilde::Assignment)?;
            let variable = name.split(|byte| b"+=".contains(byte)).next();
            let at = self.place_of(word.span);
            value.set_by(variable.unwrap_or_default(), Setter::Assignment, at);
            let mut text = Text::known(name);
            text.append(&value);
            out.fields.push(Field {
                text,
                spelled: self.spelled(word.span),
                ..Field::default()
            });
        }
        Ok(out)
    }

    /// `NAME=(...)` as an argument of `declare` and its like, with what the name holds then. The word is the text of an
    /// assignment, which is read once more as one.
    fn declared_array(&mut self, word: &Word, state: &mut State) -> Result<Option<Field>, Halt> {
        let text = self.spelled(word.span);
        if !text.ends_with(b")") || !text.windows(2).any(|pair| pair == b"=(") {
            return Ok(None);
        }
        self.pay(1 + text.len() / 16)?;
        let script = read(&text, self.dialect());
        let Some(assignment) = only_assignment(&script)
            .filter(|assignment| matches!(assignment.value, AssignedValue::Array(_)))
        else {
            return Ok(None);
        };
        let at = self.place_of(word.span);
        let outer = std::mem::replace(&mut self.source, text.clone());
        let value = self.assigned(assignment, state);
        self.source = outer;
        let mut value = value?;
        origin::mark(&mut value, &assignment.name, Setter::Assignment, at);
        Ok(match value {
            Value::Array(items) => Some(Field {
                text: Text::known(&*text),
                spelled: text,
                array: Some(items.into()),
                ..Field::default()
            }),
            _ => None,
        })
    }

    /// A value that nobody can know.
    pub(super) fn forget(&self, name: &[u8], why: &str, state: &mut State) {
        state.assign(name, Value::Scalar(Text::unknown(Unknown::anything(why))));
    }
}

fn first_word(words: &[Word]) -> Vec<u8> {
    match words.first().map(|word| word.pieces.as_slice()) {
        Some([Piece::Literal { bytes, .. }]) => bytes.clone(),
        _ => Vec::new(),
    }
}

struct Prepared {
    fields: Vec<Field>,
    vanished: Trace,
    vanished_spelled: Vec<std::rc::Rc<[u8]>>,
    values: Vec<(Vec<u8>, Value)>,
    output: super::redirect::Output,
    outer_input: Option<super::state::Input>,
}

/// The assignment that a script is, if it is nothing else.
fn only_assignment(script: &Script) -> Option<&Assignment> {
    let [item] = script.list.items.as_slice() else {
        return None;
    };
    let [command] = item.first.commands.as_slice() else {
        return None;
    };
    match &command.kind {
        CommandKind::Simple { assignments, words }
            if words.is_empty() && script.error.is_none() =>
        {
            match assignments.as_slice() {
                [assignment] => Some(assignment),
                _ => None,
            }
        }
        _ => None,
    }
}

fn declares(word: &Word) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Literal { bytes, .. }]
        if matches!(bytes.as_slice(), b"export" | b"declare" | b"typeset" | b"local" | b"readonly"))
}

/// Whether an assignment is sure to succeed: it runs nothing whose status would be its own, and has no subscript to
/// get wrong.
fn succeeds(assignment: &Assignment) -> bool {
    let plain = |piece: &Piece| match piece {
        Piece::Literal { .. } => true,
        Piece::Parameter(parameter) => {
            parameter.operator.is_empty() && parameter.subscript.is_none()
        }
        Piece::Command { .. } | Piece::Arithmetic { .. } | Piece::Process { .. } => false,
    };
    match &assignment.value {
        AssignedValue::Scalar(word) => {
            assignment.subscript.is_none() && word.pieces.iter().all(plain)
        }
        AssignedValue::Array(_) => false,
    }
}
