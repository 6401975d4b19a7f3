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
        match word {
            b"(" => Self::Open,
            b")" => Self::Close,
            b"!" | b"-not" => Self::Not,
            b"-a" | b"-and" => Self::And,
            b"-o" | b"-or" => Self::Or,
            b"," => Self::Comma,
            b"-delete" => Self::Delete,
            b"-exec" | b"-ok" => Self::Runs {
                in_directory: false,
            },
            b"-execdir" | b"-okdir" => Self::Runs { in_directory: true },
            b"-fprint" | b"-fprint0" | b"-fls" => Self::Writes(1),
            b"-fprintf" => Self::Writes(2),
            b"-follow" => Self::Follow,
            b"-files0-from" | b"-f" => Self::Feeds,
            b"-help" | b"--help" | b"-version" | b"--version" => Self::Informs,
            b"-name" | b"-iname" | b"-path" | b"-ipath" | b"-wholename" | b"-iwholename"
            | b"-lname" | b"-ilname" | b"-regex" | b"-iregex" => Self::Matches,
            b"-empty" | b"-nouser" | b"-nogroup" | b"-executable" | b"-sparse" => Self::Picks(0),
            b"-size" | b"-perm" | b"-links" | b"-inum" | b"-samefile" | b"-context" | b"-flags"
            | b"-xattrname" => Self::Picks(1),
            b"-amin" | b"-cmin" | b"-mmin" | b"-Bmin" | b"-atime" | b"-ctime" | b"-mtime"
            | b"-Btime" | b"-used" | b"-anewer" | b"-cnewer" | b"-mnewer" => Self::Ages,
            _ if word.starts_with(b"-newer") => Self::Ages,
            b"-type" | b"-xtype" | b"-user" | b"-group" | b"-uid" | b"-gid" | b"-fstype"
            | b"-maxdepth" | b"-mindepth" | b"-regextype" | b"-printf" => Self::Plain(1),
            _ => Self::Plain(0),
        }
    }
}
