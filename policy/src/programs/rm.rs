//! rm, rmdir, unlink, the removers that wipe first (srm, wipe), and Node's rimraf.

use super::line::Line;
use super::options::{Options, options};
use super::pattern::{selects, split};
use super::{Directory, Effect, Follow, Sink, Word};
use crate::Act;

const RM: Options = options! {
    short: "dfiIrRvPWx",
    long: [
        ("force", b'f'),
        ("interactive?", b'i'),
        ("one-file-system", b'x'),
        ("no-preserve-root", b'p'),
        ("preserve-root?", b'p'),
        ("recursive", b'r'),
        ("dir", b'd'),
        ("verbose", b'v'),
    ],
    permute: true,
};

pub(super) fn rm(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    remove(Line::new(argv, RM), sink);
}

const SRM: Options = options! {
    short: "dfilmnrRsvxz",
    long: [
        ("recursive", b'r'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("simple", b's'),
        ("medium", b'm'),
        ("zero", b'z'),
        ("nounlink", b'n'),
        ("verbose", b'v'),
    ],
    permute: true,
};

pub(super) fn srm(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    remove(Line::new(argv, SRM), sink);
}

const WIPE: Options = options! {
    short: "ab:cDefFhikl:no:p:qQ:rR:sS:tT:vxX",
    long: [],
    permute: true,
};

pub(super) fn wipe(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    // `-R` names the source of random bytes here.
    let line = Line::new(argv, WIPE);
    let act = if line.has(b"r") || line.may_hold_more() {
        Act::RemoveTree
    } else {
        Act::Remove
    };
    line.on_operands(act, sink);
}

fn remove(line: Line<'_>, sink: &mut Sink<'_>) {
    if line.only_informs() {
        return;
    }
    let act = if line.has(b"rR") || line.may_hold_more() {
        Act::RemoveTree
    } else {
        Act::Remove
    };
    line.on_operands(act, sink);
}

const RIMRAF: Options = options! {
    short: "gGhiIvV",
    long: [
        ("backoff=", b'~'),
        ("impl=", b'~'),
        ("max-backoff=", b'~'),
        ("max-retries=", b'~'),
        ("retry-delay=", b'~'),
        ("tmp=", b'~'),
    ],
    permute: true,
};

/// rimraf expands patterns by itself: always in its older versions, with `-g` in the newer.
pub(super) fn rimraf(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, RIMRAF);
    if line.only_informs() || line.has(b"h") {
        return;
    }
    line.each_operand(Act::RemoveTree, sink, |index, sink| {
        sink(match argv[index].known().and_then(split) {
            Some((below, pattern)) => Effect::Here {
                act: if selects(pattern) {
                    Act::Select
                } else {
                    Act::RemoveTree
                },
                directory: Directory::Current,
                below,
                follow: Follow::No,
                certain: true,
            },
            None => line.on(Act::RemoveTree, index),
        });
    });
}

const RMDIR: Options = options! {
    short: "pv",
    long: [
        ("ignore-fail-on-non-empty", b'i'),
        ("parents", b'p'),
        ("path", b'p'),
        ("verbose", b'v'),
    ],
    permute: true,
};

pub(super) fn rmdir(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, RMDIR);
    if line.only_informs() {
        return;
    }
    line.on_operands(Act::Remove, sink);
    if line.has(b"p") || line.may_hold_more() {
        for index in line.operands() {
            sink(Effect::Parents {
                act: Act::Remove,
                path: index.into(),
            });
        }
    }
}

const UNLINK: Options = options! {
    short: "",
    long: [],
    permute: true,
};

