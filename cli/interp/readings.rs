//! What another shell than the one assumed would make of the same string.
//!
//! The reader reads as bash does where it can, and says where dash, which is `sh` on many machines, would run
//! something else. There the string is rewritten so that it says to the reader what it says to dash.

use std::{collections::BTreeMap, rc::Rc};

use crate::shell::{
    ast::{
        Command, CommandKind, Dialect, Doubt, DoubtKind, List, Piece, RedirectionOperator, Script,
        Word,
    },
    read,
    tail::holds_destructive_word,
    walk::for_each_command,
};

use super::{Halt, Interpreter, State};

/// The same string, otherwise.
struct Reading {
    source: Rc<[u8]>,
    dialect: Dialect,
    list: List,
    /// It goes on where the reader does not.
    is_cut: bool,
}

impl Interpreter<'_> {
    /// Judges what other shells, that the dialect does not exclude, would run.
    pub(super) fn other_readings(&mut self, script: &Script, state: &State) -> Result<(), Halt> {
        // Reading a long string once more takes long, most of it outside here-documents.
        let text = self.source.len().saturating_sub(script.body_bytes);
        self.pay(text / 8 + script.body_bytes / 128)?;
        for reading in readings(&self.source, self.dialect, &script.doubts) {
            if reading.is_cut && holds_destructive_word(&reading.source) {
                let message = "another shell may run what is nested too deeply to be followed";
                self.court.unreadable(&reading.source, "ambiguous", message);
            }
            let outermost = self.outermost.clone();
            if self.is_outermost() && reading.source.len() == self.source.len() {
                // Every place in it is the same place.
                self.outermost = Some(reading.source.clone());
            }
            let source = std::mem::replace(&mut self.source, reading.source);
            let dialect = std::mem::replace(&mut self.dialect, reading.dialect);
            let result = self.fork(state.clone(), |this, state| this.list(&reading.list, state));
            self.source = source;
            self.outermost = outermost;
            self.dialect = dialect;
            match result {
                Ok(_) | Err(Halt::Exit) => {}
                Err(Halt::Spent) => return Err(Halt::Spent),
            }
        }
        Ok(())
    }
}

fn readings(source: &[u8], dialect: Dialect, doubts: &[Doubt]) -> Vec<Reading> {
    let has = |kind: DoubtKind| doubts.iter().any(|doubt| doubt.kind == kind);
    let quotes = has(DoubtKind::EscapedQuote) || has(DoubtKind::QuoteInQuotedParameter);
    let reading = |source: &[u8], dialect| {
        let script = read(source, dialect);
        Reading {
            // What it does not read, it does not run either.
            list: script.list,
            is_cut: script.error.is_some_and(|error| error.is_limit),
            source: source.into(),
            dialect,
        }
    };
    let mut out = Vec::new();
    if matches!(dialect, Dialect::Sh | Dialect::Unknown) {
        let rewritten = as_dash(source, doubts);
        if rewritten != source || (quotes && dialect == Dialect::Unknown) {
            out.push(reading(&rewritten, Dialect::Sh));
        }
    }
    if dialect == Dialect::Sh && quotes {
        out.push(reading(source, Dialect::Bash));
    }
    let expands = expands_otherwise(source);
    // `sh` may be bash.
    if dialect == Dialect::Sh && !quotes && expands && differs_in_bash(source) {
        out.push(reading(source, Dialect::Bash));
    }
    if dialect == Dialect::Unknown && (quotes || has(DoubtKind::ClobberRedirection) || expands) {
        out.push(reading(source, Dialect::Zsh));
    }
    if dialect == Dialect::Unknown && expands && out.iter().all(|one| one.dialect != Dialect::Sh) {
        out.push(reading(source, Dialect::Sh));
    }
    out
}

/// Whether shells may make other words of a string, or run other parts of it in the shell itself, and it matters.
pub(super) fn expands_otherwise(source: &[u8]) -> bool {
    differs(source) && holds_destructive_word(source)
}

/// Whether bash by the name of `sh` may make other words of a string than dash: braces, tildes, globs of dots.
fn differs_in_bash(source: &[u8]) -> bool {
    source.iter().any(|byte| matches!(byte, b'{' | b'~'))
        || source.windows(2).any(|pair| pair == b".*")
}

/// Whether there is anything in a string that shells differ on: splitting, braces, tildes, globs that are theirs alone,
/// what the last part of a pipeline changes, names of builtins.
fn differs(source: &[u8]) -> bool {
    let mut before = b' ';
    for (at, &byte) in source.iter().enumerate() {
        let next = source.get(at + 1).copied().unwrap_or(b' ');
        let differs = match byte {
            b'$' | b'`' | b'~' | b'[' | b'<' | b'{' => {
                !(byte == b'{' && next.is_ascii_whitespace())
            }
            b'|' => next != b'|' && before != b'|' && before != b'>',
            b'>' => matches!(next, b'!' | b'(') || next == b'&' && !is_descriptor(source, at + 2),
            b'&' => next == b'>',
            b'(' => !(before.is_ascii_whitespace() || b"(&|;".contains(&before)),
            // `.*` is more in dash, `**/` in zsh.
            b'*' => next == b'*' || before == b'.',
            _ => false,
        };
        if differs {
            return true;
        }
        before = byte;
    }
    let mut words = source.split(|byte| byte.is_ascii_whitespace() || b";&|()".contains(byte));
    words.any(|word| OTHERWISE.contains(&word))
}

