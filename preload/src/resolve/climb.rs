//! The path of a directory where the kernel does not say it: deeper than PATH_MAX, or without `/proc`.

use crate::disk::{self, Walk};
use crate::resolve::{WHOLE, Whereabouts, link_of, push};
use crate::sys::{self, Descriptor, Errno};
use crate::text::{Full, Text};

/// Climbs from a directory until the kernel can say where it has come, or the root is reached. `asked` is the
/// error that asking for the directory itself gave.
#[cold]
#[inline(never)]
pub(super) fn climb(dirfd: i32, asked: Errno, found: &mut Whereabouts) {
    // Names can be told only one by one, by reading each directory; where the path is too long anyway, they
    // are left out.
    let names = !matches!(asked, Errno(libc::ENAMETOOLONG | libc::ERANGE));
    found.shortened = !names;
    let climbed = sys::open_directory(dirfd, c".")
        .ok()
        .and_then(|directory| ascend(directory, names, &mut found.text));
    if climbed.is_none() {
        found.forget();
    }
}

fn ascend(mut directory: Descriptor, names: bool, text: &mut Text<WHOLE>) -> Option<()> {
    let mut below = Tail::new();
    loop {
        let parent = sys::open_directory(directory.number(), c"..").ok()?;
        let own = sys::fstat(directory.number()).ok()?.identity();
        let is_root = sys::fstat(parent.number()).ok()?.identity() == own;
        text.truncate(0);
        let known = if is_root {
            text.push(b'/').is_ok()
        } else {
            if names {
                below.name_in(&parent, own)?;
            }
            link_of(parent.number(), text).is_ok()
        };
        if known {
            // Two roots are possible: ours, and that of a tree which ours does not reach.
            let reached =
                !is_root || sys::fstatat(sys::CWD, c"/".as_ptr(), 0).ok()?.identity() == own;
            if !reached || !text.as_bytes().starts_with(b"/") {
                return None;
            }
            for name in below.components() {
                push(text, name).ok()?;
            }
            return Some(());
        }
        directory = parent;
    }
}

/// Components found from the last to the first, each followed by a slash, written backwards.
struct Tail {
    backwards: Text<WHOLE>,
}

impl Tail {
    const fn new() -> Self {
        Self {
            backwards: Text::new(),
        }
    }

    /// Finds what a directory is called in its parent. Entries are compared by what is there, not by their
    /// inode number: where something is mounted, that is another.
    fn name_in(&mut self, parent: &Descriptor, own: (u64, u64)) -> Option<()> {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
        let listing = sys::openat(parent.number(), c".".as_ptr(), flags, 0).ok()?;
        let mut found = Err(Full);
        disk::names(listing.number(), |name| {
            let mut entry = Text::<256>::new();
            if entry.append(name).and_then(|()| entry.push(0)).is_err() {
                return Walk::On;
            }
            match sys::lstatat(parent.number(), entry.as_c_str()) {
                Ok(status) if status.identity() == own => {
                    found = self.prepend(name);
                    Walk::Stop
                }
                _ => Walk::On,
            }
        })
        .ok()?;
        found.ok()
    }

    fn prepend(&mut self, name: &[u8]) -> Result<(), Full> {
        for &byte in name.iter().rev() {
            self.backwards.push(byte)?;
        }
        self.backwards.push(b'/')
    }

    /// The components from the first to the last.
    fn components(&mut self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.backwards.as_mut_bytes();
        bytes.reverse();
        bytes
            .split(|&byte| byte == b'/')
            .filter(|component| !component.is_empty())
    }
}
