//! One game of self-play, from its start to its [`Played`] form.

use games::{Game, Outcome, Player, Reason, Rng};
use search::{Budget, Evaluation, Leaf, Oracle};

use super::game::{Played, Ply};
use super::search::Search;
use super::settings::Settings;

/// How a position is, with its history: over, or not.
pub(super) struct History {
    /// The keys of all positions, the one on the board included.
    keys: Vec<u64>,
    longest: usize,
}

impl History {
    /// How the game ended at `game`, whose keys since the board's position are
    /// `below`; that is, for First.
    fn over<G: Game>(&self, game: &G, below: &[u64]) -> Option<Outcome> {
        let plies = self.keys.len() - 1 + below.len();
        let cut = || {
            let cut = self.longest != 0 && plies >= self.longest;
            cut.then(|| Outcome::by_lead(game.lead(), Reason::MoveCap))
        };
        let history_outcome = || {
            let key = *below.last().or(self.keys.last())?;
            let times = self.keys.iter().chain(below).filter(|&&other| other == key).count();
            game.history_outcome(plies as u32, times as u32)
        };
        game.outcome().or_else(history_outcome).or_else(cut)
    }
}

/// A game being played.
pub(super) struct Table<G: Game> {
    game: G,
    last: Option<G::Move>,
    history: History,
    plies: Vec<Ply>,
    search: Search<G>,
    rng: Rng,
    id: u64,
    /// Whether the move being searched is learnt from.
    learnt: bool,
    /// Whether this game may be given up, and for how many moves in a row each
    /// side has had no hope.
    yields: bool,
    hopeless: [u32; 2],
}

impl<G: Game> Table<G> {
    /// Begins game `id` of a run with this seed: it depends on nothing else.
    pub fn new(start: &G, settings: &Settings, seed: u64, id: u64) -> Table<G> {
        let mut rng = Rng::stream(seed, id);
        let yields = settings.resign.is_some_and(|resign| rng.unit() >= resign.check);
        let mut table = Table {
            game: start.clone(),
            last: None,
            history: History { keys: vec![start.key()], longest: settings.longest },
            plies: Vec::new(),
            search: Search::new(settings.root),
            rng,
            id,
            learnt: true,
            yields,
            hopeless: [0; 2],
        };
        for _ in 0..table.rng.below(settings.random_plies + 1) {
            let mv = table.game.random_move(&mut table.rng);
            let Some(mv) = mv.filter(|&mv| table.game.after(mv).outcome().is_none()) else { break };
            table.plies.push(Ply::unsearched(mv.into()));
            table.advance(mv);
        }
        table.ponder(settings);
        table
    }

    /// Who moves.
    pub fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn advance(&mut self, mv: G::Move) {
        self.game.play(mv);
        self.last = Some(mv);
        self.history.keys.push(self.game.key());
    }

    /// Begins the search of a move.
    fn ponder(&mut self, settings: &Settings) {
        self.learnt = settings.quick == 0.0 || self.rng.unit() >= settings.quick;
        let sims = if self.learnt { settings.sims } else { settings.quick_sims };
        let (game, rng) = (self.game.clone(), &mut self.rng);
        self.search.begin(game, self.last, sims, settings.reuse, rng);
    }

    /// Plays on until a leaf is to be judged, or gives the finished game.
    pub fn step(
        &mut self,
        settings: &Settings,
        oracle: Option<&dyn Oracle<G>>,
    ) -> Result<Leaf<G>, Played> {
        loop {
            let history = &self.history;
            let over = |game: &G, below: &[u64]| {
                history.over(game, below).map(|outcome| outcome.for_first() as f32)
            };
            if let Some(leaf) = self.search.next(over) {
                return Ok(leaf);
            }
            if let Some(winner) = self.play(settings).or_else(|| self.known(settings, oracle)) {
                return Err(self.finish(winner));
            }
            self.ponder(settings);
        }
    }

    /// Plays what the search found; says for whom the game ended, if it did.
    fn play(&mut self, settings: &Settings) -> Option<Option<Player>> {
        let mover = self.game.to_move();
        let lively = self.plies.len() < settings.lively_plies;
        let found = self.search.found(lively, &mut self.rng);
        let policy: &[f32] = if self.learnt { &found.policy } else { &[] };
        let ply = Ply::searched(found.best.into(), found.value, policy);
        self.plies.push(ply.with_surprise(found.surprise));
        self.advance(found.best);
        if let Some(outcome) = self.history.over(&self.game, &[]) {
            return Some(outcome.winner);
        }
        let resign = settings.resign.filter(|_| self.yields)?;
        let hopeless = &mut self.hopeless[mover as usize];
        *hopeless = match found.value * (mover.sign() as f32) < resign.below {
            true => *hopeless + 1,
            false => 0,
        };
        (*hopeless >= resign.moves).then_some(Some(!mover))
    }

    /// Who wins for certain, if the oracle knows.
    fn known(&self, settings: &Settings, oracle: Option<&dyn Oracle<G>>) -> Option<Option<Player>> {
        let oracle = oracle.filter(|_| settings.exact > 0)?;
        let budget = Budget { nodes: settings.exact, stop: None };
        Some(oracle.probe(&self.game, &budget)?.winner)
    }

    fn finish(&mut self, winner: Option<Player>) -> Played {
        Played {
            id: self.id,
            setup: self.game.setup().to_string(),
            plies: std::mem::take(&mut self.plies),
            result: winner.map_or(0, |winner| winner.sign() as i8),
        }
    }

    /// Takes the judgement of the leaf given last.
    pub fn apply(&mut self, evaluation: Evaluation) {
        self.search.apply(evaluation, &mut self.rng);
    }
}
