//! Tools that read and change files, under the names that agents give them.

use super::document::Json;
use crate::case::{FileCall, FileDeed};

/// What a tool does, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Edit,
    Remove,
    Search,
    /// Its input says what it does.
    Editor,
    /// Its input is a patch of several files.
    Patch,
}

/// Names in small letters, without `mcp__server__` in front and without what parts words.
const TOOLS: &[(&str, Kind)] = &[
    ("read", Kind::Read),
    ("readfile", Kind::Read),
    ("view", Kind::Read),
    ("viewfile", Kind::Read),
    ("fsread", Kind::Read),
    ("openfile", Kind::Read),
    ("gettextfilecontents", Kind::Read),
    ("write", Kind::Write),
    ("writefile", Kind::Write),
    ("writetofile", Kind::Write),
    ("create", Kind::Write),
    ("createfile", Kind::Write),
    ("newfile", Kind::Write),
    ("fswrite", Kind::Write),
    ("edit", Kind::Edit),
    ("editfile", Kind::Edit),
    ("multiedit", Kind::Edit),
    ("notebookedit", Kind::Edit),
    ("editnotebook", Kind::Edit),
    ("replace", Kind::Edit),
    ("strreplace", Kind::Edit),
    ("searchreplace", Kind::Edit),
    ("replaceinfile", Kind::Edit),
    ("delete", Kind::Remove),
    ("deletefile", Kind::Remove),
    ("removefile", Kind::Remove),
    ("grep", Kind::Search),
    ("strreplaceeditor", Kind::Editor),
    ("strreplacebasededittool", Kind::Editor),
    ("texteditor", Kind::Editor),
    ("applypatch", Kind::Patch),
];

const PATHS: &[&str] = &[
    "file_path",
    "path",
    "filePath",
    "absolute_path",
    "target_file",
    "notebook_path",
    "filename",
    "file",
];
const CONTENTS: &[&str] = &["content", "contents", "file_text", "fileText", "text"];
const OLD: &[&str] = &[
    "old_string",
    "old_str",
    "oldString",
    "oldStr",
    "old_text",
    "search",
];
const NEW: &[&str] = &[
    "new_string",
    "new_str",
    "newString",
    "newStr",
    "new_text",
    "replace",
    "new_source",
    "insert_text",
];

/// Whether a tool is known to take files and no commands, whatever its input is called.
pub(super) fn is_file_tool(name: &str) -> bool {
    kind(name).is_some()
}

/// Whether what a tool takes is a patch, and no command whatever its key is called.
pub(super) fn is_patch_tool(name: &str) -> bool {
    kind(name) == Some(Kind::Patch)
}

fn kind(name: &str) -> Option<Kind> {
    let own = name.rsplit("__").next().unwrap_or(name);
    let plain: String = own
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    TOOLS
        .iter()
        .find(|(known, _)| *known == plain)
        .map(|(_, kind)| *kind)
}

/// The calls that a tool's input comes to. Input that says too little comes to none: only a guard would have looked.
pub(super) fn calls(name: &str, input: &Json) -> Vec<FileCall> {
    let call = |path: &str, deed| FileCall {
        tool: name.to_owned(),
        path: path.to_owned(),
        deed,
    };
    let text = |names: &[&str]| first(input, names);
    let Some(kind) = kind(name) else {
        return Vec::new();
    };
    if kind == Kind::Patch {
        let patch = ["command", "input", "patch", "patchText"]
            .iter()
            .find_map(|name| match input.get(name) {
                Some(Json::String(text)) => Some(text.as_str()),
                Some(Json::Array(items)) => items
                    .iter()
                    .filter_map(Json::as_str)
                    .find(|item| item.contains(BEGIN_FILE)),
                _ => None,
            });
        return patched(patch.unwrap_or_default())
            .into_iter()
            .map(|(path, deed)| call(path, deed))
            .collect();
    }
    let Some(path) = text(PATHS) else {
        return Vec::new();
    };
    let kind = match (kind, text(&["command"])) {
        (Kind::Editor, Some("view")) => Kind::Read,
        (Kind::Editor, Some("create")) => Kind::Write,
        (Kind::Editor, _) => Kind::Edit,
        (kind, _) => kind,
    };
    let deed = match kind {
        Kind::Read => FileDeed::Read,
        Kind::Search if text(&["output_mode"]) == Some("content") => FileDeed::Read,
        Kind::Search | Kind::Editor | Kind::Patch => return Vec::new(),
        Kind::Write => FileDeed::Write(text(CONTENTS).map(str::to_owned)),
        Kind::Remove => FileDeed::Remove,
        Kind::Edit => FileDeed::Edit(pieces(input)),
    };
    vec![call(path, deed)]
}

fn first<'j>(input: &'j Json, names: &[&str]) -> Option<&'j str> {
    names.iter().find_map(|name| input.get(name)?.as_str())
}

fn pieces(input: &Json) -> Vec<(String, String)> {
    let piece = |json: &Json| {
        let new = first(json, NEW).or_else(|| first(json, CONTENTS))?;
        Some((
            first(json, OLD).unwrap_or_default().to_owned(),
            new.to_owned(),
        ))
    };
    match input.get("edits") {
        Some(Json::Array(edits)) => edits.iter().filter_map(piece).collect(),
        _ => piece(input).into_iter().collect(),
    }
}

