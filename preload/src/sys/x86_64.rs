//! The system call instruction of x86-64.

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
    // SAFETY: the instructions clobber rcx, r9, r11 and the flags only, and leaves the stack alone; what the kernel does
    // with the arguments is the caller's promise.
    unsafe {
        asm!(
            "syscall",
            // A session number must not be found there by a call that nobody has judged.
            "xor r9d, r9d",
            inlateout("rax") number.cast_signed() => result,
            in("rdi") one,
            in("rsi") two,
            in("rdx") three,
            in("r10") four,
            in("r8") five,
            inlateout("r9") six => _,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}
