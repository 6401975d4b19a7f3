//! What a directory takes along when it is moved.

use blastradius_policy::calls::Guard;

use crate::disk::{self, Walk};
use crate::memory::PATH_MAX;
use crate::resolve::{Name, Whereabouts};
use crate::sys::{self, Descriptor};
use crate::text::Text;

/// Deeper trees are not looked through: what they hold is not known. Each level takes a descriptor and stack.
const DEEPEST: u32 = 32;

/// Whether a directory holds what is denied, or might: also where it cannot be read.
#[cold]
#[inline(never)]
pub(super) fn holds_denied(name: &Name<'_>, guard: Guard<'_, '_>) -> bool {
    let (dirfd, base) = name.pair();
    match sys::openat(dirfd, base, LIST, 0) {
        Ok(directory) => {
            let mut path = Whereabouts::new();
            path.copy_from(name.whereabouts());
            !is_free(&directory, &mut path, guard, DEEPEST)
        }
        Err(sys::Errno(libc::ENOTDIR | libc::ELOOP | libc::ENOENT)) => false,
        Err(_) => true,
    }
}

const LIST: i32 = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;

/// Whether nothing below an open directory is denied. `path` is where it is, and is left so.
fn is_free(
    directory: &Descriptor,
    path: &mut Whereabouts,
    guard: Guard<'_, '_>,
    levels: u32,
) -> bool {
    let mut free = true;
    let listed = disk::names(directory.number(), |name| {
        let length = path.enter(name);
        free = !guard.denies(path.place()) && is_free_inside(directory, name, path, guard, levels);
        path.leave(length);
        if free { Walk::On } else { Walk::Stop }
    });
    free && listed.is_ok()
}

fn is_free_inside(
    directory: &Descriptor,
    name: &[u8],
    path: &mut Whereabouts,
    guard: Guard<'_, '_>,
    levels: u32,
) -> bool {
    let mut entry = Text::<256>::new();
    if entry.append(name).and_then(|()| entry.push(0)).is_err() {
        return false;
    }
    match sys::openat(directory.number(), entry.as_c_str().as_ptr(), LIST, 0) {
        Ok(below) => {
            levels > 0 && path.len() < PATH_MAX && is_free(&below, path, guard, levels - 1)
        }
        Err(sys::Errno(libc::ENOTDIR | libc::ELOOP | libc::ENOENT)) => true,
        Err(_) => false,
    }
}
