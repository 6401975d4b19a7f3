//! Becoming another program. The program may be anything; only its environment is seen to.

use core::arch::naked_asm;
use core::ffi::{c_char, c_int};

use crate::environment;
use crate::errno;
use crate::inject::with_environment;
use crate::next;
use crate::resolve::reopening_path;
use crate::sys::{self, CWD, Errno, Strings};
use crate::unseen;

/// `execve(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn execve(path: *const c_char, argv: Strings, envp: Strings) -> c_int {
    errno::fail(become_program(path, argv, envp))
}

/// Returns only on failure.
pub(super) fn become_program(path: *const c_char, argv: Strings, envp: Strings) -> Errno {
    unseen::look(CWD, path, 0);
    with_environment(envp, |envp| sys::execve(path, argv, envp))
}

/// `execv(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn execv(path: *const c_char, argv: Strings) -> c_int {
    execve(path, argv, environment::variables())
}

/// `execvpe(3)`
///
/// # Safety
///
/// As in C: the file must be a string, and both arrays must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn execvpe(file: *const c_char, argv: Strings, envp: Strings) -> c_int {
    let Some(execvpe) = next::EXECVPE.get() else {
        return errno::fail(Errno(libc::ENOSYS));
    };
    unseen::look_in_path(file);
    // SAFETY: promised by the caller.
    with_environment(envp, |envp| unsafe { execvpe(file, argv, envp) })
}

/// `execvp(3)`
///
/// # Safety
///
/// As in C: the file must be a string, and the array must be valid.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn execvp(file: *const c_char, argv: Strings) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { execvpe(file, argv, environment::variables()) }
}

/// `fexecve(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn fexecve(fd: c_int, argv: Strings, envp: Strings) -> c_int {
    if fd < 0 || argv.is_null() || envp.is_null() {
        return errno::fail(Errno(libc::EINVAL));
    }
    unseen::look(fd, c"".as_ptr(), libc::AT_EMPTY_PATH);
    with_environment(envp, |envp| {
        let failure = sys::execveat(fd, c"".as_ptr(), argv, envp, libc::AT_EMPTY_PATH);
        errno::fail(match failure {
            // Linux before 3.19, and emulators.
            Errno(libc::ENOSYS) => sys::execve(reopening_path(fd).as_c_str().as_ptr(), argv, envp),
            failure => failure,
        })
    })
}

/// `execveat(3)`
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub extern "C" fn execveat(
    dirfd: c_int,
    path: *const c_char,
    argv: Strings,
    envp: Strings,
    flags: c_int,
) -> c_int {
    errno::fail(become_program_at(dirfd, path, argv, envp, flags))
}

/// Returns only on failure.
pub(super) fn become_program_at(
    dirfd: c_int,
    path: *const c_char,
    argv: Strings,
    envp: Strings,
    flags: c_int,
) -> Errno {
    unseen::look(dirfd, path, flags);
    with_environment(envp, |envp| sys::execveat(dirfd, path, argv, envp, flags))
}

/// Declares a function that takes its arguments one by one. The trampoline lays those that came in registers
/// before those on the stack, so that all of them are the array that the function proper takes.
macro_rules! listed {
    ($(#[$doc:meta])* $name:ident => $array:ident) => {
        $(#[$doc])*
        #[cfg_attr(panic = "abort", unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() -> c_int {
            // The return address lies between the two parts: it waits below them. The stack is aligned again
            // where the function is called.
            #[cfg(target_arch = "x86_64")]
            naked_asm!(
                "pop r11",
                "push r9",
                "push r8",
                "push rcx",
                "push rdx",
                "push rsi",
                "mov rsi, rsp",
                "push r11",
                "call {array}",
                "pop r11",
                "add rsp, 40",
                "push r11",
                "ret",
                array = sym $array,
            );
            #[cfg(target_arch = "aarch64")]
            naked_asm!(
                "sub sp, sp, #80",
                "str x30, [sp]",
                "stp x1, x2, [sp, #24]",
                "stp x3, x4, [sp, #40]",
                "stp x5, x6, [sp, #56]",
                "str x7, [sp, #72]",
                "add x1, sp, #24",
                "bl {array}",
                "ldr x30, [sp]",
                "add sp, sp, #80",
                "ret",
                array = sym $array,
            );
        }
    };
}

listed! {
    /// `execl(3)`
    ///
    /// # Safety
    ///
    /// As in C: a null pointer must end the arguments.
    execl => execl_array
}

listed! {
    /// `execlp(3)`
    ///
    /// # Safety
    ///
    /// As in C: a null pointer must end the arguments.
    execlp => execlp_array
}

listed! {
    /// `execle(3)`
    ///
    /// # Safety
    ///
    /// As in C: a null pointer must end the arguments, and an environment must follow it.
    execle => execle_array
}

extern "C" fn execl_array(path: *const c_char, arguments: Strings) -> c_int {
    execv(path, arguments)
}

unsafe extern "C" fn execlp_array(file: *const c_char, arguments: Strings) -> c_int {
    // SAFETY: the trampoline passes on what the caller promises.
    unsafe { execvp(file, arguments) }
}

unsafe extern "C" fn execle_array(path: *const c_char, arguments: Strings) -> c_int {
    let mut end = arguments;
    loop {
        // SAFETY: a null pointer ends the arguments, and it has not been passed.
        let argument = unsafe { end.read() };
        // SAFETY: the environment follows the null pointer, so there is one more place.
        end = unsafe { end.add(1) };
        if argument.is_null() {
            break;
        }
    }
    // SAFETY: the place after the null pointer holds the environment.
    let envp = unsafe { end.cast::<Strings>().read() };
    execve(path, arguments, envp)
}
