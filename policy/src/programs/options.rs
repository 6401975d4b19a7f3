//! The options of a program, as bytes: tables of strings would be as many addresses, each of which the loader
//! would have to correct in every process that the library is loaded into.

/// Code of an option that no table lists. It is taken for a flag: versions differ, and a reader must not
/// miss an operand because of an option it has never heard of.
pub(super) const UNLISTED: u8 = 0;
/// Code of `--help` and `--version`.
pub(super) const INFORMS: u8 = 1;

/// The options of one program, made by [`options!`]: whether they permute, the length of the short ones, the
/// short ones, then code, length and name of each long one.
#[derive(Clone, Copy)]
pub(super) struct Options(&'static [u8]);

/// Makes [`Options`].
///
/// `short` is as for `getopt`: a letter followed by `:` takes an argument, by `::` only one joined to it.
/// `long` gives a name and a code, which is the letter of the equivalent short option, or any number above
/// `~`; a name that ends in `=` takes an argument, one in `?` only an argument joined by `=`. `permute` says
/// whether options may follow operands.
macro_rules! options {
    (short: $short:literal, long: [$(($name:literal, $code:expr)),* $(,)?], permute: $permute:literal $(,)?) => {{
        const LONG: &[(&str, u8)] = &[$(($name, $code)),*];
        const PACKED: [u8; $crate::programs::options::size($short, LONG)] =
            $crate::programs::options::pack($permute, $short, LONG);
        $crate::programs::options::Options::new(&PACKED)
    }};
}
pub(super) use options;

/// Bytes before the short options, and before each name.
const HEAD: usize = 2;

/// How many bytes a table takes.
pub(super) const fn size(short: &str, long: &[(&str, u8)]) -> usize {
    let mut size = HEAD + short.len();
    let mut at = 0;
    while at < long.len() {
        size += HEAD + long[at].0.len();
        at += 1;
    }
    size
}

/// Packs a table into its [`size`].
pub(super) const fn pack<const N: usize>(
    permute: bool,
    short: &str,
    long: &[(&str, u8)],
) -> [u8; N] {
    const fn put<const N: usize>(
        packed: &mut [u8; N],
        mut to: usize,
        head: u8,
        text: &str,
    ) -> usize {
        let text = text.as_bytes();
        assert!(text.len() <= u8::MAX as usize);
        packed[to] = head;
        packed[to + 1] = text.len() as u8;
        to += HEAD;
        let mut at = 0;
        while at < text.len() {
            packed[to + at] = text[at];
            at += 1;
        }
        to + at
    }
    let mut packed = [0; N];
    let mut to = put(&mut packed, 0, permute as u8, short);
    let mut at = 0;
    while at < long.len() {
        to = put(&mut packed, to, long[at].1, long[at].0);
        at += 1;
    }
    packed
}

/// What follows an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Argument,
    Joined,
}

impl Options {
    pub(super) const fn new(packed: &'static [u8]) -> Self {
        Self(packed)
    }

    pub(super) fn permute(self) -> bool {
        self.0.first() == Some(&1)
    }

    /// The short options, and the long ones.
    fn parts(self) -> (&'static [u8], &'static [u8]) {
        match self.0 {
            [_, length, rest @ ..] => rest.split_at_checked(usize::from(*length)),
            _ => None,
        }
        .unwrap_or((b"", b""))
    }

    pub(super) fn short(self, letter: u8) -> (u8, Takes) {
        let (mut table, _) = self.parts();
        while let [listed, rest @ ..] = table {
            if *listed == letter && letter != b':' {
                let takes = match rest {
                    [b':', b':', ..] => Takes::Joined,
                    [b':', ..] => Takes::Argument,
                    _ => Takes::Nothing,
                };
                return (letter, takes);
            }
            table = rest;
        }
        (UNLISTED, Takes::Nothing)
    }

    /// The option that `name` spells or abbreviates. Where an abbreviation is ambiguous the program stops,
    /// so any answer does.
    pub(super) fn long(self, name: &[u8]) -> (u8, Takes) {
        let mut found = match name {
            b"help" | b"version" => return (INFORMS, Takes::Nothing),
            _ => (UNLISTED, Takes::Nothing),
        };
        let (_, mut table) = self.parts();
        while let [code, length, rest @ ..] = table {
            let Some((spelling, others)) = rest.split_at_checked(usize::from(*length)) else {
                break;
            };
            table = others;
            let (full, takes) = match spelling {
                [full @ .., b'='] => (full, Takes::Argument),
                [full @ .., b'?'] => (full, Takes::Joined),
                full => (full, Takes::Nothing),
            };
            if full == name {
                return (*code, takes);
            }
            if found.0 == UNLISTED && full.starts_with(name) {
                found = (*code, takes);
            }
        }
        found
    }
}
