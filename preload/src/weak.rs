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
    dlsym_address => "dlsym";
    dladdr_address => "dladdr";
    environ_address => "environ";
    fdopen_address => "fdopen";
    fileno_address => "fileno";
    cxa_atexit_address => "__cxa_atexit";
}

type ErrnoLocation = unsafe extern "C" fn() -> *mut c_int;
type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
type Dladdr = unsafe extern "C" fn(*const c_void, *mut libc::Dl_info) -> c_int;

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

/// libc's `environ`.
pub(crate) fn environ() -> Option<NonNull<Strings>> {
    NonNull::new(environ_address().cast())
}

/// The next definition of a symbol after ours.
pub(crate) fn next_symbol(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the symbol is a function of this type; null is None.
    let dlsym: Option<Dlsym> = unsafe { mem::transmute(dlsym_address()) };
    // SAFETY: the name is a C string. The call is made from this library, which is what RTLD_NEXT goes by.
    NonNull::new(unsafe { dlsym?(libc::RTLD_NEXT, name.as_ptr()) })
}

/// The file that this library was loaded from, as the loader was given it.
pub(crate) fn own_file() -> Option<&'static CStr> {
    // SAFETY: the symbol is a function of this type; null is None.
    let dladdr: Option<Dladdr> = unsafe { mem::transmute(dladdr_address()) };
    let mut info = libc::Dl_info {
        dli_fname: core::ptr::null(),
        dli_fbase: core::ptr::null_mut(),
        dli_sname: core::ptr::null(),
        dli_saddr: core::ptr::null_mut(),
    };
    let here: fn() -> Option<&'static CStr> = own_file;
    // SAFETY: any address may be asked for; the answer is written to `info`.
    let found = unsafe { dladdr?(here as *const c_void, &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name belongs to the loader, which keeps it for as long as the library is loaded: for ever,
    // since it is linked with `-z nodelete`.
    Some(unsafe { CStr::from_ptr(info.dli_fname) })
}
