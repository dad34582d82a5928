//! Random positions: what data sets are made of.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use games::TextError;

use super::games::{BatchGame, Games, History};
use crate::Playable;

impl<G: Playable> Games<G> {
    /// See [`ErasedBatch::scatter`](super::ErasedBatch::scatter).
    pub(super) fn scatter_games(
        &mut self,
        count: usize,
        plies: RangeInclusive<u32>,
        distinct: bool,
        stop: &AtomicBool,
    ) -> Result<(), TextError> {
        /// Positions in a row that brought nothing new before it gives up.
        const PATIENCE: usize = 10_000;
        let (low, span) = (*plies.start(), plies.end().saturating_sub(*plies.start()) + 1);
        let (mut games, mut kept) = (Vec::with_capacity(count), Vec::new());
        let mut seen = HashSet::new();
        let mut misses = 0;
        while games.len() < count {
            if stop.load(Relaxed) {
                return Err(TextError::new("stopped"));
            }
            if misses == PATIENCE {
                return Err(TextError::new(format!(
                    "{} of {count} positions were found after {low} to {} plies, and then none in \
                     {PATIENCE} tries; ask for fewer, or for more plies",
                    games.len(),
                    plies.end()
                )));
            }
            misses += 1;
            let mut one = BatchGame::new(self.start.clone());
            let mut history = History::new(&self.start);
            for _ in 0..low + self.rng.below(span as usize) as u32 {
                if one.play_random(&mut self.rng, &mut history).is_some() {
                    break;
                }
            }
            if one.outcome.is_none() && (!distinct || seen.insert(one.game.canonical().0.key())) {
                games.push(one);
                if G::USES_HISTORY {
                    kept.push(history);
                }
                misses = 0;
            }
        }
        (self.games, self.histories) = (games, kept);
        Ok(())
    }
}
