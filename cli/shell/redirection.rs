//! Redirections.

use super::{
    ast::{Dialect, DoubtKind, HereDocument, Redirection, RedirectionOperator as Op, Word},
    command::name_length,
    cursor::{Read, Reader},
    word::Stops,
};

/// Operators, the longer ones first.
const OPERATORS: &[(&[u8], Op)] = &[
    (b"<<<", Op::HereString),
    (b"<<-", Op::HereDocument),
    (b"<<", Op::HereDocument),
    (b"<&", Op::DuplicateIn),
    (b"<>", Op::ReadWrite),
    (b"<", Op::Read),
    (b">>", Op::Append),
    (b">&", Op::DuplicateOut),
    (b">|", Op::Clobber),
    (b">", Op::Write),
];

impl Reader<'_> {
    /// A redirection, if one stands here.
    pub(super) fn redirection(&mut self) -> Read<Option<Redirection>> {
        let start = self.at;
        if self.starts_with(b"&>") && self.dialect != Dialect::Sh {
            let append = self.starts_with(b"&>>");
            self.at += if append { 3 } else { 2 };
            self.doubt(start, DoubtKind::AmpersandRedirection);
            let operator = if append {
                Op::AppendBoth
            } else {
                Op::WriteBoth
            };
            return self.with_operand(start, None, operator).map(Some);
        }
        let descriptor = self.descriptor();
        let length = descriptor.as_ref().map_or(0, Vec::len);
        let braces = descriptor
            .as_ref()
            .is_some_and(|name| !name.first().is_some_and(u8::is_ascii_digit));
        self.at += if braces { length + 2 } else { length };
        self.continuations();
        let process = matches!(self.peek(), Some(b'<' | b'>'))
            && self.peek_at(1) == Some(b'(')
            && self.dialect != Dialect::Sh;
        let found = OPERATORS.iter().find(|(text, _)| self.starts_with(text));
        let Some((text, operator)) = found.filter(|_| !process) else {
            self.at = start;
            return Ok(None);
        };
        let operator = if *operator == Op::HereString && self.dialect == Dialect::Sh {
            Op::HereDocument
        } else {
            *operator
        };
        self.at += if *text == b"<<<" && operator == Op::HereDocument {
            2
        } else {
            text.len()
        };
        if operator == Op::Write && self.dialect == Dialect::Zsh && self.takes(b"!") {
            return self.with_operand(start, descriptor, Op::Clobber).map(Some);
        }
        if operator == Op::HereDocument {
            return self
                .here_document(start, descriptor, *text == b"<<-")
                .map(Some);
        }
        self.with_operand(start, descriptor, operator).map(Some)
    }

    /// `2` or `{name}` directly before an operator.
    fn descriptor(&self) -> Option<Vec<u8>> {
        let rest = self.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let operator = |at: usize| matches!(rest.get(at), Some(b'<' | b'>'));
        if digits > 0 {
            return operator(digits).then(|| rest[..digits].to_vec());
        }
        let name = name_length(rest.strip_prefix(b"{")?);
        let closes = name > 0 && rest.get(name + 1) == Some(&b'}') && operator(name + 2);
        (closes && self.dialect != Dialect::Sh).then(|| rest[1..=name].to_vec())
    }

    fn with_operand(
        &mut self,
        start: usize,
        descriptor: Option<Vec<u8>>,
        operator: Op,
    ) -> Read<Redirection> {
        self.blanks_in_line()?;
        let Some(operand) = self.word(Stops::Command)? else {
            return self.fail("a redirection has no target");
        };
        Ok(Redirection {
            descriptor,
            operator,
            operand,
            here_document: None,
            span: self.span(start),
        })
    }

    fn here_document(
        &mut self,
        start: usize,
        descriptor: Option<Vec<u8>>,
        strip: bool,
    ) -> Read<Redirection> {
        self.blanks_in_line()?;
        let delimiter_at = self.at;
        let Some(word) = self.word(Stops::Command)? else {
            return self.fail("a here-document has no delimiter");
        };
        let document = self.delimited(start, &word, delimiter_at, strip)?;
        Ok(Redirection {
            descriptor,
            operator: Op::HereDocument,
            operand: Word::default(),
            here_document: Some(document.unwrap_or_else(HereDocument::default)),
            span: self.span(start),
        })
    }

    /// Blanks without comments: `> #f` is no comment in some shells, but a target is missing in none.
    fn blanks_in_line(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                _ => return Ok(()),
            }
            self.pay()?;
        }
    }
}
