//! `getopt_long` over words that may be known only in part.

use super::options::{INFORMS, Options, Takes};
use super::{Directory, Effect, Follow, Piece, Sink, Spelled, Unknown, Word};
use crate::Act;

/// One thing that a command line says.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// An option by its code, with its argument. An option that lacks its argument has none.
    Option(u8, Option<Piece>),
    /// A word that begins with `-` and goes on with something unknown: any option.
    Doubt,
    /// An operand, or a word so little known that it may be one.
    Operand(usize),
}

/// An argv beside the table of its program's options.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) argv: &'a [Word<'a>],
    options: Options,
    first: usize,
}

impl<'a> Line<'a> {
    pub(super) const fn new(argv: &'a [Word<'a>], options: Options) -> Self {
        Self::from(argv, 1, options)
    }

    /// A line that begins at `argv[first]` (behind a sub-command).
    pub(super) const fn from(argv: &'a [Word<'a>], first: usize, options: Options) -> Self {
        Self {
            argv,
            options,
            first,
        }
    }

    pub(super) fn items(&self) -> Items<'a> {
        Items {
            line: *self,
            next: self.first,
            cluster: None,
            pending: None,
            ended: false,
        }
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.items().filter_map(|item| match item {
            Item::Operand(index) => Some(index),
            _ => None,
        })
    }

    /// The last of the options with one of these codes.
    pub(super) fn last(&self, codes: &[u8]) -> Option<(u8, Option<Piece>)> {
        self.items()
            .filter_map(|item| match item {
                Item::Option(code, value) if codes.contains(&code) => Some((code, value)),
                _ => None,
            })
            .last()
    }

    pub(super) fn has(&self, codes: &[u8]) -> bool {
        self.last(codes).is_some()
    }

    /// The argument of the last of these options.
    pub(super) fn value(&self, codes: &[u8]) -> Option<Piece> {
        self.last(codes)?.1
    }

    /// Whether the program only prints its help or its version. An operand before the option decides
    /// against: not every system looks for options behind operands.
    pub(super) fn only_informs(&self) -> bool {
        self.items()
            .take_while(|item| !matches!(item, Item::Operand(_)))
            .any(|item| matches!(item, Item::Option(INFORMS, _)))
    }

    /// Whether an option word is known only in part.
    pub(super) fn in_doubt(&self) -> bool {
        self.items().any(|item| matches!(item, Item::Doubt))
    }

    /// Whether any word could turn out to be an option (of a program that permutes).
    pub(super) fn may_hold_more(&self) -> bool {
        let mut items = self.items();
        while let Some(item) = items.next() {
            match item {
                Item::Doubt => return true,
                Item::Operand(index) if !items.ended && self.argv[index].may_be_option() => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// A certain `act` on a path of this line. A trailing slash follows a final link.
    pub(super) fn on(&self, act: Act, path: impl Into<Spelled>) -> Effect<'static> {
        let path = path.into();
        let slash = self
            .bytes(path.piece)
            .is_some_and(|bytes| bytes.ends_with(b"/"));
        Effect::on(act, path).following(if slash { Follow::Final } else { Follow::No })
    }

    /// A certain `act` on every operand, or the remark that there is none.
    pub(super) fn on_operands(&self, act: Act, sink: &mut Sink<'_>) {
        self.each_operand(act, sink, |index, sink| sink(self.on(act, index)));
    }

    /// Calls `each` for every operand, or remarks that there is none to do `act` to.
    pub(super) fn each_operand(
        &self,
        act: Act,
        sink: &mut Sink<'_>,
        mut each: impl FnMut(usize, &mut Sink<'_>),
    ) {
        let mut none = true;
        for index in self.operands() {
            none = false;
            each(index, sink);
        }
        if none {
            sink(Effect::Unknown {
                act,
                why: Unknown::NoOperands,
            });
        }
    }

    /// Remarks that there are too few operands to tell, if one may turn out to be several.
    pub(super) fn remark_several(&self, act: Act, sink: &mut Sink<'_>) {
        if self
            .operands()
            .any(|index| self.argv[index].may_be_several())
        {
            sink(Effect::Unknown {
                act,
                why: Unknown::UnknownWord,
            });
        }
    }

    /// The directory that `path` names seen from `directory` (each `-C` begins at the one before).
    pub(super) fn enter(&self, directory: Directory, path: Piece) -> Directory {
        match directory {
            _ if self.bytes(path) == Some(b"") => directory,
            Directory::Current => Directory::Word(path),
            _ if self.prefix(path).starts_with(b"/") => Directory::Word(path),
            _ => Directory::Unresolved,
        }
    }

    /// The bytes of a piece, if they are known.
    pub(super) fn bytes(&self, piece: Piece) -> Option<&'a [u8]> {
        self.argv[piece.index].known()?.get(piece.from..)
    }

    /// The bytes known at the beginning of a piece.
    pub(super) fn prefix(&self, piece: Piece) -> &'a [u8] {
        let prefix = self.argv[piece.index].prefix();
        &prefix[piece.from.min(prefix.len())..]
    }
}

