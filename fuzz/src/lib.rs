//! What the fuzz targets share: a disk in memory, judging on it, and a clock.

use std::{path::Path, time::Duration};

use blastradius_cli::{
    judge::{self, Session},
    report::Report,
    shell::ast::Dialect,
};
use blastradius_policy::{Fs, Origin, Policy, PolicyText, Trust, discover, fake::FakeFs};
use rustix::time::{ClockId, clock_gettime};

/// Every dialect.
pub const DIALECTS: [Dialect; 4] = [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Unknown];

/// A project, a home beside it, and what every system has.
pub fn disk() -> FakeFs {
    FakeFs::new(&[
        ("/w/.git/HEAD", "file ref: refs/heads/main"),
        ("/w/build/x.o", "file x"),
        ("/w/a/b/c", "dir"),
        ("/w/f1.log", "file x"),
        ("/w/f2.log", "file x"),
        ("/w/run.sh", "file rm -rf build"),
        ("/w/loop", "link loop"),
        ("/w/out", "link /h"),
        ("/h/Documents/thesis", "file x"),
        ("/h/.bashrc", "file x"),
        ("/etc/passwd", "file x"),
        ("/tmp/scratch/a", "file x"),
        ("/usr/bin/env", "file x"),
        ("/dev/null", "other"),
        ("/dev/sda", "block"),
    ])
}

/// Where a session begins on that disk.
pub fn origin() -> Origin<'static> {
    Origin {
        start: b"/w",
        homes: &[b"/h"],
        tmpdir: None,
        config_home: None,
        state_home: None,
        runtime_dir: None,
        uid: 1000,
        session_start: (0, 0),
        launched: false,
        guard_files: &[b"/h/.local/lib/libblastradius.so"],
        presets: &[],
    }
}

/// The text of the policy that a disk holds.
pub fn policy_text(disk: &dyn Fs, trust: &dyn Trust) -> Box<PolicyText> {
    let mut text = Box::new(PolicyText::new());
    // After an overflow the text is a policy in doubt.
    let _: Result<(), _> = discover(disk, &origin(), trust, &mut text);
    text
}

/// Judges a string for the disk of [`disk`].
pub struct Judge {
    disk: FakeFs,
    text: Box<PolicyText>,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Judge {
    /// With the default scope.
    pub fn new() -> Self {
        let disk = disk();
        let text = policy_text(&disk, &blastradius_policy::NoTrust);
        let environment = [("HOME", "/h"), ("EMPTY", ""), ("D", "/w/build")]
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
            .to_vec();
        Self {
            disk,
            text,
            environment,
        }
    }

    /// The verdict.
    pub fn judge(&self, source: &[u8], dialect: Dialect) -> Report {
        let session = Session {
            policy: &Policy::parse(self.text.as_bytes()).expect("it was just written"),
            environment: &self.environment,
            cwd: Some(Path::new("/w")),
            dialect,
            strict: false,
            lower_layers: false,
            explain: false,
        };
        judge::string_against(&session, &self.disk, source)
    }
}

impl Default for Judge {
    fn default() -> Self {
        Self::new()
    }
}

/// Processor time of this thread so far.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What an answer may take: fifty milliseconds, and as much again for each way in which this build is slower than a
/// release (assertions, counters on every branch).
const LIMIT: Duration = Duration::from_millis(400);

/// Does it, and panics if it takes too long.
pub fn soon<T>(what: &str, act: impl Fn() -> T) -> T {
    let mut before = used();
    let answer = act();
    if used() - before > LIMIT {
        // Once more: the first time may have paid for memory that another input left behind.
        before = used();
        act();
        let taken = used() - before;
        assert!(taken <= LIMIT, "{what} took {taken:?}");
    }
    answer
}