/// Whether a number stands here, as in `2>&1`.
fn is_descriptor(source: &[u8], at: usize) -> bool {
    source
        .get(at)
        .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
}

/// Words that are not the same to every shell: builtins that only some have, options of other names, `cd -`.
const OTHERWISE: &[&[u8]] = &[
    b"-",
    b"set",
    b"setopt",
    b"unsetopt",
    b"shopt",
    b"emulate",
    b"pushd",
    b"popd",
    b"alias",
    b"declare",
    b"typeset",
    b"integer",
    b"float",
    b"let",
    b"source",
    b"mapfile",
    b"readarray",
    b"printf",
    b"read",
    b"noglob",
    b"function",
    b"repeat",
    b"foreach",
    b"coproc",
    b"select",
    b"time",
];

/// Where dash would see two subshells or a plain command instead, and the byte that makes the reader see them too.
fn edit(kind: DoubtKind) -> Option<(&'static [u8], usize, u8)> {
    match kind {
        DoubtKind::ArithmeticCommand => Some((b"((", 1, b' ')),
        DoubtKind::ConditionalCommand => Some((b"[[", 0, b'\\')),
        DoubtKind::TimeKeyword => Some((b"time", 0, b'\\')),
        _ => None,
    }
}

/// The string with such bytes, where that makes it run something that counts; behind `time`, what runs depends on
/// all that stands around it.
fn as_dash(source: &[u8], doubts: &[Doubt]) -> Vec<u8> {
    let mut edits = BTreeMap::new();
    for doubt in doubts {
        let text = text_of(source, doubt);
        if let Some((sign, at, byte)) = edit(doubt.kind)
            && text.starts_with(sign)
        {
            let places = match doubt.kind {
                DoubtKind::ArithmeticCommand => between_parentheses(text),
                _ => vec![at],
            };
            if doubt.kind == DoubtKind::TimeKeyword || destroys(&with_bytes(text, &places, byte)) {
                edits.extend(places.into_iter().map(|at| (doubt.span.start + at, byte)));
            }
        }
    }
    let mut out = Vec::with_capacity(source.len() + edits.len());
    for (at, byte) in source.iter().enumerate() {
        out.extend(edits.get(&at));
        out.push(*byte);
    }
    out
}

/// What a doubt is about; in backticks, all that stands in them.
pub(super) fn text_of<'a>(source: &'a [u8], doubt: &Doubt) -> &'a [u8] {
    source
        .get(doubt.span.start..doubt.span.end)
        .unwrap_or_default()
}

/// Whether dash would run something that counts in a text that cannot be rewritten, because it was unescaped before
/// it was read.
pub(super) fn hides_command(text: &[u8], kind: DoubtKind) -> bool {
    let Some((sign, at, byte)) = edit(kind).filter(|(sign, ..)| !text.starts_with(sign)) else {
        return false;
    };
    let places = match kind {
        DoubtKind::ArithmeticCommand => between_parentheses(text),
        _ => (0..text.len())
            .filter(|start| text[*start..].starts_with(sign))
            .map(|start| start + at)
            .collect(),
    };
    destroys(&with_bytes(text, &places, byte))
}

/// Whether one of zsh's glob qualifiers in a word selects by running something: `e:code:` or `+command`.
pub(super) fn qualifies_by_code(word: &[u8]) -> bool {
    word.windows(2)
        .skip_while(|pair| pair[0] != b'(')
        .any(|pair| match pair {
            [b'+', _] => true,
            [b'e', mark] => mark.is_ascii_punctuation() && *mark != b')',
            _ => false,
        })
}

/// Between all parentheses that open one after the other, but for those of `$((`: to dash each is a subshell.
fn between_parentheses(text: &[u8]) -> Vec<usize> {
    (1..text.len())
        .filter(|at| text[at - 1..].starts_with(b"((") && !text[..at - 1].ends_with(b"$"))
        .collect()
}

/// The text with `byte` before each of these places, which are in order.
fn with_bytes(text: &[u8], places: &[usize], byte: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + places.len());
    let mut rest = 0;
    for &place in places {
        out.extend_from_slice(&text[rest..place]);
        out.push(byte);
        rest = place;
    }
    out.extend_from_slice(&text[rest..]);
    out
}

/// Whether a text holds, as commands of `sh`, one that may destroy, or empties a file that no comparison of
/// numbers would name.
fn destroys(text: &[u8]) -> bool {
    let script = read(text, Dialect::Sh);
    if script.error.as_ref().is_some_and(|error| error.is_limit) {
        return holds_destructive_word(text);
    }
    let mut found = false;
    for_each_command(&script, &mut |command: &Command| {
        let names_program = match &command.kind {
            CommandKind::Simple { words, .. } => words
                .first()
                .and_then(literal)
                .is_some_and(|name| holds_destructive_word(&name)),
            _ => false,
        };
        let empties = command.redirections.iter().any(|redirection| {
            matches!(
                redirection.operator,
                RedirectionOperator::Write | RedirectionOperator::Clobber
            ) && literal(&redirection.operand)
                .is_some_and(|name| name.iter().any(|byte| matches!(byte, b'/' | b'~')))
        });
        found |= names_program || empties;
    });
    found
}

fn literal(word: &Word) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Literal { bytes, .. } => out.extend_from_slice(bytes),
            _ => return None,
        }
    }
    Some(out)
}
