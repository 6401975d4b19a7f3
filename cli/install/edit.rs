//! Edits of JSON text that leave every other byte where it is.
//!
//! A settings file belongs to a person: comments, order, indentation and line ends stay. So nothing is printed anew;
//! an edit is a few insertions and cuts at places found by parsing.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// JSON with comments and trailing commas, and nothing looser: what an agent may not read is not written to.
pub(super) fn parse(text: &str) -> Result<Option<Value<'_>>, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    parse_to_ast(text, &CollectOptions::default(), &options)
        .map(|parsed| parsed.value)
        .map_err(|error| error.to_string())
}

/// A piece of text to be replaced. Insertion: an empty range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) with: String,
}

/// Applies splices, which must not overlap.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    // A stable sort keeps the order of insertions at one place.
    splices.sort_by_key(|splice| splice.range.start);
    let mut edited = String::with_capacity(text.len() + 512);
    let mut from = 0;
    for splice in splices {
        edited.push_str(&text[from..splice.range.start]);
        edited.push_str(&splice.with);
        from = splice.range.end;
    }
    edited.push_str(&text[from..]);
    edited
}

/// An object or array as far as an edit needs it.
pub(super) struct Container {
    range: Range<usize>,
    items: Vec<Range<usize>>,
}

impl From<&Object<'_>> for Container {
    fn from(object: &Object<'_>) -> Self {
        let items = object
            .properties
            .iter()
            .map(|property| span(property.range))
            .collect();
        Self {
            range: span(object.range),
            items,
        }
    }
}

impl From<&Array<'_>> for Container {
    fn from(array: &Array<'_>) -> Self {
        let items = array
            .elements
            .iter()
            .map(|element| span(element.range()))
            .collect();
        Self {
            range: span(array.range),
            items,
        }
    }
}

/// The bytes of a parsed node.
pub(super) fn span(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

/// How a file is laid out.
struct Layout {
    newline: &'static str,
    unit: String,
    /// The whole file is one line.
    single_line: bool,
}

impl Layout {
    fn of(text: &str) -> Self {
        let unit = text.lines().find_map(|line| {
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            (!indent.is_empty() && indent.len() < line.len()).then_some(indent)
        });
        Self {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: match unit {
                Some(indent) if indent.starts_with('\t') => "\t".to_owned(),
                Some(indent) => indent.to_owned(),
                None => "  ".to_owned(),
            },
            single_line: !text.trim_end().contains('\n'),
        }
    }

    /// A value over several lines, whose first line stands at `indent`.
    fn render(&self, value: &serde_json::Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        serde::Serialize::serialize(value, &mut serializer)
            .expect("a value of strings, numbers and lists");
        let text = String::from_utf8(bytes).expect("serde_json writes UTF-8");
        text.replace('\n', &format!("{}{indent}", self.newline))
    }
}

/// What is added to a container.
pub(super) struct Addition<'a> {
    /// The property's name; `None` in an array.
    pub(super) name: Option<&'a str>,
    pub(super) value: &'a serde_json::Value,
}

impl Addition<'_> {
    fn text(&self, value: &str) -> String {
        match self.name {
            Some(name) => format!("\"{name}\": {value}"),
            None => value.to_owned(),
        }
    }
}

