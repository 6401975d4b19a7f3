//! fd: runs a command for what it finds.

use super::line::{Item, Line};
use super::options::{Options, options};
use super::pattern::selects;
use super::{Directory, Effect, Follow, Piece, Sink, Spelled, Unknown, Word};
use crate::Act;

const BASE: u8 = 128;
const PATH: u8 = 129;
const TEST: u8 = 130;

const FD: Options = options! {
    short: "0ac:C:d:e:E:FgHhiIj:lLo:pqRS:st:uVx:X:1",
    long: [
        ("absolute-path", b'a'),
        ("and=", TEST),
        ("base-directory=", BASE),
        ("batch-size=", b'j'),
        ("changed-after=", TEST),
        ("changed-before=", TEST),
        ("changed-within=", TEST),
        ("change-newer-than=", TEST),
        ("change-older-than=", TEST),
        ("newer=", TEST),
        ("older=", TEST),
        ("color=", b'c'),
        ("exclude=", b'E'),
        ("exact-depth=", b'd'),
        ("exec=", b'x'),
        ("exec-batch=", b'X'),
        ("extension=", b'e'),
        ("fixed-strings", b'F'),
        ("follow", b'L'),
        ("format=", b'c'),
        ("glob", b'g'),
        ("ignore-file=", b'E'),
        ("max-depth=", b'd'),
        ("maxdepth=", b'd'),
        ("min-depth=", b'd'),
        ("max-results=", b'd'),
        ("owner=", b'o'),
        ("path-separator=", b'c'),
        ("search-path=", PATH),
        ("size=", b'S'),
        ("threads=", b'j'),
        ("type=", b't'),
    ],
    permute: true,
};

pub(super) fn fd(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    // The command takes all words up to `;`, so that the options end where the first one begins.
    let mut items = Line::new(argv, FD).items();
    let Some(command) = items.find_map(|item| match item {
        Item::Option(b'x' | b'X', command) => command,
        _ => None,
    }) else {
        return;
    };
    // `-xrm`: the command begins inside a word.
    if command.from > 0 {
        sink(Effect::Unknown {
            act: Act::RemoveTree,
            why: Unknown::UnknownWord,
        });
        return;
    }
    let first = command.index;
    let search = Search::new(argv, first);
    let mut begin = first;
    loop {
        let end = argv[begin..]
            .iter()
            .position(|word| word.known() == Some(b";"))
            .map_or(argv.len(), |count| begin + count);
        search.run(begin, end, sink);
        let rest = end.saturating_add(1).min(argv.len());
        let next = argv[rest..].iter().position(|word| {
            matches!(
                word.known(),
                Some(b"-x" | b"-X" | b"--exec" | b"--exec-batch")
            )
        });
        match next {
            Some(count) if rest + count + 1 < argv.len() => begin = rest + count + 1,
            _ => return,
        }
    }
}

struct Search<'a> {
    line: Line<'a>,
    directory: Directory,
    tested: bool,
    follow: Follow,
}

impl<'a> Search<'a> {
    /// The search that the words before `argv[end]` describe, the last of which is the option.
    fn new(argv: &'a [Word<'a>], end: usize) -> Self {
        let line = Line::new(&argv[..end], FD);
        let pattern = line
            .operands()
            .next()
            .is_some_and(|index| argv[index].known().is_none_or(selects));
        Self {
            line,
            directory: line
                .value(&[BASE])
                .map_or(Directory::Current, Directory::Word),
            tested: pattern || line.has(&[b'e', b'S', TEST]),
            follow: if line.has(b"L") {
                Follow::Below
            } else {
                Follow::No
            },
        }
    }

    fn run(&self, first: usize, end: usize, sink: &mut Sink<'_>) {
        let mut report = |root: Option<Spelled>| {
            sink(Effect::Runs {
                first,
                end,
                root,
                tested: self.tested,
                follow: self.follow,
                in_directory: false,
                appended: true,
            });
        };
        let spelled = |piece: Piece| Spelled {
            piece,
            directory: self.directory,
        };
        let mut none = true;
        let mut pattern = true;
        for item in self.line.items() {
            let root = match item {
                Item::Option(PATH, Some(path)) => path,
                // The first operand is the pattern.
                Item::Operand(index) if !core::mem::take(&mut pattern) => index.into(),
                _ => continue,
            };
            none = false;
            report(Some(spelled(root)));
        }
        if none {
            report(match self.directory {
                Directory::Word(base) => Some(base.into()),
                _ => None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn fd_runs_a_command_for_what_it_finds() {
        check(&[
            ("fd x -x rm", "runs 3..4 below . tested appended"),
            ("fdfind x -X rm -rf", "runs 3..5 below . tested appended"),
            ("fd . /d -X rm -rf", "runs 4..6 below 2 appended"),
            (
                "fd . a b -x rm {}",
                "runs 5..7 below 2 appended, runs 5..7 below 3 appended",
            ),
            ("fd -e o -x rm", "runs 4..5 below . tested appended"),
            ("fd -H -t f . a -x rm", "runs 7..8 below 5 appended"),
            ("fd x --exec rm", "runs 3..4 below . tested appended"),
            ("fd x --exec-batch rm", "runs 3..4 below . tested appended"),
            ("fd -L x -x rm", "runs 4..5 below . tested appended LL"),
            (
                "fd --search-path d x -x rm",
                "runs 5..6 below 2 tested appended",
            ),
            ("fd -x rm", "runs 2..3 below . appended"),
            (
                "fd x -x rm {} ; -x ls",
                "runs 3..5 below . tested appended, runs 7..8 below . tested appended",
            ),
            (
                "fd --base-directory d x a -x rm",
                "runs 6..7 below 4@2 tested appended",
            ),
            (
                "fd --base-directory d x -x rm",
                "runs 5..6 below 2 tested appended",
            ),
            ("fd x -xrm", "tree word"),
            ("fd $X d -x rm", "runs 4..5 below 2 tested appended"),
            ("fd . $X -x rm", "runs 4..5 below 2 appended"),
        ]);
    }

    #[test]
    fn fd_that_lists_loses_nothing() {
        check(&[("fd", ""), ("fd x", ""), ("fd . /d", ""), ("fd x -x", "")]);
    }
}
