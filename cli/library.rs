//! The library: embedded in this binary, put in place where programs can load it.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::args;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::message::{Failure, escape_path, print};

/// The library's file name.
pub const FILE_NAME: &str = if cfg!(target_os = "macos") {
    "libblastradius.dylib"
} else {
    "libblastradius.so"
};

const CONTENT: &[u8] = include_bytes!(env!("BLASTRADIUS_LIBRARY"));

/// Names the content, so that versions lie side by side and none is ever rewritten under a running program. Only
/// a name: what is loaded is compared byte for byte.
const CONTENT_NAME: &str = env!("BLASTRADIUS_LIBRARY_HASH");

const MODE: u32 = 0o555;

/// Where the library may lie, best first.
#[must_use]
pub fn places(environment: &Environment) -> Vec<PathBuf> {
    let folders = [
        is_shared(environment).then(|| PathBuf::from("/var/cache/blastradius")),
        environment
            .cache_home()
            .map(|cache| cache.join("blastradius")),
        environment
            .directory("XDG_RUNTIME_DIR")
            .map(|runtime| runtime.join("blastradius")),
        Some(PathBuf::from(format!(
            "/tmp/blastradius-{}",
            environment.uid
        ))),
    ];
    folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join(&CONTENT_NAME[..16]).join(FILE_NAME))
        .collect()
}

/// Programs of root become other users (`apt-get`, database servers), who cannot look into most of its homes, and the
/// loader would tell each of them that it finds no library.
fn is_shared(environment: &Environment) -> bool {
    const OTHERS: u32 = 0o001;
    let is_closed = |home: &Path| {
        let mut above = home.ancestors().filter_map(|folder| folder.metadata().ok());
        above.any(|folder| folder.mode() & OTHERS == 0)
    };
    environment.uid == 0 && environment.directory("HOME").is_some_and(is_closed)
}

/// Fails where this binary was built without a library, for a system that has none.
fn require_content() -> Result<(), Failure> {
    if CONTENT.is_empty() {
        return Err(Failure::new(format!("this build carries no {FILE_NAME}"))
            .hint("--layers command judges commands alone"));
    }
    Ok(())
}

/// Puts the library in place, or finds it there, and checks what programs would load.
///
/// # Errors
/// When no place will do: each is named with the reason.
pub fn place(environment: &Environment) -> Result<PathBuf, Failure> {
    require_content()?;
    let mut reasons = Vec::new();
    for path in places(environment) {
        match put(&path, environment.uid) {
            Ok(()) => return Ok(path),
            Err(problem) => reasons.push(format!("{}: {problem}", escape_path(&path))),
        }
    }
    if let Some(path) = beside_binary() {
        match check(&path, environment.uid) {
            Ok(()) => return Ok(path),
            Err(problem) => reasons.push(format!("{}: {problem}", escape_path(&path))),
        }
    }
    Err(Failure::new(format!("{FILE_NAME} cannot be put in place\n  {}", reasons.join("\n  ")))
        .hint("set XDG_CACHE_HOME to a directory of yours whose path has no space or colon, and that allows programs to run"))
}

/// `library`: prints the path, put in place first.
///
/// # Errors
/// When it cannot be put in place or copied.
pub fn command(arguments: &args::Library) -> Result<Exit, Failure> {
    let path = match &arguments.copy {
        Some(folder) => copy_to(folder)?,
        None => place(&Environment::of_process())?,
    };
    print(path.as_os_str().as_encoded_bytes())?;
    Ok(Exit::Done)
}

/// Writes a copy into a directory, for a container image.
///
/// # Errors
/// When the directory cannot be made or written.
pub fn copy_to(folder: &Path) -> Result<PathBuf, Failure> {
    require_content()?;
    let failed = |path: &Path, error| Failure::new(format!("{}: {error}", escape_path(path)));
    // What is printed is meant for LD_PRELOAD, where a relative path would lead elsewhere after a `cd`.
    let path = std::path::absolute(folder)
        .map_err(|error| failed(folder, error))?
        .join(FILE_NAME);
    fs::create_dir_all(folder)
        .and_then(|()| write(&path))
        .map_err(|error| failed(&path, error))?;
    Ok(path)
}

/// Beside the binary, where a package may have put it.
fn beside_binary() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(FILE_NAME);
    path.exists().then_some(path)
}

