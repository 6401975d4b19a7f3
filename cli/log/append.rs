//! Lines that are appended whole.

use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use serde_json::{Map, Value, json};

use crate::credential::redacted;
use crate::message::{Failure, escape_path};

/// A text that is longer than this is cut off in the log.
const MOST_TEXT: usize = 4096;

/// A decision about to be logged.
pub struct Decision {
    /// The object of `check --json`.
    pub object: Map<String, Value>,
    /// Who asked: `run`, or an agent's name.
    pub asked_by: &'static str,
    /// The agent's session.
    pub session: Option<String>,
}

impl Decision {
    /// One that belongs to no session of an agent.
    #[must_use]
    pub const fn of(object: Map<String, Value>, asked_by: &'static str) -> Self {
        Self {
            object,
            asked_by,
            session: None,
        }
    }
}

/// Appends one line. The file is made if need be, for its owner's eyes alone.
///
/// # Errors
/// When the line could not be written: the caller says so once and leaves the verdict as it is.
pub fn append(path: &Path, decision: Decision) -> Result<(), Failure> {
    let what = match decision.object.get("verdict").and_then(Value::as_str) {
        Some("unseen") => "a program that is not seen",
        Some("refuse") => "the refusal",
        _ => "the decision",
    };
    super::rotate(path);
    append_line(path, &line(decision)).map_err(|error| {
        let path = escape_path(path);
        Failure::new(format!("{what} was not logged: {path}: {error}"))
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn line(decision: Decision) -> String {
    let mut object = decision.object;
    object.insert("time".into(), json!(now()));
    object.insert("asked_by".into(), json!(decision.asked_by));
    if let Some(session) = decision.session {
        object.insert("session".into(), json!(session));
    }
    if object
        .get("verdict")
        .is_some_and(|verdict| verdict == "refuse")
        && let Some(Value::Array(actions)) = object.get_mut("actions")
    {
        for action in &mut *actions {
            keep_refused_targets(action);
        }
        actions.retain(|action| {
            action["targets"]
                .as_array()
                .is_some_and(|targets| !targets.is_empty())
        });
    }
    let mut whole = Value::Object(object);
    without_secrets(&mut whole);
    let mut line = whole.to_string();
    line.push('\n');
    line
}

/// Every string in it, cut to a length that can be read and with its secrets taken out.
fn without_secrets(value: &mut Value) {
    match value {
        Value::String(text) => {
            // First the secrets: half of one has its shape no more.
            *text = redacted(text);
            if let Some((end, _)) = text.char_indices().nth(MOST_TEXT) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_secrets),
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(_, value)| without_secrets(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The log tells what was refused; hundreds of allowed matches of a glob would hide it.
fn keep_refused_targets(action: &mut Value) {
    if let Some(Value::Array(targets)) = action.get_mut("targets") {
        targets.retain(|target| target["verdict"] == "refuse");
        targets.truncate(20);
    }
}

/// Appends one line, and makes the folder and the file if need be.
pub(crate) fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let mut file = match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)?;
            }
            open(path)?
        }
        opened => opened?,
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    // One write of the whole line: with O_APPEND the lines of several processes do not mix.
    let written = file.write(line.as_bytes())?;
    if written < line.len() {
        // The disk is full. What comes next must not stand behind half a line.
        file.write_all(b"\n").ok();
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

/// Opens by system call, not through libc: inside a guarded session the library keeps the log from everybody else,
/// and from this process too.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let to_append = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::CLOEXEC;
    // A fifo without a reader must not hang the verdict, a link must not lead it elsewhere.
    let guarded = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = rustix::fs::open(path, to_append | guarded, Mode::RUSR | Mode::WUSR)?;
    Ok(File::from(file))
}
