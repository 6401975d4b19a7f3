//! Credentials by the shapes that their providers give them.

use std::ops::Range;

use super::token::{entropy, has_checksum};

/// A credential in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Credential {
    /// Whose it is.
    pub(crate) kind: &'static str,
    /// Where it stands.
    pub(crate) range: Range<usize>,
}

/// Which characters the tail of a token has.
#[derive(Clone, Copy)]
enum Of {
    Letters,
    Words,
    Capitals,
    Hexadecimal,
}

impl Of {
    const fn holds(self, byte: u8) -> bool {
        match self {
            Self::Letters => byte.is_ascii_alphanumeric(),
            Self::Words => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Capitals => byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7'),
            Self::Hexadecimal => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        }
    }
}

struct Shape {
    kind: &'static str,
    begins: &'static str,
    of: Of,
    /// Shortest and longest tail.
    length: (usize, usize),
    /// The tail ends in its own checksum.
    checked: bool,
}

const fn shape(kind: &'static str, begins: &'static str, of: Of, length: (usize, usize)) -> Shape {
    Shape {
        kind,
        begins,
        of,
        length,
        checked: false,
    }
}

const fn checked(kind: &'static str, begins: &'static str) -> Shape {
    Shape {
        checked: true,
        ..shape(kind, begins, Of::Letters, (36, 36))
    }
}

const SHAPES: &[Shape] = &[
    shape("an access key of AWS", "AKIA", Of::Capitals, (16, 16)),
    shape("a session key of AWS", "ASIA", Of::Capitals, (16, 16)),
    checked("a token of GitHub", "ghp_"),
    checked("a token of GitHub", "gho_"),
    checked("a token of GitHub", "ghu_"),
    checked("a token of GitHub", "ghs_"),
    checked("a token of GitHub", "ghr_"),
    shape("a token of GitHub", "github_pat_", Of::Words, (82, 82)),
    checked("a token of npm", "npm_"),
    shape("a token of GitLab", "glpat-", Of::Words, (20, 64)),
    shape("a token of GitLab", "glrt-", Of::Words, (20, 64)),
    shape("a token of Slack", "xoxb-", Of::Words, (24, 120)),
    shape("a token of Slack", "xoxp-", Of::Words, (24, 120)),
    shape("a token of Slack", "xoxa-", Of::Words, (24, 120)),
    shape("a token of Slack", "xoxs-", Of::Words, (24, 120)),
    shape("a token of Slack", "xapp-1-", Of::Words, (40, 160)),
    shape("a live key of Stripe", "sk_live_", Of::Letters, (24, 120)),
    shape("a live key of Stripe", "rk_live_", Of::Letters, (24, 120)),
    shape("a key of Google", "AIza", Of::Words, (35, 35)),
    shape("a key of Anthropic", "sk-ant-", Of::Words, (80, 160)),
    shape("a key of OpenAI", "sk-proj-", Of::Words, (40, 220)),
    shape("a key of OpenAI", "sk-svcacct-", Of::Words, (40, 220)),
    shape("a token of Hugging Face", "hf_", Of::Letters, (34, 40)),
    shape(
        "a token of PyPI",
        "pypi-AgEIcHlwaS5vcmc",
        Of::Words,
        (50, 400),
    ),
    shape(
        "a token of DigitalOcean",
        "dop_v1_",
        Of::Hexadecimal,
        (64, 64),
    ),
    shape("a token of Shopify", "shpat_", Of::Hexadecimal, (32, 32)),
    shape("a token of Shopify", "shpss_", Of::Hexadecimal, (32, 32)),
    shape("a token of Vault", "hvs.", Of::Words, (24, 160)),
    shape("a token of Docker Hub", "dckr_pat_", Of::Words, (27, 40)),
    shape("a key of age", "AGE-SECRET-KEY-1", Of::Letters, (58, 58)),
];

/// Every credential whose shape is known, from left to right.
pub(crate) fn find(text: &[u8]) -> Vec<Credential> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let here = at_start_of_word(text, at)
            .then(|| token(text, at))
            .flatten()
            .or_else(|| private_key(text, at));
        match here {
            Some(credential) => {
                at = credential.range.end;
                found.push(credential);
            }
            None => at += 1,
        }
    }
    found
}

