//! rsync and scp: write below a local target, and may remove what the source does not have, or the source.

use super::line::{Item, Line};
use super::options::{Options, options};
use super::remote::remote_path;
use super::{Effect, Follow, Piece, Sink, Spelled, Target, Word};
use crate::Act;

const ARGUMENT: u8 = b'~';
const DELETES: u8 = 128;
const EXCLUDES: u8 = 129;
const KEEPS: u8 = 130;
const LISTS: u8 = 131;
const REMOVES: u8 = 132;
const BATCH: u8 = 133;

const RSYNC: Options = options! {
    short: "0468aAbB:cCdDe:Ef:FgGhHiIJklLmM:nNoOpPqrRsStT:uUvVWxXyz@:",
    long: [
        ("archive", b'a'),
        ("recursive", b'r'),
        ("dirs", b'd'),
        ("dry-run", b'n'),
        ("list-only", LISTS),
        ("del", DELETES),
        ("delete", DELETES),
        ("delete-before", DELETES),
        ("delete-during", DELETES),
        ("delete-delay", DELETES),
        ("delete-after", DELETES),
        ("delete-excluded", DELETES),
        ("delete-missing-args", DELETES),
        ("remove-source-files", REMOVES),
        ("remove-sent-files", REMOVES),
        ("ignore-existing", KEEPS),
        ("cvs-exclude", EXCLUDES),
        ("exclude=", EXCLUDES),
        ("exclude-from=", EXCLUDES),
        ("filter=", EXCLUDES),
        ("write-batch=", BATCH),
        ("only-write-batch=", BATCH),
        ("address=", ARGUMENT),
        ("backup-dir=", ARGUMENT),
        ("block-size=", ARGUMENT),
        ("bwlimit=", ARGUMENT),
        ("cc=", ARGUMENT),
        ("checksum-choice=", ARGUMENT),
        ("checksum-seed=", ARGUMENT),
        ("chmod=", ARGUMENT),
        ("chown=", ARGUMENT),
        ("compare-dest=", ARGUMENT),
        ("compress-choice=", ARGUMENT),
        ("compress-level=", ARGUMENT),
        ("config=", ARGUMENT),
        ("contimeout=", ARGUMENT),
        ("copy-as=", ARGUMENT),
        ("copy-dest=", ARGUMENT),
        ("debug=", ARGUMENT),
        ("early-input=", ARGUMENT),
        ("files-from=", ARGUMENT),
        ("groupmap=", ARGUMENT),
        ("iconv=", ARGUMENT),
        ("include=", ARGUMENT),
        ("include-from=", ARGUMENT),
        ("info=", ARGUMENT),
        ("link-dest=", ARGUMENT),
        ("log-file=", ARGUMENT),
        ("log-file-format=", ARGUMENT),
        ("max-alloc=", ARGUMENT),
        ("max-delete=", ARGUMENT),
        ("max-size=", ARGUMENT),
        ("min-size=", ARGUMENT),
        ("modify-window=", ARGUMENT),
        ("out-format=", ARGUMENT),
        ("outbuf=", ARGUMENT),
        ("partial-dir=", ARGUMENT),
        ("password-file=", ARGUMENT),
        ("port=", ARGUMENT),
        ("protocol=", ARGUMENT),
        ("read-batch=", ARGUMENT),
        ("remote-option=", ARGUMENT),
        ("rsh=", ARGUMENT),
        ("rsync-path=", ARGUMENT),
        ("skip-compress=", ARGUMENT),
        ("sockopts=", ARGUMENT),
        ("stderr=", ARGUMENT),
        ("stop-after=", ARGUMENT),
        ("stop-at=", ARGUMENT),
        ("suffix=", ARGUMENT),
        ("temp-dir=", ARGUMENT),
        ("time-limit=", ARGUMENT),
        ("timeout=", ARGUMENT),
        ("usermap=", ARGUMENT),
        ("zc=", ARGUMENT),
        ("zl=", ARGUMENT),
    ],
    permute: true,
};

