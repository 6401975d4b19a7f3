//! Code that is given to an interpreter on the line: `python3 -c`, `node -e`, `perl -e`, or by a here-document.
//!
//! Only what can be proved is taken from it: paths that are written out, or that are put together from such and from
//! the environment, where they are given to a function that removes, empties or moves, or that runs a command. All
//! else is left to the calls.

mod calls;
mod evaluate;
mod token;

use super::{
    Halt, Interpreter,
    invoke::Call,
    state::{Path, State, Status},
    value::{Field, Text, Trace},
};
use crate::shell::ast::Dialect;
use blastradius_policy::{Act, By};
use evaluate::Reader;

/// A language whose code is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    Node,
    Perl,
    Ruby,
    Php,
}

/// What a piece of code does.
enum Effect {
    Remove(Text),
    RemoveDirectory(Text),
    RemoveTree(Text),
    Empty(Text),
    Move(Text, Text),
    Shell(Text),
    Program(Vec<Text>),
}

impl Interpreter<'_> {
    /// Follows the code that an interpreter is given, if it is one.
    pub(super) fn snippet(
        &mut self,
        name: &[u8],
        call: &Call,
        state: &mut State,
    ) -> Result<(), Halt> {
        let Some(language) = language(name) else {
            return Ok(());
        };
        let Some(code) = code(language, call, state) else {
            return Ok(());
        };
        let effects = Reader::read(self, state, language, &code);
        if effects.is_empty() {
            return Ok(());
        }
        let shown = format!("the code for {}", String::from_utf8_lossy(name));
        let inner = state.clone();
        let paths = self.within_file(&shown, |this| {
            let mut state = inner;
            for effect in effects {
                let paths = this.effect(effect, state.clone())?;
                state.absorb(&paths);
            }
            Ok(vec![Path {
                state,
                status: Status::Unknown,
            }])
        })?;
        state.absorb(&paths.unwrap_or_default());
        Ok(())
    }

    fn effect(&mut self, effect: Effect, state: State) -> Result<Vec<Path>, Halt> {
        let by = match &effect {
            Effect::Shell(_) | Effect::Program(_) => By::Command,
            _ => By::Program,
        };
        self.court.judge_by(by);
        let paths = self.carried_out(effect, state);
        self.court.judge_by(By::Command);
        paths
    }

    fn carried_out(&mut self, effect: Effect, state: State) -> Result<Vec<Path>, Halt> {
        let run = |this: &mut Self, words: &[&[u8]], texts: Vec<Text>| {
            let known = words.iter().map(|word| Field::known(*word));
            let texts = texts.into_iter().map(|text| Field {
                spelled: text.display().as_slice().into(),
                text,
                ..Field::default()
            });
            let call = Call {
                fields: known.chain(texts).collect(),
                vanished: Trace::default(),
                vanished_spelled: Vec::new(),
                prefix: Vec::new(),
                functions: false,
                builtins: false,
            };
            this.fork(state.clone(), |this, state| this.invoke(call, state))
        };
        match effect {
            Effect::Remove(path) => run(self, &[b"rm", b"-f", b"--"], vec![path]),
            Effect::RemoveDirectory(path) => run(self, &[b"rmdir", b"--"], vec![path]),
            Effect::RemoveTree(path) => run(self, &[b"rm", b"-rf", b"--"], vec![path]),
            Effect::Move(from, to) => run(self, &[b"mv", b"-f", b"--"], vec![from, to]),
            Effect::Program(words) => run(self, &[], words),
            Effect::Empty(path) => {
                let field = Field {
                    spelled: path.display().as_slice().into(),
                    text: path,
                    ..Field::default()
                };
                self.court.redirection(Act::Truncate, &field, &[], &state);
                Ok(vec![Path {
                    state,
                    status: Status::Unknown,
                }])
            }
            Effect::Shell(text) => {
                let child = self.child(&state, Some(Vec::new()), Text::known(*b"sh"));
                self.shell(&text, Dialect::Sh, child)
            }
        }
    }
}

fn language(name: &[u8]) -> Option<Language> {
    let end = name
        .iter()
        .rposition(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
    match &name[..=end] {
        b"python" | b"pypy" => Some(Language::Python),
        b"node" | b"nodejs" | b"bun" | b"deno" => Some(Language::Node),
        b"perl" => Some(Language::Perl),
        b"ruby" => Some(Language::Ruby),
        b"php" => Some(Language::Php),
        _ => None,
    }
}

/// The code in the words, or on standard input where the words name no file.
fn code(language: Language, call: &Call, state: &State) -> Option<Vec<u8>> {
    let mut code = Vec::new();
    let mut fields = call.fields[1..].iter();
    while let Some(field) = fields.next() {
        let word = field.text.bytes()?;
        match code_in(language, word) {
            Some(b"") => {
                code.extend_from_slice(fields.next()?.text.bytes()?);
                code.push(b'\n');
            }
            Some(attached) => code.extend_from_slice(attached),
            None if word == b"-" => break,
            // A file, or a module: `python3 -m pytest`.
            None if !word.starts_with(b"-") || word == b"-m" => {
                return (!code.is_empty()).then_some(code);
            }
            None => {}
        }
        if language == Language::Python && !code.is_empty() {
            break;
        }
    }
    if code.is_empty() {
        return Interpreter::input_text(state)?.bytes().map(<[u8]>::to_vec);
    }
    Some(code)
}

/// Whether a word says that code follows: in the word itself, or, where that is empty, as the next one.
fn code_in(language: Language, word: &[u8]) -> Option<&[u8]> {
    // Letters that say so, and those that take the rest of their word.
    let (codes, takes): (&[u8], &[u8]) = match language {
        Language::Python => (b"c", b"mWX"),
        Language::Node => (b"ep", b"rC"),
        Language::Perl => (b"eE", b"MmIFiDx"),
        Language::Ruby => (b"e", b"rIEKCx"),
        Language::Php => (b"r", b"dcz"),
    };
    if matches!(word, b"--eval" | b"--print" | b"eval") {
        return Some(b"");
    }
    let letters = word
        .strip_prefix(b"-")
        .filter(|letters| !letters.starts_with(b"-"))?;
    let at = letters
        .iter()
        .position(|letter| codes.contains(letter) || takes.contains(letter))?;
    codes.contains(&letters[at]).then(|| match language {
        // `node -pe CODE`
        Language::Node => &b""[..],
        _ => &letters[at + 1..],
    })
}
