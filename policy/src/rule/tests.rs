use std::collections::BTreeSet;

use super::*;

#[test]
fn every_rule_has_a_whole_row() {
    assert_eq!(ROWS.len(), Rule::ALL.len());
    let mut ids = BTreeSet::new();
    for (at, rule) in Rule::ALL.into_iter().enumerate() {
        let row = rule.row();
        assert_eq!((row.rule, rule as usize), (rule, at), "{}", rule.id());
        assert!(ids.insert(rule.id()), "{} twice", rule.id());
        assert_eq!(Rule::from_id(rule.id()), Some(rule), "{}", rule.id());
        assert!(
            rule.id()
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
            "{}",
            rule.id()
        );
        for text in [row.summary, row.instead] {
            assert!(
                !text.is_empty() && !text.ends_with('.') && !text.contains('\n'),
                "{}: {text}",
                rule.id()
            );
            assert!(
                text.starts_with(|first: char| first.is_ascii_lowercase()),
                "{}: {text}",
                rule.id()
            );
        }
        assert!(row.instead.len() <= 100, "{}: say it shorter", rule.id());
        assert!(
            !row.refused.is_empty() && !row.allowed.is_empty(),
            "{} has no examples",
            rule.id()
        );
        for (command, instead) in row.refused {
            // What nobody may do from below the guard is said to be the user's.
            assert!(
                !instead.is_empty() || row.instead.contains("ask the user"),
                "{}: {command} leaves no way",
                rule.id()
            );
        }
        for command in row.allowed {
            assert!(
                row.refused.iter().all(|(refused, _)| refused != command),
                "{}: {command} is on both sides",
                rule.id()
            );
        }
    }
}

/// The ids and who can lift them, as users of the field know them.
#[test]
fn ids_are_stable() {
    let rows = [
        ("floor-path", false),
        ("system-path", true),
        ("empty-variable-expansion", false),
        ("tilde-ambiguous", false),
        ("empty-target", false),
        ("no-targets", false),
        ("glob-no-match", false),
        ("glob-breadth", true),
        ("out-of-scope", true),
        ("denied", true),
        ("project-root", true),
        ("vcs-metadata", true),
        ("guard-file", false),
        ("unresolvable-target", false),
        ("unparseable-command", false),
        ("mount-crossing", true),
        ("self-overwrite", false),
        ("policy-in-doubt", false),
        ("guard", true),
    ];
    assert_eq!(rows.len(), Rule::ALL.len());
    for (id, overridable) in rows {
        let rule = Rule::from_id(id).unwrap_or_else(|| panic!("no rule {id}"));
        assert_eq!(rule.overridable().by_config(), overridable, "{id}");
    }
    assert_eq!(
        Rule::from_id("unparseable-command-pipe"),
        Some(Rule::UnparseableCommand)
    );
    assert_eq!(Rule::from_id("nothing"), None);
}
