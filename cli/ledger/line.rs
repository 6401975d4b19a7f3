//! One line of a ledger.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::case::{Past, RefusedBefore};
use crate::message::rule_name;
use crate::report::Report;

/// So many paths of one call are kept, and as many bytes of them: a ledger is read at once.
const MOST_PATHS: usize = 64;
const MOST_BYTES: usize = 16 << 10;

/// The line of a call. What was refused has not happened.
pub(super) fn of(tool: &str, report: &Report) -> String {
    let refused = report.is_refused();
    let mut object = Map::new();
    object.insert("time".into(), json!(crate::log::now()));
    object.insert("tool".into(), json!(tool));
    object.insert(
        "verdict".into(),
        json!(if refused { "refuse" } else { "allow" }),
    );
    let trail = &report.trail;
    if refused {
        let targets = report.refusals().filter_map(|(action, target)| {
            let rule = target.refusal.as_ref().map(rule_name);
            Some(json!({
                "path": shown(target.resolved.as_deref()?),
                "program": shown(&action.program),
                "rule": rule,
            }))
        });
        object.insert("refused".into(), few(targets));
    } else {
        if !trail.written.is_empty() {
            let mut known = HashSet::new();
            let written = trail.written.iter().filter(|path| known.insert(*path));
            let written = written.map(|path| json!(shown(path)));
            object.insert("written".into(), few(written));
        }
        if !trail.secrets.is_empty() {
            let secrets = trail
                .secrets
                .iter()
                .map(|(path, of)| json!([shown(path), shown(of)]));
            object.insert("secrets".into(), few(secrets));
        }
        if trail.removed > 0 {
            object.insert("removed".into(), json!(trail.removed));
        }
    }
    let mut line = Value::Object(object).to_string();
    line.push('\n');
    line
}

/// The first ones, as far as there is room.
fn few(values: impl Iterator<Item = Value>) -> Value {
    let mut room = MOST_BYTES;
    values
        .take(MOST_PATHS)
        .take_while(|value| {
            let left = room.checked_sub(value.to_string().len());
            room = left.unwrap_or(0);
            left.is_some()
        })
        .collect()
}

/// The line of what was removed in parts that are gone.
pub(super) fn count(removed: u64) -> String {
    format!(
        "{}\n",
        json!({ "time": crate::log::now(), "verdict": "allow", "removed": removed })
    )
}

/// Adds what a line tells. A line that is damaged tells nothing.
pub(super) fn take(line: &[u8], past: &mut Past) {
    // Most calls leave nothing behind.
    if line.ends_with(b"\"verdict\":\"allow\"}") {
        return;
    }
    let Ok(Value::Object(object)) = serde_json::from_slice(line) else {
        return;
    };
    let list = |name: &str| {
        object
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let written: Vec<Vec<u8>> = list("written").filter_map(bytes).collect();
    // What is written anew holds what it held no more.
    past.secrets.retain(|(path, _)| !written.contains(path));
    past.written.extend(written);
    past.secrets.extend(
        list("secrets").filter_map(|pair| Some((bytes(pair.get(0)?)?, bytes(pair.get(1)?)?))),
    );
    let removed = object.get("removed").and_then(Value::as_u64).unwrap_or(0);
    past.removed = past.removed.saturating_add(removed);
    past.refused.extend(list("refused").filter_map(|target| {
        Some(RefusedBefore {
            path: bytes(target.get("path")?)?,
            program: bytes(target.get("program")?)?,
            rule: target.get("rule")?.as_str()?.to_owned(),
        })
    }));
}

/// A path that is no UTF-8 is kept as near to it as JSON allows, and is then another one: the single-call rules hold.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    Some(value.as_str()?.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::{of, take};
    use crate::case::Past;
    use crate::report::{Report, Trail};

    #[test]
    fn a_line_stays_short_however_long_its_paths_are() {
        let long = |n: u8| [b"/p/".as_slice(), &[b'a' + n % 26; 4000]].concat();
        let report = Report {
            trail: Trail {
                written: (0..90).map(long).collect(),
                ..Trail::default()
            },
            ..Report::default()
        };
        let line = of("Bash", &report);
        assert!(line.len() < 20 << 10, "{}", line.len());
        let mut past = Past::default();
        take(line.trim_end().as_bytes(), &mut past);
        assert_eq!(past.written.len(), 4);
    }

    #[test]
    fn what_is_written_is_read_again_and_damage_is_skipped() {
        let report = Report {
            trail: Trail {
                written: vec![b"/p/a b".to_vec()],
                secrets: vec![(b"/p/copy".to_vec(), b"/p/.env".to_vec())],
                removed: 3,
            },
            ..Report::default()
        };
        let line = of("Bash", &report);
        let mut past = Past::default();
        for line in [
            "",
            "{",
            "[]",
            "{\"written\":7,\"removed\":-1}",
            &line[..line.len() / 2],
            &line,
            &line,
        ] {
            take(line.trim_end().as_bytes(), &mut past);
        }
        assert!(past.wrote(b"/p/a b") && !past.wrote(b"/p/a"));
        assert_eq!(past.secrets[0], (b"/p/copy".to_vec(), b"/p/.env".to_vec()));
        assert_eq!(past.removed, 6);
    }
}
