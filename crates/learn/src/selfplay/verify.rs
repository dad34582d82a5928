//! Checks a game that another machine played: everything it claims is recomputed
//! from its moves and the run's settings.
//!
//! The opening follows from the game's id. Moves are replayed, and the end with
//! its result must be one that the rules, the settings or the oracle give. The
//! values and policies of searches can't be recomputed without repeating the
//! searches; they are only checked for their form, and that a resignation follows
//! from the values that the game itself states.

use games::{MoveList, Player, Rng};

use super::game::{History, opening};
use super::settings::SelfPlaySettings;
use super::training_game::{GameFormatError, TrainingGame};
use crate::encode::Encode;

/// More than the rounding of a value in a [`TrainingGame`].
const ROUNDING: f32 = 1.0 / 32_767.0;

/// What the games of a run must follow from.
///
/// ```
/// use games::Game;
/// use games::dots_and_boxes::DotsAndBoxes;
/// use learn::selfplay::{SelfPlaySettings, Verifier, random_game};
///
/// let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
/// let settings = SelfPlaySettings::default();
/// let verifier = Verifier { start: &start, settings: &settings, seed: 1 };
/// // A legal game, but not one that self-play with these settings gives.
/// assert!(verifier.check(&random_game(&start, 1, 0), |_| None).is_err());
/// ```
pub struct Verifier<'a, G> {
    /// The position from which games start, unless their boards are drawn.
    pub start: &'a G,
    /// How they are played.
    pub settings: &'a SelfPlaySettings,
    /// The seed of the run.
    pub seed: u64,
}

impl<G: Encode> Verifier<'_, G> {
    /// Checks a game. `adjudicate` gives the winner of a position whose result is
    /// proven.
    pub fn check(
        &self,
        claimed: &TrainingGame,
        adjudicate: impl FnOnce(&G) -> Option<Option<Player>>,
    ) -> Result<(), GameFormatError> {
        let Verifier { settings, seed, .. } = *self;
        let start = &settings.start(self.start, seed, claimed.id);
        if claimed.setup != start.setup().to_string() {
            return Err(GameFormatError("another setup"));
        }
        let mut rng = Rng::stream(seed, claimed.id);
        let (may_resign, opening) = opening(start, settings, &mut rng);
        let mut game = start.clone();
        let mut history = History::new(start, settings.max_plies);
        // Consecutive moves at which each side's value was lost: perhaps, and for certain.
        let mut lost_moves = [[0; 2]; 2];
        let mut end = None;
        for (i, ply) in claimed.plies.iter().enumerate() {
            if end.is_some() {
                return Err(GameFormatError("moves after the end"));
            }
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let mv = ply.legal_move(&moves)?;
            let mover = game.to_move();
            game.play(mv);
            history.push(&game);
            if let Some(&expected) = opening.get(i) {
                if mv != expected || ply.value().is_some() || ply.has_policy() {
                    return Err(GameFormatError("an opening that is not the id's"));
                }
                continue;
            }
            let value = ply.value().ok_or(GameFormatError("a move without a search"))?;
            end = history.outcome(&game, &[]).map(|outcome| outcome.winner);
            if let Some(resign) = settings.resign.filter(|_| may_resign && end.is_none()) {
                let lost = &mut lost_moves[mover as usize];
                for (moves, rounding) in lost.iter_mut().zip([ROUNDING, -ROUNDING]) {
                    let is_lost = value * (mover.sign() as f32) < resign.below + rounding;
                    *moves = if is_lost { *moves + 1 } else { 0 };
                }
                let is_last = i + 1 == claimed.plies.len();
                let [perhaps, surely] = lost.map(|moves| moves >= resign.moves);
                if surely && !is_last {
                    return Err(GameFormatError("moves after a resignation"));
                }
                let resigned = perhaps && is_last;
                end = resigned.then_some(Some(!mover)).filter(|end| result(*end) == claimed.result);
            }
        }
        if claimed.plies.len() <= opening.len() {
            return Err(GameFormatError("no search"));
        }
        match end.or_else(|| adjudicate(&game)) {
            Some(winner) if result(winner) == claimed.result => Ok(()),
            Some(_) => Err(GameFormatError("another result than its moves give")),
            None => Err(GameFormatError("no end that the rules or the trainer's tables know")),
        }
    }
}

/// First's result.
fn result(winner: Option<Player>) -> i8 {
    winner.map_or(0, |winner| winner.sign() as i8)
}
