//! What a call that opens a file is about to do to it, and what may not be made at all.

use core::ffi::{c_char, c_int};

use blastradius_policy::Act;

use crate::loan::Loan;
use crate::report::Deed;
use crate::resolve::{self, Room};
use crate::sys::{Result, Status};
use crate::{decide, disk};

pub(crate) const fn holds(flags: c_int, wanted: c_int) -> bool {
    flags & wanted == wanted
}

pub(crate) const fn is_read_only(flags: c_int) -> bool {
    flags & libc::O_ACCMODE == libc::O_RDONLY
}

/// What happens to the file; None if it has no content that could be lost (a pipe, a terminal, `/dev/null`).
pub(crate) fn deed(flags: c_int, status: &Status) -> Option<Deed> {
    Deed::of_open(
        disk::kind(status),
        status.size(),
        holds(flags, libc::O_TRUNC),
        holds(flags, libc::O_APPEND),
    )
}

/// Refuses to create a file of the guard: its configuration would be the caller's.
pub(crate) fn creation(dirfd: c_int, path: *const c_char) -> Result<()> {
    let mut room = Loan::<Room>::new()?;
    // The kernel says what is wrong with a path that cannot be resolved.
    let Ok(Some(name)) = resolve::name_of_guard(dirfd, path, &mut room) else {
        return Ok(());
    };
    match decide::judge(name.whereabouts(), Act::Append, None) {
        None => Ok(()),
        Some(refusal) => Err(decide::refuse(Deed::APPEND, name.whereabouts(), refusal)),
    }
}
