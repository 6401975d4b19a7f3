//! What libc may define and what may be missing: weak references, so that one file loads everywhere.
//!
//! Stable Rust has no weak linkage; an address read from the global offset table is null where nothing
//! defines the symbol.

use core::arch::naked_asm;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem;
use core::ptr::{self, NonNull};

use crate::sys::Strings;

macro_rules! weak {
    ($($function:ident => $symbol:literal;)*) => {$(
        /// The address of the symbol, or null.
        #[unsafe(naked)]
        extern "C" fn $function() -> *mut c_void {
            #[cfg(target_arch = "x86_64")]
            naked_asm!(
                concat!(".weak ", $symbol),
                concat!("mov rax, qword ptr [rip + ", $symbol, "@GOTPCREL]"),
                "ret",
            );
            #[cfg(target_arch = "aarch64")]
            naked_asm!(
                concat!(".weak ", $symbol),
                concat!("adrp x0, :got:", $symbol),
                concat!("ldr x0, [x0, :got_lo12:", $symbol, "]"),
                "ret",
            );
        }
    )*};
}

weak! {
    errno_location_address => "__errno_location";
    dl_iterate_phdr_address => "dl_iterate_phdr";
    environ_address => "environ";
    fdopen_address => "fdopen";
    fileno_address => "fileno";
    cxa_atexit_address => "__cxa_atexit";
    glibc_version_address => "gnu_get_libc_version";
    getpagesize_address => "getpagesize";
}

type ErrnoLocation = unsafe extern "C" fn() -> *mut c_int;
type VisitObject = unsafe extern "C" fn(*mut libc::dl_phdr_info, usize, *mut c_void) -> c_int;
type DlIteratePhdr = unsafe extern "C" fn(VisitObject, *mut c_void) -> c_int;

#[cfg(not(target_arch = "aarch64"))]
type Getauxval = unsafe extern "C" fn(core::ffi::c_ulong) -> core::ffi::c_ulong;
type CxaAtexit =
    unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void, *mut c_void) -> c_int;

/// An open stream of libc.
pub(crate) type Stream = *mut c_void;
pub(crate) type Fdopen = unsafe extern "C" fn(c_int, *const c_char) -> Stream;
pub(crate) type Fileno = unsafe extern "C" fn(Stream) -> c_int;

pub(crate) fn errno_location() -> Option<ErrnoLocation> {
    // SAFETY: the symbol is a function of this type in glibc and musl; null is None.
    unsafe { mem::transmute(errno_location_address()) }
}

pub(crate) fn fdopen() -> Option<Fdopen> {
    // SAFETY: the symbol is a function of this type; null is None.
    unsafe { mem::transmute(fdopen_address()) }
}

pub(crate) fn fileno() -> Option<Fileno> {
    // SAFETY: the symbol is a function of this type; null is None.
    unsafe { mem::transmute(fileno_address()) }
}

pub(crate) fn dl_iterate_phdr() -> Option<DlIteratePhdr> {
    // SAFETY: the symbol is a function of this type; null is None.
    unsafe { mem::transmute(dl_iterate_phdr_address()) }
}

/// Has a function called when the process exits, before those that were there already.
pub(crate) fn at_exit(function: extern "C" fn()) {
    // SAFETY: the symbol is a function of this type; null is None.
    let register: Option<CxaAtexit> = unsafe { mem::transmute(cxa_atexit_address()) };
    if let Some(register) = register {
        // SAFETY: a function that takes nothing may be called with an argument, and is there until the end.
        let called: unsafe extern "C" fn(*mut c_void) = unsafe { mem::transmute(function) };
        // SAFETY: libc's function may be called at any time. It fails for want of memory: then the end of the
        // library says what there is to say, if standard error is still open.
        unsafe { register(called, ptr::null_mut(), ptr::null_mut()) };
    }
}

// On aarch64 it is our own.
#[cfg(not(target_arch = "aarch64"))]
weak! {
    getauxval_address => "getauxval";
}

/// The path that the kernel was given to execute; None where libc does not say.
#[cfg(target_arch = "aarch64")]
pub(crate) const fn executed_file() -> Option<&'static CStr> {
    None
}

/// The path that the kernel was given to execute; None where libc does not say.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) fn executed_file() -> Option<&'static CStr> {
    // SAFETY: the symbol is a function of this type; null is None.
    let value: Option<Getauxval> = unsafe { mem::transmute(getauxval_address()) };
    // SAFETY: it only looks at what the kernel has put on the stack.
    let address = unsafe { value?(libc::AT_EXECFN) } as usize;
    if address == 0 {
        return None;
    }
    // SAFETY: a string that the kernel has put at the end of the stack, which stays.
    Some(unsafe { CStr::from_ptr(ptr::with_exposed_provenance(address)) })
}

/// The size of a page of memory, a power of two.
pub(crate) fn page_size() -> usize {
    // SAFETY: the symbol is a function of this type; null is None.
    let ask: Option<unsafe extern "C" fn() -> c_int> =
        unsafe { mem::transmute(getpagesize_address()) };
    // SAFETY: libc's function takes nothing and may be called at any time.
    let answer = ask.map(|ask| unsafe { ask() });
    answer
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| size.is_power_of_two())
        .unwrap_or(4096)
}

/// libc's `environ`.
pub(crate) fn environ() -> Option<NonNull<Strings>> {
    NonNull::new(environ_address().cast())
}

/// Whether libc is glibc.
pub(crate) fn is_glibc() -> bool {
    !glibc_version_address().is_null()
}
