//! Where our entries stand in a settings file.

use std::ops::Range;
use std::path::Path;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use serde_json::json;

use super::edit::{Splice, parse, span};
use super::entry::{ARGUMENTS, EVENT, MATCHER, Unsafe, handler};

pub(super) fn parsed(text: &str) -> Result<Value<'_>, Unsafe> {
    match parse(text) {
        Ok(Some(tree)) => Ok(tree),
        Ok(None) => Err(Unsafe("it holds only comments".to_owned())),
        Err(problem) => Err(Unsafe(format!("it is not valid JSON: {problem}"))),
    }
}

/// The parts of a settings file that matter here.
pub(super) struct Settings<'t, 'a> {
    pub(super) root: &'t Object<'a>,
    pub(super) hooks: Option<&'t Object<'a>>,
    pub(super) event: Option<&'t Array<'a>>,
}

impl<'t, 'a> Settings<'t, 'a> {
    pub(super) fn of(tree: &'t Value<'a>) -> Result<Self, Unsafe> {
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

    pub(super) fn ours(&self) -> Vec<Entry<'t, 'a>> {
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
pub(super) struct Entry<'t, 'a> {
    pub(super) group_index: usize,
    group: &'t Object<'a>,
    pub(super) handlers: &'t Array<'a>,
    pub(super) position: usize,
    /// The whole handler.
    range: Range<usize>,
    pub(super) command: String,
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

    pub(super) fn is_current(&self, binary: &str) -> bool {
        let covers = self
            .matcher()
            .is_none_or(|(matcher, _)| matches!(matcher, MATCHER | "" | "*" | ".*"));
        self.literal.is_some() && self.command == binary && covers
    }

    pub(super) fn update(&self, binary: &str) -> Vec<Splice> {
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
