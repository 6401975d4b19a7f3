//! Paths as components, and canonical paths.

/// Room for one path, its final NUL not counted (PATH_MAX on Linux).
pub const PATH_ROOM: usize = 4096;

/// A path that is absolute, without `.`, `..`, doubled or trailing slashes and NUL bytes.
///
/// Links are another matter: only [`crate::canonicalise`] can say that they are resolved. Comparison is by
/// component, and without regard to ASCII case where file systems have none (macOS).
#[derive(Clone, Copy, Debug)]
pub struct Canonical<'a>(&'a [u8]);

impl<'a> Canonical<'a> {
    /// The root directory.
    pub const ROOT: Canonical<'static> = Canonical(b"/");

    /// Takes bytes that are already in canonical form; anything else is `None`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(b"/")?;
        if rest.is_empty() {
            return Some(Self(bytes));
        }
        // One pass over the bytes: every call that a program makes comes through here.
        loop {
            let mut length = 0;
            let end = loop {
                match rest.get(length) {
                    Some(0) => return None,
                    end @ (Some(b'/') | None) => break end,
                    Some(_) => length += 1,
                }
            };
            if matches!(&rest[..length], b"" | b"." | b"..") {
                return None;
            }
            if end.is_none() {
                return Some(Self(bytes));
            }
            rest = &rest[length + 1..];
        }
    }

    /// A path written in this program, which must be in canonical form.
    pub(crate) const fn literal(bytes: &'static [u8]) -> Canonical<'static> {
        Canonical(bytes)
    }

    /// Bytes that [`Self::new`] has accepted before.
    pub(crate) const fn assume(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes, beginning with `/`.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The components from the root down; none for `/`.
    pub fn components(self) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.0
            .split(|&byte| byte == b'/')
            .filter(|component| !component.is_empty())
    }

    /// How many components there are: 0 for `/`.
    #[must_use]
    pub fn depth(self) -> usize {
        self.components().count()
    }

    /// Whether this is `/`.
    #[must_use]
    pub const fn is_root(self) -> bool {
        self.0.len() == 1
    }

    /// The directory that holds the final component; `None` for `/`.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        let slash = self.0.iter().rposition(|&byte| byte == b'/')?;
        Some(Self(&self.0[..slash.max(1)]))
    }

    /// The final component; empty for `/`.
    #[must_use]
    pub fn name(self) -> &'a [u8] {
        self.0.rsplit(|&byte| byte == b'/').next().unwrap_or(b"")
    }

    /// The path itself, then each directory above it up to `/`.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        core::iter::successors(Some(self), |path| path.parent())
    }

    /// Whether this path is `top` or lies below it.
    #[must_use]
    pub fn is_at_or_below(self, top: Canonical<'_>) -> bool {
        self.below(top).is_some()
    }

    /// Whether this path lies strictly below `top`.
    #[must_use]
    pub fn is_below(self, top: Canonical<'_>) -> bool {
        self.below(top).is_some_and(|rest| !rest.is_empty())
    }

    /// What follows `top` in this path, without a leading slash: empty for `top` itself.
    #[must_use]
    pub fn below(self, top: Canonical<'_>) -> Option<&'a [u8]> {
        if top.is_root() {
            return Some(&self.0[1..]);
        }
        let (head, rest) = self.0.split_at_checked(top.0.len())?;
        if !same_bytes(head, top.0) {
            return None;
        }
        match rest {
            [] => Some(rest),
            [b'/', below @ ..] => Some(below),
            _ => None,
        }
    }
}

impl PartialEq for Canonical<'_> {
    fn eq(&self, other: &Self) -> bool {
        same_bytes(self.0, other.0)
    }
}

impl Eq for Canonical<'_> {}

/// Whether two names, or two paths of one form, are the same to the file systems of this system.
#[inline]
pub(crate) fn same_bytes(one: &[u8], other: &[u8]) -> bool {
    if cfg!(target_os = "macos") {
        one.eq_ignore_ascii_case(other)
    } else {
        one == other
    }
}

/// Room for one canonical path, on the stack.
#[derive(Clone)]
pub struct PathBuffer {
    bytes: [u8; PATH_ROOM],
    length: usize,
}

/// A path that is longer than [`PATH_ROOM`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl PathBuffer {
    /// Holds `/`.
    #[must_use]
    pub const fn new() -> Self {
        let mut bytes = [0; PATH_ROOM];
        bytes[0] = b'/';
        Self { bytes, length: 1 }
    }

    /// Holds `path`; `None` if that is too long.
    #[must_use]
    pub fn holding(path: Canonical<'_>) -> Option<Self> {
        let mut buffer = Self::new();
        buffer.set(path).ok()?;
        Some(buffer)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The path: a buffer is in canonical form at all times.
    #[must_use]
    pub fn canonical(&self) -> Canonical<'_> {
        Canonical(self.as_bytes())
    }

    /// Makes it `/` again.
    pub fn clear(&mut self) {
        self.bytes[0] = b'/';
        self.length = 1;
    }

    /// Replaces what it holds.
    pub fn set(&mut self, path: Canonical<'_>) -> Result<(), TooLong> {
        let room = self.bytes.get_mut(..path.0.len()).ok_or(TooLong)?;
        room.copy_from_slice(path.0);
        self.length = path.0.len();
        Ok(())
    }

    /// Adds one component, which must not be empty, `.`, `..`, or hold a slash or NUL byte.
    pub fn push(&mut self, component: &[u8]) -> Result<(), TooLong> {
        debug_assert!(!matches!(component, b"" | b"." | b"..") && !component.contains(&b'/'));
        let start = if self.length == 1 { 1 } else { self.length + 1 };
        let end = start + component.len();
        self.bytes
            .get_mut(start..end)
            .ok_or(TooLong)?
            .copy_from_slice(component);
        self.bytes[start - 1] = b'/';
        self.length = end;
        Ok(())
    }

    /// Removes the final component; `/` stays `/`.
    pub fn pop(&mut self) {
        self.length = self.canonical().parent().map_or(1, |parent| parent.0.len());
    }

    /// Removes the first bytes, up to a slash that then is the first byte.
    pub(crate) fn cut_head(&mut self, bytes: usize) {
        debug_assert_eq!(self.as_bytes().get(bytes), Some(&b'/'));
        self.bytes.copy_within(bytes..self.length, 0);
        self.length -= bytes;
    }

    /// Adds every component of `path`, a relative or absolute path taken lexically: `.` is dropped, `..`
    /// removes the component before it.
    pub fn push_lexically(&mut self, path: &[u8]) -> Result<(), TooLong> {
        for component in path.split(|&byte| byte == b'/') {
            match component {
                b"" | b"." => {}
                b".." => self.pop(),
                name => self.push(name)?,
            }
        }
        Ok(())
    }
}

impl Default for PathBuffer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
