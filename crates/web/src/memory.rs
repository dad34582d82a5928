//! The memory of all engines of a server, and what each gets of it.
//!
//! An engine fills whatever it is given, so it is the sum that must be bounded,
//! and twenty people must fit in it. The first engine gets a quarter; a later
//! one gets less than a quarter of what is left, the less is left, so that
//! nearly forty find something. Analyses leave the last eighth to games. When
//! too little is left, engines that wait for their opponents are closed and
//! search the position anew; nothing else is lost.
//!
//! Games that find none wait in turn: first those of the client with the fewest
//! engines, among these the one that has waited longest. While any waits, the
//! engine that has been held longest, of the client with the most, must yield
//! after [`TURN`]. [`AppState::lease`] makes an engine
//! with its share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use session::{EngineHandle, EngineSpec, Session};

use crate::error::ApiError;
use crate::live_game::AppState;

/// The least that is worth playing with, in megabytes.
const LEAST: u64 = 8;
/// How long an engine keeps its memory while a game waits for some.
const TURN: Duration = Duration::from_secs(10);
/// A game that has not asked again for this long waits no more.
const STALE: Duration = Duration::from_secs(5);

/// For whom memory is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The game, by its id.
    pub game: String,
    /// Its owner; turns are shared fairly among these.
    pub client: String,
}

struct Held {
    claim: Claim,
    since: Instant,
}

struct Waiting {
    claim: Claim,
    since: Instant,
    asked: Instant,
}

struct State {
    left: u64,
    next: u64,
    held: HashMap<u64, Held>,
    waiting: Vec<Waiting>,
}

impl State {
    fn engines_of(&self, client: &str) -> usize {
        self.held.values().filter(|held| held.claim.client == client).count()
    }

    fn drop_stale(&mut self, now: Instant) {
        self.waiting.retain(|one| now.duration_since(one.asked) < STALE);
    }

    /// The game whose turn it is.
    fn first(&self) -> Option<&Claim> {
        let turn = |one: &&Waiting| (self.engines_of(&one.claim.client), one.since);
        self.waiting.iter().min_by_key(turn).map(|one| &one.claim)
    }

    fn wait(&mut self, claim: &Claim, now: Instant) {
        match self.waiting.iter_mut().find(|one| one.claim == *claim) {
            Some(one) => one.asked = now,
            None => self.waiting.push(Waiting { claim: claim.clone(), since: now, asked: now }),
        }
    }
}

/// A number of megabytes for all engines.
pub struct MemoryBudget {
    all: u64,
    state: Mutex<State>,
}

impl MemoryBudget {
    /// So many megabytes in all.
    pub fn new(megabytes: u64) -> Arc<MemoryBudget> {
        give_large_blocks_back();
        let all = megabytes.max(LEAST);
        let state = State { left: all, next: 0, held: HashMap::new(), waiting: Vec::new() };
        Arc::new(MemoryBudget { all, state: Mutex::new(state) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the next engine gets, at most `wanted`.
    fn share(&self, left: u64, wanted: u64) -> u64 {
        wanted.min((left * left / self.all / 4).max(LEAST))
    }

    /// A part of what is left for a game's engine, at most `wanted`. If that is too
    /// little, or it is another's turn, the game waits and has to ask again.
    pub fn take(self: &Arc<MemoryBudget>, wanted: u64, claim: &Claim) -> Option<MemoryLease> {
        self.take_at(wanted, claim, Instant::now())
    }

    fn take_at(
        self: &Arc<MemoryBudget>,
        wanted: u64,
        claim: &Claim,
        now: Instant,
    ) -> Option<MemoryLease> {
        let mut state = self.lock();
        state.drop_stale(now);
        let megabytes = self.share(state.left, wanted);
        if megabytes > state.left || state.first().is_some_and(|first| first != claim) {
            state.wait(claim, now);
            // It may be its turn by that: another client's wait is younger.
            if megabytes > state.left || state.first() != Some(claim) {
                return None;
            }
        }
        state.waiting.retain(|one| one.claim != *claim);
        state.left -= megabytes;
        let id = state.next;
        state.next += 1;
        state.held.insert(id, Held { claim: claim.clone(), since: now });
        Some(MemoryLease { budget: Arc::clone(self), megabytes, id })
    }

    /// A part of what games leave, for an analysis.
    pub fn take_spare(self: &Arc<MemoryBudget>, wanted: u64) -> Option<MemoryLease> {
        let mut state = self.lock();
        state.drop_stale(Instant::now());
        let megabytes = self.share(state.left, wanted);
        let rest = state.left.checked_sub(megabytes)?;
        if !state.waiting.is_empty() || rest < self.all / 8 {
            return None;
        }
        state.left = rest;
        let id = state.next;
        state.next += 1;
        Some(MemoryLease { budget: Arc::clone(self), megabytes, id })
    }

    /// Whether the next game might get nothing.
    pub fn is_short(&self) -> bool {
        let state = self.lock();
        state.left < LEAST || !state.waiting.is_empty()
    }

    /// Whether a game has to return its memory, because its turn is over and
    /// others wait.
    pub fn must_yield(&self, game: &str) -> bool {
        self.must_yield_at(game, Instant::now())
    }

    fn must_yield_at(&self, game: &str, now: Instant) -> bool {
        let mut state = self.lock();
        state.drop_stale(now);
        if state.waiting.is_empty() {
            return false;
        }
        let over = state.held.values().filter(|held| now.duration_since(held.since) >= TURN);
        let age = |held: &&Held| (state.engines_of(&held.claim.client), now - held.since);
        over.max_by_key(age).is_some_and(|held| held.claim.game == game)
    }
}

/// Lets the allocator return every large block to the system when it is freed.
///
/// Left alone, glibc raises its limit for that with each block that is freed, up
/// to 32 MB. Then trees of that size come out of its arenas, which write every
/// page of them and keep them: twenty engines of 16 MB, made again and again,
/// filled 600 MB and more where they now have 40 to begin with.
fn give_large_blocks_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it sets a number of the allocator, which locks itself for that.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
    }
}

/// Some megabytes, given back when dropped.
pub struct MemoryLease {
    budget: Arc<MemoryBudget>,
    megabytes: u64,
    id: u64,
}

impl MemoryLease {
    /// How many.
    pub fn megabytes(&self) -> u64 {
        self.megabytes
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.left += self.megabytes;
        state.held.remove(&self.id);
    }
}

/// An engine and the memory that it may fill. In this order: the memory is given
/// back when the engine is gone.
pub struct LeasedEngine {
    /// The engine.
    pub handle: EngineHandle,
    _memory: Option<MemoryLease>,
}

impl AppState {
    /// Makes sure that an engine's name means something in a session's game.
    pub fn check(&self, session: &Session, text: &str) -> Result<(), ApiError> {
        session.check_engine(&self.engine_limits.engine(text)?).map_err(ApiError::bad)
    }

