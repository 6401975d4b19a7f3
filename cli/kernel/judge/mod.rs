//! The verdict on one call that the filter asks about.

mod descriptor;
mod open;
mod registers;

use std::ffi::CString;
use std::os::fd::{AsFd as _, OwnedFd};

use blastradius_policy::calls::{Deed, End, Flags, Guard, Refusal, Removal, Rename, Stop};
use blastradius_policy::{Act, Kind, Rule};
use rustix::fs::{AtFlags, OFlags, RenameFlags};
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

    /// The name at the end of a path that is to be removed or moved. Where there is none, the error is ours to say: the
    /// kernel would read the path once more.
    fn final_name(&self, spot: Spot) -> Result<Final, Errno> {
        let path = self.path(spot)?;
        if let Some(name) = Name::find(self.caller, spot.dirfd, &path)? {
            return Ok(Final::Name(name));
        }
        let last = Last::of(path.to_bytes()).ok_or(Errno::NOENT)?;
        walk::directory(self.caller, spot.dirfd, &path)?;
        Ok(Final::Dots(last))
    }

    fn remove(&self, spot: Spot, removal: Removal) -> Verdict<'p> {
        let name = match self.final_name(spot)? {
            Final::Name(name) => name,
            Final::Dots(last) => return Ok(Fail(last.removed(removal))),
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
        let flags = RenameFlags::from_bits_retain(flags);
        let (source, target) = match (self.final_name(from)?, self.final_name(to)?) {
            (Final::Name(source), Final::Name(target)) => (source, target),
            (Final::Name(_), _) if flags.contains(RenameFlags::NOREPLACE) => {
                return Ok(Fail(Errno::EXIST));
            }
            _ => return Ok(Fail(Errno::BUSY)),
        };
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
        let length = u64::try_from(length).map_err(|_| Errno::INVAL)?;
        let path = self.path(spot)?;
        let object = Object::of(walk::object(self.caller, spot.dirfd, &path, true)?)?;
        match object.kind() {
            Kind::File => {}
            Kind::Directory => return Err(Errno::ISDIR),
            _ => return Err(Errno::INVAL),
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
}

/// What a path ends in.
enum Final {
    Name(Name),
    Dots(Last),
}

/// What is no name of its own.
#[derive(Clone, Copy)]
enum Last {
    Root,
    Here,
    Above,
}

impl Last {
    /// None: the path is empty.
    fn of(path: &[u8]) -> Option<Self> {
        let last = path
            .split(|&byte| byte == b'/')
            .rfind(|name| !name.is_empty());
        match last {
            _ if path.is_empty() => None,
            None => Some(Self::Root),
            Some(b".") => Some(Self::Here),
            Some(_) => Some(Self::Above),
        }
    }

    /// What the kernel answers to whoever would remove it.
    const fn removed(self, removal: Removal) -> Errno {
        match (removal, self) {
            (Removal::Unlink | Removal::Either, _) => Errno::ISDIR,
            (Removal::Rmdir, Self::Root) => Errno::BUSY,
            (Removal::Rmdir, Self::Here) => Errno::INVAL,
            (Removal::Rmdir, Self::Above) => Errno::NOTEMPTY,
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
