//! How often each rule refused, nearly refused, and was tried again.

use std::collections::BTreeMap;

use serde_json::Value;

use super::table::{near, refused};

#[derive(Default)]
struct Count {
    refused: u64,
    near: u64,
    retried: u64,
}

/// One line a rule, or nothing if there is none.
#[must_use]
pub fn summary<'e>(entries: impl Iterator<Item = &'e Value>) -> String {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for entry in entries {
        for target in refused(entry) {
            let count = counts.entry(rule(target)).or_default();
            count.refused += 1;
            count.retried += u64::from(target["evidence"]["refused_before"].is_string());
        }
        for near in near(entry) {
            counts.entry(rule(near)).or_default().near += 1;
        }
    }
    if counts.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "{:<42}  {:>8}  {:>6}  {:>7}",
        "RULE", "REFUSED", "NEAR", "RETRIED"
    );
    for (rule, count) in counts {
        text.push_str(&format!(
            "\n{rule:<42}  {:>8}  {:>6}  {:>7}",
            count.refused, count.near, count.retried
        ));
    }
    text
}

fn rule(entry: &Value) -> String {
    crate::message::escape(entry["rule"].as_str().unwrap_or("-").as_bytes())
}
