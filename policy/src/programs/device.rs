//! Programs that write over a device or an image: mkfs and its kin, mkswap, wipefs, blkdiscard.

use super::line::Line;
use super::options::{Options, options};
use super::{Sink, Word};
use crate::Act;

const MKE2FS: Options = options! {
    short: "b:cC:d:DE:e:f:Fg:G:hi:I:jJ:l:L:m:M:nN:o:O:qr:ST:t:U:vVz:",
    long: [],
    permute: true,
};

/// The tables of the other makers differ so much that arguments of options are taken for operands: a label
/// is no file that has anything to lose.
const MKFS: Options = options! {
    short: "",
    long: [],
    permute: true,
};

const WIPEFS: Options = options! {
    short: "abfhiJno:O:pqt:V",
    long: [
        ("all", b'a'),
        ("offset=", b'o'),
        ("no-act", b'n'),
        ("types=", b't'),
        ("output=", b'O'),
        ("force", b'f'),
        ("backup?", b'b'),
        ("lock?", b'l'),
    ],
    permute: true,
};

const BLKDISCARD: Options = options! {
    short: "fl:o:p:qsvzV",
    long: [
        ("offset=", b'o'),
        ("length=", b'l'),
        ("step=", b'p'),
        ("secure", b's'),
        ("zeroout", b'z'),
        ("force", b'f'),
    ],
    permute: true,
};

pub(super) fn mke2fs(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, MKE2FS);
    if !line.has(b"n") {
        overwrites(line, sink);
    }
}

pub(super) fn mkfs(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    overwrites(Line::new(argv, MKFS), sink);
}

pub(super) fn wipefs(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, WIPEFS);
    // Otherwise it lists.
    if (line.has(b"ao") || line.may_hold_more()) && !line.has(b"n") {
        overwrites(line, sink);
    }
}

pub(super) fn blkdiscard(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    overwrites(Line::new(argv, BLKDISCARD), sink);
}

fn overwrites(line: Line<'_>, sink: &mut Sink<'_>) {
    if line.only_informs() {
        return;
    }
    for index in line.operands() {
        sink(line.on(Act::Overwrite, index));
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn makers_of_file_systems_overwrite_the_device() {
        check(&[
            ("mkfs.ext4 /dev/sda1", "overwrite 1"),
            ("mkfs.ext4 -F -L data /dev/sda1", "overwrite 4"),
            ("mke2fs -t ext4 -m 0 a.img", "overwrite 5"),
            ("mkfs.ext4 -n /dev/sda1", ""),
            ("mkfs -t ext4 /dev/sda1", "overwrite 2, overwrite 3"),
            ("mkfs.xfs -f /dev/sda1", "overwrite 2"),
            ("mkfs.vfat -n NAME /dev/sda1", "overwrite 2, overwrite 3"),
            (
                "/sbin/mkfs.btrfs /dev/sda /dev/sdb",
                "overwrite 1, overwrite 2",
            ),
            ("mkswap /dev/sda2", "overwrite 1"),
            ("mkfs.ext4 $X", "overwrite 1"),
            ("mkfs --help", ""),
            ("mkfs", ""),
        ]);
    }

    #[test]
    fn wipefs_and_blkdiscard_overwrite_the_device() {
        check(&[
            ("wipefs -a /dev/sda", "overwrite 2"),
            ("wipefs -af /dev/sda", "overwrite 2"),
            ("wipefs --all /dev/sda", "overwrite 2"),
            ("wipefs -o 0x438 /dev/sda", "overwrite 3"),
            ("wipefs /dev/sda", ""),
            ("wipefs -an /dev/sda", ""),
            ("wipefs -a --no-act /dev/sda", ""),
            ("wipefs $X /dev/sda", "overwrite 1, overwrite 2"),
            ("blkdiscard /dev/sda", "overwrite 1"),
            ("blkdiscard -f -o 0 -l 1M /dev/sda", "overwrite 6"),
            ("blkdiscard --help", ""),
        ]);
    }
}
