use crate::Act;

/// One word of an argv.
pub trait Word {
    /// The bytes, if all of them are known.
    fn known(&self) -> Option<&[u8]>;

    /// The bytes known at the beginning: all of them for a known word. A reader tells an option from an
    /// operand by these.
    fn prefix(&self) -> &[u8];

    /// Whether the word could be an option although its beginning is not known to be `-`.
    fn may_be_option(&self) -> bool {
        self.known().is_none() && self.prefix().is_empty()
    }
}

impl<T: AsRef<[u8]>> Word for T {
    fn known(&self) -> Option<&[u8]> {
        Some(self.as_ref())
    }

    fn prefix(&self) -> &[u8] {
        self.as_ref()
    }
}

/// What a reader found. Indices are positions in the argv that was read, `argv[0]` being the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<'a> {
    /// `act` on the path in `argv[index]`, from byte `from` of that word on (`of=PATH` has `from` 3),
    /// resolved against `directory`.
    Path {
        /// What happens to it.
        act: Act,
        /// Which word.
        index: usize,
        /// Where in the word the path begins.
        from: usize,
        /// Where relative paths begin.
        directory: Directory,
        /// Whether a final symbolic link is followed although the act does not (`rm -r link/`, `find -L`).
        follow: bool,
    },
    /// `act` on `argv[index]`'s final component below the directory in `argv[inside]` (`mv a b dir/`:
    /// what is replaced is `dir/a`), if that directory exists, else on the directory word itself.
    Into {
        /// What happens to it.
        act: Act,
        /// The word that gives the final component.
        index: usize,
        /// The word that names the directory (or the target, if it is no directory).
        inside: usize,
        /// Where in that word the path begins.
        from: usize,
        /// Where relative paths begin.
        directory: Directory,
        /// `-T`: the target is never taken for a directory. `-t`: always.
        target: Target,
    },
    /// `act` on a path that the reader knows by itself (`git clean` without a path: the directory).
    Here {
        /// What happens to it.
        act: Act,
        /// Which directory.
        directory: Directory,
        /// The path below it; empty for the directory itself.
        below: &'a [u8],
    },
    /// The program runs another command, whose argv is `argv[first..end]` (`find -exec`): once for what is
    /// found below the start points `argv[roots.0..roots.1]` (the working directory if that is empty), put in
    /// where a word holds `{}`.
    Runs {
        /// The first word of the other command.
        first: usize,
        /// One past its last word.
        end: usize,
        /// The start points.
        roots: (usize, usize),
        /// Whether a test narrows what is found.
        tested: bool,
        /// Whether links are followed on the way down (`find -L`).
        follow: bool,
        /// Whether it runs in the directory of what was found (`-execdir`).
        in_directory: bool,
    },
    /// The program destroys something, but what cannot be told from the argv (`xargs rm` fed by a pipe,
    /// `rm` without operands, an option word that is not known).
    Unknown {
        /// What happens to it.
        act: Act,
        /// Why it is not known.
        why: Unknown,
    },
}

/// Where relative paths of an argv begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directory {
    /// The working directory.
    Current,
    /// The directory named by a word (`git -C DIR`, `tar -C DIR`), from byte `from` of it on, itself
    /// relative to the working directory.
    Word {
        /// Which word.
        index: usize,
        /// Where in the word the path begins.
        from: usize,
    },
    /// Several `-C` options, each relative to the one before, and other shapes no reader resolves.
    Unresolved,
}

/// How a last operand that may be a directory is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// As the disk says.
    Either,
    /// Always a directory (`-t`, or several sources).
    Directory,
    /// Never a directory (`-T`).
    File,
}

/// Why a reader cannot name what is destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No operand at all.
    NoOperands,
    /// A word that decides (an option, a sub-command) is not known.
    UnknownWord,
    /// The operands come from standard input or a file.
    Fed,
}

/// Takes what a reader finds.
pub trait Sink {
    /// One effect.
    fn effect(&mut self, effect: Effect<'_>);
}

impl<F: FnMut(Effect<'_>)> Sink for F {
    fn effect(&mut self, effect: Effect<'_>) {
        self(effect);
    }
}
