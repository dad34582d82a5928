//! Which searches compute now: a few slots, shared in slices of time.
//!
//! Twenty people share two cores. Every search has a worker of its own, which
//! computes only while it holds a slot; when its slice is over and others wait, it
//! gives the slot away when it polls and queues again. Moves of games go before
//! analyses, and every fourth grant goes to an analysis all the same, so that none
//! starves. Nothing here knows what is computed.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// How long a search may hold a slot while others wait.
const SLICE: Duration = Duration::from_millis(25);

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move of a game.
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
    /// Which of the waiting tickets is next.
    fn front(&self) -> Option<u64> {
        let study_first = self.granted % 4 == 3;
        let order = if study_first { [1, 0] } else { [0, 1] };
        order.into_iter().find_map(|class| self.waiting[class].front().copied())
    }
}

/// The slots of one server.
pub struct Slots {
    state: Mutex<State>,
    /// For workers that wait for their next slice.
    changed: Condvar,
    /// For tasks that wait for their first one.
    notify: Notify,
}

/// How long a wait lasts before it looks again.
const PAUSE: Duration = Duration::from_millis(10);

impl Slots {
    /// So many searches compute at a time.
    pub fn new(count: usize) -> Arc<Slots> {
        let state = State { free: count.max(1), ..State::default() };
        let (changed, notify) = (Condvar::new(), Notify::new());
        Arc::new(Slots { state: Mutex::new(state), changed, notify })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot; `None` if `give_up` says so first (asked now and then).
    pub async fn enter(
        self: &Arc<Slots>,
        purpose: Purpose,
        give_up: impl Fn() -> bool,
    ) -> Option<Permit> {
        let mut ticket = self.queue(purpose);
        while !ticket.take() {
            if give_up() {
                return None;
            }
            let _ = tokio::time::timeout(PAUSE, self.notify.notified()).await;
        }
        let (slots, since) = (Arc::clone(self), Instant::now());
        Some(Permit { slots, purpose, since, held: true, extra: 0 })
    }

    /// Likewise, in a worker's thread.
    fn wait(&self, purpose: Purpose, give_up: &impl Fn() -> bool) -> bool {
        let mut ticket = self.queue(purpose);
        while !ticket.take() {
            if give_up() {
                return false;
            }
            let _ = self.changed.wait_timeout(self.lock(), PAUSE);
        }
        true
    }

    /// A place at the end of the queue.
    fn queue(&self, purpose: Purpose) -> Ticket<'_> {
        let mut state = self.lock();
        let number = state.next_ticket;
        state.next_ticket += 1;
        state.waiting[purpose as usize].push_back(number);
        Ticket { slots: self, purpose, number, granted: false }
    }

    fn leave(&self) {
        self.lock().free += 1;
        self.changed();
    }

    fn changed(&self) {
        self.changed.notify_all();
        self.notify.notify_waiters();
    }
}

/// A place in the queue, given up when dropped.
struct Ticket<'a> {
    slots: &'a Slots,
    purpose: Purpose,
    number: u64,
    granted: bool,
}

impl Ticket<'_> {
    /// Takes a slot if one is free and it is this one's turn.
    fn take(&mut self) -> bool {
        let mut state = self.slots.lock();
        if state.free > 0 && state.front() == Some(self.number) {
            state.waiting[self.purpose as usize].pop_front();
            state.free -= 1;
            state.granted += 1;
            self.granted = true;
            drop(state);
            // There may be another free slot for the next in line.
            self.slots.changed();
        }
        self.granted
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if !self.granted {
            self.slots.lock().waiting[self.purpose as usize].retain(|&other| other != self.number);
            self.slots.changed();
        }
    }
}

/// The right to compute, given back when dropped.
pub struct Permit {
    slots: Arc<Slots>,
    purpose: Purpose,
    since: Instant,
    held: bool,
    /// Slots beside its own.
    extra: usize,
}

impl Permit {
    /// Takes free slots too, up to so many with its own, unless another search waits for one;
    /// says how many it has. They are given back as soon as one waits: what computes
    /// in them then shares the cores until the search is over, which for a move is soon.
    pub fn widen(&mut self, most: usize) -> usize {
        let mut state = self.slots.lock();
        if state.front().is_none() {
            let taken = state.free.min(most.saturating_sub(1 + self.extra));
            state.free -= taken;
            self.extra += taken;
        }
        1 + self.extra
    }

    /// Gives all slots but its own back; false if there are none.
    fn narrow(&mut self) -> bool {
        let extra = std::mem::take(&mut self.extra);
        if extra > 0 {
            self.slots.lock().free += extra;
            self.slots.changed();
        }
        extra > 0
    }

    /// Lets others compute if it is their turn. False if `give_up` ended the
    /// waiting for another slice; then the search should stop.
    pub fn share(&mut self, give_up: &impl Fn() -> bool) -> bool {
        let waiting = {
            let state = self.slots.lock();
            [!state.waiting[0].is_empty(), !state.waiting[1].is_empty()]
        };
        if (waiting[0] || waiting[1]) && self.narrow() {
            return true;
        }
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
        self.narrow();
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

    /// Waits for a slot in this thread.
    fn enter(slots: &Arc<Slots>, purpose: Purpose, give_up: impl Fn() -> bool) -> Option<Permit> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(slots.enter(purpose, give_up))
    }

    /// A search that counts its polls until the deadline.
    fn busy(slots: &Arc<Slots>, purpose: Purpose, until: Instant, count: &AtomicU64) {
        let over = || Instant::now() >= until;
        let Some(mut permit) = enter(slots, purpose, over) else { return };
        while !over() && permit.share(&over) {
            thread::sleep(Duration::from_millis(2));
            count.fetch_add(1, Relaxed);
        }
    }

    #[test]
    fn every_search_gets_a_share_and_moves_get_more() {
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
    fn free_slots_are_lent_until_another_search_waits() {
        let slots = Slots::new(3);
        let mut wide = enter(&slots, Purpose::Move, || false).unwrap();
        assert_eq!((wide.widen(2), wide.widen(9), slots.lock().free), (2, 3, 0));
        thread::scope(|scope| {
            let second = scope.spawn(|| enter(&slots, Purpose::Move, || false).unwrap());
            while slots.lock().front().is_none() {
                thread::yield_now();
            }
            assert_eq!(wide.widen(9), 3, "nothing is free");
            assert!(wide.share(&|| true), "it keeps its own slot");
            let mut second = second.join().unwrap();
            assert_eq!((wide.widen(1), second.widen(9)), (1, 2));
        });
        drop(wide);
        assert_eq!(slots.lock().free, 3, "every slot came back");
    }

    #[test]
    fn a_search_that_gives_up_leaves_the_queue() {
        let slots = Slots::new(1);
        let held = enter(&slots, Purpose::Study, || false).unwrap();
        assert!(enter(&slots, Purpose::Move, || true).is_none());
        assert!(slots.lock().front().is_none());
        drop(held);
        assert!(enter(&slots, Purpose::Move, || false).is_some());
    }
}
