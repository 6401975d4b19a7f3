//! Where things stand.

use crate::shell::ast::{CommandKind, Dialect, Span};
use crate::shell::{read, walk};

fn words(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    walk::for_each_command(&read(source.as_bytes(), Dialect::Bash), &mut |command| {
        if let CommandKind::Simple { words, .. } = &command.kind {
            for word in words {
                found.push(&source[word.span.start..word.span.end]);
            }
        }
    });
    found
}

#[test]
fn spans_are_those_of_the_whole_string() {
    for (source, expected) in [
        ("a  'b c' $(d e)", &["a", "'b c'", "$(d e)", "d", "e"][..]),
        ("a <<E\n$(b c)\nE\nd", &["a", "b", "c", "d"]),
        ("a \\\n b", &["a", "b"]),
        ("a\\\nb c", &["a\\\nb", "c"]),
        ("a `b c`", &["a", "`b c`", "`b c`", "`b c`"]),
        ("a <<-E\n\t$(b)\n\tE\n", &["a", "\t$(b)\n"]),
        ("a \"${x:-$(b)}\"", &["a", "\"${x:-$(b)}\"", "b"]),
    ] {
        assert_eq!(words(source), expected, "{source}");
    }
}

#[test]
fn a_command_spans_its_redirections() {
    let source = "a; { b; } >f 2>&1; X=1 c <g";
    let script = read(source.as_bytes(), Dialect::Bash);
    let spans: Vec<Span> = script
        .list
        .items
        .iter()
        .map(|item| item.first.commands[0].span)
        .collect();
    let texts: Vec<&str> = spans
        .iter()
        .map(|span| &source[span.start..span.end])
        .collect();
    assert_eq!(texts, ["a", "{ b; } >f 2>&1", "X=1 c <g"]);
}
