//! Programs that the library cannot see into: told of by `run` when it starts one, and by `doctor` from the log.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use blastradius_policy::{Executable, HEAD, Policy, Unseen, is_loader};
use serde_json::{Map, Value, json};

use crate::environment::Environment;
use crate::message::{Decision, escape_path};
use crate::run::log;

/// As much of the log's end is read.
const MOST_READ: u64 = 1 << 20;

/// What would be started by a path and is not seen: the program itself, or what runs a script.
#[must_use]
pub fn behind(environment: &Environment, path: &Path) -> Option<(PathBuf, Unseen)> {
    let (path, head) = head_of(path)?;
    match Executable::read(&head) {
        Executable::Script(interpreter) => {
            let (path, head) = head_of(OsStr::from_bytes(interpreter).as_ref())?;
            unseen(environment, path, &head)
        }
        _ => unseen(environment, path, &head),
    }
}

fn unseen(environment: &Environment, path: PathBuf, head: &[u8]) -> Option<(PathBuf, Unseen)> {
    match Executable::read(head) {
        Executable::Unseen(_) if is_loader(path.as_os_str().as_bytes()) => None,
        Executable::Unseen(unseen) => Some((path, unseen)),
        _ if head.starts_with(b"\x7fELF") && becomes_another(environment, &path) => {
            Some((path, Unseen::Privileged))
        }
        _ => None,
    }
}

/// Whether a program changes its user. The library looks closer when it is at work.
fn becomes_another(environment: &Environment, path: &Path) -> bool {
    const SET_USER_ID: u32 = 0o4000;
    path.metadata()
        .is_ok_and(|meta| meta.mode() & SET_USER_ID != 0 && meta.uid() != environment.uid)
}

/// The file behind a path, and its first bytes.
fn head_of(path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let path = path.canonicalize().ok()?;
    let mut head = Vec::new();
    let file = File::open(&path).ok()?;
    file.take(HEAD as u64).read_to_end(&mut head).ok()?;
    Some((path, head))
}

/// Logs that a program was started that is not seen, as the library does.
pub fn note(policy: &Policy<'_>, path: &Path, unseen: Unseen) {
    let (seconds, nanoseconds) = policy.session_start();
    let mut object = Map::new();
    for (name, value) in [
        ("verdict", json!("unseen")),
        ("policy", json!(policy.id().to_string())),
        ("layer", json!("libc")),
        ("session", json!(format!("{seconds}.{nanoseconds:09}"))),
        ("path", json!(path.to_string_lossy())),
        ("operation", json!("execute")),
        ("reason", json!(unseen.id())),
    ] {
        object.insert(name.into(), value);
    }
    log(policy, Decision::of(object, "run"));
}

/// What a person is told of one.
#[must_use]
pub fn line(path: &Path, unseen: Unseen) -> String {
    let words = unseen.words();
    format!("{} {words}: what it does is not seen", escape_path(path))
}

/// What a person is told of a program that would get other rights than its caller's, which the kernel layer does not
/// let it have.
#[must_use]
pub fn without_rights(path: &Path) -> String {
    format!("{} {}", escape_path(path), Unseen::WITHOUT_RIGHTS)
}

/// The programs that the log tells of, and why each is not seen.
#[must_use]
pub fn logged(log: &Path) -> BTreeMap<String, String> {
    let lines = end_of(log).unwrap_or_default();
    let entry = |line: &[u8]| {
        let Ok(Value::Object(object)) = serde_json::from_slice(line) else {
            return None;
        };
        let text = |name| object.get(name)?.as_str().map(str::to_owned);
        (text("verdict")? == "unseen").then_some((text("path")?, text("reason")?))
    };
    lines
        .split(|byte| *byte == b'\n')
        .filter_map(entry)
        .collect()
}

fn end_of(log: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(log)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST_READ)))?;
    let mut lines = Vec::new();
    file.take(MOST_READ).read_to_end(&mut lines)?;
    Ok(lines)
}
