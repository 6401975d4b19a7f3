//! `tests-are-not-silenced`: an edit after which a test or a check no longer speaks.

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Subject, What, file_name};
use crate::git::Silence;

pub(super) const GUARD: Guard = Guard {
    id: "tests-are-not-silenced",
    title: "an edit that skips a test, or lets a failing check pass",
    prevents: "an it.skip on the one test that failed: the bug it was about reached every customer",
    tools: &[Tool::Write, Tool::Edit],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::of(Call::Edit(
            "a.test.ts",
            "it('adds', () => {",
            "it.skip('adds', () => {",
        ))
        .given(SUITE),
        Example::of(Call::Edit("a.test.ts", "it('adds'", "xit('adds'")).given(SUITE),
        Example::of(Call::Edit("a.test.ts", "describe('a'", "describe.skip('a'")).given(SUITE),
        Example::of(Call::Edit(
            "test_a.py",
            "def test_a",
            "@pytest.mark.skip\ndef test_a",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            "test_a.py",
            "def test_a():",
            "def test_a():\n    pytest.skip('flaky')",
        ))
        .given(SUITE),
        Example::of(Call::Edit("ATest.java", "@Test", "@Disabled\n@Test")).given(SUITE),
        Example::of(Call::Edit("lib.rs", "#[test]", "#[test]\n#[ignore]")).given(SUITE),
        Example::of(Call::Edit("a_test.go", "t.Log(1)", "t.Skip(\"later\")")).given(SUITE),
        Example::of(Call::Write(
            "a.test.ts",
            "describe.skip('a', () => { it('adds', () => {}) })",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            ".github/workflows/ci.yml",
            "run: npm test",
            "run: npm test || true",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            ".github/workflows/ci.yml",
            "run: npm test",
            "run: npm test\n        continue-on-error: true",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            ".gitlab-ci.yml",
            "script: make test",
            "script: make test\n  allow_failure: true",
        ))
        .given(SUITE),
    ],
    allowed: &[
        Example::of(Call::Edit("a.test.ts", "it('adds'", "it('adds two'")).given(SUITE),
        Example::of(Call::Edit("b.test.ts", "it.skip('adds'", "it('adds'")).given(SUITE),
        Example::of(Call::Edit(
            "b.test.ts",
            "it.skip('adds', () => {})",
            "it.skip('adds two', () => {})",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            "docs.md",
            "# Tests",
            "# Tests\n\nNever write `it.skip` or `#[ignore]`.",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            "lib.rs",
            "let a = 1;",
            "let a = v.iter().skip(1);",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            "a_test.go",
            "t.Log(1)",
            "if testing.Short() {\n t.Skip(\"long\")\n}",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            "test_a.py",
            "def test_a",
            "@pytest.mark.skipif(sys.platform == 'win32')\ndef test_a",
        ))
        .given(SUITE),
        Example::of(Call::Edit(
            ".github/workflows/ci.yml",
            "run: npm test",
            "run: docker rm -f db || true\n      - run: npm test",
        ))
        .given(SUITE),
        Example::of(Call::Edit("Row.java", "String a;", "@Ignore String a;"))
            .given("echo 'String a;' > Row.java"),
        Example::of(Call::Edit("lexer.go", "t.Next()", "t.Skip(2)"))
            .given("echo 't.Next()' > lexer.go"),
        Example::of(Call::Write("new.test.ts", "it.skip('later', () => {})")),
        Example::of(Call::Edit(
            "a.test.ts",
            "it('adds'",
            "// it.skip is not for us\nit('adds'",
        ))
        .given(SUITE),
        Example::of(Call::Edit("deploy.sh", "rm x", "rm x || true"))
            .given("echo 'rm x' > deploy.sh"),
    ],
};

const SUITE: &str = r#"printf "describe('a', () => {\nit('adds', () => {\n})\n})\n" > a.test.ts
printf "it.skip('adds', () => {})\n" > b.test.ts
printf 'import pytest\ndef test_a():\n    pass\n' > test_a.py
printf '@Test\nvoid a() {}\n' > ATest.java
printf '#[test]\nfn a() { let a = 1; }\n' > lib.rs
printf 'func TestA(t *testing.T) {\n t.Log(1)\n}\n' > a_test.go
echo '# Tests' > docs.md
mkdir -p .github/workflows; printf 'steps:\n      - run: npm test\n' > .github/workflows/ci.yml
printf 'test:\n  script: make test\n' > .gitlab-ci.yml"#;

/// A kind of file, the marks that silence in it, and how its comments begin.
struct Language {
    endings: &'static [&'static str],
    marks: &'static [&'static str],
    comments: &'static [&'static str],
    /// The marks mean something else in files that are no tests.
    only_in_tests: bool,
}

