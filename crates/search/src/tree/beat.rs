//! When to look up from the work: how many simulations make a turn, and when
//! the watch is due.

use std::time::{Duration, Instant};

use crate::Pace;

/// How long the watch may wait, with room for a slow turn.
const WATCH: Duration = Duration::from_millis(3);
/// How long a turn of simulations should take.
const TURN: Duration = Duration::from_micros(400);

/// The rhythm of one search.
pub(super) struct Beat {
    pub pace: Pace,
    watched: Instant,
    turned: Instant,
    turn: u64,
}

impl Beat {
    pub fn new(pace: Pace) -> Beat {
        let now = Instant::now();
        Beat { pace, watched: now, turned: now, turn: 1 }
    }

    /// Whether it is time to call the watch; if so, it counts as called.
    pub fn watch_is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now.duration_since(self.watched) >= WATCH;
        if due {
            self.watched = now;
        }
        due
    }

    /// Simulations until the next look at the clock, by how long the last turn
    /// took. Only the looking depends on it, never the statistics.
    pub fn turn(&mut self) -> u64 {
        let now = Instant::now();
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
