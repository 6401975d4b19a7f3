//! dd: writes the file after `of=`.

use super::{Effect, Piece, Sink, Unknown, Word};
use crate::Act;

pub(super) fn dd(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let operands = argv.get(1..).unwrap_or(&[]);
    if operands
        .first()
        .is_some_and(|word| matches!(word.known(), Some(b"--help" | b"--version")))
    {
        return;
    }
    let act = act(operands);
    for (at, word) in operands.iter().enumerate() {
        let prefix = word.prefix();
        if prefix.starts_with(b"of=") {
            let path = Piece {
                index: at + 1,
                from: b"of=".len(),
            };
            sink(Effect::on(act, path));
        } else if word.known().is_none() && (word.may_be_option() || b"of=".starts_with(prefix)) {
            sink(Effect::Unknown {
                act,
                why: Unknown::UnknownWord,
            });
        }
    }
}

/// Without `notrunc` the output is cut at `seek=` before anything is written.
fn act(operands: &[Word<'_>]) -> Act {
    let says = |name: &[u8], flag: &[u8]| {
        operands
            .iter()
            .filter_map(|word| word.known())
            .filter_map(|operand| operand.strip_prefix(name))
            .any(|flags| flags.split(|&b| b == b',').any(|found| found == flag))
    };
    match (says(b"conv=", b"notrunc"), says(b"oflag=", b"append")) {
        (false, _) => Act::Truncate,
        (true, false) => Act::Overwrite,
        (true, true) => Act::Append,
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn dd_truncates_its_output() {
        check(&[
            ("dd of=a", "truncate 1+3"),
            ("dd if=/dev/zero of=/dev/sda", "truncate 2+3"),
            ("dd if=a of=b bs=1M count=10", "truncate 2+3"),
            ("dd of=/dev/null if=/dev/zero", "truncate 1+3"),
            ("dd of=a seek=5", "truncate 1+3"),
            ("dd of=a conv=fsync", "truncate 1+3"),
            ("dd of=a oflag=append", "truncate 1+3"),
            ("dd of=", "truncate 1+3"),
            ("dd -- of=a", "truncate 2+3"),
        ]);
    }

    #[test]
    fn dd_without_truncation_overwrites_or_appends() {
        check(&[
            ("dd of=a conv=notrunc", "overwrite 1+3"),
            ("dd conv=sync,notrunc of=a", "overwrite 2+3"),
            ("dd of=a conv=fsync conv=notrunc", "overwrite 1+3"),
            ("dd of=a conv=notrunc oflag=append", "append 1+3"),
            ("dd of=a conv=notrunc oflag=sync,append", "append 1+3"),
        ]);
    }

    #[test]
    fn dd_without_output_loses_nothing() {
        check(&[
            ("dd", ""),
            ("dd if=a bs=1 count=1", ""),
            ("dd if=of=b", ""),
            ("dd --help", ""),
        ]);
    }

    #[test]
    fn dd_takes_unknown_words_for_the_worst() {
        check(&[
            ("dd if=$X of=a", "truncate 2+3"),
            ("dd if=a of=$X", "truncate 2+3"),
            ("dd of=dir/$X", "truncate 1+3"),
            ("dd $X", "truncate word"),
            ("dd o$X", "truncate word"),
            ("dd bs=$X", ""),
            ("dd of=a conv=$X", "truncate 1+3"),
        ]);
    }
}