pub(super) fn unlink(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, UNLINK);
    if !line.only_informs() {
        line.on_operands(Act::Remove, sink);
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn rm_removes_operands_and_trees_if_told_so() {
        check(&[
            ("rm a", "remove 1"),
            ("/bin/rm a", "remove 1"),
            ("grm -r a", "tree 2"),
            ("rm a b c", "remove 1, remove 2, remove 3"),
            ("rm -f a", "remove 2"),
            ("rm -d a", "remove 2"),
            ("rm -i a", "remove 2"),
            ("rm -r a", "tree 2"),
            ("rm -R a", "tree 2"),
            ("rm -rf a", "tree 2"),
            ("rm -fr a b", "tree 2, tree 3"),
            ("rm -vfR a", "tree 2"),
            ("rm -r -f a", "tree 3"),
            ("rm a -rf", "tree 1"),
            ("rm a -r b", "tree 1, tree 3"),
            ("rm --recursive a", "tree 2"),
            ("rm --recurs --force a", "tree 3"),
            ("rm --r a", "tree 2"),
            ("rm --no-preserve-root -rf /", "tree 3 L"),
            ("rm --no-preserve / -rf", "tree 2 L"),
            ("rm --preserve-root=all -rf a", "tree 3"),
            ("rm --interactive=never a", "remove 2"),
            ("rm --interactive never a", "remove 2, remove 3"),
            ("rm --one-file-system -rf a", "tree 3"),
            ("rm -- -weird", "remove 2"),
            ("rm -r -- -weird a", "tree 3, tree 4"),
            ("rm -- -rf a", "remove 2, remove 3"),
            ("rm -- a -- b", "remove 2, remove 3, remove 4"),
            ("rm -", "remove 1"),
            ("rm -rf ''", "tree 2"),
            ("rm -rf link/", "tree 2 L"),
            ("rm -rf link/*", "tree 2"),
            ("rm --unheard-of a", "remove 2"),
        ]);
    }

    #[test]
    fn rm_without_operands_says_so_and_help_does_nothing() {
        check(&[
            ("rm", "remove nothing"),
            ("rm -f", "remove nothing"),
            ("rm -rf", "tree nothing"),
            ("rm -weird", "tree nothing"),
            ("rm --force --recursive", "tree nothing"),
            ("rm -rf --", "tree nothing"),
            ("rm --help", ""),
            ("rm --version", ""),
            ("rm -rf --help a", ""),
            ("rm -rf a --help", "tree 2"),
            ("rm -- --help", "remove 2"),
        ]);
    }

    #[test]
    fn rm_takes_unknown_words_for_the_worst() {
        check(&[
            ("rm $X", "tree 1"),
            ("rm $@", "tree 1"),
            ("rm $X dir", "tree 1, tree 2"),
            ("rm dir $X", "tree 1, tree 2"),
            ("rm -- $X", "remove 2"),
            ("rm -f -- dir $X", "remove 3, remove 4"),
            ("rm ./$X", "remove 1"),
            ("rm dir/$X", "remove 1"),
            ("rm -$X dir", "tree 2"),
            ("rm -f$X dir", "tree 2"),
            ("rm -$@ dir", "tree 1, tree 2"),
            ("rm --$X dir", "tree 2"),
            ("rm --interactive=$X dir", "remove 2"),
            ("rm -rf $X/sub", "tree 2"),
        ]);
    }

    #[test]
    fn rmdir_removes_empty_directories_and_parents_with_p() {
        check(&[
            ("rmdir a", "remove 1"),
            ("rmdir a b", "remove 1, remove 2"),
            ("rmdir -v a", "remove 2"),
            ("rmdir -p a/b/c", "remove 2, remove parents 2"),
            ("rmdir --parents a/b", "remove 2, remove parents 2"),
            ("rmdir --par a/b", "remove 2, remove parents 2"),
            ("rmdir -vp a/b", "remove 2, remove parents 2"),
            ("rmdir a/b -p", "remove 1, remove parents 1"),
            ("rmdir --ignore-fail-on-non-empty a", "remove 2"),
            ("rmdir -- -p", "remove 2"),
            ("rmdir", "remove nothing"),
            ("rmdir --help", ""),
            ("rmdir $X", "remove 1, remove parents 1"),
        ]);
    }

    #[test]
    fn unlink_removes_one_name() {
        check(&[
            ("unlink a", "remove 1"),
            ("gunlink a", "remove 1"),
            ("unlink link-out", "remove 1"),
            ("unlink -- -a", "remove 2"),
            ("unlink $X", "remove 1"),
            ("unlink", "remove nothing"),
            ("unlink --version", ""),
        ]);
    }

    #[test]
    fn rimraf_removes_trees_and_expands_patterns() {
        check(&[
            ("rimraf a b", "tree 1, tree 2"),
            ("rimraf -v a", "tree 2"),
            ("rimraf --max-retries 3 a", "tree 3"),
            ("rimraf -g dist/*.js", "select @./dist/"),
            ("rimraf **/node_modules", "select @."),
            ("rimraf /home/dev/*", "tree @.//home/dev/"),
            ("rimraf *", "tree @."),
            ("rimraf $X", "tree 1"),
            ("rimraf", "tree nothing"),
            ("rimraf --help", ""),
        ]);
    }

    #[test]
    fn wiping_removers_are_read_like_rm() {
        check(&[
            ("srm a", "remove 1"),
            ("srm -rf a", "tree 2"),
            ("srm -R a", "tree 2"),
            ("wipe a", "remove 1"),
            ("wipe -rf a", "tree 2"),
            ("wipe -R /dev/urandom a", "remove 3"),
            ("wipe -rq -Q 3 a", "tree 4"),
            ("wipe", "remove nothing"),
        ]);
    }
}
