//! What a command shows of the files that it reads, and of what it is fed.

use super::holds;
use crate::git::Word;

/// What it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Content, or parts of it.
    Content,
    /// The names of settings without their values, a count, or nothing.
    Less,
}

/// Programs that print what they read.
const PRINTERS: &[&str] = &[
    "cat",
    "bat",
    "batcat",
    "tac",
    "nl",
    "head",
    "tail",
    "less",
    "more",
    "most",
    "strings",
    "xxd",
    "od",
    "hexdump",
    "hd",
    "base64",
    "base32",
    "sort",
    "uniq",
    "paste",
    "fold",
    "fmt",
    "column",
    "rev",
    "pr",
    "tee",
    "diff",
    "sdiff",
    "colordiff",
    "comm",
    "jq",
    "yq",
    "tr",
    "view",
    "pygmentize",
    "ccat",
    "expand",
];

const SEARCHERS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "zgrep",
];

/// What a program shows of the files that it is given; `None` if it is not known to print any.
fn sight(name: &[u8], words: &[Word]) -> Option<Sight> {
    let is = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    let known = || words.iter().filter_map(Option::as_deref);
    if is(PRINTERS) {
        return Some(Sight::Content);
    }
    if is(SEARCHERS) {
        return Some(searched(words));
    }
    let less = match name {
        // `s/=.*//` keeps the names alone.
        b"sed" | b"gsed" => known().any(|word| {
            word.starts_with(b"-i") || word.starts_with(b"--in-place") || holds(word, b"=.*")
        }),
        b"awk" | b"gawk" | b"mawk" => {
            let parts = known().any(|word| word == b"-F=" || word == b"=")
                || known().any(|word| holds(word, b"FS"));
            parts
                && known()
                    .any(|word| holds(word, b"$1") && !holds(word, b"$0") && !holds(word, b"$2"))
        }
        b"cut" => {
            let parts = known().any(|word| matches!(word, b"-d=" | b"=" | b"--delimiter=="));
            parts && known().any(|word| matches!(word, b"-f1" | b"1" | b"--fields=1"))
        }
        _ => return None,
    };
    Some(if less { Sight::Less } else { Sight::Content })
}

/// `grep`: its lines, unless it is asked for less.
fn searched(words: &[Word]) -> Sight {
    let mut only = false;
    let mut patterns: Vec<&[u8]> = Vec::new();
    let mut rest = words.iter().filter_map(Option::as_deref);
    let mut first = None;
    while let Some(word) = rest.next() {
        match word {
            b"--quiet"
            | b"--silent"
            | b"--count"
            | b"--files-with-matches"
            | b"--files-without-match" => {
                return Sight::Less;
            }
            b"--only-matching" => only = true,
            b"-e" => patterns.extend(rest.next()),
            [b'-', b'-', ..] => {}
            [b'-', letters @ ..] if !letters.is_empty() => {
                if letters.iter().any(|letter| b"qclL".contains(letter)) {
                    return Sight::Less;
                }
                only |= letters.contains(&b'o');
            }
            word => {
                first.get_or_insert(word);
            }
        }
    }
    if patterns.is_empty() {
        patterns.extend(first);
    }
    // A pattern that ends at the `=` cannot show what stands behind it.
    let ends = |pattern: &&[u8]| {
        !holds(pattern, b".") && pattern.trim_ascii_end().ends_with(b"=") || is_name_only(pattern)
    };
    if only && !patterns.is_empty() && patterns.iter().all(ends) {
        Sight::Less
    } else {
        Sight::Content
    }
}

/// `^[A-Z_]*`
fn is_name_only(pattern: &[u8]) -> bool {
    pattern.starts_with(b"^") && !holds(pattern, b".") && !holds(pattern, b"=")
}

