//! Conditions: what is known of them, compared with bash.

use std::process::Command;

use super::{judge, targets};
use crate::shell::ast::Dialect;

/// Conditions, and whether they hold: `?` where that is not known beforehand.
const ROWS: &[(&str, &str)] = &[
    ("[ 1 -lt 2 ]", "yes"),
    ("[ 10 -lt 9 ]", "no"),
    ("[ 010 -eq 10 ]", "yes"),
    ("[ ' 3' -eq 3 ]", "yes"),
    ("[ $UNSET -lt 3 ]", "no"),
    ("[ -n \"$UNSET\" ]", "no"),
    ("[ -n $UNSET ]", "yes"),
    ("[ $UNSET ]", "no"),
    ("[ ]", "no"),
    ("[ ! ]", "yes"),
    ("[ ! x ]", "no"),
    ("[ ! -z x ]", "yes"),
    ("[ ! a = b ]", "yes"),
    ("test a != b", "yes"),
    ("test a == a", "yes"),
    ("[ -z '' -a -n x ]", "yes"),
    ("[ a = b -o 1 -eq 1 ]", "yes"),
    ("[ a = b -o 1 -eq 1 -a c = d ]", "no"),
    ("[ -n = ]", "yes"),
    ("[ = = = ]", "yes"),
    ("[ \"$$\" -gt 0 ]", "?"),
    ("[ -d a ]", "?"),
    ("[ x -lt 3 ]", "?"),
    ("[[ 1 -lt 2 ]]", "yes"),
    ("[[ 3 -gt 2 && 2 -gt 3 ]]", "no"),
    ("[[ 3 -gt 2 || -d a ]]", "yes"),
    ("[[ -d a && a == b ]]", "no"),
    ("[[ -d a ]]", "?"),
    ("[[ ! ( a == b || a == c ) ]]", "yes"),
    ("[[ $UNSET ]]", "no"),
    ("[[ -n $UNSET ]]", "no"),
    ("[[ -z $UNSET ]]", "yes"),
    ("[[ abc == a* ]]", "yes"),
    ("[[ abc == 'a*' ]]", "no"),
    ("[[ abc != *d ]]", "yes"),
    ("[[ abc == @(abc|d) ]]", "?"),
    ("[[ abc = abc ]]", "yes"),
    ("[[ -n -n ]]", "yes"),
    ("x=5; [[ x -eq 5 ]]", "yes"),
    ("x=y; y=7; [[ x -gt 6 ]]", "yes"),
    ("[[ 0x10 -eq 16 ]]", "yes"),
    ("p='a*'; [[ abc == $p ]]", "?"),
    ("p=abc; [[ abc == $p ]]", "yes"),
    ("p='a*'; [[ abc == \"$p\" ]]", "?"),
    ("[[ abc =~ b ]]", "?"),
    ("[[ a < b ]]", "?"),
    ("shopt -s nocasematch; [[ A == a ]]", "?"),
    (
        "shopt -s nocasematch; case A in a) true;; *) false;; esac",
        "?",
    ),
];

/// What is done if a condition holds, and if it does not.
fn known(condition: &str) -> &'static str {
    let report = judge(
        &[],
        Dialect::Bash,
        &format!("if {condition}; then rm /w/yes; else rm /w/no; fi"),
    );
    match targets(&report).as_str() {
        "/w/yes" => "yes",
        "/w/no" => "no",
        _ => "?",
    }
}

#[test]
fn knows_what_bash_would_say() {
    let mut wrong = Vec::new();
    for (condition, expected) in ROWS {
        let known = known(condition);
        if known != *expected {
            wrong.push(format!("{condition}: {known}, not {expected}"));
        }
        let outcome = Command::new("bash")
            .args([
                "-c",
                &format!("if {condition}; then echo yes; else echo no; fi"),
            ])
            .env_clear()
            .output()
            .expect("bash can be started");
        let said = String::from_utf8_lossy(&outcome.stdout);
        if known != "?" && known != said.trim() {
            wrong.push(format!("{condition}: {known}, but bash says {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn counts_the_turns_of_a_loop() {
    for (source, expected) in [
        (
            "i=0; while [ $i -lt 3 ]; do rm f$i; i=$((i+1)); done",
            "/w/f0 /w/f1 /w/f2",
        ),
        (
            "i=0; until [[ $i -ge 2 ]]; do rm f$i; ((i++)); done; rm $i",
            "/w/f0 /w/f1 /w/2",
        ),
        ("while [ $i -lt 3 ]; do rm f$i; done", ""),
        (
            "i=0; while [ $i -lt 100 ]; do i=$((i+1)); done; rm f$i",
            "/w/f<a variable that differs between branches> /w/f<the result of arithmetic>",
        ),
    ] {
        let report = judge(&[], Dialect::Bash, source);
        assert_eq!(targets(&report), expected, "{source}");
    }
}