const LANGUAGES: &[Language] = &[
    Language {
        endings: &[
            "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "vue", "svelte",
        ],
        marks: &[
            "it.skip(",
            "test.skip(",
            "describe.skip(",
            "context.skip(",
            "suite.skip(",
            "xit(",
            "xtest(",
            "xdescribe(",
            "xcontext(",
            "it.skip.",
            "test.skip.",
            "describe.skip.",
        ],
        comments: &["//", "*", "/*"],
        only_in_tests: false,
    },
    Language {
        endings: &["py"],
        marks: &[
            "@pytest.mark.skip\n",
            "@pytest.mark.skip(",
            "@unittest.skip\n",
            "@unittest.skip(",
            "pytest.skip(",
            ".skipTest(",
            "@skip\n",
            "@skip(",
        ],
        comments: &["#"],
        only_in_tests: false,
    },
    Language {
        endings: &["java", "kt", "groovy", "scala"],
        marks: &["@Disabled", "@Ignore\n", "@Ignore(", "@Ignore "],
        comments: &["//", "*", "/*"],
        only_in_tests: true,
    },
    Language {
        endings: &["rs"],
        marks: &["#[ignore]", "#[ignore ="],
        comments: &["//"],
        only_in_tests: false,
    },
    Language {
        endings: &["go"],
        marks: &["t.Skip(", "t.SkipNow(", "t.Skipf(", "b.Skip("],
        comments: &["//"],
        only_in_tests: true,
    },
    Language {
        endings: &["cs"],
        marks: &[
            "[Ignore]",
            "[Ignore(",
            "Skip = \"",
            "Assert.Ignore(",
            "Assert.Inconclusive(",
        ],
        comments: &["//"],
        only_in_tests: true,
    },
    Language {
        endings: &["rb"],
        marks: &["xit ", "xdescribe ", "xcontext ", "skip \"", "skip '"],
        comments: &["#"],
        only_in_tests: true,
    },
    Language {
        endings: &["php"],
        marks: &["markTestSkipped(", "markTestIncomplete("],
        comments: &["//", "*", "#"],
        only_in_tests: true,
    },
    Language {
        endings: &["swift"],
        marks: &["XCTSkip("],
        comments: &["//"],
        only_in_tests: true,
    },
];

/// What stands before a mark that holds only under a condition.
const CONDITIONS: &[&str] = &["if ", "if(", "unless "];

/// Words that make a step of a build one that checks.
const CHECKS: &[&str] = &[
    "test", "lint", "check", "spec", "clippy", "jest", "mypy", "tsc", "audit", "verify", "fmt",
];

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Change(change) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    if change.what != What::Written || change.is_new {
        return Ok(Opinion::Silent);
    }
    let name = file_name(change.path);
    let ending = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let known =
        |language: &&Language| (language.endings.iter()).any(|known| known.as_bytes() == ending);
    let language = LANGUAGES.iter().find(known);
    let count = |text: &[u8]| match language {
        _ if is_pipeline(change.path) => silent_steps(text),
        Some(language) if language.only_in_tests && !is_test(change.path) => Vec::new(),
        Some(language) => marks(language, text),
        None => Vec::new(),
    };
    let mut kept = false;
    for piece in change.pieces {
        let (before, after) = (count(&piece.old), count(&piece.new));
        kept |= !after.is_empty();
        if after.len() > before.len() {
            let mark = after
                .iter()
                .find(|mark| !before.contains(mark))
                .or(after.last());
            let mark = mark.map_or("", String::as_str);
            return Ok(Opinion::Refuses(Finding {
                operation: "silence",
                about: change.path.to_vec(),
                reasons: vec![format!("{}: what it is about would no longer be checked", crate::message::escape(mark.trim().as_bytes()))],
                instead: "fix what the test finds; if it must be skipped, ask the user and give the reason in the open".to_owned(),
            }));
        }
    }
    match kept {
        true => Opinion::passes("the mark was there before"),
        false => Ok(Opinion::Silent),
    }
}

/// Whether the project calls a file a test, by its own name or that of a folder.
fn is_test(path: &[u8]) -> bool {
    let lower = path.to_ascii_lowercase();
    let holds = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
    holds(b"test") || holds(b"spec")
}

/// The marks in a text, but for those in comments and under a condition.
fn marks(language: &Language, text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut conditional = false;
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    for line in lines {
        let plain = line.trim_ascii();
        let starts = |words: &[&str]| words.iter().any(|word| plain.starts_with(word.as_bytes()));
        if starts(language.comments) && !plain.starts_with(b"#[") {
            continue;
        }
        let whole = [plain, b"\n"].concat();
        for mark in language.marks {
            let mark = mark.as_bytes();
            for (at, _) in whole
                .windows(mark.len())
                .enumerate()
                .filter(|(_, part)| *part == mark)
            {
                // `exit(` is no `xit(`.
                let begins = at == 0
                    || !whole[at - 1].is_ascii_alphanumeric() && whole[at - 1] != b'_'
                    || !mark[0].is_ascii_alphabetic();
                if begins && !conditional && !starts(CONDITIONS) {
                    found.push(String::from_utf8_lossy(plain).into_owned());
                }
            }
        }
        if !plain.is_empty() {
            conditional = starts(CONDITIONS);
        }
    }
    found
}

fn is_pipeline(path: &[u8]) -> bool {
    let name = file_name(path);
    let holds = |part: &[u8]| path.windows(part.len()).any(|found| found == part);
    let yaml = name.ends_with(b".yml") || name.ends_with(b".yaml");
    yaml && (holds(b"/.github/workflows/")
        || holds(b"/.circleci/")
        || holds(b"/.buildkite/")
        || holds(b"/.woodpecker"))
        || [
            &b".gitlab-ci.yml"[..],
            b"azure-pipelines.yml",
            b"bitbucket-pipelines.yml",
            b".travis.yml",
            b".drone.yml",
            b"Jenkinsfile",
        ]
        .contains(&name)
}

/// Lines of a pipeline that let a failing step pass.
fn silent_steps(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .filter(|line| {
            let words: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let swallowed =
                words.contains("|| true") || words.contains("|| :") || words.contains("|| exit 0");
            words
                .trim_start_matches("- ")
                .starts_with("continue-on-error: true")
                || words.starts_with("allow_failure: true")
                || swallowed
                    && CHECKS
                        .iter()
                        .any(|check| words.to_ascii_lowercase().contains(check))
        })
        .map(str::to_owned)
        .collect()
}