/// The secret file whose content a command shows, or hands on. `secret` says whether a word names one.
pub(crate) fn reads_secret(
    name: &[u8],
    words: &[Word],
    secret: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let shown = sight(name, words);
    // The first operand of a search is what is looked for.
    let is_search = SEARCHERS.iter().any(|known| known.as_bytes() == name);
    let plain = |word: &&Word| word.as_deref().is_some_and(|word| !word.starts_with(b"-"));
    let by_option = words
        .iter()
        .flatten()
        .any(|word| word == b"-e" || word == b"-f");
    let pattern = (is_search && !by_option)
        .then(|| words.iter().position(|word| plain(&word)))
        .flatten();
    let words = words
        .get(pattern.map_or(0, |at| at + 1)..)
        .unwrap_or_default();
    match shown {
        Some(Sight::Content) => words.iter().flatten().find_map(|word| secret(word)),
        Some(Sight::Less) => None,
        None if name == b"dd" => words
            .iter()
            .flatten()
            .find_map(|word| secret(word.strip_prefix(b"if=")?)),
        None if is_interpreter(name) => words
            .iter()
            .flatten()
            .find_map(|word| in_code(word, secret)),
        None => None,
    }
}

/// Whether a command hands on what it is fed.
pub(crate) fn hands_on(name: &[u8], words: &[Word]) -> bool {
    sight(name, words) == Some(Sight::Content)
}

fn is_interpreter(name: &[u8]) -> bool {
    let end = name
        .iter()
        .rposition(|byte| !byte.is_ascii_digit() && *byte != b'.')
        .map_or(0, |end| end + 1);
    matches!(
        &name[..end],
        b"python" | b"pypy" | b"node" | b"nodejs" | b"bun" | b"deno" | b"ruby" | b"perl" | b"php"
    )
}

/// Code that opens a secret file and prints.
fn in_code(code: &[u8], secret: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let opens = [
        &b"open("[..],
        b"read_text",
        b"readFile",
        b"File.read",
        b"IO.read",
        b"file_get_contents",
        b"Bun.file",
    ];
    let prints = [
        &b"print"[..],
        b"console.log",
        b"stdout",
        b"puts",
        b"echo ",
        b"p ",
    ];
    let any = |words: &[&[u8]]| words.iter().any(|word| holds(code, word));
    if !any(&opens) || !any(&prints) {
        return None;
    }
    let mut rest = code;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'"' | b'\'')) {
        let quote = rest[at];
        let tail = &rest[at + 1..];
        let end = tail.iter().position(|byte| *byte == quote)?;
        if let Some(path) = secret(&tail[..end]) {
            return Some(path);
        }
        rest = &tail[end + 1..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{hands_on, reads_secret};
    use crate::git::Word;

    #[test]
    fn names_and_counts_are_no_content() {
        for (line, shows) in [
            ("cat .env", true),
            ("head -n 5 .env", true),
            ("sed -n 1,5p .env", true),
            ("sed s/=.*// .env", false),
            ("sed -i s/a/b/ .env", false),
            ("grep KEY .env", true),
            ("grep -o ^[A-Z_]*= .env", false),
            ("grep -o KEY=.* .env", true),
            ("grep -q KEY .env", false),
            ("grep -c = .env", false),
            ("cut -d= -f1 .env", false),
            ("cut -d= -f2 .env", true),
            ("awk -F= {print$1} .env", false),
            ("awk {print} .env", true),
            ("wc -l .env", false),
            ("cp .env x", false),
            ("python3 -c print(open('.env').read())", true),
            ("python3 -c load_dotenv('.env')", false),
        ] {
            let mut words = line.split(' ').map(|word| word.as_bytes().to_vec());
            let name = words.next().unwrap();
            let words: Vec<Word> = words.map(Some).collect();
            let secret = |word: &[u8]| (word == b".env").then(|| word.to_vec());
            assert_eq!(
                reads_secret(&name, &words, &secret).is_some(),
                shows,
                "{line}"
            );
        }
        assert!(hands_on(b"cat", &[]) && !hands_on(b"wc", &[]) && !hands_on(b"xargs", &[]));
    }
}
