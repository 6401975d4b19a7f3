//! The matcher for patterns of components: `*`, `?` and `[..]` within one, `**` for any number of them.
//!
//! All questions are answered by one pass over the path with a set of states, a bit for each component of
//! the pattern, so that no pattern and no path can make it slow.

use crate::path::same_bytes;

/// Most components of one pattern: one bit each, and one for having matched.
pub(crate) const COMPONENTS_MAX: usize = 63;

/// Why a pattern is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadGlob {
    /// `a**`: two stars stand for components only alone.
    Stars,
    /// `[` without `]`, or a range that ends before it begins.
    Class,
    /// A backslash with nothing after it.
    Backslash,
    /// `{a,b}`
    Braces,
    /// More than [`COMPONENTS_MAX`].
    Components,
}

impl BadGlob {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Stars => "** must be a whole component",
            Self::Class => "[ without ], or a range that ends before it begins",
            Self::Backslash => "a backslash with nothing after it",
            Self::Braces => "{a,b} is not a choice here, write one line each",
            Self::Components => "too many components",
        }
    }
}

/// Whether a byte means something other than itself in a pattern.
pub(crate) const fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

/// Whether a component is only what it spells (a backslash spells the character after it).
pub(crate) fn is_literal(component: &[u8]) -> bool {
    let mut rest = component;
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'\\' => rest = after.get(1..).unwrap_or(b""),
            b'*' | b'?' | b'[' => return false,
            _ => rest = after,
        }
    }
    true
}

/// Checks one component of a pattern.
pub(crate) fn check(component: &[u8]) -> Result<(), BadGlob> {
    if component == b"**" {
        return Ok(());
    }
    let mut rest = component;
    let mut brace = false;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match byte {
            b'\\' => after.get(1..).ok_or(BadGlob::Backslash)?,
            b'*' if after.first() == Some(&b'*') => return Err(BadGlob::Stars),
            b'[' => Class::read(after).ok_or(BadGlob::Class)?.after,
            b',' if brace && after.contains(&b'}') => return Err(BadGlob::Braces),
            b'{' => {
                brace = true;
                after
            }
            b'}' => {
                brace = false;
                after
            }
            _ => after,
        };
    }
    Ok(())
}

/// What a pattern says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// It matches the path itself.
    pub(crate) exact: bool,
    /// It matches a directory above the path.
    pub(crate) above: bool,
    /// It matches everything strictly below the path.
    pub(crate) all_below: bool,
    /// It may match something strictly below the path.
    pub(crate) some_below: bool,
}

/// Matches the components of `path` against those of `pattern`; slashes at the beginning of both are
/// dropped. A pattern that fails [`check`] matches nothing.
pub(crate) fn run(pattern: &[u8], path: &[u8]) -> Outcome {
    let mut parts: [&[u8]; COMPONENTS_MAX] = [b""; COMPONENTS_MAX];
    let mut count = 0;
    for part in components(pattern) {
        let Some(place) = parts.get_mut(count) else {
            return Outcome::NONE;
        };
        *place = part;
        count += 1;
    }
    let parts = &parts[..count];
    let matched = 1_u64 << count;
    let mut states = close(parts, 1);
    let mut above = false;
    for name in components(path) {
        if states & matched != 0 {
            above = true;
        }
        let mut next = 0;
        for (at, part) in parts.iter().enumerate() {
            let bit = 1_u64 << at;
            if states & bit == 0 {
                continue;
            }
            if *part == b"**" {
                next |= bit;
            } else if matches(part, name) {
                next |= bit << 1;
            }
        }
        states = close(parts, next);
        if states == 0 {
            break;
        }
    }
    Outcome {
        exact: states & matched != 0,
        above,
        all_below: above
            || (0..=count).any(|at| states & (1 << at) != 0 && takes_all(&parts[at..])),
        some_below: above || states & !matched != 0,
    }
}

/// Whether a pattern matches a path or a directory above it.
#[must_use]
pub fn holds_pattern(pattern: &[u8], path: &[u8]) -> bool {
    let outcome = run(pattern, path);
    outcome.exact || outcome.above
}

impl Outcome {
    const NONE: Self = Self {
        exact: false,
        above: false,
        all_below: false,
        some_below: false,
    };
}

/// Whether these components match every path of at least one component, or have matched already.
fn takes_all(rest: &[&[u8]]) -> bool {
    let single = rest.iter().filter(|part| **part == b"*").count();
    single <= 1 && rest.iter().all(|part| matches!(*part, b"*" | b"**"))
}

