//! What is done to a path, and who does it.

/// An act that may destroy what a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Removes one name: `unlink`, or `rmdir` of an empty directory.
    Remove,
    /// Removes a directory with everything below it (`rm -r`, `find -delete`).
    RemoveTree,
    /// Moves a name away (the source of a rename).
    MoveAway,
    /// Puts something else under an existing name (the target of a rename, `ln -f`).
    Replace,
    /// Empties or shortens a file (`truncate`, `O_TRUNC`, `>`).
    Truncate,
    /// Opens an existing file to write over it in place.
    Overwrite,
    /// Adds to a file. Destroys nothing: only guard files refuse it.
    Append,
    /// Removes or replaces what lies below a directory, whatever it is called (`git clean`,
    /// `git reset --hard`, `rsync --delete`). The directory itself stays.
    Sweep,
    /// Removes what a test picks below a directory (`find DIR -name X -delete`). The directory itself stays.
    Select,
}

impl Act {
    /// Every act.
    pub const ALL: [Self; 9] = [
        Self::Remove,
        Self::RemoveTree,
        Self::MoveAway,
        Self::Replace,
        Self::Truncate,
        Self::Overwrite,
        Self::Append,
        Self::Sweep,
        Self::Select,
    ];

    /// The name used in JSON and in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Remove => "remove",
            Self::RemoveTree => "remove-recursive",
            Self::MoveAway => "move",
            Self::Replace => "replace",
            Self::Truncate => "truncate",
            Self::Overwrite => "overwrite",
            Self::Append => "append",
            Self::Sweep => "sweep",
            Self::Select => "select",
        }
    }

    /// Whether what lies below the path is lost, or leaves its place, with it.
    #[must_use]
    pub const fn takes_contents(self) -> bool {
        matches!(self, Self::RemoveTree | Self::MoveAway | Self::Replace)
    }

    /// Whether the final component is followed when it is a symbolic link: writing goes through a link,
    /// removing and renaming act on the link itself.
    #[must_use]
    pub const fn follows_link(self) -> bool {
        matches!(
            self,
            Self::Truncate | Self::Overwrite | Self::Append | Self::Sweep | Self::Select
        )
    }
}

/// On whose word the act happens. A command aimed at a path must find it in the scope; a program's own
/// bookkeeping may also use the places marked `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// A command line named the path: judged by `allow` alone.
    Command,
    /// A program made the call by itself (libc and kernel layers).
    Program,
}
