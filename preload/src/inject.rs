//! Children are guarded too, whatever environment they are given: the library and the policy are put back.
//!
//! A child of `vfork` shares the memory of its parent and never returns from a successful exec, so the
//! arrays are built on the stack.

use core::ffi::{CStr, c_char};
use core::ptr;
use core::slice;

use crate::environment;
use crate::memory::{self, Probe};
use crate::start::{POLICY_PREFIX, PRELOAD_PREFIX, State, separates, state};
use crate::sys::{self, Strings};
use crate::text::{Full, Text};

/// Environments of up to this many variables are built on the stack.
const SMALL: usize = 256;

/// Room for the entries of other libraries before ours.
const PRELOAD_ROOM: usize = 4096;

/// Our two entries, and the null pointer that ends an array.
const OURS: usize = 3;

/// Runs `act` with an environment as `given`, in which the library and the policy are as they must be.
/// Everything else is passed on as it is, pointer by pointer.
pub(crate) fn with_environment<R>(given: Strings, act: impl FnOnce(Strings) -> R) -> R {
    let state = state();
    let survey = Survey::of(given, state);
    if survey.is_intact() {
        return act(given);
    }
    with_mended(state, given, &survey, act)
}

/// Apart from its caller, so that whoever passes on what it was given has no room for another on its stack.
#[cold]
#[inline(never)]
fn with_mended<R>(
    state: &State,
    given: Strings,
    survey: &Survey,
    act: impl FnOnce(Strings) -> R,
) -> R {
    let mut list = Text::new();
    let preload = survey.preload_entry(state, &mut list);
    let policy = Some(state.policy_entry.as_ptr()).filter(|_| !state.policy_entry.is_empty());
    let needed = survey.count + OURS;
    let mut small = [ptr::null(); SMALL];
    if let Some(room) = small.get_mut(..needed) {
        fill(room, given, preload, policy);
        return act(small.as_ptr());
    }
    let length = needed * size_of::<*const c_char>();
    let Ok(memory) = sys::map(length) else {
        // As an exec that finds no memory; nobody is started without a guard.
        return act(NO_MEMORY);
    };
    // SAFETY: fresh zeroed pages of ours; null pointers are zero.
    let room = unsafe { slice::from_raw_parts_mut(memory.as_ptr().cast(), needed) };
    fill(room, given, preload, policy);
    let result = act(room.as_ptr());
    // SAFETY: from `map`, with that length, and `room` is not used again. A successful exec in a child of
    // `vfork` does not come here: its parent keeps the pages.
    unsafe { sys::unmap(memory, length) };
    result
}

/// An array that the kernel cannot read: whoever is given it answers EFAULT.
const NO_MEMORY: Strings = ptr::without_provenance(align_of::<*const c_char>());

/// Makes `environ` hold what children need, for functions that pass it on inside libc, and for the programs
/// that a process starts in ways that are not seen.
pub(crate) fn into_environ() {
    let state = state();
    let given = environment::variables();
    let survey = Survey::of(given, state);
    if !survey.is_intact() {
        mend_environ(state, given, &survey);
    }
}

#[cold]
#[inline(never)]
fn mend_environ(state: &State, given: Strings, survey: &Survey) {
    let mut list = Text::new();
    let preload = survey.preload_entry(state, &mut list);
    let is_alone = preload == Some(state.preload_entry.as_ptr());
    let own_list = match list.len() {
        0 if is_alone => state.preload_entry.to_bytes_with_nul(),
        _ => list.as_bytes(),
    };
    let own_policy = match state.policy_entry.is_empty() {
        true => b"",
        false => state.policy_entry.to_bytes_with_nul(),
    };
    let places = survey.count + OURS;
    let array_size = places * size_of::<*const c_char>();
    // Never given back: the program holds pointers into it from now on. It may also write to its variables,
    // so these are copies.
    let Ok(memory) = sys::map(array_size + own_list.len() + own_policy.len()) else {
        return;
    };
    // SAFETY: fresh zeroed pages of ours, of which this is the first part; null pointers are zero.
    let array: &'static mut [*const c_char] =
        unsafe { slice::from_raw_parts_mut(memory.as_ptr().cast(), places) };
    // SAFETY: within the pages.
    let strings = unsafe { memory.as_ptr().add(array_size) };
    // SAFETY: the second part of the pages.
    let strings = unsafe { slice::from_raw_parts_mut(strings, own_list.len() + own_policy.len()) };
    let (kept_list, kept_policy) = strings.split_at_mut(own_list.len());
    kept_list.copy_from_slice(own_list);
    kept_policy.copy_from_slice(own_policy);
    let pointer = |kept: &[u8]| (!kept.is_empty()).then_some(kept.as_ptr().cast());
    fill(
        array,
        given,
        pointer(kept_list).or(preload),
        pointer(kept_policy),
    );
    environment::replace(array);
}

/// What an environment lacks.
struct Survey {
    count: usize,
    /// The value of the last LD_PRELOAD, which is the one that counts for the loader.
    preload: Option<*const c_char>,
    preloads: usize,
    names_library: bool,
    policies: usize,
    holds_policy: bool,
}