fn at_start_of_word(text: &[u8], at: usize) -> bool {
    at == 0 || !Of::Words.holds(text[at - 1])
}

fn token(text: &[u8], at: usize) -> Option<Credential> {
    let rest = &text[at..];
    // Every shape begins with one of these.
    if !matches!(
        rest[0],
        b'A' | b'g' | b'n' | b'x' | b's' | b'r' | b'h' | b'p' | b'd'
    ) {
        return None;
    }
    SHAPES.iter().find_map(|shape| {
        let tail = rest.strip_prefix(shape.begins.as_bytes())?;
        let length = tail
            .iter()
            .take_while(|byte| shape.of.holds(**byte))
            .count();
        // A longer word is something else.
        let whole = tail
            .get(length)
            .is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let (shortest, longest) = shape.length;
        let tail = &tail[..length];
        let real = whole
            && (shortest..=longest).contains(&length)
            && entropy(tail) > 3.0
            && (!shape.checked || has_checksum(tail));
        real.then(|| Credential {
            kind: shape.kind,
            range: at..at + shape.begins.len() + length,
        })
    })
}

/// A private key with something in it; the headline alone is no key.
fn private_key(text: &[u8], at: usize) -> Option<Credential> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const SHORTEST: usize = 64;
    let rest = text[at..].strip_prefix(BEGIN)?;
    let end = rest.windows(5).take(40).position(|five| five == b"-----")?;
    let title = &rest[..end];
    let is_key = title.ends_with(b"PRIVATE KEY") || title.ends_with(b"PRIVATE KEY BLOCK");
    if !is_key
        || title
            .iter()
            .any(|byte| !byte.is_ascii_uppercase() && *byte != b' ')
    {
        return None;
    }
    let body = &rest[end + 5..];
    // In source the lines of a key are parted by `\n`, quotes and commas.
    let digits = body
        .iter()
        .take_while(|byte| **byte != b'-')
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        .count();
    let length = body.iter().take_while(|byte| **byte != b'-').count();
    (digits >= SHORTEST).then(|| Credential {
        kind: "a private key",
        range: at..at + BEGIN.len() + end + 5 + length,
    })
}

#[cfg(test)]
mod tests {
    use super::find;

    /// Put together here, so that no scanner takes this file for one that leaks.
    fn kinds(parts: &[&str]) -> Vec<&'static str> {
        let text = parts.concat();
        find(text.as_bytes())
            .iter()
            .map(|found| found.kind)
            .collect()
    }

    #[test]
    fn shapes_are_told_by_their_beginnings_and_their_tails() {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj".repeat(2);
        for (parts, kind) in [
            (
                &["k = \"AKI", "AZQ3DRSTUVWXY2345\""][..],
                Some("an access key of AWS"),
            ),
            (
                &["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"],
                Some("a token of GitHub"),
            ),
            (
                &["sk_live_", "9aF3kQzLmT2vXcB7nRsW4yHd"],
                Some("a live key of Stripe"),
            ),
            (
                &["-----BEGIN RSA ", "PRIVATE KEY-----\\n", &body],
                Some("a private key"),
            ),
            // Placeholders, tokens of others, and what only looks like one.
            (&["AKI", "AXXXXXXXXXXXXXXXX"], None),
            (&["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18"], None),
            (&["ghp_", "short"], None),
            (&["sk_test_", "9aF3kQzLmT2vXcB7nRsW4yHd"], None),
            (&["MAKI", "AZQ3DRSTUVWXY2345"], None),
            (&["-----BEGIN ", "PRIVATE KEY-----"], None),
            (
                &["-----BEGIN RSA \", \"", "PRIVATE KEY-----\\n", &body],
                None,
            ),
            (&["-----BEGIN PUBLIC KEY-----\n", &body], None),
        ] {
            assert_eq!(
                kinds(parts),
                kind.into_iter().collect::<Vec<_>>(),
                "{parts:?}"
            );
        }
    }
}
