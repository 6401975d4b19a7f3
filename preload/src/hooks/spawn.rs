//! Starting another program: libc does it by itself, without calling `execve`.

use core::ffi::{c_char, c_int, c_void};
use core::ptr;

use crate::inject::{into_environ, with_environment};
use crate::sys::{CWD, Errno, Strings};
use crate::weak::Stream;
use crate::{errno, next, unseen};

/// `posix_spawn(3)`, which answers an error number.
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn posix_spawn(
    pid: *mut libc::pid_t,
    path: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let Some(spawn) = next::POSIX_SPAWN.get() else {
        return libc::ENOSYS;
    };
    unseen::look(CWD, path, 0);
    // SAFETY: promised by the caller.
    with_environment(envp, |envp| unsafe {
        spawn(pid, path, actions, attributes, argv, envp)
    })
}

/// `posix_spawnp(3)`, which answers an error number.
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn posix_spawnp(
    pid: *mut libc::pid_t,
    file: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let Some(spawn) = next::POSIX_SPAWNP.get() else {
        return libc::ENOSYS;
    };
    unseen::look_in_path(file);
    // SAFETY: promised by the caller.
    with_environment(envp, |envp| unsafe {
        spawn(pid, file, actions, attributes, argv, envp)
    })
}

/// `pidfd_spawn(3)` of glibc 2.39, which answers an error number.
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn pidfd_spawn(
    pidfd: *mut c_int,
    path: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let Some(spawn) = next::PIDFD_SPAWN.get() else {
        return libc::ENOSYS;
    };
    unseen::look(CWD, path, 0);
    // SAFETY: promised by the caller.
    with_environment(envp, |envp| unsafe {
        spawn(pidfd, path, actions, attributes, argv, envp)
    })
}

/// `pidfd_spawnp(3)` of glibc 2.39, which answers an error number.
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn pidfd_spawnp(
    pidfd: *mut c_int,
    file: *const c_char,
    actions: *const c_void,
    attributes: *const c_void,
    argv: Strings,
    envp: Strings,
) -> c_int {
    let Some(spawn) = next::PIDFD_SPAWNP.get() else {
        return libc::ENOSYS;
    };
    unseen::look_in_path(file);
    // SAFETY: promised by the caller.
    with_environment(envp, |envp| unsafe {
        spawn(pidfd, file, actions, attributes, argv, envp)
    })
}

/// `system(3)`
///
/// # Safety
///
/// As in C: the command must be a string, or null.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn system(command: *const c_char) -> c_int {
    let Some(system) = next::SYSTEM.get() else {
        return errno::fail(Errno(libc::ENOSYS));
    };
    unseen::look_at_shell();
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { system(command) }
}

/// `popen(3)`
///
/// # Safety
///
/// As in C: both must be strings.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn popen(command: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { start_pipe(command, mode) }
}

/// # Safety
///
/// Both must be strings.
unsafe fn start_pipe(command: *const c_char, mode: *const c_char) -> Stream {
    let Some(popen) = next::POPEN.get() else {
        errno::set(Errno(libc::ENOSYS));
        return ptr::null_mut();
    };
    unseen::look_at_shell();
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { popen(command, mode) }
}

/// glibc's other name of `popen`.
///
/// # Safety
///
/// As in C: both must be strings.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
#[allow(non_snake_case)]
pub unsafe extern "C" fn _IO_popen(command: *const c_char, mode: *const c_char) -> Stream {
    // SAFETY: promised by the caller.
    unsafe { start_pipe(command, mode) }
}

/// `wordexp(3)`: a substitution in the words is run by a shell.
///
/// # Safety
///
/// As in C: the words must be a string, and the result must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn wordexp(words: *const c_char, result: *mut c_void, flags: c_int) -> c_int {
    /// WRDE_NOSPACE, of glibc and of musl.
    const NO_SPACE: c_int = 1;
    let Some(wordexp) = next::WORDEXP.get() else {
        return NO_SPACE;
    };
    unseen::look_at_shell();
    into_environ();
    // SAFETY: promised by the caller.
    unsafe { wordexp(words, result, flags) }
}
