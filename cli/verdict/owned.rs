//! What a reader found, kept.

use blastradius_policy::{
    Act,
    programs::{self, Directory, Effect, Follow, Piece, Spelled, Target as Taken},
};

/// An [`Effect`] without its borrow.
pub(super) enum Owned {
    Path {
        act: Act,
        path: Spelled,
        follow: Follow,
        certain: bool,
    },
    Into {
        act: Act,
        name: Piece,
        inside: Option<Spelled>,
        target: Taken,
        certain: bool,
    },
    Parents {
        act: Act,
        path: Spelled,
    },
    Here {
        act: Act,
        directory: Directory,
        below: Vec<u8>,
        follow: Follow,
        certain: bool,
    },
    Runs {
        first: usize,
        end: usize,
        root: Option<Spelled>,
        tested: bool,
        follow: Follow,
        in_directory: bool,
        appended: bool,
    },
    Shell {
        text: Piece,
        directory: Directory,
    },
    Unknown {
        act: Act,
        why: programs::Unknown,
    },
}

impl From<Effect<'_>> for Owned {
    fn from(effect: Effect<'_>) -> Self {
        match effect {
            Effect::Path {
                act,
                path,
                follow,
                certain,
            } => Self::Path {
                act,
                path,
                follow,
                certain,
            },
            Effect::Into {
                act,
                name,
                inside,
                target,
                certain,
            } => Self::Into {
                act,
                name,
                inside,
                target,
                certain,
            },
            Effect::Parents { act, path } => Self::Parents { act, path },
            Effect::Here {
                act,
                directory,
                below,
                follow,
                certain,
            } => Self::Here {
                act,
                directory,
                below: below.to_vec(),
                follow,
                certain,
            },
            Effect::Runs {
                first,
                end,
                root,
                tested,
                follow,
                in_directory,
                appended,
            } => Self::Runs {
                first,
                end,
                root,
                tested,
                follow,
                in_directory,
                appended,
            },
            Effect::Shell { text, directory } => Self::Shell { text, directory },
            Effect::Unknown { act, why } => Self::Unknown { act, why },
        }
    }
}
