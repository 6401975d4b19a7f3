//! Our entry in Claude Code's settings.

use std::ops::Range;
use std::path::Path;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use serde_json::json;

use super::edit::{Addition, Container, Splice, append, apply, parse, remove, span};
use crate::hook;

/// The tools that run commands. Commas never matched, and other separators are no part of the protocol.
const MATCHER: &str = "Bash|PowerShell|Monitor";

const EVENT: &str = "PreToolUse";

const ARGUMENTS: [&str; 2] = ["hook", "claude-code"];

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

fn handler(binary: &str) -> serde_json::Value {
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
            1,
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
        1,
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
    checked(edited, 0).map(Some)
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
fn checked(edited: String, entries: usize) -> Result<String, Unsafe> {
    let found = match parse(&edited) {
        Ok(Some(tree)) => Settings::of(&tree)?.ours().len(),
        Ok(None) | Err(_) => usize::MAX,
    };
    let right = if entries == 0 {
        found == 0
    } else {
        (entries..usize::MAX).contains(&found)
    };
    if right {
        Ok(edited)
    } else {
        Err(Unsafe(
            "its layout is too unusual to be edited safely".to_owned(),
        ))
    }
}

fn parsed(text: &str) -> Result<Value<'_>, Unsafe> {
    match parse(text) {
        Ok(Some(tree)) => Ok(tree),
        Ok(None) => Err(Unsafe("it holds only comments".to_owned())),
        Err(problem) => Err(Unsafe(format!("it is not valid JSON: {problem}"))),
    }
}

/// The parts of a settings file that matter here.
struct Settings<'t, 'a> {
    root: &'t Object<'a>,
    hooks: Option<&'t Object<'a>>,
    event: Option<&'t Array<'a>>,
}

impl<'t, 'a> Settings<'t, 'a> {
    fn of(tree: &'t Value<'a>) -> Result<Self, Unsafe> {
        let Value::Object(root) = tree else {
            return Err(Unsafe("it is not a JSON object".to_owned()));
        };
        let hooks = match only(root, "hooks")?.map(|property| &property.value) {
            None => None,
            Some(Value::Object(hooks)) => Some(hooks),
            Some(_) => return Err(Unsafe("its \"hooks\" is not an object".to_owned())),
        };
        let event = match hooks
            .map(|hooks| only(hooks, EVENT))
            .transpose()?
            .flatten()
            .map(|property| &property.value)
        {
            None => None,
            Some(Value::Array(event)) => Some(event),
            Some(_) => return Err(Unsafe(format!("its \"hooks.{EVENT}\" is not an array"))),
        };
        Ok(Self { root, hooks, event })
    }

    fn ours(&self) -> Vec<Entry<'t, 'a>> {
        let groups = self.event.map_or(&[][..], |event| &event.elements);
        groups
            .iter()
            .enumerate()
            .filter_map(|(index, group)| Some((index, group.as_object()?)))
            .flat_map(|(index, group)| {
                let handlers = group.get_array("hooks");
                let elements = handlers.map_or(&[][..], |handlers| &handlers.elements);
                elements
                    .iter()
                    .enumerate()
                    .filter_map(move |(position, element)| {
                        Entry::of(index, group, handlers?, position, element.as_object()?)
                    })
            })
            .collect()
    }
}

/// A property that may stand only once: readers differ in which of two they take.
fn only<'t, 'a>(object: &'t Object<'a>, name: &str) -> Result<Option<&'t ObjectProp<'a>>, Unsafe> {
    let mut found = object
        .properties
        .iter()
        .filter(|property| property.name.as_str() == name);
    let first = found.next();
    if found.next().is_some() {
        return Err(Unsafe(format!("it holds the key \"{name}\" twice")));
    }
    Ok(first)
}

/// A handler of ours.
struct Entry<'t, 'a> {
    group_index: usize,
    group: &'t Object<'a>,
    handlers: &'t Array<'a>,
    position: usize,
    /// The whole handler.
    range: Range<usize>,
    command: String,
    /// The command's string literal, if the arguments stand apart from it.
    literal: Option<Range<usize>>,
}

impl<'t, 'a> Entry<'t, 'a> {
    fn of(
        group_index: usize,
        group: &'t Object<'a>,
        handlers: &'t Array<'a>,
        position: usize,
        handler: &'t Object<'a>,
    ) -> Option<Self> {
        let literal = handler.get_string("command")?;
        let command = literal.value.as_ref();
        let arguments = match handler.get_array("args") {
            None => None,
            Some(words) => Some(
                words
                    .elements
                    .iter()
                    .map(|word| Some(word.as_string_lit()?.value.as_ref()))
                    .collect::<Option<Vec<_>>>()?,
            ),
        };
        let ours = match &arguments {
            Some(words) => words[..] == ARGUMENTS && names_us(command),
            // The form for a shell, as a person might have written it.
            None => command
                .trim_end()
                .strip_suffix("hook claude-code")
                .is_some_and(|binary| names_us(binary.trim_end().trim_matches(['"', '\'']))),
        };
        ours.then(|| Self {
            group_index,
            group,
            handlers,
            position,
            range: span(handler.range),
            command: command.to_owned(),
            literal: arguments.is_some().then(|| span(literal.range)),
        })
    }

    fn matcher(&self) -> Option<(&str, Range<usize>)> {
        let literal = self.group.get_string("matcher")?;
        Some((literal.value.as_ref(), span(literal.range)))
    }

    fn is_current(&self, binary: &str) -> bool {
        let covers = self
            .matcher()
            .is_none_or(|(matcher, _)| matches!(matcher, MATCHER | "" | "*" | ".*"));
        self.literal.is_some() && self.command == binary && covers
    }

    fn update(&self, binary: &str) -> Vec<Splice> {
        let mut splices = vec![match &self.literal {
            Some(literal) => Splice {
                range: literal.clone(),
                with: json!(binary).to_string(),
            },
            None => Splice {
                range: self.range.clone(),
                with: handler(binary).to_string(),
            },
        }];
        if let Some((matcher, range)) = self.matcher()
            && !matches!(matcher, MATCHER | "" | "*" | ".*")
        {
            splices.push(Splice {
                range,
                with: json!(MATCHER).to_string(),
            });
        }
        splices
    }
}

fn names_us(command: &str) -> bool {
    Path::new(command)
        .file_name()
        .is_some_and(|name| name == "blastradius")
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
