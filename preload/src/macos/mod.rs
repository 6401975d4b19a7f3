//! `libblastradius.dylib`: what stands in the place of which function of libSystem.
//!
//! A definition of the same name replaces nothing here, because every image asks a certain library for its
//! symbols. The loader of macOS takes pairs of functions from a section of an inserted image instead, and puts
//! the first wherever the second is asked for, save in that image itself.
//!
//! | file | functions |
//! |---|---|
//! | `names` | `unlink` `unlinkat` `rmdir` `remove` `rename` `renameat` `renamex_np` `renameatx_np` `exchangedata` |
//! | `links` | `link` `linkat` `symlink` `symlinkat` |
//! | `copies` | `clonefile` `clonefileat` `fclonefileat` `removefile` `copyfile` `fcopyfile` `fs_snapshot_revert` |
//! | `files` | `creat` `openx_np` `openbyid_np` `fopen` `freopen` `truncate` `ftruncate` |
//! | `programs` | `execve` `execv` `execvp` `execvP` `posix_spawn` `posix_spawnp` `posix_spawn_file_actions_addopen` `system` `popen` |
//! | `shim.c` | `open` `open$NOCANCEL` `openat` `openat$NOCANCEL` `open_dprotected_np` `openat_dprotected_np` `guarded_open_np` `guarded_open_dprotected_np` |
//! | `shim.c` | `fopen$DARWIN_EXTSN` `popen$DARWIN_EXTSN` `removefileat` `rename_ext` `fcntl` `fcntl$NOCANCEL` `syscall` `execl` `execlp` `execle` |
//!
//! Those of the shim take variable arguments, which lie on the stack here and which Rust cannot define
//! functions with, or have a name that Rust cannot spell, or are not in every system. `scripts/interpose` compares
//! this table with the pairs in the linked library.
//!
//! `removefile` and `copyfile` come back to functions of this table for each file; what they would do is
//! judged before as a whole. `shm_unlink` and its like are left alone: their names are not on a disk.
//! Nothing is interposed in programs below `/bin`, `/sbin`, `/usr` (save `/usr/local`) and `/System`, and in
//! those with the hardened runtime: the system takes `DYLD_INSERT_LIBRARIES` from them, and so from what they start.

mod copies;
mod files;
mod links;
mod names;
mod numbers;
mod programs;
mod table;

unsafe extern "C" {
    /// Defined by the shim.
    safe static blastradius_shim: core::ffi::c_char;
}

/// Keeps the shim, which nothing else of the library refers to.
#[used]
static SHIM: &core::ffi::c_char = &blastradius_shim;
