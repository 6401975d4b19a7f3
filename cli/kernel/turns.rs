//! Who listens.
//!
//! One thread listens and answers what it hears, so that a call is handed to and fro on the caller's own processor:
//! every further thread that listened would be woken by every call. Where several callers wait at once, it lets another
//! thread listen before it answers. What keeps a thread for long (a slow disk, a file system that a program below
//! serves) must not keep those who call later: a watcher looks every few milliseconds, and lets another thread listen.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Whose turn it is.
pub(super) struct Turns {
    /// Counts the calls that were begun and those that were ended, so that it is odd while one is answered. The
    /// upper half counts turns.
    state: AtomicU64,
    waiting: Mutex<Waiting>,
    given: Condvar,
    /// Whether the watcher looks. It sleeps where nothing happens.
    is_watched: AtomicBool,
}

struct Waiting {
    threads: usize,
    /// Those that nobody has taken yet.
    turns: usize,
}

/// A call that is being answered, by its number.
pub(super) struct Answering(u64);

/// What became of a turn, or what the watcher has seen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// No call since the last look.
    Nothing,
    Calls,
    /// One call for too long: it is somebody else's turn, for which a thread waits.
    Given,
    /// The same, but no thread waits.
    GivenToNobody,
}

const TURN: u64 = 1 << 32;

