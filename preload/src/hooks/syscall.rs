//! System calls by their number. Allocators call this before libc is ready, and runtimes make with it what has
//! no function of its own (`openat2`, `io_uring_setup`).
//!
//! Numbers that neither destroy nor execute never leave the trampoline: the kernel is given what the caller
//! gave, and a call that returns on another stack (`clone`) finds no frame of ours on it.

use core::arch::naked_asm;
use core::ffi::{c_char, c_int, c_long, c_uint};
use core::ptr;

use super::{exec, link, unlink};
use crate::renaming::move_name;
use crate::sys::{self, Descriptor, Errno, Result, Strings};
use crate::{errno, opening};

/// Numbers below this one are looked up.
const COUNT: usize = 448;

/// One bit a number.
static JUDGED: [u64; COUNT / 64] = judged_numbers();

/// `syscall(3)`
///
/// # Safety
///
/// As in C: the arguments must be those of the call.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn syscall(number: c_long) -> c_long {
    // The kernel reads the lower half of the number alone.
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "mov eax, edi",
        "cmp eax, {count}",
        "jae 2f",
        "lea r11, [rip + {table}]",
        "bt qword ptr [r11], rax",
        "jc {judge}",
        "2:",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, qword ptr [rsp + 8]",
        "syscall",
        "cmp rax, -4095",
        "jae 3f",
        "ret",
        "3:",
        "mov rdi, rax",
        "jmp {fail}",
        count = const COUNT,
        table = sym JUDGED,
        judge = sym judge,
        fail = sym fail,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "cmp w0, #{count}",
        "b.hs 2f",
        "adrp x9, {table}",
        "add x9, x9, :lo12:{table}",
        "lsr w10, w0, #6",
        "ldr x9, [x9, x10, lsl #3]",
        "lsr x9, x9, x0",
        // A test reaches 32 KiB only, a branch everything.
        "tbz w9, #0, 2f",
        "b {judge}",
        "2:",
        "mov x8, x0",
        "mov x0, x1",
        "mov x1, x2",
        "mov x2, x3",
        "mov x3, x4",
        "mov x4, x5",
        "mov x5, x6",
        "svc 0",
        "cmn x0, #4095",
        "b.hs 3f",
        "ret",
        "3:",
        "b {fail}",
        count = const COUNT,
        table = sym JUDGED,
        judge = sym judge,
        fail = sym fail,
    );
}

const fn judged_numbers() -> [u64; COUNT / 64] {
    let mut bits = [0; COUNT / 64];
    let mut at = 0;
    while at < NUMBERS.len() {
        let number = NUMBERS[at] as usize;
        bits[number / 64] |= 1 << (number % 64);
        at += 1;
    }
    bits
}

#[cfg(target_arch = "x86_64")]
const NUMBERS: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_unlink,
    libc::SYS_rmdir,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_open_by_handle_at,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fcntl,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_io_uring_setup,
];

#[cfg(target_arch = "aarch64")]
const NUMBERS: &[c_long] = &[
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_open_by_handle_at,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fcntl,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_io_uring_setup,
];

/// What the kernel answered is an error.
extern "C" fn fail(answer: isize) -> c_long {
    errno::set(Errno((-answer) as c_int));
    -1
}

/// A number of the table, with the arguments as the trampoline was given them.
extern "C" fn judge(
    number: c_long,
    one: usize,
    two: usize,
    three: usize,
    four: usize,
    five: usize,
    six: usize,
) -> c_long {
    let arguments = Arguments([one, two, three, four, five, six]);
    match act(c_long::from(number as c_int), &arguments) {
        Ok(answer) => answer as c_long,
        Err(errno) => {
            errno::set(errno);
            -1
        }
    }
}

/// As the kernel reads them: a descriptor or a flag word is the lower half.
struct Arguments([usize; 6]);

impl Arguments {
    const fn word(&self, index: usize) -> c_int {
        self.0[index] as c_int
    }

    const fn bits(&self, index: usize) -> c_uint {
        self.0[index] as c_uint
    }

    const fn offset(&self, index: usize) -> i64 {
        self.0[index].cast_signed() as i64
    }

    fn path(&self, index: usize) -> *const c_char {
        ptr::with_exposed_provenance(self.0[index])
    }

