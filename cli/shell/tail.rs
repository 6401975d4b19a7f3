//! What cannot be read as a command: whether it could destroy anything.

use blastradius_policy::programs;

use super::quote::ansi_escape;

/// Words, beside the programs that have a reader, that destroy or may run something that does.
const WORDS: &[&str] = &[
    "svn",
    "hg",
    "docker",
    "podman",
    "kubectl",
    "terraform",
    "aws",
    "gsutil",
    "rclone",
    "dropdb",
    "psql",
    "mysql",
    "sqlite3",
    "redis-cli",
    "xargs",
    "parallel",
    "eval",
    "source",
    "exec",
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "node",
    "php",
    "awk",
    "ssh",
    "sudo",
    "su",
    "doas",
    "env",
];

/// Beginnings of such words (`python3.11`).
const BEGINNINGS: &[&str] = &["python", "perl", "ruby"];

/// Whether a text that could not be read holds anything that may destroy, however it is quoted.
#[must_use]
pub fn holds_destructive_word(tail: &[u8]) -> bool {
    let text = normalised(tail);
    truncates(&text) || starts_dynamically(&text) || words(&text).any(is_destructive)
}

/// Without line continuations, backslashes and quotes; `$'...'` decoded.
fn normalised(tail: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(tail.len());
    let mut rest = tail;
    while let Some((&byte, after)) = rest.split_first() {
        if let Some(quoted) = rest.strip_prefix(b"$'") {
            rest = quoted;
            while let Some((&byte, after)) = rest.split_first() {
                rest = after;
                match byte {
                    b'\'' => break,
                    b'\\' => {
                        let taken = ansi_escape(rest, &mut out);
                        rest = &rest[taken..];
                    }
                    byte => out.push(byte),
                }
            }
            continue;
        }
        if let Some(joined) = rest.strip_prefix(b"\\\n") {
            rest = joined;
            continue;
        }
        if !matches!(byte, b'\\' | b'\'' | b'"') {
            out.push(byte);
        }
        rest = after;
    }
    out
}

const fn separates(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b';'
            | b'&'
            | b'|'
            | b'<'
            | b'>'
            | b'('
            | b')'
            | b'{'
            | b'}'
            | b','
            | b'`'
            | b'$'
            | b'='
            | 0
    )
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| separates(*byte))
        .filter(|word| !word.is_empty())
}

fn is_destructive(word: &[u8]) -> bool {
    let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or(word);
    let lower = name.to_ascii_lowercase();
    programs::is_destructive(&lower)
        || WORDS.iter().any(|known| known.as_bytes() == lower)
        || BEGINNINGS
            .iter()
            .any(|beginning| lower.starts_with(beginning.as_bytes()))
}

/// A redirection that could empty a file.
fn truncates(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|byte| *byte == b'>') {
        at += found + 1;
        if text.get(at) == Some(&b'>') {
            at += 1;
            continue;
        }
        if text[..at - 1].ends_with(b">") {
            continue;
        }
        let rest = text[at..].strip_prefix(b"|").unwrap_or(&text[at..]);
        let descriptor = rest.strip_prefix(b"&").is_some_and(|rest| {
            rest.first()
                .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
        });
        let target = rest.trim_ascii_start();
        let harmless = [
            &b"/dev/null"[..],
            b"/dev/stdout",
            b"/dev/stderr",
            b"/dev/tty",
        ]
        .iter()
        .any(|known| target.starts_with(known));
        if !descriptor && !harmless {
            return true;
        }
    }
    false
}

/// A command word that only the shell can tell: `$X ...`, a backtick where a command begins.
fn starts_dynamically(text: &[u8]) -> bool {
    text.split(|byte| matches!(byte, b';' | b'&' | b'|' | b'\n' | b'(' | b'{'))
        .map(<[u8]>::trim_ascii_start)
        .any(|command| {
            command
                .first()
                .is_some_and(|byte| matches!(byte, b'$' | b'`'))
        })
}

#[cfg(test)]
mod tests {
    use super::holds_destructive_word;

    #[test]
    fn finds_what_may_destroy() {
        for (text, expected) in [
            ("rm -rf x )", true),
            ("r''m x )", true),
            ("r\\\nm x )", true),
            ("$'\\x72m' x )", true),
            ("/bin/rm x )", true),
            ("echo a > f )", true),
            ("echo a 2>&1 )", false),
            ("echo a 2>/dev/null )", false),
            ("echo a >> f )", false),
            ("echo a &> f )", true),
            ("ls -la )", false),
            ("$X y )", true),
            ("echo $X )", false),
            ("curl x | sh )", true),
            ("python3.11 -c x )", true),
            ("echo form )", false),
            ("if true; then ls", false),
            ("echo it's", false),
            ("git clean )", true),
        ] {
            assert_eq!(holds_destructive_word(text.as_bytes()), expected, "{text}");
        }
    }
}
