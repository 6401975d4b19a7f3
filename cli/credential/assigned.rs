//! Literals that a name calls a secret, placeholders, and the marks of what is not meant.

use super::holds;
use super::shapes::Credential;
use super::token::{entropy, kinds};

/// Parts of a name that call its value a secret.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "private_key",
    "privatekey",
    "auth_key",
    "client_secret",
];

/// Parts of a name that say otherwise.
const PUBLIC: &[&str] = &[
    "public",
    "pub_",
    "csrf",
    "hash",
    "digest",
    "checksum",
    "tokenizer",
    "test",
    "example",
];

/// Words in a value that is none.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "your",
    "xxxx",
    "dummy",
    "fake",
    "insecure",
    "sample",
    "redacted",
    "replace",
    "insert",
    "todo",
    "test",
    "secret",
    "password",
    "0123456",
    "123456789",
    "abcdef",
];

/// Marks of scanners for a line that is meant.
const MARKS: &[&str] = &[
    "gitleaks:allow",
    "allowlist secret",
    "allowlist-secret",
    "trufflehog:ignore",
    "noqa: s105",
    "noqa: s106",
    "nosec",
    "ggignore",
];

/// Whether a value only stands for one.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS
        .iter()
        .any(|word| holds(&lower, word.as_bytes()))
}

/// Whether the line around a place carries a mark that says it is meant.
pub(crate) fn is_marked(text: &[u8], at: usize) -> bool {
    let start = text[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let end = text[at..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |end| at + end);
    let line = text[start..end].to_ascii_lowercase();
    MARKS.iter().any(|mark| holds(&line, mark.as_bytes()))
}

/// Literals in quotes behind a name that calls them a secret, and that look random.
pub(super) fn find(text: &[u8]) -> Vec<Credential> {
    let mut found = Vec::new();
    for (at, _) in text
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b'"' | b'\''))
    {
        if let Some(credential) = literal(text, at) {
            found.push(credential);
        }
    }
    found
}

/// `NAME = "VALUE"`, `NAME: "VALUE"`, `"NAME": "VALUE"`.
fn literal(text: &[u8], quote: usize) -> Option<Credential> {
    const SHORTEST: usize = 20;
    const LONGEST: usize = 200;
    let tail = &text[quote + 1..];
    let length = tail
        .iter()
        .take(LONGEST + 1)
        .position(|byte| *byte == text[quote])?;
    let value = &tail[..length];
    let plain = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
    };
    let random = (SHORTEST..=LONGEST).contains(&length)
        && value.iter().all(plain)
        && kinds(value) == 3
        && entropy(value) > 4.0
        && !is_placeholder(value);
    if !random {
        return None;
    }
    let name = name_before(&text[..quote])?.to_ascii_lowercase();
    let is_secret = NAMES.iter().any(|word| holds(&name, word.as_bytes()))
        && !PUBLIC.iter().any(|word| holds(&name, word.as_bytes()));
    is_secret.then_some(Credential {
        kind: "a secret by its name",
        range: quote + 1..quote + 1 + length,
    })
}

fn name_before(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_end();
    let text = text
        .strip_suffix(b":=")
        .or_else(|| text.strip_suffix(b"=>"))
        .or_else(|| text.strip_suffix(b"="))
        .or_else(|| text.strip_suffix(b":"))?
        .trim_ascii_end();
    let text = text
        .strip_suffix(b"\"")
        .or_else(|| text.strip_suffix(b"'"))
        .unwrap_or(text);
    let length = text
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    (length > 0).then(|| &text[text.len() - length..])
}

#[cfg(test)]
mod tests {
    use super::{find, is_marked, is_placeholder};

    #[test]
    fn a_literal_is_a_secret_by_its_name_and_its_looks() {
        for (text, is_one) in [
            ("api_key = \"q7Rk2ZpX9vLmN4tB8sWc1\"", true),
            ("  \"clientSecret\": \"q7Rk2ZpX9vLmN4tB8sWc1\",", false),
            ("\"client_secret\": \"q7Rk2ZpX9vLmN4tB8sWc1\"", true),
            (concat!("const token = 'q7Rk2Zp", "X9vLmN4tB8sWc1';"), true),
            ("password = \"correct horse battery staple\"", false),
            ("password = \"your-Password-goes-here-1\"", false),
            ("public_token = \"q7Rk2ZpX9vLmN4tB8sWc1\"", false),
            ("integrity = \"sha512-q7Rk2ZpX9vLmN4tB8sWc1\"", false),
            ("token = \"d41d8cd98f00b204e9800998ecf8427e\"", false),
            ("key = \"q7Rk2ZpX9vLmN4tB8sWc1\"", false),
        ] {
            // `clientSecret` holds `secret`, too.
            let expected = is_one || text.contains("clientSecret");
            assert_eq!(!find(text.as_bytes()).is_empty(), expected, "{text}");
        }
    }

    #[test]
    fn placeholders_and_marks_are_told() {
        assert!(is_placeholder(b"AKIAIOSFODNN7EXAMPLE"));
        assert!(!is_placeholder(b"q7Rk2ZpX9vLmN4tB8sWc1"));
        let text = b"a = 1\nk = 2 # pragma: allowlist secret\nb = 3";
        assert!(is_marked(text, 8));
        assert!(!is_marked(text, 2));
        assert!(!is_marked(text, text.len()));
    }
}
