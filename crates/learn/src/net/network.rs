//! The 2020 paper's network: a residual tower with a policy head and a value
//! head, in the form that learns.

use serde::{Deserialize, Serialize};

use super::loss::judge;
use super::{Conv, Grid, Linear, Loss, Norm, Path, Real, Target, Tensors, relu, relu_backward};

/// The sizes that make a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Rows of the board.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
    /// Planes that describe a position.
    pub planes: usize,
    /// Move codes.
    pub moves: usize,
    /// Residual blocks of two convolutions each.
    pub blocks: usize,
    /// Channels of the tower.
    pub channels: usize,
    /// Kernels of the policy head's 1 x 1 convolution.
    pub policy_kernels: usize,
    /// Kernels of the value head's 1 x 1 convolution.
    pub value_kernels: usize,
    /// Width of the value head's hidden layer.
    pub value_hidden: usize,
}

impl Architecture {
    /// Our default tower, 6 blocks of 64 channels, under the paper's heads.
    pub fn new(grid: Grid, planes: usize, moves: usize) -> Self {
        Architecture {
            height: grid.height,
            width: grid.width,
            planes,
            moves,
            blocks: 6,
            channels: 64,
            policy_kernels: 4,
            value_kernels: 2,
            value_hidden: 256,
        }
    }

    /// The tower of the 2020 paper's published code, 256 channels wide.
    pub fn paper_002(grid: Grid, planes: usize, moves: usize) -> Self {
        Architecture { channels: 256, ..Self::new(grid, planes, moves) }
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        Grid { height: self.height, width: self.width }
    }

    /// Numbers that describe one position.
    pub fn inputs(&self) -> usize {
        self.grid().area() * self.planes
    }
}

/// What a network says of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output<R> {
    /// A score for each move code of each position, before the softmax.
    pub scores: Vec<R>,
    /// The mover's expected result of each position, from -1 to 1.
    pub values: Vec<R>,
}

#[derive(Clone, Debug)]
pub(super) struct Step<R> {
    pub(super) conv: Conv<R>,
    pub(super) norm: Norm<R>,
    pub(super) result: Vec<R>,
}

#[derive(Clone, Debug)]
pub(super) struct Neck<R> {
    pub(super) linear: Linear<R>,
    pub(super) norm: Norm<R>,
    result: Vec<R>,
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Network<R> {
    /// Every number of it.
    pub tensors: Tensors<R>,
    pub(super) architecture: Architecture,
    pub(super) path: Path,
    pub(super) stem: Step<R>,
    pub(super) blocks: Vec<[Step<R>; 2]>,
    pub(super) policy_neck: Neck<R>,
    pub(super) policy: Linear<R>,
    pub(super) value_neck: Neck<R>,
    pub(super) hidden: Linear<R>,
    pub(super) value: Linear<R>,
    hidden_result: Vec<R>,
    values: Vec<R>,
}

/// Places fresh tensors with He's initial weights.
struct Maker<'a, R> {
    tensors: Tensors<R>,
    unit: &'a mut dyn FnMut() -> f64,
}

impl<R: Real> Maker<'_, R> {
    fn random(&mut self, count: usize, fan_in: usize, gain: f64) -> Vec<R> {
        let deviation = (gain / fan_in as f64).sqrt();
        (0..count)
            .map(|_| {
                // Box and Muller; 1 - u is never nought.
                let radius = (-2.0 * (1.0 - (self.unit)()).ln()).sqrt();
                R::of(deviation * radius * (std::f64::consts::TAU * (self.unit)()).cos())
            })
            .collect()
    }

    fn step(&mut self, name: &str, grid: Grid, channels: (usize, usize)) -> Step<R> {
        let (inputs, outputs) = channels;
        let value = self.random(9 * inputs * outputs, 9 * inputs, 2.0);
        let shape = [3, 3, inputs, outputs];
        let weight = self.tensors.learnt(format!("{name}.conv"), &shape, value);
        let norm = Norm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        Step { conv: Conv::new(weight, grid, channels), norm, result: Vec::new() }
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize, gain: f64) -> Linear<R> {
        let value = self.random(inputs * outputs, inputs, gain);
        let weight = self.tensors.learnt(format!("{name}.weight"), &[inputs, outputs], value);
        let noughts = vec![R::ZERO; outputs];
        let bias = self.tensors.learnt(format!("{name}.bias"), &[outputs], noughts);
        Linear::new(weight, Some(bias), inputs, outputs)
    }

    fn neck(&mut self, name: &str, inputs: usize, outputs: usize) -> Neck<R> {
        let value = self.random(inputs * outputs, inputs, 2.0);
        let weight = self.tensors.learnt(format!("{name}.conv"), &[inputs, outputs], value);
        let norm = Norm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        Neck { linear: Linear::new(weight, None, inputs, outputs), norm, result: Vec::new() }
    }
}

