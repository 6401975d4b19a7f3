//! The home in the password database.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use nix::unistd::{Uid, User};

/// The home of a user id. The local file is asked first: it answers in microseconds, while the system's lookup
/// loads modules and may wait for a directory server.
pub(super) fn home(uid: u32) -> Option<PathBuf> {
    let local = std::fs::read("/etc/passwd")
        .ok()
        .and_then(|file| entry(&file, uid));
    local
        .or_else(|| {
            User::from_uid(Uid::from_raw(uid))
                .ok()
                .flatten()
                .map(|user| user.dir)
        })
        .filter(|home| home.is_absolute())
}

fn entry(file: &[u8], uid: u32) -> Option<PathBuf> {
    let uid = uid.to_string();
    file.split(|&byte| byte == b'\n').find_map(|line| {
        let mut fields = line.split(|&byte| byte == b':');
        (fields.nth(2)? == uid.as_bytes()).then_some(())?;
        let home = fields.nth(2)?;
        (!home.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(home)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_sixth_field_of_the_matching_line() {
        let file = b"root:x:0:0:root:/root:/bin/bash\nshort:x:7\ndev:x:1000:1000:,,,:/home/dev:/bin/sh\nno:x:8:8:::/bin/sh\n";
        for (uid, home) in [
            (0, Some("/root")),
            (1000, Some("/home/dev")),
            (7, None),
            (8, None),
            (100, None),
        ] {
            assert_eq!(entry(file, uid), home.map(PathBuf::from), "uid {uid}");
        }
    }
}
