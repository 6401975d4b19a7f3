//! gzip and its kin: remove the file that they compressed or unpacked.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

/// gzip, bzip2, xz and lzma share their letters.
const GZIP: Options = options! {
    short: "0123456789acC:defF:hkKlLM:nNqrsS:tT:vVz",
    long: [
        ("stdout", b'c'),
        ("to-stdout", b'c'),
        ("decompress", b'd'),
        ("uncompress", b'd'),
        ("force", b'f'),
        ("keep", b'k'),
        ("list", b'l'),
        ("test", b't'),
        ("recursive", b'r'),
        ("suffix=", b'S'),
        ("threads=", b'T'),
        ("format=", b'F'),
        ("check=", b'C'),
        ("memlimit=", b'M'),
        ("memory=", b'M'),
        ("block-size=", b'~'),
        ("files?", b'~'),
        ("files0?", b'~'),
    ],
    permute: true,
};

pub(super) fn gzip(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, GZIP);
    if line.has(b"ckltVh") || line.only_informs() {
        return;
    }
    let act = if line.has(b"r") {
        Act::Sweep
    } else {
        Act::Remove
    };
    for index in line.operands() {
        if argv[index].known() != Some(b"-") {
            sink(line.on(act, index));
        }
    }
}

const ZSTD: Options = options! {
    short: "0123456789b::cCdD:e::fhHi::klM:o:qrS:tT:vV",
    long: [
        ("rm", b'R'),
        ("keep", b'k'),
        ("stdout", b'c'),
        ("list", b'l'),
        ("test", b't'),
        ("force", b'f'),
        ("output-dir-flat=", b'~'),
        ("output-dir-mirror=", b'~'),
        ("filelist=", b'~'),
    ],
    permute: true,
};

/// zstd keeps its operands unless told to remove them.
pub(super) fn zstd(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, ZSTD);
    if line.only_informs() {
        return;
    }
    if let (Some(path), true) = (line.value(b"o"), line.has(b"f")) {
        sink(line.on(Act::Truncate, path));
    }
    if !matches!(line.last(b"Rk"), Some((b'R', _))) || line.has(b"clt") {
        return;
    }
    let act = if line.has(b"r") {
        Act::Sweep
    } else {
        Act::Remove
    };
    for index in line.operands() {
        sink(line.on(act, index));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn compressors_remove_what_they_read() {
        check(&[
            ("gzip a", "remove 1"),
            ("gzip -9 a b", "remove 2, remove 3"),
            ("gzip -f a", "remove 2"),
            ("gunzip a.gz", "remove 1"),
            ("gzip -d a.gz", "remove 2"),
            ("gzip -S .z a", "remove 3"),
            ("gzip -r dir", "sweep 2"),
            ("bzip2 a", "remove 1"),
            ("bunzip2 a.bz2", "remove 1"),
            ("xz -T 0 a", "remove 3"),
            ("xz -T0 -9e a", "remove 3"),
            ("unxz a.xz", "remove 1"),
            ("lzma a", "remove 1"),
            ("gzip $X", "remove 1"),
            ("gzip -- -k", "remove 2"),
            ("zstd --rm a", "remove 2"),
            ("zstd -q --rm -19 a", "remove 4"),
            ("zstd -f a -o b", "truncate 4"),
        ]);
    }

    #[test]
    fn compressors_that_keep_lose_nothing() {
        check(&[
            ("gzip -k a", ""),
            ("gzip --keep a", ""),
            ("gzip -c a", ""),
            ("gzip -dc a", ""),
            ("gzip --stdout a", ""),
            ("gzip -l a.gz", ""),
            ("gzip -t a.gz", ""),
            ("gzip", ""),
            ("gzip -", ""),
            ("xz -dk a.xz", ""),
            ("zstd a", ""),
            ("zstd --rm -c a", ""),
            ("zstd a -o b", ""),
            ("gzip --help", ""),
        ]);
    }
}
