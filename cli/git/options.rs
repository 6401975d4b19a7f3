//! The words after a sub-command: options as git's own parser takes them, operands, and paths behind `--`.

/// A word; `None` if it is not known before the command runs.
pub(crate) type Word = Option<Vec<u8>>;

/// The options of one sub-command that matter here, and those that take a value.
pub(crate) struct Options {
    /// As for `getopt`: a letter followed by `:` takes a value, by `::` only one joined to it.
    pub(crate) short: &'static str,
    /// Name and letter. A name that ends in `=` takes a value, one in `?` only a value joined by `=`.
    pub(crate) long: &'static [(&'static str, u8)],
}

/// What the words say.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// Options by their letters, with their values.
    given: Vec<(u8, Option<Word>)>,
    /// Operands before `--`.
    pub(crate) operands: Vec<Word>,
    /// Operands behind it; `None` if there is no `--`.
    pub(crate) behind: Option<Vec<Word>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    Joined,
}

/// The options of `git add` that guards go by.
pub(crate) const ADD: Options = Options {
    short: "Aufinpve",
    long: &[
        ("all", b'A'),
        ("update", b'u'),
        ("dry-run", b'n'),
        ("refresh", b'n'),
        ("patch", b'p'),
        ("interactive", b'i'),
        ("chmod=", b'x'),
        ("pathspec-from-file=", b'F'),
    ],
};

/// Those of `git commit`.
pub(crate) const COMMIT: Options = Options {
    short: "ac:C:F:m:t:S::u::",
    long: &[
        ("all", b'a'),
        ("dry-run", b'n'),
        ("message=", b'm'),
        ("file=", b'F'),
        ("author=", b'm'),
        ("date=", b'm'),
        ("fixup=", b'm'),
        ("squash=", b'm'),
        ("trailer=", b'm'),
        ("cleanup=", b'm'),
        ("template=", b'm'),
        ("reuse-message=", b'm'),
        ("reedit-message=", b'm'),
        ("pathspec-from-file=", b'P'),
    ],
};

impl Options {
    fn short(&self, letter: u8) -> Takes {
        let table = self.short.as_bytes();
        match table.iter().position(|known| *known == letter) {
            None => Takes::Nothing,
            Some(at) => match &table[at + 1..] {
                [b':', b':', ..] => Takes::Joined,
                [b':', ..] => Takes::Value,
                _ => Takes::Nothing,
            },
        }
    }

    /// The option that `name` spells or begins.
    fn long(&self, name: &[u8]) -> Option<(u8, Takes)> {
        let row = |(spelling, letter): &(&'static str, u8)| {
            let spelling = spelling.as_bytes();
            let (full, takes) = match spelling {
                [full @ .., b'='] => (full, Takes::Value),
                [full @ .., b'?'] => (full, Takes::Joined),
                full => (full, Takes::Nothing),
            };
            (full, *letter, takes)
        };
        let rows = || self.long.iter().map(row);
        rows()
            .find(|(full, ..)| *full == name)
            .or_else(|| rows().find(|(full, ..)| full.starts_with(name)))
            .map(|(_, letter, takes)| (letter, takes))
    }

    /// Reads the words. An option that is not listed is a flag without a letter.
    pub(crate) fn read(&self, words: &[Word]) -> Line {
        let mut line = Line::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.as_deref() {
                Some(b"--") => {
                    line.behind = Some(rest.cloned().collect());
                    break;
                }
                Some([b'-', b'-', text @ ..]) => {
                    let equals = text.iter().position(|byte| *byte == b'=');
                    let joined = equals.map(|at| Some(text[at + 1..].to_vec()));
                    let name = &text[..equals.unwrap_or(text.len())];
                    match self.long(name) {
                        Some((letter, Takes::Value)) => {
                            let value = joined.or_else(|| rest.next().cloned());
                            line.given.push((letter, value));
                        }
                        Some((letter, _)) => line.given.push((letter, joined)),
                        None => {}
                    }
                }
                Some([b'-', cluster @ ..]) if !cluster.is_empty() => {
                    for (at, letter) in cluster.iter().enumerate() {
                        let after = &cluster[at + 1..];
                        let joined = (!after.is_empty()).then(|| Some(after.to_vec()));
                        match self.short(*letter) {
                            Takes::Nothing => line.given.push((*letter, None)),
                            Takes::Joined => line.given.push((*letter, joined)),
                            Takes::Value => {
                                let value = joined.or_else(|| rest.next().cloned());
                                line.given.push((*letter, value));
                            }
                        }
                        if self.short(*letter) != Takes::Nothing {
                            break;
                        }
                    }
                }
                _ => line.operands.push(word.clone()),
            }
        }
        line
    }
}

impl Line {
    pub(crate) fn has(&self, letter: u8) -> bool {
        self.given.iter().any(|(known, _)| *known == letter)
    }

    pub(crate) fn has_any(&self, letters: &[u8]) -> bool {
        letters.iter().any(|letter| self.has(*letter))
    }

    pub(crate) fn count(&self, letter: u8) -> usize {
        self.values(letter).count()
    }

    /// The value of the last of these options; the word in it may not be known.
    pub(crate) fn value(&self, letter: u8) -> Option<&Word> {
        self.values(letter).last().flatten()
    }

    /// The values of all options of this letter.
    pub(crate) fn values(&self, letter: u8) -> impl Iterator<Item = Option<&Word>> {
        self.given
            .iter()
            .filter(move |(known, _)| *known == letter)
            .map(|(_, value)| value.as_ref())
    }

    /// The last of these options that was given.
    pub(crate) fn last_of(&self, letters: &[u8]) -> Option<u8> {
        let last = self
            .given
            .iter()
            .rfind(|(known, _)| letters.contains(known));
        last.map(|(known, _)| *known)
    }

    /// Every operand, on either side of `--`.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Word> {
        self.operands.iter().chain(self.behind.iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, Word};

    const OPTIONS: Options = Options {
        short: "fs:t::",
        long: &[("force", b'f'), ("source=", b's'), ("track?", b't')],
    };

    fn words(line: &str) -> Vec<Word> {
        let word = |word: &str| (word != "?").then(|| word.as_bytes().to_vec());
        line.split_whitespace().map(word).collect()
    }

    #[test]
    fn options_take_values_as_gits_parser_does() {
        for (line, flags, source, operands, behind) in [
            ("-fq x", "fq", None, "x", None),
            ("x --for", "f", None, "x", None),
            ("-fsREF x", "fs", Some("REF"), "x", None),
            ("-s REF x", "s", Some("REF"), "x", None),
            ("--source REF -- x", "s", Some("REF"), "", Some("x")),
            ("--source=REF ? x", "s", Some("REF"), "? x", None),
            ("--track x", "t", None, "x", None),
            ("-- -f", "", None, "", Some("-f")),
            ("- --unheard-of x", "", None, "- x", None),
        ] {
            let read = OPTIONS.read(&words(line));
            let given: Vec<u8> = read.given.iter().map(|(letter, _)| *letter).collect();
            assert_eq!(given, flags.as_bytes(), "{line}");
            let value = read.value(b's').cloned().flatten();
            assert_eq!(value.as_deref(), source.map(str::as_bytes), "{line}");
            assert_eq!(read.operands, words(operands), "{line}");
            assert_eq!(read.behind, behind.map(words), "{line}");
        }
    }
}