pub(super) fn rsync(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, RSYNC);
    if line.has(&[b'n', LISTS]) || line.only_informs() {
        return;
    }
    if let Some(path) = line.value(&[BATCH]) {
        sink(line.on(Act::Truncate, path));
    }
    let copy = Copy::new(line, line.has(b"ard") || line.in_doubt());
    let Some(target) = copy.target() else {
        line.remark_several(Act::Select, sink);
        return;
    };
    if line.has(&[REMOVES]) {
        copy.sources()
            .filter(|&source| copy.remote(source).is_none())
            .for_each(|source| sink(line.on(Act::Sweep, source)));
    }
    if copy.remote(target).is_some() {
        return;
    }
    if line.has(&[DELETES]) {
        copy.delete(target, sink);
    }
    if !line.has(&[KEEPS]) {
        copy.write(target, sink);
    }
}

const SCP: Options = options! {
    short: "346ABCc:D:F:i:J:l:Oo:P:pqrRS:TvX:",
    long: [],
    permute: true,
};

pub(super) fn scp(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, SCP);
    let copy = Copy::new(line, line.has(b"r"));
    if let Some(target) = copy
        .target()
        .filter(|&target| copy.remote(target).is_none())
    {
        copy.write(target, sink);
    }
}

struct Copy<'a> {
    line: Line<'a>,
    recursive: bool,
    sources: usize,
}

impl<'a> Copy<'a> {
    fn new(line: Line<'a>, recursive: bool) -> Self {
        Self {
            line,
            recursive,
            sources: line.operands().count().saturating_sub(1),
        }
    }

    /// The last of at least two operands: with one alone the programs list, or do nothing.
    fn target(&self) -> Option<usize> {
        self.line.operands().skip(1).last()
    }

