//! `libblastradius.so`: judges every destructive libc call of the processes it is loaded into.
//!
//! One file serves the processes of every libc: there is no std, no needed library, no thread-local storage,
//! no lock and no allocation. Calls are made by system call, so that neither another
//! interposer nor libc's own state comes in between; what only libc can do (streams, `posix_spawn`) is looked
//! up in the objects that come after this one.
//!
//! | hooks | symbols |
//! |---|---|
//! | [`hooks::unlink`] | `unlink` `unlinkat` `rmdir` `remove` |
//! | [`hooks::rename`] | `rename` `renameat` `renameat2` |
//! | [`hooks::open`] | `open` `open64` `openat` `openat64` `__open` `__open64` `__open_2` `__open64_2` `__openat_2` `__openat64_2` `creat` `creat64` `openat2` `open_by_handle_at` |
//! | [`hooks::stdio`] | `fopen` `fopen64` `_IO_fopen` `freopen` `freopen64` `setmntent` `__setmntent` |
//! | [`hooks::truncate`] | `truncate` `truncate64` `ftruncate` `ftruncate64` |
//! | [`hooks::allocate`] | `fallocate` `fallocate64` |
//! | [`hooks::exec`] | `execve` `execv` `execvp` `execvpe` `execl` `execlp` `execle` `fexecve` `execveat` |
//! | [`hooks::spawn`] | `posix_spawn` `posix_spawnp` `pidfd_spawn` `pidfd_spawnp` `system` `popen` `_IO_popen` `wordexp` |
//! | [`hooks::actions`] | `posix_spawn_file_actions_init` `posix_spawn_file_actions_addopen` `posix_spawn_file_actions_addchdir_np` `posix_spawn_file_actions_addfchdir_np` `posix_spawn_file_actions_addchdir` `posix_spawn_file_actions_addfchdir` |
//! | [`hooks::link`] | `link` `linkat` `symlink` `symlinkat` |
//! | [`hooks::fcntl`] | `fcntl` `fcntl64` `__fcntl` |
//! | [`hooks::shm`] | `shm_open` `shm_unlink` `sem_unlink` |
//! | [`hooks::syscall`] | `syscall` |
//! | [`hooks::lookup`] | `dlsym` `dlvsym` `dlopen` |
//!
//! `scripts/symbols` reads this table and compares it with what the built library exports.
//!
//! On macOS the same judgement stands behind another table, `libblastradius.dylib`'s in `macos`, where a module
//! of the same name takes the place of each that speaks to the system. It is type-checked and has never run.
//!
//! The library proper aborts on panic and is built by the root package with the profile `preload`. Under any
//! other profile the crate can be checked like every other, and exports nothing.
#![cfg_attr(target_os = "linux", no_std)]
#![cfg_attr(
    target_os = "macos",
    allow(dead_code, unused_imports, reason = "Linux has more to share")
)]

#[cfg(all(target_os = "linux", not(panic = "abort")))]
extern crate std;

#[cfg(not(any(
    all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ),
    all(target_os = "macos", target_arch = "aarch64")
)))]
compile_error!("the library is written for Linux on x86_64 and aarch64, and for macOS on aarch64");

#[cfg(target_os = "linux")]
mod actions;
mod argv;
mod decide;
mod disk;
mod environment;
mod errno;
#[cfg(target_os = "linux")]
pub mod hooks;
mod inject;
mod intent;
mod loan;
#[cfg(target_os = "linux")]
mod lookup;
#[cfg(target_os = "macos")]
#[warn(dead_code, unused_imports)]
mod macos;
mod memory;
#[cfg_attr(target_os = "macos", path = "macos/next.rs")]
mod next;
#[cfg_attr(target_os = "macos", path = "macos/objects.rs")]
mod objects;
#[cfg_attr(target_os = "macos", path = "macos/opening.rs")]
mod opening;
mod passwd;
mod policy_source;
#[cfg(target_os = "linux")]
mod rebind;
mod renaming;
mod report;
mod resolve;
#[cfg(all(target_os = "linux", panic = "abort"))]
mod runtime;
mod slot;
mod start;
mod stream;
#[cfg_attr(target_os = "macos", path = "macos/sys/mod.rs")]
mod sys;
#[cfg(target_os = "linux")]
mod tables;
mod text;
#[cfg(target_os = "linux")]
mod unseen;
mod valgrind;
#[cfg_attr(target_os = "macos", path = "macos/weak.rs")]
mod weak;
