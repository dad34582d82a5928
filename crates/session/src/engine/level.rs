//! Strength from 1 to 10, so that a beginner can win and always has a next
//! opponent.
//!
//! A level errs as people do. On a careless turn it looks at a few moves only,
//! chosen by chance, and plays the one that looks best at once: mostly a sensible
//! move, sometimes one that overlooks a capture. On every other turn it searches,
//! and the higher levels search more. How often, how few and how much stands in
//! the game's row ([`Strength`]); the figures were chosen by matches between
//! neighbouring levels (`docs/board.md`).

use games::{Game, MoveList, Record, Rng};
use search::{Engine, Heuristic, Limits, SearchControl, SearchInfo};

/// One level of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Turns in a hundred on which it is careless.
    pub careless: u32,
    /// Moves that it looks at on a careless turn.
    pub sample_size: u32,
    /// Nodes or simulations of a search on any other turn.
    pub nodes: u64,
}

impl Strength {
    /// A level: careless turns in a hundred, moves looked at on them, nodes of a
    /// search.
    pub const fn new(careless: u32, sample_size: u32, nodes: u64) -> Strength {
        Strength { careless, sample_size, nodes }
    }

    /// Ten levels for a game whose own were not measured.
    pub const UNMEASURED: [Strength; 10] = [
        Strength::new(100, 1, 20),
        Strength::new(90, 2, 20),
        Strength::new(75, 2, 40),
        Strength::new(60, 2, 80),
        Strength::new(45, 2, 160),
        Strength::new(30, 3, 300),
        Strength::new(15, 3, 600),
        Strength::new(5, 4, 1_500),
        Strength::new(0, 1, 5_000),
        Strength::new(0, 1, 20_000),
    ];
}

/// The best engine, weakened.
pub struct Level<E, H> {
    engine: E,
    /// What a careless turn judges by.
    heuristic: H,
    strength: Strength,
    rng: Rng,
}

impl<E, H> Level<E, H> {
    /// An engine at some strength, with the evaluation of its careless turns.
    pub fn new(engine: E, heuristic: H, strength: Strength, seed: u64) -> Level<E, H> {
        Level { engine, heuristic, strength, rng: Rng::seeded(seed) }
    }

    /// The best of a few moves by what they lead to at once.
    fn best_of_sample<G: Game>(&mut self, game: &G) -> Option<G::Move>
    where
        H: Heuristic<G>,
    {
        /// Beyond every evaluation.
        const DECIDED: i32 = 100_000;
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let sign = game.to_move().sign();
        let mut best = None;
        for _ in 0..self.strength.sample_size.min(moves.len() as u32) {
            let mv = moves.swap_remove(self.rng.below(moves.len()));
            let next = game.after(mv);
            let for_first = match next.outcome() {
                Some(outcome) => outcome.for_first() * DECIDED,
                None => self.heuristic.evaluate(&next),
            };
            if best.is_none_or(|(value, _)| for_first * sign > value) {
                best = Some((for_first * sign, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}

impl<G: Game, E: Engine<G>, H: Heuristic<G>> Engine<G> for Level<E, H> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        if self.rng.unit() * 100.0 < f64::from(self.strength.careless) {
            let best = self.best_of_sample(record.game());
            let nodes = self.strength.sample_size.into();
            return SearchInfo { best, nodes, ..SearchInfo::default() };
        }
        let nodes = Some(self.strength.nodes);
        let limits = Limits { sims: nodes, nodes, ..*control.limits() };
        self.engine.search(record, &control.within(limits, *control.time()))
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        self.engine.guess(record, limits)
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.engine.static_guess()
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::stream(seed, 1);
        self.engine.new_game(seed);
    }

    fn warm_up(&mut self, game: &G) {
        self.engine.warm_up(game);
    }
}
