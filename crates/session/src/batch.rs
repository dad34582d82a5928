//! Many games of one setup at once: thousands of positions that are stepped,
//! masked, encoded and solved in one call.
//!
//! A caller in another language pays for each call; a batch pays once for all of
//! its games. A game here is a position, not a record: it keeps no moves, and of
//! its history only what the end rules ask for. Rules, masks, planes and solvers
//! are those of everything else.

use std::collections::HashSet;
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use exact::SolverOptions;
use games::{Game, Outcome, Record, Rng, TextError};
use learn::Shape;
use search::{Limits, SearchControl};

use crate::actions::legal_move;
use crate::session::Session;
use crate::{GameSpec, GameVisitor, Playable};

/// Many games of one setup, whatever game it is; its functions are those of
/// [`ErasedBatch`].
///
/// ```
/// use session::{GameBatch, StepBuffers};
///
/// let mut batch = GameBatch::new(&"connect-four".parse()?, 100, 1);
/// let mut masks = [0; 100 * 7];
/// let mut steps = StepBuffers {
///     actions: &mut [0; 100],
///     results: &mut [0; 100],
///     finished: &mut [false; 100],
///     movers: &mut [0; 100],
///     masks: &mut masks,
/// };
/// batch.step(None, true, &mut steps)?;
/// assert!(masks.iter().all(|&open| open == 1), "no column is full yet");
/// # Ok::<(), games::TextError>(())
/// ```
pub struct GameBatch(Box<dyn ErasedBatch>);

impl Deref for GameBatch {
    type Target = dyn ErasedBatch;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for GameBatch {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl GameBatch {
    /// So many games at their start; the seed decides all random choices.
    pub fn new(spec: &GameSpec, count: usize, seed: u64) -> GameBatch {
        spec.visit(Make { spec, count, seed })
    }
}

struct Make<'a> {
    spec: &'a GameSpec,
    count: usize,
    seed: u64,
}

impl GameVisitor for Make<'_> {
    type Output = GameBatch;

    fn visit<G: Playable>(self, start: G) -> GameBatch {
        let games = vec![BatchGame::new(start.clone()); self.count];
        let histories = histories(&start, self.count);
        let (spec, rng) = (self.spec.clone(), Rng::seeded(self.seed));
        GameBatch(Box::new(Games { spec, start, games, histories, rng, solvers: Vec::new() }))
    }
}

/// The histories of games at their start.
fn histories<G: Game>(start: &G, count: usize) -> Vec<History> {
    vec![History::new(start); if G::USES_HISTORY { count } else { 0 }]
}

/// What a step gives, an entry for each game, in the caller's memory.
#[derive(Debug)]
pub struct StepBuffers<'a> {
    /// The move that was played; -1 in a game that was over before.
    pub actions: &'a mut [i16],
    /// First's result of the games that this step ended; 0 for the others.
    pub results: &'a mut [i8],
    /// Whether this step ended the game, or it was over before.
    pub finished: &'a mut [bool],
    /// Who moves after the step: 0 for First, 1 for Second.
    pub movers: &'a mut [i8],
    /// The legal moves after the step, a mask for each game.
    pub masks: &'a mut [i8],
}

/// What is exactly known of positions, an entry for each; values are the
/// mover's, in the measure of `exact::Solved`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// The value is at least this,
    pub low: Vec<i16>,
    /// and at most this.
    pub high: Vec<i16>,
    /// How the game ends for the mover: +1, 0 or -1; [`Labels::UNKNOWN`] where the
    /// bounds allow more than one result.
    pub results: Vec<i8>,
    /// The value of each move for its mover, [`Shape::moves`] for each position;
    /// [`Labels::NO_MOVE`] for a move that is not legal or not solved. Empty unless
    /// moves were to be solved.
    pub moves: Vec<i16>,
    /// Positions visited by the solver.
    pub nodes: u64,
}

