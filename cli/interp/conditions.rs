//! `test`, `[` and `[[`: whether a condition holds, as far as that can be known. The disk may be another one by then, so
//! no question about files is answered.

use super::{
    Halt, Interpreter,
    expand::Tilde,
    state::{State, Status},
    value::{Field, Text},
};
use crate::shell::ast::{Dialect, Piece, Word};

/// What `test` and `[` say of their arguments.
pub(super) fn tested(arguments: &[Field], dialect: Dialect) -> Status {
    if arguments.len() > MOST_WORDS || arguments.iter().any(|field| field.many) {
        return Status::Unknown;
    }
    let mut words: Vec<&Text> = arguments.iter().map(|field| &field.text).collect();
    if words.last().and_then(|word| word.bytes()) == Some(b"]") {
        words.pop();
    }
    // Only bash has it.
    let doubles = words.iter().any(|word| word.bytes() == Some(b"=="));
    if doubles && dialect != Dialect::Bash {
        return Status::Unknown;
    }
    status(joined(&words))
}

/// Conditions of more words are not looked into.
const MOST_WORDS: usize = 64;
/// More parentheses than these are not looked into.
const DEEPEST: u32 = 32;

fn status(truth: Option<bool>) -> Status {
    match truth {
        Some(true) => Status::Zero,
        Some(false) => Status::NonZero,
        None => Status::Unknown,
    }
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    either(left.map(|left| !left), right.map(|right| !right)).map(|neither| !neither)
}

/// Conditions joined by `-o` and `-a`.
fn joined(words: &[&Text]) -> Option<bool> {
    if words.len() <= 4 {
        let simple = of_few(words);
        if simple.is_some() || words.len() < 3 {
            return simple;
        }
    }
    for (operator, join) in [
        (
            "-o",
            either as fn(Option<bool>, Option<bool>) -> Option<bool>,
        ),
        ("-a", both),
    ] {
        // At the ends it is an operand.
        let found = (1..words.len().saturating_sub(1))
            .find(|&at| words[at].bytes() == Some(operator.as_bytes()));
        if let Some(at) = found {
            return join(joined(&words[..at]), joined(&words[at + 1..]));
        }
    }
    None
}

/// Up to four words are told apart by their number.
fn of_few(words: &[&Text]) -> Option<bool> {
    match words {
        [] => Some(false),
        [text] => is_filled(text),
        [operator, text] => match operator.bytes()? {
            b"!" => is_filled(text).map(|truth| !truth),
            b"-n" => is_filled(text),
            b"-z" => is_filled(text).map(|truth| !truth),
            // What is no operator is an error, and that is no success: `[ $unset -lt 3 ]`.
            operator => is_binary(operator).then_some(false),
        },
        [left, operator, right] if operator.bytes().is_some_and(is_binary) => {
            let (left, right) = left.bytes().zip(right.bytes())?;
            match operator.bytes()? {
                b"=" | b"==" => Some(left == right),
                b"!=" => Some(left != right),
                operator => ordered(integer(left)?, operator, integer(right)?),
            }
        }
        [not, rest @ ..] if not.bytes() == Some(b"!") => of_few(rest).map(|truth| !truth),
        _ => None,
    }
}

/// Operators between two operands whose answer is in the words alone.
const BINARY: [&[u8]; 9] = [
    b"=", b"==", b"!=", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge",
];

fn is_binary(word: &[u8]) -> bool {
    BINARY.contains(&word)
}

fn is_filled(text: &Text) -> Option<bool> {
    if text.is_empty() {
        Some(false)
    } else {
        (!text.may_be_empty()).then_some(true)
    }
}

fn integer(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.trim().parse().ok()
}

fn ordered(left: i64, operator: &[u8], right: i64) -> Option<bool> {
    Some(match operator {
        b"-eq" => left == right,
        b"-ne" => left != right,
        b"-lt" => left < right,
        b"-le" => left <= right,
        b"-gt" => left > right,
        b"-ge" => left >= right,
        _ => return None,
    })
}

impl Interpreter<'_> {
    /// `[[ ... ]]`.
    pub(super) fn conditional(
        &mut self,
        words: &[Word],
        state: &mut State,
    ) -> Result<Status, Halt> {
        let mut operands = Vec::new();
        for word in words {
            operands.push(self.text(word, state, Tilde::AtStart)?);
        }
        let mut condition = Condition {
            words,
            operands: &operands,
            at: 0,
            depth: 0,
        };
        let truth = condition.either(self, state)?;
        let is_whole = condition.at == words.len();
        Ok(status(truth.filter(|_| is_whole)))
    }
}

/// The words between `[[` and `]]`, and how far they have been read.
struct Condition<'w> {
    words: &'w [Word],
    operands: &'w [Text],
    at: usize,
    /// Parentheses so far.
    depth: u32,
}

