//! System calls, made directly: libc's own functions may be ours, may not be there yet, and set errno.
//!
//! A wrapper is safe where the kernel only reads what a pointer names: it checks the address itself and
//! answers EFAULT. Pointers are exposed when they become numbers, so that the compiler knows that memory may be
//! read and written behind its back.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod file;
mod process;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use core::ffi::{c_int, c_long};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[cfg(target_arch = "aarch64")]
use aarch64::syscall;
#[cfg(target_arch = "x86_64")]
use x86_64::syscall;

pub(crate) use file::*;
pub(crate) use process::*;

/// A number from errno.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) c_int);

pub(crate) type Result<T> = core::result::Result<T, Errno>;

/// Turns the kernel's answer into a result: the last page of addresses stands for errors.
#[inline(always)]
fn answer(raw: isize) -> Result<usize> {
    match c_int::try_from(raw) {
        Ok(number @ -4095..=-1) => Err(Errno(-number)),
        _ => Ok(raw.cast_unsigned()),
    }
}

/// A system call whose arguments the kernel only reads.
#[inline(always)]
fn call(number: c_long, arguments: [usize; 6]) -> Result<usize> {
    // SAFETY: the callers below pass no pointer that the kernel writes through.
    answer(unsafe { syscall(number.cast_unsigned() as usize, arguments) })
}

/// The session number; 0 where the kernel layer is not on.
static SESSION_NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Has every call that this library has judged carry the number of the session.
pub(crate) fn carry(session_number: Option<u64>) {
    SESSION_NUMBER.store(session_number.unwrap_or(0) as usize, Relaxed);
}

#[inline(always)]
fn session_number() -> usize {
    SESSION_NUMBER.load(Relaxed)
}

/// A system call that destroys, which has been judged, or that nothing can be lost by: the session number, in the
/// register that none of these calls reads, says so to the kernel layer.
#[inline(always)]
fn judged(number: c_long, arguments: [usize; 5]) -> Result<usize> {
    let [one, two, three, four, five] = arguments;
    call(number, [one, two, three, four, five, session_number()])
}

/// A system call that writes to memory.
///
/// # Safety
///
/// The memory that the kernel writes must belong to the caller, with the size the call states.
#[inline(always)]
unsafe fn call_writing(number: c_long, arguments: [usize; 6]) -> Result<usize> {
    // SAFETY: promised by the caller.
    answer(unsafe { syscall(number.cast_unsigned() as usize, arguments) })
}

/// A descriptor or flag word as the kernel takes it.
#[inline(always)]
const fn word(number: c_int) -> usize {
    number.cast_unsigned() as usize
}
