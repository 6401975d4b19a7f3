//! What a child of `posix_spawn` does before it becomes the program. libc does it by itself, so it is judged as it is
//! asked for. All of these answer an error number.

use core::ffi::{c_char, c_int, c_uint, c_void};

use crate::{actions, next};

/// `posix_spawn_file_actions_init(3)`
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn posix_spawn_file_actions_init(list: *mut c_void) -> c_int {
    let Some(init) = next::ACTIONS_INIT.get() else {
        return libc::ENOSYS;
    };
    actions::begin(list);
    // SAFETY: promised by the caller.
    unsafe { init(list) }
}

/// `posix_spawn_file_actions_addopen(3)`
///
/// # Safety
///
/// As in C.
#[cfg_attr(panic = "abort", unsafe(no_mangle))]
pub unsafe extern "C" fn posix_spawn_file_actions_addopen(
    list: *mut c_void,
    fd: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    let Some(add) = next::ADDOPEN.get() else {
        return libc::ENOSYS;
    };
    if let Err(refused) = actions::judge(list, path, flags) {
        return refused.0;
    }
    // SAFETY: promised by the caller.
    unsafe { add(list, fd, path, flags, mode) }
}

/// Declares a function that changes the directory of a list.
macro_rules! changes {
    ($(#[$doc:meta])* $name:ident($what:ident: $type:ty) by $next:ident then $note:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As in C.
        #[cfg_attr(panic = "abort", unsafe(no_mangle))]
        pub unsafe extern "C" fn $name(list: *mut c_void, $what: $type) -> c_int {
            let Some(add) = next::$next.get() else {
                return libc::ENOSYS;
            };
            // SAFETY: promised by the caller.
            let added = unsafe { add(list, $what) };
            if added == 0 {
                actions::$note(list, $what);
            }
            added
        }
    };
}

changes! {
    /// `posix_spawn_file_actions_addchdir_np(3)`
    posix_spawn_file_actions_addchdir_np(path: *const c_char) by ADDCHDIR_NP then change
}

changes! {
    /// `posix_spawn_file_actions_addfchdir_np(3)`
    posix_spawn_file_actions_addfchdir_np(fd: c_int) by ADDFCHDIR_NP then change_to_descriptor
}

changes! {
    /// `posix_spawn_file_actions_addchdir(3)`, as POSIX has called it since 2024.
    posix_spawn_file_actions_addchdir(path: *const c_char) by ADDCHDIR then change
}

changes! {
    /// `posix_spawn_file_actions_addfchdir(3)`, as POSIX has called it since 2024.
    posix_spawn_file_actions_addfchdir(fd: c_int) by ADDFCHDIR then change_to_descriptor
}
