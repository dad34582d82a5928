//! The training of a model on samples.

use std::f64::consts::PI;

use games::{Rng, Symmetric};
use search::nnue::{MAX_PATTERNS, Nnue, PatternRows, Patterns, SCALE};

use super::model::{Input, Model};
use super::{NnueSettings, Sample};

/// What came of a training.
#[derive(Clone, Debug)]
pub struct FitReport {
    /// The network in integers.
    pub network: Nnue,
    /// Mean squared error over the last steps.
    pub training: f64,
    /// Of the integers on samples that were not trained on; of the training where
    /// there are none.
    pub validation: f64,
    /// Steps made.
    pub steps: u64,
}

/// The rows of a sample under a symmetry.
struct Reader {
    rows: PatternRows,
    head: usize,
}

impl Reader {
    fn new() -> Reader {
        Reader { rows: [[0; MAX_PATTERNS]; 2], head: 0 }
    }

    /// False if the words are no position, or one that is over.
    fn read<G: Patterns + Symmetric>(&mut self, sample: &Sample, symmetry: u64) -> bool {
        let Some(game) = G::unpack(sample.words) else { return false };
        let game = game.transform(symmetry as usize % game.symmetries());
        game.pattern_rows(&mut self.rows);
        self.head = game.head();
        true
    }

    fn input<G: Patterns>(&self) -> Input<'_> {
        let count = G::SIZES.len();
        Input { rows: [&self.rows[0][..count], &self.rows[1][..count]], head: self.head }
    }
}

/// Trains a network, from random weights or on from those of `start`. `log` is called now and then with a line;
/// `stop` ends it early, without a network.
pub fn fit<G: Patterns + Symmetric>(
    samples: &[Sample],
    validation: &[Sample],
    settings: &NnueSettings,
    start: Option<&Nnue>,
    mut log: impl FnMut(&str),
    stop: impl Fn() -> bool,
) -> Result<Option<FitReport>, String> {
    if samples.is_empty() {
        return Err("there are no positions to train on".to_owned());
    }
    let mut rng = Rng::stream(settings.seed, 1);
    let mut model = match start {
        None => Model::new(G::SIZES, G::HEADS, settings.seed),
        Some(network) => Model::from_network(network, G::SIZES),
    };
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut next = order.len();
    let mut reader = Reader::new();
    let total = samples.len() as f64 * settings.passes;
    let steps = (total / settings.batch_size as f64).ceil().max(1.0) as u64;
    let mut training = f64::NAN;
    for step in 0..steps {
        if stop() {
            return Ok(None);
        }
        let mut error = 0.0;
        for _ in 0..settings.batch_size {
            if next == order.len() {
                next = 0;
                for last in (1..order.len()).rev() {
                    order.swap(last, rng.below(last + 1));
                }
            }
            let sample = &samples[order[next] as usize];
            next += 1;
            if reader.read::<G>(sample, rng.bits() >> 32) {
                let target = sample.target(settings.result_weight);
                error += f64::from(model.learn(&reader.input::<G>(), target));
            }
        }
        let part = step as f64 / steps as f64;
        let rate = 0.01 + 0.99 * (1.0 + (PI * part).cos()) / 2.0;
        model.step(settings.rate * rate as f32, settings.batch_size);
        let error = error / settings.batch_size as f64;
        training = if training.is_nan() { error } else { 0.98 * training + 0.02 * error };
        if (step + 1) % (steps / 10).max(1) == 0 {
            log(&format!("step {} of {steps}: training loss {training:.5}", step + 1));
        }
    }
    let network = model.quantise()?;
    let validation = match validation.is_empty() {
        true => training,
        false => loss::<G>(&network, validation, settings.result_weight),
    };
    Ok(Some(FitReport { network, training, validation, steps }))
}

/// The mean squared error of a network in integers.
fn loss<G: Patterns>(network: &Nnue, samples: &[Sample], result_weight: f32) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for sample in samples {
        if let Some(game) = G::unpack(sample.words) {
            let chance = 1.0 / (1.0 + (-f64::from(network.evaluate(&game)) / SCALE).exp());
            sum += (chance - f64::from(sample.target(result_weight))).powi(2);
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}
