//! Changing a file through a descriptor.

use blastradius_policy::Kind;
use blastradius_policy::calls::Deed;
use nix::libc;
use rustix::fs::{FallocateFlags, OFlags};
use rustix::io::Errno;

use super::Answer::{self, Go};
use super::{Court, Verdict, answer};
use crate::kernel::name::Object;

impl<'p> Court<'_, 'p, '_> {
    pub(super) fn ftruncate(&self, fd: i32, length: i64) -> Verdict<'p> {
        let Ok(length) = u64::try_from(length) else {
            return Ok(Go);
        };
        let (object, is_same) = self.open_file(fd)?;
        let size = object.size();
        if object.kind() != Kind::File || length > size && !self.caller.may_grow_to(length) {
            return Ok(Go);
        }
        let act = || rustix::fs::ftruncate(&object.held, length);
        if !object.is_named_file() || length >= size {
            return Ok(self.act_on(is_same, act));
        }
        Ok(match self.write(Deed::TRUNCATE, &object) {
            Go => self.act_on(is_same, act),
            judged => judged,
        })
    }

    /// Some modes take content away, also through a descriptor that only appends.
    pub(super) fn fallocate(&self, fd: i32, mode: i32, offset: i64, length: i64) -> Verdict<'p> {
        const HARMLESS: i32 = libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_UNSHARE_RANGE;
        let (Ok(offset), Ok(length)) = (u64::try_from(offset), u64::try_from(length)) else {
            return Ok(Go);
        };
        if mode & !HARMLESS == 0 {
            return Ok(Go);
        }
        let mode = FallocateFlags::from_bits_retain(mode.cast_unsigned());
        let (object, is_same) = self.open_file(fd)?;
        let end = offset.saturating_add(length);
        let grows = !mode.contains(FallocateFlags::KEEP_SIZE) && end > object.size();
        if object.kind() != Kind::File || grows && !self.caller.may_grow_to(end) {
            return Ok(Go);
        }
        let judged = match object.is_named_file() && object.size() > 0 {
            true => self.write(Deed::OVERWRITE, &object),
            false => Go,
        };
        Ok(match judged {
            Go => self.act_on(is_same, || {
                rustix::fs::fallocate(&object.held, mode, offset, length)
            }),
            judged => judged,
        })
    }

    /// A descriptor that only appended would write over what is there.
    pub(super) fn set_flags(&self, fd: i32, command: i32, flags: OFlags) -> Verdict<'p> {
        if command != libc::F_SETFL || flags.contains(OFlags::APPEND) {
            return Ok(Go);
        }
        let (object, is_same) = self.open_file(fd)?;
        if object.kind() != Kind::File {
            return Ok(Go);
        }
        // Of that very file: another thread may put another one under the number.
        let former = match is_same {
            true => rustix::fs::fcntl_getfl(&object.held).ok(),
            false => self.caller.flags(fd),
        };
        let loses = match former {
            _ if !object.is_named_file() || object.size() == 0 => false,
            Some(former) => {
                former.contains(OFlags::APPEND)
                    && former.intersection(OFlags::RWMODE) != OFlags::RDONLY
            }
            None => true,
        };
        let judged = match loses {
            true => self.write(Deed::OVERWRITE, &object),
            false => Go,
        };
        // Signals would be sent to whoever asks for them.
        let is_told = flags.contains(OFlags::from_bits_retain(libc::O_ASYNC.cast_unsigned()));
        Ok(match judged {
            Go if !is_told => self.act_on(is_same, || rustix::fs::fcntl_setfl(&object.held, flags)),
            judged => judged,
        })
    }

    /// What a descriptor refers to, and whether what we hold of it is the same open file.
    fn open_file(&self, fd: i32) -> Result<(Object, bool), Errno> {
        let duplicate = self.caller.duplicate(fd);
        let is_same = duplicate.is_some();
        let held = match duplicate {
            Some(held) => held,
            None => self.caller.descriptor(fd)?,
        };
        Ok((Object::of(held)?, is_same))
    }

    /// Acts on the open file that was looked at: what may be done with it was settled when it was opened, whoever
    /// does it.
    fn act_on(&self, is_same: bool, act: impl FnOnce() -> Result<(), Errno>) -> Answer<'p> {
        match is_same && self.caller.still_waits() {
            true => answer(Some(act())),
            false => Go,
        }
    }
}
