//! Where the policy of a process comes from: its parent, or its own working directory.

use blastradius_policy::contract::POLICY_VARIABLE;
use blastradius_policy::{NoTrust, Origin, Overflow, PolicyText, discover};

use crate::disk::Disk;
use crate::environment::Environment;
use crate::memory::PATH_MAX;
use crate::text::Text;
use crate::{passwd, sys};

/// Stands for a policy that does not fit: no text parses that is no policy, and children see the same.
const UNREADABLE: &[u8] = b"unreadable";

/// Writes the text of the policy into `room` and returns its length. A variable that is set is taken as it is,
/// also when it holds no policy: an altered one must not be replaced by a guess.
pub(crate) fn load(environment: Environment, library: &[u8], room: &mut [u8]) -> usize {
    match environment.get(POLICY_VARIABLE) {
        Some(text) => store(text, room),
        None => find(environment, library, room),
    }
}

fn store(text: &[u8], room: &mut [u8]) -> usize {
    let text = if text.len() > room.len() {
        UNREADABLE
    } else {
        text
    };
    room[..text.len()].copy_from_slice(text);
    text.len()
}

/// Discovers the policy: this is the first process of a session that nobody else has begun.
#[cold]
#[inline(never)]
fn find(environment: Environment, library: &[u8], room: &mut [u8]) -> usize {
    let mut start = Text::<PATH_MAX>::new();
    if start.fill(sys::getcwd).is_err() || !start.as_bytes().starts_with(b"/") {
        start.truncate(0);
    }
    // Without a clock nothing is newborn.
    let session_start = sys::realtime().unwrap_or((i64::MAX, 0));
    let uid = sys::getuid();
    let passwd = passwd::home_of(uid);
    let homes = [
        environment.get(b"HOME").unwrap_or(b""),
        passwd.as_ref().map_or(b"", Text::as_bytes),
    ];
    let origin = Origin {
        start: start.as_bytes(),
        homes: &homes,
        tmpdir: environment.get(b"TMPDIR"),
        config_home: environment.get(b"XDG_CONFIG_HOME"),
        state_home: environment.get(b"XDG_STATE_HOME"),
        runtime_dir: environment.get(b"XDG_RUNTIME_DIR"),
        uid,
        session_start,
        launched: false,
        guard_files: &[library],
        presets: &[],
    };
    let mut text = PolicyText::new();
    let length = match discover(&Disk, &origin, &NoTrust, &mut text) {
        // The text of an overflow is a policy in doubt.
        Ok(()) | Err(Overflow) => store(text.as_bytes(), room),
    };
    wait_for_tick(session_start);
    length
}

/// Files are dated by a clock that ticks every few milliseconds. Once it has passed the beginning of the
/// session, whatever is born is dated later than that.
fn wait_for_tick(session_start: (i64, u32)) {
    /// Longer than a tick of any kernel, in pauses; the clock may have been set back.
    const PAUSES_MAX: u32 = 20;
    for _ in 0..PAUSES_MAX {
        match sys::realtime_of_files() {
            Ok(now) if now <= session_start => sys::pause_shortly(),
            _ => return,
        }
    }
}
