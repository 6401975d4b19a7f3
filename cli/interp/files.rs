//! Scripts that a string names: read as they lie on the disk, or as the string has just written them.

use std::rc::Rc;

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

use super::{
    Halt, Interpreter,
    budget::STEPS,
    state::{Cwd, Path, State},
    value::Text,
};
use crate::shell::ast::Dialect;

/// A longer script is not read.
const LONGEST: usize = 64 << 10;
/// How many words and commands of one file are looked at, at most.
const STEPS_OF_FILE: u32 = STEPS / 2;

/// A file that runs.
pub(super) struct Script {
    /// Its name as the string has it.
    shown: String,
    pub(super) source: Rc<[u8]>,
    /// The string has written it itself, so it is part of what was typed.
    pub(super) typed: bool,
}

impl Interpreter<'_> {
    /// The content of a file, if it is a small regular one and nobody can have changed it by then.
    pub(super) fn script_file(&self, file: &Text, state: &State) -> Option<Script> {
        let name = file.bytes().filter(|name| !name.is_empty())?;
        let Cwd::At(cwd) = &state.cwd else {
            return None;
        };
        let shown = String::from_utf8_lossy(name).into_owned();
        let disk = self.disk(state);
        let mut buffer = PathBuffer::new();
        let path = canonicalise(&disk, cwd, name, true, &mut buffer).ok()?;
        if let Some(content) = state.changes.content(path.as_bytes()) {
            let source = content?;
            return Some(Script {
                shown,
                source,
                typed: true,
            });
        }
        let meta = disk.lstat(path.as_bytes()).ok()?;
        if meta.kind != Kind::File {
            return None;
        }
        let mut room = vec![0; LONGEST];
        let length = disk.read(path.as_bytes(), &mut room).ok()?;
        let source = room.get(..length)?;
        // What the session has written before is as much typed as the string itself.
        let typed = self.session.background.past.wrote(path.as_bytes());
        (!source.contains(&0)).then(|| Script {
            shown,
            source: source.into(),
            typed,
        })
    }

    /// Follows a file. What it destroys is judged; what only its run can tell is left to the calls, because files
    /// lean on surroundings that a string does not show. `None`: it is more than can be followed.
    pub(super) fn within_file(
        &mut self,
        shown: &str,
        run: impl FnOnce(&mut Self) -> Result<Vec<Path>, Halt>,
    ) -> Result<Option<Vec<Path>>, Halt> {
        let whole = self.limit;
        self.limit = whole.min(self.steps.saturating_add(STEPS_OF_FILE));
        self.court.enter_file(shown);
        let result = run(self);
        self.court.leave_file();
        let own = self.limit < whole;
        self.limit = whole;
        match result {
            Err(Halt::Spent) if own => {
                self.court
                    .note(format!("{shown} is too long to be followed to its end"));
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// Follows a script; what the string has typed into it is judged as typed. `None`: it is judged only as it
    /// happens.
    pub(super) fn follow_script(
        &mut self,
        script: Script,
        run: impl FnOnce(&mut Self, Rc<[u8]>) -> Result<Vec<Path>, Halt>,
    ) -> Result<Option<Vec<Path>>, Halt> {
        if script.typed {
            return run(self, script.source).map(Some);
        }
        self.within_file(&script.shown, |this| run(this, script.source))
    }

    /// Runs a script in a shell that is there for it.
    pub(super) fn run_script(
        &mut self,
        script: Script,
        dialect: Dialect,
        child: State,
    ) -> Result<Option<Vec<Path>>, Halt> {
        self.follow_script(script, |this, source| {
            this.fork(child, |this, state| {
                this.script_text(source, dialect, state)
            })
        })
    }
}

/// The shell that the first line of a script asks for; `None` if it asks for something else.
pub(super) fn interpreter_of(source: &[u8]) -> Option<Dialect> {
    let line = source
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let mut words = line
        .split(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        .filter(|word| !word.is_empty());
    let mut name = crate::verdict::base_name(words.next()?);
    if name == b"env" {
        name = crate::verdict::base_name(words.find(|word| !word.starts_with(b"-"))?);
    }
    match name {
        b"bash" => Some(Dialect::Bash),
        b"zsh" => Some(Dialect::Zsh),
        b"sh" | b"dash" | b"ash" | b"ksh" | b"mksh" | b"busybox" => Some(Dialect::Sh),
        _ => None,
    }
}
