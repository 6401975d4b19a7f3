//! The state of one reading, and its limits.

use std::collections::BTreeSet;
use std::mem;

use super::ast::{Dialect, Doubt, DoubtKind, HereDocument, List, Script, Span, SyntaxError};
use super::heredoc::{self, Pending};

/// Frames of the reader that may be open at once; about fifty nested `$(`.
const DEEPEST: u32 = 200;
/// Bytes of a string outside of here-documents.
const LONGEST: usize = 256 << 10;
/// Bytes of a string in all.
const LONGEST_IN_ALL: usize = 2 << 20;

/// Commands of a string. No script that somebody types has as many, and none with more is followed to its end.
const MOST_COMMANDS: u32 = 8_000;
/// Parameters of a string.
const MOST_PARAMETERS: u32 = 20_000;

/// Why a construct cannot be read.
#[derive(Debug)]
pub(super) struct Failure {
    at: usize,
    message: &'static str,
    limit: bool,
}

impl Failure {
    /// A limit was reached: no other reading is tried.
    pub(super) fn is_limit(&self) -> bool {
        self.limit
    }
}

pub(super) type Read<T> = Result<T, Failure>;

/// What the readers of a string, of its backticks and of its here-documents have in common.
pub(super) struct Shared {
    /// Bytes of the whole string.
    length: usize,
    depth: u32,
    commands: u32,
    parameters: u32,
    fuel: usize,
    pub(super) bodies: Vec<HereDocument>,
    body_bytes: usize,
    /// An extended pattern stands in an array of this line.
    pub(super) has_array_pattern: bool,
    doubts: Vec<Doubt>,
}

/// Where the bytes of a reader's source stand in the string.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// From this offset on.
    Offset(usize),
    /// Somewhere in this range: the text was unescaped.
    Within(Span),
}

/// Reads one text.
pub(super) struct Reader<'a> {
    pub(super) source: &'a [u8],
    pub(super) at: usize,
    pub(super) place: Place,
    pub(super) dialect: Dialect,
    /// Here-documents whose bodies begin after this line.
    pub(super) pending: Vec<Pending>,
    /// Inside `$(...)` and `<(...)`, where `)` may end a here-document's last line.
    pub(super) in_substitution: bool,
    /// Offsets where an attempt failed, so that none is made twice.
    failed_attempts: BTreeSet<usize>,
    pub(super) shared: &'a mut Shared,
}

struct Mark {
    at: usize,
    depth: u32,
    pending: Vec<Pending>,
    in_substitution: bool,
    bodies: usize,
    body_bytes: usize,
    doubts: usize,
}

