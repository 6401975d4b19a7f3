//! truncate: empties, shortens or lengthens its operands.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const TRUNCATE: Options = options! {
    short: "cor:s:",
    long: [
        ("no-create", b'c'),
        ("io-blocks", b'o'),
        ("reference=", b'r'),
        ("size=", b's'),
    ],
    permute: true,
};

/// What a size does to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Never makes it shorter: `+N`, `>N` (at least), `%N` (rounded up).
    Lengthens,
    /// Makes it shorter for certain unless it is empty: `0`, `-N`.
    Shortens,
    /// Depends on its present size.
    Depends,
}

fn change(size: &[u8]) -> Change {
    match size.trim_ascii_start() {
        [b'+' | b'>' | b'%', ..] => Change::Lengthens,
        [b'-', ..] => Change::Shortens,
        size if !size.is_empty() && size.iter().all(|&b| b == b'0') => Change::Shortens,
        _ => Change::Depends,
    }
}

pub(super) fn truncate(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, TRUNCATE);
    if line.only_informs() {
        return;
    }
    let size = line.value(b"s");
    let change = match size {
        Some(size) => change(line.bytes(size).unwrap_or(line.prefix(size))),
        None => Change::Depends,
    };
    // A size relative to a reference says nothing about the operand's own.
    let reference = line.has(b"r");
    if change == Change::Lengthens && !reference && !line.may_hold_more() {
        return;
    }
    let sure = change == Change::Shortens && !reference;
    line.each_operand(Act::Truncate, sink, |index, sink| {
        sink(line.on(Act::Truncate, index).sure(sure));
    });
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn truncate_empties_its_operands() {
        check(&[
            ("truncate -s 0 a", "truncate 3"),
            ("truncate -s0 a", "truncate 2"),
            ("truncate -cs 0 a", "truncate 3"),
            ("truncate -cs0 a b", "truncate 2, truncate 3"),
            ("truncate -c -s 0 a", "truncate 4"),
            ("truncate a -s 0", "truncate 1"),
            ("truncate --size 0 a", "truncate 3"),
            ("truncate --size=0 a", "truncate 2"),
            ("truncate --si=0 a", "truncate 2"),
            ("truncate -s -5 a", "truncate 3"),
            ("truncate -s 0 -- -a", "truncate 4"),
            ("truncate -s 0", "truncate nothing"),
            ("truncate", "truncate nothing"),
            ("truncate --help", ""),
        ]);
    }

    #[test]
    fn truncate_to_a_size_depends_on_the_file() {
        check(&[
            ("truncate -s 10M a", "truncate 3 ?"),
            ("truncate -s <10 a", "truncate 3 ?"),
            ("truncate -s /512 a", "truncate 3 ?"),
            ("truncate -r b a", "truncate 3 ?"),
            ("truncate --reference=/dev/null a", "truncate 2 ?"),
            ("truncate -r b -s +1 a", "truncate 5 ?"),
            ("truncate a", "truncate 1 ?"),
        ]);
    }

    #[test]
    fn truncate_that_lengthens_loses_nothing() {
        check(&[
            ("truncate -s +10 a", ""),
            ("truncate -s +$X a", ""),
            ("truncate --size=>1M a", ""),
            ("truncate -s ·+10 a", ""),
            ("truncate -s %512 a", ""),
            ("truncate -s 0 -s +1 a", ""),
        ]);
    }

    #[test]
    fn truncate_takes_unknown_words_for_the_worst() {
        check(&[
            ("truncate -s $X a", "truncate 3 ?"),
            ("truncate -s 0 $X", "truncate 3"),
            ("truncate -s +1 $X a", "truncate 3 ?, truncate 4 ?"),
            ("truncate -$X a", "truncate 2 ?"),
        ]);
    }
}