/// Adds the states that `**` reaches by matching nothing.
fn close(parts: &[&[u8]], mut states: u64) -> u64 {
    for (at, part) in parts.iter().enumerate() {
        let bit = 1_u64 << at;
        if states & bit != 0 && *part == b"**" {
            states |= bit << 1;
        }
    }
    states
}

fn components(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/')
        .filter(|part| !part.is_empty())
}

/// Matches one component. A component always matches the name that is spelled like it, so that a directory
/// called `[id]` can be written without thinking.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    if same_bytes(pattern, name) {
        return true;
    }
    if !pattern.iter().any(|&byte| is_special(byte)) {
        return false;
    }
    let (mut pattern, mut name) = (pattern, name);
    // Where to go on when what followed the last star did not match.
    let mut star: Option<(&[u8], &[u8])> = None;
    loop {
        if let [b'*', after @ ..] = pattern {
            pattern = after;
            star = Some((pattern, name));
            continue;
        }
        if let Some((after, rest)) = one(pattern, name) {
            (pattern, name) = (after, rest);
            continue;
        }
        if pattern.is_empty() && name.is_empty() {
            return true;
        }
        let Some((after_star, tried)) = star else {
            return false;
        };
        let Some((_, rest)) = character(tried) else {
            return false;
        };
        (pattern, name) = (after_star, rest);
        star = Some((after_star, rest));
    }
}

/// Matches one character of `name` against the beginning of `pattern`, and returns what follows both.
fn one<'p, 'n>(pattern: &'p [u8], name: &'n [u8]) -> Option<(&'p [u8], &'n [u8])> {
    let (actual, rest) = character(name)?;
    match pattern {
        [b'?', after @ ..] => Some((after, rest)),
        [b'[', class @ ..] => {
            let class = Class::read(class)?;
            class.holds(actual).then_some((class.after, rest))
        }
        [b'\\', literal @ ..] | literal => {
            let (expected, after) = character(literal)?;
            (fold(expected) == fold(actual)).then_some((after, rest))
        }
    }
}

/// A set of characters: `[abc]`, `[a-z]`, `[!a]`, `[^a]`; a `]` that comes first is a member.
struct Class<'p> {
    members: &'p [u8],
    negated: bool,
    after: &'p [u8],
}

impl<'p> Class<'p> {
    /// Reads what follows the opening bracket.
    fn read(text: &'p [u8]) -> Option<Self> {
        let (negated, text) = match text {
            [b'!' | b'^', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let end = 1 + text.get(1..)?.iter().position(|&byte| byte == b']')?;
        let class = Self {
            members: &text[..end],
            negated,
            after: &text[end + 1..],
        };
        let sound = class.ranges().all(|(low, high)| low <= high);
        sound.then_some(class)
    }

    fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut rest = self.members;
        core::iter::from_fn(move || {
            let (low, after) = character(rest)?;
            if let [b'-', ranged @ ..] = after
                && let Some((high, after)) = character(ranged)
            {
                rest = after;
                return Some((low, high));
            }
            rest = after;
            Some((low, low))
        })
    }

    fn holds(&self, actual: u32) -> bool {
        let fits = |wanted: u32| {
            self.ranges()
                .any(|(low, high)| low <= wanted && wanted <= high)
        };
        let found = fits(actual)
            || (cfg!(target_os = "macos") && (fits(fold(actual)) || fits(raise(actual))));
        found != self.negated
    }
}

/// The first character; a byte that is not UTF-8 counts as one of its own, beyond Unicode.
fn character(text: &[u8]) -> Option<(u32, &[u8])> {
    let (&first, rest) = text.split_first()?;
    let length = match first {
        0..=0x7f => return Some((u32::from(first), rest)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 0,
    };
    let whole = text
        .get(..length)
        .and_then(|bytes| core::str::from_utf8(bytes).ok());
    match whole.and_then(|whole| whole.chars().next()) {
        Some(character) => Some((u32::from(character), &text[length..])),
        None => Some((0x11_0000 + u32::from(first), rest)),
    }
}

fn fold(character: u32) -> u32 {
    match u8::try_from(character) {
        Ok(byte) if cfg!(target_os = "macos") => u32::from(byte.to_ascii_lowercase()),
        _ => character,
    }
}

fn raise(character: u32) -> u32 {
    u8::try_from(character).map_or(character, |byte| u32::from(byte.to_ascii_uppercase()))
}

#[cfg(test)]
mod tests;
