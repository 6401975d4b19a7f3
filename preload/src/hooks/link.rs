//! Giving a file a further name, or a link a place. Neither replaces anything; but a name of the guard's own
//! files would bring them in, and a second name of one would be a way to write it.

use core::ffi::{c_char, c_int};

use crate::loan::Loan;
use crate::resolve::{self, Room};
use crate::sys::{self, CWD, Result};
use crate::{decide, errno};

/// `link(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn link(from: *const c_char, to: *const c_char) -> c_int {
    errno::status(link_name((CWD, from), (CWD, to), 0))
}

/// `linkat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn linkat(
    from_dirfd: c_int,
    from: *const c_char,
    to_dirfd: c_int,
    to: *const c_char,
    flags: c_int,
) -> c_int {
    errno::status(link_name((from_dirfd, from), (to_dirfd, to), flags))
}

/// `symlink(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn symlink(target: *const c_char, path: *const c_char) -> c_int {
    errno::status(link_text(target, CWD, path))
}

/// `symlinkat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn symlinkat(target: *const c_char, dirfd: c_int, path: *const c_char) -> c_int {
    errno::status(link_text(target, dirfd, path))
}

type Place = (c_int, *const c_char);

pub(super) fn link_name(from: Place, to: Place, flags: c_int) -> Result<()> {
    let (mut from_room, mut to_room) = (Loan::<Room>::new()?, Loan::<Room>::new()?);
    let source = match flags {
        0 => resolve::name(from.0, from.1, &mut from_room)?,
        // By descriptor, or through a link: what counts is the object.
        _ => {
            decide::second_name_of_object(from, flags)?;
            None
        }
    };
    // The kernel looks at the source first: what is wrong with the target, it says afterwards.
    let target = resolve::name(to.0, to.1, &mut to_room).ok().flatten();
    if let Some(source) = &source {
        decide::second_name(source)?;
    }
    if let Some(target) = &target {
        decide::new_name(target)?;
    }
    let pair = |name: Option<&resolve::Name<'_>>, given| name.map_or(given, |name| name.pair());
    sys::linkat(
        pair(source.as_ref(), from),
        pair(target.as_ref(), to),
        flags,
    )
}

pub(super) fn link_text(target: *const c_char, dirfd: c_int, path: *const c_char) -> Result<()> {
    let mut room = Loan::<Room>::new()?;
    match resolve::name(dirfd, path, &mut room).ok().flatten() {
        Some(name) => {
            decide::new_name(&name)?;
            sys::symlinkat(target, name.pair())
        }
        None => sys::symlinkat(target, (dirfd, path)),
    }
}
