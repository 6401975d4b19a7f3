//! perl and ruby: with `-i`, replace every file they edit.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const PERL: Options = options! {
    short: "0::acC::d::D::e:E:fF:hi::I:l::m:M:npsStTuUvV::wWx::X",
    long: [],
    permute: false,
};

const RUBY: Options = options! {
    short: "0::acC:de:E:F:hi::I:K:lnpr:sST::U:vwW::x::y",
    long: [
        ("disable=", b'~'),
        ("enable=", b'~'),
        ("encoding=", b'E'),
        ("external-encoding=", b'~'),
        ("internal-encoding=", b'~'),
    ],
    permute: false,
};

pub(super) fn perl(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    edits(Line::new(argv, PERL), b"eE", sink);
}

pub(super) fn ruby(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    edits(Line::new(argv, RUBY), b"e", sink);
}

/// Without one of the `inline` options the first operand is the script.
fn edits(line: Line<'_>, inline: &[u8], sink: &mut Sink<'_>) {
    let Some((_, suffix)) = line.last(b"i") else {
        return;
    };
    let act = match suffix {
        Some(_) => Act::MoveAway,
        None => Act::Replace,
    };
    let skipped = usize::from(!line.has(inline));
    for index in line.operands().skip(skipped) {
        sink(line.on(act, index));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn perl_and_ruby_in_place_replace_files() {
        check(&[
            ("perl -i -pe s/a/b/ f", "replace 4"),
            ("perl -pi -e s/a/b/ f g", "replace 4, replace 5"),
            ("perl5.36.0 -pi -e d f", "replace 4"),
            ("perl -p -i -w -e d f", "replace 6"),
            ("perl -0777 -i -pe d f", "replace 5"),
            ("perl -i script.pl f", "replace 3"),
            ("perl -i.bak -pe d f", "move 4"),
            ("perl -pie script f", "move 3"),
            ("perl -Mstrict -i -ne print f", "replace 5"),
            ("ruby -i -pe gsub f", "replace 4"),
            ("ruby -pi.bak -e gsub f", "move 4"),
            ("perl -i -pe d $X", "replace 4"),
        ]);
    }

    #[test]
    fn perl_and_ruby_that_print_lose_nothing_here() {
        check(&[
            ("perl -ne print f", ""),
            ("perl -e -i f", ""),
            ("perl script.pl -i f", ""),
            ("perl -ifoo", ""),
            ("ruby script.rb -i f", ""),
            ("perl", ""),
        ]);
    }
}
