//! The verdict on one call that the filter asks about.

mod open;
mod registers;

use std::ffi::CString;
use std::os::fd::{AsFd as _, OwnedFd};

use blastradius_policy::calls::{Deed, End, Flags, Guard, Refusal, Removal, Rename, Stop};
use blastradius_policy::{Act, Kind, Rule};
use nix::libc;
use rustix::fs::{AtFlags, FallocateFlags, OFlags, RenameFlags};
use rustix::io::Errno;

use super::act::{self, Deputy};
use super::caller::Caller;
use super::calls::{self, Call};
use super::identity;
use super::name::{Name, Object, Whereabouts};
use super::sys::seccomp_data;
use super::walk;

/// What the caller is answered.
pub(super) enum Answer<'p> {
    /// The kernel makes the call.
    Go,
    /// It has been made.
    Done,
    /// It opens this file, with these flags.
    Opened(OwnedFd, OFlags),
    /// It fails.
    Fail(Errno),
    /// It is refused, and that is told.
    Refuse {
        deed: Deed,
        at: Whereabouts,
        refusal: Refusal<'p>,
    },
}

use Answer::{Done, Fail, Go, Refuse};
use registers::{Registers, Spot};

/// What every refusal answers.
pub(super) const REFUSED: Errno = Errno::PERM;

/// Judges a call.
pub(super) fn judge<'p>(
    guard: Guard<'_, 'p>,
    deputy: &Deputy,
    caller: Caller<'_>,
    data: &seccomp_data,
) -> Answer<'p> {
    let Some((abi, call)) = calls::find(data.arch, data.nr) else {
        // The filter asks about what is in the tables alone.
        return Fail(REFUSED);
    };
    let r = Registers { abi, data };
    let court = Court {
        is_narrow: abi.is_narrow,
        guard,
        deputy,
        caller,
    };
    let answer = match call {
        Call::Changes | Call::Prctl => {
            identity::change();
            Ok(Go)
        }
        Call::Confines => {
            deputy.confine();
            Ok(Go)
        }
        Call::Ring => Ok(Fail(Errno::NOSYS)),
        Call::Unlink => court.remove(r.here(0), Removal::Unlink),
        Call::Rmdir => court.remove(r.here(0), Removal::Rmdir),
        Call::UnlinkAt => match AtFlags::from_bits_retain(r.word(2).cast_unsigned()) {
            AtFlags::REMOVEDIR => court.remove(r.at(0), Removal::Rmdir),
            flags if flags.is_empty() => court.remove(r.at(0), Removal::Unlink),
            // Flags that nobody knows: the kernel refuses them.
            _ => Ok(Go),
        },
        Call::Rename => court.rename(r.here(0), r.here(1), 0),
        Call::RenameAt => court.rename(r.at(0), r.at(2), 0),
        Call::RenameAt2 if data.args[4] as u32 == super::QUESTION => Ok(Fail(super::HERE)),
        Call::RenameAt2 => court.rename(r.at(0), r.at(2), r.word(4).cast_unsigned()),
        Call::Link => court.link(r.here(0), r.here(1), 0),
        Call::LinkAt => court.link(r.at(0), r.at(2), r.word(4)),
        Call::Symlink => court.symlink(r.here(1)),
        Call::SymlinkAt => court.symlink(r.at(1)),
        Call::Open => court.open(r.here(0), r.flags(1)),
        Call::Creat => court.open(r.here(0), OFlags::CREATE | OFlags::WRONLY | OFlags::TRUNC),
        Call::OpenAt => court.open(r.at(0), r.flags(2)),
        Call::OpenAt2 => court.open_how(r.at(0), r.address(2), r.address(3)),
        Call::OpenByHandle => court.open_by_handle(r.word(0), r.address(1), r.flags(2)),
        Call::Truncate => court.truncate(r.here(0), r.length(1)),
        Call::TruncateHalves => court.truncate(r.here(0), r.halves(1)),
        Call::Ftruncate => court.ftruncate(r.word(0), r.length(1)),
        Call::FtruncateHalves => court.ftruncate(r.word(0), r.halves(1)),
        Call::Fallocate => match abi.is_narrow {
            true => court.fallocate(r.word(0), r.word(1), r.halves(2), r.halves(4)),
            false => court.fallocate(r.word(0), r.word(1), r.length(2), r.length(3)),
        },
        Call::Fcntl => court.set_flags(r.word(0), r.word(1), r.flags(2)),
    };
    answer.unwrap_or_else(|errno| match errno {
        Errno::ACCESS | Errno::PERM if caller.is_closed() => unseen(call),
        errno => Fail(errno),
    })
}

