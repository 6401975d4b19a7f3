//! Moving a name, perhaps over another.

use core::ffi::{c_char, c_int, c_uint};

use crate::decide::{self, Rename};
use crate::errno;
use crate::resolve::{self, Name, Room};
use crate::sys::{self, CWD, Errno, Result};

/// `rename(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    errno::status(move_name((CWD, from), (CWD, to), 0))
}

/// `renameat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn renameat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), 0))
}

/// `renameat2(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn renameat2(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    errno::status(move_name((from_dirfd, from), (to_dirfd, to), flags))
}

type Place = (c_int, *const c_char);

pub(super) fn move_name(from: Place, to: Place, flags: c_uint) -> Result<()> {
    let (mut from_room, mut to_room) = (Room::new(), Room::new());
    let source = resolve::name(from.0, from.1, &mut from_room)?;
    let target = resolve::name(to.0, to.1, &mut to_room)?;
    match (source, target) {
        (Some(source), Some(target)) => move_between(&source, &target, flags),
        _ => sys::renameat2(from, to, flags),
    }
}

fn move_between(from: &Name<'_>, to: &Name<'_>, flags: c_uint) -> Result<()> {
    let as_asked = || sys::renameat2(from.pair(), to.pair(), flags);
    match decide::rename(from, to, flags)? {
        Rename::AsAsked => as_asked(),
        Rename::NoReplace => {
            match sys::renameat2(from.pair(), to.pair(), flags | libc::RENAME_NOREPLACE) {
                Err(Errno(libc::EEXIST)) if flags & libc::RENAME_NOREPLACE == 0 => {
                    Err(decide::replace_appeared(to))
                }
                // A file system without the flag, or a kernel before 3.15: the name was missing a moment ago.
                Err(Errno(libc::EINVAL | libc::ENOSYS)) => as_asked(),
                done => done,
            }
        }
    }
}
