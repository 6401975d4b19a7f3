//! What every hook needs to know, found once a process.
//!
//! The constructor of another library may call a hook before ours has run, a signal handler may call one at
//! any time, and a fork may happen at any point: there is no lock. Whoever comes first does the work in
//! memory of its own, and the first to finish publishes it.

use core::ffi::CStr;
use core::mem::MaybeUninit;

use blastradius_policy::Policy;
use blastradius_policy::contract::{POLICY_MAX, POLICY_VARIABLE};
use once_cell::race::OnceRef;

use crate::environment::Environment;
use crate::memory::PATH_MAX;
use crate::text::Text;
use crate::{argv, inject, next, objects, policy_source, sys, valgrind};

/// The state of the guard in this process.
pub(crate) struct State {
    /// None: no policy could be read or found, so everything destructive is refused.
    pub(crate) policy: Option<Policy<'static>>,
    /// `BLASTRADIUS_POLICY=...` as children are given it.
    pub(crate) policy_entry: &'static CStr,
    /// `LD_PRELOAD=...` with this library alone; empty where its file is not known or cannot be named there.
    pub(crate) preload_entry: &'static CStr,
    /// Whether the session begins with this process: nobody gave it a policy.
    pub(crate) begins_session: bool,
    /// Device and inode of standard error at the start; None if it was closed.
    pub(crate) stderr: Option<(u64, u64)>,
    /// The process that found all this. A child of fork has another number.
    pub(crate) process: u32,
}

impl State {
    /// This library as LD_PRELOAD names it.
    pub(crate) fn library(&self) -> &'static [u8] {
        self.preload_entry
            .to_bytes()
            .strip_prefix(PRELOAD_PREFIX)
            .unwrap_or(b"")
    }
}

/// How the entry for the loader begins.
pub(crate) const PRELOAD_PREFIX: &[u8] = if cfg!(target_os = "macos") {
    b"DYLD_INSERT_LIBRARIES="
} else {
    b"LD_PRELOAD="
};

/// Whether the loader takes a byte for the end of a name in its list.
pub(crate) const fn separates(byte: u8) -> bool {
    byte == b':' || byte == b' ' && cfg!(target_os = "linux")
}

/// How the entry for the policy begins.
pub(crate) const POLICY_PREFIX: &[u8] = b"BLASTRADIUS_POLICY=";

const _: () = assert!(POLICY_PREFIX.len() == POLICY_VARIABLE.len() + 1);

/// What the process has if there is no memory for more.
static BLIND: State = State {
    policy: None,
    policy_entry: c"",
    preload_entry: c"",
    begins_session: false,
    stderr: None,
    process: 0,
};

static STATE: OnceRef<'static, State> = OnceRef::new();

/// The state, found now if nobody has asked before.
#[inline]
pub(crate) fn state() -> &'static State {
    match STATE.get() {
        Some(state) => state,
        None => STATE.get_or_init(begin),
    }
}

/// The memory behind a state: pages of its own, so that they can be made read-only. All of it may be zero. What
/// is in use of it lies together: each page that is touched is a fault in every process.
struct Block {
    state: MaybeUninit<State>,
    /// The entry for the loader, then that for the policy.
    strings: [u8; PRELOAD_MAX + POLICY_PREFIX.len() + POLICY_MAX + 1],
}

const PRELOAD_MAX: usize = PRELOAD_PREFIX.len() + PATH_MAX + 1;

#[cold]
#[inline(never)]
fn begin() -> &'static State {
    let Ok(memory) = sys::map(size_of::<Block>()) else {
        return &BLIND;
    };
    // SAFETY: fresh zeroed pages that are large and aligned enough, and every field may be zero.
    let block: &'static mut Block = unsafe { memory.cast().as_mut() };
    let environment = Environment::current();
    valgrind::detect(environment);
    let (preload_entry, room) = name_library(&mut block.strings);
    let library = preload_entry.to_bytes().strip_prefix(PRELOAD_PREFIX);

    let (prefix, text) = room.split_at_mut(POLICY_PREFIX.len());
    prefix.copy_from_slice(POLICY_PREFIX);
    let length = policy_source::load(environment, library.unwrap_or(b""), &mut text[..POLICY_MAX]);
    let policy_entry: &'static [u8] = &room[..POLICY_PREFIX.len() + length + 1];

    let state = block.state.write(State {
        policy: Policy::parse(&policy_entry[POLICY_PREFIX.len()..][..length]).ok(),
        policy_entry: CStr::from_bytes_until_nul(policy_entry).unwrap_or(c""),
        preload_entry,
        begins_session: environment.get(POLICY_VARIABLE).is_none(),
        stderr: sys::fstat(2).ok().map(|status| status.identity()),
        process: sys::getpid(),
    });
    #[cfg(target_os = "linux")]
    sys::carry(state.policy.as_ref().and_then(Policy::session_number));
    // SAFETY: the block is complete, and handed out as shared only.
    unsafe { sys::seal(memory, size_of::<Block>()) };
    state
}

/// Writes `LD_PRELOAD=<this file>` into `room`, and returns what is left of it. A relative name is made absolute:
/// children may be started elsewhere.
fn name_library(room: &'static mut [u8]) -> (&'static CStr, &'static mut [u8]) {
    let file = objects::own_file().map_or(&b""[..], CStr::to_bytes);
    if file.is_empty() || file.iter().any(|&byte| separates(byte)) {
        return (c"", room);
    }
    let (entry, _) = room.split_at_mut(PRELOAD_MAX);
    let mut length = 0;
    let mut append = |bytes: &[u8]| match entry.get_mut(length..length + bytes.len()) {
        Some(place) => {
            place.copy_from_slice(bytes);
            length += bytes.len();
            true
        }
        None => false,
    };
    let mut whole = append(PRELOAD_PREFIX);
    // A name without a slash is searched for by the loader, in every process alike.
    if !file.starts_with(b"/") && file.contains(&b'/') {
        whole &= with_cwd(&mut |cwd| append(cwd) && append(b"/"));
    }
    whole &= append(file) && append(b"\0");
    let (entry, rest) = room.split_at_mut(length);
    match CStr::from_bytes_with_nul(entry) {
        Ok(entry) if whole => (entry, rest),
        _ => (c"", rest),
    }
}

/// Apart from its caller, so that a process which does not need it has no room for a path on its stack.
#[cold]
#[inline(never)]
fn with_cwd(act: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let mut cwd = Text::<PATH_MAX>::new();
    cwd.fill(sys::getcwd).is_ok() && act(cwd.as_bytes())
}

/// The constructor. glibc passes it arguments and musl does not, so it takes none.
extern "C" fn construct() {
    next::prepare();
    inject::into_environ();
    argv::judge();
}

/// macOS has no such array: there the function that is registered at the sixth refusal says it.
#[cfg(target_os = "linux")]
extern "C" fn destruct() {
    crate::report::last_words();
}

#[used]
#[cfg_attr(
    all(target_os = "linux", panic = "abort"),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static CONSTRUCT: extern "C" fn() = construct;

#[cfg(target_os = "linux")]
#[used]
#[cfg_attr(panic = "abort", unsafe(link_section = ".fini_array"))]
static DESTRUCT: extern "C" fn() = destruct;
