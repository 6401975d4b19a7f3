//! Functions that a program looks up by itself, as FFI does.
//!
//! The loader looks at who asks: for the next definition after the caller's, for the caller's own search path.
//! So its function is not called here but jumped to, with the return address and the arguments as they came.

use core::arch::naked_asm;
use core::ffi::{CStr, c_char, c_int, c_void};

use crate::lookup::{self, Handle};
use crate::{next, rebind};

/// What a trampoline does with a call.
#[repr(C)]
struct Answer {
    /// Returned to the caller, unless it is 0.
    value: usize,
    /// Where to go otherwise; 0 if that is not there, and null is returned.
    instead: usize,
}

/// Declares a function that answers or goes on to the loader's own. What decides takes the first two arguments,
/// the third, which may be none, and the return address.
macro_rules! passing {
    ($(#[$doc:meta])* $name:ident => $decide:ident) => {
        $(#[$doc])*
        #[cfg_attr(panic = "abort", unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() -> *mut c_void {
            // Three words beside the return address: the stack is aligned where the function is called.
            #[cfg(target_arch = "x86_64")]
            naked_asm!(
                "push rdi",
                "push rsi",
                "push rdx",
                "mov rcx, [rsp + 24]",
                "call {decide}",
                "mov r11, rdx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                "test rax, rax",
                "jnz 2f",
                "test r11, r11",
                "jz 2f",
                "jmp r11",
                "2:",
                "ret",
                decide = sym $decide,
            );
            #[cfg(target_arch = "aarch64")]
            naked_asm!(
                "stp x29, x30, [sp, #-48]!",
                "mov x29, sp",
                "stp x0, x1, [sp, #16]",
                "str x2, [sp, #32]",
                "mov x3, x30",
                "bl {decide}",
                "mov x16, x0",
                "mov x17, x1",
                "ldr x2, [sp, #32]",
                "ldp x0, x1, [sp, #16]",
                "ldp x29, x30, [sp], #48",
                "cbnz x16, 2f",
                "cbz x17, 2f",
                "br x17",
                "2:",
                "mov x0, x16",
                "ret",
                decide = sym $decide,
            );
        }
    };
}

passing! {
    /// `dlsym(3)`
    ///
    /// # Safety
    ///
    /// As in C.
    dlsym => decide_dlsym
}

passing! {
    /// `dlvsym(3)`
    ///
    /// # Safety
    ///
    /// As in C.
    dlvsym => decide_dlvsym
}

passing! {
    /// `dlopen(3)`
    ///
    /// # Safety
    ///
    /// As in C.
    dlopen => decide_dlopen
}

unsafe extern "C" fn decide_dlsym(
    handle: *mut c_void,
    name: *const c_char,
    _: usize,
    caller: usize,
) -> Answer {
    let dlsym = next::DLSYM.get();
    let found = || {
        // SAFETY: the arguments are those of the caller's own call.
        dlsym.map(|dlsym| unsafe { dlsym(handle, name) })
    };
    Answer {
        // SAFETY: the caller promises a name and a handle.
        value: unsafe { decide(handle, name, caller, found) },
        instead: dlsym.map_or(0, |dlsym| dlsym as usize),
    }
}

unsafe extern "C" fn decide_dlvsym(
    handle: *mut c_void,
    name: *const c_char,
    version: *const c_char,
    caller: usize,
) -> Answer {
    let dlvsym = next::DLVSYM.get();
    let found = || {
        // SAFETY: the arguments are those of the caller's own call.
        dlvsym.map(|dlvsym| unsafe { dlvsym(handle, name, version) })
    };
    Answer {
        // SAFETY: the caller promises a name and a handle.
        value: unsafe { decide(handle, name, caller, found) },
        instead: dlvsym.map_or(0, |dlvsym| dlvsym as usize),
    }
}

extern "C" fn decide_dlopen(_: *const c_char, flags: c_int, _: usize, _: usize) -> Answer {
    if flags & rebind::DEEPBIND != 0 {
        rebind::expect();
    }
    Answer {
        value: 0,
        instead: next::DLOPEN.get().map_or(0, |dlopen| dlopen as usize),
    }
}

/// The address of the hook that stands for what the loader finds; 0 where its own answer is right.
///
/// # Safety
///
/// As for `dlsym` in C.
unsafe fn decide(
    handle: *mut c_void,
    name: *const c_char,
    caller: usize,
    found: impl Fn() -> Option<*mut c_void>,
) -> usize {
    let Some(handle) = Handle::of_object(handle) else {
        return 0;
    };
    if name.is_null() {
        return 0;
    }
    rebind::if_expected(&handle);
    // SAFETY: promised by the caller, and it is not null.
    let name = unsafe { CStr::from_ptr(name) };
    let Some(hook) = lookup::hooks().and_then(|hooks| hooks.function(name)) else {
        return 0;
    };
    match found() {
        Some(address) if lookup::is_bypass(&handle, name, address.addr(), caller) => hook,
        _ => 0,
    }
}
