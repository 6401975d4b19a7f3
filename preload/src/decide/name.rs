//! A name, as the policy looks at it.

use blastradius_policy::Kind;
use blastradius_policy::calls::{self, Age, Guard, Place};

use super::below::holds_denied;
use super::object::Object;
use crate::disk::{self, Walk};
use crate::resolve::Name;
use crate::sys::{self, Errno};

impl calls::Object for Name<'_> {
    fn age(&self) -> Option<Age> {
        object(self).age()
    }

    fn may_be_on_overlay(&self) -> bool {
        object(self).may_be_on_overlay()
    }
}

impl calls::Name for Name<'_> {
    type Error = Errno;

    fn place(&self) -> Place<'_> {
        self.whereabouts().place()
    }

    fn kind(&self) -> Result<Kind, Errno> {
        sys::lstatat(self.dirfd(), self.base()).map(|status| disk::kind(&status))
    }

    fn is_missing(error: &Errno) -> bool {
        *error == Errno(libc::ENOENT)
    }

    fn holds_something(&self) -> bool {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let (dirfd, base) = self.pair();
        let mut found = false;
        if let Ok(directory) = sys::openat(dirfd, base, flags, 0) {
            let listed = disk::names(directory.number(), |_| {
                found = true;
                Walk::Stop
            });
            return found && listed.is_ok();
        }
        false
    }

    fn holds_denied(&self, guard: Guard<'_, '_>) -> bool {
        holds_denied(self, guard)
    }
}

fn object<'n>(name: &'n Name<'_>) -> Object<'n> {
    Object {
        dirfd: name.dirfd(),
        path: name.base(),
        flags: 0,
    }
}
