//! Forward: every path says what the plain loops say.

use games::Rng;
use learn::net::{
    Architecture, Frozen, Grid, Left, Network, Output, Path, Real, multiply, softmax,
};

use crate::{network, plain, planes, small};

fn judged<R: Real>(frozen: &mut Frozen<R>, planes: &[R]) -> Output<R> {
    let mut out = Output::default();
    frozen.judge(planes, &mut out);
    out
}

fn far<R: Real, S: Real>(a: &[R], b: &[S]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a.wide() - b.wide()).abs()).fold(0.0, f64::max)
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
        for path in Path::all() {
            let mut out = c.clone();
            multiply(path, (m, n, k), left, &b, &mut out, add);
            assert!(far(&out, &want) < 1e-5, "{path:?} {m} x {n} x {k}");
        }
    }
}

#[test]
#[should_panic(expected = "too short")]
fn a_product_beyond_its_slices_is_refused() {
    multiply(Path::best(), (4, 4, 4), Left::rows(&[0.0; 15], 4), &[0.0; 16], &mut [0.0; 16], false);
}

#[test]
fn both_paths_and_folding_agree_with_plain_loops() {
    for (i, (height, width)) in
        [(6, 6), (6, 7), (5, 5), (11, 12), (3, 13), (1, 1)].into_iter().enumerate()
    {
        let architecture = small(height, width);
        let seed = i as u64;
        let net: Network<f32> = network(architecture, seed);
        let planes = planes(&architecture, 3, seed);
        let want = plain::judge(&net, &planes);
        for path in Path::all() {
            let got = judged(&mut Frozen::on(path, &net), &planes);
            assert!(far(&got.scores, &want.scores) < 1e-4, "{path:?} {height} x {width}");
            assert!(far(&got.values, &want.values) < 1e-4, "{path:?} {height} x {width}");
        }
        // In double precision nothing but rounding is left.
        let net: Network<f64> = network(architecture, seed);
        let planes: Vec<f64> = planes.iter().map(|x| x.wide()).collect();
        let want = plain::judge(&net, &planes);
        let got = judged(&mut Frozen::new(&net), &planes);
        assert!(far(&got.scores, &want.scores) < 1e-11);
        assert!(far(&got.values, &want.values) < 1e-11);
    }
}

#[test]
fn the_default_network_agrees_with_plain_loops() {
    let architecture = Architecture::new(Grid { height: 6, width: 6 }, 9, 36 * 36);
    let net: Network<f32> = {
        let mut rng = Rng::seeded(5);
        Network::new(architecture, &mut || rng.unit())
    };
    let planes = planes(&architecture, 2, 5);
    let want = plain::judge(&net, &planes);
    let shares = |scores: &[f64]| softmax(scores, 0..scores.len());
    for path in Path::all() {
        let got = judged(&mut Frozen::on(path, &net), &planes);
        assert!(far(&got.values, &want.values) < 1e-4);
        for n in 0..2 {
            let one = n * architecture.moves..(n + 1) * architecture.moves;
            let scores: Vec<f64> = got.scores[one.clone()].iter().map(|x| x.wide()).collect();
            assert!(far(&shares(&scores), &shares(&want.scores[one])) < 1e-4);
        }
    }
}

#[test]
fn a_batch_is_its_positions_one_by_one() {
    for (height, width) in [(6, 6), (7, 12)] {
        let architecture = small(height, width);
        let net: Network<f32> = network(architecture, 9);
        let mut frozen = Frozen::new(&net);
        // More than a block of tiles, and not a multiple of it.
        let planes = planes(&architecture, 101, 9);
        let all = judged(&mut frozen, &planes);
        for (n, one) in planes.chunks_exact(architecture.inputs()).enumerate() {
            let got = judged(&mut frozen, one);
            let moves = architecture.moves;
            assert!(far(&got.scores, &all.scores[n * moves..(n + 1) * moves]) < 1e-5);
            assert!(far(&got.values, &all.values[n..=n]) < 1e-5);
        }
        assert!(judged(&mut frozen, &[]).values.is_empty());
    }
}

#[test]
fn softmax_sees_legal_moves_only() {
    let scores = [1000.0f32, 1.0, 3.0, -1000.0];
    let got = softmax(&scores, [1, 2].into_iter());
    assert!((got[0] + got[1] - 1.0).abs() < 1e-6);
    assert!((got[1] / got[0] - 2f32.exp()).abs() < 1e-4);
    assert_eq!(softmax(&scores, [0, 3].into_iter()), [1.0, 0.0]);
    assert!(softmax(&scores, std::iter::empty()).is_empty());
}
