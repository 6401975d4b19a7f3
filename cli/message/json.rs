//! A decision as JSON: `check --json` and the log.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::panel::rule_name;
use crate::judge::Session;
use crate::report::{Action, Evidence, Near, Origin, Position, Report, Target};

/// What a decision was about and under what it was made.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The policy's id.
    pub policy: String,
    /// As typed, or the words quoted.
    pub command: &'a [u8],
    /// Where relative paths begin, if that is known.
    pub cwd: Option<&'a [u8]>,
    /// The project root, if there is one.
    pub project: Option<&'a [u8]>,
    /// How long judging took.
    pub elapsed: Duration,
}

impl<'a> Context<'a> {
    /// The context of a judgement that has just been made.
    #[must_use]
    pub fn of(session: &Session<'a>, command: &'a [u8], elapsed: Duration) -> Self {
        Self {
            policy: session.policy.id().to_string(),
            command,
            cwd: session.cwd.map(|path| path.as_os_str().as_encoded_bytes()),
            project: session.policy.project().map(|project| project.as_bytes()),
            elapsed,
        }
    }
}

/// The object that `check --json` prints.
#[must_use]
pub fn decision(context: &Context<'_>, report: &Report) -> Map<String, Value> {
    let elapsed = u64::try_from(context.elapsed.as_micros()).unwrap_or(u64::MAX);
    let mut object = object(json!({
        "verdict": verdict(report.is_refused()),
        "policy": context.policy,
        "layer": "command",
        "command": text(context.command),
        "cwd": context.cwd.map(text),
        "project": context.project.map(text),
        "actions": report.actions.iter().map(action).collect::<Vec<_>>(),
        "notes": report.notes,
        "elapsed_us": elapsed,
    }));
    add_near(&mut object, &report.near);
    object
}

/// Adds what was looked at and let pass.
pub fn add_near(object: &mut Map<String, Value>, near: &[Near]) {
    if near.is_empty() {
        return;
    }
    let new = near
        .iter()
        .map(|near| json!({ "rule": near.rule, "reason": near.reason }));
    match object.get_mut("near") {
        Some(Value::Array(known)) => known.extend(new),
        _ => {
            object.insert("near".into(), new.collect());
        }
    }
}

/// The object for the log when there was no command that could be judged.
#[must_use]
pub fn refusal_without_command(policy: &str, reason: &str) -> Map<String, Value> {
    object(
        json!({ "verdict": verdict(true), "policy": policy, "layer": "command", "reason": reason }),
    )
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => unreachable!("json! of braces is an object"),
    }
}

const fn verdict(refused: bool) -> &'static str {
    if refused { "refuse" } else { "allow" }
}

fn action(action: &Action) -> Value {
    let decisive = action
        .targets
        .iter()
        .find(|target| target.refusal.is_some());
    json!({
        "program": text(&action.program),
        "operation": decisive.or(action.targets.first()).map(|target| target.operation()),
        "argv": action.argv.iter().map(|word| text(word)).collect::<Vec<_>>(),
        "cwd": action.cwd.as_ref().map(|path| text(path.as_os_str().as_encoded_bytes())),
        "targets": action.targets.iter().map(target).collect::<Vec<_>>(),
    })
}

fn target(target: &Target) -> Value {
    let refusal = target.refusal.as_ref();
    json!({
        "spelled": text(&target.spelled),
        "resolved": target.resolved.as_deref().map(text),
        "operation": target.operation(),
        "verdict": verdict(refusal.is_some()),
        "rule": refusal.map(rule_name),
        "overridable": refusal.map(|refusal| refusal.rule.overridable().by_config()),
        "reason": refusal.map(|refusal| refusal.reasons.join("; ")),
        "instead": refusal.map(|refusal| refusal.instead.as_str()),
        "evidence": evidence(&target.evidence),
    })
}

fn evidence(evidence: &Evidence) -> Value {
    let mut object = Map::new();
    if !evidence.unset.is_empty() {
        object.insert("unset".into(), json!(evidence.unset));
    }
    if !evidence.empty.is_empty() {
        object.insert("empty".into(), json!(evidence.empty));
    }
    if let Some(matches) = evidence.matches {
        object.insert("matches".into(), json!(matches));
    }
    if !evidence.origins.is_empty() {
        let origins: Vec<Value> = evidence.origins.iter().map(origin).collect();
        object.insert("origins".into(), json!(origins));
    }
    if let Some(decided_by) = &evidence.decided_by {
        object.insert("decided_by".into(), json!(decided_by));
    }
    if let Some(program) = &evidence.refused_before {
        object.insert("refused_before".into(), json!(program));
    }
    Value::Object(object)
}

fn origin(origin: &Origin) -> Value {
    let place = |at: &Option<Position>| {
        at.as_ref()
            .map(|at| json!({ "line": at.line, "column": at.column }))
    };
    match origin {
        Origin::Variable { name, by, at } => {
            json!({ "variable": name, "by": by, "at": place(at) })
        }
        Origin::Directory { at } => json!({ "directory": "cd", "at": place(at) }),
        Origin::Link { path, to } => json!({ "link": path, "to": to }),
    }
}

/// UTF-8 exactly; any other byte as `\xNN`, because JSON has no place for it.
fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}