/// Why the library cannot be loaded from a place.
#[derive(Debug)]
enum Problem {
    /// The dynamic loader would read the path as several.
    Separator,
    /// Somebody else's, or a link, or open to others.
    Untrusted(&'static str),
    /// Programs may not be mapped from there.
    NoExec,
    /// Not the embedded bytes.
    Different,
    Io(io::Error),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Separator => formatter.write_str(
                "the path holds a colon or a space, which LD_PRELOAD takes for a separator",
            ),
            Self::Untrusted(what) => formatter.write_str(what),
            Self::NoExec => formatter.write_str("the file system is mounted noexec"),
            Self::Different => formatter.write_str("the content is not this version's"),
            Self::Io(error) => error.fmt(formatter),
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn put(path: &Path, uid: u32) -> Result<(), Problem> {
    refuse_separators(path)?;
    match check(path, uid) {
        Err(Problem::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
        // Left by an interrupted or hostile hand: a fresh file replaces it, if the folder is ours.
        Err(Problem::Different | Problem::Untrusted(_)) => {}
        settled => return settled,
    }
    let folder = path
        .parent()
        .ok_or(Problem::Untrusted("the path has no folder"))?;
    make_ours(folder, uid)?;
    write(path)?;
    check(path, uid)
}

fn refuse_separators(path: &Path) -> Result<(), Problem> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes
        .iter()
        .any(|byte| *byte == b':' || byte.is_ascii_whitespace())
    {
        return Err(Problem::Separator);
    }
    Ok(())
}

/// Makes the last two components (ours) and checks that nobody else can put a file there. What root has is for all to
/// read.
fn make_ours(folder: &Path, uid: u32) -> Result<(), Problem> {
    let mode = if uid == 0 { 0o755 } else { 0o700 };
    let ours = folder
        .parent()
        .ok_or(Problem::Untrusted("the path has no folder"))?;
    if let Some(base) = ours.parent() {
        DirBuilder::new().recursive(true).mode(mode).create(base)?;
    }
    for folder in [ours, folder] {
        match DirBuilder::new().mode(mode).create(folder) {
            // Whatever the umask takes away.
            Ok(()) => fs::set_permissions(folder, Permissions::from_mode(mode))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
        let found = fs::symlink_metadata(folder)?;
        if !found.is_dir() {
            return Err(Problem::Untrusted("its folder is a link or a file"));
        }
        if found.uid() != uid {
            return Err(Problem::Untrusted("its folder belongs to somebody else"));
        }
        if found.mode() & 0o022 != 0 {
            return Err(Problem::Untrusted("others can write to its folder"));
        }
    }
    Ok(())
}

fn write(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(CONTENT)?;
    file.as_file()
        .set_permissions(Permissions::from_mode(MODE))?;
    file.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

/// What every program below would load must be exactly what this binary carries, and stay so.
fn check(path: &Path, uid: u32) -> Result<(), Problem> {
    refuse_separators(path)?;
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() {
        return Err(Problem::Untrusted("it is not a regular file"));
    }
    if found.uid() != uid && found.uid() != 0 {
        return Err(Problem::Untrusted("it belongs to somebody else"));
    }
    if found.mode() & 0o022 != 0 {
        return Err(Problem::Untrusted("others can write to it"));
    }
    if found.len() != CONTENT.len() as u64 {
        return Err(Problem::Different);
    }
    if !holds(File::open(path)?, CONTENT)? {
        return Err(Problem::Different);
    }
    if is_noexec(path)? {
        return Err(Problem::NoExec);
    }
    Ok(())
}

/// Whether a file holds these bytes and no others.
fn holds(mut file: impl Read, mut expected: &[u8]) -> io::Result<bool> {
    let mut room = [0; 8 << 10];
    loop {
        let read = match file.read(&mut room) {
            Ok(0) => return Ok(expected.is_empty()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        match expected.split_at_checked(read) {
            Some((begin, rest)) if *begin == room[..read] => expected = rest,
            _ => return Ok(false),
        }
    }
}

/// Whether the library sees what a command line starts: on macOS `rm`, `mv` and the shells themselves are programs
/// that it is kept out of, so that nothing can be left to it.
pub const SEES_COMMANDS: bool = cfg!(target_os = "linux");

/// Whether macOS keeps the library out of a program, and out of what that starts, because of where it lies.
/// Programs with the hardened runtime are kept out wherever they lie, which is not seen here.
#[must_use]
pub fn is_protected(program: &Path) -> bool {
    let ours = program.starts_with("/usr/local");
    ["/System", "/usr", "/bin", "/sbin"]
        .iter()
        .any(|directory| program.starts_with(directory) && !ours)
}

/// Nothing can be mapped as code from such a mount. macOS does not tell.
fn is_noexec(path: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        let mounted = rustix::fs::statvfs(path)?;
        Ok(mounted
            .f_flag
            .contains(rustix::fs::StatVfsMountFlags::NOEXEC))
    }
    #[cfg(not(target_os = "linux"))]
    {
        path.metadata().map(|_| false)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_protected;

    #[test]
    fn programs_of_the_system_are_protected_and_others_are_not() {
        for protected in ["/bin/sh", "/usr/bin/git", "/sbin/mount", "/System/x"] {
            assert!(is_protected(Path::new(protected)), "{protected}");
        }
        for free in ["/usr/local/bin/git", "/opt/homebrew/bin/git", "/binary"] {
            assert!(!is_protected(Path::new(free)), "{free}");
        }
    }
}
