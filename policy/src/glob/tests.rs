use std::string::String;
use std::vec::Vec;

use globset::GlobBuilder;

use super::*;

/// Pattern, path, exact, above.
const ROWS: &[(&str, &str, bool, bool)] = &[
    ("", "", true, false),
    ("a", "a", true, false),
    ("a", "b", false, false),
    ("a", "a/b", false, true),
    ("a/b", "a", false, false),
    ("*", "a", true, false),
    ("*", "", false, false),
    ("*", "a/b", false, true),
    ("*.o", "a.o", true, false),
    ("*.o", ".o", true, false),
    ("*.o", "sub/a.o", false, false),
    ("out/*.o", "out/sub/z.o", false, false),
    ("a*b*c", "aXbYc", true, false),
    ("a*b*c", "abc", true, false),
    ("a*b*c", "abcd", false, false),
    ("a*b", "ab ab", true, false),
    ("*a*a*a*", "aa", false, false),
    ("?", "a", true, false),
    ("?", "ab", false, false),
    ("?", "é", true, false),
    ("?", "\u{10348}", true, false),
    ("f?o", "foo", true, false),
    ("**", "", true, false),
    ("**", "a", true, true),
    ("**", "a/b/c", true, true),
    ("a/**", "a", true, false),
    ("a/**", "a/b", true, true),
    ("a/**", "ab", false, false),
    ("**/a", "a", true, false),
    ("**/a", "b/c/a", true, false),
    ("**/a", "b/a/c", false, true),
    ("**/*.pem", "x/y/k.pem", true, false),
    ("**/a/**/b", "x/a/y/z/b", true, false),
    ("**/a/**/b", "a/b", true, false),
    ("**/a/**/b", "b/a", false, false),
    ("a/**/**/b", "a/b", true, false),
    ("a/*/b", "a/x/b", true, false),
    ("a/*/b", "a/b", false, false),
    ("a/*/b", "a/x/y/b", false, false),
    ("[ab]", "a", true, false),
    ("[ab]", "c", false, false),
    ("[!ab]", "c", true, false),
    ("[^ab]", "a", false, false),
    ("[a-c]x", "bx", true, false),
    ("[a-c]x", "dx", false, false),
    ("[]]", "]", true, false),
    ("[!]]", "a", true, false),
    ("[!]]", "]", false, false),
    ("[a-]", "-", true, false),
    ("[-a]", "-", true, false),
    ("[é-ü]", "ö", true, false),
    // A name that is spelled like the pattern needs no escape.
    ("[id]", "[id]", true, false),
    ("[id]", "d", true, false),
    ("[...slug]", "[...slug]", true, false),
    ("a*", "a*", true, false),
    (r"\*", "*", true, false),
    (r"\*", "a", false, false),
    (r"\[id\]", "[id]", true, false),
    (r"\[id\]", "i", false, false),
    (r"a\?", "a?", true, false),
    (r"a\?", "ab", false, false),
    (r"\\", "\\", true, false),
    ("{a", "{a", true, false),
    ("x y", "x y", true, false),
    ("*", "new\nline", true, false),
];

#[test]
fn matches_component_by_component() {
    for &(pattern, path, exact, above) in ROWS {
        let outcome = run(pattern.as_bytes(), path.as_bytes());
        assert_eq!(
            (outcome.exact, outcome.above),
            (exact, above),
            "{pattern} on {path}"
        );
    }
}

#[test]
fn a_byte_that_is_not_utf8_is_one_character() {
    assert!(run(b"a?c", b"a\xffc").exact);
    assert!(run(b"*", b"\xff\xfe").exact);
    assert!(!run(b"?", b"\xff\xfe").exact);
    assert!(!run(b"[!a]", b"\xff\xfe").exact);
    assert!(run(b"[!a]", b"\xff").exact);
}

/// Pattern, path, everything below is matched, something below may be.
const BELOW: &[(&str, &str, bool, bool)] = &[
    ("a/**", "a", true, true),
    ("a/**", "a/b", true, true),
    ("a/**", "", false, true),
    ("a/*/**", "a", true, true),
    ("a/*", "a", true, true),
    ("a/*.o", "a", false, true),
    ("a/*.o", "b", false, false),
    ("a", "a", true, false),
    ("a", "a/b", true, true),
    ("**", "", true, true),
    ("**/*.pem", "", false, true),
    ("**/*.pem", "x/y", false, true),
    ("**/*.pem", "x/k.pem", true, true),
    ("a/*/*", "a", false, true),
    ("a/**/b", "a", false, true),
    ("*/b", "a", false, true),
];

