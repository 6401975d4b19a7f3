//! Our entry in Claude Code's settings.

use jsonc_parser::ast::{Object, Value};
use serde_json::json;

use super::edit::{Addition, Container, append, apply, parse, remove};
use super::settings::{Settings, parsed};
use crate::hook;

/// The tools that run commands. Commas never matched, and other separators are no part of the protocol.
pub(super) const MATCHER: &str =
    "Bash|PowerShell|Monitor|Read|Write|Edit|MultiEdit|NotebookEdit|Grep";

pub(super) const EVENT: &str = "PreToolUse";

pub(super) const ARGUMENTS: [&str; 2] = ["hook", "claude-code"];

/// Why a settings file is not edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unsafe(pub(super) String);

/// What an edit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// The file says it already.
    Unchanged,
    /// The entry is new.
    Added(String),
    /// An older entry of ours now says what it should.
    Updated(String),
}

/// The group of hooks that is added: words, not a shell string, so that no path needs quoting.
pub(super) fn group(binary: &str) -> serde_json::Value {
    json!({ "matcher": MATCHER, "hooks": [handler(binary)] })
}

pub(super) fn handler(binary: &str) -> serde_json::Value {
    json!({
        "type": "command",
        "command": binary,
        "args": ARGUMENTS,
        "timeout": hook::TIMEOUT.as_secs(),
    })
}

/// The lines for a person to add by hand.
pub(super) fn lines(binary: &str) -> String {
    format!("{:#}", json!({ "hooks": { EVENT: [group(binary)] } }))
}

/// Puts the entry in.
pub(super) fn add(text: &str, binary: &str) -> Result<Edit, Unsafe> {
    if text.trim().is_empty() {
        return Ok(Edit::Added(format!("{text}{}\n", lines(binary))));
    }
    let tree = parsed(text)?;
    let settings = Settings::of(&tree)?;
    let ours = settings.ours();
    if ours.iter().any(|entry| entry.is_current(binary)) {
        return Ok(Edit::Unchanged);
    }
    if let Some(entry) = ours.first() {
        return Ok(Edit::Updated(checked(
            apply(text, entry.update(binary)),
            true,
        )?));
    }
    let group = group(binary);
    let event = json!([group]);
    let hooks = json!({ EVENT: event });
    let (container, addition) = match (&settings.hooks, &settings.event) {
        (_, Some(event)) => (
            Container::from(*event),
            Addition {
                name: None,
                value: &group,
            },
        ),
        (Some(hooks), None) => (
            Container::from(*hooks),
            Addition {
                name: Some(EVENT),
                value: &event,
            },
        ),
        (None, None) => (
            Container::from(settings.root),
            Addition {
                name: Some("hooks"),
                value: &hooks,
            },
        ),
    };
    Ok(Edit::Added(checked(
        apply(text, append(text, &container, &addition)),
        true,
    )?))
}

/// Takes every entry of ours out, and then the containers that are left empty and that the original did not have.
pub(super) fn take_out(text: &str, original: Option<&str>) -> Result<Option<String>, Unsafe> {
    let mut edited = text.to_owned();
    while let Some(next) = take_one_out(&edited)? {
        edited = next;
    }
    if edited == text {
        return Ok(None);
    }
    let kept = original
        .map(has_containers)
        .transpose()?
        .unwrap_or((false, false));
    if let Some(next) = drop_empty_containers(&edited, kept)? {
        edited = next;
    }
    checked(edited, false).map(Some)
}

/// The binary that our entry names.
pub(super) fn binary(text: &str) -> Option<String> {
    let tree = parsed(text).ok()?;
    let settings = Settings::of(&tree).ok()?;
    settings.ours().first().map(|entry| entry.command.clone())
}

/// Whether the settings switch every hook off.
pub(super) fn hooks_are_off(text: &str) -> bool {
    let Ok(Some(Value::Object(root))) = parse(text) else {
        return false;
    };
    matches!(root.get("disableAllHooks").map(|property| &property.value), Some(Value::BooleanLit(literal)) if literal.value)
}

/// An edit that cannot be read back, or that reads back otherwise than meant, is never written.
fn checked(edited: String, with_ours: bool) -> Result<String, Unsafe> {
    let right = match parse(&edited) {
        Ok(Some(tree)) => Settings::of(&tree)?.ours().is_empty() != with_ours,
        Ok(None) | Err(_) => false,
    };
    if right {
        Ok(edited)
    } else {
        Err(Unsafe(
            "its layout is too unusual to be edited safely".to_owned(),
        ))
    }
}

fn take_one_out(text: &str) -> Result<Option<String>, Unsafe> {
    let tree = parsed(text)?;
    let settings = Settings::of(&tree)?;
    let ours = settings.ours();
    let (Some(entry), Some(event)) = (ours.first(), settings.event) else {
        return Ok(None);
    };
    let splices = if entry.handlers.elements.len() > 1 {
        remove(text, &Container::from(entry.handlers), entry.position)
    } else {
        remove(text, &Container::from(event), entry.group_index)
    };
    Ok(Some(apply(text, splices)))
}

/// Whether a file has `hooks`, and an array of our event in it.
fn has_containers(text: &str) -> Result<(bool, bool), Unsafe> {
    if text.trim().is_empty() {
        return Ok((false, false));
    }
    let tree = parsed(text)?;
    let settings = Settings::of(&tree)?;
    Ok((settings.hooks.is_some(), settings.event.is_some()))
}

fn drop_empty_containers(
    text: &str,
    (keep_hooks, keep_event): (bool, bool),
) -> Result<Option<String>, Unsafe> {
    let tree = parsed(text)?;
    let settings = Settings::of(&tree)?;
    let (Some(hooks), Some(event)) = (settings.hooks, settings.event) else {
        return Ok(None);
    };
    if keep_event || !event.elements.is_empty() {
        return Ok(None);
    }
    let index_of = |object: &Object<'_>, name: &str| {
        object
            .properties
            .iter()
            .position(|property| property.name.as_str() == name)
    };
    let splices = if !keep_hooks && hooks.properties.len() == 1 {
        index_of(settings.root, "hooks")
            .map(|index| remove(text, &Container::from(settings.root), index))
    } else {
        index_of(hooks, EVENT).map(|index| remove(text, &Container::from(hooks), index))
    };
    Ok(splices.map(|splices| apply(text, splices)))
}
