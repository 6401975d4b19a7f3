//! Shell arithmetic over what is known: integers, names, every operator, assignments.
//!
//! Anything else gives no value; the names that it may assign are reported all the same, because they are not
//! known afterwards.

mod number;
mod parser;

use super::parameter::is_name;
use crate::shell::ast::Dialect;
use parser::Parser;

/// What an expression is worth, and what it assigns.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The value, if it can be told.
    pub(crate) value: Option<i64>,
    /// Names that are assigned, in order, and what they hold afterwards if that can be told.
    pub(crate) assigned: Vec<(Vec<u8>, Option<i64>)>,
    /// It has no value although everything in it is known.
    pub(crate) fails: bool,
}

/// What an expression can look up.
pub(crate) trait Names {
    /// The text that a name, or the element of an array, holds; nothing if it is not set. `None` if that is not known.
    fn text(&self, name: &[u8], element: Option<i64>) -> Option<Vec<u8>>;
}

/// Evaluates `text` as `dialect` does.
pub(crate) fn evaluate(text: &[u8], dialect: Dialect, names: &dyn Names) -> Outcome {
    let mut parser = Parser::new(dialect, names);
    let value = if is_foreign(text, dialect) {
        None
    } else {
        parser.whole(text)
    };
    if value.is_some() {
        return Outcome {
            value,
            assigned: parser.into_assigned(),
            fails: false,
        };
    }
    let fails = !parser.is_blind();
    let mut unknown = assigned_names(text);
    for (name, _) in parser.into_assigned() {
        if !unknown.contains(&name) {
            unknown.push(name);
        }
    }
    Outcome {
        value: None,
        assigned: unknown.into_iter().map(|name| (name, None)).collect(),
        fails,
    }
}

/// Whether an expression holds what this shell reads in its own way, or not at all.
fn is_foreign(text: &[u8], dialect: Dialect) -> bool {
    let holds = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    match dialect {
        Dialect::Bash | Dialect::Unknown => false,
        Dialect::Sh => [&b"**"[..], b"++", b"--", b"#", b",", b"["]
            .iter()
            .any(|part| holds(part)),
        // Its numbers may be octal or not, and have fractions; its arrays begin at 1.
        Dialect::Zsh => {
            [&b"."[..], b"#", b"["].iter().any(|part| holds(part))
                || text
                    .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                    .any(number::has_leading_zero)
        }
    }
}

/// Names followed by an assigning operator, or next to `++` and `--`.
fn assigned_names(text: &[u8]) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let in_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let mut at = 0;
    while at < text.len() {
        if !in_name(text[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && in_name(text[at]) {
            at += 1;
        }
        let name = &text[start..at];
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
        if is_name(name) && (stepped || follows && !compares || after.first() == Some(&b'[')) {
            out.push(name.to_vec());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Names for Known {
        fn text(&self, name: &[u8], element: Option<i64>) -> Option<Vec<u8>> {
            match (name, element) {
                (b"x", _) => Some(b"5".to_vec()),
                (b"e", _) => Some(b"x+1".to_vec()),
                (b"a", Some(1)) => Some(b"7".to_vec()),
                (b"y", _) => None,
                (b"loop", _) => Some(b"loop".to_vec()),
                _ => Some(Vec::new()),
            }
        }
    }

    #[test]
    fn evaluates_as_bash_does() {
        for (text, expected) in [
            ("", Some(0)),
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("10/3", Some(3)),
            ("10%3", Some(1)),
            ("1/0", None),
            ("0&&1/0", Some(0)),
            ("x-1", Some(4)),
            ("x<<2", Some(20)),
            ("x < 6 && x > 4", Some(1)),
            ("x==5?7:8", Some(7)),
            ("0x1F", Some(31)),
            ("010", Some(8)),
            ("08", None),
            ("2#101+36#z", Some(40)),
            ("64#_", Some(63)),
            ("-x", Some(-5)),
            ("- -x", Some(5)),
            ("!0", Some(1)),
            ("!x", Some(0)),
            ("~0", Some(-1)),
            ("unset", Some(0)),
            ("e*2", Some(12)),
            ("a[0+1]", Some(7)),
            ("y", None),
            ("loop", None),
            ("1 +", None),
            ("1 2", None),
            ("2**3**2", Some(512)),
            ("-2**2", Some(4)),
            ("2**-1", None),
            ("i=3,i+1", Some(4)),
            ("i++ + ++i", Some(2)),
            ("x-=2", Some(3)),
            ("0?i=1:7", Some(7)),
            ("0?(i=1):7", Some(7)),
            ("1 ? 2 : 0 ? 3 : 4", Some(2)),
            ("3--2", None),
            ("3- -2", Some(5)),
            ("1,2", Some(2)),
            ("5&6|8^1", Some(13)),
        ] {
            let value = evaluate(text.as_bytes(), Dialect::Bash, &Known).value;
            assert_eq!(value, expected, "{text}");
        }
    }

    #[test]
    fn gives_no_value_where_shells_differ() {
        for (text, dialect) in [
            ("2**3", Dialect::Sh),
            ("i++", Dialect::Sh),
            ("2#11", Dialect::Sh),
            ("010", Dialect::Zsh),
            ("1/2.", Dialect::Zsh),
            ("e", Dialect::Sh),
        ] {
            assert_eq!(evaluate(text.as_bytes(), dialect, &Known).value, None);
        }
    }

    #[test]
    fn reports_what_is_assigned() {
        for (text, expected) in [
            ("i++", "i=1"),
            ("i=3", "i=3"),
            ("i=j=2", "j=2 i=2"),
            ("i=x+=2", "x=7 i=7"),
            ("a==b", ""),
            ("a<=b", ""),
            ("n+=1, m=2", "n=1 m=2"),
            ("--k", "k=-1"),
            ("0 && (k=1)", ""),
            ("a[0]=1", "a=?"),
            ("i=y", "i=?"),
        ] {
            let outcome = evaluate(text.as_bytes(), Dialect::Bash, &Known);
            let got: Vec<String> = outcome
                .assigned
                .iter()
                .map(|(name, value)| {
                    let value = value.map_or("?".to_owned(), |value| value.to_string());
                    format!("{}={value}", String::from_utf8_lossy(name))
                })
                .collect();
            assert_eq!(got.join(" "), expected, "{text}");
        }
    }
}
