//! Opening a file so that what it holds may be lost.

use std::ffi::CString;
use std::os::fd::AsFd as _;

use blastradius_policy::Kind;
use blastradius_policy::calls::{Deed, is_name_of_guard};
use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::Answer::{self, Fail, Go, Opened, Refuse};
use super::registers::Spot;
use super::{Court, REFUSED, Verdict, is_of_path};
use crate::kernel::act::Manner;
use crate::kernel::name::{Name, Object, final_component};
use crate::kernel::{sys, walk};

impl<'p> Court<'_, 'p, '_> {
    pub(super) fn open(&self, spot: Spot, flags: OFlags) -> Verdict<'p> {
        self.open_within(spot, flags, None, Manner::Lenient)
    }

    pub(super) fn open_within(
        &self,
        spot: Spot,
        flags: OFlags,
        bounds: Option<ResolveFlags>,
        manner: Manner,
    ) -> Verdict<'p> {
        if is_harmless(flags) {
            return Ok(Go);
        }
        let path = self.path(spot)?;
        if flags.contains(OFlags::CREATE) {
            if let Some(refused) = self.creation(spot.dirfd, &path)? {
                return Ok(refused);
            }
            if flags.contains(OFlags::EXCL) {
                return Ok(Go);
            }
        }
        let follow = !flags.contains(OFlags::NOFOLLOW);
        let found = match bounds {
            Some(bounds) => walk::object_bounded(self.caller, spot.dirfd, &path, follow, bounds),
            None => walk::object(self.caller, spot.dirfd, &path, follow),
        };
        match found {
            Ok(held) => self.open_object(&Object::of(held)?, flags, manner),
            // A file that is made anew; or the kernel knows a reason that comes before this one.
            Err(Errno::NOENT) if flags.contains(OFlags::CREATE) || manner == Manner::Resolved => {
                Ok(Go)
            }
            Err(errno) => Err(errno),
        }
    }

    /// Refuses to make a file of the guard.
    pub(super) fn creation(&self, dirfd: i32, path: &CString) -> Result<Option<Answer<'p>>, Errno> {
        let is_guards = final_component(path.to_bytes())
            .is_some_and(|(start, end)| is_name_of_guard(&path.to_bytes()[start..end]));
        if !is_guards {
            return Ok(None);
        }
        let name = match Name::find(self.caller, dirfd, path) {
            Ok(Some(name)) => name,
            Ok(None) => return Ok(None),
            // The kernel says what is wrong with such a path.
            Err(error) if is_of_path(error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let refusal = self.guard.refusal_to_create(name.whereabouts.place());
        Ok(refusal
            .filter(|_| !self.is_own_log(&name.whereabouts))
            .map(|refusal| Refuse {
                deed: Deed::APPEND,
                at: name.whereabouts,
                refusal,
            }))
    }

    pub(super) fn open_object(
        &self,
        object: &Object,
        flags: OFlags,
        manner: Manner,
    ) -> Verdict<'p> {
        let deed = Deed::of_open(
            object.kind(),
            object.size(),
            flags.contains(OFlags::TRUNC),
            flags.contains(OFlags::APPEND),
        );
        match deed {
            Some(deed) if !object.is_empty_device() => {
                Ok(match self.write(deed, object) {
                    // It sets the times by the path then, and nothing is kept from it.
                    Refuse { .. } if self.is_touch(flags) => Fail(REFUSED),
                    Go if object.kind() == Kind::File && !self.is_too_long(object, flags) => {
                        match self.deputy.open(self.caller, object, flags, manner) {
                            None => Go,
                            Some(Ok(file)) => Opened(file, flags),
                            Some(Err(errno)) => Fail(errno),
                        }
                    }
                    answer => answer,
                })
            }
            _ => Ok(Go),
        }
    }

    /// Whether a caller of 32 bits may not have a file of that length, unless it says that it can.
    fn is_too_long(&self, object: &Object, flags: OFlags) -> bool {
        self.is_narrow
            && !flags.contains(OFlags::LARGEFILE)
            && i32::try_from(object.size()).is_err()
    }

    /// Whether it is `touch` that opens with these flags, to set the times of the file.
    pub(super) fn is_touch(&self, flags: OFlags) -> bool {
        const FLAGS: OFlags = OFlags::WRONLY
            .union(OFlags::CREATE)
            .union(OFlags::NONBLOCK)
            .union(OFlags::NOCTTY);
        let large_file = OFlags::from_bits_retain(0o100_000);
        let asked = flags.difference(if cfg!(target_arch = "x86_64") {
            large_file
        } else {
            OFlags::from_bits_retain(0o400_000)
        });
        asked == FLAGS
            && self
                .caller
                .program()
                .is_some_and(|program| program.ends_with("touch"))
    }

    pub(super) fn open_how(&self, spot: Spot, address: u64, size: u64) -> Verdict<'p> {
        /// Flags, mode, and how the path is resolved.
        const KNOWN: usize = 24;
        const PAGE: u64 = 4096;
        // What the kernel would make of it is said here: it would read it once more.
        let (Ok(address), KNOWN..) = (usize::try_from(address), size.min(PAGE) as usize) else {
            return Err(Errno::INVAL);
        };
        if size > PAGE {
            return Err(Errno::TOOBIG);
        }
        let mut bytes = vec![0; size as usize];
        self.caller.copy(address, &mut bytes)?;
        let (known, later) = bytes.split_at(KNOWN);
        let mut words = known
            .chunks_exact(8)
            .map(|word| word.try_into().map_or(0, u64::from_ne_bytes));
        let mut next = || words.next().unwrap_or(0);
        let (flags, mode, resolve) = (next(), next(), ResolveFlags::from_bits_retain(next()));
        let Ok(flags) = u32::try_from(flags).map(OFlags::from_bits_retain) else {
            return Err(Errno::INVAL);
        };
        if later.iter().any(|&byte| byte != 0) {
            return Err(Errno::TOOBIG);
        }
        if mode != 0 && !flags.contains(OFlags::CREATE) && !flags.contains(OFlags::TMPFILE) {
            return Err(Errno::INVAL);
        }
        let bounds = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH | ResolveFlags::IN_ROOT;
        let manner = match bounds.contains(resolve) {
            true => Manner::Strict,
            false => Manner::Resolved,
        };
        let bounds = resolve.intersects(bounds).then_some(resolve);
        self.open_within(spot, flags, bounds, manner)
    }

    /// A handle says of no path where it leads: the file says it.
    pub(super) fn open_by_handle(&self, mount: i32, address: u64, flags: OFlags) -> Verdict<'p> {
        /// The size, and the kind; then the handle itself.
        const HEAD: usize = 8;
        const LONGEST: usize = 128;
        if is_harmless(flags) {
            return Ok(Go);
        }
        let address = usize::try_from(address).map_err(|_| Errno::FAULT)?;
        let mut size = [0; 4];
        self.caller.copy(address, &mut size)?;
        let size = u32::from_ne_bytes(size) as usize;
        if size > LONGEST {
            return Err(Errno::INVAL);
        }
        let mut handle = vec![0; HEAD + size];
        self.caller.copy(address, &mut handle)?;
        // The size is read once.
        handle[..4].copy_from_slice(&(size as u32).to_ne_bytes());
        let mount = match self.caller.duplicate(mount) {
            Some(mount) => mount,
            None => rustix::fs::openat(
                self.caller.directory(mount)?,
                c".",
                OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
            )?,
        };
        let held = sys::hold_by_handle(mount.as_fd(), &handle)
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(REFUSED))?;
        self.open_object(&Object::of(held)?, flags, Manner::Lenient)
    }
}

/// Whether nothing can be lost, neither by the call nor through the descriptor. A directory cannot be written.
fn is_harmless(flags: OFlags) -> bool {
    flags.intersection(OFlags::RWMODE) == OFlags::RDONLY && !flags.contains(OFlags::TRUNC)
        || flags.intersects(OFlags::PATH | OFlags::DIRECTORY)
}
