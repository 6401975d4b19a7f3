//! A program that is about to start.

use std::cell::OnceCell;

use blastradius_policy::{Fs, PathBuffer, canonicalise};

use crate::git::{Invocation, Surroundings, Word};
use crate::guards::Saved;
use crate::interp::{Cwd, Field, Place, State, Text, Value, input_text};
use crate::verdict::Given;

/// Known or unknown words.
pub(crate) type Words = Vec<Word>;

/// A program that is about to start.
pub(crate) struct Command<'a> {
    /// Its base name.
    pub(crate) name: &'a [u8],
    /// Its words, itself first.
    pub(crate) fields: &'a [Field],
    /// The state of the shell that runs it.
    pub(crate) state: &'a State,
    /// What it prints comes into the session.
    pub(crate) is_shown: bool,
    /// What earlier commands of the string did to a work tree.
    pub(crate) saved: &'a dyn Fn(&Invocation) -> Saved,
    /// Commands that ran before in the same string: their first words.
    pub(crate) earlier: &'a [Vec<Vec<u8>>],
    /// Files that were written before in the same string.
    pub(crate) touched: &'a [Vec<u8>],
    /// Files of the same string that hold what a secret file held.
    pub(crate) secrets: &'a [(Vec<u8>, Vec<u8>)],
    prefix: &'a [(Vec<u8>, Value)],
    pipes: &'a [(Vec<u8>, Text)],
    place: &'a Place<'a>,
    fs: &'a dyn Fs,
    invocation: OnceCell<Option<Invocation>>,
}

/// What a court knows of the string beside the program itself.
pub(crate) struct Around<'a> {
    pub(crate) saved: &'a dyn Fn(&Invocation) -> Saved,
    pub(crate) earlier: &'a [Vec<Vec<u8>>],
    pub(crate) touched: &'a [Vec<u8>],
    pub(crate) secrets: &'a [(Vec<u8>, Vec<u8>)],
}

impl<'a> Command<'a> {
    pub(crate) fn new(
        given: &'a Given<'a>,
        around: Around<'a>,
        place: &'a Place<'a>,
        fs: &'a dyn Fs,
    ) -> Self {
        Self {
            name: given.name,
            fields: given.fields,
            state: given.state,
            is_shown: given.is_shown,
            saved: around.saved,
            earlier: around.earlier,
            touched: around.touched,
            secrets: around.secrets,
            prefix: given.prefix,
            pipes: given.pipes,
            place,
            fs,
            invocation: OnceCell::new(),
        }
    }

    /// The words after the program's name.
    pub(crate) fn words(&self) -> Words {
        words(self.fields.get(1..).unwrap_or_default())
    }

    /// Whether the program goes by one of these names, a version behind it or not: `python3.12`.
    pub(crate) fn is_any(&self, names: &[&str]) -> bool {
        let end = self
            .name
            .iter()
            .rposition(|byte| !byte.is_ascii_digit() && *byte != b'.');
        let plain = &self.name[..end.map_or(0, |end| end + 1)];
        names
            .iter()
            .any(|name| name.as_bytes() == self.name || name.as_bytes() == plain)
    }

    /// Whether a command that begins with these words ran before.
    pub(crate) fn follows(&self, words: &[&str]) -> bool {
        self.earlier.iter().any(|earlier| {
            earlier.len() >= words.len()
                && words
                    .iter()
                    .zip(earlier)
                    .all(|(word, known)| word.as_bytes() == known)
        })
    }

    /// The canonical path that a word names.
    pub(crate) fn path(&self, word: &[u8]) -> Option<Vec<u8>> {
        let Cwd::At(cwd) = &self.state.cwd else {
            return None;
        };
        let mut buffer = PathBuffer::new();
        let path = canonicalise(self.fs, cwd, word, true, &mut buffer).ok()?;
        Some(path.as_bytes().to_vec())
    }

    /// What it reads from its standard input, as far as that is known.
    pub(crate) fn input(&self) -> Option<&Text> {
        input_text(self.state)
    }

    /// What a file holds that is the pipe of a process substitution.
    pub(crate) fn pipe(&self, name: &[u8]) -> Option<&Text> {
        self.pipes
            .iter()
            .rev()
            .find(|(pipe, _)| pipe == name)
            .map(|(_, text)| text)
    }

    /// What a file will hold when the program reads it: what the string wrote, else what is on the disk.
    pub(crate) fn content(&self, path: &[u8]) -> Option<Vec<u8>> {
        match self.state.changes.content(path) {
            Some(content) => content.map(|content| content.to_vec()),
            None => super::content(self.fs, path),
        }
    }

    /// A variable that the program would see.
    pub(crate) fn variable(&self, name: &[u8]) -> Option<Word> {
        let inherited = || self.place.variable(name);
        match self.set(name) {
            Some(Value::Unset) => None,
            Some(value) if self.is_exported(name) || inherited().is_some() => Some(scalar(value)),
            _ => inherited().map(|value| Some(value.to_vec())),
        }
    }

    /// The same, if the string itself sets it.
    pub(crate) fn own_variable(&self, name: &[u8]) -> Option<Word> {
        let value = self.set(name)?;
        (*value != Value::Unset && (self.is_exported(name) || self.place.variable(name).is_some()))
            .then(|| scalar(value))
    }

    fn set(&self, name: &[u8]) -> Option<&Value> {
        let prefix = self.prefix.iter().rfind(|(known, _)| known == name);
        prefix
            .map(|(_, value)| value)
            .or_else(|| self.state.variables.get(name))
    }

    fn is_exported(&self, name: &[u8]) -> bool {
        self.prefix.iter().any(|(known, _)| known == name) || self.state.exported.contains(name)
    }

    /// The git command that it is.
    pub(crate) fn git(&self) -> Option<&Invocation> {
        if self.name != b"git" {
            return None;
        }
        let read = || Some(self.invocation()?.with_settled_alias(self.place.git));
        self.invocation.get_or_init(read).as_ref()
    }

    fn invocation(&self) -> Option<Invocation> {
        let Cwd::At(cwd) = &self.state.cwd else {
            return None;
        };
        let mut buffer = PathBuffer::new();
        let directory = canonicalise(self.fs, b"/", cwd, true, &mut buffer).ok()?;
        Invocation::read(Surroundings {
            words: words(self.fields),
            directory: directory.as_bytes(),
            variable: &|name| self.variable(name),
        })
    }
}

fn words(fields: &[Field]) -> Words {
    let word = |field: &Field| field.text.bytes().map(<[u8]>::to_vec);
    fields.iter().map(word).collect()
}

fn scalar(value: &Value) -> Word {
    match value {
        Value::Scalar(text) => text.bytes().map(<[u8]>::to_vec),
        Value::Unset | Value::Array(_) | Value::Any(_) => None,
    }
}
