//! The SQL that the clients of databases are given: in words, in files, by a pipe.

use crate::case::Command;
use crate::interp::Taint;

/// Where a text stands.
pub(super) enum Source {
    Words,
    /// A canonical path.
    File(Vec<u8>),
}

/// A client, and how it is given SQL.
struct Client {
    names: &'static [&'static str],
    /// Options whose value is SQL.
    text: &'static [&'static str],
    /// Options whose value is a file of it.
    file: &'static [&'static str],
    /// The second operand is SQL.
    operand: bool,
    /// Letters without a value, which others may be joined to: `psql -Atc TEXT`.
    flags: &'static str,
}

const CLIENTS: &[Client] = &[
    Client {
        names: &["psql", "pgcli", "cockroach"],
        text: &["-c", "--command", "-e", "--execute"],
        file: &["-f", "--file"],
        operand: false,
        flags: "aAbeEHlnqsStwWxXz01L",
    },
    Client {
        names: &["mysql", "mariadb", "mycli"],
        text: &["-e", "--execute"],
        file: &[],
        operand: false,
        flags: "NsBrtvfACGHLWbijnqE",
    },
    Client {
        names: &["sqlite3", "sqlite", "duckdb"],
        text: &["-cmd", "--cmd", "-c"],
        file: &["-init", "--init", "-f"],
        operand: true,
        flags: "",
    },
    Client {
        names: &[
            "clickhouse-client",
            "sqlcmd",
            "snowsql",
            "usql",
            "trino",
            "bq",
        ],
        text: &["-q", "-Q", "--query"],
        file: &["-f", "-i", "--queries-file"],
        operand: false,
        flags: "",
    },
];

/// Programs that run a client elsewhere.
const ELSEWHERE: &[&str] = &[
    "docker",
    "podman",
    "kubectl",
    "oc",
    "docker-compose",
    "ssh",
    "nerdctl",
];

/// Everything that a client is told to run, as far as it is known.
pub(super) fn given(command: &Command<'_>) -> Vec<(Source, Vec<u8>)> {
    let words: Vec<Vec<u8>> = command
        .words()
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect();
    if let Some(client) = client(command.name) {
        return of_client(client, &words, Some(command));
    }
    if !ELSEWHERE.iter().any(|name| name.as_bytes() == command.name) {
        return Vec::new();
    }
    for (at, word) in words.iter().enumerate() {
        if let Some(client) = client(crate::case::file_name(word)) {
            return of_client(client, &words[at + 1..], None);
        }
        // A text for a shell elsewhere: its words as they stand.
        if word.contains(&b' ')
            && at > 0
            && words[at - 1] == b"-c"
            && let Some(inner) = shell_words(word)
            && let Some(at) = inner
                .iter()
                .position(|word| client(crate::case::file_name(word)).is_some())
            && let Some(client) = client(crate::case::file_name(&inner[at]))
        {
            return of_client(client, &inner[at + 1..], None);
        }
    }
    Vec::new()
}

fn client(name: &[u8]) -> Option<&'static Client> {
    CLIENTS
        .iter()
        .find(|client| client.names.iter().any(|known| known.as_bytes() == name))
}

/// Words parted at blanks outside quotes; `None` if a quote is open.
fn shell_words(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut words = vec![Vec::new()];
    let mut quote = None;
    for &byte in text {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b' ' | b'\n') => words.push(Vec::new()),
            _ => words.last_mut()?.push(byte),
        }
    }
    words.retain(|word| !word.is_empty());
    quote.is_none().then_some(words)
}

fn of_client(
    client: &Client,
    words: &[Vec<u8>],
    command: Option<&Command<'_>>,
) -> Vec<(Source, Vec<u8>)> {
    let mut texts = Vec::new();
    let mut operands: Vec<&[u8]> = Vec::new();
    let mut rest = words.iter();
    let read = |name: &[u8]| {
        let command = command?;
        let path = command.path(name)?;
        let content = command.content(&path)?;
        Some((Source::File(path), content))
    };
    while let Some(word) = rest.next() {
        if let Some(value) = value(client.text, client.flags, word) {
            let text = match value {
                Value::Joined(text) => Some(text.to_vec()),
                Value::Next => rest.next().cloned(),
            };
            texts.extend(text.map(|text| (Source::Words, text)));
        } else if let Some(value) = value(client.file, client.flags, word) {
            let name = match value {
                Value::Joined(name) => Some(name),
                Value::Next => rest.next().map(Vec::as_slice),
            };
            texts.extend(name.and_then(read));
        } else if !word.starts_with(b"-") {
            operands.push(word);
        }
    }
    if client.operand {
        if operands.first() == Some(&&b":memory:"[..]) {
            return Vec::new();
        }
        let more = operands
            .iter()
            .skip(1)
            .filter(|word| !word.starts_with(b"."));
        texts.extend(more.map(|word| (Source::Words, word.to_vec())));
    }
    if let Some(command) = command.filter(|_| texts.is_empty())
        && let Some(input) = command.input()
    {
        let file = input.taints().find_map(|origin| match origin {
            Taint::File(path) => Some(path),
            Taint::Network | Taint::Secret(_) => None,
        });
        match (input.bytes(), file) {
            (Some(text), _) => texts.push((Source::Words, text.to_vec())),
            (None, Some(path)) => {
                texts.extend(
                    command
                        .content(path)
                        .map(|content| (Source::File(path.to_vec()), content)),
                );
            }
            (None, None) => {}
        }
    }
    texts
}

enum Value<'w> {
    Joined(&'w [u8]),
    Next,
}

/// `-cTEXT`, `-AtcTEXT`, `--command=TEXT`, or the option alone.
fn value<'w>(options: &[&str], flags: &str, word: &'w [u8]) -> Option<Value<'w>> {
    let plain = word
        .strip_prefix(b"-")
        .filter(|rest| !rest.starts_with(b"-"));
    let joined = plain.map_or(word, |letters| {
        let flags = letters
            .iter()
            .take_while(|letter| flags.as_bytes().contains(letter))
            .count();
        &letters[flags..]
    });
    options.iter().find_map(|option| {
        let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1);
        let rest = match letter {
            Some(letter) => joined
                .strip_prefix(letter.as_bytes())
                .filter(|_| plain.is_some())?,
            None => word.strip_prefix(option.as_bytes())?,
        };
        match rest {
            b"" => Some(Value::Next),
            [b'=', text @ ..] if option.starts_with("--") => Some(Value::Joined(text)),
            text if letter.is_some() => Some(Value::Joined(text)),
            _ => None,
        }
    })
}
