//! The one kind of batch: games of a type as a vector of positions.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use ::games::{Draw, Game, Outcome, Record, Rng, TextError};
use learn::{Shape, write_masks};

use super::{ErasedBatch, GameBatch, LabelRequest, Labels, StepBuffers, labels};
use crate::actions::legal_move;
use crate::session::Session;
use crate::{GameSpec, Playable};

/// A game of a batch.
#[derive(Clone)]
pub(super) struct BatchGame<G: Game> {
    pub(super) game: G,
    /// The move that led here, where the planes show it.
    last: Option<G::Move>,
    /// How the game ended, if it has.
    pub(super) outcome: Option<Outcome>,
}

/// The keys of the positions of a game so far, where its end depends on them.
#[derive(Clone)]
pub(super) struct History(Vec<u64>);

impl History {
    pub(super) fn new<G: Game>(start: &G) -> History {
        History(vec![start.key()])
    }

    /// Adds the position after a move; how the game ended, if its history says so.
    pub(super) fn push<G: Game>(&mut self, game: &G) -> Option<Outcome> {
        let key = game.key();
        let plies = self.0.len() as u32;
        self.0.push(key);
        let occurrences = self.0.iter().filter(|&&other| other == key).count() as u32;
        game.history_outcome(plies, occurrences)
    }
}

impl<G: Playable> BatchGame<G> {
    pub(super) fn new(start: G) -> BatchGame<G> {
        BatchGame { outcome: start.outcome(), game: start, last: None }
    }

    /// Plays a random move, if there is one; how the game has ended.
    pub(super) fn play_random(&mut self, rng: &mut Rng, history: &mut History) -> Option<Outcome> {
        if let Some(mv) = self.game.play_random(rng.draw()) {
            self.last = Some(mv);
            self.outcome = self.game.outcome();
            if G::USES_HISTORY {
                self.outcome = self.outcome.or(history.push(&self.game));
            }
        }
        self.outcome
    }

    /// Begins again.
    fn restart(&mut self, start: &G) {
        *self = BatchGame::new(start.clone());
    }

    /// The legal moves; none when the game is over, for whatever reason.
    fn mask(&self, mask: &mut [i8]) {
        match self.outcome {
            None => self.game.mask(mask),
            Some(_) => mask.fill(0),
        }
    }
}

/// The one kind of batch.
pub(super) struct Games<G: Playable> {
    spec: GameSpec,
    pub(super) start: G,
    pub(super) games: Vec<BatchGame<G>>,
    /// Of each game, if the game's end depends on it; else none.
    pub(super) histories: Vec<History>,
    pub(super) rng: Rng,
    /// Kept from one solve to the next, with the megabytes of each.
    solvers: Vec<(usize, G::Solver)>,
}

/// The histories of games at their start.
fn histories<G: Game>(start: &G, count: usize) -> Vec<History> {
    vec![History::new(start); if G::USES_HISTORY { count } else { 0 }]
}

impl<G: Playable> Games<G> {
    pub(super) fn new(spec: GameSpec, start: G, count: usize, seed: u64) -> Games<G> {
        let games = vec![BatchGame::new(start.clone()); count];
        let histories = histories(&start, count);
        Games { spec, start, games, histories, rng: Rng::seeded(seed), solvers: Vec::new() }
    }

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
}

/// Plays one move in every game that is not over: `play` plays it in the game with
/// a number, and says which it was.
///
/// By blocks of games, first the random numbers, then the moves, then the masks: each
/// loop alone keeps its values in registers. A position is copied, played on and written
/// back, and takes its board from the start, so that the compiler computes what follows
/// from the board once for all games.
///
/// A function of its own with nothing but references, so that the compiler knows them
/// to be apart.
#[inline(never)]
fn play_all<G: Playable>(
    start: &G,
    games: &mut [BatchGame<G>],
    histories: &mut [History],
    rng: &mut Rng,
    restart: bool,
    out: &mut StepBuffers,
    mut play: impl FnMut(usize, &mut G, Draw) -> Option<G::Move>,
) {
    const BLOCK: usize = 64;
    let start = &start.clone();
    let moves = start.shape().moves;
    let start_bits = start.legal_bits().unwrap_or_default();
    out.results.fill(0);
    out.finished.fill(false);
    let (mut draws, mut bits) = ([Draw::default(); BLOCK], [0; BLOCK]);
    for (block, games) in games.chunks_mut(BLOCK).enumerate() {
        let first = block * BLOCK;
        let here = first..first + games.len();
        let scalars = out.actions[here.clone()].iter_mut().zip(&mut out.results[here.clone()]);
        let scalars = scalars.zip(&mut out.finished[here.clone()]).zip(&mut out.movers[here]);
        draws[..games.len()].fill_with(|| rng.draw());
        let rows = games.iter_mut().zip(&draws).zip(&mut bits).enumerate();
        for ((i, ((one, &draw), bits)), (((action, result), finished), mover)) in rows.zip(scalars)
        {
            let mut game = one.game.clone().on_board_of(start);
            let played = match one.outcome {
                None => play(first + i, &mut game, draw),
                Some(_) => None,
            };
            let Some(mv) = played else {
                (*action, *finished, *mover, *bits) = (-1, true, game.to_move() as i8, 0);
                if restart {
                    one.restart(start);
                    (*mover, *bits) = (start.to_move() as i8, start_bits);
                    if G::USES_HISTORY {
                        histories[first + i] = History::new(start);
                    }
                }
                continue;
            };
            let code: u16 = mv.into();
            (*action, *mover) = (code as i16, game.to_move() as i8);
            if G::SEES_LAST {
                one.last = Some(mv);
            }
            let mut outcome = game.outcome();
            if G::USES_HISTORY {
                outcome = outcome.or(histories[first + i].push(&game));
            }
            if outcome.is_none() {
                *bits = game.legal_bits().unwrap_or_default();
            }
            one.game = game;
            // Rare, and so after all else: no value has two sources before.
            if let Some(ended) = outcome {
                (*result, *finished, *bits) = (ended.for_first() as i8, true, 0);
                one.outcome = outcome;
                if restart {
                    one.restart(start);
                    (*mover, *bits) = (start.to_move() as i8, start_bits);
                    if G::USES_HISTORY {
                        histories[first + i] = History::new(start);
                    }
                }
            }
        }
        let masks = &mut out.masks[first * moves..];
        match start.legal_bits() {
            Some(_) => write_masks(&bits[..games.len()], moves, masks),
            None => games
                .iter()
                .zip(masks.chunks_exact_mut(moves))
                .for_each(|(one, mask)| one.mask(mask)),
        }
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
        if let Some(actions) = actions {
            self.legal_moves(actions)?;
        }
        let Games { start, games, histories, rng, .. } = self;
        match actions {
            None => play_all(start, games, histories, rng, restart, out, |_, game, draw| {
                game.play_random(draw)
            }),
            Some(actions) => {
                // Checked above, so that nothing is played if one of them is wrong.
                play_all(start, games, histories, rng, restart, out, |i, game, _| {
                    let mv = G::Move::from(actions[i] as u16);
                    game.play(mv);
                    Some(mv)
                });
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
        self.scatter_games(count, plies, distinct, stop)
    }

    fn solve(&mut self, request: &LabelRequest, stop: &AtomicBool) -> Result<Labels, TextError> {
        labels::solve(&self.start, &self.games, &mut self.solvers, request, stop)
    }
}
