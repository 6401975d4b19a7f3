//! Judging any string: soon, without a panic, and never allowing what may destroy and cannot be read.
#![no_main]

use blastradius_cli::shell::{ast::Dialect, read, tail::holds_destructive_word};
use blastradius_fuzz::{Judge, soon};
use libfuzzer_sys::fuzz_target;

/// Refused wherever it runs.
const DESTROYS: &[u8] = b"rm -rf /h/Documents";

/// What may keep a later line from being run, or make it mean something else.
const DIVERTS: [&[u8]; 23] = [
    b"exit",
    b"return",
    b"exec",
    b"set",
    b"?",
    b"<<",
    b"while",
    b"until",
    b"break",
    b"continue",
    b"rm",
    b"function",
    b"()",
    b"( )",
    b"alias",
    b"kill",
    b"opt",
    b"false",
    b"\\",
    b"eval",
    b"emulate",
    b"logout",
    b"trap",
];

thread_local! {
    static JUDGE: Judge = Judge::new();
}

/// Longer strings cost more than they find.
const LONGEST: usize = 64 << 10;

fn refused(source: &[u8], dialect: Dialect) -> bool {
    JUDGE.with(|judge| soon("judging", || judge.judge(source, dialect).is_refused()))
}

fuzz_target!(|source: &[u8]| {
    if source.len() > LONGEST {
        return;
    }
    let bash = refused(source, Dialect::Bash);
    let unknown = refused(source, Dialect::Unknown);
    for (dialect, refused) in [(Dialect::Bash, bash), (Dialect::Unknown, unknown)] {
        if let Some(error) = read(source, dialect).error
            && holds_destructive_word(&source[error.line_start..])
        {
            assert!(refused, "{dialect:?} cannot read it to its end");
        }
    }
    let after = [DESTROYS, b"\n", source].concat();
    assert!(
        refused(&after, Dialect::Bash),
        "it takes back what ran before it"
    );

    let script = read(source, Dialect::Bash);
    let diverts = |part: &[u8]| source.windows(part.len()).any(|window| window == part);
    if script.error.is_none() && !DIVERTS.into_iter().any(diverts) {
        let before = [source, b"\n", DESTROYS].concat();
        assert!(
            refused(&before, Dialect::Bash),
            "it hides what runs after it"
        );
    }
});
