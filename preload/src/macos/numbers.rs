//! `syscall(2)`: the numbers that destroy or become another program, as `bsd/kern/syscalls.master` has them.

use core::ffi::{c_char, c_int, c_uint};
use core::ptr;

use super::{copies, files, links, names, programs};
use crate::sys::{CWD, Descriptor};
use crate::{errno, opening};

/// Makes a call by its function. Answers whether there is one; then `answer` is its answer.
///
/// # Safety
///
/// `arguments` are eight, and `answer` may be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn blastradius_syscall(
    number: c_int,
    arguments: *const [usize; 8],
    answer: *mut c_int,
) -> bool {
    // SAFETY: promised by the caller.
    match judged(number, unsafe { *arguments }) {
        Some(answered) => {
            // SAFETY: promised by the caller.
            unsafe { answer.write(answered) };
            true
        }
        None => false,
    }
}

fn judged(number: c_int, arguments: [usize; 8]) -> Option<c_int> {
    let path = |index: usize| ptr::with_exposed_provenance::<c_char>(arguments[index]);
    let int = |index: usize| arguments[index] as c_int;
    let word = |index: usize| arguments[index] as c_uint;
    let length = |index: usize| arguments[index].cast_signed() as i64;
    let opened = |dirfd, path, flags, mode| {
        opening::open(dirfd, path, flags, mode).map_or_else(errno::fail, Descriptor::release)
    };
    Some(match number {
        // open, open_nocancel
        5 | 398 => opened(CWD, path(0), int(1), word(2)),
        // openat, openat_nocancel
        463 | 464 => opened(int(0), path(1), int(2), word(3)),
        10 => names::blastradius_unlink(path(0)),
        137 => names::blastradius_rmdir(path(0)),
        472 => names::blastradius_unlinkat(int(0), path(1), int(2)),
        128 => names::blastradius_rename(path(0), path(1)),
        465 => names::blastradius_renameat(int(0), path(1), int(2), path(3)),
        488 => names::blastradius_renameatx_np(int(0), path(1), int(2), path(3), word(4)),
        9 => links::blastradius_link(path(0), path(1)),
        471 => links::blastradius_linkat(int(0), path(1), int(2), path(3), int(4)),
        57 => links::blastradius_symlink(path(0), path(1)),
        474 => links::blastradius_symlinkat(path(0), int(1), path(2)),
        223 => names::blastradius_exchangedata(path(0), path(1), word(2)),
        462 => copies::blastradius_clonefileat(int(0), path(1), int(2), path(3), word(4)),
        517 => copies::blastradius_fclonefileat(int(0), int(1), path(2), word(3)),
        200 => files::blastradius_truncate(path(0), length(1)),
        201 => files::blastradius_ftruncate(int(0), length(1)),
        59 => programs::blastradius_execve(
            path(0),
            ptr::with_exposed_provenance(arguments[1]),
            ptr::with_exposed_provenance(arguments[2]),
        ),
        // fcntl, fcntl_nocancel
        92 | 406 if files::blastradius_judge_fcntl(int(0), int(1), arguments[2]) != 0 => -1,
        // delete, and the ways of opening and of starting a program whose arguments are private to libc:
        // open_dprotected_np, openat_dprotected_np, posix_spawn, open_extended, __mac_execve, guarded_open_np,
        // openbyid_np, guarded_open_dprotected_np, fs_snapshot
        226 | 216 | 218 | 244 | 277 | 380 | 441 | 479 | 484 | 518 => files::no_such_call(),
        _ => return None,
    })
}
