//! The system call instruction of 64-bit ARM.

use core::arch::asm;

/// Makes a system call.
///
/// # Safety
///
/// What the call does to memory must be sound: every pointer that the kernel writes through must be valid
/// for that write.
#[inline(always)]
pub(super) unsafe fn syscall(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    let [one, two, three, four, five, six] = arguments;
    // SAFETY: the instructions change x0 and x5 only, and leaves the stack alone; what the kernel does with the
    // arguments is the caller's promise.
    unsafe {
        asm!(
            "svc 0",
            // A session number must not be found there by a call that nobody has judged.
            "mov x5, xzr",
            in("x8") number,
            inlateout("x0") one.cast_signed() => result,
            in("x1") two,
            in("x2") three,
            in("x3") four,
            in("x4") five,
            inlateout("x5") six => _,
            options(nostack),
        );
    }
    result
}
