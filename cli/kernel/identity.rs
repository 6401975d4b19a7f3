//! Who a caller is, where that may be somebody else than the supervisor, and threads of ours that are the caller for as
//! long as it takes.
//!
//! Below a program of root's a child may become another user, or drop rights. What is done for it is then done with
//! its user, groups and capabilities, neither more nor less. Without CAP_SYS_PTRACE another user's process cannot be
//! looked into either: the thread is the caller while it judges, too. Only threads that answer ever change: signals
//! to the process are about its first thread, which stays who it is. That the process cannot be looked into by
//! others once it has changed (it is not dumpable) is as well.

use std::cell::Cell;
use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use nix::unistd::setfsuid;
use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

/// What the kernel asks about whoever looks into a process or changes files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    /// Real, effective, saved, and the one that files see.
    users: [u32; 4],
    groups: [u32; 4],
    /// Further groups, in order.
    others: Vec<u32>,
    permitted: CapabilitySet,
    effective: CapabilitySet,
}

/// The place of the number that files see.
const OF_FILES: usize = 3;

impl Identity {
    /// Of a thread, which everybody may know.
    fn of(thread: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{thread}/status")).ok()?)
    }

    fn of_this_thread() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/thread-self/status").ok()?)
    }

    fn parse(status: &str) -> Option<Self> {
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let numbers = |name: &str| {
            let words = field(name)?.split_whitespace();
            words
                .map(|number| number.parse().ok())
                .collect::<Option<Vec<u32>>>()
        };
        let set = |name: &str| {
            let bits = u64::from_str_radix(field(name)?.trim(), 16).ok()?;
            Some(CapabilitySet::from_bits_retain(bits))
        };
        let mut others = numbers("Groups:")?;
        others.sort_unstable();
        Some(Self {
            users: numbers("Uid:")?.try_into().ok()?,
            groups: numbers("Gid:")?.try_into().ok()?,
            others,
            permitted: set("CapPrm:")?,
            effective: set("CapEff:")?,
        })
    }

    /// Whether files cannot tell it from another one.
    fn is_same_for_files(&self, other: &Self) -> bool {
        self.users[OF_FILES] == other.users[OF_FILES]
            && self.groups[OF_FILES] == other.groups[OF_FILES]
            && self.others == other.others
            && self.effective == other.effective
    }
}

/// Who the supervisor is.
struct Ours {
    identity: Identity,
    sets: CapabilitySets,
    user: Uid,
    group: Gid,
    others: Vec<Gid>,
    /// Whether it is one user by all its numbers: then the saved one leads back.
    is_one: bool,
    /// Whether other users' processes can be looked into as it is.
    sees_all: bool,
}

impl Ours {
    fn find() -> Option<Self> {
        let identity = Identity::of_this_thread()?;
        let sets = capabilities(None).ok()?;
        let is_one = |numbers: [u32; 4]| numbers.iter().all(|number| *number == numbers[0]);
        Some(Self {
            user: Uid::from_raw(identity.users[0]),
            group: Gid::from_raw(identity.groups[0]),
            others: raw(&identity.others),
            is_one: is_one(identity.users) && is_one(identity.groups),
            sees_all: sets.effective.contains(CapabilitySet::SYS_PTRACE),
            sets,
            identity,
        })
    }
}

fn raw(groups: &[u32]) -> Vec<Gid> {
    groups.iter().copied().map(Gid::from_raw).collect()
}

/// As it was before any thread changed. There is one supervisor in a process.
static OURS: OnceLock<Option<Ours>> = OnceLock::new();

/// Somebody below may not be who the supervisor is, or may do less.
static IS_CHANGED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// This thread is somebody else.
    static IS_TAKEN_ON: Cell<bool> = const { Cell::new(false) };
}

/// Somebody below is about to change who it is, or to take rights from itself: nobody has before, nor have we.
pub(super) fn change() {
    OURS.get_or_init(Ours::find);
    IS_CHANGED.store(true, Relaxed);
}

fn ours() -> Option<&'static Ours> {
    OURS.get()?.as_ref()
}

/// Until it is dropped, this thread is who looks into another user's process as that user, where it must.
pub(super) fn look(thread: u32) -> Option<TakenOn> {
    if !IS_CHANGED.load(Relaxed) || IS_TAKEN_ON.get() {
        return None;
    }
    let ours = ours().filter(|ours| !ours.sees_all)?;
    let theirs = Identity::of(thread)?;
    let is_same = theirs.users == ours.identity.users && theirs.groups == ours.identity.groups;
    // Whoever looks must have what the other one has.
    let rights = theirs.permitted;
    (!is_same).then(|| TakenOn::new(ours, &theirs, rights))?
}

/// Looks at where something is, which is no secret between us, as who the supervisor is.
pub(super) fn as_ourselves<T>(look: impl FnOnce() -> T) -> T {
    /// As who this thread looks until it is dropped.
    struct Back(nix::unistd::Uid, CapabilitySets);
    impl Drop for Back {
        fn drop(&mut self) {
            let Self(user, sets) = *self;
            setfsuid(user);
            // That call says who it was, and never fails. It takes rights away, too.
            if setfsuid(user) != user || set_rights(sets).is_err() {
                std::process::abort();
            }
        }
    }
    if !IS_TAKEN_ON.get() {
        return look();
    }
    let _back = match (ours(), capabilities(None)) {
        (Some(ours), Ok(sets)) => {
            let user = nix::unistd::Uid::from_raw(ours.user.as_raw());
            Some(Back(setfsuid(user), sets))
        }
        _ => None,
    };
    look()
}

