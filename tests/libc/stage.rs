//! A throw-away tree with a project in it, and programs run there with the library loaded. What is left of the
//! tree is read by this process, which is not interposed.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::layer;

/// The library that the root package was built with.
pub(crate) const LIBRARY: &str = env!("BLASTRADIUS_LIBRARY");

/// A tree of its own, outside `/tmp`, which the default scope covers.
pub(crate) struct Stage {
    root: PathBuf,
}

impl Stage {
    /// Holds `home/project` with a repository and the file `inside`, and `outside` with `file`, `empty` and
    /// the directories `vacant` and `full`.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "blastradius-libc-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let root = Path::new("/var/tmp").join(name);
        fs::DirBuilder::new().mode(0o755).create(&root).unwrap();
        // Links on the way to it are not what is tested.
        let stage = Self {
            root: root.canonicalize().unwrap(),
        };
        for directory in [
            "home/project/.git",
            "home/project/directory",
            "outside/vacant",
            "outside/full",
        ] {
            fs::create_dir_all(stage.path(directory)).unwrap();
        }
        for file in [
            "home/project/inside",
            "home/project/.git/HEAD",
            "outside/file",
            "outside/full/file",
        ] {
            fs::write(stage.path(file), "old").unwrap();
        }
        fs::write(stage.path("outside/empty"), "").unwrap();
        std::os::unix::fs::symlink(stage.path("outside"), stage.path("home/project/link")).unwrap();
        std::os::unix::fs::symlink(
            stage.path("outside/file"),
            stage.path("home/project/to-file"),
        )
        .unwrap();
        stage
    }

    /// A path below the tree.
    pub(crate) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.root.join(below)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("home/project")
    }

    /// What a file holds; None if it is gone.
    pub(crate) fn content(&self, below: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.path(below)).ok()
    }

    pub(crate) fn exists(&self, below: impl AsRef<Path>) -> bool {
        fs::symlink_metadata(self.path(below)).is_ok()
    }

    pub(crate) fn write(&self, below: impl AsRef<Path>, content: &str) {
        fs::write(self.path(below), content).unwrap();
    }

    /// A program that begins a session in the project.
    pub(crate) fn guarded(&self, program: impl AsRef<OsStr>) -> Command {
        self.placed(layer::guarded(program.as_ref()))
    }

    pub(crate) fn unguarded(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear();
        self.placed(command)
    }

    fn placed(&self, mut command: Command) -> Command {
        command
            .current_dir(self.project())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.path("home"))
            .env("LC_ALL", "C");
        command
    }

    /// Runs a shell script, guarded. `$O` is the directory outside.
    pub(crate) fn sh(&self, script: &str) -> Ran {
        let mut command = self.guarded("/bin/sh");
        command.env("O", self.path("outside"));
        Ran::of(command.args(["-c", script]))
    }

    /// Makes one call, guarded.
    pub(crate) fn call<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Ran {
        Ran::of(self.guarded(layer::caller()).args(arguments))
    }

    /// The words of a row, in which `O/` and `P/` at the beginning stand for outside and the project.
    pub(crate) fn words(&self, row: &str) -> Vec<OsString> {
        row.split_whitespace()
            .map(|word| match word.split_at_checked(2) {
                Some(("O/", rest)) => self.path("outside").join(rest).into(),
                Some(("P/", rest)) => self.project().join(rest).into(),
                _ => word.into(),
            })
            .collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.root) {
            eprintln!("{}: {error}", self.root.display());
        }
    }
}

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Self {
            status: status.code(),
            stdout: String::from_utf8_lossy(&stdout).trim_end().to_owned(),
            stderr: String::from_utf8_lossy(&stderr).trim_end().to_owned(),
        }
    }

    /// The lines of the library.
    pub(crate) fn refusals(&self) -> Vec<&str> {
        self.stderr
            .lines()
            .filter(|line| line.starts_with("blastradius: "))
            .collect()
    }

    /// How many lines of the library say what it refused; others say what it cannot see.
    pub(crate) fn refused(&self) -> usize {
        let lines = self.stderr.lines();
        lines
            .filter(|line| line.starts_with("blastradius: refused "))
            .count()
    }

    /// Asserts that the call was allowed, without a word.
    #[track_caller]
    pub(crate) fn is_ok(&self) {
        assert_eq!((self.stdout.as_str(), self.stderr.as_str()), ("ok", ""));
    }

    /// Asserts that the call was refused, with one line that ends in the rule.
    #[track_caller]
    pub(crate) fn is_refused(&self, rule: &str) {
        assert_eq!(self.stdout, "1", "EPERM was due: {self:?}");
        let refusals = self.refusals();
        assert_eq!(refusals.len(), 1, "{self:?}");
        assert!(refusals[0].ends_with(&format!("[{rule}]")), "{self:?}");
    }

    /// Asserts that the kernel's own error came through, without a word.
    #[track_caller]
    pub(crate) fn is_error(&self, errno: i32) {
        assert_eq!(
            (self.stdout.as_str(), self.stderr.as_str()),
            (errno.to_string().as_str(), "")
        );
    }
}

