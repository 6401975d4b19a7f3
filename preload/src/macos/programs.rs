//! Becoming and starting other programs: only their environment is seen to.

use core::ffi::{c_char, c_int, c_void};

use crate::inject::{into_environ, with_environment};
use crate::sys::{self, CWD, Strings};
use crate::weak::Stream;
use crate::{environment, errno, opening};

/// `execve(2)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_execve(
    path: *const c_char,
    argv: Strings,
    envp: Strings,
) -> c_int {
    with_environment(envp, |envp| errno::fail(sys::execve(path, argv, envp)))
}

/// `execv(3)`
#[unsafe(no_mangle)]
pub(super) extern "C" fn blastradius_execv(path: *const c_char, argv: Strings) -> c_int {
    blastradius_execve(path, argv, environment::variables())
}

/// `execvp(3)`, which takes the environment from `environ` alone.
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_execvp(file: *const c_char, argv: Strings) -> c_int {
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { libc::execvp(file, argv) }
}

/// `execvP(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_execvP(
    file: *const c_char,
    search: *const c_char,
    argv: Strings,
) -> c_int {
    into_environ();
    // SAFETY: promised by the caller; the strings of the array are not written to.
    unsafe { libc::execvP(file, search, argv.cast()) }
}

/// `posix_spawn(2)`, which answers an error number.
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_posix_spawn(
    pid: *mut libc::pid_t,
    path: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let (actions, attributes) = (actions.cast(), attributes.cast());
    // SAFETY: promised by the caller; the strings of the arrays are not written to.
    with_environment(envp, |envp| unsafe {
        libc::posix_spawn(pid, path, actions, attributes, argv.cast(), envp.cast())
    })
}

/// `posix_spawnp(2)`, which answers an error number.
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_posix_spawnp(
    pid: *mut libc::pid_t,
    file: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let (actions, attributes) = (actions.cast(), attributes.cast());
    // SAFETY: promised by the caller; the strings of the arrays are not written to.
    with_environment(envp, |envp| unsafe {
        libc::posix_spawnp(pid, file, actions, attributes, argv.cast(), envp.cast())
    })
}

/// `posix_spawn_file_actions_addopen(3)`, which answers an error number. The kernel opens the file, so it is
/// judged here, as it lies from the working directory of now.
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_posix_spawn_file_actions_addopen(
    actions: *mut c_void,
    fd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: libc::mode_t,
) -> c_int {
    if let Err(refused) = opening::judge_later(CWD, path, flags) {
        return refused.0;
    }
    // SAFETY: promised by the caller.
    unsafe { libc::posix_spawn_file_actions_addopen(actions.cast(), fd, path, flags, mode) }
}

/// `system(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_system(command: *const c_char) -> c_int {
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { libc::system(command) }
}

/// `popen(3)`
///
/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn blastradius_popen(
    command: *const c_char,
    mode: *const c_char,
) -> Stream {
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { libc::popen(command, mode) }.cast()
}
