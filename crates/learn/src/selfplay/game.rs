//! One game of self-play, from its start to its [`TrainingGame`].

use games::{Game, Outcome, Player, Reason, Rng};
use search::{Evaluation, Leaf};

use super::search::Search;
use super::settings::SelfPlaySettings;
use super::training_game::{Ply, TrainingGame};

/// The positions of a game so far, for the end rules that need them.
pub(super) struct History {
    /// The keys of all positions, the current one included.
    keys: Vec<u64>,
    max_plies: usize,
}

impl History {
    /// The history of a game that starts here; `max_plies` as in the settings.
    pub fn new<G: Game>(start: &G, max_plies: usize) -> History {
        History { keys: vec![start.key()], max_plies }
    }

    /// Adds the position after a move.
    pub fn push<G: Game>(&mut self, game: &G) {
        self.keys.push(game.key());
    }

    /// The outcome at `game`, whose keys below the current position are `below`.
    pub fn outcome<G: Game>(&self, game: &G, below: &[u64]) -> Option<Outcome> {
        let plies = self.keys.len() - 1 + below.len();
        let by_length = || {
            let reached = self.max_plies != 0 && plies >= self.max_plies;
            reached.then(|| Outcome::by_lead(game.lead(), Reason::MoveCap))
        };
        let by_history = || {
            let key = *below.last().or(self.keys.last())?;
            let times = self.keys.iter().chain(below).filter(|&&other| other == key).count();
            game.history_outcome(plies as u32, times as u32)
        };
        game.outcome().or_else(by_history).or_else(by_length)
    }
}

/// Whether a game may be resigned, and the random moves it begins with: the first
/// things that its random numbers decide.
pub(super) fn opening<G: Game>(
    start: &G,
    settings: &SelfPlaySettings,
    rng: &mut Rng,
) -> (bool, Vec<G::Move>) {
    let may_resign = settings.resign.is_some_and(|resign| rng.unit() >= resign.check);
    let (mut game, mut moves) = (start.clone(), Vec::new());
    for _ in 0..rng.below(settings.random_plies + 1) {
        let mv = game.random_move(rng);
        let Some(mv) = mv.filter(|&mv| game.after(mv).outcome().is_none()) else { break };
        game.play(mv);
        moves.push(mv);
    }
    (may_resign, moves)
}

/// A game being played.
pub(super) struct SelfPlayGame<G: Game> {
    game: G,
    last: Option<G::Move>,
    history: History,
    plies: Vec<Ply>,
    search: Search<G>,
    rng: Rng,
    id: u64,
    /// Whether the current search is a full one, whose policy is a target.
    full_search: bool,
    may_resign: bool,
    /// Consecutive moves at which each side's value was lost.
    lost_moves: [u32; 2],
}

impl<G: Game> SelfPlayGame<G> {
    /// Starts game `id` of a run with this seed: it depends on nothing else.
    pub fn new(start: &G, settings: &SelfPlaySettings, seed: u64, id: u64) -> SelfPlayGame<G> {
        let mut rng = Rng::stream(seed, id);
        let (may_resign, opening) = opening(start, settings, &mut rng);
        let mut this = SelfPlayGame {
            game: start.clone(),
            last: None,
            history: History::new(start, settings.max_plies),
            plies: Vec::new(),
            search: Search::new(settings.root),
            rng,
            id,
            full_search: true,
            may_resign,
            lost_moves: [0; 2],
        };
        for mv in opening {
            this.plies.push(Ply::unsearched(mv.into()));
            this.advance(mv);
        }
        this.start_search(settings);
        this
    }

    /// The side to move.
    pub fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn advance(&mut self, mv: G::Move) {
        self.game.play(mv);
        self.last = Some(mv);
        self.history.push(&self.game);
    }

    fn start_search(&mut self, settings: &SelfPlaySettings) {
        self.full_search = settings.fast == 0.0 || self.rng.unit() >= settings.fast;
        let sims = if self.full_search { settings.sims } else { settings.fast_sims };
        let (game, rng) = (self.game.clone(), &mut self.rng);
        self.search.start(game, self.last, sims, settings.reuse, rng);
    }

    /// Plays on until a leaf must be evaluated, or gives the finished game.
    /// `adjudicate` gives the winner of a position whose result is proven.
    pub fn step(
        &mut self,
        settings: &SelfPlaySettings,
        adjudicate: impl Fn(&G) -> Option<Option<Player>>,
    ) -> Result<Leaf<G>, TrainingGame> {
        loop {
            let history = &self.history;
            let terminal = |game: &G, below: &[u64]| {
                history.outcome(game, below).map(|outcome| outcome.for_first() as f32)
            };
            if let Some(leaf) = self.search.next(terminal) {
                return Ok(leaf);
            }
            if let Some(winner) = self.play(settings).or_else(|| adjudicate(&self.game)) {
                return Err(self.finish(winner));
            }
            self.start_search(settings);
        }
    }

    /// Plays the search's move; gives the winner if the game ended.
    fn play(&mut self, settings: &SelfPlaySettings) -> Option<Option<Player>> {
        let mover = self.game.to_move();
        let exploring = self.plies.len() < settings.exploring_plies;
        let result = self.search.result(exploring, &mut self.rng);
        let policy: &[f32] = if self.full_search { &result.policy } else { &[] };
        let ply = Ply::searched(result.best.into(), result.value, policy);
        self.plies.push(ply.with_surprise(result.surprise));
        self.advance(result.best);
        if let Some(outcome) = self.history.outcome(&self.game, &[]) {
            return Some(outcome.winner);
        }
        let resign = settings.resign.filter(|_| self.may_resign)?;
        let lost = &mut self.lost_moves[mover as usize];
        *lost = match result.value * (mover.sign() as f32) < resign.below {
            true => *lost + 1,
            false => 0,
        };
        (*lost >= resign.moves).then_some(Some(!mover))
    }

    fn finish(&mut self, winner: Option<Player>) -> TrainingGame {
        TrainingGame {
            id: self.id,
            setup: self.game.setup().to_string(),
            plies: std::mem::take(&mut self.plies),
            result: winner.map_or(0, |winner| winner.sign() as i8),
        }
    }

    /// Applies the evaluation of the leaf that [`SelfPlayGame::step`] gave last.
    pub fn apply(&mut self, evaluation: Evaluation) {
        self.search.apply(evaluation, &mut self.rng);
    }
}
