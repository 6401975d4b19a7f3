//! Shell patterns: matching a string, and expanding a glob against the disk.

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

/// A pattern: bytes, and for each whether it may be a pattern character (it was not quoted).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) bytes: Vec<u8>,
    pub(crate) active: Vec<bool>,
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
            match self.extended_end(at) {
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
        (0..self.bytes.len()).any(|at| self.extended_end(at).is_some())
    }

    /// Where the extended glob at `at` ends.
    fn extended_end(&self, at: usize) -> Option<usize> {
        let active = |at: usize, byte: u8| self.bytes.get(at) == Some(&byte) && self.active[at];
        if !b"?*+@!".iter().any(|byte| active(at, *byte)) || !active(at + 1, b'(') {
            return None;
        }
        let mut open = 0_usize;
        for end in at + 1..self.bytes.len() {
            if active(end, b'(') {
                open += 1;
            } else if active(end, b')') {
                open -= 1;
                if open == 0 {
                    return Some(end + 1);
                }
            }
        }
        None
    }

    /// Whether any character makes it more than a name.
    pub(crate) fn is_glob(&self) -> bool {
        self.bytes
            .iter()
            .zip(&self.active)
            .any(|(byte, active)| *active && matches!(byte, b'*' | b'?' | b'['))
    }

    fn slice(&self, range: std::ops::Range<usize>) -> PatternRef<'_> {
        PatternRef {
            bytes: &self.bytes[range.clone()],
            active: &self.active[range],
        }
    }

    pub(crate) fn as_ref(&self) -> PatternRef<'_> {
        self.slice(0..self.bytes.len())
    }
}

/// A stretch of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct PatternRef<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) active: &'a [bool],
}

impl<'a> PatternRef<'a> {
    fn skip(self, count: usize) -> Self {
        Self {
            bytes: &self.bytes[count..],
            active: &self.active[count..],
        }
    }

    fn is_active(self, at: usize, byte: u8) -> bool {
        self.bytes.get(at) == Some(&byte) && self.active[at]
    }

    pub(crate) fn is_glob(self) -> bool {
        (0..self.bytes.len()).any(|at| {
            [b'*', b'?', b'[']
                .iter()
                .any(|&byte| self.is_active(at, byte))
        })
    }

    /// Whether the whole of `text` matches; `*` takes slashes too.
    pub(crate) fn matches(self, text: &[u8]) -> bool {
        let (mut pattern, mut rest) = (self, text);
        // The last star: what follows it, and what of the text it has not yet taken.
        let mut star: Option<(Self, &[u8])> = None;
        loop {
            if pattern.is_active(0, b'*') {
                pattern = pattern.skip(1);
                star = Some((pattern, rest));
                continue;
            }
            if let Some(taken) = pattern.matches_one(rest) {
                pattern = pattern.skip(taken);
                rest = &rest[1..];
                continue;
            }
            if pattern.bytes.is_empty() && rest.is_empty() {
                return true;
            }
            match star {
                Some((after, tried)) if !tried.is_empty() => {
                    star = Some((after, &tried[1..]));
                    (pattern, rest) = (after, &tried[1..]);
                }
                _ => return false,
            }
        }
    }

    /// How much of the pattern the first byte of `text` takes, if it matches.
    fn matches_one(self, text: &[u8]) -> Option<usize> {
        let &byte = text.first()?;
        if self.is_active(0, b'?') {
            return Some(1);
        }
        if self.is_active(0, b'[')
            && let Some((matched, length)) = self.set(byte)
        {
            return matched.then_some(length);
        }
        (self.bytes.first() == Some(&byte)).then_some(1)
    }

    /// Whether the bracket expression at the beginning holds `byte`, and how long it is; `None` if it has no end.
    fn set(self, byte: u8) -> Option<(bool, usize)> {
        let mut at = 1;
        let negated = self.is_active(1, b'!') || self.is_active(1, b'^');
        if negated {
            at += 1;
        }
        let first = at;
        let mut found = false;
        loop {
            let low = *self.bytes.get(at)?;
            if low == b']' && at > first {
                return Some((found != negated, at + 1));
            }
            if low == b'/' {
                return None;
            }
            if low == b'['
                && self.bytes.get(at + 1) == Some(&b':')
                && let Some(end) = self.bytes[at..].windows(2).position(|pair| pair == b":]")
            {
                found |= in_class(&self.bytes[at + 2..at + end], byte);
                at += end + 2;
                continue;
            }
            match (self.bytes.get(at + 1), self.bytes.get(at + 2)) {
                (Some(b'-'), Some(&high)) if high != b']' => {
                    found |= (low..=high).contains(&byte);
                    at += 3;
                }
                _ => {
                    found |= low == byte;
                    at += 1;
                }
            }
        }
    }
}

