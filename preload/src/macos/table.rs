//! The pairs, made by `redhook`.
//!
//! Its hooks turn a panic into a call of the real function. Each of these only calls an `extern "C"` function, out
//! of which no panic comes: the process ends there, as it does on Linux.
#![expect(
    non_snake_case,
    reason = "libc tells execvP from execvp by this letter"
)]

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::{copies, files, links, names, programs};
use crate::sys::Strings;
use crate::weak::Stream;

/// Declares the pairs, and keeps each from being thrown away, because nobody refers to it.
macro_rules! table {
    ($($name:ident => $module:ident :: $hook:ident ($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(redhook::hook! {
            unsafe fn $name($($argument: $type),*) -> $answer => $hook {
                // SAFETY: as the caller of the C function promises.
                #[allow(unused_unsafe, reason = "some of the functions are safe")]
                unsafe { $module::$hook($($argument),*) }
            }
        })*

        /// The address of a pair.
        struct Kept(#[expect(dead_code, reason = "only the linker looks at it")] *const ());

        // SAFETY: never read by this code.
        unsafe impl Sync for Kept {}

        #[used]
        static KEPT: [Kept; [$(stringify!($name)),*].len()] = [
            $(Kept((&raw const $name::$name).cast())),*
        ];
    };
}

table! {
    unlink => names::blastradius_unlink(path: *const c_char) -> c_int;
    unlinkat => names::blastradius_unlinkat(dirfd: c_int, path: *const c_char, flags: c_int) -> c_int;
    rmdir => names::blastradius_rmdir(path: *const c_char) -> c_int;
    remove => names::blastradius_remove(path: *const c_char) -> c_int;
    rename => names::blastradius_rename(from: *const c_char, to: *const c_char) -> c_int;
    renameat => names::blastradius_renameat(from_dirfd: c_int, from: *const c_char, to_dirfd: c_int, to: *const c_char) -> c_int;
    renamex_np => names::blastradius_renamex_np(from: *const c_char, to: *const c_char, flags: c_uint) -> c_int;
    renameatx_np => names::blastradius_renameatx_np(from_dirfd: c_int, from: *const c_char, to_dirfd: c_int, to: *const c_char, flags: c_uint) -> c_int;
    exchangedata => names::blastradius_exchangedata(one: *const c_char, other: *const c_char, options: c_uint) -> c_int;

    link => links::blastradius_link(from: *const c_char, to: *const c_char) -> c_int;
    linkat => links::blastradius_linkat(from_dirfd: c_int, from: *const c_char, to_dirfd: c_int, to: *const c_char, flags: c_int) -> c_int;
    symlink => links::blastradius_symlink(target: *const c_char, path: *const c_char) -> c_int;
    symlinkat => links::blastradius_symlinkat(target: *const c_char, dirfd: c_int, path: *const c_char) -> c_int;

    clonefile => copies::blastradius_clonefile(from: *const c_char, to: *const c_char, flags: c_uint) -> c_int;
    clonefileat => copies::blastradius_clonefileat(from_dirfd: c_int, from: *const c_char, to_dirfd: c_int, to: *const c_char, flags: c_uint) -> c_int;
    fclonefileat => copies::blastradius_fclonefileat(from: c_int, to_dirfd: c_int, to: *const c_char, flags: c_uint) -> c_int;
    removefile => copies::blastradius_removefile(path: *const c_char, state: *mut c_void, flags: c_uint) -> c_int;
    copyfile => copies::blastradius_copyfile(from: *const c_char, to: *const c_char, state: *mut c_void, flags: c_uint) -> c_int;
    fcopyfile => copies::blastradius_fcopyfile(from: c_int, to: c_int, state: *mut c_void, flags: c_uint) -> c_int;
    fs_snapshot_revert => copies::blastradius_fs_snapshot_revert(dirfd: c_int, name: *const c_char, flags: c_uint) -> c_int;

    creat => files::blastradius_creat(path: *const c_char, mode: c_uint) -> c_int;
    openx_np => files::blastradius_openx_np(path: *const c_char, flags: c_int, security: *mut c_void) -> c_int;
    openbyid_np => files::blastradius_openbyid_np(volume: *mut c_void, object: *mut c_void, flags: c_int) -> c_int;
    fopen => files::blastradius_fopen(path: *const c_char, mode: *const c_char) -> Stream;
    freopen => files::blastradius_freopen(path: *const c_char, mode: *const c_char, stream: Stream) -> Stream;
    truncate => files::blastradius_truncate(path: *const c_char, length: i64) -> c_int;
    ftruncate => files::blastradius_ftruncate(fd: c_int, length: i64) -> c_int;

    execve => programs::blastradius_execve(path: *const c_char, argv: Strings, envp: Strings) -> c_int;
    execv => programs::blastradius_execv(path: *const c_char, argv: Strings) -> c_int;
    execvp => programs::blastradius_execvp(file: *const c_char, argv: Strings) -> c_int;
    execvP => programs::blastradius_execvP(file: *const c_char, search: *const c_char, argv: Strings) -> c_int;
    posix_spawn => programs::blastradius_posix_spawn(pid: *mut libc::pid_t, path: *const c_char, actions: *const c_void, attributes: *const c_void, argv: Strings, envp: Strings) -> c_int;
    posix_spawnp => programs::blastradius_posix_spawnp(pid: *mut libc::pid_t, file: *const c_char, actions: *const c_void, attributes: *const c_void, argv: Strings, envp: Strings) -> c_int;
    posix_spawn_file_actions_addopen => programs::blastradius_posix_spawn_file_actions_addopen(actions: *mut c_void, fd: c_int, path: *const c_char, flags: c_int, mode: libc::mode_t) -> c_int;
    system => programs::blastradius_system(command: *const c_char) -> c_int;
    popen => programs::blastradius_popen(command: *const c_char, mode: *const c_char) -> Stream;
}