/// The answer to a caller that cannot be looked into.
fn unseen<'p>(call: Call) -> Answer<'p> {
    let deed = match call {
        Call::Unlink | Call::UnlinkAt => Deed::UNLINK,
        Call::Rmdir => Deed::RMDIR,
        Call::Rename | Call::RenameAt | Call::RenameAt2 => Deed::RENAME,
        Call::Link | Call::LinkAt | Call::Symlink | Call::SymlinkAt => Deed::LINK,
        Call::Truncate | Call::TruncateHalves | Call::Ftruncate | Call::FtruncateHalves => {
            Deed::TRUNCATE
        }
        _ => Deed::OVERWRITE,
    };
    Refuse {
        deed,
        at: Whereabouts::default(),
        refusal: Refusal {
            rule: Rule::UnresolvableTarget,
            by: b"",
        },
    }
}

struct Court<'g, 'p, 'l> {
    is_narrow: bool,
    guard: Guard<'g, 'p>,
    deputy: &'g Deputy,
    caller: Caller<'l>,
}

type Verdict<'p> = Result<Answer<'p>, Errno>;

/// Whether a path leads nowhere, for whoever asks: no error of the supervisor's own.
fn is_of_path(error: Errno) -> bool {
    matches!(
        error,
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG
    )
}

impl<'p> Court<'_, 'p, '_> {
    fn path(&self, spot: Spot) -> Result<CString, Errno> {
        self.caller.path(spot.address)
    }

    fn name(&self, spot: Spot) -> Result<Option<Name>, Errno> {
        Name::find(self.caller, spot.dirfd, &self.path(spot)?)
    }

