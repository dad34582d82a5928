//! Many games of one setup at once: thousands of positions that are stepped,
//! masked, encoded and solved in one call.
//!
//! A caller in another language pays for each call; a batch pays once for all of
//! its games. A game here is a position, not a record: it keeps no moves, and of
//! its history only what the end rules ask for. Rules, masks, planes and solvers
//! are those of everything else.

mod games;
mod labels;
mod random_positions;
#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::atomic::AtomicBool;

use ::games::TextError;
use learn::Shape;

use crate::session::Session;
use crate::{GameSpec, GameVisitor, Playable};

pub use labels::{LabelRequest, Labels};

use games::Games;

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
        GameBatch(Box::new(Games::new(self.spec.clone(), start, self.count, self.seed)))
    }
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
