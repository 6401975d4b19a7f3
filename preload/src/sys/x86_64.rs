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
    // SAFETY: the instruction clobbers rcx and r11 only, and leaves the stack alone; what the kernel does
    // with the arguments is the caller's promise.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number.cast_signed() => result,
            in("rdi") one,
            in("rsi") two,
            in("rdx") three,
            in("r10") four,
            in("r8") five,
            in("r9") six,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}
