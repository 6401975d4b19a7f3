//! cp and install: replace or empty what has the name of a copy.

use super::line::Line;
use super::options::{Options, options};
use super::target::{Place, Placing, backs_up, keeps_all};
use super::{Effect, Sink, Word};
use crate::Act;

const CP: Options = options! {
    short: "abcdfHilLnpPrRsS:t:TuvxXZ",
    long: [
        ("archive", b'a'),
        ("attributes-only", b'A'),
        ("backup?", b'b'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("link", b'l'),
        ("no-clobber", b'n'),
        ("no-target-directory", b'T'),
        ("parents", b'D'),
        ("path", b'D'),
        ("recursive", b'r'),
        ("remove-destination", b'm'),
        ("symbolic-link", b's'),
        ("suffix=", b'S'),
        ("target-directory=", b't'),
        ("update?", b'u'),
        ("no-preserve=", b'p'),
        ("preserve?", b'p'),
        ("sparse=", b'p'),
        ("reflink?", b'p'),
        ("context?", b'Z'),
    ],
    permute: true,
};

pub(super) fn cp(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, CP);
    let keeps = matches!(line.last(b"fin"), Some((b'n', _))) || keeps_all(line);
    let backs_up = backs_up(line, b"b") || line.has(b"S");
    // A link is only put over an existing name by force, or once that was moved away.
    let harmless = line.has(b"A") || (line.has(b"ls") && !line.has(b"fm"));
    if keeps || (harmless && !backs_up) || line.only_informs() {
        return;
    }
    let merges = line.has(b"arR") || line.in_doubt();
    let act = if merges {
        Act::Select
    } else if backs_up {
        Act::MoveAway
    } else if line.has(b"mls") {
        Act::Replace
    } else {
        Act::Truncate
    };
    let placing = Placing::of(line);
    if placing.lacks_target(line, act, sink) {
        return;
    }
    let parents = line.has(b"D");
    placing.each(line, |source, place| match place {
        // The whole path of the source is made below the target.
        Place::Into(Some(inside), _) if parents => {
            sink(Effect::on(Act::Select, inside).sure(false));
        }
        place => sink(place.effect(act, source).sure(!merges)),
    });
}

const INSTALL: Options = options! {
    short: "bcCdDg:m:o:pS:st:TvZ",
    long: [
        ("backup?", b'b'),
        ("compare", b'C'),
        ("directory", b'd'),
        ("group=", b'g'),
        ("mode=", b'm'),
        ("owner=", b'o'),
        ("strip-program=", b'P'),
        ("strip", b's'),
        ("suffix=", b'S'),
        ("target-directory=", b't'),
        ("no-target-directory", b'T'),
        ("preserve-timestamps", b'p'),
        ("context?", b'Z'),
    ],
    permute: true,
};

pub(super) fn install(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, INSTALL);
    let placing = Placing::of(line);
    if line.has(b"d") || line.only_informs() || placing.lacks_target(line, Act::Replace, sink) {
        return;
    }
    let act = if backs_up(line, b"b") || line.has(b"S") {
        Act::MoveAway
    } else {
        Act::Replace
    };
    placing.each(line, |source, place| sink(place.effect(act, source)));
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn cp_empties_the_file_that_it_writes() {
        check(&[
            ("cp a b", "truncate 1>2"),
            ("gcp a b", "truncate 1>2"),
            ("cp a b dir", "truncate 1>>3, truncate 2>>3"),
            ("cp -f a b", "truncate 2>3"),
            ("cp -p a b", "truncate 2>3"),
            ("cp -i a b", "truncate 2>3"),
            ("cp a b -f", "truncate 1>2"),
            ("cp /dev/null app.log", "truncate 1>2"),
            ("cp -T a b", "truncate 3"),
            ("cp -t d a b", "truncate 3>>2, truncate 4>>2"),
            ("cp --target-directory=d a", "truncate 2>>1+19"),
            ("cp --preserve=all a b", "truncate 2>3"),
            ("cp --no-preserve mode a b", "truncate 3>4"),
            ("cp -- -a b", "truncate 2>3"),
            ("cp --remove-destination a b", "replace 2>3"),
            ("cp -fs a b", "replace 2>3"),
            ("cp -lf a b", "replace 2>3"),
            ("cp --parents a/b d", "select 3 ?"),
        ]);
    }

    #[test]
    fn cp_merges_trees() {
        check(&[
            ("cp -r a b", "select 2>3 ?"),
            ("cp -R a b c", "select 2>>4 ?, select 3>>4 ?"),
            ("cp -a a/. b", "select 2>3 ?"),
            ("cp -a --backup a b", "select 3>4 ?"),
            ("cp --recursive a b", "select 2>3 ?"),
            ("cp --rec a b", "select 2>3 ?"),
            ("cp --archive a b", "select 2>3 ?"),
            ("cp -rT a b", "select 3 ?"),
            ("cp -r a -t b", "select 2>>4 ?"),
        ]);
    }

    #[test]
    fn cp_that_keeps_the_target_loses_nothing() {
        check(&[
            ("cp -n a b", ""),
            ("cp -rn a b", ""),
            ("cp --no-clobber a b", ""),
            ("cp --update=none a b", ""),
            ("cp -fn a b", ""),
            ("cp -nf a b", "truncate 2>3"),
            ("cp -l a b", ""),
            ("cp -s a b", ""),
            ("cp --attributes-only a b", ""),
            ("cp --attributes-only -b a b", "move 3>4"),
            ("cp -lb a b", "move 2>3"),
            ("cp -b a b", "move 2>3"),
            ("cp --backup=simple a b", "move 2>3"),
            ("cp --backup=none a b", "truncate 2>3"),
            ("cp a", ""),
            ("cp", ""),
            ("cp --version", ""),
        ]);
    }

    #[test]
    fn cp_reports_unknown_words() {
        check(&[
            ("cp $X b", "truncate 1>2"),
            ("cp a $X", "truncate 1>2"),
            ("cp -$X a b", "select 2>3 ?"),
            ("cp -t $X a", "truncate 3>>2"),
            ("cp $@", "truncate word"),
            ("cp -r $@", "select word"),
            ("install $@", "replace word"),
        ]);
    }

    #[test]
    fn install_replaces() {
        check(&[
            ("install a b", "replace 1>2"),
            ("install -m 644 a b", "replace 3>4"),
            ("install -m644 a b", "replace 2>3"),
            ("install -Dm755 a b/c", "replace 2>3"),
            (
                "install -o root -g root a b d",
                "replace 5>>7, replace 6>>7",
            ),
            ("install -t d a", "replace 3>>2"),
            ("install -T a b", "replace 3"),
            ("install --mode=644 a b", "replace 2>3"),
            ("install -b a b", "move 2>3"),
            ("install -d a b", ""),
            ("install --directory a", ""),
            ("install --help", ""),
        ]);
    }
}