fn in_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alpha" => byte.is_ascii_alphabetic(),
        b"digit" => byte.is_ascii_digit(),
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"upper" => byte.is_ascii_uppercase(),
        b"lower" => byte.is_ascii_lowercase(),
        b"space" => byte.is_ascii_whitespace(),
        b"blank" => byte == b' ' || byte == b'\t',
        b"punct" => byte.is_ascii_punctuation(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        b"cntrl" => byte.is_ascii_control(),
        b"print" => byte == b' ' || byte.is_ascii_graphic(),
        b"graph" => byte.is_ascii_graphic(),
        // A class of another locale: in doubt it matches.
        _ => true,
    }
}

/// What stops a glob from being expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobError {
    /// More names than anybody would list.
    TooMany,
}

/// Names looked at in one expansion.
const MOST_LOOKED_AT: usize = 200_000;
/// Names that may match.
const MOST_MATCHES: usize = 20_000;

/// The names that match, sorted by bytes; as the shell spells them (relative stays relative).
pub(crate) fn expand(
    fs: &dyn Fs,
    cwd: &[u8],
    pattern: &Pattern,
    dotglob: bool,
) -> Result<Vec<Vec<u8>>, GlobError> {
    let mut spelled: Vec<Vec<u8>> = vec![Vec::new()];
    let mut looked_at = 0;
    let mut at = 0;
    while at < pattern.bytes.len() {
        let slashes = pattern.bytes[at..]
            .iter()
            .take_while(|byte| **byte == b'/')
            .count();
        for path in &mut spelled {
            path.extend(std::iter::repeat_n(b'/', slashes));
        }
        at += slashes;
        let end = pattern.bytes[at..]
            .iter()
            .position(|byte| *byte == b'/')
            .map_or(pattern.bytes.len(), |n| n + at);
        if end == at {
            break;
        }
        let component = pattern.slice(at..end);
        let last = end == pattern.bytes.len();
        let mut next = Vec::new();
        for path in spelled {
            if component.is_glob() {
                let hidden = component.bytes.first() == Some(&b'.');
                let mut names = list(fs, cwd, &path, &mut looked_at)?;
                names.sort_unstable();
                for name in names {
                    if (name[0] != b'.' || hidden || dotglob) && component.matches(&name) {
                        let mut longer = path.clone();
                        longer.extend_from_slice(&name);
                        next.push(longer);
                    }
                }
            } else {
                let mut longer = path;
                longer.extend_from_slice(component.bytes);
                next.push(longer);
            }
            if next.len() > MOST_MATCHES {
                return Err(GlobError::TooMany);
            }
        }
        spelled = next;
        if !last {
            spelled.retain(|path| is_directory(fs, cwd, path));
        } else if !component.is_glob() {
            spelled.retain(|path| exists(fs, cwd, path));
        }
        at = end;
    }
    Ok(spelled)
}

fn list(
    fs: &dyn Fs,
    cwd: &[u8],
    path: &[u8],
    looked_at: &mut usize,
) -> Result<Vec<Vec<u8>>, GlobError> {
    let mut names = Vec::new();
    let mut buffer = PathBuffer::new();
    let path = if path.is_empty() { &b"."[..] } else { path };
    let Ok(directory) = canonicalise(fs, cwd, path, true, &mut buffer) else {
        return Ok(names);
    };
    let mut too_many = false;
    let listed = fs.list(directory.as_bytes(), &mut |name| {
        *looked_at += 1;
        too_many |= *looked_at > MOST_LOOKED_AT;
        if !too_many && name != b"." && name != b".." {
            names.push(name.to_vec());
        }
    });
    match listed {
        _ if too_many => Err(GlobError::TooMany),
        Ok(()) => Ok(names),
        // As in a shell: what cannot be listed matches nothing.
        Err(_) => Ok(Vec::new()),
    }
}

fn is_directory(fs: &dyn Fs, cwd: &[u8], path: &[u8]) -> bool {
    let mut buffer = PathBuffer::new();
    canonicalise(fs, cwd, path, true, &mut buffer)
        .and_then(|path| fs.lstat(path.as_bytes()))
        .is_ok_and(|meta| meta.kind == Kind::Directory)
}

fn exists(fs: &dyn Fs, cwd: &[u8], path: &[u8]) -> bool {
    let mut buffer = PathBuffer::new();
    canonicalise(fs, cwd, path, false, &mut buffer)
        .and_then(|path| fs.lstat(path.as_bytes()))
        .is_ok()
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
        ] {
            assert_eq!(
                pattern(text).as_ref().matches(name.as_bytes()),
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
