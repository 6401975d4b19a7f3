/// One word of an argv.
///
/// A word may stand for what is only partly known before the program runs: `dir/$X`, the output of a
/// command, a glob that was not expanded. Whoever holds such words says with these four answers how little
/// is certain; the answers given by default are the careful ones.
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

    /// Whether the word may turn out to be several words, or none: an unquoted expansion, `"$@"`, what
    /// `xargs` appends.
    fn may_be_several(&self) -> bool {
        self.known().is_none()
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
