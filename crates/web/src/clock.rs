//! Game clocks that tell the truth across a crash.
//!
//! A running clock is written down as what was left and the moment since which
//! it runs, by the wall clock. So whoever reads it later, another process among
//! them, gets the same answer.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use games::Player;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// The clocks of a game. All times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// What each player had left at `since`, or has if nothing runs.
    pub left: [u64; 2],
    /// What a player gets after each move.
    pub increment: u64,
    /// Whose clock runs, and since when by the wall clock.
    pub running: Option<(usize, u64)>,
    /// Stopped by hand.
    pub paused: bool,
}

impl Clocks {
    /// Full clocks, not running yet.
    pub fn new(total: u64, increment: u64) -> Clocks {
        Clocks { left: [total; 2], increment, running: None, paused: false }
    }

    /// What each player has left at a moment.
    pub fn left_at(&self, now: u64) -> [u64; 2] {
        let mut left = self.left;
        if let Some((player, since)) = self.running {
            left[player] = left[player].saturating_sub(now.saturating_sub(since));
        }
        left
    }

    /// Charges the player whose clock runs, and stops it.
    pub fn stop(&mut self, now: u64) {
        self.left = self.left_at(now);
        self.running = None;
    }

    /// Lets a player's clock run from now on, unless paused.
    pub fn run(&mut self, player: Player, now: u64) {
        self.stop(now);
        if !self.paused {
            self.running = Some((player as usize, now));
        }
    }

    /// A player has moved: charged, and given the increment.
    pub fn moved(&mut self, player: Player, now: u64) {
        self.stop(now);
        self.left[player as usize] += self.increment;
    }

    /// Whose clock has run out.
    pub fn fallen(&self, now: u64) -> Option<Player> {
        let left = self.left_at(now);
        Player::BOTH.into_iter().find(|&player| {
            left[player as usize] == 0 && self.running.is_some_and(|(p, _)| p == player as usize)
        })
    }

    /// As a search wants to know them.
    pub fn for_search(&self, now: u64) -> search::Clock {
        search::Clock {
            left: self.left_at(now).map(Duration::from_millis),
            increment: [Duration::from_millis(self.increment); 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_conserved_and_survives_writing_down() {
        let mut clocks = Clocks::new(10_000, 500);
        clocks.run(Player::First, 1_000);
        let text = serde_json::to_string(&clocks).unwrap();
        let again: Clocks = serde_json::from_str(&text).unwrap();
        assert_eq!(again.left_at(4_000), [7_000, 10_000]);
        clocks.moved(Player::First, 4_000);
        clocks.run(Player::Second, 4_000);
        assert_eq!(clocks.left_at(6_000), [7_500, 8_000]);
        clocks.paused = true;
        clocks.run(Player::Second, 6_000);
        assert_eq!(clocks.left_at(99_000), [7_500, 8_000], "a paused clock stands");
        clocks.paused = false;
        clocks.run(Player::Second, 100_000);
        assert_eq!(clocks.fallen(107_999), None);
        assert_eq!(clocks.fallen(108_000), Some(Player::Second));
    }
}
