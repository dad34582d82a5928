//! When to look up from the work: how many simulations make a turn, and when
//! the watch is due.

use std::time::{Duration, Instant};

use crate::Pace;

/// How long the watch may wait, with room for a slow turn.
const REPORT: Duration = Duration::from_millis(3);
/// How long a turn of simulations should take.
const SLICE: Duration = Duration::from_micros(400);

/// The rhythm of one search.
pub(super) struct PollTimer {
    pub pace: Pace,
    reported: Instant,
    sliced: Instant,
    slice: u64,
}

impl PollTimer {
    pub fn new(pace: Pace) -> PollTimer {
        let now = Instant::now();
        PollTimer { pace, reported: now, sliced: now, slice: 1 }
    }

    /// Whether it is time to call the watch; if so, it counts as called.
    pub fn report_is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now.duration_since(self.reported) >= REPORT;
        if due {
            self.reported = now;
        }
        due
    }

    /// Simulations until the next look at the clock, by how long the last turn
    /// took. Only the looking depends on it, never the statistics.
    pub fn slice(&mut self) -> u64 {
        let now = Instant::now();
        let took = now.duration_since(self.sliced);
        self.sliced = now;
        if took < SLICE / 2 {
            self.slice = (self.slice * 2).min(1 << 16);
        } else if took > SLICE {
            self.slice = (self.slice / 2).max(1);
        }
        self.slice
    }
}
