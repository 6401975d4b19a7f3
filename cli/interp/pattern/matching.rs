//! Matching a string.

use super::PatternRef;

/// Steps of a search among the ways in which extended globs can match.
const MOST_STEPS: u32 = 50_000;

impl<'a> PatternRef<'a> {
    pub(super) fn skip(self, count: usize) -> Self {
        self.between(count, self.bytes.len())
    }

    fn between(self, start: usize, end: usize) -> Self {
        Self {
            bytes: &self.bytes[start..end],
            active: &self.active[start..end],
            ..self
        }
    }

    pub(super) fn is_active(self, at: usize, byte: u8) -> bool {
        self.bytes.get(at) == Some(&byte) && self.active[at]
    }

    /// As the shells see it: a bracket has to be closed.
    pub(super) fn is_glob(self) -> bool {
        let mut open = false;
        let mut at = 0;
        while at < self.bytes.len() {
            match self.bytes[at] {
                _ if !self.active[at] => {}
                // Within one component.
                b'/' => open = false,
                b'\\' => at += 1,
                b'*' | b'?' => return true,
                b'[' => open = true,
                b']' if open => return true,
                _ if self.extended && self.extended_end(at).is_some() => return true,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Where the extended glob at `at` ends.
    pub(super) fn extended_end(self, at: usize) -> Option<usize> {
        if !b"?*+@!".iter().any(|byte| self.is_active(at, *byte)) || !self.is_active(at + 1, b'(') {
            return None;
        }
        let mut open = 0_usize;
        for end in at + 1..self.bytes.len() {
            if self.is_active(end, b'(') {
                open += 1;
            } else if self.is_active(end, b')') {
                open -= 1;
                if open == 0 {
                    return Some(end + 1);
                }
            }
        }
        None
    }

    /// Whether the whole of `text` matches; `*` takes slashes too.
    pub(crate) fn matches(self, text: &[u8]) -> bool {
        if self.extended && (0..self.bytes.len()).any(|at| self.extended_end(at).is_some()) {
            let mut steps = 0;
            return self.matches_extended(text, &mut steps);
        }
        self.matches_plainly(text)
    }

    /// How long everything is that matches, if that can be told at a glance.
    pub(crate) fn fixed_length(self) -> Option<usize> {
        let varies = self
            .bytes
            .iter()
            .zip(self.active)
            .any(|(byte, active)| *active && b"*[\\(".contains(byte));
        (!varies).then_some(self.bytes.len())
    }

    /// The alternatives of the extended glob at the beginning, which ends at `end`.
    fn alternatives(self, end: usize) -> Vec<Self> {
        let mut out = Vec::new();
        let (mut start, mut open) = (2, 0_usize);
        for at in 2..end {
            if self.is_active(at, b'(') {
                open += 1;
            } else if self.is_active(at, b'|') && open == 0 {
                out.push(self.between(start, at));
                start = at + 1;
            } else if self.is_active(at, b')') {
                if open == 0 {
                    out.push(self.between(start, at));
                } else {
                    open -= 1;
                }
            }
        }
        out
    }

    fn matches_extended(self, text: &[u8], steps: &mut u32) -> bool {
        *steps += 1;
        // In doubt it matches.
        if *steps > MOST_STEPS {
            return true;
        }
        if self.bytes.is_empty() {
            return text.is_empty();
        }
        if let Some(end) = self.extended_end(0) {
            let rest = self.skip(end);
            let alternatives = self.alternatives(end);
            let any = |part: &[u8], steps: &mut u32| {
                alternatives
                    .iter()
                    .any(|alternative| alternative.matches_extended(part, steps))
            };
            let kind = self.bytes[0];
            if matches!(kind, b'?' | b'*') && rest.matches_extended(text, steps) {
                return true;
            }
            return (0..=text.len()).any(|length| {
                let (part, after) = text.split_at(length);
                match kind {
                    b'!' => !any(part, steps) && rest.matches_extended(after, steps),
                    b'?' | b'@' => any(part, steps) && rest.matches_extended(after, steps),
                    _ => {
                        any(part, steps)
                            && (rest.matches_extended(after, steps)
                                || length > 0 && self.matches_extended(after, steps))
                    }
                }
            });
        }
        if self.is_active(0, b'*') {
            let rest = self.skip(1);
            return (0..=text.len()).any(|length| rest.matches_extended(&text[length..], steps));
        }
        self.matches_one(text)
            .is_some_and(|taken| self.skip(taken).matches_extended(&text[1..], steps))
    }

    /// Whether the whole of `text` matches; `*` takes slashes too.
    fn matches_plainly(self, text: &[u8]) -> bool {
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
        if self.is_active(0, b'\\') && self.bytes.len() > 1 {
            return (self.bytes[1] == byte).then_some(2);
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
            if self.is_active(at, b']') && at > first {
                return Some((found != negated, at + 1));
            }
            if self.is_active(at, b'[')
                && let Some(&mark @ (b':' | b'.' | b'=')) = self.bytes.get(at + 1)
                && let Some(end) = self.bytes[at + 2..]
                    .windows(2)
                    .position(|pair| pair == [mark, b']'])
            {
                let name = &self.bytes[at + 2..at + 2 + end];
                found |= match mark {
                    b':' => in_class(name, byte),
                    _ => name == [byte],
                };
                at += end + 4;
                continue;
            }
            let (low, next) = self.member(at)?;
            at = next;
            if self.is_active(at, b'-') && !self.is_active(at + 1, b']') {
                let (high, next) = self.member(at + 1)?;
                found |= (low..=high).contains(&byte);
                at = next;
            } else {
                found |= low == byte;
            }
        }
    }

    /// A character of a bracket expression, and where the next one begins.
    fn member(self, at: usize) -> Option<(u8, usize)> {
        let at = if self.is_active(at, b'\\') && self.bytes.len() > at + 1 {
            at + 1
        } else {
            at
        };
        Some((*self.bytes.get(at)?, at + 1))
    }
}

/// Whether a bracket expression, given from its second byte on, holds a class that is not known everywhere.
pub(super) fn is_doubtful(rest: &[u8]) -> bool {
    let Some(&mark @ (b':' | b'.' | b'=')) = rest.first() else {
        return false;
    };
    rest[1..]
        .windows(2)
        .position(|pair| pair == [mark, b']'])
        .is_some_and(|end| {
            let name = &rest[1..=end];
            match mark {
                b':' => !CLASSES.contains(&name),
                // Versions of bash differ on what follows them.
                _ => true,
            }
        })
}

const CLASSES: [&[u8]; 12] = [
    b"alpha", b"digit", b"alnum", b"upper", b"lower", b"space", b"blank", b"punct", b"xdigit",
    b"cntrl", b"print", b"graph",
];

fn in_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alpha" => byte.is_ascii_alphabetic(),
        b"digit" => byte.is_ascii_digit(),
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"upper" => byte.is_ascii_uppercase(),
        b"lower" => byte.is_ascii_lowercase(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
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
