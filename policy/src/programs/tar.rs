//! tar: extracts over a directory, empties the archive it creates, and may remove what it stored.

use super::line::{Item, Line};
use super::options::{INFORMS, Options, options};
use super::remote::remote_path;
use super::{Directory, Effect, Piece, Sink, Spelled, Unknown, Word};
use crate::Act;

const TAR: Options = options! {
    short: "aAb:BcC:df:F:g:GhH:iI:jJkK:lL:mMnN:oOpPrRsST:tuUvV:wWX:xzZ",
    long: [
        ("append", b'r'),
        ("catenate", b'A'),
        ("concatenate", b'A'),
        ("create", b'c'),
        ("compare", b'd'),
        ("diff", b'd'),
        ("delete", DELETE),
        ("extract", b'x'),
        ("get", b'x'),
        ("list", b't'),
        ("test-label", b't'),
        ("update", b'u'),
        ("absolute-names", b'P'),
        ("absolute-paths", b'P'),
        ("add-file=", NAMES),
        ("checkpoint-action=", CHECKPOINT),
        ("directory=", b'C'),
        ("cd=", b'C'),
        ("file=", b'f'),
        ("files-from=", b'T'),
        ("force-local", LOCAL),
        ("incremental", b'G'),
        ("index-file=", INDEX),
        ("info-script=", b'F'),
        ("new-volume-script=", b'F'),
        ("keep-old-files", b'k'),
        ("skip-old-files", b'k'),
        ("listed-incremental=", b'g'),
        ("one-top-level?", TOP),
        ("recursive-unlink", UNLINK),
        ("remove-files", REMOVE),
        ("to-command=", COMMAND),
        ("to-stdout", b'O'),
        ("use-compress-program=", b'I'),
        ("add-archive=", OTHER),
        ("after-date=", OTHER),
        ("backup?", OTHER),
        ("blocking-factor=", OTHER),
        ("clamp-mtime", OTHER),
        ("exclude=", OTHER),
        ("exclude-from=", OTHER),
        ("exclude-ignore=", OTHER),
        ("exclude-ignore-recursive=", OTHER),
        ("exclude-tag=", OTHER),
        ("exclude-tag-all=", OTHER),
        ("exclude-tag-under=", OTHER),
        ("format=", OTHER),
        ("group=", OTHER),
        ("group-map=", OTHER),
        ("hole-detection=", OTHER),
        ("label=", OTHER),
        ("level=", OTHER),
        ("mode=", OTHER),
        ("mtime=", OTHER),
        ("newer=", OTHER),
        ("newer-mtime=", OTHER),
        ("owner=", OTHER),
        ("owner-map=", OTHER),
        ("pax-option=", OTHER),
        ("quote-chars=", OTHER),
        ("quoting-style=", OTHER),
        ("record-size=", OTHER),
        ("rmt-command=", OTHER),
        ("rsh-command=", OTHER),
        ("sort=", OTHER),
        ("sparse-version=", OTHER),
        ("starting-file=", OTHER),
        ("strip-components=", OTHER),
        ("suffix=", OTHER),
        ("tape-length=", OTHER),
        ("transform=", OTHER),
        ("volno-file=", OTHER),
        ("warning=", OTHER),
        ("xattrs-exclude=", OTHER),
        ("xattrs-include=", OTHER),
        ("xform=", OTHER),
    ],
    permute: true,
};

const OTHER: u8 = b'~';
const DELETE: u8 = 128;
const NAMES: u8 = 129;
const CHECKPOINT: u8 = 130;
const LOCAL: u8 = 131;
const INDEX: u8 = 132;
const TOP: u8 = 133;
const UNLINK: u8 = 134;
const REMOVE: u8 = 135;
const COMMAND: u8 = 136;

pub(super) fn tar(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let archiver = Archiver {
        argv,
        line: Line::from(argv, bundle_end(argv), TAR),
    };
    if archiver.has(INFORMS) {
        return;
    }
    let mode = archiver
        .items()
        .filter_map(|item| match item {
            Item::Option(code @ (b'A' | b'c' | b'r' | b't' | b'u' | b'x' | DELETE), _) => {
                Some(code)
            }
            _ => None,
        })
        .next();
    archiver.commands(sink);
    match mode {
        Some(b'x') => archiver.extract(sink),
        Some(b'c') => archiver.store(Act::Truncate, sink),
        Some(b'A' | b'r' | b'u') => archiver.store(Act::Append, sink),
        Some(DELETE) => archiver.store(Act::Overwrite, sink),
        None if archiver.line.may_hold_more() => sink(Effect::Unknown {
            act: Act::Select,
            why: Unknown::UnknownWord,
        }),
        _ => {}
    }
}