impl<'w> Condition<'w> {
    fn either(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        state: &mut State,
    ) -> Result<Option<bool>, Halt> {
        let mut truth = self.both(interpreter, state)?;
        while self.take(b"||") {
            truth = either(truth, self.both(interpreter, state)?);
        }
        Ok(truth)
    }

    fn both(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        state: &mut State,
    ) -> Result<Option<bool>, Halt> {
        let mut truth = self.one(interpreter, state)?;
        while self.take(b"&&") {
            truth = both(truth, self.one(interpreter, state)?);
        }
        Ok(truth)
    }

    fn one(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        state: &mut State,
    ) -> Result<Option<bool>, Halt> {
        let mut negated = false;
        while self.take(b"!") {
            negated = !negated;
        }
        let truth = if self.take(b"(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Ok(None);
            }
            let truth = self.either(interpreter, state)?;
            truth.filter(|_| self.take(b")"))
        } else {
            self.primary(interpreter, state)?
        };
        Ok(truth.map(|truth| truth != negated))
    }

    fn primary(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        state: &mut State,
    ) -> Result<Option<bool>, Halt> {
        let first = self.at;
        let Some(text) = self.operands.get(first) else {
            return Ok(None);
        };
        let operator = self.bare(first).filter(|word| word.starts_with(b"-"));
        if let (Some(operator), Some(operand)) = (operator, self.operands.get(first + 1))
            && self.binary(first + 1).is_none()
            && !self.ends(first + 1)
        {
            self.at += 2;
            return Ok(match operator {
                b"-n" => is_filled(operand),
                b"-z" => is_filled(operand).map(|truth| !truth),
                b"-v" | b"-R" => {
                    interpreter.named_again(operand, state)?;
                    None
                }
                _ => None,
            });
        }
        let Some(operator) = self.binary(first + 1) else {
            self.at += 1;
            return Ok(is_filled(text));
        };
        let Some(right) = self.operands.get(first + 2) else {
            self.at = self.words.len();
            return Ok(None);
        };
        self.at += 3;
        match operator {
            b"=" | b"==" | b"!=" => {
                let equal = self.matches(interpreter, first, state)?;
                Ok(equal.map(|equal| equal == (operator != b"!=")))
            }
            b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge" => {
                // Its operands are arithmetic: what they hold is evaluated again.
                let left = interpreter.evaluated(text, state)?;
                let right = interpreter.evaluated(right, state)?;
                let known = left.bytes().zip(right.bytes());
                Ok(known
                    .and_then(|(left, right)| ordered(integer(left)?, operator, integer(right)?)))
            }
            _ => Ok(None),
        }
    }

    /// Whether the word at `left` matches the pattern two words further on.
    fn matches(
        &self,
        interpreter: &mut Interpreter<'_>,
        left: usize,
        state: &mut State,
    ) -> Result<Option<bool>, Halt> {
        let Some(text) = self.operands[left].bytes() else {
            return Ok(None);
        };
        if state.options.odd {
            // Case may not count (`nocasematch`).
            return Ok(None);
        }
        let word = &self.words[left + 2];
        let is_literal = |piece: &Piece| matches!(piece, Piece::Literal { .. });
        if !word.pieces.iter().all(is_literal) {
            // What an expansion brings may be a pattern, or quoted.
            let right = self.operands[left + 2].bytes();
            let plain = right.filter(|right| !right.iter().any(|byte| b"*?[\\(".contains(byte)));
            return Ok(plain.map(|right| right == text));
        }
        let pattern = interpreter.pattern(&word.pieces, state)?;
        let is_bash = interpreter.dialect() == Dialect::Bash;
        Ok(pattern
            .filter(|pattern| {
                (is_bash || !pattern.bytes.contains(&b'('))
                    && (text.is_ascii() || !pattern.counts())
            })
            .map(|mut pattern| {
                // Here extended globs count whatever `shopt` says.
                pattern.extended = is_bash;
                pattern.as_ref().matches(text)
            }))
    }

    /// An unquoted word without expansions.
    fn bare(&self, at: usize) -> Option<&'w [u8]> {
        match self.words.get(at)?.pieces.as_slice() {
            [
                Piece::Literal {
                    bytes,
                    quoted: false,
                },
            ] => Some(bytes),
            _ => None,
        }
    }

    fn binary(&self, at: usize) -> Option<&'w [u8]> {
        const OPERATORS: [&[u8]; 15] = [
            b"=", b"==", b"!=", b"=~", b"<", b">", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge",
            b"-nt", b"-ot", b"-ef",
        ];
        self.bare(at).filter(|word| OPERATORS.contains(word))
    }

    /// Whether an expression ends before a word.
    fn ends(&self, at: usize) -> bool {
        matches!(self.bare(at), Some(b"&&" | b"||" | b")"))
    }

    fn take(&mut self, operator: &[u8]) -> bool {
        let found = self.bare(self.at) == Some(operator);
        self.at += usize::from(found);
        found
    }
}
