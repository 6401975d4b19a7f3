//! The words that `rm` is given by dash and by zsh, as judged and as they give them.
//!
//! Fewer strings than for bash, of what these two know: each runs in a shell of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use blastradius_cli::shell::ast::Dialect;

use super::{
    Call, VARIABLES, asked, invented, is_open, judged_as, missed, show, statements::Dice, tree,
};

/// Prints a record for every `rm` of the string that it is given.
const RUNNER: &str = r#"exec 3>&1 >/dev/null
PATH=/nowhere
rm() { printf '%s\0' R "$PWD" "$#" "$@" >&3; }
ulimit -t 2
string=$1; shift
eval "$string"
"#;

/// Strings of a thousand of which every word is known.
const LEAST_KNOWN: usize = 750;

/// The calls of `rm` that a shell makes, and whether it gets to the end without a complaint.
fn calls(shell: &str, tree: &Path, string: &str) -> (Vec<Call>, bool) {
    let complete = format!("{string}\nrm -- the end");
    let output = Command::new(shell)
        .args(["-c", RUNNER, shell, &complete, "one", "two words", ""])
        .env_clear()
        .envs(VARIABLES.iter().copied())
        .env("LC_ALL", "C")
        .env("PATH", "/usr/bin:/bin")
        .current_dir(tree)
        .stdin(Stdio::null())
        .output()
        .expect("the shell runs");
    let mut calls = super::records(&output.stdout);
    let ended = calls
        .pop_if(|(_, words)| words.ends_with(&[b"the".to_vec(), b"end".to_vec()]))
        .is_some();
    (calls, ended && output.stderr.is_empty())
}

fn filled(mut words: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    words.retain(|word| !word.is_empty());
    words
}

fn agrees(shell: &str, dialect: Dialect, tables: &Tables) {
    if Command::new(shell).args(["-c", ":"]).output().is_err() {
        eprintln!("skipped: no {shell}");
        return;
    }
    let mut dice = Dice(asked("BLASTRADIUS_FUZZ_SEED", 7) | 1);
    let count = asked("BLASTRADIUS_FUZZ_COUNT", 5000) / 5;
    let folder = tempfile::tempdir().expect("a folder");
    let tree = tree(folder.path());
    fs::create_dir_all(&tree).expect("a directory");
    let environment: Vec<(Vec<u8>, Vec<u8>)> = VARIABLES
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect();
    let positional = [shell, "one", "two words", ""];
    let (mut wrong, mut open) = (Vec::new(), 0);
    for _ in 0..count {
        let string = tables.string(&mut dice);
        let (calls, ended) = calls(shell, &tree, &string);
        let home = Path::new("/h");
        let report = judged_as(
            &tree,
            home,
            &string,
            dialect,
            environment.clone(),
            &positional,
        );
        if is_open(&report) {
            open += 1;
            continue;
        }
        // What comes out empty aims at nothing, and shells differ on where it stays.
        let calls: Vec<Call> = calls
            .into_iter()
            .map(|(cwd, words)| (cwd, filled(words)))
            .collect();
        let mut report = report;
        for action in &mut report.actions {
            action.argv = filled(std::mem::take(&mut action.argv));
        }
        let difference = if let Some((cwd, words)) = missed(&report, &calls) {
            format!("{shell} {} in {cwd:?}", show(words))
        } else if ended
            && dialect == Dialect::Zsh
            && let Some(action) = invented(&report, &calls)
        {
            format!("only {} in {:?}", show(&action.argv), action.cwd)
        } else {
            continue;
        };
        let ours = report.actions.iter();
        let ours = ours.map(|one| format!("\n    judged {} in {:?}", show(&one.argv), one.cwd));
        wrong.push(format!(
            "{string}\n    {difference}{}",
            ours.collect::<String>()
        ));
    }
    let count = usize::try_from(count).expect("a count");
    let known = (count - open) * 1000 / count.max(1);
    eprintln!(
        "{shell}: {count} strings, {}.{} % wholly known",
        known / 10,
        known % 10
    );
    assert!(
        wrong.is_empty(),
        "{} of {count} strings differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(known >= LEAST_KNOWN, "too little is wholly known");
}

/// What strings are made of.
struct Tables {
    /// In front of the command, with what separates them.
    before: &'static [&'static str],
    /// What is expanded.
    expansions: &'static [&'static str],
    /// What else stands in words.
    plain: &'static [&'static str],
}

