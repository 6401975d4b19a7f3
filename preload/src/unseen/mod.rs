//! Programs that this library cannot see into are told of when they are started: once a session in the log, and
//! on standard error where nothing but the library is at work.
//!
//! A child of `vfork` comes this way too: what is lent is given back before the program starts, and what is
//! remembered is one word a program.

mod note;

use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use blastradius_policy::{Executable, HEAD, Unseen, is_loader};

use crate::environment;
use crate::loan::Loan;
use crate::memory::{self, PATH_MAX, PathCopy, Probe};
use crate::report;
use crate::resolve::{self, Whereabouts};
use crate::start::state;
use crate::sys::{self, CWD, Descriptor, Status};
use crate::text::Text;

/// Looks at the program that `execveat` is about to start.
pub(crate) fn look(dirfd: c_int, path: *const c_char, flags: c_int) {
    // Without a policy there is no log, and everything destructive is refused.
    if state().policy.is_none() {
        return;
    }
    let empty_path = flags & libc::AT_EMPTY_PATH != 0 && is_empty(path);
    let file = if empty_path {
        let again = resolve::reopening_path(dirfd);
        sys::openat(CWD, again.as_c_str().as_ptr(), READ, 0)
    } else {
        let nofollow = match flags & libc::AT_SYMLINK_NOFOLLOW {
            0 => 0,
            _ => libc::O_NOFOLLOW,
        };
        sys::openat(dirfd, path, READ | nofollow, 0)
    };
    if let Ok(file) = file {
        inspect(&file, true);
    }
}

/// As [`look`], for a file that is searched for as `execvp` does.
pub(crate) fn look_in_path(file: *const c_char) {
    if state().policy.is_none() {
        return;
    }
    let mut name = Text::<256>::new();
    let copied = Probe::new().copy(file, &mut name);
    if copied.is_err() || name.as_bytes().contains(&b'/') {
        return look(CWD, file, 0);
    }
    let (Ok(mut list), Ok(mut path)) = (Loan::<Text<PATH_MAX>>::new(), Loan::<PathCopy>::new())
    else {
        return;
    };
    if name.len() == 0 || search_list(&mut list).is_none() {
        return;
    }
    for directory in list.as_bytes().split(|&byte| byte == b':') {
        path.truncate(0);
        let directory = if directory.is_empty() {
            b"."
        } else {
            directory
        };
        let whole = [directory, b"/", name.as_bytes(), b"\0"]
            .into_iter()
            .try_for_each(|part| path.append(part));
        if whole.is_ok()
            && let Ok(file) = sys::openat(CWD, path.as_c_str().as_ptr(), READ, 0)
            && inspect(&file, true)
        {
            return;
        }
    }
}

/// The shell of `system`, `popen` and `wordexp`.
pub(crate) fn look_at_shell() {
    look(CWD, c"/bin/sh".as_ptr(), 0);
}

/// A file that may be read; anything else in its place must neither block nor act.
const READ: c_int = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK | libc::O_NOCTTY;

fn is_empty(path: *const c_char) -> bool {
    Loan::<PathCopy>::new()
        .is_ok_and(|mut copy| memory::copy_path(path, &mut copy).is_ok() && copy.len() == 1)
}

/// `$PATH`, or what libc takes without one.
fn search_list(into: &mut Text<PATH_MAX>) -> Option<()> {
    let mut probe = Probe::new();
    let value = memory::entries(environment::variables())
        .find_map(|entry| probe.strip_prefix(entry, b"PATH="));
    match value {
        Some(value) => probe.copy(value, into).ok(),
        None => into.append(b"/bin:/usr/bin").ok(),
    }
}

/// Looks at an open file; false if it cannot be executed.
fn inspect(file: &Descriptor, may_be_script: bool) -> bool {
    let Ok(status) = sys::fstat(file.number()) else {
        return false;
    };
    if !status.is_regular() || !status.is_executable() {
        return false;
    }
    let is_below_kernel = state()
        .policy
        .as_ref()
        .is_some_and(|policy| policy.session_number().is_some());
    if is_below_kernel {
        // Whatever it does is seen.
        let uid = sys::getuid();
        if status.becomes_user().is_some_and(|user| user != uid) {
            tell(file, &status, Unseen::Privileged);
        }
        return true;
    }
    let Ok(mut head) = Loan::<Text<HEAD>>::new() else {
        return true;
    };
    if head.fill(|room| sys::read(file.number(), room)).is_err() {
        return true;
    }
    if head.as_bytes().starts_with(b"\x7fELF") && is_privileged(file, &status) {
        tell(file, &status, Unseen::Privileged);
        return true;
    }
    match Executable::read(head.as_bytes()) {
        Executable::Unseen(unseen) => tell(file, &status, unseen),
        Executable::Script(interpreter) if may_be_script => {
            if let Ok(mut path) = Loan::<PathCopy>::new()
                && path.append(interpreter).and_then(|()| path.push(0)).is_ok()
                && let Ok(file) = sys::openat(CWD, path.as_c_str().as_ptr(), READ, 0)
            {
                inspect(&file, false);
            }
        }
        Executable::Seen | Executable::Script(_) => {}
    }
    true
}

/// Whether the kernel would give the program other rights, upon which the loader trusts its caller no more.
fn is_privileged(file: &Descriptor, status: &Status) -> bool {
    (becomes_another(status) || sys::getuid() != 0 && sys::has_capabilities(file.number()))
        && !sys::may_gain_no_rights()
}

/// Whether the bits of the file say that the program has another user or group than its caller.
fn becomes_another(status: &Status) -> bool {
    let is_other = |id: Option<u32>, ours: fn() -> u32| id.is_some_and(|id| id != ours());
    is_other(status.becomes_user(), sys::getuid) || is_other(status.becomes_group(), sys::getgid)
}

/// The programs that this process has told of, or those before it that it shares its memory with: a mark of
/// each, found by its last digit.
static TOLD: [AtomicU64; 16] = [const { AtomicU64::new(0) }; 16];

#[cold]
#[inline(never)]
fn tell(file: &Descriptor, status: &Status, unseen: Unseen) {
    let (device, inode) = status.identity();
    let mark = inode ^ device.rotate_left(40);
    let place = &TOLD[(inode % 16) as usize];
    if place.load(Relaxed) == mark {
        return;
    }
    let Ok(mut whereabouts) = Loan::<Whereabouts>::new() else {
        return;
    };
    resolve::object(file.number(), &mut whereabouts);
    let Some(path) = whereabouts.path() else {
        return;
    };
    place.store(mark, Relaxed);
    let gets_none = unseen == Unseen::Privileged && sys::may_gain_no_rights();
    if gets_none {
        report::without_rights(path);
    } else if !is_loader(path.as_bytes()) {
        note::take(path, unseen);
    }
}
