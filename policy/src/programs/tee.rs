//! tee and sponge: empty their operands and write standard input to them.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const TEE: Options = options! {
    short: "aip",
    long: [
        ("append", b'a'),
        ("ignore-interrupts", b'i'),
        ("output-error?", b'p'),
    ],
    permute: true,
};

pub(super) fn tee(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, TEE);
    if line.only_informs() {
        return;
    }
    let act = if line.has(b"a") {
        Act::Append
    } else {
        Act::Truncate
    };
    for index in line.operands() {
        sink(line.on(act, index));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn tee_empties_its_operands_unless_it_appends() {
        check(&[
            ("tee a", "truncate 1"),
            ("gtee a b", "truncate 1, truncate 2"),
            ("tee -i a", "truncate 2"),
            ("tee -p a", "truncate 2"),
            ("tee --output-error=exit a", "truncate 2"),
            ("tee --output-error exit", "truncate 2"),
            ("tee -a a", "append 2"),
            ("tee -ia a", "append 2"),
            ("tee a -a", "append 1"),
            ("tee --append a", "append 2"),
            ("tee --app a", "append 2"),
            ("tee -- -a", "truncate 2"),
            ("tee /dev/stderr", "truncate 1"),
            ("tee", ""),
            ("tee -a", ""),
            ("tee --help", ""),
            ("sponge a", "truncate 1"),
            ("sponge -a a", "append 2"),
            ("tee $X", "truncate 1"),
            ("tee -a dir/$X", "append 2"),
        ]);
    }
}
