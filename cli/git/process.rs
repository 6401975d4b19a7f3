//! The git of this machine, asked so that it only reads, runs nothing else, and ends in time.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Answer, Ask, Question, Silence};

/// All questions of one decision take no longer than this together.
const LONGEST: Duration = Duration::from_secs(2);
/// Questions of one decision.
const MOST_QUESTIONS: usize = 96;
/// Longest answer.
const MOST_BYTES: u64 = 16 << 20;

/// Settings that keep git from running programs of the repository's choice, and `git diff` from writing the index.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.quotePath", "false"),
    ("core.hooksPath", "/dev/null"),
    ("diff.autoRefreshIndex", "false"),
];

/// Variables that git gets besides those of the question: they keep it from locking, fetching, asking and tracing.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_TRACE2", "0"),
    ("GIT_TRACE2_EVENT", "0"),
    ("GIT_TRACE2_PERF", "0"),
    ("LC_ALL", "C"),
];

/// Asks git, and remembers what it said for as long as one decision takes.
pub(crate) struct Git<'a> {
    /// The `PATH` that leads to it.
    path: Option<&'a [u8]>,
    program: OnceCell<Option<PathBuf>>,
    answers: RefCell<BTreeMap<Question, Answer>>,
    spent: Cell<Duration>,
}

impl<'a> Git<'a> {
    /// The git that `path`, a `PATH`, leads to: it is looked for when the first question comes.
    pub(crate) fn on(path: Option<&'a [u8]>) -> Self {
        Self {
            path,
            program: OnceCell::new(),
            answers: RefCell::default(),
            spent: Cell::new(Duration::ZERO),
        }
    }

    /// Relative folders of the `PATH` are the repository's, and do not count.
    fn find(&self) -> Option<PathBuf> {
        self.path
            .unwrap_or(b"/usr/local/bin:/usr/bin:/bin")
            .split(|byte| *byte == b':')
            .filter(|folder| folder.starts_with(b"/"))
            .map(|folder| PathBuf::from(OsStr::from_bytes(folder)).join("git"))
            .find(|program| program.is_file())
    }

    fn put(&self, question: &Question) -> Answer {
        let Some(program) = self.program.get_or_init(|| self.find()) else {
            return Err(Silence::Unavailable("git is not installed"));
        };
        if !may_find_repository(question) {
            return Err(Silence::Failed);
        }
        let left = LONGEST.saturating_sub(self.spent.get());
        if left.is_zero() {
            return Err(Silence::Unavailable("git is slow"));
        }
        let began = Instant::now();
        let mut command = Command::new(program);
        command
            .args(question.words.iter().map(|word| OsStr::from_bytes(word)))
            .current_dir(OsStr::from_bytes(&question.directory))
            .env_clear()
            .envs(VARIABLES.iter().copied())
            .envs(pairs(&question.variables))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        let fixed = SETTINGS
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        let given = question
            .settings
            .iter()
            .map(|(name, value)| (name.as_slice(), value.as_slice()));
        let mut count = 0;
        for (at, (name, value)) in given.chain(fixed).enumerate() {
            command
                .env(format!("GIT_CONFIG_KEY_{at}"), OsStr::from_bytes(name))
                .env(format!("GIT_CONFIG_VALUE_{at}"), OsStr::from_bytes(value));
            count = at + 1;
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        let answer = match command.spawn() {
            Ok(child) => listen(child, left),
            // The directory does not exist (yet), or there is no process to be had.
            Err(_) => Err(Silence::Failed),
        };
        self.spent.set(self.spent.get() + began.elapsed());
        answer
    }
}

impl Ask for Git<'_> {
    fn ask(&self, question: &Question) -> Answer {
        if let Some(known) = self.answers.borrow().get(question) {
            return known.clone();
        }
        if self.answers.borrow().len() >= MOST_QUESTIONS {
            return Err(Silence::Unavailable("git would be asked too often"));
        }
        let answer = self.put(question);
        self.answers
            .borrow_mut()
            .insert(question.clone(), answer.clone());
        answer
    }
}

/// Whether git, started for this question, may find a repository. To look is far cheaper than to start it.
fn may_find_repository(question: &Question) -> bool {
    let is_led = question
        .variables
        .iter()
        .any(|(name, _)| name.as_slice() == b"GIT_DIR")
        || question
            .words
            .iter()
            .any(|word| word.starts_with(b"--git-dir"));
    let Ok(start) = Path::new(OsStr::from_bytes(&question.directory)).canonicalize() else {
        // It says so itself.
        return true;
    };
    let holds_one = |directory: &Path| {
        let marker = directory.join(".git");
        // A file leads to another place. Without a HEAD, or with one that is no repository's, git looks further up.
        marker.is_file()
            || [marker.as_path(), directory]
                .iter()
                .any(|place| place.join("HEAD").symlink_metadata().is_ok())
    };
    is_led || start.ancestors().any(holds_one)
}

fn pairs(variables: &[(Vec<u8>, Vec<u8>)]) -> impl Iterator<Item = (&OsStr, &OsStr)> {
    variables
        .iter()
        .map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value)))
}

/// What the child prints, if it ends in time. Whatever happens, it and what it started are gone afterwards.
fn listen(mut child: Child, left: Duration) -> Answer {
    let (sender, receiver) = mpsc::channel();
    let reader = child.stdout.take().map(|stdout| {
        thread::spawn(move || {
            // Nobody listens any more if git was too slow.
            drop(sender.send(read(stdout)));
        })
    });
    let printed = receiver.recv_timeout(left);
    if !matches!(printed, Ok(Some(_))) {
        end(&mut child);
    }
    let status = child.wait();
    if printed.is_ok()
        && let Some(reader) = reader
    {
        drop(reader.join());
    }
    match (printed, status) {
        (Ok(Some(printed)), Ok(status)) if status.success() => Ok(printed),
        (Ok(Some(_)), Ok(_)) => Err(Silence::Failed),
        (Ok(None), _) => Err(Silence::Unavailable("git says too much")),
        (Err(_), _) => Err(Silence::Unavailable("git is slow")),
        (_, Err(_)) => Err(Silence::Unavailable("git cannot be waited for")),
    }
}

/// All that is printed; `None` if that is too much or cannot be read.
fn read(stdout: ChildStdout) -> Option<Vec<u8>> {
    let mut printed = Vec::new();
    stdout
        .take(MOST_BYTES + 1)
        .read_to_end(&mut printed)
        .ok()
        .filter(|_| printed.len() as u64 <= MOST_BYTES)?;
    Some(printed)
}

fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // It may have ended by itself in the meantime.
    if group.is_none_or(|group| kill_process_group(group, Signal::KILL).is_err()) {
        drop(child.kill());
    }
}
