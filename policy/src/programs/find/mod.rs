//! find: what `-delete` and `-exec` may reach below the start points, and files that it writes.

mod expression;
mod primary;
#[cfg(test)]
mod tests;

use core::ops::Range;

use super::pattern::selects;
use super::{Directory, Effect, Follow, Sink, Unknown, Word};
use crate::Act;
use expression::Narrowing;
use primary::Primary;

pub(super) fn find(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let (roots, mut follow) = roots(argv);
    let expression = roots.end..argv.len();
    let primaries = || {
        argv[expression.clone()]
            .iter()
            .filter_map(|word| Some(Primary::named(word.known()?)))
    };
    match primaries().next() {
        Some(Primary::Informs) if roots.is_empty() => return,
        _ => {}
    }
    if primaries().any(|found| matches!(found, Primary::Follow)) {
        follow = Follow::Below;
    }
    let search = Search {
        argv,
        roots,
        fed: primaries().any(|found| matches!(found, Primary::Feeds)),
        follow,
    };
    search.evaluate(expression, sink);
}

/// Where the start points stand, and which links `-H` and `-L` have it follow.
fn roots(argv: &[Word<'_>]) -> (Range<usize>, Follow) {
    let mut follow = Follow::No;
    let mut first = 1;
    while let Some(word) = argv.get(first).and_then(|word| word.known()) {
        match word {
            b"--" => {
                first += 1;
                break;
            }
            b"-D" => first += 1,
            [b'-', b'O', ..] => {}
            // Also the options of BSD, which may be joined.
            [b'-', letters @ ..]
                if !letters.is_empty() && letters.iter().all(|b| b"HLPEXdsx".contains(b)) =>
            {
                for letter in letters {
                    follow = match letter {
                        b'H' => Follow::Final,
                        b'L' => Follow::Below,
                        b'P' => Follow::No,
                        _ => follow,
                    };
                }
            }
            _ => break,
        }
        first += 1;
    }
    let first = first.min(argv.len());
    let end = argv[first..]
        .iter()
        .position(|word| begins_expression(word.prefix()))
        .map_or(argv.len(), |count| first + count);
    (first..end, follow)
}

fn begins_expression(word: &[u8]) -> bool {
    matches!(word, [b'-', _, ..] | b"(" | b")" | b"!" | b",")
}

struct Search<'a> {
    argv: &'a [Word<'a>],
    roots: Range<usize>,
    /// Whether the start points are read from a file.
    fed: bool,
    follow: Follow,
}

impl Search<'_> {
    fn evaluate(&self, expression: Range<usize>, sink: &mut Sink<'_>) {
        let mut narrowing = Narrowing::new();
        let mut at = expression.start;
        while at < expression.end {
            let word = &self.argv[at];
            at += 1;
            let Some(name) = word.known() else {
                if word.may_be_option() || word.prefix().starts_with(b"-") {
                    sink(Effect::Unknown {
                        act: Act::RemoveTree,
                        why: Unknown::UnknownWord,
                    });
                }
                continue;
            };
            match Primary::named(name) {
                Primary::Open => narrowing.open(),
                Primary::Close => narrowing.close(),
                Primary::Not => narrowing.negate(),
                Primary::Or => narrowing.or(),
                Primary::Comma => narrowing.comma(),
                Primary::And => {}
                Primary::Plain(arguments) => {
                    narrowing.term(false, false);
                    at += arguments;
                }
                Primary::Informs | Primary::Follow => narrowing.term(false, false),
                Primary::Feeds => at += 1,
                Primary::Matches => {
                    narrowing.term(self.selects(at), false);
                    at += 1;
                }
                Primary::Picks(arguments) => {
                    narrowing.term(true, false);
                    at += arguments;
                }
                Primary::Ages => {
                    narrowing.term(true, true);
                    at += 1;
                }
                Primary::Writes(arguments) => {
                    if at < self.argv.len() {
                        sink(Effect::on(Act::Truncate, at));
                    }
                    narrowing.term(false, false);
                    at += arguments;
                }
                Primary::Delete => {
                    self.delete(narrowing.narrowed(), sink);
                    narrowing.term(false, false);
                }
                Primary::Runs { in_directory } => {
                    let end = self.end_of_command(at);
                    self.run(at..end, narrowing.narrowed(), in_directory, sink);
                    // Whether the command succeeds says nothing about what a later action meets.
                    narrowing.term(false, false);
                    at = end + 1;
                }
            }
        }
    }

    /// Whether the pattern in this word picks something. Nobody writes an unknown one to match everything.
    fn selects(&self, at: usize) -> bool {
        self.argv
            .get(at)
            .is_some_and(|pattern| pattern.known().is_none_or(selects))
    }

    /// Without a test the directory goes with everything in it, `.git` and links included; the few that stay
    /// (`find .`, `-mindepth 1`, `! -name keep`) do not make it less.
    fn delete(&self, tested: bool, sink: &mut Sink<'_>) {
        let act = if tested { Act::Select } else { Act::RemoveTree };
        if self.fed {
            sink(Effect::Unknown {
                act,
                why: Unknown::Fed,
            });
        } else if self.roots.is_empty() {
            sink(Effect::here(act, Directory::Current).following(self.follow));
        }
        for root in self.roots.clone() {
            sink(Effect::on(act, root).following(self.links(root)));
        }
    }

    fn run(&self, command: Range<usize>, tested: bool, in_directory: bool, sink: &mut Sink<'_>) {
        let mut report = |root: Option<usize>| {
            sink(Effect::Runs {
                first: command.start,
                end: command.end,
                root: root.map(Into::into),
                tested,
                follow: root.map_or(self.follow, |root| self.links(root)),
                in_directory,
                appended: false,
            });
        };
        if self.roots.is_empty() && !self.fed {
            report(None);
        }
        self.roots.clone().for_each(|root| report(Some(root)));
        if self.fed {
            sink(Effect::Unknown {
                act: Act::RemoveTree,
                why: Unknown::Fed,
            });
        }
    }

    fn links(&self, root: usize) -> Follow {
        let slash = self.argv[root]
            .known()
            .is_some_and(|root| root.ends_with(b"/"));
        match self.follow {
            Follow::No if slash => Follow::Final,
            follow => follow,
        }
    }

    /// The position of `;`, or of `+` behind `{}`.
    fn end_of_command(&self, first: usize) -> usize {
        let known = |at: usize| self.argv.get(at).and_then(|word| word.known());
        (first..self.argv.len())
            .find(|&at| match known(at) {
                Some(b";") => true,
                Some(b"+") => at > first && known(at - 1) == Some(b"{}"),
                _ => false,
            })
            .unwrap_or(self.argv.len())
    }
}