const BEGIN_FILE: &str = "*** ";

/// The files of a patch as Codex writes it: `*** Update File: NAME`, then lines that begin with ` `, `-` or `+`.
fn patched(patch: &str) -> Vec<(&str, FileDeed)> {
    let mut files: Vec<(&str, FileDeed)> = Vec::new();
    for line in patch.lines() {
        if let Some(headline) = line.strip_prefix(BEGIN_FILE) {
            let named = |what: &str| headline.strip_prefix(what).map(str::trim);
            if let Some(path) = named("Update File: ") {
                files.push((path, FileDeed::Edit(vec![<_>::default()])));
            } else if let Some(path) = named("Add File: ") {
                files.push((path, FileDeed::Write(Some(String::new()))));
            } else if let Some(path) = named("Delete File: ") {
                files.push((path, FileDeed::Remove));
            }
            continue;
        }
        let mut letters = line.chars();
        let sign = letters.next();
        let text = letters.as_str();
        match (files.last_mut().map(|(_, deed)| deed), sign) {
            (Some(FileDeed::Write(Some(content))), Some('+')) => {
                content.push_str(text);
                content.push('\n');
            }
            (Some(FileDeed::Edit(pieces)), Some(sign @ ('+' | '-'))) => {
                if let Some((old, new)) = pieces.last_mut() {
                    let side = if sign == '+' { new } else { old };
                    side.push_str(text);
                    side.push('\n');
                }
            }
            _ => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::document::read;

    fn deeds(tool: &str, input: &str) -> Vec<(String, FileDeed)> {
        let json = read(input.as_bytes()).unwrap();
        calls(tool, &json)
            .into_iter()
            .map(|call| (call.path, call.deed))
            .collect()
    }

    #[test]
    fn tools_are_read_under_the_names_of_each_agent() {
        let write = || vec![("a".to_owned(), FileDeed::Write(Some("x".to_owned())))];
        let edit = || {
            vec![(
                "a".to_owned(),
                FileDeed::Edit(vec![("o".to_owned(), "n".to_owned())]),
            )]
        };
        let read_it = || vec![("a".to_owned(), FileDeed::Read)];
        for (tool, input, expected) in [
            ("Write", r#"{"file_path":"a","content":"x"}"#, write()),
            ("write_file", r#"{"file_path":"a","content":"x"}"#, write()),
            ("write", r#"{"filePath":"a","content":"x"}"#, write()),
            ("create", r#"{"path":"a","file_text":"x"}"#, write()),
            (
                "str_replace_based_edit_tool",
                r#"{"command":"create","path":"a","file_text":"x"}"#,
                write(),
            ),
            (
                "Edit",
                r#"{"file_path":"a","old_string":"o","new_string":"n"}"#,
                edit(),
            ),
            (
                "replace",
                r#"{"file_path":"a","old_string":"o","new_string":"n"}"#,
                edit(),
            ),
            (
                "edit",
                r#"{"filePath":"a","oldString":"o","newString":"n"}"#,
                edit(),
            ),
            (
                "MultiEdit",
                r#"{"file_path":"a","edits":[{"old_string":"o","new_string":"n"}]}"#,
                edit(),
            ),
            (
                "mcp__fs__edit_file",
                r#"{"path":"a","edits":[{"old_text":"o","new_text":"n"}]}"#,
                edit(),
            ),
            (
                "apply_patch",
                r#"{"command":"*** Begin Patch\n*** Update File: a\n@@\n-o\n+n\n*** End Patch"}"#,
                vec![(
                    "a".to_owned(),
                    FileDeed::Edit(vec![("o\n".to_owned(), "n\n".to_owned())]),
                )],
            ),
            (
                "apply_patch",
                r#"{"command":["apply_patch","*** Begin Patch\n*** Delete File: a\n*** End Patch"]}"#,
                vec![("a".to_owned(), FileDeed::Remove)],
            ),
            (
                "NotebookEdit",
                r#"{"notebook_path":"a","new_source":"n"}"#,
                vec![(
                    "a".to_owned(),
                    FileDeed::Edit(vec![(String::new(), "n".to_owned())]),
                )],
            ),
            ("Read", r#"{"file_path":"a"}"#, read_it()),
            ("read_file", r#"{"absolute_path":"a"}"#, read_it()),
            ("view", r#"{"path":"a"}"#, read_it()),
            (
                "Grep",
                r#"{"path":"a","pattern":"x","output_mode":"content"}"#,
                read_it(),
            ),
            ("Grep", r#"{"path":"a","pattern":"x"}"#, vec![]),
            (
                "Delete",
                r#"{"path":"a"}"#,
                vec![("a".to_owned(), FileDeed::Remove)],
            ),
            ("Read", r#"{"file_path":7}"#, vec![]),
            ("Glob", r#"{"path":"a"}"#, vec![]),
        ] {
            assert_eq!(deeds(tool, input), expected, "{tool} {input}");
        }
    }
}
