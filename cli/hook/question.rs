//! What an agent asks: which commands, in which directory, and in whose words.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::document::Json;
use super::files;
use crate::args::Agent;
use crate::case::FileCall;
use crate::message::Failure;

/// Whose protocol the answer must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Envelope {
    /// Claude Code, and agents that copied its protocol.
    ClaudeCode,
    /// Cursor, which also runs the hooks in Claude Code's settings.
    Cursor,
    /// Not known: the exit status and stderr must do.
    Unknown,
}

impl Envelope {
    /// The protocol before the input was read.
    pub(super) const fn of_agent(agent: Option<Agent>) -> Self {
        match agent {
            Some(Agent::ClaudeCode) => Self::ClaudeCode,
            None => Self::Unknown,
        }
    }
}

/// A command that an agent wants to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// For a POSIX shell.
    Shell(String),
    /// For PowerShell.
    PowerShell(String),
    /// For a tool that reads or changes a file.
    File(FileCall),
}

impl Asked {
    /// What takes it, where the agent does not say.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Shell(_) => "shell",
            Self::PowerShell(_) => "powershell",
            Self::File(_) => "file",
        }
    }

    /// The command, or the tool and the file.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Shell(text) | Self::PowerShell(text) => Cow::Borrowed(text),
            Self::File(call) => Cow::Owned(format!("{} {}", call.tool, call.path)),
        }
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) envelope: Envelope,
    pub(super) event: Option<String>,
    pub(super) tool: Option<String>,
    /// The session, by the agent's own name for it.
    pub(super) session: Option<String>,
    /// Where the agent stands, as it says; not checked on disk.
    pub(super) directory: Option<PathBuf>,
    /// Empty: nothing to judge.
    pub(super) commands: Vec<Asked>,
}

/// Events that tell of what has already happened, or of no command at all.
const AFTERWARDS: &[&str] = &[
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "SessionStart",
    "SessionEnd",
    "CwdChanged",
    "FileChanged",
    "ConfigChange",
    "postToolUse",
    "afterShellExecution",
    "afterFileEdit",
    "stop",
];

/// Keys under which tools take a command.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "script"];

/// Keys under which tools take several.
const LIST_KEYS: &[&str] = &["commands", "cmds"];

/// An input that is not understood; nobody but the user can mend that.
pub(super) fn unreadable(problem: &str) -> Failure {
    Failure::new(format!("the hook's input {problem}"))
        .hint("run the command again; if it is refused again, tell the user that the agent and its hook do not understand each other")
}

fn senseless(problem: &str) -> Failure {
    unreadable(&format!("makes no sense: {problem}"))
}

/// Reads a question.
///
/// # Errors
/// When a command may be in it that cannot be seen.
pub(super) fn read(json: &Json, agent: Option<Agent>) -> Result<Question, Failure> {
    let Json::Object(_) = json else {
        let problem = format!("it is {}, not an object", json.kind());
        return Err(senseless(&problem));
    };
    let event = optional_string(json, "hook_event_name")?;
    let tool = optional_string(json, "tool_name")?;
    let envelope = envelope(json, event, tool, agent);
    let mut question = Question {
        envelope,
        event: event.map(str::to_owned),
        tool: tool.map(str::to_owned),
        session: session(json),
        directory: directory(json),
        commands: Vec::new(),
    };
    if event.is_some_and(|event| AFTERWARDS.contains(&event)) {
        return Ok(question);
    }
    if event == Some("beforeReadFile") {
        question.commands = file_calls("Read", Some(json));
    } else if envelope == Envelope::Unknown {
        search(json, &mut question.commands);
    } else {
        question.commands = commands(json, tool)?;
    }
    if question
        .commands
        .iter()
        .any(|command| command.text().contains('\0'))
    {
        return Err(Failure::new(
            "the command holds a NUL byte, at which programs would cut it off",
        )
        .hint("write the command without the NUL byte"));
    }
    Ok(question)
}

fn envelope(
    json: &Json,
    event: Option<&str>,
    tool: Option<&str>,
    agent: Option<Agent>,
) -> Envelope {
    let cursor_events = [
        "beforeShellExecution",
        "preToolUse",
        "beforeMCPExecution",
        "beforeReadFile",
    ];
    if json.get("cursor_version").is_some()
        || event.is_some_and(|event| cursor_events.contains(&event))
    {
        Envelope::Cursor
    } else if event.is_some()
        || tool.is_some()
        || json.get("tool_input").is_some()
        || agent.is_some()
    {
        Envelope::ClaudeCode
    } else {
        Envelope::Unknown
    }
}

fn optional_string<'j>(json: &'j Json, name: &str) -> Result<Option<&'j str>, Failure> {
    match json.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(not_a(name, other, "a string")),
    }
}

fn not_a(name: &str, found: &Json, expected: &str) -> Failure {
    senseless(&format!("{name} is {}, not {expected}", found.kind()))
}

/// The directory that the payload names; one that the tool's own input names goes before it.
fn directory(json: &Json) -> Option<PathBuf> {
    let named = |json: &Json, name: &str| {
        json.get(name)
            .and_then(Json::as_str)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
    };
    let outer = named(json, "cwd").filter(|path| path.is_absolute());
    let inner = json.get("tool_input").and_then(|input| {
        ["working_directory", "workdir", "cwd"]
            .iter()
            .find_map(|name| named(input, name))
    });
    match (inner, outer) {
        (Some(inner), _) if inner.is_absolute() => Some(inner),
        (Some(inner), outer) => outer.map(|outer: PathBuf| outer.join(inner)),
        (None, outer) => outer,
    }
}

