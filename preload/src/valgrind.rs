//! Below valgrind some questions are not put to the kernel: it has a line on standard error for each of them.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::environment::Environment;

static PRESENT: AtomicBool = AtomicBool::new(false);

/// How valgrind's own libraries are called, which it has loaded into every process that it runs.
const LIBRARIES: &[u8] = b"/vgpreload_";

/// Looks whether valgrind runs this process.
pub(crate) fn detect(environment: Environment) {
    let list = environment.get(b"LD_PRELOAD").unwrap_or(b"");
    if list.windows(LIBRARIES.len()).any(|part| part == LIBRARIES) {
        PRESENT.store(true, Relaxed);
    }
}

#[inline]
pub(crate) fn is_present() -> bool {
    PRESENT.load(Relaxed)
}