/// `tests/c/call.c`, compiled.
pub(crate) fn caller() -> &'static Path {
    static CALLER: OnceLock<PathBuf> = OnceLock::new();
    CALLER.get_or_init(|| compile("call", compiler(), &[]))
}

/// The same against musl, if there is a compiler for it.
pub(crate) fn musl_caller() -> Option<&'static Path> {
    static CALLER: OnceLock<Option<PathBuf>> = OnceLock::new();
    CALLER
        .get_or_init(|| {
            let compiler = which("musl-gcc")?;
            Some(compile("call-musl", Command::new(compiler), &[]))
        })
        .as_deref()
}

/// The same without a loader, if libc can be had so.
pub(crate) fn static_caller() -> Option<&'static Path> {
    static CALLER: OnceLock<Option<PathBuf>> = OnceLock::new();
    CALLER
        .get_or_init(|| {
            let archive = Command::new(compiler().get_program())
                .arg("-print-file-name=libc.a")
                .output()
                .unwrap();
            // The bare name, where there is no such file.
            let found = archive.stdout.starts_with(b"/");
            found.then(|| compile("call-static", compiler(), &["-static", "-DSTATIC"]))
        })
        .as_deref()
}

/// `tests/c/spawn.c`, compiled.
pub(crate) fn spawner() -> &'static Path {
    static SPAWNER: OnceLock<PathBuf> = OnceLock::new();
    SPAWNER.get_or_init(|| compile("spawn", compiler(), &[]))
}

/// Compiles `tests/c/NAME.c` (what follows a `-` in the name tells builds of one source apart).
pub(crate) fn compile(name: &str, mut compiler: Command, flags: &[&str]) -> PathBuf {
    let source = name.split('-').next().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Tests run at the same time, and a program that runs cannot be written.
    static COMPILED: AtomicU32 = AtomicU32::new(0);
    let own = COMPILED.fetch_add(1, Ordering::Relaxed);
    let fresh = program.with_extension(format!("{}-{own}", std::process::id()));
    let status = compiler
        .arg("-o")
        .arg(&fresh)
        .arg(format!("{}/tests/c/{source}.c", env!("CARGO_MANIFEST_DIR")))
        .args(flags)
        .status()
        .unwrap();
    assert!(status.success(), "{compiler:?}");
    fs::rename(&fresh, &program).unwrap();
    program
}

/// The C compiler of the system.
pub(crate) fn compiler() -> Command {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    cc::Build::new()
        .target(&target)
        .host(&target)
        .opt_level(1)
        .cargo_metadata(false)
        .get_compiler()
        .to_command()
}

/// Where a program is, if it is installed.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    std::env::split_paths("/usr/local/bin:/usr/bin:/bin")
        .map(|directory| directory.join(program))
        .find(|path| path.exists())
}

/// Processes with threads, signals and forks, for so many seconds: outside is refused, inside is done.
pub(crate) fn assert_storm_loses_nothing(storm: &Path, processes_threads_seconds: [&str; 3]) {
    let stage = Stage::new();
    let mut command = stage.guarded("/usr/bin/timeout");
    command
        .arg("60")
        .arg(storm)
        .arg(stage.project().join("directory"))
        .arg(stage.path("outside/file"))
        .args(processes_threads_seconds);
    let ran = Ran::of(&mut command);
    assert_eq!(ran.stdout, "lost 0, wrong 0", "{ran:?}");
    assert_eq!(ran.status, Some(0));
    assert!(stage.exists("outside/file"));
}