impl Labels {
    /// A result that is not known.
    pub const UNKNOWN: i8 = i8::MIN;
    /// A move without a value.
    pub const NO_MOVE: i16 = i16::MIN;

    fn new(games: usize, moves: usize) -> Labels {
        Labels {
            low: vec![i16::MIN; games],
            high: vec![i16::MAX; games],
            results: vec![Labels::UNKNOWN; games],
            moves: vec![Labels::NO_MOVE; games * moves],
            nodes: 0,
        }
    }
}

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct LabelRequest {
    /// What each position may take.
    pub limits: Limits,
    /// Megabytes of tables, all threads together.
    pub megabytes: usize,
    /// Threads, each with some of the positions and a table of its own.
    pub threads: usize,
    /// Whether every move is solved too.
    pub moves: bool,
}

/// What can be done with a batch without knowing its game.
pub trait ErasedBatch: Send {
    /// The game and its setup.
    fn spec(&self) -> &GameSpec;

    /// How many games there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sizes of the game's planes and policy.
    fn shape(&self) -> Shape;

    /// Begins every game again.
    fn reset(&mut self);

    /// Adds a game as it stands, with its history.
    fn push(&mut self, session: &Session) -> Result<(), TextError>;

    /// One of the games as a session that begins at its position.
    fn session(&self, index: usize) -> Option<Session>;

    /// Keeps the games with these numbers, in this order; all are below the
    /// batch's length.
    fn select(&self, numbers: &[usize]) -> GameBatch;

    /// Plays one move in every game that is not over: these, which must all be
    /// legal, or a random legal one in each. With `restart`, games that end begin
    /// again at once. On an error nothing is played.
    fn step(
        &mut self,
        actions: Option<&[i64]>,
        restart: bool,
        out: &mut StepBuffers,
    ) -> Result<(), TextError>;

    /// As the buffers after a step that played nothing: who moves, the masks, and
    /// First's results of the games that are over.
    fn observe(&self, out: &mut StepBuffers);

    /// The planes of all games, into that many zeros.
    fn encode(&self, planes: &mut [f32]);

    /// The positions' keys; equal under the symmetries of the board if `canonical`.
    fn keys(&self, canonical: bool) -> Vec<u64>;

    /// Replaces the games by `count` random positions that are not over, each after
    /// a number of random plies drawn from `plies`. If `distinct`, no two are equal
    /// or images of each other by symmetry.
    fn scatter(
        &mut self,
        count: usize,
        plies: RangeInclusive<u32>,
        distinct: bool,
        stop: &AtomicBool,
    ) -> Result<(), TextError>;

    /// Solves every position, until `stop` is set.
    fn solve(&mut self, request: &LabelRequest, stop: &AtomicBool) -> Result<Labels, TextError>;
}

/// A game of a batch.
#[derive(Clone)]
struct BatchGame<G: Game> {
    game: G,
    last: Option<G::Move>,
    /// How the game ended, if it has.
    outcome: Option<Outcome>,
}

/// The keys of the positions of a game so far, where its end depends on them.
#[derive(Clone)]
struct History(Vec<u64>);

impl History {
    fn new<G: Game>(start: &G) -> History {
        History(vec![start.key()])
    }

    /// Ends the game, which has just been moved in, if its history says so.
    fn end<G: Game>(&mut self, one: &mut BatchGame<G>) {
        let key = one.game.key();
        let plies = self.0.len() as u32;
        self.0.push(key);
        let occurrences = self.0.iter().filter(|&&other| other == key).count() as u32;
        let game = &one.game;
        one.outcome = one.outcome.or_else(|| game.history_outcome(plies, occurrences));
    }
}

impl<G: Playable> BatchGame<G> {
    fn new(start: G) -> BatchGame<G> {
        BatchGame { outcome: start.outcome(), game: start, last: None }
    }

    /// Plays a move; what the history says of it is another matter.
    #[inline]
    fn play(&mut self, mv: G::Move) {
        self.game.play(mv);
        self.last = Some(mv);
        self.outcome = self.game.outcome();
    }

