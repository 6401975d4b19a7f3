//! One line of a ledger.

use serde_json::{Map, Value, json};

use crate::case::{Past, RefusedBefore};
use crate::message::rule_name;
use crate::report::Report;

/// So many paths of one call are kept.
const MOST_PATHS: usize = 64;

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
        let targets = report
            .refusals()
            .take(MOST_PATHS)
            .filter_map(|(action, target)| {
                let rule = target.refusal.as_ref().map(rule_name);
                Some(json!({
                    "path": shown(target.resolved.as_deref()?),
                    "program": shown(&action.program),
                    "rule": rule,
                }))
            });
        object.insert("refused".into(), targets.collect());
    } else {
        if !trail.written.is_empty() {
            let mut written: Vec<&Vec<u8>> = trail.written.iter().collect();
            written.dedup();
            object.insert(
                "written".into(),
                written
                    .into_iter()
                    .take(MOST_PATHS)
                    .map(|path| json!(shown(path)))
                    .collect(),
            );
        }
        if !trail.secrets.is_empty() {
            let secrets = trail
                .secrets
                .iter()
                .take(MOST_PATHS)
                .map(|(path, of)| json!([shown(path), shown(of)]));
            object.insert("secrets".into(), secrets.collect());
        }
        if trail.removed > 0 {
            object.insert("removed".into(), json!(trail.removed));
        }
    }
    let mut line = Value::Object(object).to_string();
    line.push('\n');
    line
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
    past.removed += object.get("removed").and_then(Value::as_u64).unwrap_or(0);
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
