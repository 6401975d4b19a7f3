//! Abstract strings: bytes that are known, and stretches that are not but of which something is known.

use std::rc::Rc;

use super::origin::Origins;

/// Stands in a path for a name that is not known: no pattern spells it.
pub(crate) const PLACEHOLDER: &str = "\u{fffd}";

/// Why the names are not known that `mktemp` makes.
pub(crate) const MADE_UP: &str = "a name that mktemp makes up";

/// A stretch of bytes that cannot be known before the command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// Why, as a noun phrase: `the output of curl`.
    pub(crate) why: Rc<str>,
    /// It may be nothing at all.
    pub(crate) may_be_empty: bool,
    /// It may hold a `/`, and so leave the directory before it.
    pub(crate) may_hold_slash: bool,
    /// It is what `find` found at or below the path that stands before it.
    pub(crate) found: Option<Found>,
    /// It is the name of what `mktemp` has made: nothing was there before, and so no link is there.
    pub(crate) fresh: bool,
    /// It is some of these lines, in any order.
    pub(crate) listed: Option<Rc<Listed>>,
    /// Where it comes from, where that matters.
    pub(crate) taint: Option<Taint>,
}

/// Where bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Taint {
    /// A program that fetches.
    Network,
    /// A file that holds secrets.
    Secret(Rc<[u8]>),
    /// A file that was opened for standard input.
    File(Rc<[u8]>),
}

/// Lines of which some are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) lines: Vec<Vec<u8>>,
    /// A glob that some of them match.
    pub(crate) glob: Option<Rc<Glob>>,
}

/// How `find` picks what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// A test narrows it.
    pub(crate) tested: bool,
    /// Links are followed on the way.
    pub(crate) follow: bool,
}

impl Unknown {
    /// Anything at all.
    pub(crate) fn anything(why: impl Into<Rc<str>>) -> Self {
        Self {
            why: why.into(),
            may_be_empty: true,
            may_hold_slash: true,
            found: None,
            fresh: false,
            listed: None,
            taint: None,
        }
    }

    /// The same, from there.
    pub(crate) fn from(self, taint: Option<Taint>) -> Self {
        Self { taint, ..self }
    }

    /// A part of a file name: at least one byte, none of them a slash.
    pub(crate) fn name(why: impl Into<Rc<str>>) -> Self {
        Self {
            why: why.into(),
            may_be_empty: false,
            may_hold_slash: false,
            found: None,
            fresh: false,
            listed: None,
            taint: None,
        }
    }
}

/// One stretch of an abstract string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// These bytes.
    Known(Vec<u8>),
    /// Bytes that cannot be known.
    Unknown(Unknown),
}

/// What led to a string: variables that contributed nothing to it, and where those that did were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Variables that were not set.
    pub(crate) unset: Vec<Vec<u8>>,
    /// Variables that were set to nothing, or expansions that came out empty.
    pub(crate) empty: Vec<Vec<u8>>,
    /// Where its parts were set.
    pub(crate) origins: Origins,
}

impl Trace {
    /// Whether nothing was lost, wherever it is from.
    pub(crate) fn lost_nothing(&self) -> bool {
        self.unset.is_empty() && self.empty.is_empty()
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.origins.extend(&other.origins);
        for (to, from) in [
            (&mut self.unset, &other.unset),
            (&mut self.empty, &other.empty),
        ] {
            for name in from {
                if !to.contains(name) {
                    to.push(name.clone());
                }
            }
        }
    }
}

/// An abstract string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    /// Its stretches: no two known ones are adjacent, none is empty.
    pub(crate) segments: Vec<Segment>,
    /// What it lost on the way.
    pub(crate) trace: Trace,
    /// A glob whose matches stand in it.
    pub(crate) glob: Option<Rc<Glob>>,
}

impl Text {
    pub(crate) fn known(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let mut text = Self::default();
        if !bytes.is_empty() {
            text.segments.push(Segment::Known(bytes));
        }
        text
    }