    /// Begins again.
    #[inline]
    fn restart(&mut self, start: &G) {
        self.game.clone_from(start);
        self.last = None;
        self.outcome = None;
    }

    #[inline]
    fn mask(&self, mask: &mut [i8]) {
        match self.outcome {
            None => self.game.mask(mask),
            Some(_) => mask.fill(0),
        }
    }
}

/// The one kind of batch.
struct Games<G: Playable> {
    spec: GameSpec,
    start: G,
    games: Vec<BatchGame<G>>,
    /// Of each game, if the game's end depends on it; else none.
    histories: Vec<History>,
    rng: Rng,
    /// Kept from one solve to the next, with the megabytes of each.
    solvers: Vec<(usize, G::Solver)>,
}

impl<G: Playable> Games<G> {
    /// The moves with these numbers, one for each game that is not over.
    fn legal_moves(&self, actions: &[i64]) -> Result<(), TextError> {
        if actions.len() != self.games.len() {
            return Err(TextError::new(format!(
                "{} actions for {} games; give one for each game",
                actions.len(),
                self.games.len()
            )));
        }
        for (i, (game, &action)) in self.games.iter().zip(actions).enumerate() {
            if game.outcome.is_none() {
                legal_move(&game.game, action).map_err(|e| e.within(format!("game {i}")))?;
            }
        }
        Ok(())
    }

    /// Plays in every game the move that `choose` gives for its number.
    #[inline]
    fn play_all(
        &mut self,
        restart: bool,
        out: &mut StepBuffers,
        mut choose: impl FnMut(usize, &G, &mut Rng) -> Option<G::Move>,
    ) {
        let moves = self.start.shape().moves;
        let masks = &mut *out.masks;
        let scalars = out.actions.iter_mut().zip(&mut *out.results);
        let scalars = scalars.zip(&mut *out.finished).zip(&mut *out.movers);
        // In registers: through memory, each number would wait for the one before.
        let mut rng = self.rng.clone();
        let games = self.games.iter_mut().enumerate();
        for ((i, one), (((action, result), finished), mover)) in games.zip(scalars) {
            (*action, *result) = (-1, 0);
            if one.outcome.is_none()
                && let Some(mv) = choose(i, &one.game, &mut rng)
            {
                let code: u16 = mv.into();
                *action = code as i16;
                one.play(mv);
                if G::USES_HISTORY {
                    self.histories[i].end(one);
                }
                if let Some(outcome) = one.outcome {
                    *result = outcome.for_first() as i8;
                }
            }
            *finished = one.outcome.is_some();
            if *finished && restart {
                one.restart(&self.start);
                if G::USES_HISTORY {
                    self.histories[i] = History::new(&self.start);
                }
            }
            *mover = one.game.to_move() as i8;
            // Whole words, where there is room behind the row: the rows that follow
            // are written later.
            let end = (i * moves + moves.next_multiple_of(8)).min(masks.len());
            one.mask(&mut masks[i * moves..end]);
        }
        self.rng = rng;
    }
}

impl<G: Playable> ErasedBatch for Games<G> {
    fn spec(&self) -> &GameSpec {
        &self.spec
    }

    fn len(&self) -> usize {
        self.games.len()
    }

    fn shape(&self) -> Shape {
        self.start.shape()
    }

    fn reset(&mut self) {
        self.games.iter_mut().for_each(|one| one.restart(&self.start));
        self.histories = histories(&self.start, self.games.len());
    }

    fn push(&mut self, session: &Session) -> Result<(), TextError> {
        if session.spec() != &self.spec {
            let (theirs, ours) = (session.spec(), &self.spec);
            return Err(TextError::new(format!("this is a game of {theirs}, not of {ours}")));
        }
        let mut record = Record::new(G::parse(&self.start.setup(), &session.start())?);
        for code in session.played() {
            let played = record.play(G::Move::from(code));
            played.map_err(|error| TextError::new(error.to_string()))?;
        }
        if let Some(outcome) = session.outcome() {
            record.end(outcome);
        }
        if G::USES_HISTORY {
            self.histories.push(History(record.positions().iter().map(Game::key).collect()));
        }
        let (game, last, outcome) = (record.game().clone(), record.last(), record.outcome());
        self.games.push(BatchGame { game, last, outcome });
        Ok(())
    }

