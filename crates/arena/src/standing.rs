//! The standing of a match: results counted in the order of the schedule.
//!
//! Games end in any order, but a sequential test must not depend on which
//! thread was faster. So pairs are counted strictly by number: one that ends
//! early waits until all before it are finished, and pairs after the one that
//! decided the test are not counted at all.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Schedule;
use crate::statistics::{Decision, Encounter, Sprt, Tally};

/// The standing of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Every pairing with its results, in the order of the schedule.
    pub encounters: Vec<Encounter>,
    /// Pairs counted so far.
    pub pairs: u64,
    /// Pairs scheduled.
    pub scheduled: u64,
    /// The logarithm of the likelihood ratio; 0 without a sequential test.
    pub llr: f64,
    /// The state of the sequential test.
    pub decision: Decision,
}

impl Standing {
    /// Whether there is nothing left to play.
    pub fn finished(&self) -> bool {
        self.pairs == self.scheduled || self.decision != Decision::Open
    }

    /// An engine's results against all others together.
    pub fn of(&self, engine: usize) -> Tally {
        Tally::of_engine(engine, &self.encounters)
    }
}

/// Counts pairs in the order of the schedule, which in a Swiss match it also goes on
/// pairing.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    standing: Standing,
    schedule: Schedule,
    sprt: Option<Sprt>,
    waiting: BTreeMap<u64, [i32; 2]>,
}

impl Counter {
    pub fn new(schedule: &Schedule, sprt: Option<Sprt>) -> Counter {
        let encounters = schedule
            .pairings()
            .iter()
            .map(|&engines| Encounter { engines, tally: Tally::default() })
            .collect();
        let standing = Standing {
            encounters,
            pairs: 0,
            scheduled: schedule.pairs(),
            llr: 0.0,
            decision: Decision::Open,
        };
        let mut schedule = schedule.clone();
        schedule.pair_next_round(&standing);
        Counter { standing, schedule, sprt, waiting: BTreeMap::new() }
    }

    /// The schedule, as far as it follows from what was counted.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Counts a finished pair. The results are those of the engine with the lower
    /// number.
    pub fn add(&mut self, pair: u64, results: [i32; 2]) {
        self.waiting.insert(pair, results);
        while self.standing.decision == Decision::Open {
            let Some(results) = self.waiting.remove(&self.standing.pairs) else { break };
            let pairing = self.schedule.pairing_of(self.standing.pairs);
            let tally = &mut self.standing.encounters[pairing].tally;
            tally.add(results);
            if let Some(sprt) = self.sprt {
                self.standing.llr = sprt.llr(&tally.pairs);
                self.standing.decision = sprt.decide(&tally.pairs);
            }
            self.standing.pairs += 1;
            self.schedule.pair_next_round(&self.standing);
        }
    }

    pub fn standing(&self) -> &Standing {
        &self.standing
    }
}
