//! Words, strings and marks of code, read just well enough to find calls and their arguments.

use super::Language;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A string, or with `command` one that a shell runs.
    Text { parts: Vec<Part>, command: bool },
    /// A name; in Perl and PHP with its `$`.
    Name(Vec<u8>),
    /// A number.
    Number,
    /// Any other byte.
    Mark(u8),
    /// The end of a line.
    Line,
}

/// A stretch of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Known(Vec<u8>),
    /// An expression.
    Code(Vec<u8>),
}

pub(super) fn tokens(language: Language, code: &[u8]) -> Vec<Token> {
    let mut reader = Reader {
        language,
        code,
        at: 0,
        out: Vec::new(),
    };
    while reader.at < code.len() {
        reader.token();
    }
    reader.out
}

struct Reader<'a> {
    language: Language,
    code: &'a [u8],
    at: usize,
    out: Vec<Token>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.code.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn token(&mut self) {
        let byte = self.peek(0);
        match byte {
            b'\n' => {
                self.out.push(Token::Line);
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'#' if self.language != Language::Node => self.comment(),
            b'/' if matches!(self.language, Language::Node | Language::Php)
                && self.peek(1) == b'/' =>
            {
                self.comment();
            }
            b'/' if self.begins_pattern() => self.pattern(),
            b'\'' | b'"' => self.string(byte, false, false),
            b'`' => match self.language {
                Language::Node => self.string(byte, false, false),
                Language::Python => self.mark(),
                _ => self.string(byte, false, true),
            },
            b'$' if matches!(self.language, Language::Perl | Language::Php) => self.name(),
            b'@' if matches!(self.language, Language::Perl | Language::Ruby) => self.name(),
            _ if byte.is_ascii_digit() => {
                while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                    self.at += 1;
                }
                self.out.push(Token::Number);
            }
            _ if byte == b'_' || byte.is_ascii_alphabetic() || byte >= 0x80 => self.word(),
            _ => self.mark(),
        }
    }

    fn mark(&mut self) {
        self.out.push(Token::Mark(self.peek(0)));
        self.at += 1;
    }

    fn comment(&mut self) {
        while self.at < self.code.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// Whether a slash begins a pattern and is no division.
    fn begins_pattern(&self) -> bool {
        let after_mark = match self.out.last() {
            None | Some(Token::Line) => true,
            Some(Token::Mark(mark)) => b"(,=:[!&|?{};~".contains(mark),
            _ => false,
        };
        after_mark && self.language != Language::Python
    }

    fn pattern(&mut self) {
        self.at += 1;
        while self.at < self.code.len() && !matches!(self.peek(0), b'/' | b'\n') {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        self.out.push(Token::Text {
            parts: vec![Part::Code(Vec::new())],
            command: false,
        });
    }

    fn name(&mut self) {
        let start = self.at;
        self.at += 1;
        while self.peek(0) == b'_' || self.peek(0).is_ascii_alphanumeric() {
            self.at += 1;
        }
        self.out
            .push(Token::Name(self.code[start..self.at].to_vec()));
    }

    /// A name, or the letters before a string: `f"..."`, `qq{...}`.
    fn word(&mut self) {
        let start = self.at;
        while self.peek(0) == b'_' || self.peek(0).is_ascii_alphanumeric() || self.peek(0) >= 0x80 {
            self.at += 1;
        }
        let word = &self.code[start..self.at];
        let next = self.peek(0);
        match self.language {
            Language::Python if matches!(next, b'\'' | b'"') && word.len() <= 2 => {
                let has = |letter: u8| word.iter().any(|byte| byte.to_ascii_lowercase() == letter);
                self.python_string(next, has(b'r'), has(b'f'));
            }
            Language::Perl
                if matches!(word, b"q" | b"qq" | b"qx") && b"({[<|/!".contains(&next) =>
            {
                self.string(next, word == b"q", word == b"qx");
            }
            _ => self.out.push(Token::Name(word.to_vec())),
        }
    }

    fn python_string(&mut self, quote: u8, raw: bool, formatted: bool) {
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        let ends = |this: &Self| {
            this.peek(0) == quote && (!triple || this.peek(1) == quote && this.peek(2) == quote)
        };
        self.at += if triple { 3 } else { 1 };
        let mut parts = Parts::default();
        while self.at < self.code.len() && !ends(self) {
            match self.peek(0) {
                b'\\' if !raw => parts.escape(self),
                b'{' if formatted && self.peek(1) == b'{' => {
                    parts.push(b'{');
                    self.at += 2;
                }
                b'{' if formatted => {
                    let inner = self.bracketed(b'{', b'}');
                    let end = inner.iter().position(|byte| matches!(byte, b':' | b'!'));
                    parts.code(inner[..end.unwrap_or(inner.len())].to_vec());
                }
                byte => {
                    parts.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += if triple { 3 } else { 1 };
        self.finish(parts, false);
    }

    fn string(&mut self, open: u8, literal: bool, command: bool) {
        if self.language == Language::Python {
            return self.python_string(open, false, false);
        }
        let close = match open {
            b'(' => b')',
            b'{' => b'}',
            b'[' => b']',
            b'<' => b'>',
            other => other,
        };
        let literal = literal || open == b'\'' && self.language != Language::Node;
        self.at += 1;
        let mut parts = Parts::default();
        while self.at < self.code.len() && self.peek(0) != close {
            match (self.language, self.peek(0), self.peek(1)) {
                (_, b'\\', next) if literal => {
                    if next != close && next != b'\\' {
                        parts.push(b'\\');
                    }
                    parts.push(next);
                    self.at += 2;
                }
                (_, b'\\', _) => parts.escape(self),
                (Language::Node, b'$', b'{') if open == b'`' => {
                    self.at += 1;
                    let inner = self.bracketed(b'{', b'}').to_vec();
                    parts.code(inner);
                }
                (Language::Ruby, b'#', b'{') if !literal => {
                    self.at += 1;
                    let inner = self.bracketed(b'{', b'}').to_vec();
                    parts.code(inner);
                }
                (Language::Perl | Language::Php, b'$' | b'@', next)
                    if !literal && (next == b'{' || next == b'_' || next.is_ascii_alphabetic()) =>
                {
                    let code = self.interpolated();
                    parts.code(code);
                }
                (_, byte, _) => {
                    parts.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        self.finish(parts, command);
    }

    /// `$name`, `${name}` or `$name{key}` in a string.
    fn interpolated(&mut self) -> Vec<u8> {
        let start = self.at;
        self.at += 1;
        if self.peek(0) == b'{' {
            let inner = self.bracketed(b'{', b'}');
            return [b"$", inner].concat();
        }
        while self.peek(0) == b'_' || self.peek(0).is_ascii_alphanumeric() {
            self.at += 1;
        }
        if self.peek(0) == b'{' {
            self.bracketed(b'{', b'}');
        }
        self.code[start..self.at].to_vec()
    }

    /// What stands between a bracket, which is next, and the one that closes it.
    fn bracketed(&mut self, open: u8, close: u8) -> &[u8] {
        let start = self.at + 1;
        let mut depth = 0_u32;
        while self.at < self.code.len() {
            let byte = self.peek(0);
            self.at += 1;
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return &self.code[start..self.at - 1];
                }
            }
        }
        &self.code[start.min(self.code.len())..]
    }

    fn finish(&mut self, parts: Parts, command: bool) {
        self.out.push(Token::Text {
            parts: parts.parts,
            command,
        });
    }
}

#[derive(Default)]
struct Parts {
    parts: Vec<Part>,
}

impl Parts {
    fn push(&mut self, byte: u8) {
        match self.parts.last_mut() {
            Some(Part::Known(bytes)) => bytes.push(byte),
            _ => self.parts.push(Part::Known(vec![byte])),
        }
    }

    fn code(&mut self, code: Vec<u8>) {
        self.parts.push(Part::Code(code));
    }

    /// A backslash is next.
    fn escape(&mut self, reader: &mut Reader<'_>) {
        let next = reader.peek(1);
        let hex = || {
            let digits = reader.code.get(reader.at + 2..reader.at + 4)?;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
        };
        let (byte, length) = match next {
            b'n' => (Some(b'\n'), 2),
            b't' => (Some(b'\t'), 2),
            b'x' if hex().is_some() => (hex(), 4),
            // A line that goes on.
            b'\n' => (None, 2),
            // Other letters stand for bytes that no path is likely to hold.
            b'0'..=b'9' | b'u' | b'U' | b'N' => {
                self.code(Vec::new());
                (None, 2)
            }
            other => (Some(other), 2),
        };
        if let Some(byte) = byte {
            self.push(byte);
        }
        reader.at += length;
    }
}