impl Turns {
    /// Nobody's turn yet.
    pub(super) const fn new() -> Self {
        Self {
            state: AtomicU64::new(0),
            waiting: Mutex::new(Waiting {
                threads: 0,
                turns: 0,
            }),
            given: Condvar::new(),
            is_watched: AtomicBool::new(false),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is something to listen to.
    pub(super) fn open(&self) {
        self.waiting().turns += 1;
        self.given.notify_one();
    }

    /// Waits for a turn.
    pub(super) fn wait(&self) {
        let mut waiting = self.waiting();
        waiting.threads += 1;
        while waiting.turns == 0 {
            waiting = self
                .given
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        waiting.turns -= 1;
        waiting.threads -= 1;
    }

    /// A call has been heard. True with it: the watcher sleeps, and must be woken.
    pub(super) fn begin(&self) -> (Answering, bool) {
        let answering = Answering(self.state.fetch_add(1, SeqCst) + 1);
        let is_watched = self.is_watched.load(SeqCst) || self.is_watched.swap(true, SeqCst);
        (answering, !is_watched)
    }

    /// It has been answered. False: that took so long that it is no longer this thread's turn.
    pub(super) fn end(&self, Answering(number): Answering) -> bool {
        self.state
            .compare_exchange(number, number + 1, SeqCst, SeqCst)
            .is_ok()
    }

    /// What the watcher does each time. `seen` is what it saw the last time.
    pub(super) fn look(&self, seen: &mut u64) -> Look {
        let state = self.state.load(SeqCst);
        if state != std::mem::replace(seen, state) {
            return Look::Calls;
        }
        let is_answering = state % 2 == 1;
        if !is_answering {
            let waiting = self.waiting();
            return match (waiting.turns, waiting.threads) {
                (1.., 0) => Look::GivenToNobody,
                _ => Look::Nothing,
            };
        }
        self.give(state).unwrap_or(Look::Calls)
    }

    /// The others do not wait for this call: somebody else listens from now on.
    pub(super) fn pass(&self, answering: &Answering) -> Look {
        self.give(answering.0).unwrap_or(Look::Calls)
    }

    /// Makes it somebody else's turn while the call of this number is answered.
    fn give(&self, number: u64) -> Option<Look> {
        let next = number.wrapping_add(TURN) + 1;
        self.state
            .compare_exchange(number, next, SeqCst, SeqCst)
            .ok()?;
        let mut waiting = self.waiting();
        waiting.turns += 1;
        self.given.notify_one();
        Some(match waiting.threads {
            0 => Look::GivenToNobody,
            _ => Look::Given,
        })
    }

    /// The watcher is about to sleep. False where a call has come meanwhile.
    pub(super) fn may_sleep(&self, seen: u64) -> bool {
        self.is_watched.store(false, SeqCst);
        // Whoever begins a call counts it first and looks then.
        self.state.load(SeqCst) == seen || self.is_watched.swap(true, SeqCst)
    }

    /// Whether the watcher has been woken.
    pub(super) fn is_watched(&self) -> bool {
        self.is_watched.load(SeqCst)
    }

    /// There is something to watch besides calls. True with it: the watcher sleeps, and must be woken.
    pub(super) fn watch(&self) -> bool {
        !self.is_watched.swap(true, SeqCst)
    }

    /// Nobody could be made to watch.
    pub(super) fn is_unwatched(&self) {
        self.is_watched.store(false, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Look, Turns};

    #[test]
    fn a_call_that_takes_long_ends_its_threads_turn() {
        let turns = Turns::new();
        turns.open();
        turns.wait();
        let mut seen = 0;
        assert_eq!(turns.look(&mut seen), Look::Nothing);
        let (slow, sleeps) = turns.begin();
        assert!(sleeps);
        assert_eq!(turns.look(&mut seen), Look::Calls);
        assert_eq!(turns.look(&mut seen), Look::GivenToNobody);
        // Whoever comes now need not wait.
        turns.wait();
        let (quick, sleeps) = turns.begin();
        assert!(!sleeps);
        assert!(turns.end(quick));
        assert!(!turns.end(slow));
    }

    #[test]
    fn a_turn_is_passed_on_where_others_wait() {
        let turns = Turns::new();
        turns.open();
        turns.wait();
        let (first, _) = turns.begin();
        assert_eq!(turns.pass(&first), Look::GivenToNobody);
        // It is no longer the first one's to give.
        assert_eq!(turns.pass(&first), Look::Calls);
        turns.wait();
        let (second, _) = turns.begin();
        assert!(!turns.end(first) && turns.end(second));
    }

    #[test]
    fn calls_that_are_answered_in_time_leave_the_turn_where_it_is() {
        let turns = Turns::new();
        turns.open();
        turns.wait();
        let mut seen = 0;
        for _ in 0..1000 {
            let (answering, _) = turns.begin();
            assert_ne!(turns.look(&mut seen), Look::GivenToNobody);
            assert!(turns.end(answering));
        }
    }

    #[test]
    fn a_turn_that_nobody_took_is_offered_again() {
        let turns = Turns::new();
        turns.open();
        turns.wait();
        let mut seen = 0;
        let (slow, _) = turns.begin();
        turns.look(&mut seen);
        assert_eq!(turns.look(&mut seen), Look::GivenToNobody);
        assert_eq!(turns.look(&mut seen), Look::Calls);
        assert_eq!(turns.look(&mut seen), Look::GivenToNobody);
        assert!(!turns.end(slow));
        turns.wait();
    }

    #[test]
    fn the_watcher_does_not_fall_asleep_over_a_call() {
        let turns = Turns::new();
        turns.open();
        turns.wait();
        let (answering, sleeps) = turns.begin();
        assert!(sleeps && !turns.may_sleep(0));
        assert!(turns.is_watched());
        assert!(turns.end(answering));
        assert!(turns.may_sleep(2));
        assert!(!turns.is_watched());
        assert!(turns.begin().1);
    }

    /// Four threads, of which each keeps its turn for long now and then: all calls are answered, and no two threads
    /// ever listen at once.
    #[test]
    fn one_thread_listens_at_a_time() {
        static TURNS: Turns = Turns::new();
        static LISTENING: AtomicU32 = AtomicU32::new(0);
        static ANSWERED: AtomicU32 = AtomicU32::new(0);
        static AT_ONCE: AtomicU32 = AtomicU32::new(0);
        for _ in 0..4 {
            thread::spawn(|| {
                TURNS.wait();
                loop {
                    let others = LISTENING.fetch_add(1, SeqCst);
                    AT_ONCE.fetch_add(others, SeqCst);
                    thread::yield_now();
                    LISTENING.fetch_sub(1, SeqCst);
                    let (answering, _) = TURNS.begin();
                    if ANSWERED.fetch_add(1, SeqCst).is_multiple_of(16) {
                        thread::sleep(Duration::from_millis(3));
                    }
                    if !TURNS.end(answering) {
                        TURNS.wait();
                    }
                }
            });
        }
        TURNS.open();
        let (mut seen, mut given, began) = (0, 0, Instant::now());
        while ANSWERED.load(SeqCst) < 2000 || given == 0 {
            assert!(began.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
            given += u32::from(TURNS.look(&mut seen) == Look::Given);
        }
        assert_eq!(AT_ONCE.load(SeqCst), 0);
    }
}
