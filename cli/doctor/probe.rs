//! The libc layer, tried in a throw-away tree.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Stdio;

use blastradius_policy::{NoTrust, Origin};

use crate::environment::{Effective, Environment, library_variable};
use crate::run::{guarded, preload};

/// Starts `rm` with the library on two files, one denied and one in the scope.
pub(super) fn refuses_unlink(environment: &Environment, library: &Path) -> Result<(), String> {
    let temporary = environment.directory("TMPDIR").filter(|path| path.is_dir());
    let tree = tempfile::Builder::new()
        .prefix("blastradius-doctor-")
        .tempdir_in(temporary.unwrap_or(Path::new("/tmp")))
        .map_err(|error| format!("no throw-away tree: {error}"))?;
    let root = tree
        .path()
        .canonicalize()
        .map_err(|error| error.to_string())?;
    let kept = root.join("kept/file");
    let free = root.join("free");
    fs::create_dir(root.join("kept"))
        .and_then(|()| fs::write(root.join(".blastradius"), "deny ./kept/**\n"))
        .and_then(|()| fs::write(&kept, "x"))
        .and_then(|()| fs::write(&free, "x"))
        .map_err(|error| format!("{}: {error}", root.display()))?;
    let start = root.as_os_str().as_bytes();
    let origin = Origin {
        start,
        homes: &[],
        tmpdir: None,
        config_home: Some(start),
        state_home: Some(start),
        runtime_dir: None,
        uid: environment.uid,
        // Nothing counts as born after the session began.
        session_start: (i64::MAX, 0),
        launched: true,
        guard_files: &[],
        presets: &[],
    };
    let effective =
        Effective::from_origin(&origin, &NoTrust).map_err(|failure| failure.to_string())?;
    for target in [&kept, &free] {
        let words = [
            b"rm".to_vec(),
            b"-f".to_vec(),
            target.as_os_str().as_bytes().to_vec(),
        ];
        guarded(&words, &effective)
            .current_dir(&root)
            .env(library_variable(), preload(environment, library))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| format!("rm cannot be started: {error}"))?;
    }
    match (kept.exists(), free.exists()) {
        (true, false) => Ok(()),
        (false, _) => Err(
            "rm with the library loaded removed a denied file: the library does not work here"
                .to_owned(),
        ),
        (true, true) => {
            Err("rm with the library loaded could not remove a file in the scope".to_owned())
        }
    }
}
