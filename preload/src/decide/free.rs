//! The directory that a name was removed from last: where nothing is special to any rule, the names in it need
//! not be judged one by one.

use blastradius_policy::Canonical;

use crate::slot::Slot;
use crate::start::state;
use crate::text::Text;

/// Longer paths are judged each time.
const LONGEST: usize = 1024;

struct Last {
    /// Empty at first.
    directory: Text<LONGEST>,
    free: bool,
}

static LAST: Slot<Last> = Slot::new(Last {
    directory: Text::new(),
    free: false,
});

/// Whether any one name in a directory may be removed.
#[inline]
pub(super) fn is_free(directory: &[u8]) -> bool {
    let known = LAST.with(|last| {
        if last.directory.as_bytes() != directory {
            last.directory.truncate(0);
            // One that does not fit is looked at each time.
            last.free = last.directory.append(directory).is_ok() && look(directory);
        }
        last.free
    });
    known == Some(true)
}

#[cold]
#[inline(never)]
fn look(directory: &[u8]) -> bool {
    match (&state().policy, Canonical::new(directory)) {
        (Some(policy), Some(directory)) => policy.lets_go_below(directory),
        _ => false,
    }
}
