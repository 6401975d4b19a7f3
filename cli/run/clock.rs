//! The clock by which files are dated. What a program makes must be dated later than the beginning of its session,
//! for then it is its own to remove.
//!
//! That clock ticks every few milliseconds. Since Linux 6.13 no file is dated earlier than the finest time that any
//! file was given before, so that asking for one such time spares the wait for the tick.

use std::thread::sleep;
use std::time::Duration;

use blastradius_policy::Policy;
use rustix::time::{ClockId, clock_gettime};

/// The beginning of a session, as long as it may have to be waited for.
#[derive(Clone, Copy)]
pub(super) struct Beginning {
    /// None once every file is dated later.
    at: Option<Time>,
}

/// Seconds and nanoseconds.
type Time = (i64, u32);

impl Beginning {
    pub(super) fn of(policy: &Policy<'_>) -> Self {
        let at = policy.session_start();
        #[cfg(target_os = "linux")]
        let is_over = fine::is_served(policy) && fine::dates_after(at).unwrap_or(false);
        #[cfg(not(target_os = "linux"))]
        let is_over = false;
        Self {
            at: (!is_over).then_some(at),
        }
    }

    /// Waits until whatever is made is dated later.
    pub(super) fn pass(self) {
        const PAUSE: Duration = Duration::from_micros(200);
        /// Longer than a tick of any kernel; the clock may have been set back.
        const PAUSES_MAX: u32 = 100;
        let Some(at) = self.at else {
            return;
        };
        for _ in 0..PAUSES_MAX {
            let now = clock_gettime(FILE_CLOCK);
            if (now.tv_sec, now.tv_nsec) > (at.0, i64::from(at.1)) {
                return;
            }
            sleep(PAUSE);
        }
    }
}

#[cfg(target_os = "linux")]
const FILE_CLOCK: ClockId = ClockId::RealtimeCoarse;
#[cfg(not(target_os = "linux"))]
const FILE_CLOCK: ClockId = ClockId::Realtime;

/// Fine times, in whose stead the kernel takes the clock's wherever nobody has looked at a file.
#[cfg(target_os = "linux")]
mod fine {
    use std::ffi::OsStr;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use blastradius_policy::{Canonical, Policy};
    use rustix::fs::{AtFlags, MemfdFlags, Mode, StatxFlags, fchmod, memfd_create, statfs, statx};
    use rustix::io;

    use super::Time;

    /// Has a fine time given, and says whether what is made from now on is dated later than `at`.
    pub(super) fn dates_after(at: Time) -> io::Result<bool> {
        let file = made()?;
        born(&file)?;
        // Its time has been looked at: the next one must differ.
        fchmod(&file, Mode::RUSR)?;
        Ok(born(made()?)? > at)
    }

    fn made() -> io::Result<OwnedFd> {
        memfd_create("blastradius", MemfdFlags::CLOEXEC)
    }

    fn born(file: impl AsFd) -> io::Result<Time> {
        let wanted = StatxFlags::BTIME | StatxFlags::CTIME;
        let found = statx(file, "", AtFlags::EMPTY_PATH, wanted)?;
        Ok((found.stx_btime.tv_sec, found.stx_btime.tv_nsec))
    }

    /// Whether the file systems on which a program is most likely to make files take part. An overlay dates as what
    /// it lies upon does.
    pub(super) fn is_served(policy: &Policy<'_>) -> bool {
        const BTRFS: u64 = 0x9123_683e;
        const EXT: u64 = 0xef53;
        const OVERLAY: u64 = 0x794c_7630;
        const TMPFS: u64 = 0x0102_1994;
        const XFS: u64 = 0x5846_5342;
        let start = Canonical::new(policy.start());
        start.into_iter().chain(policy.homes()).all(|folder| {
            let folder = Path::new(OsStr::from_bytes(folder.as_bytes()));
            // What is not there holds nothing that is made.
            statfs(folder).map_or(true, |found| {
                [BTRFS, EXT, OVERLAY, TMPFS, XFS].contains(&(found.f_type as u64))
            })
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::metadata;
    use std::time::{SystemTime, UNIX_EPOCH};

    use tempfile::NamedTempFile;

    use super::fine;

    #[test]
    fn what_is_made_after_a_fine_time_is_dated_later() {
        for _ in 0..50 {
            let now = SystemTime::now();
            let since = now.duration_since(UNIX_EPOCH).unwrap();
            let at = (since.as_secs().cast_signed(), since.subsec_nanos());
            if fine::dates_after(at).unwrap() {
                let file = NamedTempFile::new_in(env!("CARGO_MANIFEST_DIR")).unwrap();
                assert!(metadata(file.path()).unwrap().created().unwrap() > now);
            }
        }
    }
}
