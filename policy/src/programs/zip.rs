//! zip and unzip: rewrite an archive, move files into it, extract over a directory.

use super::line::Line;
use super::options::{Options, options};
use super::{Directory, Effect, Follow, Sink, Unknown, Word};
use crate::Act;

const ZIP: Options = options! {
    short: "0123456789Ab:cdDeFfghi:jJkKlLmMn:oO:pP:qrRs:St:TuUvVwx:XyzZ:@",
    long: [
        ("move", b'm'),
        ("recurse-paths", b'r'),
        ("symlinks", b'y'),
        ("recurse-patterns", b'R'),
        ("delete", b'd'),
        ("show-files", b'v'),
        ("show-command", b'v'),
        ("show-options", b'v'),
        ("output-file=", b'O'),
        ("out=", b'O'),
        ("temp-path=", b'b'),
        ("exclude=", b'x'),
        ("include=", b'i'),
        ("suffixes=", b'n'),
        ("password=", b'P'),
        ("split-size=", b's'),
        ("from-date=", b't'),
        ("before-date=", b't'),
        ("compression-method=", b'Z'),
        ("names-stdin", b'@'),
    ],
    permute: true,
};

pub(super) fn zip(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, ZIP);
    // `-sf` shows files; `-s` alone wants a size.
    let shows = line
        .value(b"s")
        .and_then(|value| line.bytes(value))
        .is_some_and(|value| matches!(value, b"f" | b"c" | b"o"));
    if shows || line.only_informs() {
        return;
    }
    let mut operands = line.operands();
    let Some(archive) = operands.next() else {
        return;
    };
    if argv[archive].known() != Some(b"-") {
        let act = if line.has(b"d") {
            Act::Overwrite
        } else {
            Act::Replace
        };
        // Entries of an archive that is already there are kept.
        sink(line.on(act, archive).sure(line.has(b"d")));
    }
    if let Some(path) = line.value(b"O") {
        sink(line.on(Act::Replace, path));
    }
    if !line.has(b"m") {
        return;
    }
    let act = if line.has(b"rR") {
        Act::RemoveTree
    } else {
        Act::Remove
    };
    let links = match act {
        // What a link names is stored, and then removed, as if it were there.
        Act::RemoveTree if !line.has(b"y") => Follow::Below,
        _ => Follow::No,
    };
    // Without a source those named in the archive go.
    let mut fed = true;
    for source in operands {
        fed = false;
        sink(line.on(act, source).following(links));
    }
    if fed || line.has(b"@") {
        sink(Effect::Unknown {
            act,
            why: Unknown::Fed,
        });
    }
}

const UNZIP: Options = options! {
    short: "aAbBcCd:DfhjKlLMnNopP:qstTuUvVWxXzZ",
    long: [],
    permute: true,
};

pub(super) fn unzip(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, UNZIP);
    let directory = line.value(b"d").map_or(Directory::Current, Directory::Word);
    let lists = line.has(b"lptvzZc") || line.only_informs();
    let overwrites = line.in_doubt() || line.has(b"o");
    if overwrites && !lists && !line.has(b"n") {
        sink(Effect::here(Act::Select, directory).sure(false));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn zip_rewrites_the_archive_and_moves_files_into_it() {
        check(&[
            ("zip x.zip a b", "replace 1 ?"),
            ("zip -r x.zip a", "replace 2 ?"),
            ("zip -9rq x.zip a", "replace 2 ?"),
            ("zip -m x.zip a b", "replace 2 ?, remove 3, remove 4"),
            ("zip -rm x.zip a", "replace 2 ?, tree 3 LL"),
            ("zip -rmy x.zip a", "replace 2 ?, tree 3"),
            ("zip --move x.zip a", "replace 2 ?, remove 3"),
            ("zip x.zip a -m", "replace 1 ?, remove 2"),
            ("zip -m -x *.o -r x.zip a", "replace 5 ?, tree 6 LL"),
            ("zip -P pw x.zip a", "replace 3 ?"),
            ("zip -d x.zip a", "overwrite 2"),
            ("zip x.zip a -O y.zip", "replace 1 ?, replace 4"),
            ("zip -m x.zip -@", "replace 2 ?, remove fed"),
            ("zip -m x.zip $X", "replace 2 ?, remove 3"),
            ("zip -m -u x.zip", "replace 3 ?, remove fed"),
            ("zip - a", ""),
            ("zip -sf x.zip", ""),
            ("zip --help", ""),
            ("zip", ""),
        ]);
    }

    #[test]
    fn unzip_extracts_over_a_directory_if_told_to_overwrite() {
        check(&[
            ("unzip -o x.zip", "select @. ?"),
            ("unzip -o x.zip -d d", "select @4 ?"),
            ("unzip -oq x.zip -dd", "select @3+2 ?"),
            ("unzip -qo -d d x.zip a", "select @3 ?"),
            ("unzip -o x.zip -d $X", "select @4 ?"),
            ("unzip -$X x.zip", "select @. ?"),
            ("unzip x.zip", ""),
            ("unzip -d d x.zip", ""),
            ("unzip -n x.zip", ""),
            ("unzip -l x.zip", ""),
            ("unzip -p x.zip a", ""),
            ("unzip -t x.zip", ""),
            ("unzip", ""),
        ]);
    }
}
