//! When to look up from the work: how many simulations make a slice, and when a
//! result is to be published.

use std::time::{Duration, Instant};

/// Time between two published results, with room for a slow slice below the 5 ms
/// of the contract.
const REPORT: Duration = Duration::from_millis(3);
/// How long a slice of simulations should take.
const SLICE: Duration = Duration::from_micros(400);

/// The rhythm of one search.
pub(super) struct PollTimer {
    reported: Instant,
    sliced: Instant,
    slice: u64,
}

impl PollTimer {
    pub fn new() -> PollTimer {
        let now = Instant::now();
        PollTimer { reported: now, sliced: now, slice: 1 }
    }

    /// Whether a result is to be published; if so, it counts as published.
    pub fn report_is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now.duration_since(self.reported) >= REPORT;
        if due {
            self.reported = now;
        }
        due
    }

    /// Simulations until the next look at the clock, by how long the last slice
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
