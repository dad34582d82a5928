//! The network in floating point: forward, backward, Adam, and the rounding to the
//! integers of [`search::nnue`].

use games::Rng;
use search::nnue::{CLIP, HEAD_ONE, HIDDEN, Head, Nnue, Row};

/// Bounds of the weights: those of the integers that they are rounded to.
const ROW_LIMIT: f32 = i8::MAX as f32 / CLIP as f32;
const HEAD_LIMIT: f32 = 1.98;

/// Adam's usual constants.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

type Sums = [f32; HIDDEN];

/// Numbers of a network: its weights, or something about each of them.
#[derive(Clone)]
struct Numbers {
    /// The bias, then a row for each value of each pattern.
    rows: Vec<Sums>,
    /// For each head the mover's weights, then the opponent's.
    heads: Vec<Sums>,
    /// The bias of each head.
    biases: Vec<f32>,
}

impl Numbers {
    fn zeros(rows: usize, heads: usize) -> Numbers {
        Numbers {
            rows: vec![[0.0; HIDDEN]; rows + 1],
            heads: vec![[0.0; HIDDEN]; 2 * heads],
            biases: vec![0.0; heads],
        }
    }

    fn clear(&mut self) {
        self.rows.fill([0.0; HIDDEN]);
        self.heads.fill([0.0; HIDDEN]);
        self.biases.fill(0.0);
    }

    fn parts(&mut self) -> [&mut [f32]; 3] {
        [self.rows.as_flattened_mut(), self.heads.as_flattened_mut(), &mut self.biases]
    }
}

/// One position for the model: the rows of its patterns in both views, and its
/// head.
pub struct Input<'a> {
    pub rows: [&'a [u32]; 2],
    pub head: usize,
}

/// A network being trained.
pub struct Model {
    weights: Numbers,
    gradient: Numbers,
    mean: Numbers,
    square: Numbers,
    steps: i32,
    sizes: Vec<usize>,
    /// Rows that no position used have a meaning: they come from a network.
    known: bool,
}

impl Model {
    /// A network with random weights for patterns of these sizes.
    pub fn new(sizes: &[usize], heads: usize, seed: u64) -> Model {
        let mut rng = Rng::seeded(seed);
        let zeros = Numbers::zeros(sizes.iter().sum(), heads);
        let mut weights = zeros.clone();
        let mut draw = |reach: f32| (2.0 * rng.unit() as f32 - 1.0) * reach;
        // Sums begin between the clips, where there is a gradient.
        let reach = 0.5 / (sizes.len() as f32).sqrt();
        weights.rows.as_flattened_mut().iter_mut().for_each(|weight| *weight = draw(reach));
        weights.heads.as_flattened_mut().iter_mut().for_each(|weight| *weight = draw(0.3));
        weights.rows[0] = [0.3; HIDDEN];
        Model {
            weights,
            gradient: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
            sizes: sizes.to_vec(),
            known: false,
        }
    }

    /// The network of these integers, to be trained further.
    pub fn from_network(network: &Nnue, sizes: &[usize]) -> Model {
        let (bias, rows, heads) = network.parts();
        let mut model = Model::new(sizes, heads.len(), 0);
        let weights = &mut model.weights;
        let one = f32::from(CLIP);
        weights.rows[0] = bias.map(|weight| f32::from(weight) / one);
        for (to, row) in weights.rows[1..].iter_mut().zip(rows) {
            *to = row.0.map(|weight| f32::from(weight) / one);
        }
        for (index, head) in heads.iter().enumerate() {
            let of_head = head.weights.map(|row| row.map(|w| f32::from(w) / HEAD_ONE as f32));
            weights.heads[2 * index..2 * index + 2].copy_from_slice(&of_head);
            weights.biases[index] = head.bias as f32 / (one * HEAD_ONE as f32);
        }
        model.known = true;
        model
    }

    fn sums(&self, rows: &[u32]) -> Sums {
        let mut sums = self.weights.rows[0];
        for &row in rows {
            let row = &self.weights.rows[row as usize + 1];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums
    }

    fn output(&self, sums: &[Sums; 2], head: usize) -> f32 {
        let mut output = self.weights.biases[head];
        for (sums, weights) in sums.iter().zip(&self.weights.heads[2 * head..]) {
            let mut parts = [0.0; HIDDEN];
            for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                let clipped = sum.clamp(0.0, 1.0);
                *part = clipped * clipped * weight;
            }
            output += parts.iter().sum::<f32>();
        }
        output
    }

    /// The winning chance of a position, for its mover.
    pub fn chance(&self, input: &Input) -> f32 {
        let sums = input.rows.map(|rows| self.sums(rows));
        sigmoid(self.output(&sums, input.head))
    }

    /// Adds the gradient of a position's squared error, and returns that error.
    pub fn learn(&mut self, input: &Input, target: f32) -> f32 {
        let sums = input.rows.map(|rows| self.sums(rows));
        let chance = sigmoid(self.output(&sums, input.head));
        let error = chance - target;
        let slope = 2.0 * error * chance * (1.0 - chance);
        self.gradient.biases[input.head] += slope;
        for (view, sums) in sums.iter().enumerate() {
            let place = 2 * input.head + view;
            let (weights, gradient) = (&self.weights.heads[place], &mut self.gradient.heads[place]);
            let mut below = [0.0; HIDDEN];
            for (unit, &sum) in sums.iter().enumerate() {
                let clipped = sum.clamp(0.0, 1.0);
                gradient[unit] += slope * clipped * clipped;
                let inside = sum > 0.0 && sum < 1.0;
                below[unit] = if inside { 2.0 * slope * clipped * weights[unit] } else { 0.0 };
            }
            for &row in [&u32::MAX].into_iter().chain(input.rows[view]) {
                // The bias is before the first row.
                let row = &mut self.gradient.rows[row.wrapping_add(1) as usize];
                for (sum, slope) in row.iter_mut().zip(&below) {
                    *sum += slope;
                }
            }
        }
        error * error
    }

