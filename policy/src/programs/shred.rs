//! shred: writes over its operands, and removes them if told so.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const SHRED: Options = options! {
    short: "fn:s:uvxz",
    long: [
        ("exact", b'x'),
        ("force", b'f'),
        ("iterations=", b'n'),
        ("size=", b's'),
        ("random-source=", b'~'),
        ("remove?", b'u'),
        ("verbose", b'v'),
        ("zero", b'z'),
    ],
    permute: true,
};

pub(super) fn shred(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, SHRED);
    if line.only_informs() {
        return;
    }
    let removes = line.has(b"u") || line.may_hold_more();
    line.each_operand(Act::Overwrite, sink, |index, sink| {
        // Standard output.
        if argv[index].known() == Some(b"-") {
            return;
        }
        sink(line.on(Act::Overwrite, index));
        if removes {
            sink(line.on(Act::Remove, index));
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn shred_overwrites_and_with_u_also_removes() {
        check(&[
            ("shred a", "overwrite 1"),
            ("shred a b", "overwrite 1, overwrite 2"),
            ("shred -n 3 a", "overwrite 3"),
            ("shred -n3 a", "overwrite 2"),
            ("shred -zn 3 a", "overwrite 3"),
            ("shred -u a", "overwrite 2, remove 2"),
            ("shred -uz a", "overwrite 2, remove 2"),
            ("shred -u -n 1 a", "overwrite 4, remove 4"),
            ("shred -fuvzn1 a", "overwrite 2, remove 2"),
            ("shred a -u", "overwrite 1, remove 1"),
            ("shred --remove a", "overwrite 2, remove 2"),
            ("shred --remove=wipe a", "overwrite 2, remove 2"),
            ("shred --rem=unlink a", "overwrite 2, remove 2"),
            ("shred --iterations 3 a", "overwrite 3"),
            ("shred --iterations=3 a", "overwrite 2"),
            ("shred --size 1K -x a", "overwrite 4"),
            ("shred --random-source /dev/zero a", "overwrite 3"),
            ("shred -s 10 -- -u", "overwrite 4"),
            ("shred -", ""),
            ("shred /dev/sda", "overwrite 1"),
            ("shred", "overwrite nothing"),
            ("shred -u", "overwrite nothing"),
            ("shred --help", ""),
        ]);
    }

    #[test]
    fn shred_takes_unknown_words_for_the_worst() {
        check(&[
            ("shred $X", "overwrite 1, remove 1"),
            ("shred -- $X", "overwrite 2"),
            ("shred -n $X a", "overwrite 3"),
            ("shred -$X a", "overwrite 2, remove 2"),
            ("shred dir/$X", "overwrite 1"),
        ]);
    }
}
