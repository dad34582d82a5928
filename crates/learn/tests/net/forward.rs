//! The forward pass: every SIMD level agrees with plain loops.

use games::Rng;
use learn::net::{
    Architecture, Grid, InferenceNet, Left, Network, Output, Real, SimdLevel, gemm, softmax,
};

use crate::{network, planes, reference, small, small_pooled};

fn forward<R: Real>(inference: &mut InferenceNet<R>, planes: &[R]) -> Output<R> {
    let mut out = Output::default();
    inference.forward(planes, &mut out);
    out
}

fn far<R: Real, S: Real>(a: &[R], b: &[S]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a.to_f64() - b.to_f64()).abs()).fold(0.0, f64::max)
}

#[test]
fn products_of_all_shapes_agree() {
    let mut rng = Rng::seeded(1);
    for case in 0..200 {
        let [m, n, k] = [20, 40, 20].map(|most| 1 + rng.below(most));
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32 - 0.5).collect() };
        let (a, b, c) = (draw(m * k), draw(k * n), draw(m * n));
        let (turned, add) = (case % 2 == 0, case % 3 == 0);
        let left = if turned { Left::transposed(&a, m) } else { Left::rows(&a, k) };
        let mut want: Vec<f64> = c.iter().map(|&c| if add { f64::from(c) } else { 0.0 }).collect();
        for i in 0..m {
            for j in 0..n {
                for p in 0..k {
                    let at = if turned { p * m + i } else { i * k + p };
                    want[i * n + j] += f64::from(a[at]) * f64::from(b[p * n + j]);
                }
            }
        }
        for simd in SimdLevel::available() {
            let mut out = c.clone();
            gemm(simd, (m, n, k), left, &b, &mut out, add);
            assert!(far(&out, &want) < 1e-5, "{simd:?} {m} x {n} x {k}");
        }
    }
}

#[test]
#[should_panic(expected = "too short")]
fn a_product_beyond_its_slices_is_refused() {
    gemm(
        SimdLevel::detect(),
        (4, 4, 4),
        Left::rows(&[0.0; 15], 4),
        &[0.0; 16],
        &mut [0.0; 16],
        false,
    );
}

#[test]
fn all_simd_levels_and_folding_agree_with_plain_loops() {
    for (i, (height, width)) in
        [(6, 6), (6, 7), (5, 5), (11, 12), (3, 13), (1, 1)].into_iter().enumerate()
    {
        let architecture = small(height, width);
        let seed = i as u64;
        let net: Network<f32> = network(architecture, seed);
        let planes = planes(&architecture, 3, seed);
        let want = reference::forward(&net, &planes);
        for simd in SimdLevel::available() {
            let got = forward(&mut InferenceNet::on(simd, &net), &planes);
            assert!(far(&got.logits, &want.logits) < 1e-4, "{simd:?} {height} x {width}");
            assert!(far(&got.values, &want.values) < 1e-4, "{simd:?} {height} x {width}");
        }
        // In double precision nothing but rounding is left.
        let net: Network<f64> = network(architecture, seed);
        let planes: Vec<f64> = planes.iter().map(|x| x.to_f64()).collect();
        let want = reference::forward(&net, &planes);
        let got = forward(&mut InferenceNet::new(&net), &planes);
        assert!(far(&got.logits, &want.logits) < 1e-11);
        assert!(far(&got.values, &want.values) < 1e-11);
    }
}

#[test]
fn the_default_network_agrees_with_plain_loops() {
    let architecture = Architecture::new(Grid { height: 6, width: 6 }, 9, 36 * 36);
    let net: Network<f32> = {
        let mut rng = Rng::seeded(5);
        Network::new(architecture, || rng.unit())
    };
    let planes = planes(&architecture, 2, 5);
    let want = reference::forward(&net, &planes);
    let shares = |logits: &[f64]| softmax(logits.iter().copied());
    for simd in SimdLevel::available() {
        let got = forward(&mut InferenceNet::on(simd, &net), &planes);
        assert!(far(&got.values, &want.values) < 1e-4);
        for n in 0..2 {
            let one = n * architecture.moves..(n + 1) * architecture.moves;
            let logits: Vec<f64> = got.logits[one.clone()].iter().map(|x| x.to_f64()).collect();
            assert!(far(&shares(&logits), &shares(&want.logits[one])) < 1e-4);
        }
    }
}

#[test]
fn a_batch_is_its_positions_one_by_one() {
    for (height, width) in [(6, 6), (7, 12)] {
        let architecture = small(height, width);
        let net: Network<f32> = network(architecture, 9);
        let mut inference = InferenceNet::new(&net);
        // More than a block of tiles, and not a multiple of it.
        let planes = planes(&architecture, 101, 9);
        let all = forward(&mut inference, &planes);
        for (n, one) in planes.chunks_exact(architecture.inputs()).enumerate() {
            let got = forward(&mut inference, one);
            let moves = architecture.moves;
            assert!(far(&got.logits, &all.logits[n * moves..(n + 1) * moves]) < 1e-5);
            assert!(far(&got.values, &all.values[n..=n]) < 1e-5);
        }
        assert!(forward(&mut inference, &[]).values.is_empty());
    }
}

#[test]
fn one_set_of_weights_evaluates_boards_of_every_size() {
    let (architecture, grids) = small_pooled();
    let net: Network<f32> = network(architecture, 4);
    let mut inference = InferenceNet::new(&net);
    for grid in grids {
        // More than a block of tiles on the largest board.
        let whole: Vec<f32> = planes(&architecture, 15, 4);
        let inputs = grid.area() * architecture.planes;
        let planes = &whole[..15 * inputs];
        let want = reference::forward_on(grid, &net, planes);
        let mut all = Output::default();
        inference.forward_on(grid, planes, &mut all);
        assert_eq!((all.logits.len(), all.values.len()), (15 * grid.width, 15));
        assert!(far(&all.logits, &want.logits) < 1e-4 && far(&all.values, &want.values) < 1e-4);
        for (n, one) in planes.chunks_exact(inputs).enumerate() {
            let mut got = Output::default();
            inference.forward_on(grid, one, &mut got);
            assert!(far(&got.logits, &all.logits[n * grid.width..(n + 1) * grid.width]) < 1e-5);
            assert!(far(&got.values, &all.values[n..=n]) < 1e-5);
        }
    }
}

#[test]
#[should_panic(expected = "a board of its size")]
fn a_board_that_the_network_is_not_for_is_refused() {
    let net: Network<f32> = network(small(6, 6), 1);
    let grid = Grid { height: 6, width: 7 };
    InferenceNet::new(&net).forward_on(grid, &[0.0; 6 * 7 * 3], &mut Output::default());
}

#[test]
fn softmax_of_the_legal_moves_ignores_the_others() {
    let logits = [1000.0f32, 1.0, 3.0, -1000.0];
    let of = |codes: &[usize]| softmax(codes.iter().map(|&code| logits[code]));
    let got = of(&[1, 2]);
    assert!((got[0] + got[1] - 1.0).abs() < 1e-6);
    assert!((got[1] / got[0] - 2f32.exp()).abs() < 1e-4);
    assert_eq!(of(&[0, 3]), [1.0, 0.0]);
    assert!(of(&[]).is_empty());
}