    fn session(&self, index: usize) -> Option<Session> {
        let one = self.games.get(index)?;
        let mut record = Record::new(one.game.clone());
        if let Some(outcome) = one.outcome {
            record.end(outcome);
        }
        Some(Session::of_record(record))
    }

    fn select(&self, numbers: &[usize]) -> GameBatch {
        let games = numbers.iter().map(|&i| self.games[i].clone()).collect();
        let histories = numbers.iter().filter_map(|&i| self.histories.get(i).cloned()).collect();
        let (spec, start, rng) = (self.spec.clone(), self.start.clone(), self.rng.clone());
        GameBatch(Box::new(Games { spec, start, games, histories, rng, solvers: Vec::new() }))
    }

    fn step(
        &mut self,
        actions: Option<&[i64]>,
        restart: bool,
        out: &mut StepBuffers,
    ) -> Result<(), TextError> {
        match actions {
            None => self.play_all(restart, out, |_, game, rng| game.random_move(rng)),
            Some(actions) => {
                self.legal_moves(actions)?;
                // Checked above, so that nothing is played if one of them is wrong.
                self.play_all(restart, out, |i, _, _| Some(G::Move::from(actions[i] as u16)));
            }
        }
        Ok(())
    }

    fn observe(&self, out: &mut StepBuffers) {
        let rows = out.masks.chunks_exact_mut(self.start.shape().moves);
        for ((i, one), mask) in self.games.iter().enumerate().zip(rows) {
            out.actions[i] = -1;
            out.results[i] = one.outcome.map_or(0, |outcome| outcome.for_first() as i8);
            out.finished[i] = one.outcome.is_some();
            out.movers[i] = one.game.to_move() as i8;
            one.mask(mask);
        }
    }

    fn encode(&self, planes: &mut [f32]) {
        let rows = planes.chunks_exact_mut(self.start.shape().inputs());
        self.games.iter().zip(rows).for_each(|(one, planes)| one.game.encode(one.last, planes));
    }

    fn keys(&self, canonical: bool) -> Vec<u64> {
        let key = |one: &BatchGame<G>| match canonical {
            true => one.game.canonical().0.key(),
            false => one.game.key(),
        };
        self.games.iter().map(key).collect()
    }

