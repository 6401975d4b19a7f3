//! Links that a command makes: what later commands do through them is done elsewhere.

use std::rc::Rc;

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

use crate::interp::{
    Field, Interpreter,
    directories::lexical,
    state::{Cwd, State},
};

/// `ln`: a symbolic link leads where it says; a hard one is the file itself, so what follows links to a file follows
/// it too.
pub(super) fn linked(interpreter: &Interpreter<'_>, arguments: &[Field], state: &mut State) {
    let words: Vec<_> = (arguments.iter()).map(|field| field.text.shape()).collect();
    let (Cwd::At(cwd), Some(line)) = (state.cwd.clone(), Line::read(&words)) else {
        return;
    };
    let disk = interpreter.disk(state);
    for (target, name) in line.pairs(&disk, &cwd) {
        let target = if line.symbolic {
            target.to_vec()
        } else {
            lexical(&cwd, target)
        };
        let mut path = PathBuffer::new();
        let Ok(path) = canonicalise(&disk, &cwd, &name, false, &mut path) else {
            continue;
        };
        // Without `-f` what is there stays.
        if line.replaces || disk.lstat(path.as_bytes()).is_err() {
            Rc::make_mut(&mut state.changes).link(path.as_bytes().to_vec(), target);
        }
    }
}

struct Line<'a> {
    symbolic: bool,
    replaces: bool,
    /// A final operand that is a link to a directory is not gone into.
    no_follow: bool,
    no_directory: bool,
    directory: Option<&'a [u8]>,
    operands: Vec<&'a [u8]>,
}

impl<'a> Line<'a> {
    /// `None`: a word is not known, or an option that is not.
    fn read(words: &'a [Option<Vec<u8>>]) -> Option<Self> {
        let mut line = Self {
            symbolic: false,
            replaces: false,
            no_follow: false,
            no_directory: false,
            directory: None,
            operands: Vec::new(),
        };
        let mut words = words.iter().map(Option::as_deref);
        let mut options = true;
        while let Some(word) = words.next() {
            let word = word?;
            match word {
                b"--" if options => options = false,
                b"--symbolic" if options => line.symbolic = true,
                b"--force" if options => line.replaces = true,
                b"--no-dereference" if options => line.no_follow = true,
                b"--no-target-directory" if options => line.no_directory = true,
                b"--target-directory" if options => line.directory = Some(words.next()??),
                [b'-', b'-', ..] if options => {
                    if let Some(directory) = word.strip_prefix(b"--target-directory=") {
                        line.directory = Some(directory);
                    }
                }
                [b'-', letters @ ..] if options && !letters.is_empty() => {
                    for (at, letter) in letters.iter().enumerate() {
                        match letter {
                            b's' => line.symbolic = true,
                            b'f' => line.replaces = true,
                            b'n' | b'h' => line.no_follow = true,
                            b'T' => line.no_directory = true,
                            b't' => {
                                line.directory = Some(match &letters[at + 1..] {
                                    b"" => words.next()??,
                                    attached => attached,
                                });
                                break;
                            }
                            _ => {}
                        }
                    }
                }
                operand => line.operands.push(operand),
            }
        }
        Some(line)
    }

    /// Targets, and the names they are given.
    fn pairs(&self, disk: &dyn Fs, cwd: &[u8]) -> Vec<(&'a [u8], Vec<u8>)> {
        let (directory, targets) = match (self.directory, self.operands.as_slice()) {
            (Some(directory), targets) => (directory, targets),
            (None, [target]) => (&b"."[..], std::slice::from_ref(target)),
            (None, [target, name]) if self.no_directory || !self.is_directory(disk, cwd, name) => {
                return vec![(target, name.to_vec())];
            }
            (None, [targets @ .., directory]) => (*directory, targets),
            (None, []) => return Vec::new(),
        };
        targets
            .iter()
            .map(|target| {
                let end = target
                    .iter()
                    .rposition(|byte| *byte != b'/')
                    .map_or(0, |at| at + 1);
                let base = target[..end]
                    .rsplit(|byte| *byte == b'/')
                    .next()
                    .unwrap_or(b"");
                (*target, [directory, b"/", base].concat())
            })
            .collect()
    }

    fn is_directory(&self, disk: &dyn Fs, cwd: &[u8], name: &[u8]) -> bool {
        let mut path = PathBuffer::new();
        canonicalise(disk, cwd, name, !self.no_follow, &mut path)
            .and_then(|path| disk.lstat(path.as_bytes()))
            .is_ok_and(|meta| meta.kind == Kind::Directory)
    }
}
