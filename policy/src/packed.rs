//! Tables of short texts as bytes: a table of strings would be as many addresses, each of which the loader would
//! have to correct in every process that the library is loaded into.

/// Entries of a tag, a length and a text; made by [`packed!`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(&'static [u8]);

/// Makes a [`Packed`] when the program is compiled, from pairs of a tag and a text.
macro_rules! packed {
    ($entries:expr) => {{
        const ENTRIES: &[(u8, &str)] = $entries;
        const PACKED: [u8; $crate::packed::size(ENTRIES)] = $crate::packed::pack(ENTRIES);
        $crate::packed::Packed::new(&PACKED)
    }};
}

/// As [`packed!`], from rows that hold a third thing, which stays out of it.
macro_rules! packed_rows {
    ($rows:expr) => {{
        const PAIRS: &[(u8, &str)] = &$crate::packed::without_third::<{ $rows.len() }>($rows);
        $crate::packed::packed!(PAIRS)
    }};
}

/// As [`packed!`], from texts alone.
macro_rules! names {
    [$($name:literal),* $(,)?] => { $crate::packed::packed!(&[$((0, $name)),*]) };
}
pub(crate) use {names, packed, packed_rows};

/// Tag and length.
const HEAD: usize = 2;

pub(crate) const fn size(entries: &[(u8, &str)]) -> usize {
    let mut size = 0;
    let mut at = 0;
    while at < entries.len() {
        size += HEAD + entries[at].1.len();
        at += 1;
    }
    size
}

pub(crate) const fn without_third<const N: usize>(
    rows: &'static [(u8, &'static str, &'static str)],
) -> [(u8, &'static str); N] {
    let mut entries = [(0, ""); N];
    let mut at = 0;
    while at < N {
        entries[at] = (rows[at].0, rows[at].1);
        at += 1;
    }
    entries
}

/// The entries in the [`size`] that they need.
pub(crate) const fn pack<const N: usize>(entries: &[(u8, &str)]) -> [u8; N] {
    let mut packed = [0; N];
    let mut to = 0;
    let mut at = 0;
    while at < entries.len() {
        let (tag, text) = (entries[at].0, entries[at].1.as_bytes());
        assert!(
            text.len() <= u8::MAX as usize,
            "too long a text for a table"
        );
        packed[to] = tag;
        packed[to + 1] = text.len() as u8;
        to += HEAD;
        let mut byte = 0;
        while byte < text.len() {
            packed[to] = text[byte];
            to += 1;
            byte += 1;
        }
        at += 1;
    }
    packed
}

impl Packed {
    pub(crate) const fn new(bytes: &'static [u8]) -> Self {
        Self(bytes)
    }

    /// The texts, without their tags.
    pub(crate) fn texts(self) -> impl Iterator<Item = &'static [u8]> {
        self.map(|(_, text)| text)
    }
}

impl Iterator for Packed {
    type Item = (u8, &'static [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let [tag, length, rest @ ..] = self.0 else {
            return None;
        };
        let (text, others) = rest.split_at_checked(usize::from(*length))?;
        self.0 = others;
        Some((*tag, text))
    }
}

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn entries_come_back_as_they_were_packed() {
        const TABLE: Packed = packed!(&[(1, "one"), (2, ""), (255, "b=")]);
        let found: Vec<_> = TABLE.collect();
        assert_eq!(found, [(1, &b"one"[..]), (2, b""), (255, b"b=")]);
        assert_eq!(
            names!["a", "bc"].texts().collect::<Vec<_>>(),
            [&b"a"[..], b"bc"]
        );
        assert_eq!(names![].next(), None);
    }
}
