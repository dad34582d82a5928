//! How long to think: limits and clocks turned into two deadlines, shared by
//! every search.
//!
//! The hard deadline is never passed. The soft one is where a search stops if
//! the position looks clear; [`Doubt`] says by how much to stretch it when the
//! best move keeps changing or its value falls. Nothing here knows a game: the
//! number of moves still to come is estimated from the plies already played and
//! the typical length of a game, which the caller may give ([`Plan`]).

use std::time::{Duration, Instant};

use games::Player;

use crate::Limits;

/// What the planning of time assumes about the game and the way to the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Plies of a typical game from its start. Default 60.
    pub game_plies: u32,
    /// Time that passes outside the search for each move (the protocol, the
    /// referee, the scheduler) and is charged to the clock. Default 15 ms.
    pub overhead: Duration,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { game_plies: 60, overhead: Duration::from_millis(15) }
    }
}

impl Plan {
    /// How many moves a player still has to make after `plies` plies of the
    /// game. A game that lasts longer than typical is never thought to be nearly
    /// over: a quarter of a typical game, and at least ten plies, are always
    /// reckoned with.
    pub fn moves_to_go(&self, plies: u32) -> u32 {
        let left = self.game_plies.saturating_sub(plies).max(self.game_plies / 4).max(10);
        left.div_ceil(2)
    }
}

/// The deadlines of one think.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    begun: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Pace {
    /// Starts the watch for `mover`, to move after `plies` plies of the game.
    pub fn begin(limits: &Limits, mover: Player, plies: u32, plan: &Plan) -> Pace {
        let (soft, hard) = match limits.clock {
            None => (None, limits.time),
            Some(clock) => {
                let (left, increment) = clock.of(mover);
                let (soft, hard) = share(left, increment, plies, plan);
                (Some(soft), Some(limits.time.map_or(hard, |time| time.min(hard))))
            }
        };
        Pace { begun: Instant::now(), soft, hard }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the time is up.
    pub fn over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether more thinking is not worth its time, given the doubt about the
    /// best move. Without a clock there is nothing to save.
    pub fn enough(&self, doubt: f64) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(doubt))
    }

    /// Whether time saved on this move can be spent on another one.
    pub fn saves(&self) -> bool {
        self.soft.is_some()
    }

    /// What is left until the hard deadline; `None` without one.
    pub fn left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.elapsed()))
    }
}

/// The soft and the hard share of a clock for one move.
///
/// The increment comes only after the move, so it may be planned with but never
/// spent in advance: the hard share stays within half of what is left.
fn share(left: Duration, increment: Duration, plies: u32, plan: &Plan) -> (Duration, Duration) {
    let usable = left.saturating_sub(plan.overhead);
    let gain = increment.saturating_sub(plan.overhead);
    let even = usable / plan.moves_to_go(plies) + gain.mul_f64(0.75);
    let hard = even.mul_f64(3.5).min(usable / 2);
    (even.mul_f64(0.8).min(hard), hard)
}

/// How unsure a search is of its best move, from what it found so far.
#[derive(Clone, Debug, Default)]
pub struct Doubt {
    best: Option<u16>,
    unrest: f64,
    expected: f64,
    drop: f64,
}

impl Doubt {
    /// Takes note of the best move (its code) and its expected result for the
    /// mover, from -1 to 1, after another round of thinking.
    pub fn note(&mut self, best: u16, expected: f64) {
        self.unrest *= 0.5;
        self.drop *= 0.5;
        if let Some(before) = self.best {
            if before != best {
                self.unrest += 1.0;
            }
            self.drop += (self.expected - expected).max(0.0);
        }
        self.best = Some(best);
        self.expected = expected;
    }

    /// By how much to stretch the soft deadline: 0.6 for a clear move, up to 3.
    pub fn factor(&self) -> f64 {
        0.6 + 0.6 * self.unrest.min(2.0) + 3.0 * self.drop.min(0.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    const MS: Duration = Duration::from_millis(1);

    fn clock(left: Duration, increment: Duration) -> Limits {
        let clock = Clock { left: [left; 2], increment: [increment; 2] };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn a_whole_game_never_loses_on_time() {
        // Each move costs its hard share and the overhead, at any game length.
        for (left, increment) in [(60_000, 0), (1_000, 0), (100, 0), (10_000, 100), (0, 1_000)] {
            for game_plies in [10, 60, 300] {
                let plan = Plan { game_plies, ..Plan::default() };
                let mut rest = MS * left.max(increment);
                for own in 0..400 {
                    let (soft, hard) = share(rest, MS * increment, own * 2, &plan);
                    assert!(soft <= hard);
                    let spent = hard + if hard.is_zero() { Duration::ZERO } else { plan.overhead };
                    assert!(spent <= rest, "move {own}: {spent:?} of {rest:?}");
                    rest = rest - spent + MS * increment;
                }
            }
        }
    }

    #[test]
    fn a_typical_game_spends_most_of_its_time() {
        let plan = Plan::default();
        let mut rest = MS * 60_000;
        for own in 0..30 {
            rest -= share(rest, Duration::ZERO, own * 2, &plan).0;
        }
        assert!(rest < MS * 60_000 / 3, "{rest:?} unspent");
    }

    #[test]
    fn limits_hold_together_and_none_means_no_deadline() {
        let plan = Plan::default();
        let both = Limits { time: Some(MS), ..clock(MS * 60_000, MS) };
        let pace = Pace::begin(&both, Player::First, 0, &plan);
        assert!(pace.hard.unwrap() == MS && pace.saves());
        let free = Pace::begin(&Limits::default(), Player::Second, 0, &plan);
        assert!(!free.over() && !free.enough(0.0) && !free.saves() && free.left().is_none());
    }

    #[test]
    fn doubt_grows_with_changes_and_falls_and_settles() {
        let mut calm = Doubt::default();
        (0..8).for_each(|_| calm.note(3, 0.2));
        let mut torn = calm.clone();
        torn.note(4, 0.2);
        let mut falling = calm.clone();
        falling.note(3, -0.1);
        assert!(calm.factor() < torn.factor() && calm.factor() < falling.factor());
        (0..8).for_each(|_| torn.note(4, 0.2));
        assert!((torn.factor() - calm.factor()).abs() < 0.01);
        (0..50).for_each(|n| torn.note(n, -f64::from(n) / 25.0));
        assert!(torn.factor() <= 3.0);
    }
}
