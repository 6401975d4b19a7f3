//! Redirections: what they empty, and what they feed.

use std::rc::Rc;

use blastradius_policy::{Act, Fs, PathBuffer, canonicalise};

use super::{
    Halt, Interpreter,
    directories::lexical,
    expand::Tilde,
    state::{Cwd, Input, State},
    value::{Field, Taint, Text, Unknown},
};
use crate::shell::ast::{Dialect, Piece, Redirection, RedirectionOperator};

/// Where standard output goes.
#[derive(Default)]
pub(super) struct Output {
    /// Not to where it went before.
    pub(super) elsewhere: bool,
    /// A file, and what that holds before.
    pub(super) file: Option<(Vec<u8>, Vec<u8>)>,
}

impl Interpreter<'_> {
    /// Judges and applies redirections in order. `command` are the words of a simple
    /// command. Returns where standard output goes.
    pub(super) fn redirections(
        &mut self,
        redirections: &[Redirection],
        command: &[Field],
        state: &mut State,
    ) -> Result<Output, Halt> {
        let mut output = Output::default();
        for redirection in redirections {
            self.pay(1 + state.changes.len() / 8)?;
            if self.redirection(redirection, command, state)? {
                output = Output {
                    elsewhere: true,
                    file: self.written_by(redirection, state),
                };
            }
        }
        Ok(output)
    }

    /// Whether it may well be that the shell cannot redirect, as far as the disk tells: nothing to read, no directory to
    /// write in.
    pub(super) fn redirects_nowhere(&self, redirections: &[Redirection], state: &State) -> bool {
        use RedirectionOperator as Op;
        let disk = self.disk(state);
        may_fail(redirections)
            && redirections.iter().any(|redirection| {
                let name = match redirection.operand.pieces.as_slice() {
                    [Piece::Literal { bytes, .. }] => bytes.as_slice(),
                    // A pipe that the shell itself makes.
                    [Piece::Process { .. }] => return false,
                    _ => return redirection.here_document.is_none(),
                };
                let path = match (&state.cwd, name) {
                    (_, [b'/', ..]) => name.to_vec(),
                    (Cwd::At(cwd), _) => lexical(cwd, name),
                    (Cwd::Unknown(_), _) => return true,
                };
                match redirection.operator {
                    Op::HereDocument | Op::HereString | Op::DuplicateIn | Op::DuplicateOut => false,
                    Op::Read => disk.lstat(&path).is_err(),
                    _ => {
                        let slash = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
                        slash > 0 && self.has_directory(&path[..slash], state) != Some(true)
                    }
                }
            })
    }

    /// The file that standard output goes to, and what it holds before.
    fn written_by(
        &mut self,
        redirection: &Redirection,
        state: &State,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        use RedirectionOperator as Op;
        let written = std::mem::take(&mut self.opened);
        let [(path, before)] = <[_; 1]>::try_from(written).ok()?;
        match redirection.operator {
            Op::Write | Op::Clobber => Some((path, Vec::new())),
            Op::Append => {
                let held = match before {
                    Some(content) => content?.to_vec(),
                    None if self.disk(state).lstat(&path).is_err() => Vec::new(),
                    None => return None,
                };
                Some((path, held))
            }
            _ => None,
        }
    }

    fn redirection(
        &mut self,
        redirection: &Redirection,
        command: &[Field],
        state: &mut State,
    ) -> Result<bool, Halt> {
        use RedirectionOperator as Op;
        let output = redirection
            .descriptor
            .as_deref()
            .is_none_or(|descriptor| descriptor == b"1");
        match redirection.operator {
            Op::HereDocument => {
                let body = redirection.here_document.as_ref();
                let text = match body {
                    Some(body) => self.pieces(&body.body, state)?,
                    None => Text::default(),
                };
                state.input = Input::Text(text);
                Ok(false)
            }
            Op::HereString => {
                // To bash it is like an assigned word.
                let tilde = match self.dialect() {
                    Dialect::Zsh => Tilde::AtStart,
                    _ => Tilde::Assignment,
                };
                let mut text = self.text(&redirection.operand, state, tilde)?;
                text.push_bytes(b"\n");
                state.input = Input::Text(text);
                Ok(false)
            }
            Op::Read | Op::DuplicateIn | Op::ReadWrite => {
                let text = self.text(&redirection.operand, state, Tilde::AtStart)?;
                if text.bytes() == Some(b"/dev/null") {
                    state.input = Input::Text(Text::default());
                } else if let Some(printed) = self.printed_into(&text) {
                    state.input = Input::Text(printed);
                } else if redirection.operator != Op::DuplicateIn {
                    let what = format!(
                        "the content of {}",
                        String::from_utf8_lossy(&text.display())
                    );
                    let unknown = Unknown::anything(what).from(self.opened_file(&text, state));
                    state.input = Input::Text(Text::unknown(unknown));
                }
                Ok(false)
            }
            Op::Write | Op::Clobber | Op::WriteBoth => {
                self.opens(Act::Truncate, redirection, command, state)?;
                Ok(output || redirection.operator == Op::WriteBoth)
            }
            Op::Append | Op::AppendBoth => {
                self.opens(Act::Append, redirection, command, state)?;
                Ok(output || redirection.operator == Op::AppendBoth)
            }
            Op::DuplicateOut => {
                let text = self.text(&redirection.operand, state, Tilde::AtStart)?;
                let descriptor = text.bytes().is_some_and(|bytes| {
                    !bytes.is_empty() && bytes.iter().all(|b| b.is_ascii_digit() || *b == b'-')
                });
                // `1>&$fd`: with a number in front only a descriptor can follow.
                if !descriptor && redirection.descriptor.is_none() {
                    self.opens(Act::Truncate, redirection, command, state)?;
                }
                Ok(output)
            }
        }
    }

    /// The file that is opened for reading.
    fn opened_file(&self, text: &Text, state: &State) -> Option<Taint> {
        let (Some(name), Cwd::At(cwd)) = (text.bytes(), &state.cwd) else {
            return None;
        };
        let mut buffer = PathBuffer::new();
        let path = canonicalise(&self.disk(state), cwd, name, true, &mut buffer).ok()?;
        Some(Taint::File(path.as_bytes().into()))
    }

    fn opens(
        &mut self,
        act: Act,
        redirection: &Redirection,
        command: &[Field],
        state: &mut State,
    ) -> Result<(), Halt> {
        let words = self.words(std::slice::from_ref(&redirection.operand), state)?;
        let mut field = match <[Field; 1]>::try_from(words.fields) {
            Ok([field]) => field,
            Err(fields) if fields.is_empty() => Field {
                spelled: self.spelled(redirection.operand.span),
                ..Field::default()
            },
            // Several words: an error in every shell, but sh takes them literally.
            Err(_) => Field {
                text: self.text(&redirection.operand, state, Tilde::AtStart)?,
                spelled: self.spelled(redirection.operand.span),
                ..Field::default()
            },
        };
        field.text.trace.extend(&words.vanished);
        self.court.redirection(act, &field, command, state);
        self.opened.clear();
        for path in self.court.take_written() {
            let before = state.changes.content(&path);
            Rc::make_mut(&mut state.changes).write(path.clone(), None);
            self.opened.push((path, before));
        }
        let is_device = matches!(
            field.text.bytes(),
            Some(b"/dev/null" | b"/dev/stdout" | b"/dev/stderr")
        );
        if act == Act::Truncate && !is_device {
            state.disk_changed = true;
        }
        Ok(())
    }
}

/// Whether the shell may fail to redirect, and then not run the command: all but descriptors, texts and devices that
/// are always there.
pub(super) fn may_fail(redirections: &[Redirection]) -> bool {
    use RedirectionOperator as Op;
    redirections.iter().any(|redirection| {
        let operand = match redirection.operand.pieces.as_slice() {
            [Piece::Literal { bytes, .. }] => bytes.as_slice(),
            [Piece::Process { .. }] => return false,
            _ => b"",
        };
        match redirection.operator {
            Op::HereDocument | Op::HereString => false,
            Op::DuplicateIn | Op::DuplicateOut => {
                !matches!(operand, b"-" | b"0" | b"1" | b"2" | b"/dev/null")
            }
            _ => !matches!(operand, b"/dev/null" | b"/dev/stdout" | b"/dev/stderr"),
        }
    })
}
