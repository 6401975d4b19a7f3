//! Room for the reader of shell strings, which nests as deep as what it reads.

use std::thread;

use crate::message::Failure;

/// What the deepest nesting takes that the reader accepts.
pub const STACK: usize = 64 << 20;

/// Does something with that much room.
///
/// # Errors
/// When there is no room, or it panics.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let work = match grown::with_room(work) {
        Ok(done) => return done,
        Err(work) => work,
    };
    thread::scope(|scope| {
        let working = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::new(format!("judging could not start: {error}")))?;
        working.join().map_err(|_| failed())
    })
}

fn failed() -> Failure {
    Failure::new("blastradius failed while it judged the command")
}

/// The stack of the first thread, which Linux lets grow as far as the limit says, and keeps room below for at least
/// 128 MiB. It spares the start and the stack of another thread, a tenth of a millisecond.
#[cfg(target_os = "linux")]
mod grown {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rustix::process::{Resource, Rlimit, getpid, getrlimit, setrlimit};
    use rustix::thread::gettid;

    use super::{Failure, STACK, failed};

    /// Gives the work back where this stack cannot grow.
    pub(super) fn with_room<T, F: FnOnce() -> T>(work: F) -> Result<Result<T, Failure>, F> {
        const ENOUGH: u64 = STACK as u64 + (1 << 20);
        let limit = getrlimit(Resource::Stack);
        let is_enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= ENOUGH);
        let is_first = gettid() == getpid();
        if !is_first || !is_enough(limit.maximum) || getrlimit(Resource::As).current.is_some() {
            return Err(work);
        }
        let raised = Rlimit {
            current: Some(ENOUGH),
            maximum: limit.maximum,
        };
        if !is_enough(limit.current) && setrlimit(Resource::Stack, raised).is_err() {
            return Err(work);
        }
        let done = catch_unwind(AssertUnwindSafe(work)).map_err(|_| failed());
        // What is started next has the limit that was given.
        match setrlimit(Resource::Stack, limit) {
            Ok(()) => Ok(done),
            Err(_) => Ok(Err(failed())),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod grown {
    use super::Failure;

    pub(super) fn with_room<T, F: FnOnce() -> T>(work: F) -> Result<Result<T, Failure>, F> {
        Err(work)
    }
}
