//! Secrets taken out of what goes into a log.

use super::{assigned, shapes};

const INSTEAD: &str = "[redacted]";

/// Names whose values are not written down, in options, assignments and headers.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "credential",
    "pgpassword",
    "authorization",
    "auth",
];

/// The text without what looks like a secret. It may take out too much: nobody runs what a log says.
pub(crate) fn redacted(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut ranges: Vec<_> = shapes::find(bytes)
        .into_iter()
        .chain(assigned::find(bytes))
        .map(|found| found.range)
        .collect();
    ranges.extend(after_names(bytes));
    ranges.extend(in_addresses(bytes));
    if ranges.is_empty() {
        return text.to_owned();
    }
    ranges.sort_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(INSTEAD);
        }
        at = at.max(range.end);
    }
    out.push_str(&text[at..]);
    out
}

/// `NAME=VALUE`, `--name VALUE`, `Name: VALUE`, `Bearer VALUE`.
fn after_names(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_name(**byte)).count();
        let end = at + length;
        if length == 0 {
            at += 1;
            continue;
        }
        if let Some(value) = value_after(text, at, end) {
            at = value.end;
            found.push(value);
        } else {
            at = end;
        }
    }
    found
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn value_after(text: &[u8], start: usize, end: usize) -> Option<std::ops::Range<usize>> {
    let name = text[start..end].to_ascii_lowercase();
    let rest = &text[end..];
    let scheme = matches!(name.as_slice(), b"bearer" | b"basic") && rest.starts_with(b" ");
    let option = name.starts_with(b"--") && rest.starts_with(b" ");
    let named = NAMES.iter().any(|known| ends_in(&name, known));
    let skip = match rest {
        _ if scheme => 1,
        [b'"' | b'\'', b':', ..] if named => 2,
        [b'=' | b':', ..] if named => 1,
        _ if option && named => 1,
        _ => return None,
    };
    let blanks = rest[skip..]
        .iter()
        .take_while(|byte| **byte == b' ')
        .count();
    if blanks > 1 {
        return None;
    }
    let mut from = end + skip + blanks;
    let quote = text
        .get(from)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\''));
    from += usize::from(quote.is_some());
    let ends = |byte: &u8| match quote {
        Some(quote) => *byte == quote,
        None => {
            byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b';' | b'&' | b'|' | b')')
        }
    };
    let value = &text[from..];
    let length = value.iter().position(ends).unwrap_or(value.len());
    let value = &value[..length];
    let word = value.to_ascii_lowercase();
    // A variable is no value, and the scheme of a header is followed by it.
    let shown = value.is_empty()
        || value.starts_with(b"$")
        || matches!(
            word.as_slice(),
            b"bearer" | b"basic" | b"token" | b"[redacted]"
        );
    (!shown).then_some(from..from + length)
}

/// Whether a name is the word, or ends in it as in `DB_PASSWORD` and `--auth-token`.
fn ends_in(name: &[u8], word: &str) -> bool {
    name.strip_suffix(word.as_bytes()).is_some_and(|before| {
        before
            .last()
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() || word.len() > 4)
    })
}

/// `scheme://user:PASSWORD@host`
fn in_addresses(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in text
        .windows(3)
        .enumerate()
        .filter(|(_, three)| *three == b"://")
    {
        let rest = &text[at + 3..];
        let length = rest
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'"' | b'\''))
            .unwrap_or(rest.len());
        let authority = &rest[..length];
        let Some(end) = authority.iter().rposition(|byte| *byte == b'@') else {
            continue;
        };
        if let Some(colon) = authority[..end].iter().position(|byte| *byte == b':')
            && !authority[colon + 1..end].is_empty()
        {
            found.push(at + 3 + colon + 1..at + 3 + end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::redacted;

    #[test]
    fn secrets_are_taken_out_and_the_rest_stays() {
        for (text, expected) in [
            ("rm -rf build", "rm -rf build"),
            (
                "PGPASSWORD=hunter2 psql -c x",
                "PGPASSWORD=[redacted] psql -c x",
            ),
            (
                "mysql --password=hunter2 db",
                "mysql --password=[redacted] db",
            ),
            (
                "tool --auth-token abc run",
                "tool --auth-token [redacted] run",
            ),
            (
                "curl -H 'Authorization: Bearer abc.def' u",
                "curl -H 'Authorization: Bearer [redacted]' u",
            ),
            (
                "git push https://me:pw@host/r.git",
                "git push https://me:[redacted]@host/r.git",
            ),
            (
                "{\"api_key\":\"abc\",\"a\":1}",
                "{\"api_key\":\"[redacted]\",\"a\":1}",
            ),
            ("echo \"$DB_PASSWORD\"", "echo \"$DB_PASSWORD\""),
            ("DB_PASSWORD=$X run", "DB_PASSWORD=$X run"),
            ("author=me", "author=me"),
            (
                concat!("k=sk_l", "ive_9aF3kQzLmT2vXcB7nRsW4yHd;"),
                "k=[redacted];",
            ),
            ("ünïcode password=é; x", "ünïcode password=[redacted]; x"),
        ] {
            assert_eq!(redacted(text), expected);
        }
    }
}