impl Tables {
    fn word(&self, dice: &mut Dice) -> String {
        let mut word = String::new();
        for _ in 0..=dice.roll(3) {
            match dice.roll(6) {
                0 | 1 => word.push_str(dice.of(self.plain)),
                2 | 3 => word.push_str(dice.of(self.expansions)),
                4 => {
                    let inner = dice.of(self.expansions);
                    word.push_str(&format!("\"{}{inner}\"", dice.of(&["", "a", " "])));
                }
                _ => {
                    let (name, operator) = (
                        dice.of(&["X", "Y", "N", "Q", "L", "1", "3"]),
                        dice.of(&[":-", "-", ":+", "+"]),
                    );
                    let inner = match dice.roll(2) {
                        0 => dice.of(self.plain),
                        _ => dice.of(self.expansions),
                    };
                    word.push_str(&format!("${{{name}{operator}{inner}}}"));
                }
            }
        }
        word
    }

    fn string(&self, dice: &mut Dice) -> String {
        let mut string = String::new();
        for _ in 0..dice.roll(3) {
            match dice.roll(4) {
                0 => string.push_str(&format!("X={}; ", self.word(dice))),
                1 => string.push_str(&format!("set -- {} {}; ", self.word(dice), self.word(dice))),
                _ => string.push_str(dice.of(self.before)),
            }
        }
        let words: Vec<String> = (0..=dice.roll(2)).map(|_| self.word(dice)).collect();
        match dice.roll(8) {
            0 => format!("{string}for L in {}; do rm -- $L; done", words.join(" ")),
            1 => format!(
                "{string}for L in {}; do rm -- \"$L\"; done; rm -- $L",
                words.join(" ")
            ),
            2 => format!(
                "{string}f() {{ rm -- $1 \"$2\" $@; }}; f {}",
                words.join(" ")
            ),
            3 => format!(
                "{string}echo {} | while read -r L N; do rm -- $L \"$N\"; done",
                words.join(" ")
            ),
            4 => format!(
                "{string}case {} in a*) rm -- a;; *) rm -- {};; esac",
                words[0],
                words.join(" ")
            ),
            _ => format!("{string}rm -- {}", words.join(" ")),
        }
    }
}

const DASH: Tables = Tables {
    before: &[
        "cd a; ",
        "cd nope; ",
        "cd link; ",
        "cd -; ",
        "IFS=:; ",
        "IFS=; ",
        "IFS=/; ",
        "unset X; ",
        "set -f; ",
        "X=a:~/y; ",
        "export X=~/q; ",
        "N=$((N+1)); ",
        "shift; ",
        "unset IFS; ",
        "{ cd a; }; ",
        "(cd a); ",
        "echo | cd a; ",
        "true && X=e; ",
        "false && X=e; ",
        "readonly L=1; ",
        "read -r L N < /dev/null; ",
        "Y='*'; ",
        "f() { X=f; }; f; ",
        "f() { local X=f; }; f; ",
        "set -u; ",
        ": ${L:=~/k}; ",
        "eval 'X=\"$Q\"'; ",
        "while read -r L; do :; done < /dev/null; ",
        "HOME=/g; ",
        "cd ..; cd w; ",
        "set --; ",
        "X='a\\*'; ",
    ],
    expansions: &[
        "$X",
        "$Y",
        "$N",
        "$S",
        "$V",
        "$W",
        "$Q",
        "$G",
        "$L",
        "$@",
        "$*",
        "$#",
        "$1",
        "$3",
        "${X}",
        "${#X}",
        "${#Q}",
        "${Q%.*}",
        "${Q%%.*}",
        "${Q#*/}",
        "${Q##*/}",
        "${Q%/*}",
        "${V#p}",
        "${X% *}",
        "${X#'d'}",
        "${Q%\"x\"*}",
        "${Q#$L}",
        "${M%[.]*}",
        "${S# }",
        "${W%\\*}",
        "$((N+1))",
        "$((N*2-1))",
        "$((N>2?5:6))",
        "$((N))",
        "$((010))",
        "$((0x1f))",
        "$((N==3))",
        "$((N=4))",
        "$((-7/2))",
        "$((1<<3))",
        "$((!N))",
        "$(echo a b)",
        "$(echo '*')",
        "`echo c`",
        "$(printf '%s-' a b)",
        "$(printf '%s\\n' x y)",
        "$(cd a; pwd)",
        "$(echo \"$X\")",
        "$T",
        "$B",
    ],
    plain: &[
        "a", "b", "/", ".", "~", "~/x", "~root", "a:~", "a=~", "x=~/y", "*", "?", "[ab]", "*.log",
        "f?.log", "[!a]*", "a/*", "*/", ".e*", "'*'", "'q r'", "''", "\"\"", "\\*", "\\ ", "\\$X",
        "\\~", "{a,b}", "{1..3}", "$", "#", "-", "=", "a\\\nb", "'$X'", "*[!g]", "nope*", "link/*",
        "\"~\"", ":", "%",
    ],
};

