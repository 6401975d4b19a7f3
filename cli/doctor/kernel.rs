//! The kernel layer, tried in a throw-away tree with a program into which nothing can be loaded.

use std::fs::{self, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio, exit};

use blastradius_policy::Policy;
use rustix::process::{Pid, WaitOptions, waitpid};

use super::probe::{Problem, Tree};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::kernel::{is_not_to_be_had, landlock, sys};
use crate::run::become_supervised;

/// Starts a static program below a supervisor on two files, one denied and one in the scope.
pub(super) fn refuses_unlink(environment: &Environment) -> Result<(), Problem> {
    let tree = Tree::new(environment)?;
    let program = tree.root.join("probe");
    fs::write(&program, executable())
        .and_then(|()| fs::set_permissions(&program, Permissions::from_mode(0o700)))
        .map_err(|error| Problem::Broken(format!("{}: {error}", program.display())))?;
    let effective = tree.policy(environment)?;
    for target in [&tree.kept, &tree.free] {
        let mut command = Command::new(&program);
        command
            .arg(target)
            .current_dir(&tree.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = supervised(&mut command, &effective.policy())?;
        if status == Some(Exit::NotExecutable.status().into()) {
            let root = tree.root.display();
            return Err(Problem::Untried(format!("no program can run in {root}")));
        }
    }
    tree.outcome("a static program", "the supervisor")
}

/// Runs a command below a supervisor of its own, and says with which status it ended.
fn supervised(command: &mut Command, policy: &Policy<'_>) -> Result<Option<i32>, Problem> {
    let broken = |error: io::Error| Problem::Broken(error.to_string());
    let (mut told, line) = io::pipe().map_err(broken)?;
    let child = sys::fork(|| {
        // It returns only where nothing has run; otherwise it lets go of the line.
        if let Err(error) = become_supervised(command, policy) {
            write!(&line, "{error}").ok();
            exit(match is_not_to_be_had(&error) {
                true => NOT_TO_BE_HAD,
                false => BROKEN,
            });
        }
        exit(0)
    });
    let child = child.map_err(broken)?;
    drop(line);
    let mut words = String::new();
    told.read_to_string(&mut words).map_err(broken)?;
    match (words.is_empty(), status_of(child)) {
        (true, status) => Ok(status),
        (false, Some(NOT_TO_BE_HAD)) => Err(Problem::NotToBeHad(words)),
        (false, _) => Err(Problem::Broken(words)),
    }
}

fn status_of(child: nix::unistd::Pid) -> Option<i32> {
    let status = waitpid(Pid::from_raw(child.as_raw()), WaitOptions::empty());
    status.ok()??.1.exit_status()
}

/// Has a process of its own, around which Landlock stands, try on two files.
pub(super) fn landlock_keeps(environment: &Environment) -> Result<(), Problem> {
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
            Err(landlock::Without::NotHere) => NOT_TO_BE_HAD,
            Err(landlock::Without::TooMany) => NO_ROOM,
            Err(_) => BROKEN,
        })
    });
    let child = child.map_err(|error| Problem::Broken(error.to_string()))?;
    match status_of(child) {
        Some(0) => tree.outcome("a process", "Landlock"),
        Some(NOT_TO_BE_HAD) => Err(Problem::NotToBeHad(
            "the kernel has none, or it is forbidden here".to_owned(),
        )),
        Some(NO_ROOM) => Err(Problem::NotToBeHad(landlock::Without::TooMany.to_string())),
        _ => Err(Problem::Broken("it cannot be put on".to_owned())),
    }
}

/// How a process ends that tries a layer.
const BROKEN: i32 = 1;
const NOT_TO_BE_HAD: i32 = 2;
const NO_ROOM: i32 = 3;

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
