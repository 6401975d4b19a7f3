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