const ZSH: Tables = Tables {
    before: &[
        "cd a; ",
        "cd nope; ",
        "cd link; ",
        "cd -; ",
        "unset X; ",
        "X=a:~/y; ",
        "export X=~/q; ",
        "N=$((N+1)); ",
        "shift; ",
        "{ cd a; }; ",
        "(cd a); ",
        "echo | cd a; ",
        "echo b | X=e; ",
        "true && X=e; ",
        "false && X=e; ",
        "Y='*'; ",
        "f() { X=f; }; f; ",
        "f() { local X=f; }; f; ",
        ": ${L:=~/k}; ",
        "eval 'X=\"$Q\"'; ",
        "HOME=/g; ",
        "set --; ",
        "A=(p 'q r' '' s.t); ",
        "A=(*); ",
        "X+=y; ",
        "pushd a > /dev/null; ",
        "read -r L N <<< 'p q r'; ",
        "printf -v L %s/ d; ",
        "setopt nullglob; ",
        "repeat 2 N=$((N+1)); ",
        "A=(); ",
        "A+=(z); ",
        "X=/d/e.f; ",
    ],
    expansions: &[
        "$X",
        "$Y",
        "$N",
        "$S",
        "$V",
        "$W",
        "$Q",
        "$G",
        "$L",
        "$@",
        "$*",
        "$#",
        "$1",
        "$3",
        "${X}",
        "${#X}",
        "${#Q}",
        "${Q%.*}",
        "${Q%%.*}",
        "${Q#*/}",
        "${Q##*/}",
        "${Q%/*}",
        "${V#p}",
        "${X% *}",
        "${X#'d'}",
        "${Q%\"x\"*}",
        "${Q#$L}",
        "${M%[.]*}",
        "${S# }",
        "$((N+1))",
        "$((N*2-1))",
        "$((N>2?5:6))",
        "$((N))",
        "$((0x1f))",
        "$((N==3))",
        "$((-7/2))",
        "$((2**3))",
        "$(echo a b)",
        "$(echo '*')",
        "`echo c`",
        "$(printf '%s-' a b)",
        "$(cd a; pwd)",
        "$T",
        "$Q:h",
        "$Q:t",
        "$Q:r",
        "$Q:e",
        "$Q:h:t",
        "$Q[1]",
        "$Q[-1]",
        "$X[2]",
        "$A",
        "${A[@]}",
        "$A[1]",
        "$A[-1]",
        "${Q:t}",
        "${Q/a/b}",
        "${Q//./-}",
        "${X:0:1}",
        "$'\\t'",
        "${A[2]}",
        "$Q[0]",
        "${V:2}",
    ],
    plain: &[
        "a",
        "b",
        "/",
        ".",
        "~",
        "~/x",
        "~root",
        "a:~",
        "a=~",
        "x=~/y",
        "*",
        "?",
        "[ab]",
        "*.log",
        "f?.log",
        "[!a]*",
        "a/*",
        "*/",
        ".e*",
        "'*'",
        "'q r'",
        "''",
        "\"\"",
        "\\*",
        "\\ ",
        "\\$X",
        "\\~",
        "{a,b}",
        "{1..3}",
        "{$N..5}",
        "#",
        "-",
        "a\\\nb",
        "'$X'",
        "link/*",
        "\"~\"",
        ":",
        "%",
        "{c..a}",
        "{a,'b c'}",
        "~+",
        "~$Z",
        "~'/x'",
        "$'a\\'b'",
    ],
};

#[test]
fn words_are_those_of_dash() {
    agrees("dash", Dialect::Sh, &DASH);
}

#[test]
fn words_are_those_of_zsh() {
    agrees("zsh", Dialect::Zsh, &ZSH);
}
