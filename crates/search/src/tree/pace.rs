//! When to look up from the work, and when to stop it.

use std::time::{Duration, Instant};

use games::Player;

use crate::Limits;

/// How long the watch may wait, with room for a slow turn.
const WATCH: Duration = Duration::from_millis(3);
/// How long a turn of simulations should take.
const TURN: Duration = Duration::from_micros(400);

/// The clock of one search.
pub(super) struct Pace {
    pub start: Instant,
    deadline: Option<Instant>,
    watched: Instant,
    turned: Instant,
    turn: u64,
}

impl Pace {
    pub fn new(limits: &Limits, mover: Player) -> Pace {
        let start = Instant::now();
        let by_clock = limits.clock.map(|clock| {
            let (left, increment) = clock.of(mover);
            let share = left / 25 + increment * 3 / 4;
            share.min(left.saturating_sub(Duration::from_millis(30))).max(Duration::from_millis(1))
        });
        let time = [limits.time, by_clock].into_iter().flatten().min();
        let deadline = time.map(|time| start + time);
        Pace { start, deadline, watched: start, turned: start, turn: 1 }
    }

    /// Whether time is up.
    pub fn is_over(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Whether it is time to call the watch; if so, it counts as called.
    pub fn watch_is_due(&mut self, now: Instant) -> bool {
        let due = now.duration_since(self.watched) >= WATCH;
        if due {
            self.watched = now;
        }
        due
    }

    /// Simulations until the next look at the clock, by how long the last turn
    /// took. Only the looking depends on it, never the statistics.
    pub fn turn(&mut self, now: Instant) -> u64 {
        let took = now.duration_since(self.turned);
        self.turned = now;
        if took < TURN / 2 {
            self.turn = (self.turn * 2).min(1 << 16);
        } else if took > TURN {
            self.turn = (self.turn / 2).max(1);
        }
        self.turn
    }
}
