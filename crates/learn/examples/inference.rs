//! Writes the default network, a batch of 64 positions and its output for them
//! into a folder, and prints the best time of so many forward passes: one side of
//! the comparison in `cargo xtask peers`.
//!
//! `cargo run --release -p learn --example inference -- FOLDER ROUNDS`

use std::path::PathBuf;
use std::time::Instant;

use games::Rng;
use learn::net::{Architecture, Grid, InferenceNet, ModelInfo, Network, Output, save};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let rounds: u32 = arguments.next().and_then(|text| text.parse().ok()).expect("rounds");
    let mut rng = Rng::seeded(1);
    let architecture = Architecture::new(Grid { height: 6, width: 6 }, 9, 36 * 36);
    let mut network: Network<f32> = Network::new(architecture, || rng.unit());
    for tensor in network.tensors.iter_mut().filter(|tensor| tensor.shape.len() == 1) {
        // Normalisations that do something, so that folding them is compared, too.
        tensor.value.iter_mut().for_each(|x| *x = *x * 0.6 + 0.2 * rng.unit() as f32);
    }
    let planes: Vec<f32> =
        (0..64 * architecture.inputs()).map(|_| (rng.below(3) / 2) as f32).collect();
    let mut inference = InferenceNet::new(&network);
    let mut output = Output::default();
    let best = (0..rounds)
        .map(|_| {
            let started = Instant::now();
            inference.forward(&planes, &mut output);
            started.elapsed()
        })
        .min()
        .expect("at least one round");
    let info =
        ModelInfo { architecture, game: "none".to_owned(), encoding: 0, history: Vec::new() };
    save(&folder.join("net.safetensors"), &network, &info).expect("a file");
    for (name, numbers) in
        [("planes", &planes), ("logits", &output.logits), ("values", &output.values)]
    {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(folder.join(format!("{name}.f32")), bytes).expect("a file");
    }
    println!("{{\"positions\": 64, \"seconds\": {}}}", best.as_secs_f64());
}