/// What a tool's name says about its input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Shell,
    PowerShell,
    /// No name is given: whatever holds a command is taken for a shell.
    Unnamed,
    Other,
}

impl Tool {
    fn of(name: Option<&str>) -> Self {
        let Some(name) = name else {
            return Self::Unnamed;
        };
        let name = name
            .rsplit("__")
            .next()
            .unwrap_or(name)
            .to_ascii_lowercase();
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        if words
            .clone()
            .any(|word| matches!(word, "powershell" | "pwsh"))
        {
            return Self::PowerShell;
        }
        let shell = words.any(|word| {
            matches!(
                word,
                "bash"
                    | "sh"
                    | "zsh"
                    | "shell"
                    | "monitor"
                    | "terminal"
                    | "console"
                    | "exec"
                    | "execute"
                    | "run"
                    | "command"
                    | "commands"
                    | "cmd"
                    | "process"
                    | "ssh"
                    | "script"
            )
        });
        if shell { Self::Shell } else { Self::Other }
    }

    fn ask(self, text: &str) -> Asked {
        match self {
            Self::PowerShell => Asked::PowerShell(text.to_owned()),
            Self::Shell | Self::Unnamed | Self::Other => Asked::Shell(text.to_owned()),
        }
    }
}

/// What the agent calls its session, or its conversation.
fn session(json: &Json) -> Option<String> {
    ["session_id", "conversation_id", "sessionId", "sessionID"]
        .iter()
        .find_map(|name| json.get(name)?.as_str())
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
}

fn file_calls(tool: &str, input: Option<&Json>) -> Vec<Asked> {
    let calls = input.map_or_else(Vec::new, |input| files::calls(tool, input));
    calls.into_iter().map(Asked::File).collect()
}

fn commands(json: &Json, name: Option<&str>) -> Result<Vec<Asked>, Failure> {
    let mut commands = name.map_or_else(Vec::new, |name| file_calls(name, json.get("tool_input")));
    // A server may give any tool such a name, and run commands with it.
    let is_foreign = name.is_some_and(|name| name.starts_with("mcp")) || commands.is_empty();
    if !is_foreign || name.is_some_and(files::is_patch_tool) {
        return Ok(commands);
    }
    let tool = Tool::of(name);
    let input = match json.get("tool_input") {
        Some(input @ Json::Object(_)) => input,
        // Cursor's own shell event holds the command itself.
        None if tool == Tool::Unnamed => json,
        _ if tool == Tool::Other => return Ok(commands),
        None => return Err(senseless("tool_input is missing")),
        Some(other) => return Err(not_a("tool_input", other, "an object")),
    };
    for &key in COMMAND_KEYS {
        match input.get(key) {
            None => {}
            // A script may be in any language where the tool is no shell.
            Some(Json::String(_)) if key == "script" && tool == Tool::Other => {}
            Some(Json::String(text)) if text.trim().is_empty() => {}
            Some(Json::String(text)) => commands.push(tool.ask(text)),
            Some(_) if tool == Tool::Other => {}
            Some(other) => return Err(not_a(key, other, "a string")),
        }
    }
    if tool == Tool::Other {
        return Ok(commands);
    }
    for &key in LIST_KEYS {
        match input.get(key) {
            None => {}
            Some(Json::String(text)) => commands.push(tool.ask(text)),
            Some(Json::Array(items)) => {
                for item in items {
                    let text = item
                        .as_str()
                        .ok_or_else(|| not_a(&format!("an item of {key}"), item, "a string"))?;
                    commands.push(tool.ask(text));
                }
            }
            Some(other) => return Err(not_a(key, other, "an array")),
        }
    }
    Ok(commands)
}

/// Every command anywhere in an envelope that nobody has described.
fn search(json: &Json, found: &mut Vec<Asked>) {
    match json {
        Json::Object(members) => {
            found.extend(named_file_calls(json));
            for (key, value) in members {
                match value {
                    Json::String(text) if COMMAND_KEYS.contains(&key.as_str()) => {
                        found.push(Asked::Shell(text.clone()));
                    }
                    Json::Array(items) if LIST_KEYS.contains(&key.as_str()) => {
                        for item in items {
                            match item.as_str() {
                                Some(text) => found.push(Asked::Shell(text.to_owned())),
                                None => search(item, found),
                            }
                        }
                    }
                    // Some agents hand over the tool's arguments as JSON inside a string.
                    Json::String(text) if text.trim_start().starts_with('{') => {
                        if let Ok(inner) = super::document::read(text.as_bytes()) {
                            search(&inner, found);
                        }
                    }
                    _ => search(value, found),
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| search(item, found)),
        Json::Null | Json::Bool | Json::Number | Json::String(_) => {}
    }
}

/// A tool and its arguments where they stand side by side.
fn named_file_calls(json: &Json) -> Vec<Asked> {
    let name = ["toolName", "tool_name", "tool", "name"]
        .iter()
        .find_map(|key| json.get(key)?.as_str());
    let arguments = ["toolArgs", "tool_input", "args", "arguments", "input"]
        .iter()
        .find_map(|key| json.get(key));
    let Some(name) = name.filter(|name| files::is_file_tool(name)) else {
        return Vec::new();
    };
    match arguments {
        Some(Json::String(text)) => {
            let inner = super::document::read(text.as_bytes());
            inner.map_or_else(|_| Vec::new(), |inner| file_calls(name, Some(&inner)))
        }
        arguments => file_calls(name, arguments),
    }
}

/// The directory to judge in: where the agent says it stands, if that exists.
pub(super) fn existing(directory: Option<&Path>) -> Option<&Path> {
    directory.filter(|path| path.is_dir())
}
