//! Reading an expression and working it out in one go.

use super::{Names, number};
use crate::interp::parameter::is_name;
use crate::shell::ast::Dialect;

/// How deep parentheses, signs and the values of names nest.
const DEEPEST: u32 = 48;

pub(super) struct Parser<'a> {
    dialect: Dialect,
    names: &'a dyn Names,
    /// What the expression has assigned so far.
    assigned: Vec<(Vec<u8>, i64)>,
    depth: u32,
    /// In a branch that is not taken: nothing is assigned, nothing is looked up.
    skipping: bool,
    /// Something that is not known was looked up.
    blind: bool,
}

/// An expression and how far it is read.
struct Text<'t> {
    bytes: &'t [u8],
    at: usize,
}

/// A name that may be assigned.
struct Place<'t> {
    name: &'t [u8],
    element: Option<i64>,
}

/// Binary operators by rising precedence; those that assign are not among them.
const LEVELS: [&[&[u8]]; 10] = [
    &[b"||"],
    &[b"&&"],
    &[b"|"],
    &[b"^"],
    &[b"&"],
    &[b"==", b"!="],
    &[b"<=", b">=", b"<", b">"],
    &[b"<<", b">>"],
    &[b"+", b"-"],
    &[b"*", b"/", b"%"],
];

/// Every sign, longer ones first.
const SIGNS: [&[u8]; 32] = [
    b"<<=", b">>=", b"**", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||",
    b"*=", b"/=", b"%=", b"+=", b"-=", b"&=", b"^=", b"|=", b"=", b"<", b">", b"+", b"-", b"*",
    b"/", b"%", b"&", b"^", b"|",
];

