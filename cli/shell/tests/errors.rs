//! What cannot be read, and what is kept of it.

use super::render;
use crate::shell::ast::Dialect;
use crate::shell::read;

#[test]
fn keeps_the_lines_before_an_error() {
    // The string, what is kept, where the line of the error begins, where the error is.
    for (source, kept, line_start, at) in [
        ("rm -rf d\n)", "rm -rf d;", 9, 9),
        ("rm -rf d; )", "", 0, 10),
        ("a\nb; c )\nd", "a;", 2, 7),
        ("a\nif b\nthen c )\n", "a;", 2, 14),
        ("a <<E\n'\nE\nb 'c", "a <<{''⏎'};", 10, 12),
        ("a\n\n# x\n  b ;;", "a;", 9, 11),
        ("a; `b )`", "", 0, 3),
        ("a\n$(b", "a;", 2, 5),
        (")", "", 0, 0),
    ] {
        let script = read(source.as_bytes(), Dialect::Bash);
        let error = script.error.unwrap();
        assert_eq!(render::list(&script.list), kept, "{source}");
        assert_eq!((error.line_start, error.at), (line_start, at), "{source}");
    }
}

#[test]
fn refuses_what_no_shell_runs() {
    for source in [
        "a\0b",
        "(",
        ")",
        "()",
        "{ }",
        "{ a",
        "{ a }",
        "if",
        "if a; then b",
        "if a; then fi",
        "fi",
        "done",
        "a ;; b",
        "; a",
        "a & ; b",
        "a | ",
        "a && ",
        "| a",
        "&& a",
        "while a; do b",
        "for",
        "for x in a; b",
        "for 'x",
        "case",
        "case x",
        "case x in a",
        "case x in a) b",
        "case x in a b) c;; esac",
        "f() ",
        "f() a",
        "function",
        "a (b)",
        "a (",
        "'a",
        "\"a",
        "$'a",
        "`a",
        "$(a",
        "${a",
        "${a:-",
        "$((a",
        "$[a",
        "<(a",
        "a >",
        "a > ; b",
        "a < (b)",
        "[[ a",
        "[[ a ; b ]]",
        "((a",
        "((a)",
        "X=(a",
        "X=(a;b)",
        "(a) b",
        "{ a; } b",
        "a <<",
        "a <<'E",
        "coproc",
        "coproc ! a",
        "!(a) b",
        "a <<`b`\n",
        "a <<$(b)\n",
        "}",
        "a; }",
        "\"${x:-it's}\"",
    ] {
        assert!(
            read(source.as_bytes(), Dialect::Bash).error.is_some(),
            "{source}"
        );
    }
}

#[test]
fn refuses_a_nul_byte_wherever_it_stands() {
    let script = read(b"rm d\nrm e\0", Dialect::Bash);
    assert_eq!(
        script.error.map(|error| (error.at, error.line_start)),
        Some((9, 0))
    );
    assert!(script.list.items.is_empty());
}
