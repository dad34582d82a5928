//! Time management: limits and clocks turned into two deadlines, shared by every
//! search and solver. No other place divides time.
//!
//! The hard deadline is never passed. The soft one is where a search stops if
//! the best move is stable; [`Stability`] says by how much to stretch it when the
//! best move keeps changing or its value falls. A solver in front of a search
//! gets a [share](TimeManager::share) of the time planned for the move, and the
//! search goes on with [what is left](TimeManager::after_share). Nothing here
//! knows a game: the number of moves still to come is estimated from the plies
//! already played and the typical length of a game, which the caller may give
//! ([`TimeOptions`]).

use std::time::{Duration, Instant};

use games::Player;

use crate::Limits;

/// What the use of a clock assumes about the game and the way to the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOptions {
    /// Plies of a typical game from its start. Default 60.
    pub game_plies: u32,
    /// Time that passes outside the search for each move (the protocol, the
    /// referee, the scheduler) and is charged to the clock. Default 15 ms.
    pub overhead: Duration,
}

impl Default for TimeOptions {
    fn default() -> TimeOptions {
        TimeOptions { game_plies: 60, overhead: Duration::from_millis(15) }
    }
}

impl TimeOptions {
    /// How many moves a player still has to make after `plies` plies of the
    /// game. A game that lasts longer than typical is never expected to be nearly
    /// over: a quarter of a typical game, and at least ten plies, are always
    /// planned for.
    pub fn moves_to_go(&self, plies: u32) -> u32 {
        let left = self.game_plies.saturating_sub(plies).max(self.game_plies / 4).max(10);
        left.div_ceil(2)
    }
}

/// The deadlines of one search.
///
/// ```
/// use std::time::Duration;
/// use games::Player;
/// use search::{Limits, TimeManager, TimeOptions};
///
/// let limits = Limits::time(Duration::from_secs(60));
/// let time = TimeManager::new(&limits, Player::First, 0, &TimeOptions::default());
/// assert!(!time.hard_expired() && !time.on_clock());
/// assert!(time.share(0.5).left() <= Some(Duration::from_secs(30)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TimeManager {
    begun: Instant,
    /// What is planned for this move: all of a move's time, an even part of a
    /// clock's.
    planned: Option<Duration>,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// When the search began for which the soft deadline is meant.
    soft_from: Duration,
}

impl TimeManager {
    /// Starts the time of `mover`, who is to move after `plies` plies of the
    /// game.
    pub fn new(limits: &Limits, mover: Player, plies: u32, options: &TimeOptions) -> TimeManager {
        let (planned, soft, hard) = match limits.clock {
            None => (limits.time, None, limits.time),
            Some(clock) => {
                let (left, increment) = clock.of(mover);
                let Budget { planned, soft, hard } = budget(left, increment, plies, options);
                let most = limits.time.unwrap_or(Duration::MAX);
                (Some(planned.min(most)), Some(soft), Some(hard.min(most)))
            }
        };
        TimeManager { begun: Instant::now(), planned, soft, hard, soft_from: Duration::ZERO }
    }

    /// No deadline.
    pub fn unlimited() -> TimeManager {
        TimeManager::of(None)
    }

    /// One hard deadline, or none.
    pub fn of(time: Option<Duration>) -> TimeManager {
        let begun = Instant::now();
        TimeManager { begun, planned: time, soft: None, hard: time, soft_from: Duration::ZERO }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the time is up.
    pub fn hard_expired(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether more search is not worth its time, the soft deadline stretched by
    /// `factor` (see [`Stability::factor`]). Without a clock there is nothing to
    /// save.
    pub fn soft_expired(&self, factor: f64) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= self.soft_from + soft.mul_f64(factor))
    }

    /// Whether time saved on this move can be spent on another one.
    pub fn on_clock(&self) -> bool {
        self.soft.is_some()
    }

    /// What is left until the hard deadline; `None` without one.
    pub fn left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.elapsed()))
    }

    /// The part of the planned time that something in front of the search may
    /// use, counted from the beginning; without a deadline there is none here
    /// either.
    pub fn share(&self, fraction: f64) -> TimeManager {
        let share = self.planned.map(|planned| planned.mul_f64(fraction));
        let hard = self.hard.map(|hard| share.map_or(hard, |share| hard.min(share)));
        TimeManager { planned: share, soft: None, hard, ..*self }
    }

    /// The part of the time until the hard deadline that something in front of the search
    /// may use where it is likely to end the need for time: of a clock this is more than an
    /// even part.
    pub fn long_share(&self, fraction: f64) -> TimeManager {
        let hard = self.hard.map(|hard| hard.mul_f64(fraction));
        TimeManager { planned: hard, soft: None, hard, ..*self }
    }

    /// The same deadlines for the search that goes on after a share was used: the
    /// hard one stays where it is, and the soft one counts from now.
    pub fn after_share(&self) -> TimeManager {
        TimeManager { soft_from: self.elapsed(), ..*self }
    }

    /// The same with at most so much time in all.
    pub fn at_most(&self, time: Duration) -> TimeManager {
        let least = |known: Option<Duration>| Some(known.map_or(time, |known| known.min(time)));
        TimeManager { planned: least(self.planned), hard: least(self.hard), ..*self }
    }
}

