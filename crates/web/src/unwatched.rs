//! Games that compute although no page shows them: contest games do.
//!
//! Nothing ends such a game but its result, so their number is bounded, for one
//! address and in all. Beyond that a game waits; between two moves a game gives
//! its place to the one that has waited longest.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Games of one address.
const MOST_EACH: usize = 4;
/// Games in all.
const MOST: usize = 8;
/// A game that has not asked again for this long waits no more.
const STALE: Duration = Duration::from_secs(5);

struct Waiting {
    game: String,
    address: IpAddr,
    asked: Instant,
}

#[derive(Default)]
struct State {
    computing: Vec<IpAddr>,
    /// The one that has waited longest first.
    waiting: Vec<Waiting>,
}

impl State {
    fn has_place(&self, address: IpAddr) -> bool {
        let own = self.computing.iter().filter(|other| **other == address).count();
        self.computing.len() < MOST && own < MOST_EACH
    }

    /// The game whose turn it is.
    fn first(&self) -> Option<&str> {
        let ready = self.waiting.iter().find(|one| self.has_place(one.address));
        ready.map(|one| one.game.as_str())
    }
}

/// The places of one server.
#[derive(Clone, Default)]
pub struct UnwatchedGames(Arc<Mutex<State>>);

impl UnwatchedGames {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a game; if there is none it waits and has to ask again.
    pub fn enter(&self, game: &str, address: IpAddr) -> Option<UnwatchedPermit> {
        let mut state = self.lock();
        let now = Instant::now();
        state.waiting.retain(|one| now.duration_since(one.asked) < STALE);
        match state.waiting.iter_mut().find(|one| one.game == game) {
            Some(one) => one.asked = now,
            None => state.waiting.push(Waiting { game: game.to_owned(), address, asked: now }),
        }
        if state.first() != Some(game) {
            return None;
        }
        state.waiting.retain(|one| one.game != game);
        state.computing.push(address);
        Some(UnwatchedPermit { games: self.clone(), address })
    }

    /// Whether a game waits that could have this permit's place.
    pub fn is_wanted(&self, permit: &UnwatchedPermit) -> bool {
        let now = Instant::now();
        let state = self.lock();
        let mut waiting = state.waiting.iter();
        waiting.any(|one| {
            let all_taken = state.computing.len() >= MOST;
            now.duration_since(one.asked) < STALE && (all_taken || one.address == permit.address)
        })
    }
}

/// A place among the unwatched games, given back when dropped.
pub struct UnwatchedPermit {
    games: UnwatchedGames,
    address: IpAddr,
}

impl Drop for UnwatchedPermit {
    fn drop(&mut self) {
        let mut state = self.games.lock();
        let own = state.computing.iter().position(|other| *other == self.address);
        own.map(|at| state.computing.swap_remove(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_bounded_and_go_round() {
        let games = UnwatchedGames::default();
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        let names: Vec<String> = (0..45).map(|n| n.to_string()).collect();
        let mut places: Vec<_> =
            names.iter().filter_map(|name| games.enter(name, address(1))).collect();
        assert_eq!(places.len(), MOST_EACH);
        let other = games.enter("other", address(2)).expect("another address has its own");
        assert!(games.is_wanted(&places[0]) && !games.is_wanted(&other));
        places.pop();
        assert!(games.enter("44", address(1)).is_none(), "the last one waits for its turn");
        assert!(games.enter("4", address(1)).is_some(), "the first that waits");
        let games = UnwatchedGames::default();
        let all: Vec<_> =
            (0..20).filter_map(|n| games.enter(&format!("{n}"), address(n))).collect();
        assert_eq!(all.len(), MOST);
        assert!(games.is_wanted(&all[0]));
    }
}
