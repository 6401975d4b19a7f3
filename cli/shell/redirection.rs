//! Redirections.

use super::ast::RedirectionOperator as Operator;
use super::ast::{Dialect, DoubtKind, Redirection, Word};
use super::cursor::{begins_name, in_name};
use super::reader::{Read, Reader};

/// Longest first.
const OPERATORS: [(&[u8], Operator); 11] = [
    (b"<<<", Operator::HereString),
    (b"&>>", Operator::AppendBoth),
    (b"<<", Operator::HereDocument),
    (b"<&", Operator::DuplicateIn),
    (b"<>", Operator::ReadWrite),
    (b">>", Operator::Append),
    (b">&", Operator::DuplicateOut),
    (b">|", Operator::Clobber),
    (b"&>", Operator::WriteBoth),
    (b"<", Operator::Read),
    (b">", Operator::Write),
];

impl Reader<'_> {
    /// A redirection, if one begins here.
    pub(super) fn redirection(&mut self) -> Read<Option<Redirection>> {
        let start = self.at;
        let Some((descriptor, operator, length)) = self.redirection_head() else {
            return Ok(None);
        };
        self.advance(length);
        let (operator, clobbers) = self.clobbering(operator);
        let both = matches!(operator, Operator::WriteBoth | Operator::AppendBoth);
        let strips = operator == Operator::HereDocument && self.take(b"-");
        self.at = self.after_blanks(self.at);
        if self.is_between_words() {
            return self.fail("a redirection without an operand");
        }
        let (operand, here_document) = if operator == Operator::HereDocument {
            let (marker, here_document) = self.here_document(strips)?;
            (marker, Some(here_document))
        } else {
            (self.word()?, None)
        };
        if self.dialect == Dialect::Unknown && both {
            self.doubt(DoubtKind::AmpersandRedirection, start);
        }
        if self.dialect == Dialect::Unknown && clobbers {
            self.doubt(DoubtKind::ClobberRedirection, start);
        }
        Ok(Some(Redirection {
            descriptor,
            operator,
            operand,
            here_document,
            span: self.span_from(start),
        }))
    }

    /// The descriptor, the operator and the length of both.
    fn redirection_head(&self) -> Option<(Option<Vec<u8>>, Operator, usize)> {
        let mut at = self.at;
        let mut length = 0;
        let mut descriptor = Vec::new();
        let is_named = self.peek() == b'{' && begins_name(self.peek_at(1));
        if is_named {
            at = self.ahead(at, 1);
            length += 1;
        }
        while let Some(byte) = self.source.get(at)
            && (byte.is_ascii_digit() || is_named && in_name(*byte))
        {
            descriptor.push(*byte);
            at = self.ahead(at, 1);
        }
        length += descriptor.len();
        if is_named {
            if self.source.get(at) != Some(&b'}') {
                return None;
            }
            at = self.ahead(at, 1);
            length += 1;
        }
        if descriptor.is_empty() && self.begins_process() || self.numeric_range(at).is_some() {
            return None;
        }
        let (text, operator) = OPERATORS
            .into_iter()
            .find(|(text, _)| self.stands_at(at, text))?;
        let both = text[0] == b'&';
        if both && (!descriptor.is_empty() || self.dialect == Dialect::Sh) {
            return None;
        }
        let descriptor = (!descriptor.is_empty()).then_some(descriptor);
        Some((descriptor, operator, length + text.len()))
    }

    /// zsh's `!` and `|` after an operator that writes: taken in zsh, and whether they stand here.
    fn clobbering(&mut self, operator: Operator) -> (Operator, bool) {
        let writes = matches!(
            operator,
            Operator::Write
                | Operator::Append
                | Operator::DuplicateOut
                | Operator::WriteBoth
                | Operator::AppendBoth
        );
        let clobbers = writes && matches!(self.peek(), b'!' | b'|');
        if !clobbers || self.dialect != Dialect::Zsh {
            return (operator, clobbers);
        }
        self.advance(1);
        let operator = match operator {
            Operator::Write => Operator::Clobber,
            other => other,
        };
        (operator, true)
    }

    /// A word that is not there.
    pub(super) fn empty_word(&self) -> Word {
        Word {
            pieces: Vec::new(),
            span: self.span_from(self.at),
        }
    }
}
