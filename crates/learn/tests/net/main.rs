//! The network against plain loops, finite differences and damaged files.

mod forward;
mod gradients;
mod learning;
mod reference;
mod weights;

use games::Rng;
use learn::net::{Architecture, Grid, Network, Real, Target};

/// A network small enough to differentiate number by number, with channels that
/// fill neither a vector nor a block.
fn small(height: usize, width: usize) -> Architecture {
    Architecture {
        blocks: 1,
        channels: 9,
        policy_kernels: 3,
        value_hidden: 5,
        ..Architecture::new(Grid { height, width }, 3, 11)
    }
}

/// The same for boards of every size, and three of different sizes.
fn small_pooled() -> (Architecture, [Grid; 3]) {
    let pooled = Architecture {
        blocks: 1,
        channels: 9,
        policy_kernels: 3,
        value_kernels: 4,
        value_hidden: 5,
        ..Architecture::pooled(Grid { height: 12, width: 12 }, 3)
    };
    let grids = [(4, 5), (7, 6), (12, 9)].map(|(height, width)| Grid { height, width });
    (pooled, grids)
}

/// A network whose normalisations are not the identity.
fn network<R: Real>(architecture: Architecture, seed: u64) -> Network<R> {
    let mut rng = Rng::seeded(seed);
    let mut network = Network::new(architecture, || rng.unit());
    let mut rng = Rng::stream(seed, 1);
    for tensor in network.tensors.iter_mut() {
        let name = tensor.name.clone();
        for value in &mut tensor.value {
            let wobble = rng.unit() - 0.5;
            if name.ends_with("variance") || name.ends_with("scale") {
                *value = R::from_f64(1.0 + wobble);
            } else if tensor.shape.len() == 1 {
                *value = R::from_f64(0.4 * wobble);
            }
        }
    }
    network
}

/// Planes of a batch, a third of them ones.
fn planes<R: Real>(architecture: &Architecture, batch: usize, seed: u64) -> Vec<R> {
    let mut rng = Rng::stream(seed, 2);
    let one = |rng: &mut Rng| if rng.below(3) == 0 { R::ONE } else { R::ZERO };
    (0..batch * architecture.inputs()).map(|_| one(&mut rng)).collect()
}

/// Random targets: a policy of a few legal moves, a result.
fn targets(architecture: &Architecture, batch: usize, seed: u64) -> Vec<Target> {
    let mut rng = Rng::stream(seed, 3);
    (0..batch)
        .map(|_| {
            let legal: Vec<usize> =
                (0..architecture.moves).filter(|&m| m == 0 || rng.below(2) == 0).collect();
            let shares: Vec<f64> = legal.iter().map(|_| rng.unit()).collect();
            let sum: f64 = shares.iter().sum();
            let policy = legal.into_iter().zip(shares).map(|(m, s)| (m, (s / sum) as f32));
            Target { policy: policy.collect(), value: rng.below(3) as f32 - 1.0 }
        })
        .collect()
}
