//! A line of the log for a person.

use serde_json::Value;

use super::time;
use crate::message::escape;

/// The headline.
#[must_use]
pub fn columns() -> String {
    format!(
        "{:<19}  {:<7}  {:<36}  WHAT",
        "TIME (UTC)", "VERDICT", "RULE"
    )
}

/// One row.
#[must_use]
pub fn row(entry: &Value) -> String {
    let time = entry["time"].as_u64().map_or_else(String::new, time::shown);
    let verdict = if entry["verdict"] == "allow" && is_near(entry) {
        "near"
    } else {
        text(&entry["verdict"])
    };
    let row = format!(
        "{time:<19}  {verdict:<7}  {:<36}  {}",
        rules(entry).join(" "),
        what(entry)
    );
    escape(row.trim_end().as_bytes())
}

fn is_near(entry: &Value) -> bool {
    entry["near"]
        .as_array()
        .is_some_and(|near| !near.is_empty())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The refused targets of an entry, at every layer: with actions, or flat as the library writes it.
pub(super) fn refused(entry: &Value) -> Vec<&Value> {
    if entry["verdict"] != "refuse" {
        return Vec::new();
    }
    match entry["actions"].as_array() {
        Some(actions) => actions
            .iter()
            .filter_map(|action| action["targets"].as_array())
            .flatten()
            .filter(|target| target["verdict"] == "refuse")
            .collect(),
        None => vec![entry],
    }
}

/// What was passed, and why.
pub(super) fn near(entry: &Value) -> impl Iterator<Item = &Value> {
    entry["near"].as_array().into_iter().flatten()
}

fn rules(entry: &Value) -> Vec<&str> {
    let refused = refused(entry);
    let mut rules: Vec<&str> = match refused.is_empty() {
        false => refused.iter().map(|target| text(&target["rule"])).collect(),
        true => near(entry).map(|near| text(&near["rule"])).collect(),
    };
    rules.dedup();
    rules
}

fn what(entry: &Value) -> String {
    if let Some(first) = refused(entry).first() {
        let target = [&first["resolved"], &first["path"], &first["spelled"]]
            .into_iter()
            .find_map(Value::as_str);
        let reason = target.or(entry["reason"].as_str()).unwrap_or_default();
        return format!("{} {reason}", text(&first["operation"]));
    }
    if let Some(near) = near(entry).next() {
        return format!("{}: {}", text(&near["reason"]), text(&entry["command"]));
    }
    if let Some(note) = entry["notes"].get(0).and_then(Value::as_str) {
        return format!("{note}: {}", text(&entry["command"]));
    }
    let path = entry["path"].as_str().or(entry["command"].as_str());
    format!("{} {}", text(&entry["operation"]), path.unwrap_or_default())
}
