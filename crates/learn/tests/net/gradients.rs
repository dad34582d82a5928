//! Backward: gradients against finite differences in double precision, layer by
//! layer and whole.

use games::Dice;
use learn::net::{Conv, Grid, Linear, Network, Norm, Path, Tensors, relu, relu_backward};

use crate::{network, planes, small, targets};

const STEP: f64 = 1e-5;

fn random(count: usize, dice: &mut Dice) -> Vec<f64> {
    (0..count).map(|_| dice.unit() - 0.5).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "{what}: {got} but {want}");
}

/// Weigh the layer's results by random numbers; then the sum's gradient by every
/// input and every weight must be its slope.
fn check_layer(
    tensors: &mut Tensors<f64>,
    x: Vec<f64>,
    mut forward: impl FnMut(&mut Tensors<f64>, Vec<f64>) -> Vec<f64>,
    backward: impl FnOnce(&mut Tensors<f64>, Vec<f64>) -> Vec<f64>,
    results: usize,
    weigh: &[f64],
) {
    assert_eq!(weigh.len(), results);
    let names: Vec<(String, usize)> =
        tensors.iter().map(|t| (t.name.clone(), t.gradient.len())).collect();
    let mut slopes = Vec::new();
    for (i, (_, length)) in names.iter().enumerate() {
        for k in 0..*length {
            let mut at = |change: f64| {
                tensors.iter_mut().nth(i).unwrap().value[k] += change;
                dot(&forward(tensors, x.clone()), weigh)
            };
            let slope = (at(STEP) - at(-2.0 * STEP)) / (2.0 * STEP);
            at(STEP);
            slopes.push(slope);
        }
    }
    let by_input: Vec<f64> = (0..x.len())
        .map(|k| {
            let mut at = |change: f64| {
                let mut x = x.clone();
                x[k] += change;
                dot(&forward(tensors, x), weigh)
            };
            (at(STEP) - at(-STEP)) / (2.0 * STEP)
        })
        .collect();
    forward(tensors, x);
    let back = backward(tensors, weigh.to_vec());
    let gradients: Vec<f64> = tensors.iter().flat_map(|t| t.gradient.clone()).collect();
    assert_eq!(gradients.len(), slopes.len());
    for (got, want) in gradients.iter().zip(&slopes) {
        close(*got, *want, "weight");
    }
    assert_eq!(back.len(), by_input.len());
    for (got, want) in back.iter().zip(&by_input) {
        close(*got, *want, "input");
    }
}

#[test]
fn of_convolutions() {
    for (height, width, inputs, outputs) in [(6, 6, 2, 3), (7, 4, 1, 9), (3, 8, 9, 1)] {
        let mut dice = Dice::seeded(height as u64);
        let mut tensors = Tensors::new();
        let kernel = random(9 * inputs * outputs, &mut dice);
        let weight = tensors.learnt("kernel".into(), &[3, 3, inputs, outputs], kernel);
        let conv = Conv::new(weight, Grid { height, width }, (inputs, outputs));
        let conv = std::cell::RefCell::new(conv);
        let results = 2 * height * width * outputs;
        let (x, weigh) =
            (random(2 * height * width * inputs, &mut dice), random(results, &mut dice));
        check_layer(
            &mut tensors,
            x,
            |tensors, x| conv.borrow_mut().forward(Path::best(), tensors, x),
            |tensors, g| conv.borrow_mut().backward(Path::best(), tensors, &g),
            results,
            &weigh,
        );
    }
}

#[test]
fn of_dense_layers() {
    let mut dice = Dice::seeded(2);
    let mut tensors = Tensors::new();
    let weight = tensors.learnt("weight".into(), &[4, 5], random(20, &mut dice));
    let bias = tensors.learnt("bias".into(), &[5], random(5, &mut dice));
    let linear = std::cell::RefCell::new(Linear::new(weight, Some(bias), 4, 5));
    let (x, weigh) = (random(12, &mut dice), random(15, &mut dice));
    check_layer(
        &mut tensors,
        x,
        |tensors, x| linear.borrow_mut().forward(Path::best(), tensors, x),
        |tensors, g| linear.borrow_mut().backward(Path::best(), tensors, &g),
        15,
        &weigh,
    );
}

#[test]
fn of_normalisation_and_relu() {
    let mut dice = Dice::seeded(3);
    let mut tensors = Tensors::new();
    let norm = std::cell::RefCell::new(Norm::new(&mut tensors, "norm", 3));
    for tensor in tensors.iter_mut() {
        tensor.value = random(3, &mut dice);
    }
    let result = std::cell::RefCell::new(Vec::new());
    let (x, weigh) = (random(21, &mut dice), random(21, &mut dice));
    check_layer(
        &mut tensors,
        x,
        |tensors, x| {
            let mut y = norm.borrow_mut().forward(tensors, x);
            relu(&mut y);
            result.borrow_mut().clone_from(&y);
            y
        },
        |tensors, mut g| {
            relu_backward(&result.borrow(), &mut g);
            norm.borrow_mut().backward(tensors, g)
        },
        21,
        &weigh,
    );
}

#[test]
fn of_the_whole_loss() {
    for (height, width) in [(6, 6), (4, 7)] {
        let architecture = small(height, width);
        let mut net: Network<f64> = network(architecture, 11);
        let planes = planes(&architecture, 5, 11);
        let targets = targets(&architecture, 5, 11);
        let c = 1e-2;
        let loss = |net: &mut Network<f64>| net.learn(&planes, &targets).total() + net.decay(c);
        net.tensors.clear_gradients();
        loss(&mut net);
        let gradients: Vec<Vec<f64>> = net.tensors.iter().map(|t| t.gradient.clone()).collect();
        let mut dice = Dice::seeded(12);
        for (i, gradient) in gradients.iter().enumerate().filter(|(_, g)| !g.is_empty()) {
            for _ in 0..6 {
                let k = dice.below(gradient.len());
                let mut at = |change: f64| {
                    net.tensors.iter_mut().nth(i).unwrap().value[k] += change;
                    loss(&mut net)
                };
                // Small enough that hardly any relu turns between the two.
                let step = 1e-6;
                let slope = (at(step) - at(-2.0 * step)) / (2.0 * step);
                at(step);
                let got = gradient[k];
                let name = &net.tensors.iter().nth(i).unwrap().name;
                assert!((got - slope).abs() < 1e-5 * (1.0 + slope.abs()), "{name}: {got} {slope}");
            }
        }
    }
}
