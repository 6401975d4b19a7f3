//! mv: moves its sources away and replaces what has their new names.

use super::line::Line;
use super::options::{Options, options};
use super::target::{Placing, backs_up, keeps_all};
use super::{Follow, Sink, Target, Word};
use crate::Act;

const MV: Options = options! {
    short: "bfhinS:t:TuvZ",
    long: [
        ("backup?", b'b'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("no-clobber", b'n'),
        ("no-target-directory", b'T'),
        ("target-directory=", b't'),
        ("suffix=", b'S'),
        ("update?", b'u'),
        ("exchange", b'x'),
        ("no-copy", b'c'),
        ("strip-trailing-slashes", b's'),
        ("context", b'Z'),
        ("debug", b'd'),
        ("verbose", b'v'),
    ],
    permute: true,
};

pub(super) fn mv(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, MV);
    if line.only_informs() {
        return;
    }
    let placing = Placing {
        // BSD: a link to a directory is replaced itself.
        single: if line.has(b"h") {
            Target::NoLink
        } else {
            Target::Either
        },
        ..Placing::of(line)
    };
    let keeps = matches!(line.last(b"fin"), Some((b'n', _))) || keeps_all(line);
    let act = if line.has(b"x") || backs_up(line, b"b") || line.has(b"S") {
        Act::MoveAway
    } else {
        Act::Replace
    };
    if placing.lacks_target(line, Act::MoveAway, sink) {
        return;
    }
    let strips = line.has(b"s");
    placing.each(line, |source, place| {
        let moved = line.on(Act::MoveAway, source);
        sink(if strips {
            moved.following(Follow::Never)
        } else {
            moved
        });
        if !keeps {
            sink(place.effect(act, source));
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn mv_moves_sources_and_replaces_targets() {
        check(&[
            ("mv a b", "move 1, replace 1>2"),
            ("gmv a b/", "move 1, replace 1>2"),
            ("mv a b dir", "move 1, replace 1>>3, move 2, replace 2>>3"),
            ("mv -f a b", "move 2, replace 2>3"),
            ("mv -i a b", "move 2, replace 2>3"),
            ("mv -v -- a -b", "move 3, replace 3>4"),
            ("mv a b -f", "move 1, replace 1>2"),
            ("mv -T a b", "move 2, replace 3"),
            ("mv --no-target-directory a b", "move 2, replace 3"),
            ("mv --no-t a b", "move 2, replace 3"),
            ("mv -t d a b", "move 3, replace 3>>2, move 4, replace 4>>2"),
            ("mv -td a", "move 2, replace 2>>1+2"),
            ("mv a -ft d", "move 1, replace 1>>3"),
            ("mv --target-directory=/d a", "move 2, replace 2>>1+19"),
            ("mv --target /d a", "move 3, replace 3>>2"),
            ("mv -h a b", "move 2, replace 2>-3"),
            ("mv dir/ b", "move 1 L, replace 1>2"),
            (
                "mv --strip-trailing-slashes dir/ b",
                "move 2 N, replace 2>3",
            ),
            ("mv -u a b", "move 2, replace 2>3"),
            ("mv --update=older a b", "move 2, replace 2>3"),
            ("mv a", ""),
            ("mv", ""),
            ("mv --help", ""),
        ]);
    }

    #[test]
    fn mv_that_keeps_targets_still_moves_sources() {
        check(&[
            ("mv -n a b", "move 2"),
            ("mv --no-clobber a b", "move 2"),
            ("mv -fn a b", "move 2"),
            ("mv -nf a b", "move 2, replace 2>3"),
            ("mv --update=none a b", "move 2"),
            ("mv --update=none-fail a b", "move 2"),
            ("mv -b a b", "move 2, move 2>3"),
            ("mv --backup=numbered a b", "move 2, move 2>3"),
            ("mv --backup=off a b", "move 2, replace 2>3"),
            ("mv -S .bak a b", "move 3, move 3>4"),
            ("mv --exchange a b", "move 2, move 2>3"),
        ]);
    }

    #[test]
    fn mv_reports_unknown_words() {
        check(&[
            ("mv $X b", "move 1, replace 1>2"),
            ("mv a $X", "move 1, replace 1>2"),
            ("mv -t $X a", "move 3, replace 3>>2"),
            ("mv a dir/$X", "move 1, replace 1>2"),
            ("mv -n$X a b", "move 2"),
            ("mv $@", "move word"),
            ("mv $@ b", "move 1, replace 1>2"),
            ("mv -t d $@", "move 3, replace 3>>2"),
        ]);
    }
}
