/// One word of an argv.
///
/// A word may stand for what is only partly known before the program runs: `dir/$X`, the output of a
/// command, a glob that was not expanded.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    prefix: &'a [u8],
    rest: Rest,
}

/// What follows the bytes that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Nothing,
    Unknown,
    Several,
}

impl<'a> Word<'a> {
    /// A word of which every byte is known.
    #[must_use]
    pub const fn whole(bytes: &'a [u8]) -> Self {
        Self {
            prefix: bytes,
            rest: Rest::Nothing,
        }
    }

    /// A word that begins with these bytes and goes on with something unknown; it may turn out to be several
    /// words, or none: an unquoted expansion, `"$@"`, what `xargs` appends.
    #[must_use]
    pub const fn beginning(prefix: &'a [u8]) -> Self {
        Self {
            prefix,
            rest: Rest::Several,
        }
    }

    /// The same, but one word for certain.
    #[must_use]
    pub const fn single(self) -> Self {
        match self.rest {
            Rest::Several => Self {
                rest: Rest::Unknown,
                ..self
            },
            _ => self,
        }
    }

    /// The bytes, if all of them are known.
    #[must_use]
    pub const fn known(self) -> Option<&'a [u8]> {
        match self.rest {
            Rest::Nothing => Some(self.prefix),
            Rest::Unknown | Rest::Several => None,
        }
    }

    /// The bytes known at the beginning: all of them for a known word. A reader tells an option from an
    /// operand by these.
    #[must_use]
    pub const fn prefix(self) -> &'a [u8] {
        self.prefix
    }

    /// Whether the word could be an option although its beginning is not known to be `-`.
    #[must_use]
    pub const fn may_be_option(self) -> bool {
        self.known().is_none() && self.prefix.is_empty()
    }

    /// Whether the word may turn out to be several words, or none.
    #[must_use]
    pub const fn may_be_several(self) -> bool {
        matches!(self.rest, Rest::Several)
    }
}
