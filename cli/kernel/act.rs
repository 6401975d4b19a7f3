//! Acts that the supervisor performs itself, on what it has judged and holds: another thread of the caller, or another
//! process, can put nothing else in its place meanwhile.
//!
//! It does so where it may do no more than the caller, as whom it acts where that is somebody else or may do less: in the
//! same name space of users, if it has any special rights, and as long as nobody below has put itself into a sandbox,
//! of which nothing can be known. What it holds is on the caller's mount, read-only where that is. What the kernel denies
//! us is denied to the caller as well, unless that one has rights in a name space of users of its own: then the kernel is
//! asked again, as the caller.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use blastradius_policy::calls::Rename;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;

use super::caller::{Caller, user_namespace};
use super::identity::{self, Acts};
use super::name::{Name, Object};

/// For whom the supervisor may act.
pub(crate) struct Deputy {
    /// In which name space it has rights that others lack; None if it has none.
    rights: Option<Rights>,
    /// Somebody below has put itself into a sandbox of Landlock.
    is_confined: AtomicBool,
}

/// What the kernel makes of flags that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// `open` does not mind them.
    Lenient,
    /// `openat2` fails.
    Strict,
    /// As that, and how the path is resolved is for the kernel to say.
    Resolved,
}

/// What became of an act; None: the kernel is to make the call, as the caller.
pub(super) type Done = Option<Result<(), Errno>>;

impl Deputy {
    pub(crate) fn new() -> Self {
        Self {
            rights: Rights::ours(),
            is_confined: AtomicBool::new(false),
        }
    }

    /// Somebody below is about to put itself into a sandbox.
    pub(super) fn confine(&self) {
        self.is_confined.store(true, Relaxed);
    }

    /// None: it may not.
    fn acts_for(&self, caller: Caller<'_>) -> Option<Acts> {
        let may_act = !self.is_confined.load(Relaxed)
            && self.rights.as_ref().is_none_or(|rights| {
                rights.namespace.is_some() && rights.namespace == caller.user_namespace()
            });
        if !may_act {
            return None;
        }
        let acts = identity::act(caller.thread())?;
        caller.still_waits().then_some(acts)
    }

    pub(super) fn remove(&self, caller: Caller<'_>, name: &Name, flags: AtFlags) -> Done {
        let _acts = self.acts_for(caller)?;
        let done = rustix::fs::unlinkat(&name.parent, &name.base, flags);
        final_answer(caller, done)
    }

    /// Moves a name. EEXIST where the target has appeared that was missing.
    pub(super) fn rename(
        &self,
        caller: Caller<'_>,
        (from, to): (&Name, &Name),
        flags: RenameFlags,
        needs: Rename,
    ) -> Done {
        let _acts = self.acts_for(caller)?;
        let rename = |flags| {
            rustix::fs::renameat_with(&from.parent, &from.base, &to.parent, &to.base, flags)
        };
        let done = match needs {
            Rename::AsAsked => rename(flags),
            Rename::NoReplace => match rename(flags | RenameFlags::NOREPLACE) {
                // A file system without the flag: the name was missing a moment ago.
                Err(Errno::INVAL | Errno::NOSYS) => rename(flags),
                done => done,
            },
        };
        final_answer(caller, done)
    }

    /// Opens an existing file for a caller; None: the kernel is to open it.
    pub(super) fn open(
        &self,
        caller: Caller<'_>,
        object: &Object,
        flags: OFlags,
        manner: Manner,
    ) -> Option<Result<OwnedFd, Errno>> {
        let _acts = self.acts_for(caller)?;
        // In a directory that all may write to, the kernel may keep files of others from those who would make them.
        let is_made = flags.contains(OFlags::CREATE);
        let is_ours = object.status.st_uid == rustix::process::geteuid().as_raw();
        if is_made && !is_ours || manner == Manner::Resolved {
            return None;
        }
        // How it was found is settled, and that it exists.
        let settled = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let later = if is_emptied_later(flags) {
            OFlags::TRUNC
        } else {
            OFlags::empty()
        };
        let flags = flags.difference(settled | later) | OFlags::CLOEXEC;
        let (path, mode) = (object.path_to_open(), Mode::empty());
        let opened = match manner {
            Manner::Lenient => rustix::fs::open(path, flags, mode),
            Manner::Strict | Manner::Resolved => {
                rustix::fs::openat2(CWD, path, flags, mode, ResolveFlags::empty())
            }
        };
        final_answer(caller, opened)
    }

    /// Shortens a file.
    pub(super) fn truncate(&self, caller: Caller<'_>, object: &Object, length: u64) -> Done {
        let _acts = self.acts_for(caller)?;
        let length = i64::try_from(length).ok()?;
        let done = nix::unistd::truncate(object.path_to_open().as_str(), length);
        let done = done.map_err(|error| Errno::from_raw_os_error(error as i32));
        final_answer(caller, done)
    }
}

/// Whether a file is to be emptied after it was opened, once the caller has room for a descriptor. Whoever opens it to
/// read or to append may open and not empty it: there both happen at once.
pub(super) fn is_emptied_later(flags: OFlags) -> bool {
    flags.contains(OFlags::TRUNC)
        && !flags.contains(OFlags::APPEND)
        && flags.intersection(OFlags::RWMODE) != OFlags::RDONLY
}

/// Special rights, such as those of root.
struct Rights {
    /// None if it is not known.
    namespace: Option<u64>,
    /// As long as somebody holds it, the kernel does not make its file anew for every question.
    _held: Option<File>,
}

impl Rights {
    fn ours() -> Option<Self> {
        // What cannot be known is taken to be there.
        let has_none =
            rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.is_empty());
        const PATH: &str = "/proc/self/ns/user";
        (!has_none).then(|| Self {
            namespace: user_namespace(PATH),
            _held: File::open(PATH).ok(),
        })
    }
}

/// What the kernel denies us it denies the caller, too, unless that one has rights in a name space of its own.
fn final_answer<T>(caller: Caller<'_>, done: Result<T, Errno>) -> Option<Result<T, Errno>> {
    match done {
        Err(Errno::ACCESS | Errno::PERM)
            if caller.user_namespace() != user_namespace("/proc/self/ns/user") =>
        {
            None
        }
        done => Some(done),
    }
}
