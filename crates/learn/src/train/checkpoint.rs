//! Checkpoints: the network of a moment, measured in a short match.
//!
//! Without a gate the opponent is the checkpoint before. With one it is the
//! checkpoint that self-play uses, and a candidate that scores enough takes its
//! place (AlphaGo Zero's evaluator, 2017).

use std::borrow::Cow;

use super::TrainError;
use super::state::EloPoint;
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::evaluator::NetworkEvaluator;
use crate::net::{ModelInfo, Network, load};
use crate::selfplay::play_match;

/// Positions that each player of a match caches.
const CACHE_SIZE: usize = 1 << 15;
/// Separates the random numbers of matches from those of games.
const MATCH_SEED: u64 = 0xe10;

/// The network that self-play should use: under a gate the last accepted
/// checkpoint, otherwise the newest weights.
pub(super) fn self_play_network<G: Encode>(
    trainer: &Trainer<G>,
) -> Result<(Cow<'_, Network<f32>>, ModelInfo), TrainError> {
    let accepted = trainer.progress.accepted.filter(|_| trainer.settings.gate.is_some());
    match accepted {
        Some(steps) => {
            let (network, info) = load(&trainer.folder.checkpoint(steps))?;
            Ok((Cow::Owned(network), info))
        }
        None => Ok((Cow::Borrowed(trainer.network()), trainer.info())),
    }
}

/// Saves a checkpoint, plays its match and adds it to the Elo curve. Gives
/// whether the gate accepts it; without a gate every checkpoint is accepted. A
/// network that has not changed since the last checkpoint is none.
pub(super) fn checkpoint<G: Encode>(
    trainer: &mut Trainer<G>,
    log: &mut impl FnMut(&str),
) -> Result<bool, TrainError> {
    let (steps, seconds) = (trainer.progress.steps, trainer.progress.seconds);
    if trainer.progress.curve.last().is_some_and(|point| point.steps == steps) {
        return Ok(false);
    }
    trainer.save_checkpoint()?;
    let mut point = EloPoint { steps, seconds, elo: 0.0, score: [0; 3] };
    let mut accepted = true;
    if let Some(opponent) = opponent(trainer) {
        let mut fraction = 0.5;
        point.elo = opponent.elo;
        if trainer.settings.match_pairs > 0 {
            point.score = match_score(trainer, opponent.steps)?;
            let [wins, draws, losses] = point.score.map(f64::from);
            // Half a game for each side keeps a clean sweep finite.
            fraction = (wins + draws / 2.0 + 0.5) / (wins + draws + losses + 1.0);
            let elo = 400.0 * (fraction / (1.0 - fraction)).log10();
            point.elo += elo;
            log(&format!(
                "checkpoint after {steps} steps: {wins} won, {draws} drawn, {losses} lost against \
                 that after {}, {elo:+.0} Elo",
                opponent.steps
            ));
        }
        if let Some(gate) = trainer.settings.gate {
            accepted = fraction >= gate;
            let verdict = if accepted { "passes" } else { "does not pass" };
            log(&format!("its score of {fraction:.2} {verdict} the gate of {gate:.2}"));
        }
    }
    if accepted {
        trainer.progress.accepted = Some(steps);
    }
    trainer.progress.curve.push(point);
    trainer.save()?;
    Ok(accepted)
}

/// The checkpoint to play against: under a gate the last accepted one, otherwise
/// the last one.
fn opponent<G: Encode>(trainer: &Trainer<G>) -> Option<EloPoint> {
    let curve = &trainer.progress.curve;
    let accepted = trainer.progress.accepted.filter(|_| trainer.settings.gate.is_some());
    let gated = accepted.and_then(|steps| curve.iter().find(|point| point.steps == steps));
    gated.or(curve.last()).cloned()
}

/// Wins, draws and losses of the network against the checkpoint after `steps`.
fn match_score<G: Encode>(trainer: &Trainer<G>, steps: u64) -> Result<[u32; 3], TrainError> {
    let old = load(&trainer.folder.checkpoint(steps))?.0;
    let mut evaluators =
        [trainer.network(), &old].map(|network| NetworkEvaluator::<G>::new(network, CACHE_SIZE));
    let settings = &trainer.settings;
    let seed = settings.seed ^ MATCH_SEED ^ trainer.progress.steps;
    let players = evaluators.each_mut();
    Ok(play_match(trainer.start(), &settings.selfplay, players, settings.match_pairs, seed))
}
