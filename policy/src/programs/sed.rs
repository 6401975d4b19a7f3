//! sed: with `-i`, replaces every file it edits.

use super::line::{Item, Line};
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const SED: Options = options! {
    short: "abe:Ef:i::l:nrsuz",
    long: [
        ("expression=", b'e'),
        ("file=", b'f'),
        ("follow-symlinks", b'F'),
        ("in-place?", b'i'),
        ("line-length=", b'l'),
        ("quiet", b'n'),
        ("silent", b'n'),
        ("regexp-extended", b'r'),
        ("separate", b's'),
        ("null-data", b'z'),
    ],
    permute: true,
};

pub(super) fn sed(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, SED);
    let in_place = line.last(b"i");
    if line.only_informs() || !(in_place.is_some() || line.in_doubt()) {
        return;
    }
    let act = match in_place {
        // With a suffix the old file stays under another name.
        Some((_, Some(suffix))) if line.bytes(suffix) != Some(b"") => Act::MoveAway,
        _ if line.has(b"F") => Act::Overwrite,
        _ => Act::Replace,
    };
    let mut skipped = usize::from(!line.has(b"ef")) + usize::from(empty_suffix(line));
    for index in line.operands() {
        // An unknown script that falls into several words may bring files along.
        if skipped > 0 && !argv[index].may_be_several() {
            skipped -= 1;
        } else {
            sink(line.on(act, index));
        }
    }
}

/// `-i ''` of BSD: the suffix is a word of its own.
fn empty_suffix(line: Line<'_>) -> bool {
    let mut items = line.items();
    while let Some(item) = items.next() {
        if matches!(item, Item::Option(b'i', None)) {
            return matches!(
                items.next(),
                Some(Item::Operand(index)) if line.argv[index].known() == Some(b"")
            );
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn sed_in_place_replaces_files_and_not_the_script() {
        check(&[
            ("sed -i s/a/b/ f", "replace 3"),
            ("gsed -i s/a/b/ f g", "replace 3, replace 4"),
            ("sed -i -e s/a/b/ f", "replace 4"),
            ("sed -i -es/a/b/ f", "replace 3"),
            ("sed -i -e s/a/b/ -e d f", "replace 6"),
            ("sed -i -f x.sed f", "replace 4"),
            ("sed -i --expression=d f", "replace 3"),
            ("sed -i --expression d f", "replace 4"),
            ("sed --in-place d f", "replace 3"),
            ("sed --in d f", "replace 3"),
            ("sed --in-place= d f", "replace 3"),
            ("sed -ni p f", "replace 3"),
            ("sed -E -i d f", "replace 4"),
            ("sed d f -i", "replace 2"),
            ("sed d -i f", "replace 3"),
            ("sed -i d -- -f", "replace 4"),
            ("sed -i '' s/a/b/ f", "replace 4"),
            ("sed -i '' -e d f", "replace 5"),
            ("sed -i --follow-symlinks d f", "overwrite 4"),
            ("sed -i d", ""),
        ]);
    }

    #[test]
    fn sed_with_a_suffix_moves_the_old_file_away() {
        check(&[
            ("sed -i.bak d f", "move 3"),
            ("sed --in-place=.bak d f", "move 3"),
            ("sed -ie d f", "move 3"),
            ("sed -ni.bak p f", "move 3"),
        ]);
    }

    #[test]
    fn sed_that_prints_loses_nothing() {
        check(&[
            ("sed d f", ""),
            ("sed -n 1,5p f", ""),
            ("sed -e -i f", ""),
            ("sed -- -i f", ""),
            ("sed $X f", ""),
            ("sed --help", ""),
            ("sed -i --help", ""),
        ]);
    }

    #[test]
    fn sed_takes_unknown_words_for_the_worst() {
        check(&[
            ("sed -$X d f", "replace 3"),
            ("sed -i $X f", "replace 3"),
            ("sed -i $@ f", "replace 2"),
            ("sed -i d $X", "replace 3"),
            ("sed -i d $@", "replace 3"),
        ]);
    }
}
