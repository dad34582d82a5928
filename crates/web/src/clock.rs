//! Game clocks that tell the truth, whatever happens to the machine's.
//!
//! While a process lives its clocks follow the monotonic time of the system:
//! setting the wall clock, by hand or over the network, changes nothing. What a
//! running clock has left is written down with each move and once a second.
//! After a restart that number decides, because it is unknown how long the
//! machine was down; the game says so ([`Clocks::resume`]).

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use games::Player;
use serde::{Deserialize, Serialize};

/// This process: its number, when it began, and what the wall clock said then.
static PROCESS: LazyLock<(u64, Instant, u64)> =
    LazyLock::new(|| (crate::id::seed(), Instant::now(), wall_clock()));

static WALL_SHIFT: AtomicI64 = AtomicI64::new(0);

/// Milliseconds on this process's own time, which can't be set. It began with
/// the wall clock's number.
pub fn now() -> u64 {
    let (_, began, wall) = *PROCESS;
    wall + began.elapsed().as_millis() as u64
}

/// Milliseconds since 1970 by the wall clock, for people to read.
pub fn wall_clock() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    (time as u64).saturating_add_signed(WALL_SHIFT.load(Relaxed))
}

/// Makes the wall clock of this process jump by so many milliseconds, to test
/// that no game minds.
#[doc(hidden)]
pub fn shift_wall_clock(milliseconds: i64) {
    WALL_SHIFT.store(milliseconds, Relaxed);
}

/// The clocks of a game. All times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// What each player had left at `since`, or has if nothing runs.
    pub left: [u64; 2],
    /// What each player began with; `None` in games of older versions.
    #[serde(default)]
    pub total: Option<u64>,
    /// What a player gets after each move.
    pub increment: u64,
    /// Whose clock runs, and since when on the time of `process`.
    pub running: Option<(usize, u64)>,
    /// Stopped by hand.
    pub paused: bool,
    /// The process that let the clock run; none in stores of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<u64>,
}

impl Clocks {
    /// Full clocks, not running yet.
    pub fn new(total: u64, increment: u64) -> Clocks {
        Clocks {
            left: [total; 2],
            total: Some(total),
            increment,
            running: None,
            paused: false,
            process: None,
        }
    }

    /// Whether numbers read from a file are those of a clock.
    pub fn is_sound(&self) -> bool {
        const MOST: u64 = 1 << 40;
        self.left.iter().chain([&self.increment]).chain(&self.total).all(|&time| time < MOST)
            && self.running.is_none_or(|(player, since)| player < 2 && since < 1 << 60)
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
        self.process = None;
    }

    /// Lets a player's clock run from now on, unless paused.
    pub fn run(&mut self, player: Player, now: u64) {
        self.stop(now);
        if !self.paused {
            self.running = Some((player as usize, now));
            self.process = Some(PROCESS.0);
        }
    }

    /// A player has moved: charged, and given the increment.
    pub fn moved(&mut self, player: Player, now: u64) {
        self.stop(now);
        self.left[player as usize] += self.increment;
    }

    /// The same clocks, charged until now: what is written down.
    pub fn charged(&self, now: u64) -> Clocks {
        let running = self.running.map(|(player, _)| (player, now));
        Clocks { left: self.left_at(now), running, ..*self }
    }

    /// Goes on with clocks that were written down. Says whether another process
    /// let one run: then it goes on with what it had left there.
    pub fn resume(&mut self, now: u64) -> bool {
        let Some((player, _)) = self.running.filter(|_| self.process != Some(PROCESS.0)) else {
            return false;
        };
        self.running = Some((player, now));
        self.process = Some(PROCESS.0);
        true
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
        let mut again: Clocks = serde_json::from_str(&text).unwrap();
        assert!(!again.resume(2_000), "the same process goes on");
        assert_eq!(again.left_at(4_000), [7_000, 10_000]);
        assert_eq!(again.charged(4_000).left_at(5_000), [6_000, 10_000]);
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

    #[test]
    fn after_a_restart_the_stored_time_decides() {
        // Written by another process, an hour ago or an hour ahead; and by an
        // earlier version, which did not say by whom.
        for since in [0, 3_600_000, 7_200_000] {
            for process in ["", ",\"process\":5"] {
                let text = format!(
                    "{{\"left\":[9000,8000],\"increment\":0,\"running\":[1,{since}],\"paused\":false{process}}}"
                );
                let mut clocks: Clocks = serde_json::from_str(&text).unwrap();
                assert!(clocks.resume(3_600_000));
                assert_eq!(clocks.left_at(3_601_000), [9_000, 7_000]);
                assert!(!clocks.resume(3_700_000), "once");
            }
        }
    }

    #[test]
    fn a_jump_of_the_wall_clock_is_not_noticed() {
        let mut clocks = Clocks::new(60_000, 0);
        clocks.run(Player::First, now());
        for jump in [3_600_000, -3_600_000] {
            let before = (now(), wall_clock());
            shift_wall_clock(jump);
            let after = (now(), wall_clock());
            shift_wall_clock(0);
            assert!(after.0 - before.0 < 5_000 && after.1.abs_diff(before.1) > 3_000_000);
            assert!(clocks.left_at(now())[0] > 50_000 && clocks.fallen(now()).is_none());
        }
    }
}