    fn scatter(
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
                let Some(mv) = one.game.random_move(&mut self.rng) else { break };
                one.play(mv);
                if G::USES_HISTORY {
                    history.end(&mut one);
                }
                if one.outcome.is_some() {
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

    fn solve(&mut self, request: &LabelRequest, stop: &AtomicBool) -> Result<Labels, TextError> {
        let threads = request.threads.clamp(1, self.games.len().max(1));
        let megabytes = (request.megabytes / threads).max(1);
        self.solvers.retain(|(size, _)| *size == megabytes);
        while self.solvers.len() < threads {
            let options = SolverOptions { megabytes, threads: 1 };
            let solver = G::solver(&self.start.setup(), &options).map_err(TextError::new)?;
            self.solvers.push((megabytes, solver));
        }
        // Some at a time in turn: neighbours are alike, and none waits for long.
        const TURN: usize = 64;
        let turns: Vec<&[BatchGame<G>]> = self.games.chunks(TURN).collect();
        let mut found: Vec<Vec<(usize, Labels)>> = Vec::new();
        thread::scope(|scope| {
            let workers = self.solvers.iter_mut().take(threads).enumerate();
            let running: Vec<_> = workers
                .map(|(worker, (_, solver))| {
                    let mine = turns.iter().enumerate().skip(worker).step_by(threads);
                    let work = mine.map(|(number, turn)| (number, *turn)).collect::<Vec<_>>();
                    let label = move |(number, turn): (usize, &[BatchGame<G>])| {
                        (number, label_turn(turn, solver, request, stop))
                    };
                    scope.spawn(move || work.into_iter().map(label).collect())
                })
                .collect();
            found = running
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect();
        });
        let mut found: Vec<(usize, Labels)> = found.into_iter().flatten().collect();
        found.sort_by_key(|(number, _)| *number);
        let mut labels = Labels::default();
        for (_, part) in found {
            labels.low.extend(part.low);
            labels.high.extend(part.high);
            labels.results.extend(part.results);
            labels.moves.extend(part.moves);
            labels.nodes += part.nodes;
        }
        Ok(labels)
    }
}

/// The labels of a few positions, by one solver.
fn label_turn<G: Playable>(
    games: &[BatchGame<G>],
    solver: &mut G::Solver,
    request: &LabelRequest,
    stop: &AtomicBool,
) -> Labels {
    let moves = games.first().map_or(0, |one| one.game.shape().moves);
    let width = if request.moves { moves } else { 0 };
    let mut labels = Labels::new(games.len(), width);
    for (i, BatchGame { game, outcome, .. }) in games.iter().enumerate() {
        if let Some(outcome) = outcome {
            let result = (outcome.for_first() * game.to_move().sign()) as i8;
            (labels.low[i], labels.high[i]) = (result.into(), result.into());
            labels.results[i] = result;
            continue;
        }
        if stop.load(Relaxed) {
            continue;
        }
        let control = SearchControl::new(request.limits);
        let watch = &mut |_| {
            if stop.load(Relaxed) {
                control.stop();
            }
        };
        let (low, high, nodes) = if request.moves {
            let found = game.solve_moves(solver, &control, watch);
            let row = &mut labels.moves[i * width..(i + 1) * width];
            for (mv, range) in &found.moves {
                if range.start() == range.end() {
                    row[game.code(*mv)] = *range.start() as i16;
                }
            }
            // The best move's bounds are the position's, if every move has some.
            let all = found.moves.len() == game.count_moves();
            let low = found.moves.iter().map(|(_, range)| *range.start()).max();
            let high = found.moves.iter().map(|(_, range)| *range.end()).max().filter(|_| all);
            (low.unwrap_or(i16::MIN.into()), high.unwrap_or(i16::MAX.into()), found.nodes)
        } else {
            let bounds = game.solve_position(solver, false, &control, watch).bounds;
            (bounds.low, bounds.high, bounds.nodes)
        };
        labels.nodes += nodes;
        (labels.low[i], labels.high[i]) = (low as i16, high as i16);
        let result = game.result(low);
        if result == game.result(high) {
            labels.results[i] = result as i8;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;

    fn batch(game: &str, count: usize) -> GameBatch {
        GameBatch::new(&game.parse().unwrap(), count, 7)
    }

    /// Memory for a step.
    #[derive(Default)]
    struct Memory {
        actions: Vec<i16>,
        results: Vec<i8>,
        finished: Vec<bool>,
        movers: Vec<i8>,
        masks: Vec<i8>,
    }

    impl Memory {
        fn new(games: usize, moves: usize) -> Memory {
            Memory {
                actions: vec![0; games],
                results: vec![0; games],
                finished: vec![false; games],
                movers: vec![0; games],
                masks: vec![7; games * moves],
            }
        }

        fn buffers(&mut self) -> StepBuffers<'_> {
            let Memory { actions, results, finished, movers, masks } = self;
            StepBuffers { actions, results, finished, movers, masks }
        }
    }

    /// A batch plays what a session plays, ply by ply.
    #[test]
    fn a_batch_agrees_with_sessions() {
        for line in GameSpec::all().iter().flat_map(|spec| spec.row().setups) {
            let spec: GameSpec = line.parse().unwrap();
            let mut games = batch(line, 3);
            let mut sessions = vec![open(&spec); 3];
            let shape = games.shape();
            let mut steps = Memory::new(3, shape.moves);
            while sessions.iter().any(|session| session.outcome().is_none()) {
                games.step(None, false, &mut steps.buffers()).unwrap();
                let mut planes = vec![0.0; 3 * shape.inputs()];
                games.encode(&mut planes);
                for (i, session) in sessions.iter_mut().enumerate() {
                    let over = session.outcome().is_some();
                    assert_eq!(steps.actions[i] < 0, over, "{line}");
                    if !over {
                        session.play_action(steps.actions[i].into()).unwrap();
                        let result = session.outcome().map_or(0, Outcome::for_first);
                        assert_eq!(i32::from(steps.results[i]), result, "{line}");
                    }
                    assert_eq!(steps.finished[i], session.outcome().is_some(), "{line}");
                    assert_eq!(steps.movers[i], session.to_move() as i8, "{line}");
                    let mut mask = vec![0; shape.moves];
                    session.mask(&mut mask);
                    assert_eq!(steps.masks[i * shape.moves..][..shape.moves], mask, "{line}");
                    let mut own = vec![0.0; shape.inputs()];
                    session.encode(&mut own);
                    assert_eq!(planes[i * shape.inputs()..][..shape.inputs()], own, "{line}");
                    assert_eq!(games.session(i).unwrap().position(), session.position());
                }
            }
        }
    }

    #[test]
    fn a_wrong_action_plays_nothing() {
        let mut games = batch("connect-four", 2);
        let mut steps = Memory::new(2, 7);
        let error = games.step(Some(&[0, 9]), true, &mut steps.buffers()).unwrap_err().to_string();
        assert_eq!(error, "game 1: there is no action 9; actions go from 0 to 6");
        assert!(games.step(Some(&[0]), true, &mut steps.buffers()).is_err());
        assert_eq!(games.session(0).unwrap().position(), open(games.spec()).position());
        games.step(Some(&[3, 4]), true, &mut steps.buffers()).unwrap();
        assert_eq!((steps.actions.as_slice(), steps.movers[0]), (&[3, 4][..], 1));
    }

    #[test]
    fn labels_are_the_solver_s() {
        let stop = AtomicBool::new(false);
        for (game, plies) in [("connect-four 4x4", 4..=9), ("dots-and-boxes 2x2", 3..=8)] {
            let mut games = batch(game, 0);
            games.scatter(40, plies, true, &stop).unwrap();
            let keys: HashSet<u64> = games.keys(true).into_iter().collect();
            assert_eq!(keys.len(), 40);
            let request =
                LabelRequest { limits: Limits::default(), megabytes: 2, threads: 2, moves: false };
            let values = games.solve(&request, &stop).unwrap();
            let moves = games.solve(&LabelRequest { moves: true, ..request }, &stop).unwrap();
            assert_eq!(values.low, values.high);
            assert_eq!((&values.low, &values.results), (&moves.low, &moves.results));
            let width = games.shape().moves;
            for i in 0..40 {
                let best = moves.moves[i * width..][..width].iter().max();
                assert_eq!(best, Some(&values.low[i]));
            }
        }
        let error = batch("connect-four 4x4", 0).scatter(1000, 1..=1, true, &stop).unwrap_err();
        assert!(error.to_string().starts_with("2 of 1000 positions"), "{error}");
    }

    #[test]
    fn sessions_come_and_go() {
        let mut session = open(&"surakarta".parse().unwrap());
        session.play("c5-c4 d2-d3").unwrap();
        let mut games = batch("surakarta", 1);
        games.push(&session).unwrap();
        assert_eq!(games.select(&[1]).session(0).unwrap().position(), session.position());
        assert!(games.push(&open(&"connect-four".parse().unwrap())).is_err());
        games.reset();
        assert_eq!(games.session(1).unwrap().position(), session.start());
    }
}
