//! Positions per second of the default network on one core: inference and
//! training steps.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::Rng;
use learn::net::{Architecture, Grid, InferenceNet, Network, Output, Target};

fn bench(criterion: &mut Criterion) {
    let mut rng = Rng::seeded(1);
    let architecture = Architecture::new(Grid { height: 6, width: 6 }, 9, 36 * 36);
    let mut network: Network<f32> = Network::new(architecture, || rng.unit());
    let mut planes = |batch: usize| -> Vec<f32> {
        (0..batch * architecture.inputs()).map(|_| (rng.below(3) / 2) as f32).collect()
    };
    let mut inference = InferenceNet::new(&network);
    let mut group = criterion.benchmark_group("default network");
    group.sample_size(10);
    for batch in [1, 8, 64, 256] {
        let planes = planes(batch);
        let mut out = Output::default();
        group.throughput(Throughput::Elements(batch as u64));
        group.bench_function(format!("inference {batch}"), |b| {
            b.iter(|| inference.forward(&planes, &mut out));
        });
    }
    let planes = planes(256);
    let policy: Vec<(usize, f32)> = (0..40).map(|i| (i * 32, 1.0 / 40.0)).collect();
    let targets = vec![Target { policy, value: 1.0 }; 256];
    group.bench_function("forward_backward 256", |b| {
        b.iter(|| network.forward_backward(&planes, &targets))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