    fn remove(&self, spot: Spot, removal: Removal) -> Verdict<'p> {
        let Some(name) = self.name(spot)? else {
            return Ok(Go);
        };
        if let Err(why) = self.guard.remove(&name, removal) {
            return Ok(stop(why, name, None));
        }
        let flags = match removal {
            Removal::Rmdir => AtFlags::REMOVEDIR,
            Removal::Unlink | Removal::Either => AtFlags::empty(),
        };
        Ok(answer(self.deputy.remove(self.caller, &name, flags)))
    }

    fn rename(&self, from: Spot, to: Spot, flags: u32) -> Verdict<'p> {
        let (Some(source), Some(target)) = (self.name(from)?, self.name(to)?) else {
            return Ok(Go);
        };
        let flags = RenameFlags::from_bits_retain(flags);
        let wanted = Flags {
            swaps: flags.contains(RenameFlags::EXCHANGE),
            keeps: flags.contains(RenameFlags::NOREPLACE),
        };
        let needs = match self.guard.rename(&source, &target, wanted) {
            Ok(needs) => needs,
            Err(why) => return Ok(stop(why, source, Some(target))),
        };
        let done = self
            .deputy
            .rename(self.caller, (&source, &target), flags, needs);
        let has_appeared = done == Some(Err(Errno::EXIST)) && !wanted.keeps;
        if has_appeared
            && needs == Rename::NoReplace
            && let Some(refusal) = self.guard.replace_appeared(&target)
        {
            return Ok(Refuse {
                deed: Deed::REPLACE,
                at: target.whereabouts,
                refusal,
            });
        }
        Ok(answer(done))
    }

    fn link(&self, from: Spot, to: Spot, flags: i32) -> Verdict<'p> {
        let flags = AtFlags::from_bits_retain(flags.cast_unsigned());
        let path = self.path(from)?;
        let source = if path.is_empty() && flags.contains(AtFlags::EMPTY_PATH) {
            // By descriptor: what counts is the object.
            self.named(&self.caller.descriptor(from.dirfd)?)?
        } else if flags.contains(AtFlags::SYMLINK_FOLLOW) {
            match walk::object(self.caller, from.dirfd, &path, true) {
                Ok(object) => self.named(&object)?,
                // The kernel says what is wrong with such a path.
                Err(error) if is_of_path(error) => None,
                Err(error) => return Err(error),
            }
        } else {
            Name::find(self.caller, from.dirfd, &path)?.map(|name| name.whereabouts)
        };
        if let Some(at) = source
            && let Some(refusal) = self.guard.second_name(at.place())
        {
            let deed = Deed::LINK;
            return Ok(Refuse { deed, at, refusal });
        }
        self.symlink(to)
    }

    /// Where an object is, if it has a name.
    fn named(&self, object: &OwnedFd) -> Result<Option<Whereabouts>, Errno> {
        let has_name = rustix::fs::fstat(object)?.st_nlink > 0;
        Ok(has_name.then(|| Whereabouts::of_object(self.caller, object.as_fd())))
    }

    /// A name that comes into being.
    fn symlink(&self, spot: Spot) -> Verdict<'p> {
        let name = match self.name(spot) {
            Ok(Some(name)) => name,
            Ok(None) => return Ok(Go),
            // The kernel says what is wrong with such a path.
            Err(error) if is_of_path(error) => return Ok(Go),
            Err(error) => return Err(error),
        };
        match self.guard.new_name(&name) {
            Ok(()) => Ok(Go),
            Err(why) => Ok(stop(why, name, None)),
        }
    }

    fn write(&self, deed: Deed, object: &Object) -> Answer<'p> {
        if object.kind() == Kind::File && object.status.st_nlink == 0 {
            return Go;
        }
        let at = Whereabouts::of_object(self.caller, object.held.as_fd());
        let refusal = self
            .guard
            .refusal_to_write(deed, at.place(), object.kind(), object);
        match refusal {
            None => Go,
            Some(_) if deed.act == Act::Append && self.is_own_log(&at) => Go,
            Some(refusal) => Refuse { deed, at, refusal },
        }
    }

    /// Whether it is this very program, in a hook, that adds to its own log.
    fn is_own_log(&self, at: &Whereabouts) -> bool {
        let log = self.guard.0.and_then(|policy| policy.log());
        at.place().path.is_some_and(|path| Some(path) == log) && self.caller.is_this_program()
    }

    fn truncate(&self, spot: Spot, length: i64) -> Verdict<'p> {
        let Ok(length) = u64::try_from(length) else {
            return Ok(Go);
        };
        let path = self.path(spot)?;
        let object = Object::of(walk::object(self.caller, spot.dirfd, &path, true)?)?;
        if object.kind() != Kind::File {
            return Ok(Go);
        }
        let deed = Deed::of_length(object.size(), length);
        Ok(match self.write(deed, &object) {
            // Of a limit the caller is to be told by a signal.
            Go if length <= object.size() || self.caller.may_grow_to(length) => {
                answer(self.deputy.truncate(self.caller, &object, length))
            }
            judged => judged,
        })
    }

    fn ftruncate(&self, fd: i32, length: i64) -> Verdict<'p> {
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
    fn fallocate(&self, fd: i32, mode: i32, offset: i64, length: i64) -> Verdict<'p> {
        const HARMLESS: i32 = libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_UNSHARE_RANGE;
        let (Ok(offset), Ok(length)) = (u64::try_from(offset), u64::try_from(length)) else {
            return Ok(Go);
        };
        if mode & !HARMLESS == 0 {
            return Ok(Go);
        }
        let mode = FallocateFlags::from_bits_retain(mode.cast_unsigned());
        let (object, is_same) = self.open_file(fd)?;
        if !object.is_named_file() || object.size() == 0 {
            return Ok(Go);
        }
        Ok(match self.write(Deed::OVERWRITE, &object) {
            Go => self.act_on(is_same, || {
                rustix::fs::fallocate(&object.held, mode, offset, length)
            }),
            judged => judged,
        })
    }

    /// A descriptor that only appended would write over what is there.
    fn set_flags(&self, fd: i32, command: i32, flags: OFlags) -> Verdict<'p> {
        if command != libc::F_SETFL || flags.contains(OFlags::APPEND) {
            return Ok(Go);
        }
        let (object, is_same) = self.open_file(fd)?;
        if object.kind() != Kind::File {
            return Ok(Go);
        }
        let loses = match self.caller.flags(fd) {
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

/// The answer to a call that was allowed.
fn answer<'p>(done: act::Done) -> Answer<'p> {
    match done {
        None => Go,
        Some(Ok(())) => Done,
        Some(Err(errno)) => Fail(errno),
    }
}

/// The answer to a call that is not made, of which these are the names.
fn stop<'p>(why: Stop<'p, Errno>, source: Name, target: Option<Name>) -> Answer<'p> {
    match why {
        Stop::Fails(errno) => Fail(errno),
        Stop::IsDirectory => Fail(Errno::ISDIR),
        Stop::NotDirectory => Fail(Errno::NOTDIR),
        Stop::NotEmpty => Fail(Errno::NOTEMPTY),
        Stop::Refused { deed, end, refusal } => {
            let name = match (end, target) {
                (End::Target, Some(target)) => target,
                _ => source,
            };
            let at = name.whereabouts;
            Refuse { deed, at, refusal }
        }
    }
}
