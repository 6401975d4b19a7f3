//! ln: by force, replaces what has the name of the link.

use super::line::Line;
use super::options::{Options, options};
use super::target::{Placing, backs_up};
use super::{Sink, Target, Word};
use crate::Act;

const LN: Options = options! {
    short: "bdfFhiLnPrsS:t:Tvw",
    long: [
        ("backup?", b'b'),
        ("directory", b'd'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("logical", b'L'),
        ("no-dereference", b'n'),
        ("physical", b'P'),
        ("relative", b'r'),
        ("symbolic", b's'),
        ("suffix=", b'S'),
        ("target-directory=", b't'),
        ("no-target-directory", b'T'),
        ("verbose", b'v'),
    ],
    permute: true,
};

pub(super) fn ln(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, LN);
    let backs_up = backs_up(line, b"b") || line.has(b"S");
    // On BSD `-F` removes a directory in the way.
    if line.only_informs() || !(backs_up || line.has(b"fFi") || line.in_doubt()) {
        return;
    }
    let act = if backs_up {
        Act::MoveAway
    } else {
        Act::Replace
    };
    let placing = Placing {
        single: if line.has(b"nh") {
            Target::NoLink
        } else {
            Target::Either
        },
        ..Placing::of(line)
    };
    placing.each(line, |source, place| sink(place.effect(act, source)));
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn ln_replaces_by_force() {
        check(&[
            ("ln -sf a b", "replace 2>3"),
            ("ln -f a b", "replace 2>3"),
            ("gln -s -f a b", "replace 3>4"),
            ("ln -sfn /dev/null a", "replace 2>-3"),
            ("ln -sfh a b", "replace 2>-3"),
            ("ln -sfT a b", "replace 3"),
            ("ln -sf a b d", "replace 2>>4, replace 3>>4"),
            ("ln -sf -t d a", "replace 4>>3"),
            ("ln -sf /x/a", "replace 2>>."),
            ("ln a b --force", "replace 1>2"),
            ("ln -i a b", "replace 2>3"),
            ("ln -F a b", "replace 2>3"),
            ("ln -sb a b", "move 2>3"),
            ("ln -sf --backup=none a b", "replace 3>4"),
            ("ln -$X a b", "replace 2>3"),
            ("ln -sf a $X", "replace 2>3"),
        ]);
    }

    #[test]
    fn ln_without_force_loses_nothing() {
        check(&[
            ("ln -s a b", ""),
            ("ln a b", ""),
            ("ln -sr a b", ""),
            ("ln -s -- -f b", ""),
            ("ln -s a", ""),
            ("ln --help", ""),
        ]);
    }
}
