//! Where shells differ.

use crate::shell::ast::{Dialect, DoubtKind};
use crate::shell::read;

#[test]
fn doubts_where_shells_differ() {
    use DoubtKind::*;
    let all = &[Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Unknown][..];
    let unknown = &all[3..];
    let sh = &[Dialect::Sh, Dialect::Unknown][..];
    let left_open = &[Dialect::Bash, Dialect::Sh, Dialect::Unknown][..];
    let zsh = &[Dialect::Zsh, Dialect::Unknown][..];
    for (source, kind, dialects) in [
        ("!(a)", NegatedParenthesis, all),
        ("a <<E\nb", HereDocumentAtEnd, all),
        ("a <<E", HereDocumentAtEnd, all),
        ("a <<E\n$(b\nE", HereDocumentBody, all),
        ("${ a; }", FunctionSubstitution, all),
        ("\"${x:-'}'}\"", QuoteInQuotedParameter, sh),
        ("\"${x#'}'}\"", QuoteInQuotedParameter, unknown),
        ("\"${x/'}'}\"", QuoteInQuotedParameter, sh),
        ("$(a <<E\nE)", HereDocumentBody, &all[1..]),
        ("((a $(b <<E\nc\nE\n)) )", HereDocumentBody, all),
        ("$(a <<E)\nb\nE\n", HereDocumentBody, left_open),
        ("x=(@(a)\n)", ArrayPattern, all),
        ("a <<E\n\\\nE\n", HereDocumentBody, sh),
        ("a &> f", AmpersandRedirection, sh),
        ("$'a\\'b' #'", EscapedQuote, sh),
        ("$'a\\x41'", EscapedQuote, &all[1..2]),
        ("$'a'", EscapedQuote, &all[1..2]),
        ("$\"a\"", EscapedQuote, &all[1..2]),
        ("a <<'E\nF'\nE\nF", HereDocumentBody, sh),
        ("{a b; c}", ZshCompound, unknown),
        ("foreach a (b) c; end", ZshCompound, unknown),
        ("time { a; }", TimeKeyword, sh),
        (
            "\"${x:-'$(a \"'\")'}\"",
            UnevenSubstitution,
            &[Dialect::Bash, Dialect::Unknown],
        ),
        ("$[ b ]", SpacedSubscript, sh),
        ("a[ b ]=c", SpacedSubscript, &all[1..]),
        ("$((\\$a))", EscapedArithmetic, all),
        ("a >!f", ClobberRedirection, unknown),
        ("((a))", ArithmeticCommand, sh),
        ("[[ a ]]", ConditionalCommand, sh),
        ("function f { a; }", FunctionKeyword, sh),
        ("a *(b)", GlobQualifier, zsh),
    ] {
        for dialect in all {
            let script = read(source.as_bytes(), *dialect);
            let found = script.doubts.iter().any(|doubt| doubt.kind == kind);
            assert_eq!(found, dialects.contains(dialect), "{dialect:?}: {source}");
        }
    }
}

#[test]
fn does_not_doubt_what_is_plain() {
    for source in [
        "! (a)",
        "a <<E\nb\nE",
        "a <<'E'\n$(\nE",
        "${x}",
        "\"${x:-a}\"",
        "'a' $'b'",
        "a > f",
        "a & b",
        "$((a))",
        "\"${x#a}\" 'b'",
        "\"${x:-$(a 'b')}\"",
        "x=(a\nb)",
    ] {
        assert_eq!(
            read(source.as_bytes(), Dialect::Unknown).doubts,
            [],
            "{source}"
        );
    }
}

#[test]
fn reaches_to_the_end_where_shells_lose_each_other() {
    for source in [
        "a \"${x:-'}'}\"; b",
        "a $'\\''; b",
        "$(a <<E\nE); b",
        "$(a <<E)\nE\nb",
    ] {
        let doubt = read(source.as_bytes(), Dialect::Unknown).doubts[0];
        assert_eq!(doubt.span.end, source.len(), "{source}");
    }
    for (source, end) in [
        ("((a)); b", 5),
        ("((a<<1)); b", 11),
        ("[[ a ]]; b", 7),
        ("a >!b; c", 5),
        ("a &>b; c", 5),
    ] {
        let doubt = read(source.as_bytes(), Dialect::Unknown).doubts[0];
        assert_eq!(doubt.span.end, end, "{source}");
    }
}

#[test]
fn does_not_doubt_a_pattern_in_an_array_of_one_line() {
    assert_eq!(read(b"x=(@(a))\nb\n", Dialect::Bash).doubts, []);
}

#[test]
fn forgets_the_doubts_of_an_attempt_that_failed() {
    let script = read(b"((a \"${x:-'}'}\"); b)", Dialect::Unknown);
    let kinds: Vec<DoubtKind> = script.doubts.iter().map(|doubt| doubt.kind).collect();
    assert_eq!(kinds, [DoubtKind::QuoteInQuotedParameter]);
}
