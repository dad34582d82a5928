//! Who may compute now: a few slots, handed round in slices of time.
//!
//! Twenty people share two cores. Every search runs in a thread of its own, but
//! only while it holds a slot; when its slice is over and somebody waits, it
//! gives the slot away inside its watch and queues again. Moves of games go
//! before analyses, and every fourth grant goes to an analysis all the same, so
//! that nobody starves. Nothing here knows what is computed.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a search may hold a slot while others wait.
const SLICE: Duration = Duration::from_millis(25);

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move that somebody waits for.
    Move = 0,
    /// Analysis, review, thinking on the opponent's time.
    Study = 1,
}

#[derive(Default)]
struct State {
    free: usize,
    granted: u64,
    next_ticket: u64,
    waiting: [VecDeque<u64>; 2],
}

impl State {
    /// Whose turn it is among those who wait.
    fn front(&self) -> Option<u64> {
        let study_first = self.granted % 4 == 3;
        let order = if study_first { [1, 0] } else { [0, 1] };
        order.into_iter().find_map(|class| self.waiting[class].front().copied())
    }
}

/// The slots of one server.
pub struct Slots {
    state: Mutex<State>,
    changed: Condvar,
}

impl Slots {
    /// So many searches compute at a time.
    pub fn new(count: usize) -> Arc<Slots> {
        let state = State { free: count.max(1), ..State::default() };
        Arc::new(Slots { state: Mutex::new(state), changed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot; `None` if `give_up` says so first (asked now and then).
    pub fn enter(
        self: &Arc<Slots>,
        purpose: Purpose,
        give_up: &dyn Fn() -> bool,
    ) -> Option<Permit> {
        self.wait(purpose, give_up).then(|| Permit {
            slots: Arc::clone(self),
            purpose,
            since: Instant::now(),
            held: true,
        })
    }

    fn wait(&self, purpose: Purpose, give_up: &dyn Fn() -> bool) -> bool {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting[purpose as usize].push_back(ticket);
        loop {
            if state.free > 0 && state.front() == Some(ticket) {
                state.waiting[purpose as usize].pop_front();
                state.free -= 1;
                state.granted += 1;
                // There may be another free slot for the next in line.
                self.changed.notify_all();
                return true;
            }
            if give_up() {
                state.waiting[purpose as usize].retain(|&other| other != ticket);
                self.changed.notify_all();
                return false;
            }
            let pause = Duration::from_millis(10);
            state =
                self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn leave(&self) {
        self.lock().free += 1;
        self.changed.notify_all();
    }
}

/// The right to compute, given back when dropped.
pub struct Permit {
    slots: Arc<Slots>,
    purpose: Purpose,
    since: Instant,
    held: bool,
}

impl Permit {
    /// Lets others compute if it is their turn. False if `give_up` ended the
    /// waiting for another slice; then the search should stop.
    pub fn share(&mut self, give_up: &dyn Fn() -> bool) -> bool {
        let waiting = {
            let state = self.slots.lock();
            [!state.waiting[0].is_empty(), !state.waiting[1].is_empty()]
        };
        let over = self.since.elapsed() >= SLICE;
        let must = match self.purpose {
            Purpose::Move => over && (waiting[0] || waiting[1]),
            Purpose::Study => waiting[0] || (over && waiting[1]),
        };
        if !must {
            return true;
        }
        self.slots.leave();
        self.held = self.slots.wait(self.purpose, give_up);
        self.since = Instant::now();
        self.held
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.held {
            self.slots.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::thread;

    use super::*;

    /// A search that counts its watches until the deadline.
    fn busy(slots: &Arc<Slots>, purpose: Purpose, until: Instant, count: &AtomicU64) {
        let over = || Instant::now() >= until;
        let Some(mut permit) = slots.enter(purpose, &over) else { return };
        while !over() && permit.share(&over) {
            thread::sleep(Duration::from_millis(2));
            count.fetch_add(1, Relaxed);
        }
    }

    #[test]
    fn everybody_gets_a_share_and_moves_get_more() {
        let slots = Slots::new(1);
        let until = Instant::now() + Duration::from_millis(900);
        let counts: [AtomicU64; 6] = Default::default();
        thread::scope(|scope| {
            for (i, count) in counts.iter().enumerate() {
                let purpose = if i < 3 { Purpose::Study } else { Purpose::Move };
                let slots = &slots;
                scope.spawn(move || busy(slots, purpose, until, count));
            }
        });
        let counts: Vec<u64> = counts.iter().map(|count| count.load(Relaxed)).collect();
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        let (study, moves): (u64, u64) = (counts[..3].iter().sum(), counts[3..].iter().sum());
        assert!(moves > study, "{counts:?}");
        assert_eq!(slots.lock().free, 1, "every slot came back");
    }

    #[test]
    fn whoever_gives_up_leaves_the_queue() {
        let slots = Slots::new(1);
        let held = slots.enter(Purpose::Study, &|| false).unwrap();
        assert!(slots.enter(Purpose::Move, &|| true).is_none());
        assert!(slots.lock().front().is_none());
        drop(held);
        assert!(slots.enter(Purpose::Move, &|| false).is_some());
    }
}
