//! Times a training step of the default network on a batch of 256 beside the
//! inference of the same batch, in one run and in turn, so that the ratio means
//! something on a busy machine. The multiplications of a step alone would take as
//! long as three inferences.
//!
//! `cargo run --release -p learn --example train_step -- ROUNDS [portable|avx2|avx512]`

use std::time::{Duration, Instant};

use games::Rng;
use learn::net::{
    Architecture, Grid, InferenceNet, Network, Optimiser, Output, SimdLevel, Target, UpdateRule,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: u32 = arguments.next().and_then(|text| text.parse().ok()).expect("rounds");
    let simd = match arguments.next().as_deref() {
        Some("portable") => SimdLevel::Portable,
        Some("avx2") => SimdLevel::Avx2,
        _ => SimdLevel::detect(),
    };
    let mut rng = Rng::seeded(1);
    let architecture = Architecture::new(Grid { height: 6, width: 6 }, 9, 36 * 36);
    let mut network: Network<f32> = Network::on(simd, architecture, || rng.unit());
    let mut inference = InferenceNet::on(simd, &network);
    let mut optimiser = Optimiser::new(UpdateRule::Adam { mean: 0.9, square: 0.999 });
    let planes: Vec<f32> =
        (0..256 * architecture.inputs()).map(|_| (rng.below(3) / 2) as f32).collect();
    let policy: Vec<(usize, f32)> = (0..40).map(|i| (i * 32, 1.0 / 40.0)).collect();
    let targets = vec![Target { policy, value: 1.0 }; 256];
    let mut output = Output::default();
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        let started = Instant::now();
        inference.forward(&planes, &mut output);
        best[0] = best[0].min(started.elapsed());
        let started = Instant::now();
        network.forward_backward(&planes, &targets);
        network.add_weight_decay(1e-5);
        optimiser.step(&mut network.tensors, 1e-4);
        best[1] = best[1].min(started.elapsed());
    }
    let [inference, step] = best.map(|time| time.as_secs_f64() * 1e3);
    println!(
        "{simd:?}: inference {inference:.1} ms, training step {step:.1} ms, {:.2} times",
        step / inference
    );
}
