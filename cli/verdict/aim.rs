//! What a word aims at: its text, and where it begins if it is relative.

use std::rc::Rc;

use blastradius_policy::{
    Fs, Kind, PathBuffer, canonicalise,
    programs::{Follow, Piece},
};

use crate::interp::{Cwd, Field, Glob, Segment, State, Text, Trace, Unknown, skip};

/// Where a relative path begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Here.
    At(Vec<u8>),
    /// Not known; the reason as a noun phrase.
    Unknown(Rc<str>),
}

impl Base {
    pub(super) fn of(cwd: &Cwd) -> Self {
        match cwd {
            Cwd::At(path) => Self::At(path.clone()),
            Cwd::Unknown(why) => Self::Unknown(why.clone()),
        }
    }

    pub(super) fn as_cwd(&self) -> Cwd {
        match self {
            Self::At(path) => Cwd::At(path.clone()),
            Self::Unknown(why) => Cwd::Unknown(why.clone()),
        }
    }

    /// The directory that `text` names, seen from here.
    pub(super) fn joined(&self, text: &Text) -> Self {
        let fresh = text.fresh_path();
        let Some(path) = text.bytes().or(fresh.as_deref()) else {
            let why = text.why_unknown().map_or_else(
                || "a directory that is not known".into(),
                |unknown| unknown.why.clone(),
            );
            return Self::Unknown(why);
        };
        if path.first() == Some(&b'/') {
            return Self::At(path.to_vec());
        }
        match self {
            // Left as it is: the kernel resolves links and dots in it, one after the other.
            Self::At(base) => Self::At([base, b"/".as_slice(), path].concat()),
            Self::Unknown(why) => Self::Unknown(why.clone()),
        }
    }

    /// The top of the git work tree that holds this directory; the directory itself if none does.
    pub(super) fn top_level(&self, fs: &dyn Fs) -> Self {
        let Self::At(base) = self else {
            return self.clone();
        };
        let mut buffer = PathBuffer::new();
        let Ok(start) = canonicalise(fs, b"/", base, true, &mut buffer) else {
            return self.clone();
        };
        let mut here = Some(start);
        while let Some(directory) = here {
            let marker = [directory.as_bytes(), b"/.git"].concat();
            if fs
                .lstat(&marker)
                .is_ok_and(|meta| matches!(meta.kind, Kind::Directory | Kind::File))
            {
                return Self::At(directory.as_bytes().to_vec());
            }
            here = directory.parent();
        }
        self.clone()
    }
}

/// One thing that is aimed at.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    pub(super) text: Text,
    pub(super) spelled: Rc<[u8]>,
    pub(super) tilde: bool,
    pub(super) glob: Option<Rc<Glob>>,
    base: Base,
    /// A final link is followed although the act does not.
    pub(super) follow: bool,
    /// Links met on the way down are followed.
    pub(super) follow_below: bool,
    pub(super) trace: Trace,
    /// Variables whose emptiness led to the working directory.
    pub(super) cwd_trace: Trace,
    /// Earlier commands may have changed what is on disk.
    pub(super) disk_changed: bool,
}

impl Aim {
    pub(super) fn of(field: &Field, text: Text, base: Base, follow: bool, state: &State) -> Self {
        let absolute = text.prefix().first() == Some(&b'/');
        Self {
            trace: text.trace.clone(),
            spelled: if field.spelled.is_empty() {
                text.display().as_slice().into()
            } else {
                field.spelled.clone()
            },
            tilde: field.tilde,
            glob: field.glob.clone(),
            base,
            follow,
            follow_below: false,
            cwd_trace: if absolute {
                Trace::default()
            } else {
                state.cwd_trace.clone()
            },
            disk_changed: state.disk_changed,
            text,
        }
    }

    pub(super) fn piece(
        field: &Field,
        piece: Piece,
        base: Base,
        follow: bool,
        state: &State,
    ) -> Self {
        Self::of(field, skip(&field.text, piece.from), base, follow, state)
    }

    pub(super) fn below(self, follow: Follow) -> Self {
        self.through_links(follow == Follow::Below)
    }

    pub(super) fn through_links(mut self, follow: bool) -> Self {
        self.follow_below = follow;
        self
    }

    fn is_absolute(&self) -> bool {
        self.text.prefix().first() == Some(&b'/')
    }

    /// Where its path begins.
    pub(super) fn base_for(&self) -> Base {
        if self.is_absolute() {
            Base::At(b"/".to_vec())
        } else {
            self.base.clone()
        }
    }

    pub(super) fn base_why(&self) -> String {
        match &self.base {
            Base::Unknown(why) => why.to_string(),
            Base::At(_) => "the working directory".to_owned(),
        }
    }

    pub(super) fn start(&self) -> Vec<u8> {
        match self.base_for() {
            Base::At(path) => path,
            Base::Unknown(_) => b"/".to_vec(),
        }
    }

    /// The path on disk, if text and base are known.
    pub(super) fn resolve(&self, fs: &dyn Fs, follow: bool) -> Option<PathBuffer> {
        let path = self.text.bytes()?;
        let Base::At(start) = self.base_for() else {
            return None;
        };
        let mut buffer = PathBuffer::new();
        canonicalise(fs, &start, path, follow, &mut buffer).ok()?;
        Some(buffer)
    }
}

/// The last component of a path's name, whatever slashes end it.
pub(super) fn final_component(text: &Text) -> Text {
    let text = trimmed(text);
    match text.segments.last() {
        None => Text::default(),
        Some(Segment::Known(bytes)) => match bytes.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => Text::known(&bytes[slash + 1..]),
            None if text.segments.len() == 1 => Text::known(bytes.clone()),
            None => {
                let mut name = Text::unknown(Unknown::name("a name that is not known"));
                name.push_bytes(bytes);
                name
            }
        },
        Some(Segment::Unknown(unknown)) => Text::unknown(Unknown::name(unknown.why.clone())),
    }
}

/// Without the slashes at its end, but for the root itself.
pub(super) fn trimmed(text: &Text) -> Text {
    let mut text = text.clone();
    let single = text.segments.len() == 1;
    if let Some(Segment::Known(bytes)) = text.segments.last_mut() {
        while bytes.last() == Some(&b'/') && (bytes.len() > 1 || !single) {
            bytes.pop();
        }
        if bytes.is_empty() {
            text.segments.pop();
        }
    }
    text
}

/// The name of a program without its directory.
pub(crate) fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}
