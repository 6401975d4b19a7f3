//! sort: empties the file after `-o`.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const SORT: Options = options! {
    short: "bcCdfghik:mMnNo:rRsS:t:T:uVz",
    long: [
        ("output=", b'o'),
        ("key=", b'k'),
        ("buffer-size=", b'S'),
        ("field-separator=", b't'),
        ("temporary-directory=", b'T'),
        ("batch-size=", b'~'),
        ("compress-program=", b'~'),
        ("files0-from=", b'~'),
        ("parallel=", b'~'),
        ("random-source=", b'~'),
        ("sort=", b'~'),
    ],
    permute: true,
};

pub(super) fn sort(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, SORT);
    if line.only_informs() {
        return;
    }
    if let Some(path) = line.value(b"o") {
        sink(line.on(Act::Truncate, path));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn sort_empties_its_output() {
        check(&[
            ("sort -o a b", "truncate 2"),
            ("gsort -oa b", "truncate 1+2"),
            ("sort b -o a", "truncate 3"),
            ("sort -uno a b", "truncate 2"),
            ("sort --output=a b", "truncate 1+9"),
            ("sort --output a", "truncate 2"),
            ("sort --out=a", "truncate 1+6"),
            ("sort -o $X b", "truncate 2"),
            ("sort -o$X b", "truncate 1+2"),
            ("sort a", ""),
            ("sort -k 2 -t , a", ""),
            ("sort -t -o a", ""),
            ("sort -- -o a", ""),
            ("sort $X", ""),
            ("sort --help", ""),
        ]);
    }
}
