//! The lines of the log, older files first.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::rotate::all;

/// Which lines are wanted.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only refusals.
    pub refused: bool,
    /// Only what passed although a guard or a rule looked at it.
    pub near: bool,
    /// Only from this second on.
    pub since: Option<u64>,
    /// Only of this session.
    pub session: Option<String>,
}

impl Filter {
    /// Whether a line is wanted.
    #[must_use]
    pub fn takes(&self, entry: &Value) -> bool {
        let refused = entry["verdict"] == "refuse";
        let near = entry["near"]
            .as_array()
            .is_some_and(|near| !near.is_empty());
        let kind = match (self.refused, self.near) {
            (false, false) => true,
            (true, false) => refused,
            (false, true) => near,
            (true, true) => refused || near,
        };
        let in_time = self
            .since
            .is_none_or(|since| entry["time"].as_u64().is_some_and(|time| time >= since));
        let in_session = self
            .session
            .as_ref()
            .is_none_or(|session| entry["session"] == session.as_str());
        kind && in_time && in_session
    }
}

/// Every line that is wanted, with what it says. A line that is damaged is left out.
///
/// # Errors
/// When a log is there and cannot be read.
pub fn entries(path: &Path, filter: &Filter) -> io::Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    for path in all(path) {
        let content = match fs::read(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        found.extend(lines(&content, filter));
    }
    Ok(found)
}

/// The lines of a text that are wanted.
pub(super) fn lines(content: &[u8], filter: &Filter) -> Vec<(String, Value)> {
    content
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let line = std::str::from_utf8(line).ok()?;
            let entry: Value = serde_json::from_str(line).ok()?;
            filter.takes(&entry).then(|| (line.to_owned(), entry))
        })
        .collect()
}