/// Adds an item at the end of a container.
pub(super) fn append(text: &str, container: &Container, addition: &Addition<'_>) -> Vec<Splice> {
    let layout = Layout::of(text);
    let on_lines = |indent: &str| {
        format!(
            "{}{indent}{}",
            layout.newline,
            addition.text(&layout.render(addition.value, indent))
        )
    };
    let on_one_line = || addition.text(&addition.value.to_string());
    let Some(last) = container.items.last() else {
        let open = container.range.start + 1;
        let close = container.range.end - 1;
        let outer = indentation(text, container.range.start);
        let inner = format!("{outer}{}", layout.unit);
        return vec![match end_of_line(text, open) {
            Some(at) => insert(at, on_lines(&inner)),
            None if layout.single_line && container.range.len() < text.trim_end().len() => {
                insert(close, on_one_line())
            }
            None => insert(
                close,
                format!("{}{}{outer}", on_lines(&inner), layout.newline),
            ),
        }];
    };
    let after = skip_trivia(text, last.end);
    let trailing_comma = text.as_bytes().get(after) == Some(&b',');
    let anchor = if trailing_comma { after + 1 } else { last.end };
    let (before, behind) = if trailing_comma { ("", ",") } else { (",", "") };
    if !text[container.range.clone()].contains('\n') {
        return vec![insert(
            anchor,
            format!("{before} {}{behind}", on_one_line()),
        )];
    }
    let line = format!("{}{behind}", on_lines(&indentation(text, last.start)));
    // A comment beside the last item stays beside it.
    let at = end_of_line(text, anchor).unwrap_or(anchor);
    if at == anchor {
        vec![insert(at, format!("{before}{line}"))]
    } else {
        vec![insert(anchor, before.to_owned()), insert(at, line)]
    }
}

/// Takes an item out of a container, with the comma and the line that it needed.
pub(super) fn remove(text: &str, container: &Container, index: usize) -> Vec<Splice> {
    let item = &container.items[index];
    let after = skip_trivia(text, item.end);
    let comma = (text.as_bytes().get(after) == Some(&b',')).then_some(after);
    let end = comma.map_or(item.end, |comma| comma + 1);
    let (start, own_line) = start_of_line(text, item.start);
    let has_next = index + 1 < container.items.len();
    if has_next && !own_line {
        let spaces = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        return vec![cut(item.start..end + spaces)];
    }
    if has_next || (index > 0 && comma.is_some()) {
        return vec![cut(start..end)];
    }
    if index > 0 {
        let comma = skip_trivia(text, container.items[index - 1].end);
        return vec![cut(comma..comma + 1), cut(start.max(comma + 1)..item.end)];
    }
    let inside = container.range.start + 1..container.range.end - 1;
    let rest_is_blank =
        text[inside.start..start].trim().is_empty() && text[end..inside.end].trim().is_empty();
    vec![cut(if rest_is_blank { inside } else { start..end })]
}

fn insert(at: usize, with: String) -> Splice {
    Splice {
        range: at..at,
        with,
    }
}

fn cut(range: Range<usize>) -> Splice {
    Splice {
        range,
        with: String::new(),
    }
}

/// The white space in front of the line that holds a position.
fn indentation(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[line..]
        .chars()
        .take_while(|c| matches!(c, ' ' | '\t'))
        .collect()
}

/// Where the white space in front of an item begins, its own line break included, and whether there is one.
fn start_of_line(text: &str, at: usize) -> (usize, bool) {
    let before = text[..at].trim_end_matches([' ', '\t']);
    match before.strip_suffix('\n') {
        Some(line) => (line.strip_suffix('\r').unwrap_or(line).len(), true),
        None => (before.len(), false),
    }
}

/// Where the line break is, if only white space and comments stand before it.
fn end_of_line(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b'\n' => return Some(at),
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => return Some(at),
            b' ' | b'\t' => at += 1,
            b'/' => {
                let end = comment_end(text, at)?;
                if text[at..end].contains('\n') {
                    return None;
                }
                at = end;
            }
            _ => return None,
        }
    }
}

/// The first position at or after `from` that is neither white space nor in a comment.
fn skip_trivia(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'/') => match comment_end(text, at) {
                Some(end) => at = end,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// Where a comment that begins at `at` ends; the line break after `//` is not part of it.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        let line = rest.find('\n').unwrap_or(rest.len());
        return Some(at + rest[..line].trim_end_matches('\r').len());
    }
    rest.strip_prefix("/*")?
        .find("*/")
        .map(|length| at + 2 + length + 2)
}