/// Reads a whole string.
pub(super) fn script(source: &[u8], dialect: Dialect) -> Script {
    let refused = if source.len() > LONGEST_IN_ALL {
        Some((0, "the string is too long"))
    } else {
        source
            .iter()
            .position(|byte| *byte == 0)
            .map(|at| (at, "a NUL byte"))
    };
    if let Some((at, message)) = refused {
        let error = Some(SyntaxError {
            at,
            line_start: 0,
            message,
            is_limit: true,
        });
        return Script {
            error,
            ..Script::default()
        };
    }
    let mut shared = Shared {
        length: source.len(),
        depth: 0,
        commands: 0,
        parameters: 0,
        fuel: 16 * source.len() + 4_000,
        bodies: Vec::new(),
        body_bytes: 0,
        has_array_pattern: false,
        doubts: Vec::new(),
    };
    let mut reader = Reader::new(source, Place::Offset(0), dialect, &mut shared);
    let (list, error) = reader.lines();
    let mut script = Script {
        list,
        error: error.map(|(line_start, failure)| SyntaxError {
            at: failure.at,
            line_start,
            message: failure.message,
            is_limit: failure.limit,
        }),
        doubts: Vec::new(),
        body_bytes: shared.body_bytes,
    };
    script.doubts = mem::take(&mut shared.doubts);
    heredoc::put_back(&mut script, shared.bodies);
    script
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        source: &'a [u8],
        place: Place,
        dialect: Dialect,
        shared: &'a mut Shared,
    ) -> Self {
        let mut reader = Reader {
            source,
            at: 0,
            place,
            dialect,
            pending: Vec::new(),
            in_substitution: false,
            failed_attempts: BTreeSet::new(),
            shared,
        };
        reader.skip_continuations();
        reader
    }

    /// Every complete line, then what stopped the reading and where its line began.
    fn lines(&mut self) -> (List, Option<(usize, Failure)>) {
        let mut list = List::default();
        loop {
            let failure = match self.blank_lines() {
                Ok(()) if self.is_at_end() => {
                    return (
                        list,
                        self.here_documents()
                            .err()
                            .map(|failure| (self.at, failure)),
                    );
                }
                Ok(()) => {
                    let start = self.at;
                    let mut line = List::default();
                    match self.line(&mut line) {
                        Ok(()) => {
                            self.doubt_array_pattern(start);
                            list.items.append(&mut line.items);
                            continue;
                        }
                        Err(failure) => (start, failure),
                    }
                }
                Err(failure) => (self.at, failure),
            };
            return (list, Some(failure));
        }
    }

    /// Unless it reads extended patterns, bash finds an error in an array that holds one. It then goes on with the
    /// next line, whatever that was part of.
    fn doubt_array_pattern(&mut self, start: usize) {
        let line = self.source[start..self.at].trim_ascii_end();
        if mem::take(&mut self.shared.has_array_pattern) && line.contains(&b'\n') {
            self.doubt_to_end(DoubtKind::ArrayPattern, start);
        }
    }

    pub(super) fn fail<T>(&self, message: &'static str) -> Read<T> {
        Err(Failure {
            at: self.span_from(self.at).start,
            message,
            limit: false,
        })
    }

    fn exceed<T>(&self, message: &'static str) -> Read<T> {
        Err(Failure {
            at: self.span_from(self.at).start,
            message,
            limit: true,
        })
    }

    /// Pays for one step of linear work.
    pub(super) fn tick(&mut self) -> Read<()> {
        self.pay(1)
    }

    /// Pays for several steps at once.
    pub(super) fn pay(&mut self, steps: usize) -> Read<()> {
        let Some(left) = self.shared.fuel.checked_sub(steps) else {
            return self.exceed("the string takes too long to read");
        };
        self.shared.fuel = left;
        if matches!(self.place, Place::Offset(0))
            && self.at.saturating_sub(self.shared.body_bytes) > LONGEST
        {
            return self.exceed("the string is too long");
        }
        Ok(())
    }

    /// Counts a command that is read, also one that is read a second time in another way.
    pub(super) fn count_command(&mut self) -> Read<()> {
        self.shared.commands += 1;
        if self.shared.commands > MOST_COMMANDS {
            return self.exceed("too many commands");
        }
        Ok(())
    }

    /// Counts a parameter that is read.
    pub(super) fn count_parameter(&mut self) -> Read<()> {
        self.shared.parameters += 1;
        if self.shared.parameters > MOST_PARAMETERS {
            return self.exceed("too many parameters");
        }
        Ok(())
    }

    /// Counts the bytes of a here-document's body, for which a string may be longer.
    pub(super) fn count_body(&mut self, bytes: usize) {
        if matches!(self.place, Place::Offset(0)) {
            self.shared.body_bytes += bytes;
        }
    }

    /// Does `read` one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.shared.depth >= DEEPEST {
            return self.exceed("nested too deeply");
        }
        self.tick()?;
        self.shared.depth += 1;
        let outcome = read(self);
        self.shared.depth -= 1;
        outcome
    }

    /// Does `read`; what it does not make sense of (`None` or a failure) is undone. An attempt that failed once at
    /// this place is not made again.
    pub(super) fn attempt<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Read<Option<T>>,
    ) -> Read<Option<T>> {
        let start = self.at;
        if self.failed_attempts.contains(&start) {
            return Ok(None);
        }
        self.pay(1 + self.pending.len())?;
        let mark = Mark {
            at: start,
            depth: self.shared.depth,
            pending: self.pending.clone(),
            in_substitution: self.in_substitution,
            bodies: self.shared.bodies.len(),
            body_bytes: self.shared.body_bytes,
            doubts: self.shared.doubts.len(),
        };
        match read(self) {
            Ok(Some(made)) => return Ok(Some(made)),
            Err(failure) if failure.is_limit() => return Err(failure),
            Ok(None) | Err(_) => {}
        }
        self.failed_attempts.insert(start);
        self.at = mark.at;
        self.shared.depth = mark.depth;
        self.pending = mark.pending;
        self.in_substitution = mark.in_substitution;
        self.shared.bodies.truncate(mark.bodies);
        self.shared.body_bytes = mark.body_bytes;
        self.shared.doubts.truncate(mark.doubts);
        Ok(None)
    }

    /// Notes a doubt about what stands between `start` and here.
    pub(super) fn doubt(&mut self, kind: DoubtKind, start: usize) {
        let span = self.span_from(start);
        self.shared.doubts.push(Doubt { span, kind });
    }

    /// Notes a doubt after which shells may not agree on anything.
    pub(super) fn doubt_to_end(&mut self, kind: DoubtKind, start: usize) {
        let start = self.span_from(start).start;
        let end = self.shared.length;
        self.shared.doubts.push(Doubt {
            span: Span { start, end },
            kind,
        });
    }

    /// Notes a doubt about text that another shell reads as a command: a comment or a here-document in it would go
    /// on after it.
    pub(super) fn doubt_of_text(&mut self, kind: DoubtKind, start: usize) {
        let text = &self.source[start..self.at];
        if text.contains(&b'#') || text.windows(2).any(|pair| pair == b"<<") {
            self.doubt_to_end(kind, start);
        } else {
            self.doubt(kind, start);
        }
    }

    /// Reads for one of several shells that are not bash.
    pub(super) fn is_foreign(&self) -> bool {
        self.dialect != Dialect::Bash
    }

    /// Reads what dash may run.
    pub(super) fn may_be_sh(&self) -> bool {
        matches!(self.dialect, Dialect::Sh | Dialect::Unknown)
    }

    /// Reads what zsh may run.
    pub(super) fn may_be_zsh(&self) -> bool {
        matches!(self.dialect, Dialect::Zsh | Dialect::Unknown)
    }
}
