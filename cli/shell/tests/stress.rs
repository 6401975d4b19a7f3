//! Hostile strings: each is answered soon, on a small stack.

use std::thread;
use std::time::{Duration, Instant};

use crate::shell::ast::{Dialect, Script};
use crate::shell::{read, walk};

fn repeated(open: &str, count: usize, close: &str) -> String {
    open.repeat(count) + "a" + &close.repeat(count)
}

/// Processor time of this thread, which a busy machine does not change; where the kernel tells it.
fn used() -> Option<Duration> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn answered(source: String) -> Script {
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 50 });
    thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let before = (used(), Instant::now());
            let script = read(source.as_bytes(), Dialect::Unknown);
            let taken = match (before.0, used()) {
                (Some(before), Some(after)) => after - before,
                _ => before.1.elapsed(),
            };
            assert!(
                taken < limit,
                "{taken:?}: {}",
                source.chars().take(60).collect::<String>()
            );
            walk::for_each_command(&script, &mut |_| {});
            assert_eq!(script.clone(), script);
            assert!(!format!("{script:?}").is_empty());
            script
        })
        .unwrap()
        .join()
        .unwrap()
}

#[test]
fn answers_hostile_strings() {
    for (open, close) in [
        ("(", ")"),
        ("$(", ")"),
        ("\"$(echo ", ")\""),
        ("<(", ")"),
        ("{ ", ";}"),
        ("if ", ";then b;fi"),
        ("${a:-", "}"),
        ("\"${a:-", "}\""),
        ("$((", "))"),
        ("((", "))"),
        ("( (", "))"),
        ("((", ");b)"),
        ("$((", ");b)"),
        ("time ", ""),
        ("coproc ", ""),
        ("coproc N (", ")"),
        ("! ", ""),
        ("{", ""),
        ("`", "`"),
        ("$[", "]"),
        ("${a[", "]}"),
        ("a[", "]=b"),
        ("a=(", ")"),
        ("a=([", "]=b)"),
        ("a=([$(a=([", "])])"),
        ("f() ", ""),
        ("f() { ", ";}"),
        ("function f ", ""),
        ("case a in b) ", ";; esac"),
        ("while ", ";do b;done"),
        ("@(", ")"),
        ("[[ ( ", ") ]]"),
        ("[[ a =~ (", ")"),
        ("for ((", "));do a;done"),
        ("a <<E\n$(", ")\nE\n"),
        ("a <<E ", ""),
        ("a <<E $((", "\n"),
        ("\\\n", ""),
        ("a\\\n", ""),
        ("\"", ""),
        ("\"'", ""),
        ("'", ""),
        ("$'\\", ""),
        ("`\\", ""),
        ("$", ""),
        ("a;", ""),
        ("a&", ""),
        ("a|", ""),
        ("a&&", ""),
        ("\n", ""),
        ("#\n", ""),
        (">a ", ""),
        ("a ", ""),
        ("=(", ")"),
        ("X=(", ""),
        ("a[ ", ""),
        ("declare a[ ", ""),
        ("X=(a [ ", ""),
        ("${", "}"),
        ("${ a;", "}"),
        ("${a//", "/}"),
        ("${a:", "}"),
        ("\"${a:-'", ""),
        ("a <<E;", "\nE"),
        ("<<E\\\n", ""),
        ("! !(", ")"),
        ("a() {", ""),
    ] {
        for count in [50, 1_000, 20_000] {
            answered(repeated(open, count, close));
            answered(open.repeat(count));
        }
    }
}

#[test]
fn reads_long_strings_in_one_go() {
    for source in [
        "true;".repeat(7_000),
        format!("a $(cat <<'E'\n{}E\n)", "some text\n".repeat(100_000)),
        format!("cat <<E\n{}E\n", "some $text and `b`\n".repeat(3_500)),
        format!("cat <<-E\n{}\tE\n", "\tsome text\n".repeat(50_000)),
        format!("echo '{}'", "a".repeat(200_000)),
        format!("X=({})", "a ".repeat(50_000)),
        "a | ".repeat(7_000) + "b",
        "a && ".repeat(7_000) + "b",
        repeated("$(", 30, ")"),
        repeated("((", 30, ");b)"),
    ] {
        let error = answered(source.clone()).error;
        assert_eq!(
            error,
            None,
            "{}",
            source.chars().take(60).collect::<String>()
        );
    }
}

#[test]
fn refuses_what_is_too_long() {
    for (source, message, at_most) in [
        ("aaaa ".repeat(80_000), "the string is too long", 270_000),
        ("a".repeat(3 << 20), "the string is too long", 0),
        ("true;".repeat(100_000), "too many commands", 100_000),
    ] {
        let error = answered(source).error.unwrap();
        assert_eq!(error.message, message);
        assert!(error.at <= at_most, "{error:?}");
    }
}