    pub(crate) fn unknown(unknown: Unknown) -> Self {
        Self {
            segments: vec![Segment::Unknown(unknown)],
            ..Self::default()
        }
    }

    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Some(Segment::Known(last)) = self.segments.last_mut() {
            last.extend_from_slice(bytes);
        } else {
            self.segments.push(Segment::Known(bytes.to_vec()));
        }
    }

    pub(crate) fn push_unknown(&mut self, unknown: Unknown) {
        self.segments.push(Segment::Unknown(unknown));
    }

    /// Where the parts come from that are not known.
    pub(crate) fn taints(&self) -> impl Iterator<Item = &Taint> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Unknown(unknown) => unknown.taint.as_ref(),
            Segment::Known(_) => None,
        })
    }

    /// The same text, whose unknown parts come from there.
    pub(crate) fn marked(mut self, taint: &Taint) -> Self {
        for segment in &mut self.segments {
            if let Segment::Unknown(unknown) = segment {
                unknown.taint.get_or_insert_with(|| taint.clone());
            }
        }
        self
    }

    pub(crate) fn append(&mut self, other: &Self) {
        for segment in &other.segments {
            match segment {
                Segment::Known(bytes) => self.push_bytes(bytes),
                Segment::Unknown(unknown) => self.push_unknown(unknown.clone()),
            }
        }
        self.trace.extend(&other.trace);
        if self.glob.is_none() {
            self.glob.clone_from(&other.glob);
        }
    }

    /// Whether it is a number, or some other name that can lead nowhere else.
    fn is_tame(&self) -> bool {
        !self.segments.is_empty()
            && self.trace.lost_nothing()
            && self.segments.iter().all(|segment| match segment {
                Segment::Known(bytes) => bytes
                    .iter()
                    .all(|byte| matches!(byte, b'_' | b'-') || byte.is_ascii_alphanumeric()),
                Segment::Unknown(unknown) => {
                    !unknown.may_be_empty && !unknown.may_hold_slash && unknown.found.is_none()
                }
            })
    }

    /// The bytes, if all of them are known.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self.segments.as_slice() {
            [] => Some(b""),
            [Segment::Known(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// The path with a placeholder for each name in it that is not known; `None` if it may lead anywhere.
    pub(crate) fn shape(&self) -> Option<Vec<u8>> {
        let mut shape = Vec::new();
        for segment in &self.segments {
            match segment {
                Segment::Known(bytes) => shape.extend_from_slice(bytes),
                Segment::Unknown(unknown)
                    if unknown.may_hold_slash
                        || unknown.may_be_empty
                        || unknown.found.is_some() =>
                {
                    return None;
                }
                Segment::Unknown(_) => shape.extend_from_slice(PLACEHOLDER.as_bytes()),
            }
        }
        Some(shape)
    }

    /// The same of a path in which only names are not known that `mktemp` makes up. What is there is no link.
    pub(crate) fn fresh_path(&self) -> Option<Vec<u8>> {
        let is_fresh = |(at, segment): (usize, &Segment)| match segment {
            Segment::Known(_) => true,
            Segment::Unknown(unknown) => {
                let ends = match self.segments.get(at + 1) {
                    None => true,
                    Some(Segment::Known(bytes)) => bytes.starts_with(b"/"),
                    Some(Segment::Unknown(_)) => false,
                };
                unknown.fresh && ends
            }
        };
        let all = self.segments.iter().enumerate().all(is_fresh);
        self.shape().filter(|_| all)
    }

    /// The bytes known at the beginning.
    pub(crate) fn prefix(&self) -> &[u8] {
        match self.segments.first() {
            Some(Segment::Known(bytes)) => bytes,
            _ => b"",
        }
    }

    /// Whether it is certainly the empty string.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Whether it may be the empty string.
    pub(crate) fn may_be_empty(&self) -> bool {
        self.segments.iter().all(|segment| match segment {
            Segment::Known(_) => false,
            Segment::Unknown(unknown) => unknown.may_be_empty,
        })
    }

    /// The first reason why it is not known.
    pub(crate) fn why_unknown(&self) -> Option<&Unknown> {
        self.segments.iter().find_map(|segment| match segment {
            Segment::Known(_) => None,
            Segment::Unknown(unknown) => Some(unknown),
        })
    }

    /// The string as a person would write it: unknown stretches in angle brackets.
    pub(crate) fn display(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for segment in &self.segments {
            match segment {
                Segment::Known(bytes) => out.extend_from_slice(bytes),
                Segment::Unknown(unknown) => {
                    out.push(b'<');
                    out.extend_from_slice(unknown.why.as_bytes());
                    out.push(b'>');
                }
            }
        }
        out
    }

    /// Without the line breaks at its end, as a command substitution leaves its output.
    pub(crate) fn without_trailing_newlines(mut self) -> Self {
        while let Some(Segment::Known(bytes)) = self.segments.last_mut() {
            while bytes.last() == Some(&b'\n') {
                bytes.pop();
            }
            if !bytes.is_empty() {
                break;
            }
            self.segments.pop();
        }
        self
    }
}

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Not set.
    Unset,
    /// One string.
    Scalar(Text),
    /// An indexed array without gaps.
    Array(Vec<Text>),
    /// Anything, or nothing; the reason as a noun phrase.
    Any(Rc<str>),
}

impl Value {
    /// What is known of a variable that has one value or the other.
    pub(crate) fn either(one: Option<&Self>, other: Option<&Self>) -> Self {
        let why = "a variable that differs between branches";
        match (one, other) {
            // The number of a turn stays within its directory, whatever it is.
            (Some(Self::Scalar(one)), Some(Self::Scalar(other)))
                if one.is_tame() && other.is_tame() =>
            {
                let mut text = Text::unknown(Unknown::name(why));
                text.trace.extend(&one.trace);
                text.trace.extend(&other.trace);
                Self::Scalar(text)
            }
            _ => Self::Any(why.into()),
        }
    }
}

/// One word after expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// What it says.
    pub(crate) text: Text,
    /// As written in the source.
    pub(crate) spelled: Rc<[u8]>,
    /// It began with an unquoted `~` that was expanded.
    pub(crate) tilde: bool,
    /// It may be several fields, or none.
    pub(crate) many: bool,
    /// The glob that it came from.
    pub(crate) glob: Option<Rc<Glob>>,
    /// The items of an array that it declares.
    pub(crate) array: Option<Rc<[Text]>>,
}

/// A glob that was expanded, or that matched nothing and stayed as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    /// The pattern, with its quoting removed; active characters are told by `active`.
    pub(crate) pattern: Vec<u8>,
    /// For each byte of the pattern, whether it is a pattern character.
    pub(crate) active: Vec<bool>,
    /// How many names match.
    pub(crate) matches: usize,
}

impl Field {
    pub(crate) fn known(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            spelled: bytes.as_slice().into(),
            text: Text::known(bytes),
            ..Self::default()
        }
    }

    /// What a reader of a program sees of it.
    pub(crate) fn word(&self) -> blastradius_policy::programs::Word<'_> {
        use blastradius_policy::programs::Word;
        match self.text.bytes() {
            Some(bytes) => Word::whole(bytes),
            None => Word::beginning(self.text.prefix()),
        }
    }
}
