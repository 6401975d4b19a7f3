//! The log: one line of JSON for every refusal, and for every program that is not seen.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use serde_json::{Map, Value, json};

use super::Failure;

/// A command that is longer than this is cut off in the log.
const MOST_COMMAND: usize = 4096;

/// A decision about to be logged.
pub struct Decision {
    /// The object of `check --json`.
    pub object: Map<String, Value>,
    /// Who asked: `run`, or an agent's name.
    pub asked_by: &'static str,
}

/// Appends one line. The file is made if need be, for its owner's eyes alone.
///
/// # Errors
/// When the line could not be written: the caller says so once and leaves the verdict as it is.
pub fn append(path: &Path, decision: Decision) -> Result<(), Failure> {
    let what = match decision.object.get("verdict") {
        Some(Value::String(verdict)) if verdict == "unseen" => "a program that is not seen",
        _ => "the refusal",
    };
    let line = line(decision, SystemTime::now());
    write(path, &line).map_err(|error| {
        let path = super::escape_path(path);
        Failure::new(format!("{what} was not logged: {path}: {error}"))
    })
}

fn line(decision: Decision, now: SystemTime) -> String {
    let mut object = decision.object;
    let time = now
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    object.insert("time".into(), json!(time));
    object.insert("asked_by".into(), json!(decision.asked_by));
    if let Some(Value::String(command)) = object.get_mut("command")
        && let Some((end, _)) = command.char_indices().nth(MOST_COMMAND)
    {
        command.truncate(end);
        command.push('…');
    }
    if let Some(Value::Array(actions)) = object.get_mut("actions") {
        for action in &mut *actions {
            keep_refused_targets(action);
        }
        actions.retain(|action| {
            action["targets"]
                .as_array()
                .is_some_and(|targets| !targets.is_empty())
        });
    }
    let mut line = Value::Object(object).to_string();
    line.push('\n');
    line
}

/// The log tells what was refused; hundreds of allowed matches of a glob would hide it.
fn keep_refused_targets(action: &mut Value) {
    if let Some(Value::Array(targets)) = action.get_mut("targets") {
        targets.retain(|target| target["verdict"] == "refuse");
        targets.truncate(20);
    }
}

fn write(path: &Path, line: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
    }
    let mut file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    // One write of the whole line: with O_APPEND the lines of several processes do not mix.
    file.write_all(line.as_bytes())
}

/// Opens by system call, not through libc: inside a guarded session the library keeps the log from everybody else,
/// and from this process too.
fn open(path: &Path) -> io::Result<File> {
    let to_append = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::CLOEXEC;
    // A fifo without a reader must not hang the verdict, a link must not lead it elsewhere.
    let guarded = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = rustix::fs::open(path, to_append | guarded, Mode::RUSR | Mode::WUSR)?;
    Ok(File::from(file))
}
