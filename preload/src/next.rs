//! libc's own functions, for what no system call does: the definitions that come after ours.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::marker::PhantomData;
use core::mem;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use crate::objects;
use crate::sys::Strings;
use crate::weak::Stream;

/// A function that is looked up once. Two threads that look at the same time find the same.
pub(crate) struct Next<F> {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

impl<F: Copy> Next<F> {
    /// # Safety
    ///
    /// The symbol is a function of type `F`, a function pointer, wherever it is defined.
    const unsafe fn new(name: &'static CStr) -> Self {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        Self {
            name,
            address: AtomicPtr::new(ptr::null_mut()),
            function: PhantomData,
        }
    }

    /// The function, if it has been looked up.
    #[inline(always)]
    pub(crate) fn known(&self) -> Option<F> {
        let found = NonNull::new(self.address.load(Relaxed))?;
        // SAFETY: whoever made `self` promises that the symbol is an `F`.
        Some(unsafe { mem::transmute_copy(&found) })
    }

    /// The function; None if libc has none.
    pub(crate) fn get(&self) -> Option<F> {
        self.known().or_else(|| {
            self.look_up()?;
            self.known()
        })
    }

    #[cold]
    fn look_up(&self) -> Option<NonNull<c_void>> {
        let address = objects::next_function(self.name)?;
        let found = NonNull::new(ptr::with_exposed_provenance_mut(address))?;
        self.address.store(found.as_ptr(), Relaxed);
        Some(found)
    }
}

type Fopen = unsafe extern "C" fn(*const c_char, *const c_char) -> Stream;
type Freopen = unsafe extern "C" fn(*const c_char, *const c_char, Stream) -> Stream;
type Execvpe = unsafe extern "C" fn(*const c_char, Strings, Strings) -> c_int;
type PosixSpawn = unsafe extern "C" fn(
    *mut libc::pid_t,
    *const c_char,
    *const c_void,
    *const c_void,
    Strings,
    Strings,
) -> c_int;
type AddOpen = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, c_int, c_uint) -> c_int;
type ActionsInit = unsafe extern "C" fn(*mut c_void) -> c_int;
type AddChdir = unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int;
type AddFchdir = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
type System = unsafe extern "C" fn(*const c_char) -> c_int;
type PidfdSpawn = unsafe extern "C" fn(
    *mut c_int,
    *const c_char,
    *const c_void,
    *const c_void,
    Strings,
    Strings,
) -> c_int;
type Wordexp = unsafe extern "C" fn(*const c_char, *mut c_void, c_int) -> c_int;
type ShmOpen = unsafe extern "C" fn(*const c_char, c_int, c_uint) -> c_int;
pub(crate) type UnlinkName = unsafe extern "C" fn(*const c_char) -> c_int;
type Fcntl = unsafe extern "C" fn(c_int, c_int, ...) -> c_int;
type Openat = unsafe extern "C" fn(c_int, *const c_char, c_int, ...) -> c_int;
type Popen = unsafe extern "C" fn(*const c_char, *const c_char) -> Stream;
pub(crate) type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
pub(crate) type Dlvsym =
    unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
pub(crate) type Dlopen = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;

// With 64-bit offsets throughout, `fopen64` and its like are the same functions.

// SAFETY: the type is that of the C library's function.
pub(crate) static FOPEN: Next<Fopen> = unsafe { Next::new(c"fopen") };
// SAFETY: the type is that of the C library's function, which is as `fopen`.
pub(crate) static SETMNTENT: Next<Fopen> = unsafe { Next::new(c"setmntent") };
// SAFETY: the type is that of the C library's function.
pub(crate) static FREOPEN: Next<Freopen> = unsafe { Next::new(c"freopen") };
// SAFETY: the type is that of the C library's function.
pub(crate) static EXECVPE: Next<Execvpe> = unsafe { Next::new(c"execvpe") };
// SAFETY: the type is that of the C library's function.
pub(crate) static POSIX_SPAWN: Next<PosixSpawn> = unsafe { Next::new(c"posix_spawn") };
// SAFETY: the type is that of the C library's function.
pub(crate) static POSIX_SPAWNP: Next<PosixSpawn> = unsafe { Next::new(c"posix_spawnp") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ADDOPEN: Next<AddOpen> =
    unsafe { Next::new(c"posix_spawn_file_actions_addopen") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ACTIONS_INIT: Next<ActionsInit> =
    unsafe { Next::new(c"posix_spawn_file_actions_init") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ADDCHDIR_NP: Next<AddChdir> =
    unsafe { Next::new(c"posix_spawn_file_actions_addchdir_np") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ADDFCHDIR_NP: Next<AddFchdir> =
    unsafe { Next::new(c"posix_spawn_file_actions_addfchdir_np") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ADDCHDIR: Next<AddChdir> =
    unsafe { Next::new(c"posix_spawn_file_actions_addchdir") };
// SAFETY: the type is that of the C library's function.
pub(crate) static ADDFCHDIR: Next<AddFchdir> =
    unsafe { Next::new(c"posix_spawn_file_actions_addfchdir") };
// SAFETY: the type is that of the C library's function.
pub(crate) static SYSTEM: Next<System> = unsafe { Next::new(c"system") };
// SAFETY: the type is that of the C library's function.
pub(crate) static POPEN: Next<Popen> = unsafe { Next::new(c"popen") };
// SAFETY: the type is that of the C library's function.
pub(crate) static PIDFD_SPAWN: Next<PidfdSpawn> = unsafe { Next::new(c"pidfd_spawn") };
// SAFETY: the type is that of the C library's function.
pub(crate) static PIDFD_SPAWNP: Next<PidfdSpawn> = unsafe { Next::new(c"pidfd_spawnp") };
// SAFETY: the type is that of the C library's function.
pub(crate) static WORDEXP: Next<Wordexp> = unsafe { Next::new(c"wordexp") };
// SAFETY: the type is that of the C library's function.
pub(crate) static SHM_OPEN: Next<ShmOpen> = unsafe { Next::new(c"shm_open") };
// SAFETY: the type is that of the C library's function.
pub(crate) static SHM_UNLINK: Next<UnlinkName> = unsafe { Next::new(c"shm_unlink") };
// SAFETY: the type is that of the C library's function.
pub(crate) static SEM_UNLINK: Next<UnlinkName> = unsafe { Next::new(c"sem_unlink") };
// SAFETY: the type is that of the C library's function.
pub(crate) static FCNTL: Next<Fcntl> = unsafe { Next::new(c"fcntl") };
// SAFETY: the type is that of the C library's function.
pub(crate) static OPENAT: Next<Openat> = unsafe { Next::new(c"openat") };
// SAFETY: the type is that of the C library's function.
pub(crate) static DLSYM: Next<Dlsym> = unsafe { Next::new(c"dlsym") };
// SAFETY: the type is that of the C library's function.
pub(crate) static DLVSYM: Next<Dlvsym> = unsafe { Next::new(c"dlvsym") };
// SAFETY: the type is that of the C library's function.
pub(crate) static DLOPEN: Next<Dlopen> = unsafe { Next::new(c"dlopen") };

/// Looks up what may be called where looking up is not safe: in a child that was forked while another thread
/// held the loader's lock.
pub(crate) fn prepare() {
    // What is not found now will not be found then, and is answered with ENOSYS there.
    for found in [
        EXECVPE.get().is_some(),
        FCNTL.get().is_some(),
        OPENAT.get().is_some(),
        POSIX_SPAWN.get().is_some(),
        POSIX_SPAWNP.get().is_some(),
    ] {
        debug_assert!(found);
    }
}