/// What one move may take of a clock.
struct Budget {
    planned: Duration,
    soft: Duration,
    hard: Duration,
}

/// Divides a clock.
///
/// The increment comes only after the move, so it may be planned with but never
/// spent in advance: the hard part stays within half of what is left.
fn budget(left: Duration, increment: Duration, plies: u32, options: &TimeOptions) -> Budget {
    let usable = left.saturating_sub(options.overhead);
    let gain = increment.saturating_sub(options.overhead);
    let planned = usable / options.moves_to_go(plies) + gain.mul_f64(0.75);
    let hard = planned.mul_f64(3.5).min(usable / 2);
    Budget { planned: planned.min(hard), soft: planned.mul_f64(0.8).min(hard), hard }
}

/// How stable the best move and its value are, from what the search found so
/// far.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    best: Option<u16>,
    changes: f64,
    expected: f64,
    fall: f64,
}

impl Stability {
    /// Takes note of the best move (its code) and its expected result for the
    /// mover, from -1 to 1, after another iteration.
    pub fn note(&mut self, best: u16, expected: f64) {
        self.changes *= 0.5;
        self.fall *= 0.5;
        if let Some(before) = self.best {
            if before != best {
                self.changes += 1.0;
            }
            self.fall += (self.expected - expected).max(0.0);
        }
        self.best = Some(best);
        self.expected = expected;
    }

    /// By how much to stretch the soft deadline: 0.6 for a stable move, up to 3.
    pub fn factor(&self) -> f64 {
        0.6 + 0.6 * self.changes.min(2.0) + 3.0 * self.fall.min(0.4)
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
        // Each move costs its hard part and the overhead, at any game length.
        for (left, increment) in [(60_000, 0), (1_000, 0), (100, 0), (10_000, 100), (0, 1_000)] {
            for game_plies in [10, 60, 300] {
                let options = TimeOptions { game_plies, ..TimeOptions::default() };
                let mut rest = MS * left.max(increment);
                for own in 0..400 {
                    let Budget { planned, soft, hard } =
                        budget(rest, MS * increment, own * 2, &options);
                    assert!(soft <= planned && planned <= hard);
                    let spent =
                        hard + if hard.is_zero() { Duration::ZERO } else { options.overhead };
                    assert!(spent <= rest, "move {own}: {spent:?} of {rest:?}");
                    rest = rest - spent + MS * increment;
                }
            }
        }
    }

    #[test]
    fn a_typical_game_spends_most_of_its_time() {
        let options = TimeOptions::default();
        let mut rest = MS * 60_000;
        for own in 0..30 {
            rest -= budget(rest, Duration::ZERO, own * 2, &options).soft;
        }
        assert!(rest < MS * 60_000 / 3, "{rest:?} unspent");
    }

    #[test]
    fn limits_hold_together_and_none_means_no_deadline() {
        let options = TimeOptions::default();
        let both = Limits { time: Some(MS), ..clock(MS * 60_000, MS) };
        let time = TimeManager::new(&both, Player::First, 0, &options);
        assert!(time.hard.unwrap() == MS && time.on_clock());
        let free = TimeManager::new(&Limits::default(), Player::Second, 0, &options);
        assert!(!free.hard_expired() && !free.soft_expired(0.0) && !free.on_clock());
        assert!(free.left().is_none() && free.share(0.5).left().is_none());
    }

    #[test]
    fn a_share_is_a_part_and_leaves_the_soft_deadline_to_the_rest() {
        let options = TimeOptions::default();
        for limits in [Limits::time(MS * 900), clock(MS * 60_000, MS * 100)] {
            let whole = TimeManager::new(&limits, Player::First, 0, &options);
            let half = whole.share(0.5);
            assert!(half.hard < whole.hard && !half.on_clock());
            assert_eq!(half.hard, whole.planned.map(|planned| planned.mul_f64(0.5)));
            // A long share is as much on a move's time, and more on a clock.
            let long = whole.long_share(0.5);
            assert!(long.hard < whole.hard && !long.on_clock());
            assert_eq!(long.hard > half.hard, whole.on_clock());
            let rest = whole.after_share();
            assert!(rest.hard == whole.hard && rest.soft == whole.soft);
            assert!(rest.soft_from > whole.soft_from && !rest.soft_expired(0.6));
            assert_eq!(whole.at_most(MS).hard, Some(MS));
        }
    }

    #[test]
    fn stability_falls_with_changes_and_losses_and_recovers() {
        let mut calm = Stability::default();
        (0..8).for_each(|_| calm.note(3, 0.2));
        let mut changed = calm.clone();
        changed.note(4, 0.2);
        let mut falling = calm.clone();
        falling.note(3, -0.1);
        assert!(calm.factor() < changed.factor() && calm.factor() < falling.factor());
        (0..8).for_each(|_| changed.note(4, 0.2));
        assert!((changed.factor() - calm.factor()).abs() < 0.01);
        (0..50).for_each(|n| changed.note(n, -f64::from(n) / 25.0));
        assert!(changed.factor() <= 3.0);
    }
}
