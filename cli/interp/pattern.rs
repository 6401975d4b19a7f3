//! Shell patterns: what they are made of, matching a string, expanding a glob against the disk.

mod listing;
mod matching;

pub(crate) use listing::{GlobError, How, Recursive, expand};

/// A pattern: bytes, and for each whether it may be a pattern character (it was not quoted). An active backslash, which
/// can only come out of an expansion, quotes what follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) bytes: Vec<u8>,
    pub(crate) active: Vec<bool>,
    /// `!(a|b)` and the like count (`shopt -s extglob`).
    pub(crate) extended: bool,
}

/// A stretch of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct PatternRef<'a> {
    bytes: &'a [u8],
    active: &'a [bool],
    extended: bool,
}

impl Pattern {
    pub(crate) fn push(&mut self, bytes: &[u8], active: bool) {
        self.bytes.extend_from_slice(bytes);
        self.active.resize(self.bytes.len(), active);
    }

    /// With every extended glob (`!(a|b)`) made a `*`: it matches at least what that does.
    pub(crate) fn without_extended(&self) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        while at < self.bytes.len() {
            match self.as_ref().extended_end(at) {
                Some(end) => {
                    out.push(b"*", true);
                    at = end;
                }
                None => {
                    out.push(&self.bytes[at..=at], self.active[at]);
                    at += 1;
                }
            }
        }
        out
    }

    pub(crate) fn has_extended(&self) -> bool {
        (0..self.bytes.len()).any(|at| self.as_ref().extended_end(at).is_some())
    }

    /// Whether its extended globs hold no slash and ask for no hidden name.
    pub(crate) fn is_simply_extended(&self) -> bool {
        let pattern = self.as_ref();
        (0..self.bytes.len())
            .filter_map(|at| Some(at..pattern.extended_end(at)?))
            .all(|range| {
                let text = &self.bytes[range];
                !text.contains(&b'/') && !text.windows(2).any(|pair| matches!(pair, b"(." | b"|."))
            })
    }

    /// Whether any character makes it more than a name.
    pub(crate) fn is_glob(&self) -> bool {
        self.as_ref().is_glob()
    }

    /// Whether it matches every string, the empty one too.
    pub(crate) fn takes_all(&self) -> bool {
        !self.bytes.is_empty() && (0..self.bytes.len()).all(|at| self.as_ref().is_active(at, b'*'))
    }

    /// Whether it counts characters, of which a byte may be only a part.
    pub(crate) fn counts(&self) -> bool {
        (0..self.bytes.len())
            .any(|at| self.as_ref().is_active(at, b'?') || self.as_ref().is_active(at, b'['))
    }

    /// Whether it holds a class that only some locales have.
    pub(crate) fn is_doubtful(&self) -> bool {
        (0..self.bytes.len()).any(|at| {
            self.as_ref().is_active(at, b'[') && matching::is_doubtful(&self.bytes[at + 1..])
        }) || self.counts() && !self.bytes.is_ascii()
            || self.bytes.last() == Some(&b'\\') && self.active.last() == Some(&true)
    }

    /// Whether it holds what only zsh takes for more than a character.
    pub(crate) fn is_zsh(&self) -> bool {
        (0..self.bytes.len()).any(|at| {
            [b'(', b'|', b'<']
                .iter()
                .any(|&byte| self.as_ref().is_active(at, byte))
        }) || self.bytes.windows(3).any(|three| three == b"***")
            || self.bytes.starts_with(b"%?")
    }

    /// How long the directories in front of the first pattern character are.
    pub(crate) fn literal_directory(&self) -> usize {
        let first = (0..self.bytes.len())
            .find(|&at| self.active[at] && b"*?[+@!(<\\".contains(&self.bytes[at]))
            .unwrap_or(self.bytes.len());
        self.bytes[..first]
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(0, |slash| slash + 1)
    }

    fn slice(&self, range: std::ops::Range<usize>) -> PatternRef<'_> {
        PatternRef {
            bytes: &self.bytes[range.clone()],
            active: &self.active[range],
            extended: self.extended,
        }
    }

    pub(crate) fn as_ref(&self) -> PatternRef<'_> {
        self.slice(0..self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        let mut pattern = Pattern::default();
        pattern.push(text.as_bytes(), true);
        pattern
    }

    #[test]
    fn takes_extended_globs_for_stars() {
        for (text, expected) in [
            ("!(a|b)", "*"),
            ("x@(a|!(b)).o", "x*.o"),
            ("a(b)", "a(b)"),
            ("!(a", "!(a"),
            ("*.c", "*.c"),
        ] {
            assert_eq!(
                pattern(text).without_extended(),
                pattern(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn matches_as_fnmatch_does() {
        for (text, name, expected) in [
            ("*", "abc", true),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abbd", false),
            ("?", "", false),
            ("a?c", "abc", true),
            ("[ab]c", "bc", true),
            ("[!ab]c", "bc", false),
            ("[^p]*", "q", true),
            ("[a-c]", "b", true),
            ("[]a]", "]", true),
            ("[[:digit:]]x", "7x", true),
            ("[a", "[a", true),
            ("*.o", "x.o", true),
            ("**", "x/y", true),
            ("[[.a.]x]", "a", true),
            ("[[=b=]]", "b", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("[\\]]", "]", true),
            ("[a\\-c]", "b", false),
        ] {
            assert_eq!(
                pattern(text).as_ref().matches(name.as_bytes()),
                expected,
                "{text} {name}"
            );
        }
    }

    #[test]
    fn matches_extended_globs_where_they_count() {
        for (text, name, expected) in [
            ("!(a)", "b", true),
            ("!(a)", "a", false),
            ("!(a|b)", "ab", true),
            ("@(a|b)c", "bc", true),
            ("@(a|b)c", "c", false),
            ("?(a)b", "b", true),
            ("+([0-9])", "123", true),
            ("+([0-9])", "", false),
            ("*(ab)c", "ababc", true),
            ("*.!(o|c)", "x.h", true),
            ("@(a|@(b|c))d", "cd", true),
        ] {
            let pattern = Pattern {
                extended: true,
                ..pattern(text)
            };
            assert_eq!(
                pattern.as_ref().matches(name.as_bytes()),
                expected,
                "{text} {name}"
            );
        }
    }

    #[test]
    fn takes_quoted_characters_literally() {
        let mut quoted = Pattern::default();
        quoted.push(b"*", false);
        quoted.push(b".o", true);
        assert!(!quoted.is_glob());
        assert!(quoted.as_ref().matches(b"*.o"));
        assert!(!quoted.as_ref().matches(b"x.o"));
    }
}