impl Survey {
    fn of(given: Strings, state: &State) -> Self {
        let mut survey = Self {
            count: 0,
            preload: None,
            preloads: 0,
            names_library: false,
            policies: 0,
            holds_policy: false,
        };
        let mut probe = Probe::new();
        for entry in memory::entries(given) {
            survey.count += 1;
            if let Some(list) = probe.strip_prefix(entry, PRELOAD_PREFIX) {
                survey.preload = Some(list);
                survey.preloads += 1;
                survey.names_library |=
                    is_alone(entry, state, &mut probe) || names(list, state.library(), &mut probe);
            } else if probe.strip_prefix(entry, POLICY_PREFIX).is_some() {
                survey.policies += 1;
                survey.holds_policy |= is_same(entry, state.policy_entry, &mut probe);
            }
        }
        survey
    }

    /// Several entries of one name are read differently by different programs.
    const fn is_intact(&self) -> bool {
        self.names_library && self.preloads == 1 && self.holds_policy && self.policies == 1
    }

    /// The entry for the loader: as it is, ours alone, or, written into `room`, ours after those of others.
    /// None where our file is not known and nobody else's is named.
    fn preload_entry(&self, state: &State, room: &mut Text<PRELOAD_ROOM>) -> Option<*const c_char> {
        let library = state.library();
        let alone = (!library.is_empty()).then_some(state.preload_entry.as_ptr());
        let Some(others) = self.preload else {
            return alone;
        };
        if library.is_empty() || self.names_library && self.preloads == 1 {
            return Some(others.wrapping_sub(PRELOAD_PREFIX.len()));
        }
        if add_to_list(others, library, room).is_ok() {
            return Some(room.as_bytes().as_ptr().cast());
        }
        // The list is too long to be added to: the guard comes first.
        room.truncate(0);
        alone
    }
}

/// Writes `LD_PRELOAD=` with the entries of `others` and then ours.
fn add_to_list(
    others: *const c_char,
    library: &[u8],
    room: &mut Text<PRELOAD_ROOM>,
) -> Result<(), Full> {
    let mut list = List::new();
    Probe::new().copy(others, &mut list).map_err(|_| Full)?;
    room.append(PRELOAD_PREFIX)?;
    let kept = split(&list).filter(|entry| *entry != library && !is_ours_elsewhere(entry, library));
    for entry in kept.chain([library]) {
        if room.len() > PRELOAD_PREFIX.len() {
            room.push(b':')?;
        }
        room.append(entry)?;
    }
    room.push(0)
}

type List = Text<PRELOAD_ROOM>;

/// The files that a list names, as the loader splits it.
fn split(list: &List) -> impl Iterator<Item = &[u8]> {
    list.as_bytes()
        .split(|&byte| separates(byte))
        .filter(|entry| !entry.is_empty())
}

/// Whether an entry is this library by a path that leads to it from one working directory alone.
fn is_ours_elsewhere(entry: &[u8], library: &[u8]) -> bool {
    let base = |path: &[u8]| path.iter().rposition(|&byte| byte == b'/');
    match (base(entry), base(library)) {
        (Some(slash), Some(ours)) => {
            slash > 0 && entry[0] != b'/' && entry[slash..] == library[ours..]
        }
        _ => false,
    }
}

/// Whether an entry for the loader names our file and no other, as it mostly does.
fn is_alone(entry: *const c_char, state: &State, probe: &mut Probe) -> bool {
    !state.preload_entry.is_empty() && is_same(entry, state.preload_entry, probe)
}

/// Whether a list for the loader names our file, so that every process finds it.
#[cold]
#[inline(never)]
fn names(list: *const c_char, library: &[u8], probe: &mut Probe) -> bool {
    let mut text = List::new();
    probe.copy(list, &mut text).is_ok()
        && split(&text).any(|entry| entry == library)
        && !split(&text).any(|entry| is_ours_elsewhere(entry, library))
}

fn is_same(entry: *const c_char, ours: &CStr, probe: &mut Probe) -> bool {
    ptr::eq(entry, ours.as_ptr())
        || probe
            .strip_prefix(entry, ours.to_bytes_with_nul())
            .is_some()
}

/// Writes our entries into an array, and the pointers of `given` but those that ours replace.
fn fill(
    room: &mut [*const c_char],
    given: Strings,
    preload: Option<*const c_char>,
    policy: Option<*const c_char>,
) {
    let mut probe = Probe::new();
    let kept = memory::entries(given).filter(|&entry| {
        probe.strip_prefix(entry, PRELOAD_PREFIX).is_none()
            && probe.strip_prefix(entry, POLICY_PREFIX).is_none()
    });
    let entries = preload.into_iter().chain(policy).chain(kept);
    // Other threads may add variables after they were counted: the last place stays null.
    let last = room.len() - 1;
    for (place, entry) in room[..last].iter_mut().zip(entries) {
        *place = entry;
    }
}
