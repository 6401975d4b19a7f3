//! Where mv, cp, ln and install put their sources.

use super::line::Line;
use super::{Effect, Follow, Piece, Sink, Spelled, Target};
use crate::Act;

/// What the options say about the last operand.
#[derive(Clone, Copy)]
pub(super) struct Placing {
    /// `-t`: all operands are sources.
    pub(super) directory: Option<Piece>,
    /// `-T`: the last operand is never taken for a directory.
    pub(super) exact: bool,
    /// How else a single target is taken.
    pub(super) single: Target,
}

/// Where one source is put.
#[derive(Clone, Copy)]
pub(super) enum Place {
    On(Spelled),
    Into(Option<Spelled>, Target),
}

impl Placing {
    pub(super) fn of(line: Line<'_>) -> Self {
        Self {
            directory: line.value(b"t"),
            exact: line.has(b"T"),
            single: Target::Either,
        }
    }

    /// Whether there is a source but no target, so that the program stops. A word that may turn out to be
    /// several could hold both.
    pub(super) fn lacks_target(self, line: Line<'_>, act: Act, sink: &mut Sink<'_>) -> bool {
        if self.directory.is_some() || line.operands().nth(1).is_some() {
            return false;
        }
        line.remark_several(act, sink);
        true
    }

    /// Calls `each` with every source and its place. A lone source lands in the working directory.
    pub(super) fn each(self, line: Line<'_>, mut each: impl FnMut(usize, Place)) {
        let count = line.operands().count();
        let (sources, place) = match (self.directory, line.operands().last()) {
            (Some(directory), _) => (
                count,
                Place::Into(Some(directory.into()), Target::Directory),
            ),
            (None, None) => return,
            (None, Some(_)) if count == 1 => (1, Place::Into(None, Target::Directory)),
            (None, Some(last)) if self.exact => (count - 1, Place::On(last.into())),
            (None, Some(last)) => {
                let target = if count > 2 {
                    Target::Directory
                } else {
                    self.single
                };
                (count - 1, Place::Into(Some(last.into()), target))
            }
        };
        line.operands()
            .take(sources)
            .for_each(|source| each(source, place));
    }
}

impl Place {
    /// `act` on what is there already.
    pub(super) fn effect(self, act: Act, source: usize) -> Effect<'static> {
        match self {
            Self::On(path) => Effect::Path {
                act,
                path,
                follow: Follow::No,
                certain: true,
            },
            Self::Into(inside, target) => Effect::Into {
                act,
                name: source.into(),
                inside,
                target,
                certain: true,
            },
        }
    }
}

/// Whether the last of `codes` asks for a backup: then what is replaced is moved away first.
pub(super) fn backs_up(line: Line<'_>, codes: &[u8]) -> bool {
    line.last(codes).is_some_and(|(_, control)| {
        !control
            .and_then(|control| line.bytes(control))
            .is_some_and(|control| matches!(control, b"none" | b"off"))
    })
}

/// Whether an `--update=none` keeps every target.
pub(super) fn keeps_all(line: Line<'_>) -> bool {
    line.value(b"u")
        .and_then(|when| line.bytes(when))
        .is_some_and(|when| when.starts_with(b"none"))
}