#[test]
fn tells_what_lies_below() {
    for &(pattern, path, all, some) in BELOW {
        let outcome = run(pattern.as_bytes(), path.as_bytes());
        assert_eq!(
            (outcome.all_below, outcome.some_below),
            (all, some),
            "{pattern} below {path}"
        );
    }
}

#[test]
fn bad_components_are_named() {
    let rows: &[(&str, Result<(), BadGlob>)] = &[
        ("a", Ok(())),
        ("**", Ok(())),
        ("*", Ok(())),
        ("{{name}}", Ok(())),
        ("{a", Ok(())),
        ("a,b", Ok(())),
        ("[a]", Ok(())),
        ("[]a]", Ok(())),
        (r"\[", Ok(())),
        (r"\*\*", Ok(())),
        ("a**", Err(BadGlob::Stars)),
        ("**a", Err(BadGlob::Stars)),
        ("***", Err(BadGlob::Stars)),
        ("[", Err(BadGlob::Class)),
        ("[]", Err(BadGlob::Class)),
        ("[!]", Err(BadGlob::Class)),
        ("[z-a]", Err(BadGlob::Class)),
        ("a[", Err(BadGlob::Class)),
        ("a\\", Err(BadGlob::Backslash)),
        ("{a,b}", Err(BadGlob::Braces)),
        ("x{a,b}y", Err(BadGlob::Braces)),
    ];
    for (component, expected) in rows {
        assert_eq!(check(component.as_bytes()), *expected, "{component}");
    }
}

#[test]
fn a_pattern_with_too_many_components_matches_nothing() {
    let long = "a/".repeat(COMPONENTS_MAX + 1);
    assert_eq!(run(long.as_bytes(), long.as_bytes()), Outcome::NONE);
    let fits = "a/".repeat(COMPONENTS_MAX);
    assert!(run(fits.as_bytes(), fits.as_bytes()).exact);
}

#[test]
fn no_pattern_takes_long() {
    let path = "a/".repeat(2000);
    let pattern = "**/a/".repeat(30);
    assert!(!run(format!("{pattern}b").as_bytes(), path.as_bytes()).exact);
    let name = "a".repeat(255);
    assert!(!run(format!("{}b", "*a".repeat(60)).as_bytes(), name.as_bytes()).exact);
}

/// A small generator of the same numbers on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit) as usize
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.below(from.len() as u64)].into()
    }

    fn path(&mut self, names: &[&str]) -> String {
        let depth = 1 + self.below(4);
        (0..depth)
            .map(|_| self.pick(names))
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// globset is the oracle. One difference is meant: there `a/**` does not match `a` itself.
#[test]
fn agrees_with_globset() {
    let parts = [
        "a", "b", "ab", "*", "?", "**", "a*", "*b", "*a*", "a?", "[ab]", "[!a]", "[a-b]*", "*.o",
        "x.o", r"\*",
    ];
    let names = [
        "a", "b", "ab", "ba", "aab", "x.o", ".o", "c", "*", "abb", "a.o",
    ];
    let mut numbers = Numbers(7);
    let mut matched = 0;
    for round in 0..6000 {
        let pattern = numbers.path(&parts);
        let oracle = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .unwrap_or_else(|error| panic!("{pattern}: {error}"))
            .compile_matcher();
        for _ in 0..12 {
            let path = numbers.path(&names);
            let itself = pattern.ends_with("/**") && oracle.is_match(format!("{path}/x"));
            let expected = oracle.is_match(&path) || itself;
            let found = run(pattern.as_bytes(), path.as_bytes());
            assert_eq!(found.exact, expected, "round {round}: {pattern} on {path}");
            let above = Canonicals(&path).any(|above| {
                oracle.is_match(above)
                    || (pattern.ends_with("/**") && oracle.is_match(format!("{above}/x")))
            }) || pattern.split('/').all(|part| part == "**");
            assert_eq!(found.above, above, "round {round}: {pattern} above {path}");
            matched += usize::from(expected);
        }
    }
    assert!(
        matched > 3000,
        "the generator makes too few matches: {matched}"
    );
}

/// The relative paths above a relative path.
struct Canonicals<'p>(&'p str);

impl<'p> Iterator for Canonicals<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        self.0 = self.0.rsplit_once('/')?.0;
        Some(self.0)
    }
}