    /// An engine for a session's game with a part of the server's memory; none if
    /// there is too little left just now. Without a claim it is for an analysis,
    /// which gets what games leave.
    pub fn lease(
        &self,
        session: &Session,
        mut spec: EngineSpec,
        seed: u64,
        claim: Option<&Claim>,
    ) -> Result<Option<LeasedEngine>, ApiError> {
        let mut memory = None;
        if let Some(name) = spec.family().memory() {
            let share = match claim {
                Some(claim) => self.memory.take(spec.value(name), claim),
                None => self.memory.take_spare(spec.value(name)),
            };
            let Some(share) = share else { return Ok(None) };
            spec.set(name, &share.megabytes().to_string()).map_err(ApiError::bad)?;
            memory = Some(share);
        }
        let handle = session.engine(&spec, seed).map_err(ApiError::bad)?;
        Ok(Some(LeasedEngine { handle, _memory: memory }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(game: usize, client: &str) -> Claim {
        Claim { game: game.to_string(), client: client.to_owned() }
    }

    #[test]
    fn the_sum_is_bounded_and_comes_back() {
        let budget = MemoryBudget::new(1024);
        let mut games = 0..;
        let next = || budget.take(384, &claim(games.next()?, "a"));
        let leases: Vec<MemoryLease> = std::iter::from_fn(next).collect();
        assert_eq!(leases[0].megabytes(), 256, "one alone has plenty");
        assert!(leases.len() > 36, "a classroom finds memory: {}", leases.len());
        assert!(leases.iter().map(MemoryLease::megabytes).sum::<u64>() <= 1024);
        assert!(leases.iter().all(|lease| lease.megabytes() >= LEAST));
        assert!(budget.is_short());
        let waits = claim(leases.len(), "a");
        drop(leases);
        assert_eq!(budget.take(16, &waits).map(|lease| lease.megabytes()), Some(16));
        assert!(!budget.is_short());
        assert_eq!(budget.lock().left, 1024);
    }

    #[test]
    fn analyses_leave_the_last_eighth_to_games() {
        let budget = MemoryBudget::new(1024);
        let analyses: Vec<_> = std::iter::from_fn(|| budget.take_spare(384)).collect();
        assert!(analyses.len() > 20, "{}", analyses.len());
        assert!(budget.lock().left >= 128);
        assert!(budget.take(384, &claim(1, "a")).is_some());
    }

    #[test]
    fn who_waits_gets_a_turn_and_the_client_with_the_least_goes_first() {
        let budget = MemoryBudget::new(16);
        let began = Instant::now();
        let at = |seconds: u64| began + Duration::from_secs(seconds);
        let [one, two] = [1, 2].map(|n| budget.take_at(8, &claim(n, "greedy"), at(0)).unwrap());
        assert!(budget.take_at(8, &claim(3, "greedy"), at(1)).is_none());
        assert!(budget.take_at(8, &claim(4, "honest"), at(2)).is_none());
        assert!(!budget.must_yield_at("1", at(2)), "its turn has just begun");
        budget.take_at(8, &claim(3, "greedy"), at(10));
        budget.take_at(8, &claim(4, "honest"), at(10));
        let yields = |at| ["1", "2"].map(|game| budget.must_yield_at(game, at));
        assert_eq!(yields(at(10)).iter().filter(|yields| **yields).count(), 1, "one at a time");
        drop(one);
        assert!(budget.take_at(8, &claim(3, "greedy"), at(11)).is_none(), "not its turn");
        let honest = budget.take_at(8, &claim(4, "honest"), at(11)).unwrap();
        drop(two);
        assert!(budget.take_at(8, &claim(3, "greedy"), at(12)).is_some());
        drop(honest);
        assert!(!budget.is_short());
    }

    #[test]
    fn a_game_that_asks_no_more_holds_up_no_other() {
        let budget = MemoryBudget::new(8);
        let began = Instant::now();
        let held = budget.take_at(8, &claim(1, "a"), began).unwrap();
        assert!(budget.take_at(8, &claim(2, "b"), began).is_none());
        drop(held);
        let later = began + STALE;
        assert!(budget.take_at(8, &claim(3, "c"), later).is_some());
    }
}
