//! The table of a program's options.

use crate::packed::Packed;

/// Code of an option that no table lists. It is taken for a flag: versions differ, and a reader must not
/// miss an operand because of an option it has never heard of.
pub(super) const UNLISTED: u8 = 0;
/// Code of `--help` and `--version`.
pub(super) const INFORMS: u8 = 1;

/// The options of one program, made by [`options!`]: the first entry holds the short ones and whether they
/// permute, the others are the codes and names of the long ones.
#[derive(Clone, Copy)]
pub(super) struct Options(Packed);

/// Makes [`Options`].
///
/// `short` is as for `getopt`: a letter followed by `:` takes an argument, by `::` only one joined to it.
/// `long` gives a name and a code, which is the letter of the equivalent short option, or any number above
/// `~`; a name that ends in `=` takes an argument, one in `?` only an argument joined by `=`. `permute` says
/// whether options may follow operands.
macro_rules! options {
    (short: $short:literal, long: [$(($name:literal, $code:expr)),* $(,)?], permute: $permute:literal $(,)?) => {{
        $crate::programs::options::Options::new($crate::packed::packed!(
            &[($permute as u8, $short), $(($code, $name)),*]
        ))
    }};
}
pub(super) use options;

/// What follows an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Argument,
    Joined,
}

impl Options {
    pub(super) const fn new(packed: Packed) -> Self {
        Self(packed)
    }

    pub(super) fn permute(mut self) -> bool {
        self.0.next().is_some_and(|(permute, _)| permute == 1)
    }

    pub(super) fn short(mut self, letter: u8) -> (u8, Takes) {
        let mut table = self.0.next().map_or(&b""[..], |(_, letters)| letters);
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
        for (code, spelling) in self.0.skip(1) {
            let (full, takes) = match spelling {
                [full @ .., b'='] => (full, Takes::Argument),
                [full @ .., b'?'] => (full, Takes::Joined),
                full => (full, Takes::Nothing),
            };
            if full == name {
                return (code, takes);
            }
            if found.0 == UNLISTED && full.starts_with(name) {
                found = (code, takes);
            }
        }
        found
    }
}
