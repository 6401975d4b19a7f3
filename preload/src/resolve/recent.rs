//! The directory that was asked for last: programs that remove trees name it again for each file.
//!
//! What was remembered is asked for again before it is believed, by a cheaper call: whether the path still
//! leads to this very directory. It could do so by a link that was put in the place of a directory above while
//! the directory itself was moved elsewhere; then what is judged is where it was.

use crate::resolve::WHOLE;
use crate::slot::Slot;
use crate::sys::{self, CWD};
use crate::text::Text;

/// Longer paths are not remembered.
const LONGEST: usize = 1024;

struct Entry {
    identity: (u64, u64),
    /// With its NUL; empty at first.
    path: Text<LONGEST>,
}

static RECENT: Slot<Entry> = Slot::new(Entry {
    identity: (0, 0),
    path: Text::new(),
});

/// Writes the path of the directory with that identity, if it is the one that was remembered.
pub(super) fn recall(identity: (u64, u64), into: &mut Text<WHOLE>) -> Option<()> {
    RECENT.with(|entry| {
        let path = entry.path.as_bytes().strip_suffix(b"\0")?;
        if entry.identity != identity {
            return None;
        }
        let there = sys::lstatat(CWD, entry.path.as_c_str()).ok()?;
        if there.identity() != identity {
            return None;
        }
        into.truncate(0);
        into.append(path).ok()
    })?
}

/// Remembers where a directory is.
pub(super) fn remember(identity: (u64, u64), path: &[u8]) {
    // Whether it is remembered changes no answer.
    RECENT.with(|entry| {
        entry.path.truncate(0);
        entry.identity = identity;
        if path.len() < LONGEST && entry.path.append(path).is_ok() && entry.path.push(0).is_err() {
            entry.path.truncate(0);
        }
    });
}