    fn sources(&self) -> impl Iterator<Item = usize> + 'a {
        self.line.operands().take(self.sources)
    }

    /// Where the path begins, if the word names another machine.
    fn remote(&self, index: usize) -> Option<usize> {
        remote_path(self.line.argv[index].prefix())
    }

    /// What gives a source its name in the target.
    fn name(&self, index: usize) -> Piece {
        Piece {
            index,
            from: self.remote(index).unwrap_or(0),
        }
    }

    /// The contents of `source/` land in the target itself.
    fn contents(&self, source: usize) -> bool {
        self.line.argv[source]
            .known()
            .is_none_or(|word| word.ends_with(b"/") || word.ends_with(b":"))
    }

    /// Without an exclusion even `.git` is removed from the target.
    fn delete(&self, target: usize, sink: &mut Sink<'_>) {
        let line = self.line;
        let excludes = line
            .items()
            .any(|item| matches!(item, Item::Option(EXCLUDES | b'C' | b'f' | b'F', _)));
        let act = if excludes {
            Act::Sweep
        } else {
            Act::RemoveTree
        };
        for source in self.sources() {
            if self.contents(source) {
                sink(line.on(act, target).following(Follow::Final));
            } else {
                sink(self.into(act, source, target));
            }
        }
    }

    fn write(&self, target: usize, sink: &mut Sink<'_>) {
        for source in self.sources() {
            if self.recursive && self.contents(source) {
                sink(self.line.on(Act::Select, target).sure(false));
            } else {
                let act = if self.recursive {
                    Act::Select
                } else {
                    Act::Replace
                };
                sink(self.into(act, source, target).sure(!self.recursive));
            }
        }
    }

    fn into(&self, act: Act, source: usize, target: usize) -> Effect<'static> {
        Effect::Into {
            act,
            name: self.name(source),
            inside: Some(Spelled::from(target)),
            target: if self.sources > 1 {
                Target::Directory
            } else {
                Target::Either
            },
            certain: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn rsync_writes_below_a_local_target() {
        check(&[
            ("rsync -a src/ build/", "select 3 L ?"),
            ("rsync -a src build", "select 2>3 ?"),
            ("rsync -avz src/ build", "select 3 ?"),
            ("rsync -a a b c", "select 2>>4 ?, select 3>>4 ?"),
            ("rsync a b", "replace 1>2"),
            ("rsync -e ssh -a host:src/ build", "select 5 ?"),
            ("rsync -a host:src/x build", "select 2+5>3 ?"),
            ("rsync -a host: build", "select 3 ?"),
            ("rsync -a --exclude .git src/ build", "select 5 ?"),
            ("rsync --inplace a b", "replace 2>3"),
            ("rsync -a --write-batch=w a/ b", "truncate 2+14, select 4 ?"),
            ("rsync -a ./a:b c", "select 2>3 ?"),
        ]);
    }

    #[test]
    fn rsync_deletes_from_a_local_target() {
        check(&[
            ("rsync -a --delete src/ dest/", "tree 4 L, select 4 L ?"),
            ("rsync -a --delete src/ dest", "tree 4 L, select 4 ?"),
            ("rsync -a --delete src dest", "tree 3>4, select 3>4 ?"),
            ("rsync -a --del src/ dest", "tree 4 L, select 4 ?"),
            ("rsync -a --delete-after src/ d", "tree 4 L, select 4 ?"),
            ("rsync -a src/ d --delete-excluded", "tree 3 L, select 3 ?"),
            (
                "rsync -a --delete --exclude=.git src/ .",
                "sweep 5 L, select 5 ?",
            ),
            ("rsync -aC --delete src/ .", "sweep 4 L, select 4 ?"),
            ("rsync -a --delete host:src/ d", "tree 4 L, select 4 ?"),
            ("rsync -a --delete --ignore-existing src/ d", "tree 5 L"),
        ]);
    }

    #[test]
    fn rsync_removes_sources_if_told_so() {
        check(&[
            (
                "rsync -a --remove-source-files /d/ build/",
                "sweep 3 L, select 4 L ?",
            ),
            ("rsync --remove-source-files a b h:c", "sweep 2, sweep 3"),
            ("rsync -a --remove-source-files h:a b", "select 3+2>4 ?"),
        ]);
    }

    #[test]
    fn rsync_that_rehearses_lists_or_sends_loses_nothing() {
        check(&[
            ("rsync -an --delete src/ dest/", ""),
            ("rsync -avn --delete src/ dest/", ""),
            ("rsync -a --dry-run --delete src/ dest/", ""),
            ("rsync -a --list-only src/ dest/", ""),
            ("rsync -a --ignore-existing src/ dest", ""),
            ("rsync -a src/", ""),
            ("rsync -a src/ host:dest", ""),
            ("rsync -a --delete src/ me@host:dest", ""),
            ("rsync -a src/ host::module", ""),
            ("rsync -a src/ rsync://host/x", ""),
            ("rsync --help", ""),
            ("rsync", ""),
        ]);
    }

    #[test]
    fn rsync_reports_unknown_words() {
        check(&[
            ("rsync -a $X dest", "select 3 ?"),
            ("rsync -a --delete $X dest", "tree 4 L, select 4 ?"),
            ("rsync -a src/ $X", "select 3 ?"),
            ("rsync -a src/ host:$X", ""),
            ("rsync -$X a b", "select 2>3 ?"),
            ("rsync -a $@", "select word"),
        ]);
    }

    #[test]
    fn scp_writes_a_local_target() {
        check(&[
            ("scp host:a b", "replace 1+5>2"),
            ("scp -P 22 host:a .", "replace 3+5>4"),
            ("scp -r host:a b", "select 2+5>3 ?"),
            ("scp a host:b", ""),
            ("scp -r a me@host:", ""),
            ("scp a", ""),
        ]);
    }
}