    /// A step of Adam along the gradient of `count` positions, which is cleared.
    pub fn step(&mut self, rate: f32, count: usize) {
        self.steps += 1;
        let part = 1.0 / count as f32;
        let first = 1.0 / (1.0 - BETA_1.powi(self.steps));
        let second = 1.0 / (1.0 - BETA_2.powi(self.steps));
        let limits = [ROW_LIMIT, HEAD_LIMIT, f32::MAX];
        let [weights, gradient] = [self.weights.parts(), self.gradient.parts()];
        let moments = self.mean.parts().into_iter().zip(self.square.parts());
        for (((weights, gradient), (mean, square)), limit) in
            weights.into_iter().zip(gradient).zip(moments).zip(limits)
        {
            for (((weight, slope), mean), square) in
                weights.iter_mut().zip(gradient).zip(mean).zip(square)
            {
                let slope = *slope * part;
                *mean = BETA_1 * *mean + (1.0 - BETA_1) * slope;
                *square = BETA_2 * *square + (1.0 - BETA_2) * slope * slope;
                let change = rate * *mean * first / ((*square * second).sqrt() + EPSILON);
                *weight = (*weight - change).clamp(-limit, limit);
            }
        }
        self.gradient.clear();
    }

    /// The same network in integers. Rows that no position used are 0.
    pub fn quantise(&self) -> Result<Nnue, String> {
        let round = |row: &Sums, one: f32| row.map(|weight| (weight * one).round() as i16);
        let row = |(row, square): (&Sums, &Sums)| {
            let used = self.known || square.iter().any(|&square| square > 0.0);
            let rounded = |weight: f32| (weight * f32::from(CLIP)).round() as i8;
            Row(if used { row.map(rounded) } else { [0; HIDDEN] })
        };
        let mut rows = self.weights.rows.iter().zip(&self.square.rows);
        let bias = rows.next().ok_or("it has no rows")?;
        let bias = round(bias.0, f32::from(CLIP));
        let one = HEAD_ONE as f32;
        let heads = self.weights.heads.as_chunks::<2>().0.iter().zip(&self.weights.biases);
        let heads = heads.map(|(weights, bias)| Head {
            weights: [round(&weights[0], one), round(&weights[1], one)],
            bias: (bias * one * f32::from(CLIP)).round() as i32,
        });
        Nnue::new(bias, rows.map(row).collect(), heads.collect(), &self.sizes)
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_the_slopes_of_the_error() {
        let sizes = [3, 4];
        let input = Input { rows: [&[1, 5], &[2, 3]], head: 1 };
        let mut model = Model::new(&sizes, 2, 7);
        let target = 0.9;
        model.learn(&input, target);
        let gradient = model.gradient.clone();
        let error = |model: &Model| (model.chance(&input) - target).powi(2);
        let mut check = |pick: fn(&mut Numbers) -> &mut f32| {
            let step = 1e-2;
            *pick(&mut model.weights) += step;
            let above = error(&model);
            *pick(&mut model.weights) -= 2.0 * step;
            let below = error(&model);
            *pick(&mut model.weights) += step;
            let slope = (above - below) / (2.0 * step);
            let found = *pick(&mut gradient.clone());
            assert!((slope - found).abs() < 1e-3 * (1.0 + slope.abs()), "{slope} {found}");
        };
        check(|numbers| &mut numbers.biases[1]);
        check(|numbers| &mut numbers.biases[0]);
        check(|numbers| &mut numbers.heads[2][5]);
        check(|numbers| &mut numbers.heads[3][9]);
        check(|numbers| &mut numbers.rows[0][4]);
        check(|numbers| &mut numbers.rows[2][11]);
        check(|numbers| &mut numbers.rows[4][60]);
        check(|numbers| &mut numbers.rows[1][0]);
    }

    #[test]
    fn it_learns_and_the_integers_agree() {
        let sizes = [3, 3];
        let mut model = Model::new(&sizes, 1, 3);
        // The chance is high if the two patterns have the same value.
        let inputs: Vec<[u32; 2]> = (0..9).map(|n| [n / 3, 3 + n % 3]).collect();
        let target = |rows: &[u32; 2]| if rows[0] + 3 == rows[1] { 0.9 } else { 0.2 };
        for _ in 0..1500 {
            for rows in &inputs {
                model.learn(&Input { rows: [rows, rows], head: 0 }, target(rows));
            }
            model.step(0.01, inputs.len());
        }
        let net = model.quantise().unwrap();
        let (bias, rows, heads) = net.parts();
        for input in &inputs {
            let chance = model.chance(&Input { rows: [input, input], head: 0 });
            assert!((chance - target(input)).abs() < 0.02, "{input:?}: {chance}");
            // The integers, in floating point.
            let output: f64 = (0..HIDDEN)
                .map(|unit| {
                    let sum: i32 =
                        input.iter().map(|&row| i32::from(rows[row as usize].0[unit])).sum();
                    let clipped = (sum + i32::from(bias[unit])).clamp(0, CLIP.into());
                    let part = f64::from(clipped) / f64::from(CLIP);
                    let weights = heads[0].weights.map(|weights| i32::from(weights[unit]));
                    part * part * f64::from(weights[0] + weights[1]) / f64::from(HEAD_ONE)
                })
                .sum();
            let bias = f64::from(heads[0].bias) / f64::from(CLIP) / f64::from(HEAD_ONE);
            let rounded = sigmoid((output + bias) as f32);
            assert!((rounded - chance).abs() < 0.01, "{rounded} {chance}");
        }
    }
}
