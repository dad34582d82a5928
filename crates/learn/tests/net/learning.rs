//! Training: a network overfits a few positions.

use learn::net::{InferenceNet, Network, Optimiser, Output, UpdateRule, softmax};

use crate::{network, planes, small, targets};

/// The lowest policy loss possible: the targets' own entropy.
fn entropy(targets: &[learn::net::Target]) -> f64 {
    let all = targets.iter().flat_map(|target| &target.policy);
    let sum: f64 = all.map(|&(_, p)| -f64::from(p) * f64::from(p).max(1e-30).ln()).sum();
    sum / targets.len() as f64
}

#[test]
fn both_update_rules_overfit_random_positions() {
    for (rule, rate) in [
        (UpdateRule::Sgd { momentum: 0.9 }, 0.05),
        (UpdateRule::Adam { mean: 0.9, square: 0.999 }, 5e-3),
    ] {
        let mut architecture = small(6, 6);
        architecture.channels = 16;
        architecture.value_hidden = 32;
        let mut net: Network<f32> = network(architecture, 21);
        let planes = planes(&architecture, 64, 21);
        let targets = targets(&architecture, 64, 21);
        let mut optimiser = Optimiser::new(rule);
        let start = net.forward_backward(&planes, &targets);
        net.tensors.clear_gradients();
        for _ in 0..300 {
            net.forward_backward(&planes, &targets);
            net.add_weight_decay(1e-6);
            optimiser.step(&mut net.tensors, rate);
        }
        let end = net.forward_backward(&planes, &targets);
        let least = entropy(&targets);
        assert!(end.value < 0.05 * start.value, "{rule:?}: {start:?} {end:?}");
        let left = (end.policy - least) / (start.policy - least);
        assert!(left < 0.2, "{rule:?}: {left} of the policy's excess is left");

        // Inference, by running means and folded weights, agrees with it.
        let mut out = Output::default();
        InferenceNet::new(&net).forward(&planes, &mut out);
        let moves = architecture.moves;
        for (n, target) in targets.iter().enumerate() {
            assert!((out.values[n] - target.value).abs() < 0.5, "{rule:?}");
            let legal = target.policy.iter().map(|&(code, _)| out.logits[n * moves + code]);
            let chances = softmax(legal);
            for (chance, (_, share)) in chances.iter().zip(&target.policy) {
                assert!((chance - share).abs() < 0.35, "{rule:?}: {chance} but {share}");
            }
        }
    }
}

#[test]
fn training_repeats_bit_for_bit() {
    let run = || {
        let architecture = small(6, 6);
        let mut net: Network<f32> = network(architecture, 31);
        let (planes, targets) = (planes(&architecture, 8, 31), targets(&architecture, 8, 31));
        let mut optimiser = Optimiser::new(UpdateRule::Sgd { momentum: 0.9 });
        for _ in 0..5 {
            net.forward_backward(&planes, &targets);
            optimiser.step(&mut net.tensors, 0.05);
        }
        net.tensors.iter().flat_map(|t| t.value.clone()).map(f32::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