    fn strings(&self, index: usize) -> Strings {
        ptr::with_exposed_provenance(self.0[index])
    }
}

fn act(number: c_long, a: &Arguments) -> Result<usize> {
    let done = |result: Result<()>| result.map(|()| 0);
    let opened = |result: Result<Descriptor>| result.map(|file| file.release() as usize);
    match number {
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open
        | libc::SYS_creat
        | libc::SYS_unlink
        | libc::SYS_rmdir
        | libc::SYS_rename
        | libc::SYS_link
        | libc::SYS_symlink => without_dirfd::act(number, a),
        libc::SYS_openat => opened(opening::open(a.word(0), a.path(1), a.word(2), a.bits(3))),
        libc::SYS_openat2 => {
            let how = ptr::with_exposed_provenance(a.0[2]);
            opened(opening::open_how(a.word(0), a.path(1), how, a.0[3]))
        }
        libc::SYS_open_by_handle_at => {
            let handle = ptr::with_exposed_provenance(a.0[1]);
            opened(opening::open_by_handle(a.word(0), handle, a.word(2)))
        }
        libc::SYS_unlinkat => done(unlink::remove_at(a.word(0), a.path(1), a.word(2))),
        libc::SYS_renameat => done(move_name((a.word(0), a.path(1)), (a.word(2), a.path(3)), 0)),
        libc::SYS_renameat2 => done(move_name(
            (a.word(0), a.path(1)),
            (a.word(2), a.path(3)),
            a.bits(4),
        )),
        libc::SYS_linkat => done(link::link_name(
            (a.word(0), a.path(1)),
            (a.word(2), a.path(3)),
            a.word(4),
        )),
        libc::SYS_symlinkat => done(link::link_text(a.path(0), a.word(1), a.path(2))),
        libc::SYS_truncate => done(opening::truncate(a.path(0), a.offset(1))),
        libc::SYS_ftruncate => done(opening::ftruncate(a.word(0), a.offset(1))),
        libc::SYS_fallocate => done(opening::fallocate(
            a.word(0),
            a.word(1),
            a.offset(2),
            a.offset(3),
        )),
        libc::SYS_fcntl => {
            let (fd, command, argument) = (a.word(0), a.word(1), a.0[2]);
            if command == libc::F_SETFL {
                opening::may_set_flags(fd, argument as c_int)?;
            }
            // SAFETY: the caller promises the arguments of the call.
            unsafe { sys::fcntl(fd, command, argument) }
        }
        libc::SYS_execve => Err(exec::become_program(a.path(0), a.strings(1), a.strings(2))),
        libc::SYS_execveat => Err(exec::become_program_at(
            a.word(0),
            a.path(1),
            a.strings(2),
            a.strings(3),
            a.word(4),
        )),
        // What goes through a ring is seen by nobody; whoever has none falls back to calls.
        _ => Err(Errno(libc::ENOSYS)),
    }
}

/// Calls that later ones with a dirfd have made superfluous: newer architectures do not have them.
#[cfg(target_arch = "x86_64")]
mod without_dirfd {
    use core::ffi::c_long;

    use super::Arguments;
    use crate::decide::Removal;
    use crate::hooks::{link, open, unlink};
    use crate::opening;
    use crate::renaming::move_name;
    use crate::sys::{CWD, Descriptor, Result};

    pub(super) fn act(number: c_long, a: &Arguments) -> Result<usize> {
        let open = |flags, mode| {
            let file = opening::open(CWD, a.path(0), flags, mode);
            file.map(|file| Descriptor::release(file) as usize)
        };
        let done = match number {
            libc::SYS_open => return open(a.word(1), a.bits(2)),
            libc::SYS_creat => return open(open::CREATE, a.bits(1)),
            libc::SYS_unlink => unlink::remove_name(CWD, a.path(0), Removal::Unlink),
            libc::SYS_rmdir => unlink::remove_name(CWD, a.path(0), Removal::Rmdir),
            libc::SYS_rename => move_name((CWD, a.path(0)), (CWD, a.path(1)), 0),
            libc::SYS_link => link::link_name((CWD, a.path(0)), (CWD, a.path(1)), 0),
            _ => link::link_text(a.path(0), CWD, a.path(1)),
        };
        done.map(|()| 0)
    }
}