/// What a command line says, in order.
pub(super) struct Items<'a> {
    line: Line<'a>,
    next: usize,
    /// The next letter of a word of short options.
    cluster: Option<Piece>,
    /// An operand to give before going on.
    pending: Option<usize>,
    /// After `--`, or after an operand if the program does not permute.
    ended: bool,
}

impl Items<'_> {
    fn argument(&mut self) -> Option<Piece> {
        let index = self.next;
        if index >= self.line.argv.len() {
            return None;
        }
        self.next += 1;
        Some(index.into())
    }

    /// A word like `-$X`, which may also hide operands if it can fall into several.
    fn doubt(&mut self, index: usize) -> Item {
        if self.line.argv[index].may_be_several() {
            self.pending = Some(index);
        }
        Item::Doubt
    }

    fn short(&mut self, at: Piece) -> Item {
        let word = self.line.argv[at.index];
        let prefix = word.prefix();
        let whole = word.known().is_some();
        let Some(&letter) = prefix.get(at.from) else {
            return self.doubt(at.index);
        };
        let rest = Piece {
            from: at.from + 1,
            ..at
        };
        let more = rest.from < prefix.len() || !whole;
        let (code, takes) = self.line.options.short(letter);
        match takes {
            Takes::Nothing => {
                self.cluster = more.then_some(rest);
                Item::Option(code, None)
            }
            Takes::Argument if !more => Item::Option(code, self.argument()),
            Takes::Argument | Takes::Joined => Item::Option(code, more.then_some(rest)),
        }
    }

    fn long(&mut self, index: usize) -> Item {
        let word = self.line.argv[index];
        let text = &word.prefix()[2..];
        let equals = text.iter().position(|&b| b == b'=');
        if equals.is_none() && word.known().is_none() {
            return self.doubt(index);
        }
        let (code, takes) = self
            .line
            .options
            .long(&text[..equals.unwrap_or(text.len())]);
        let joined = equals.map(|at| Piece {
            index,
            from: at + 3,
        });
        match (joined, takes) {
            (None, Takes::Argument) => Item::Option(code, self.argument()),
            _ => Item::Option(code, joined),
        }
    }
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(at) = self.cluster.take() {
            return Some(self.short(at));
        }
        if let Some(index) = self.pending.take() {
            return Some(Item::Operand(index));
        }
        let index = self.next;
        let word = self.line.argv.get(index)?;
        self.next += 1;
        let whole = word.known().is_some();
        Some(match word.prefix() {
            _ if self.ended => Item::Operand(index),
            b"--" if whole => {
                self.ended = true;
                return self.next();
            }
            [b'-', b'-', ..] => self.long(index),
            [b'-'] if whole => Item::Operand(index),
            [b'-', ..] => self.short(Piece { index, from: 1 }),
            _ => {
                self.ended = !self.line.options.permute();
                Item::Operand(index)
            }
        })
    }
}