impl<R: Real> Network<R> {
    /// A network that knows nothing. `unit` draws from 0 (included) to 1
    /// (excluded).
    pub fn new(architecture: Architecture, unit: &mut dyn FnMut() -> f64) -> Self {
        let a = architecture;
        let grid = a.grid();
        let mut make = Maker { tensors: Tensors::new(), unit };
        let stem = make.step("stem", grid, (a.planes, a.channels));
        let around = (a.channels, a.channels);
        let blocks = (0..a.blocks)
            .map(|i| [1, 2].map(|half| make.step(&format!("block{}.{half}", i + 1), grid, around)))
            .collect();
        let policy_neck = make.neck("policy", a.channels, a.policy_kernels);
        // Scores begin small, so that a fresh policy is nearly even.
        let policy = make.linear("policy.dense", grid.area() * a.policy_kernels, a.moves, 0.1);
        let value_neck = make.neck("value", a.channels, a.value_kernels);
        let flat = grid.area() * a.value_kernels;
        let hidden = make.linear("value.hidden", flat, a.value_hidden, 2.0);
        let value = make.linear("value.dense", a.value_hidden, 1, 0.1);
        Network {
            tensors: make.tensors,
            architecture,
            path: Path::best(),
            stem,
            blocks,
            policy_neck,
            policy,
            value_neck,
            hidden,
            value,
            hidden_result: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Its sizes.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Judge a batch as training does, by the batch's own means and variances,
    /// and remember what [`Network::learn`] needs.
    fn forward(&mut self, planes: &[R]) -> Output<R> {
        let (path, tensors) = (self.path, &mut self.tensors);
        let mut x = self.stem.forward(path, tensors, planes.to_vec(), None);
        for [first, second] in &mut self.blocks {
            let inside = first.forward(path, tensors, x.clone(), None);
            x = second.forward(path, tensors, inside, Some(&x));
        }
        let flat = self.policy_neck.forward(path, tensors, x.clone());
        let scores = self.policy.forward(path, tensors, flat);
        let flat = self.value_neck.forward(path, tensors, x);
        let mut hidden = self.hidden.forward(path, tensors, flat);
        relu(&mut hidden);
        self.hidden_result.clone_from(&hidden);
        let values = self.value.forward(path, tensors, hidden);
        self.values = values.into_iter().map(|v| R::of(v.wide().tanh())).collect();
        Output { scores, values: self.values.clone() }
    }

    /// The loss of a batch; its gradient is added to the tensors' gradients.
    ///
    /// # Panics
    /// If there are not as many positions as targets, or a code is no move's.
    pub fn learn(&mut self, planes: &[R], targets: &[Target]) -> Loss {
        assert_eq!(planes.len(), targets.len() * self.architecture.inputs());
        let output = self.forward(planes);
        let share = 1.0 / targets.len() as f64;
        let mut loss = Loss::default();
        let mut by_scores = Vec::with_capacity(output.scores.len());
        let mut by_values = Vec::with_capacity(targets.len());
        let scores = output.scores.chunks_exact(self.architecture.moves);
        for ((scores, &value), target) in scores.zip(&output.values).zip(targets) {
            let (one, by_score, by_value) = judge(scores, value, target);
            loss.policy += one.policy * share;
            loss.value += one.value * share;
            by_scores.extend(by_score.into_iter().map(|g| g * R::of(share)));
            // Through the tanh at once.
            by_values.push(by_value * (R::ONE - value * value) * R::of(share));
        }
        self.backward(&by_scores, &by_values);
        loss
    }

    fn backward(&mut self, by_scores: &[R], by_values: &[R]) {
        let (path, tensors) = (self.path, &mut self.tensors);
        let mut hidden = self.value.backward(path, tensors, by_values);
        relu_backward(&self.hidden_result, &mut hidden);
        let flat = self.hidden.backward(path, tensors, &hidden);
        let mut x = self.value_neck.backward(path, tensors, flat);
        let flat = self.policy.backward(path, tensors, by_scores);
        add(&mut x, &self.policy_neck.backward(path, tensors, flat));
        for [first, second] in self.blocks.iter_mut().rev() {
            relu_backward(&second.result, &mut x);
            let mut inside = second.backward(path, tensors, x.clone());
            relu_backward(&first.result, &mut inside);
            add(&mut x, &first.backward(path, tensors, inside));
        }
        relu_backward(&self.stem.result, &mut x);
        self.stem.backward(path, tensors, x);
    }

    /// The loss's third term, c |θ|² over everything learnt; its gradient is
    /// added to the tensors' gradients.
    pub fn decay(&mut self, c: f64) -> f64 {
        let mut sum = 0.0;
        for tensor in self.tensors.iter_mut() {
            for (g, &value) in tensor.gradient.iter_mut().zip(&tensor.value) {
                *g += R::of(2.0 * c) * value;
                sum += value.wide() * value.wide();
            }
        }
        c * sum
    }
}

impl<R: Real> Step<R> {
    fn forward(
        &mut self,
        path: Path,
        tensors: &mut Tensors<R>,
        x: Vec<R>,
        around: Option<&[R]>,
    ) -> Vec<R> {
        let y = self.conv.forward(path, tensors, x);
        let mut y = self.norm.forward(tensors, y);
        if let Some(around) = around {
            add(&mut y, around);
        }
        relu(&mut y);
        self.result.clone_from(&y);
        y
    }

    /// From the gradient before the relu.
    fn backward(&mut self, path: Path, tensors: &mut Tensors<R>, gradient: Vec<R>) -> Vec<R> {
        let gradient = self.norm.backward(tensors, gradient);
        self.conv.backward(path, tensors, &gradient)
    }
}

impl<R: Real> Neck<R> {
    fn forward(&mut self, path: Path, tensors: &mut Tensors<R>, x: Vec<R>) -> Vec<R> {
        let y = self.linear.forward(path, tensors, x);
        let mut y = self.norm.forward(tensors, y);
        relu(&mut y);
        self.result.clone_from(&y);
        y
    }

    fn backward(&mut self, path: Path, tensors: &mut Tensors<R>, mut gradient: Vec<R>) -> Vec<R> {
        relu_backward(&self.result, &mut gradient);
        let gradient = self.norm.backward(tensors, gradient);
        self.linear.backward(path, tensors, &gradient)
    }
}

fn add<R: Real>(to: &mut [R], from: &[R]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to += from;
    }
}
