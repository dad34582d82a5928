//! The backward pass: gradients against finite differences in double precision, of
//! each layer and of the whole loss.

use games::Rng;
use learn::net::{
    Architecture, BatchNorm, Boards, Buffer, Conv, Grid, InputGradient, Linear, Network, Pool,
    Scratch, SimdLevel, Target, Tensors,
};

use crate::{network, planes, small, small_pooled, targets};

const STEP: f64 = 1e-5;

fn random(count: usize, rng: &mut Rng) -> Vec<f64> {
    (0..count).map(|_| rng.unit() - 0.5).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "{what}: {got} but {want}");
}

/// Weighs the layer's output by random numbers: the gradient of the sum by every
/// input and every weight must be its slope.
fn check_layer(
    tensors: &mut Tensors<f64>,
    x: Vec<f64>,
    mut forward: impl FnMut(&mut Tensors<f64>, Vec<f64>) -> Vec<f64>,
    backward: impl FnOnce(&mut Tensors<f64>, Vec<f64>, Vec<f64>) -> Vec<f64>,
    outputs: usize,
    weigh: &[f64],
) {
    assert_eq!(weigh.len(), outputs);
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
    forward(tensors, x.clone());
    let back = backward(tensors, x, weigh.to_vec());
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
        let mut rng = Rng::seeded(height as u64);
        // Boards of two sizes in one batch.
        let mut boards = Boards::of(Grid { height, width }, 2);
        boards.push(Grid { height: 5, width: 7 });
        let mut tensors = Tensors::new();
        let kernel = random(9 * inputs * outputs, &mut rng);
        let weight = tensors.add_trained("kernel".into(), &[3, 3, inputs, outputs], kernel);
        let (conv, boards) = (Conv::new(weight, (inputs, outputs)), &boards);
        let results = boards.area() * outputs;
        let (x, weigh) = (random(boards.area() * inputs, &mut rng), random(results, &mut rng));
        check_layer(
            &mut tensors,
            x,
            |tensors, x| {
                let mut y = Buffer::default();
                let (simd, scratch) = (SimdLevel::detect(), &mut Scratch::default());
                conv.forward(simd, tensors, boards, &x, &mut y, scratch);
                y.to_vec()
            },
            |tensors, x, g| {
                let mut back = vec![7.0; x.len()];
                let mut onto = x.clone();
                let (simd, scratch) = (SimdLevel::detect(), &mut Scratch::default());
                let kept: Vec<f64> = tensors[weight].gradient.clone();
                let back_onto = InputGradient::Add(&mut onto);
                conv.backward(simd, tensors, boards, &x, &g, back_onto, scratch);
                tensors[weight].gradient = kept.clone();
                conv.backward(simd, tensors, boards, &x, &g, InputGradient::Skip, scratch);
                tensors[weight].gradient = kept;
                let over = InputGradient::Overwrite(&mut back);
                conv.backward(simd, tensors, boards, &x, &g, over, scratch);
                for ((onto, back), x) in onto.iter().zip(&back).zip(&x) {
                    close(*onto, back + x, "added");
                }
                back
            },
            results,
            &weigh,
        );
    }
}

#[test]
fn of_pooling() {
    let mut boards = Boards::of(Grid { height: 2, width: 3 }, 2);
    boards.push(Grid { height: 4, width: 1 });
    for (pool, regions) in [(Pool::Columns, 3 + 3 + 1), (Pool::Board, 3)] {
        let mut rng = Rng::seeded(7);
        let channels = 5;
        let outputs = 2 * channels * regions;
        let (x, weigh) = (random(boards.area() * channels, &mut rng), random(outputs, &mut rng));
        let forward = |x: &[f64]| {
            let mut y = Buffer::default();
            pool.forward(&boards, channels, x, &mut y);
            y.to_vec()
        };
        check_layer(
            &mut Tensors::new(),
            x,
            |_, x| forward(&x),
            |_, x, g| {
                let mut back = vec![7.0; x.len()];
                pool.backward(&boards, channels, (&x, &forward(&x)), &g, &mut back);
                back
            },
            outputs,
            &weigh,
        );
    }
}

#[test]
fn of_dense_layers() {
    let mut rng = Rng::seeded(2);
    let mut tensors = Tensors::new();
    let weight = tensors.add_trained("weight".into(), &[4, 5], random(20, &mut rng));
    let bias = tensors.add_trained("bias".into(), &[5], random(5, &mut rng));
    let linear = Linear::new(weight, Some(bias), 4, 5);
    let (x, weigh) = (random(12, &mut rng), random(15, &mut rng));
    check_layer(
        &mut tensors,
        x,
        |tensors, x| {
            let mut y = Buffer::default();
            linear.forward(SimdLevel::detect(), tensors, &x, &mut y);
            y.to_vec()
        },
        |tensors, x, g| {
            let mut back = vec![0.5; x.len()];
            linear.clone().backward(SimdLevel::detect(), tensors, &x, &g, &mut back, true);
            back.iter().map(|number| number - 0.5).collect()
        },
        15,
        &weigh,
    );
}

