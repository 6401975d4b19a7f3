use crate::packed::{Packed, packed};

/// What a word of an expression is, with the number of its arguments where it varies.
#[derive(Clone, Copy)]
pub(super) enum Primary {
    Open,
    Close,
    Not,
    And,
    Or,
    Comma,
    /// Picks nothing, or what is most of a tree: `-type f`, `-user me`.
    Plain(usize),
    /// Picks by a pattern.
    Matches,
    /// Picks by a property that few have.
    Picks(usize),
    /// Picks by time.
    Ages,
    /// Writes the file in its first argument.
    Writes(usize),
    Delete,
    Runs {
        in_directory: bool,
    },
    /// Follows links, wherever it stands.
    Follow,
    /// Reads the start points from a file.
    Feeds,
    Informs,
}

impl Primary {
    pub(super) fn named(word: &[u8]) -> Self {
        let listed = WORDS.into_iter().find(|&(_, listed)| listed == word);
        match listed {
            Some((code, _)) => Self::of(code),
            None if word.starts_with(b"-newer") => Self::Ages,
            None => Self::Plain(0),
        }
    }

    const fn of(code: u8) -> Self {
        match code {
            b'(' => Self::Open,
            b')' => Self::Close,
            b'!' => Self::Not,
            b'a' => Self::And,
            b'o' => Self::Or,
            b',' => Self::Comma,
            b'd' => Self::Delete,
            b'x' => Self::Runs {
                in_directory: false,
            },
            b'X' => Self::Runs { in_directory: true },
            b'w' => Self::Writes(1),
            b'W' => Self::Writes(2),
            b'l' => Self::Follow,
            b'f' => Self::Feeds,
            b'h' => Self::Informs,
            b'm' => Self::Matches,
            b'0' => Self::Picks(0),
            b'1' => Self::Picks(1),
            b't' => Self::Ages,
            b'p' => Self::Plain(1),
            _ => Self::Plain(0),
        }
    }
}

/// The words of expressions by the code of what they are. Every other is plain, without an argument.
const WORDS: Packed = packed!(&[
    (b'(', "("),
    (b')', ")"),
    (b'!', "!"),
    (b'!', "-not"),
    (b'a', "-a"),
    (b'a', "-and"),
    (b'o', "-o"),
    (b'o', "-or"),
    (b',', ","),
    (b'd', "-delete"),
    (b'x', "-exec"),
    (b'x', "-ok"),
    (b'X', "-execdir"),
    (b'X', "-okdir"),
    (b'w', "-fprint"),
    (b'w', "-fprint0"),
    (b'w', "-fls"),
    (b'W', "-fprintf"),
    (b'l', "-follow"),
    (b'f', "-files0-from"),
    (b'f', "-f"),
    (b'h', "-help"),
    (b'h', "--help"),
    (b'h', "-version"),
    (b'h', "--version"),
    (b'm', "-name"),
    (b'm', "-iname"),
    (b'm', "-path"),
    (b'm', "-ipath"),
    (b'm', "-wholename"),
    (b'm', "-iwholename"),
    (b'm', "-lname"),
    (b'm', "-ilname"),
    (b'm', "-regex"),
    (b'm', "-iregex"),
    (b'0', "-empty"),
    (b'0', "-nouser"),
    (b'0', "-nogroup"),
    (b'0', "-executable"),
    (b'0', "-sparse"),
    (b'1', "-size"),
    (b'1', "-perm"),
    (b'1', "-links"),
    (b'1', "-inum"),
    (b'1', "-samefile"),
    (b'1', "-context"),
    (b'1', "-flags"),
    (b'1', "-xattrname"),
    (b't', "-amin"),
    (b't', "-cmin"),
    (b't', "-mmin"),
    (b't', "-Bmin"),
    (b't', "-atime"),
    (b't', "-ctime"),
    (b't', "-mtime"),
    (b't', "-Btime"),
    (b't', "-used"),
    (b't', "-anewer"),
    (b't', "-cnewer"),
    (b't', "-mnewer"),
    (b'p', "-type"),
    (b'p', "-xtype"),
    (b'p', "-user"),
    (b'p', "-group"),
    (b'p', "-uid"),
    (b'p', "-gid"),
    (b'p', "-fstype"),
    (b'p', "-maxdepth"),
    (b'p', "-mindepth"),
    (b'p', "-regextype"),
    (b'p', "-printf"),
]);
