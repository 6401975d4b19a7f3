//! Shell arithmetic over what is known: integers, names, the usual operators.
//!
//! Anything else gives no value; the names that it assigns are reported all the same, because they are not
//! known afterwards.

/// What an expression is worth, and which names it assigns.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The value, if it can be told.
    pub(crate) value: Option<i64>,
    /// Names that are assigned: what they hold afterwards is not told.
    pub(crate) assigned: Vec<Vec<u8>>,
}

/// Evaluates `text`. `lookup` gives the value of a name.
pub(crate) fn evaluate(text: &[u8], lookup: &dyn Fn(&[u8]) -> Option<i64>) -> Outcome {
    let mut parser = Parser {
        text,
        at: 0,
        lookup,
        depth: 0,
    };
    let value = parser.comma();
    parser.blanks();
    let whole = parser.at == text.len();
    let assigned = assigned_names(text);
    if !assigned.is_empty() {
        return Outcome {
            value: None,
            assigned,
        };
    }
    Outcome {
        value: value.filter(|_| whole),
        assigned: Vec::new(),
    }
}

/// Names followed by an assigning operator, or next to `++` and `--`.
fn assigned_names(text: &[u8]) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let mut at = 0;
    while at < text.len() {
        if !is_name(text[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && is_name(text[at]) {
            at += 1;
        }
        let before = text[..start].trim_ascii_end();
        let after = text[at..].trim_ascii_start();
        let step = |part: &[u8]| part == b"++" || part == b"--";
        let stepped = before.len() >= 2 && step(&before[before.len() - 2..])
            || after.len() >= 2 && step(&after[..2]);
        let operator = after
            .iter()
            .take_while(|byte| b"+-*/%&|^<>".contains(byte))
            .count();
        let follows = after.get(operator) == Some(&b'=') && after.get(operator + 1) != Some(&b'=');
        let compares = operator > 0 && matches!(&after[..operator], b"<" | b">");
        if !text[start].is_ascii_digit()
            && (stepped || follows && !compares || after.first() == Some(&b'['))
        {
            out.push(text[start..at].to_vec());
        }
    }
    out
}

const DEEPEST: u32 = 64;

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    lookup: &'a dyn Fn(&[u8]) -> Option<i64>,
    depth: u32,
}

/// Binary operators by rising precedence.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, operator: &str) -> bool {
        self.blanks();
        let rest = &self.text[self.at..];
        if !rest.starts_with(operator.as_bytes()) {
            return false;
        }
        // `&` is not the beginning of `&&`, nor `<` that of `<<`.
        let next = rest.get(operator.len());
        let longer = match operator {
            "&" | "|" | "<" | ">" | "+" | "-" => {
                next.is_some_and(|byte| *byte == operator.as_bytes()[0])
                    || matches!((operator, next), ("<" | ">", Some(b'=')))
            }
            _ => false,
        };
        if longer {
            return false;
        }
        self.at += operator.len();
        true
    }

    fn comma(&mut self) -> Option<i64> {
        let mut value = self.ternary()?;
        while self.takes(",") {
            value = self.ternary()?;
        }
        Some(value)
    }

    fn ternary(&mut self) -> Option<i64> {
        let condition = self.binary(0)?;
        if !self.takes("?") {
            return Some(condition);
        }
        let yes = self.comma()?;
        if !self.takes(":") {
            return None;
        }
        let no = self.ternary()?;
        Some(if condition == 0 { no } else { yes })
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.takes(operator)) {
            let right = self.binary(level + 1)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" if self.text.get(self.at) == Some(&b'*') => return None,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        self.blanks();
        let value = match self.text.get(self.at)? {
            b'!' => {
                self.at += 1;
                i64::from(self.unary()? == 0)
            }
            b'~' => {
                self.at += 1;
                !self.unary()?
            }
            b'-' => {
                self.at += 1;
                self.unary()?.checked_neg()?
            }
            b'+' => {
                self.at += 1;
                self.unary()?
            }
            b'(' => {
                self.at += 1;
                let value = self.comma()?;
                self.takes(")").then_some(value)?
            }
            _ => self.atom()?,
        };
        self.depth -= 1;
        Some(value)
    }

    fn atom(&mut self) -> Option<i64> {
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphanumeric())
        {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        match word.first()? {
            b'0' if word.len() > 1 => {
                let text = std::str::from_utf8(word).ok()?;
                match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                    Some(digits) => i64::from_str_radix(digits, 16).ok(),
                    None => i64::from_str_radix(&text[1..], 8).ok(),
                }
            }
            b'0'..=b'9' => std::str::from_utf8(word).ok()?.parse().ok(),
            _ => (self.lookup)(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluates_as_bash_does() {
        let lookup = |name: &[u8]| match name {
            b"x" => Some(5),
            _ => None,
        };
        for (text, expected) in [
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("10/3", Some(3)),
            ("10%3", Some(1)),
            ("1/0", None),
            ("x-1", Some(4)),
            ("x<<2", Some(20)),
            ("x < 6 && x > 4", Some(1)),
            ("x==5?7:8", Some(7)),
            ("0x10", Some(16)),
            ("010", Some(8)),
            ("-x", Some(-5)),
            ("!0", Some(1)),
            ("y", None),
            ("1 +", None),
            ("2**3", None),
        ] {
            assert_eq!(evaluate(text.as_bytes(), &lookup).value, expected, "{text}");
        }
    }

    #[test]
    fn reports_what_is_assigned() {
        for (text, names) in [
            ("i++", "i"),
            ("i=3", "i"),
            ("a==b", ""),
            ("a<=b", ""),
            ("n+=1, m=2", "n m"),
            ("--k", "k"),
            ("a[0]=1", "a"),
        ] {
            let outcome = evaluate(text.as_bytes(), &|_| Some(0));
            let got: Vec<String> = outcome
                .assigned
                .iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect();
            assert_eq!(got.join(" "), names, "{text}");
        }
    }
}
