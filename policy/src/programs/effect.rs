use crate::Act;

/// What a reader found. Indices are positions in the argv that was read, `argv[0]` being the program.
///
/// Where an effect is not `certain`, whether anything is lost depends on what only the disk, an archive or
/// another file can tell: a copied tree is merged into a directory, a truncation may lengthen. The layers
/// that see each call need not judge it beforehand; where none of them is active it counts as certain.
///
/// [`Act::Sweep`] and [`Act::Select`] on what is no directory stand for that file itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<'a> {
    /// `act` on the path that a word spells.
    Path {
        /// What happens to it.
        act: Act,
        /// How the argv spells it.
        path: Spelled,
        /// Which links are followed although the act by itself does not.
        follow: Follow,
        /// See [`Effect`].
        certain: bool,
    },
    /// `act` on the final component of `name`, below the directory `inside` (`mv a b dir/`: what is replaced
    /// is `dir/a`), or on `inside` itself where `target` says so. A final component `.` or `..` stands for
    /// the directory itself.
    Into {
        /// What happens to it.
        act: Act,
        /// The word that gives the final component.
        name: Piece,
        /// The directory, or the target if it is no directory; the working directory if absent.
        inside: Option<Spelled>,
        /// When `inside` is taken for a directory.
        target: Target,
        /// See [`Effect`].
        certain: bool,
    },
    /// `act` on every parent that the word itself names: `a/b` and `a` for `a/b/c` (`rmdir -p`).
    Parents {
        /// What happens to them.
        act: Act,
        /// How the argv spells the path.
        path: Spelled,
    },
    /// `act` on a path that the reader knows by itself (`git clean` without a path: the directory).
    Here {
        /// What happens to it.
        act: Act,
        /// Which directory.
        directory: Directory,
        /// A path that begins there, unless it is absolute; empty for the directory itself.
        below: &'a [u8],
        /// Which links are followed although the act by itself does not.
        follow: Follow,
        /// See [`Effect`].
        certain: bool,
    },
    /// The program runs another command, whose argv is `argv[first..end]`, for what it finds at and below one
    /// start point (`find -exec`; one effect a start point). `{}` inside a word, for `fd` also `{/}`, `{//}`, `{.}`
    /// and `{/.}`, stands for what was found.
    Runs {
        /// The first word of the other command.
        first: usize,
        /// One past its last word.
        end: usize,
        /// The start point; the working directory if absent.
        root: Option<Spelled>,
        /// Whether a test narrows what is found.
        tested: bool,
        /// Which links are followed on the way down.
        follow: Follow,
        /// Whether it runs in the directory of what was found (`-execdir`).
        in_directory: bool,
        /// Whether what was found is appended if no word holds a `{}` (`fd`).
        appended: bool,
    },
    /// The program has a shell run the text in `text` (`git -c alias.x='!...'`, `tar --to-command`).
    Shell {
        /// The word that holds the text, and where in it the text begins.
        text: Piece,
        /// Where it runs.
        directory: Directory,
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

impl Effect<'_> {
    /// A certain `act` on a path.
    pub(super) fn on(act: Act, path: impl Into<Spelled>) -> Self {
        Self::Path {
            act,
            path: path.into(),
            follow: Follow::No,
            certain: true,
        }
    }

    /// A certain `act` on a directory itself.
    pub(super) const fn here(act: Act, directory: Directory) -> Self {
        Self::Here {
            act,
            directory,
            below: b"",
            follow: Follow::No,
            certain: true,
        }
    }

    /// The same, following `links`.
    pub(super) const fn following(mut self, links: Follow) -> Self {
        if let Self::Path { follow, .. } | Self::Here { follow, .. } = &mut self {
            *follow = links;
        }
        self
    }

    /// The same, but certain only if `sure`.
    pub(super) const fn sure(mut self, sure: bool) -> Self {
        if let Self::Path { certain, .. }
        | Self::Into { certain, .. }
        | Self::Here { certain, .. } = &mut self
        {
            *certain = sure;
        }
        self
    }
}

/// The bytes of one word from some byte on: `PATH` in `of=PATH` or `--output=PATH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which word.
    pub index: usize,
    /// The first byte.
    pub from: usize,
}

impl From<usize> for Piece {
    fn from(index: usize) -> Self {
        Self { index, from: 0 }
    }
}

/// A path as the argv spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// Where in the argv.
    pub piece: Piece,
    /// Where it begins if it is relative.
    pub directory: Directory,
}

impl From<Piece> for Spelled {
    fn from(piece: Piece) -> Self {
        Self {
            piece,
            directory: Directory::Current,
        }
    }
}

impl From<usize> for Spelled {
    fn from(index: usize) -> Self {
        Piece::from(index).into()
    }
}

/// Where relative paths of an argv begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directory {
    /// The working directory.
    Current,
    /// The directory that a word names (`git -C DIR`, `tar -C DIR`), relative to the working directory.
    Word(Piece),
    /// The top of the git work tree that contains the working directory, or the directory that a word names.
    /// The directory itself if there is no repository.
    TopLevel(Option<Piece>),
    /// Several `-C` options, each relative to the one before, and other shapes no reader resolves.
    Unresolved,
}

/// Which symbolic links an act follows beyond what [`Act::follows_link`] says. A trailing slash of a word
/// follows its final link too: readers say so for known words, for others it is for whoever knows the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// None at all, not even a final one that the act follows by itself or that a trailing slash would (git
    /// never goes through links).
    Never,
    /// None beyond that.
    No,
    /// A final one (`rm -r link/`, `find -H link`).
    Final,
    /// Also all those met on the way down (`find -L`): what they name may lie anywhere.
    Below,
}

/// When the last operand of a copy or move is taken for a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// If the disk has a directory, or a link to one, there.
    Either,
    /// If the disk has a directory there, but not for a link to one (`ln -n`).
    NoLink,
    /// Always (`-t`, or several sources).
    Directory,
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