/// The letters of `tar xzf ARCHIVE`, whose arguments follow in order.
fn bundle<'a>(argv: &[Word<'a>]) -> &'a [u8] {
    match argv.get(1).and_then(|word| word.known()) {
        Some(word) if !word.starts_with(b"-") => word,
        _ => b"",
    }
}

fn bundle_end(argv: &[Word<'_>]) -> usize {
    match bundle(argv) {
        b"" => 1,
        letters => 2 + letters.iter().filter(|&&b| takes_argument(b)).count(),
    }
}

fn takes_argument(letter: u8) -> bool {
    b"bCfFgHIKLNTVX".contains(&letter)
}

struct Archiver<'a> {
    argv: &'a [Word<'a>],
    /// What follows the bundle.
    line: Line<'a>,
}

impl Archiver<'_> {
    fn items(&self) -> impl Iterator<Item = Item> {
        let count = self.argv.len();
        let mut next = 2;
        let bundled = bundle(self.argv).iter().map(move |&letter| {
            let mut value = None;
            if takes_argument(letter) {
                value = (next < count).then(|| Piece::from(next));
                next += 1;
            }
            Item::Option(letter, value)
        });
        bundled.chain(self.line.items())
    }

    fn has(&self, code: u8) -> bool {
        self.items()
            .any(|item| matches!(item, Item::Option(found, _) if found == code))
    }

    fn values(&self, code: u8) -> impl Iterator<Item = Piece> {
        self.items().filter_map(move |item| match item {
            Item::Option(found, value) if found == code => value,
            _ => None,
        })
    }

    fn commands(&self, sink: &mut Sink<'_>) {
        for item in self.items() {
            let text = match item {
                Item::Option(b'F' | b'I' | COMMAND, Some(text)) => text,
                Item::Option(CHECKPOINT, Some(action))
                    if self.line.prefix(action).starts_with(b"exec=") =>
                {
                    Piece {
                        from: action.from + b"exec=".len(),
                        ..action
                    }
                }
                _ => continue,
            };
            sink(Effect::Shell {
                text,
                directory: Directory::Current,
            });
        }
    }

    fn extract(&self, sink: &mut Sink<'_>) {
        if self.has(b'k') || self.has(b'O') || self.has(COMMAND) {
            return;
        }
        let directory = self
            .values(b'C')
            .fold(Directory::Current, |at, path| self.line.enter(at, path));
        // An incremental archive also says what to remove.
        let act = if self.has(b'g') || self.has(b'G') || self.has(UNLINK) {
            Act::Sweep
        } else {
            Act::Select
        };
        if self.has(b'P') {
            sink(Effect::Unknown {
                act,
                why: Unknown::Fed,
            });
        }
        let below = self
            .values(TOP)
            .last()
            .map(|piece| Spelled { piece, directory });
        let effect = match below {
            Some(path) => self.line.on(act, path),
            None => Effect::here(act, directory),
        };
        sink(effect.sure(false));
    }

    fn store(&self, act: Act, sink: &mut Sink<'_>) {
        let local = self.has(LOCAL);
        for archive in self.values(b'f') {
            let name = self.line.prefix(archive);
            if self.line.bytes(archive) != Some(b"-") && (local || remote_path(name).is_none()) {
                sink(self.line.on(act, archive));
            }
        }
        for written in self.values(b'g') {
            sink(self.line.on(Act::Overwrite, written).sure(false));
        }
        for written in self.values(INDEX) {
            sink(self.line.on(Act::Truncate, written));
        }
        if self.has(REMOVE) {
            self.remove(sink);
        }
    }

    /// `--remove-files`: every name counts from the `-C` before it.
    fn remove(&self, sink: &mut Sink<'_>) {
        let mut directory = Directory::Current;
        for item in self.items() {
            let piece = match item {
                Item::Option(b'C', Some(path)) => {
                    directory = self.line.enter(directory, path);
                    continue;
                }
                Item::Option(b'T', _) => {
                    sink(Effect::Unknown {
                        act: Act::RemoveTree,
                        why: Unknown::Fed,
                    });
                    continue;
                }
                Item::Option(NAMES, Some(path)) => path,
                Item::Operand(index) => index.into(),
                _ => continue,
            };
            sink(self.line.on(Act::RemoveTree, Spelled { piece, directory }));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn tar_extracts_over_a_directory() {
        check(&[
            ("tar xzf a.tgz", "select @. ?"),
            ("tar -xzf a.tgz", "select @. ?"),
            ("gtar -x -f a.tar", "select @. ?"),
            ("bsdtar xf a.tar", "select @. ?"),
            ("tar xzf a.tgz -C build", "select @4 ?"),
            ("tar -C build -xzf a.tgz", "select @2 ?"),
            ("tar xzfC a.tgz build", "select @3 ?"),
            ("tar xCf build a.tar", "select @2 ?"),
            ("tar -xzf a.tgz -Cbuild", "select @3+2 ?"),
            ("tar -xf a.tar --directory=build b", "select @3+12 ?"),
            (
                "tar --extract --file a.tar --directory build",
                "select @5 ?",
            ),
            ("tar --get --file=a.tar", "select @. ?"),
            ("tar -C a -C b -xf c", "select @? ?"),
            ("tar -C a -C /b -xf c", "select @4 ?"),
            ("tar xf a --overwrite", "select @. ?"),
            ("tar xf a --recursive-unlink -C d", "sweep @5 ?"),
            ("tar xf a -g /dev/null -C d", "sweep @6 ?"),
            ("tar xPf a", "select fed, select @. ?"),
            ("tar xf a --one-top-level=d -C e", "select 3+16@5 ?"),
            ("tar xf a --strip-components 1 -C d", "select @6 ?"),
        ]);
    }

    #[test]
    fn tar_that_keeps_or_lists_loses_nothing() {
        check(&[
            ("tar xkf a", ""),
            ("tar xf a --keep-old-files", ""),
            ("tar xf a --skip-old-files", ""),
            ("tar xOf a", ""),
            ("tar -xf a --to-stdout", ""),
            ("tar tf a", ""),
            ("tar -tvf a", ""),
            ("tar --list -f a", ""),
            ("tar df a", ""),
            ("tar", ""),
            ("tar --help", ""),
            ("tar c a", ""),
            ("tar cf - a", ""),
            ("tar czf - a -C b", ""),
            ("tar cf host:a b", ""),
        ]);
    }

    #[test]
    fn tar_empties_the_archive_it_creates() {
        check(&[
            ("tar cf a b", "truncate 2"),
            ("tar czf a.tgz b c", "truncate 2"),
            ("tar -czf a.tgz b", "truncate 2"),
            ("tar -cvf a b", "truncate 2"),
            ("tar -c -fa b", "truncate 2+2"),
            ("tar --create --file=a b", "truncate 2+7"),
            ("tar -C b -cf a .", "truncate 4"),
            ("tar cf ./a:b c", "truncate 2"),
            ("tar --force-local -cf a:b c", "truncate 3"),
            ("tar rf a b", "append 2"),
            ("tar --append -f a b", "append 3"),
            ("tar --delete -f a b", "overwrite 3"),
            ("tar cf a -g s b", "truncate 2, overwrite 4 ?"),
            ("tar cf a --index-file=i b", "truncate 2, truncate 3+13"),
        ]);
    }

    #[test]
    fn tar_removes_what_it_stored_if_told_so() {
        check(&[
            ("tar cf a --remove-files b c", "truncate 2, tree 4, tree 5"),
            ("tar --remove-files -cf a b", "truncate 3, tree 4"),
            ("tar cf a b --remove-files", "truncate 2, tree 3"),
            ("tar cf a --remove b", "truncate 2, tree 4"),
            (
                "tar cf a --remove-files -C d b -C /e c",
                "truncate 2, tree 6@5, tree 9@8",
            ),
            ("tar cf a --remove-files -T list", "truncate 2, tree fed"),
            ("tar xf a --remove-files b", "select @. ?"),
        ]);
    }

    #[test]
    fn tar_runs_commands() {
        check(&[
            ("tar xf a --to-command=rm·-rf·/", "shell 3+13 @."),
            ("tar xf a --to-command cat", "shell 4 @."),
            (
                "tar cf a --checkpoint-action=exec=sh·x b",
                "shell 3+25 @., truncate 2",
            ),
            ("tar cf a --checkpoint-action=dot b", "truncate 2"),
            ("tar -I zstd -cf a b", "shell 2 @., truncate 4"),
            ("tar xIf zstd a", "shell 2 @., select @. ?"),
        ]);
    }

    #[test]
    fn tar_reports_unknown_words() {
        check(&[
            ("tar $X a", "select word"),
            ("tar -$X a", "select word"),
            ("tar -t $X", ""),
            ("tar xf $X", "select @. ?"),
            ("tar xf a -C $X", "select @4 ?"),
            ("tar xf a -C dir/$X", "select @4 ?"),
            ("tar cf $X b", "truncate 2"),
            ("tar cf a --remove-files $X", "truncate 2, tree 4"),
        ]);
    }
}
