//! The home directory in the password database. Only the file is read: other databases are libc's business,
//! which is not to be called from here.

use crate::memory::PATH_MAX;
use crate::sys::{self, CWD};
use crate::text::Text;

const FILE: &core::ffi::CStr = c"/etc/passwd";

/// Longest line that is understood.
const LINE_MAX: usize = 4096;

/// The home of a user, if there is a line for them.
pub(crate) fn home_of(uid: u32) -> Option<Text<PATH_MAX>> {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    let file = sys::openat(CWD, FILE.as_ptr(), flags, 0).ok()?;
    let mut line = Text::<LINE_MAX>::new();
    loop {
        let mut block = Text::<4096>::new();
        block.fill(|room| sys::read(file.number(), room)).ok()?;
        if block.len() == 0 {
            return home_in(line.as_bytes(), uid);
        }
        for &byte in block.as_bytes() {
            if byte == b'\n' {
                if let Some(home) = home_in(line.as_bytes(), uid) {
                    return Some(home);
                }
                line.truncate(0);
            } else if line.push(byte).is_err() {
                // A line without an end: it can name nobody.
                line.truncate(0);
            }
        }
    }
}

/// The sixth field of `name:password:uid:gid:comment:home:shell`, if the third is `uid`.
fn home_in(line: &[u8], uid: u32) -> Option<Text<PATH_MAX>> {
    let mut fields = line.split(|&byte| byte == b':');
    if blastradius_policy::number(fields.nth(2)?) != Some(uid.into()) {
        return None;
    }
    let mut home = Text::new();
    home.append(fields.nth(2)?).ok()?;
    Some(home)
}