#[test]
fn of_normalisation_and_relu() {
    // Channels that fill a strip of vectors, and some beyond.
    for channels in [3, 37] {
        let mut rng = Rng::seeded(3);
        let mut tensors = Tensors::new();
        let norm = std::cell::RefCell::new(BatchNorm::new(&mut tensors, "norm", channels));
        for tensor in tensors.iter_mut() {
            tensor.value = random(channels, &mut rng);
        }
        let count = 7 * channels;
        let residual = random(count, &mut rng);
        let result = std::cell::RefCell::new(Vec::new());
        let (x, weigh) = (random(count, &mut rng), random(count, &mut rng));
        check_layer(
            &mut tensors,
            x,
            |tensors, x| {
                let mut y = vec![0.0; x.len()];
                norm.borrow_mut().forward(
                    SimdLevel::detect(),
                    tensors,
                    &x,
                    Some(&residual),
                    &mut y,
                );
                result.borrow_mut().clone_from(&y);
                y
            },
            |tensors, x, mut g| {
                let mut back = vec![0.0; x.len()];
                let y = result.borrow();
                norm.borrow_mut().backward(
                    SimdLevel::detect(),
                    tensors,
                    (&x, &y),
                    &mut g,
                    &mut back,
                );
                // What is left of the gradient is that of the residual.
                for ((g, y), weigh) in g.iter().zip(&*y).zip(&weigh) {
                    assert_eq!(*g, if *y > 0.0 { *weigh } else { 0.0 });
                }
                back
            },
            count,
            &weigh,
        );
    }
}

#[test]
fn of_all_simd_levels_agree() {
    let architecture = small(6, 6);
    let architecture = Architecture { channels: 70, ..architecture };
    let planes: Vec<f32> = planes(&architecture, 50, 5);
    let targets = targets(&architecture, 50, 5);
    let gradients = |simd: SimdLevel| {
        let mut rng = Rng::seeded(9);
        let mut net: Network<f32> = Network::on(simd, architecture, || rng.unit());
        net.forward_backward(&planes, &targets);
        // A second time, with buffers in use, as in training.
        net.tensors.clear_gradients();
        let loss = net.forward_backward(&planes, &targets);
        (loss, net.tensors.iter().map(|t| t.gradient.clone()).collect::<Vec<_>>())
    };
    let (loss, want) = gradients(SimdLevel::Portable);
    for simd in SimdLevel::available() {
        let (other, got) = gradients(simd);
        assert!((other.total() - loss.total()).abs() < 1e-4, "{simd:?}: {other:?} but {loss:?}");
        for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
            assert!((got - want).abs() < 1e-4 * (1.0 + want.abs()), "{simd:?}: {got} but {want}");
        }
    }
}

#[test]
fn of_the_whole_loss() {
    for (height, width) in [(6, 6), (4, 7)] {
        let architecture = small(height, width);
        let planes = planes(&architecture, 5, 11);
        let targets = targets(&architecture, 5, 11);
        check_loss(architecture, &Boards::of(architecture.grid(), 5), &planes, &targets);
    }
}

#[test]
fn of_the_whole_loss_on_boards_of_several_sizes() {
    let (architecture, grids) = small_pooled();
    let mut boards = Boards::default();
    let (mut inputs, mut labels): (Vec<f64>, Vec<Target>) = Default::default();
    for (i, &grid) in grids.iter().chain(&grids).enumerate() {
        boards.push(grid);
        let one = Architecture {
            height: grid.height,
            width: grid.width,
            moves: grid.width,
            ..architecture
        };
        inputs.extend(planes::<f64>(&one, 1, i as u64));
        labels.extend(targets(&one, 1, i as u64));
    }
    check_loss(architecture, &boards, &inputs, &labels);
}

/// The gradient of the loss by some of the numbers of each tensor must be its slope.
fn check_loss(architecture: Architecture, boards: &Boards, planes: &[f64], targets: &[Target]) {
    let mut net: Network<f64> = network(architecture, 11);
    let c = 1e-2;
    let loss = |net: &mut Network<f64>| {
        net.forward_backward_on(boards, planes, targets).total() + net.add_weight_decay(c)
    };
    net.tensors.clear_gradients();
    loss(&mut net);
    let gradients: Vec<Vec<f64>> = net.tensors.iter().map(|t| t.gradient.clone()).collect();
    let mut rng = Rng::seeded(12);
    for (i, gradient) in gradients.iter().enumerate().filter(|(_, g)| !g.is_empty()) {
        for _ in 0..6 {
            let k = rng.below(gradient.len());
            let mut at = |change: f64| {
                net.tensors.iter_mut().nth(i).unwrap().value[k] += change;
                loss(&mut net)
            };
            // Small enough that hardly any ReLU or maximum changes between the two.
            let step = 1e-6;
            let slope = (at(step) - at(-2.0 * step)) / (2.0 * step);
            at(step);
            let got = gradient[k];
            let name = &net.tensors.iter().nth(i).unwrap().name;
            assert!((got - slope).abs() < 1e-5 * (1.0 + slope.abs()), "{name}: {got} {slope}");
        }
    }
}