impl<'t> Text<'t> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// The sign that comes next: the longest there is.
    fn sign(&mut self) -> Option<&'static [u8]> {
        self.blanks();
        let rest = &self.bytes[self.at..];
        SIGNS.into_iter().find(|sign| rest.starts_with(sign))
    }

    fn takes_sign(&mut self, signs: &[&[u8]]) -> Option<&'static [u8]> {
        let sign = self.sign().filter(|sign| signs.contains(sign))?;
        self.at += sign.len();
        Some(sign)
    }

    fn word(&mut self) -> &'t [u8] {
        self.blanks();
        let start = self.at;
        let is_number = self.bytes.get(start).is_some_and(u8::is_ascii_digit);
        while self.bytes.get(self.at).is_some_and(|byte| {
            *byte == b'_'
                || byte.is_ascii_alphanumeric()
                || is_number && matches!(byte, b'#' | b'@')
        }) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(dialect: Dialect, names: &'a dyn Names) -> Self {
        Self {
            dialect,
            names,
            assigned: Vec::new(),
            depth: 0,
            skipping: false,
            blind: false,
        }
    }

    pub(super) const fn is_blind(&self) -> bool {
        self.blind
    }

    pub(super) fn into_assigned(self) -> Vec<(Vec<u8>, Option<i64>)> {
        self.assigned
            .into_iter()
            .map(|(name, value)| (name, Some(value)))
            .collect()
    }

    /// A whole expression; an empty one is worth nothing.
    pub(super) fn whole(&mut self, bytes: &[u8]) -> Option<i64> {
        if bytes.trim_ascii().is_empty() {
            return Some(0);
        }
        let mut text = Text { bytes, at: 0 };
        let value = self.comma(&mut text)?;
        text.blanks();
        (text.at == bytes.len()).then_some(value)
    }

    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn skipped<T>(&mut self, skips: bool, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let outer = self.skipping;
        self.skipping |= skips;
        let result = run(self);
        self.skipping = outer;
        result
    }

    fn comma(&mut self, text: &mut Text<'_>) -> Option<i64> {
        let mut value = self.assignment(text)?;
        while text.takes(b',') {
            value = self.assignment(text)?;
        }
        Some(value)
    }

    fn assignment(&mut self, text: &mut Text<'_>) -> Option<i64> {
        self.deeper(|this| {
            // Looked at first: what a subscript assigns, it assigns once.
            let mut ahead = Text { ..*text };
            if this.skipped(true, |this| this.place(&mut ahead))?.is_some() {
                let assigns: [&[u8]; 11] = [
                    b"=", b"*=", b"/=", b"%=", b"+=", b"-=", b"<<=", b">>=", b"&=", b"^=", b"|=",
                ];
                if let Some(sign) = ahead.takes_sign(&assigns) {
                    let place = this.place(text)??;
                    text.at = ahead.at;
                    let right = this.assignment(text)?;
                    let value = match sign {
                        b"=" => right,
                        _ => {
                            let left = this.value(&place)?;
                            this.apply(&sign[..sign.len() - 1], left, right)?
                        }
                    };
                    this.assign(&place, value)?;
                    return Some(value);
                }
            }
            this.choice(text)
        })
    }

    fn choice(&mut self, text: &mut Text<'_>) -> Option<i64> {
        let condition = self.binary(0, text)?;
        if !text.takes(b'?') {
            return Some(condition);
        }
        let yes = self.skipped(condition == 0, |this| this.comma(text))?;
        if !text.takes(b':') {
            return None;
        }
        // What follows the colon is no assignment without parentheses.
        let no = self.skipped(condition != 0, |this| this.deeper(|this| this.choice(text)))?;
        Some(if condition == 0 { no } else { yes })
    }

    fn binary(&mut self, level: usize, text: &mut Text<'_>) -> Option<i64> {
        let Some(signs) = LEVELS.get(level) else {
            return self.power(text);
        };
        let mut left = self.binary(level + 1, text)?;
        while let Some(sign) = text.takes_sign(signs) {
            let decided = match sign {
                b"||" => left != 0,
                b"&&" => left == 0,
                _ => false,
            };
            let right = self.skipped(decided, |this| this.binary(level + 1, text))?;
            left = self.apply(sign, left, right)?;
        }
        Some(left)
    }

    fn apply(&self, sign: &[u8], left: i64, right: i64) -> Option<i64> {
        let shift = || u32::try_from(right).ok().filter(|count| *count < 63);
        Some(match sign {
            b"||" => i64::from(left != 0 || right != 0),
            b"&&" => i64::from(left != 0 && right != 0),
            b"|" => left | right,
            b"^" => left ^ right,
            b"&" => left & right,
            b"==" => i64::from(left == right),
            b"!=" => i64::from(left != right),
            b"<=" => i64::from(left <= right),
            b">=" => i64::from(left >= right),
            b"<" => i64::from(left < right),
            b">" => i64::from(left > right),
            b"<<" => left.checked_mul(1_i64.checked_shl(shift()?)?)?,
            b">>" => left.checked_shr(shift()?)?,
            b"+" => left.checked_add(right)?,
            b"-" => left.checked_sub(right)?,
            b"*" => left.checked_mul(right)?,
            b"**" => left.checked_pow(u32::try_from(right).ok()?)?,
            // In a branch that is not taken even this is no error.
            b"/" | b"%" if right == 0 => self.skipping.then_some(0)?,
            b"/" => left.checked_div(right)?,
            _ => left.checked_rem(right)?,
        })
    }

    fn power(&mut self, text: &mut Text<'_>) -> Option<i64> {
        let left = self.unary(text)?;
        if text.takes_sign(&[b"**"]).is_none() {
            return Some(left);
        }
        let right = self.deeper(|this| this.power(text))?;
        self.apply(b"**", left, right)
    }

    fn unary(&mut self, text: &mut Text<'_>) -> Option<i64> {
        if let Some(sign) = text.takes_sign(&[b"++", b"--"]) {
            let place = self.place(text)??;
            let value = self.value(&place)?;
            let value = self.apply(&sign[..1], value, 1)?;
            self.assign(&place, value)?;
            return Some(value);
        }
        if let Some(sign) = text.takes_sign(&[b"+", b"-"]) {
            let value = self.deeper(|this| this.unary(text))?;
            return match sign {
                b"-" => value.checked_neg(),
                _ => Some(value),
            };
        }
        if text.takes(b'!') {
            return Some(i64::from(self.deeper(|this| this.unary(text))? == 0));
        }
        if text.takes(b'~') {
            return Some(!self.deeper(|this| this.unary(text))?);
        }
        if text.takes(b'(') {
            let value = self.deeper(|this| this.comma(text))?;
            return text.takes(b')').then_some(value);
        }
        let start = text.at;
        let Some(place) = self.place(text)? else {
            text.at = start;
            return number::parse(text.word());
        };
        let value = self.value(&place)?;
        if let Some(sign) = text.takes_sign(&[b"++", b"--"]) {
            let after = self.apply(&sign[..1], value, 1)?;
            self.assign(&place, after)?;
        }
        Some(value)
    }

    /// A name with its subscript, if one comes next; the outer `None` is an error.
    #[expect(clippy::option_option, reason = "an error is not the same as no name")]
    fn place<'t>(&mut self, text: &mut Text<'t>) -> Option<Option<Place<'t>>> {
        let name = text.word();
        if !is_name(name) {
            return Some(None);
        }
        let element = if text.bytes.get(text.at) == Some(&b'[') {
            text.at += 1;
            let index = self.deeper(|this| this.comma(text))?;
            text.takes(b']').then_some(Some(index))?
        } else {
            None
        };
        Some(Some(Place { name, element }))
    }

    /// What a name is worth: its value is an expression again.
    fn value(&mut self, place: &Place<'_>) -> Option<i64> {
        if self.skipping {
            return Some(0);
        }
        if place.element.is_none()
            && let Some((_, value)) = self.assigned.iter().find(|(name, _)| name == place.name)
        {
            return Some(*value);
        }
        let text = self.names.text(place.name, place.element);
        self.blind |= text.is_none();
        let text = text?;
        match std::str::from_utf8(&text).ok().map(str::trim) {
            Some("") => Some(0),
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                if number::has_leading_zero(number.as_bytes()) && self.dialect == Dialect::Zsh {
                    return None;
                }
                number::parse(number.as_bytes())
            }
            Some(_) if self.dialect == Dialect::Sh => None,
            _ => self.deeper(|this| this.whole(&text)),
        }
    }

    fn assign(&mut self, place: &Place<'_>, value: i64) -> Option<()> {
        if self.skipping {
            return Some(());
        }
        if place.element.is_some() {
            return None;
        }
        self.assigned.retain(|(name, _)| name != place.name);
        self.assigned.push((place.name.to_vec(), value));
        Some(())
    }
}