/// This thread may do to files what the caller may, as long as this is held.
pub(super) struct Acts {
    _taken_on: Option<TakenOn>,
}

/// None: it would, or who the caller is cannot be known.
pub(super) fn act(thread: u32) -> Option<Acts> {
    if !IS_CHANGED.load(Relaxed) {
        return Some(Acts { _taken_on: None });
    }
    let theirs = Identity::of(thread)?;
    let is_taken_on = IS_TAKEN_ON.get();
    let suffices = match is_taken_on {
        true => Identity::of_this_thread()?.is_same_for_files(&theirs),
        false => ours()?.identity.is_same_for_files(&theirs),
    };
    let taken_on = match suffices {
        true => None,
        false if is_taken_on => return None,
        false => Some(TakenOn::new(ours()?, &theirs, theirs.effective)?),
    };
    Some(Acts {
        _taken_on: taken_on,
    })
}

/// This thread is somebody else. When it is dropped the thread is itself again, or the process ends: then every
/// caller fails.
pub(super) struct TakenOn {
    ours: &'static Ours,
    has_others: bool,
    has_group: bool,
    has_user: bool,
}

impl TakenOn {
    /// None where the kernel does not let us.
    fn new(ours: &'static Ours, theirs: &Identity, rights: CapabilitySet) -> Option<Self> {
        let (user, group) = (theirs.users[OF_FILES], theirs.groups[OF_FILES]);
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        let is_other =
            user != ours.user || group != ours.group || theirs.others != ours.identity.others;
        if is_other && !ours.is_one {
            return None;
        }
        let mut this = Self {
            ours,
            has_others: false,
            has_group: false,
            has_user: false,
        };
        IS_TAKEN_ON.set(true);
        // What has been done is undone by dropping.
        if theirs.others != ours.identity.others {
            set_thread_groups(&raw(&theirs.others)).ok()?;
            this.has_others = true;
        }
        // The saved numbers are the way back.
        if group != ours.group {
            set_thread_res_gid(group, group, ours.group).ok()?;
            this.has_group = true;
        }
        if user != ours.user {
            set_thread_res_uid(user, user, ours.user).ok()?;
            this.has_user = true;
        }
        let effective = rights & ours.sets.permitted;
        set_rights(CapabilitySets {
            effective,
            ..ours.sets
        })
        .ok()?;
        Some(this)
    }

    fn restore(&self) -> rustix::io::Result<()> {
        let Ours { user, group, .. } = *self.ours;
        if self.has_user {
            set_thread_res_uid(user, user, user)?;
        }
        set_rights(self.ours.sets)?;
        if self.has_group {
            set_thread_res_gid(group, group, group)?;
        }
        if self.has_others {
            set_thread_groups(&self.ours.others)?;
        }
        Ok(())
    }
}

/// The kernel has often changed them with the user.
fn set_rights(sets: CapabilitySets) -> rustix::io::Result<()> {
    match capabilities(None)? == sets {
        true => Ok(()),
        false => set_capabilities(None, sets),
    }
}

impl Drop for TakenOn {
    fn drop(&mut self) {
        if self.restore().is_err() {
            // With another's rights nothing is judged.
            std::process::abort();
        }
        IS_TAKEN_ON.set(false);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use rustix::thread::CapabilitySet;

    use super::{Identity, OURS, TakenOn, as_ourselves, change};

    #[test]
    fn a_thread_is_itself_again_also_after_a_panic() {
        change();
        let Some(ours) = OURS.get().and_then(Option::as_ref) else {
            panic!("who this process is cannot be known");
        };
        if !ours
            .sets
            .effective
            .contains(CapabilitySet::SETUID | CapabilitySet::SETGID)
        {
            eprintln!("skipped: only root becomes others");
            return;
        }
        let theirs = Identity {
            users: [65534; 4],
            groups: [65534; 4],
            others: vec![1, 7, 65534],
            permitted: CapabilitySet::CHOWN,
            effective: CapabilitySet::CHOWN,
        };
        let same = std::thread::spawn(move || {
            let before = Identity::of_this_thread().unwrap();
            let panicked = catch_unwind(|| {
                let _taken_on = TakenOn::new(ours, &theirs, theirs.effective).unwrap();
                assert!(
                    Identity::of_this_thread()
                        .unwrap()
                        .is_same_for_files(&theirs)
                );
                as_ourselves(|| assert!(std::fs::metadata("/proc/1/fd/.").is_ok()));
                assert!(
                    Identity::of_this_thread()
                        .unwrap()
                        .is_same_for_files(&theirs)
                );
                // The first thread is the process to others.
                let process = Identity::of(std::process::id()).unwrap();
                assert_eq!(process.users, ours.identity.users);
                panic!("as it must");
            });
            let said = panicked.unwrap_err();
            assert_eq!(said.downcast_ref::<&str>(), Some(&"as it must"));
            before == Identity::of_this_thread().unwrap()
        });
        assert!(same.join().unwrap());
    }
}
