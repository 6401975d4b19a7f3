//! The kernel layer, tried in a throw-away tree with a program into which nothing can be loaded.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio, exit};

use rustix::process::{Pid, WaitOptions, waitpid};

use super::probe::Tree;
use crate::environment::Environment;
use crate::kernel::{landlock, sys};

/// Starts a static program below a supervisor on two files, one denied and one in the scope.
pub(super) fn refuses_unlink(environment: &Environment) -> Result<(), String> {
    let tree = Tree::new(environment)?;
    let program = tree.root.join("probe");
    fs::write(&program, executable())
        .and_then(|()| fs::set_permissions(&program, Permissions::from_mode(0o700)))
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let ourselves = std::env::current_exe().map_err(|error| error.to_string())?;
    for target in [&tree.kept, &tree.free] {
        let output = Command::new(&ourselves)
            .args(["run", "--quiet", "--layers", "kernel", "--"])
            .args([&program, target])
            .current_dir(&tree.root)
            // What is tried is no refusal worth a line in the log.
            .env("XDG_STATE_HOME", &tree.root)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", ourselves.display()))?;
        if output.status.code() == Some(crate::exit::Exit::Failed.status().into()) {
            let words = String::from_utf8_lossy(&output.stderr);
            let words = words.trim().trim_start_matches("blastradius: ");
            return Err(words.to_owned());
        }
    }
    tree.outcome("a static program", "the supervisor")
}

/// Has a process of its own, around which Landlock stands, try on two files.
pub(super) fn landlock_keeps(environment: &Environment) -> Result<(), String> {
    let tree = Tree::new(environment)?;
    let child = sys::fork(|| {
        let may_be_lost = tree.free.parent().unwrap_or(&tree.free);
        exit(match landlock::keep_all_but(may_be_lost) {
            Ok(()) => {
                // Whether they are gone is seen from outside.
                fs::remove_file(&tree.kept).ok();
                fs::remove_file(&tree.free).ok();
                0
            }
            Err(landlock::Without::NotHere) => NOT_HERE,
            Err(_) => 1,
        })
    });
    let child = child.map_err(|error| error.to_string())?;
    let status = waitpid(Pid::from_raw(child.as_raw()), WaitOptions::empty());
    match status
        .ok()
        .flatten()
        .and_then(|(_, status)| status.exit_status())
    {
        Some(0) => tree.outcome("a process", "Landlock"),
        Some(NOT_HERE) => Err("the kernel has none, or it is forbidden here".to_owned()),
        _ => Err("it cannot be put on".to_owned()),
    }
}

const NOT_HERE: i32 = 2;

/// A program that removes what its first argument names, and exits with the error's number: one segment, which holds
/// the file from its beginning.
fn executable() -> Vec<u8> {
    const HEADERS: usize = 64 + 56;
    const ADDRESS: u64 = 0x40_0000;
    let entry = ADDRESS + HEADERS as u64;
    let size = (HEADERS + CODE.len()) as u64;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // An executable, for this machine, of the first version.
    file.extend([2, 0, MACHINE, 0, 1, 0, 0, 0]);
    // Where it begins; where the one header of a segment is; and no sections.
    for word in [entry, 64, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 64, 0, 0, 0, 0, 0]);
    // To be loaded, read and executed.
    file.extend([1, 0, 0, 0, 5, 0, 0, 0]);
    for word in [0, ADDRESS, ADDRESS, size, size, 0x1000] {
        file.extend(word.to_le_bytes());
    }
    file.extend(CODE);
    file
}

#[cfg(target_arch = "x86_64")]
const MACHINE: u8 = 62;
#[cfg(target_arch = "x86_64")]
const CODE: &[u8] = &[
    0x48, 0x8b, 0x7c, 0x24, 0x10, // mov rdi, [rsp + 16]
    0xb8, 0x57, 0x00, 0x00, 0x00, // mov eax, SYS_unlink
    0x0f, 0x05, // syscall
    0xf7, 0xd8, // neg eax
    0x89, 0xc7, // mov edi, eax
    0xb8, 0x3c, 0x00, 0x00, 0x00, // mov eax, SYS_exit
    0x0f, 0x05, // syscall
];

#[cfg(target_arch = "aarch64")]
const MACHINE: u8 = 183;
#[cfg(target_arch = "aarch64")]
const CODE: &[u8] = &[
    0x60, 0x0c, 0x80, 0x92, // mov x0, AT_FDCWD
    0xe1, 0x0b, 0x40, 0xf9, // ldr x1, [sp, 16]
    0x02, 0x00, 0x80, 0xd2, // mov x2, 0
    0x68, 0x04, 0x80, 0xd2, // mov x8, SYS_unlinkat
    0x01, 0x00, 0x00, 0xd4, // svc 0
    0xe0, 0x03, 0x00, 0xcb, // neg x0, x0
    0xa8, 0x0b, 0x80, 0xd2, // mov x8, SYS_exit
    0x01, 0x00, 0x00, 0xd4, // svc 0
];
