//! The directory that was asked for last: programs that remove trees name it again for each file.
//!
//! What was remembered is asked for again before it is believed, by a cheaper call: whether the path still
//! leads to this very directory. It could do so by a link that was put in the place of a directory above while
//! the directory itself was moved elsewhere; then what is judged is where it was.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::resolve::WHOLE;
use crate::sys::{self, CWD};
use crate::text::Text;

/// Longer paths are not remembered.
const LONGEST: usize = 1024;

struct Recent {
    /// Whoever finds it taken does without: another thread has it, or had it when this process was forked, or
    /// a signal came in between.
    taken: AtomicBool,
    entry: UnsafeCell<Entry>,
}

// SAFETY: the entry is reached only by whoever has taken it.
unsafe impl Sync for Recent {}

struct Entry {
    identity: (u64, u64),
    /// With its NUL; empty at first.
    path: Text<LONGEST>,
}

static RECENT: Recent = Recent {
    taken: AtomicBool::new(false),
    entry: UnsafeCell::new(Entry {
        identity: (0, 0),
        path: Text::new(),
    }),
};

fn with_entry<R>(act: impl FnOnce(&mut Entry) -> R) -> Option<R> {
    if RECENT.taken.swap(true, Ordering::Acquire) {
        return None;
    }
    // SAFETY: nobody else has it.
    let result = act(unsafe { &mut *RECENT.entry.get() });
    RECENT.taken.store(false, Ordering::Release);
    Some(result)
}

/// Writes the path of the directory with that identity, if it is the one that was remembered.
pub(super) fn recall(identity: (u64, u64), into: &mut Text<WHOLE>) -> Option<()> {
    with_entry(|entry| {
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
    with_entry(|entry| {
        entry.path.truncate(0);
        entry.identity = identity;
        if path.len() < LONGEST && entry.path.append(path).is_ok() && entry.path.push(0).is_err() {
            entry.path.truncate(0);
        }
    });
}
