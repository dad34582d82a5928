//! The 2020 paper's network: a residual tower with a policy head and a value
//! head, in the form that learns.

use serde::{Deserialize, Serialize};

use super::loss::judge;
use super::{
    Back, Buffer, Conv, Grid, Linear, Loss, Norm, Real, Scratch, SimdLevel, Target, Tensors, relu,
    relu_backward,
};

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
    pub logits: Vec<R>,
    /// The mover's expected result of each position, from -1 to 1.
    pub values: Vec<R>,
}

/// A convolution, its normalisation and a relu, with what they last computed.
#[derive(Clone, Debug)]
pub(super) struct ConvBlock<R> {
    pub(super) conv: Conv,
    pub(super) norm: Norm<R>,
    sums: Buffer<R>,
    result: Buffer<R>,
}

/// The same with a 1 x 1 convolution.
#[derive(Clone, Debug)]
pub(super) struct HeadConv<R> {
    pub(super) linear: Linear<R>,
    pub(super) norm: Norm<R>,
    sums: Buffer<R>,
    result: Buffer<R>,
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Network<R> {
    /// Every number of it.
    pub tensors: Tensors<R>,
    pub(super) architecture: Architecture,
    simd: SimdLevel,
    pub(super) stem: ConvBlock<R>,
    pub(super) blocks: Vec<[ConvBlock<R>; 2]>,
    pub(super) policy_neck: HeadConv<R>,
    pub(super) policy: Linear<R>,
    pub(super) value_neck: HeadConv<R>,
    pub(super) hidden: Linear<R>,
    pub(super) value: Linear<R>,
    logits: Buffer<R>,
    wide: Buffer<R>,
    values: Buffer<R>,
    gradients: Gradients<R>,
    scratch: Scratch<R>,
}

/// Buffer for gradients on their way back.
#[derive(Clone, Debug, Default)]
struct Gradients<R> {
    logits: Buffer<R>,
    values: Buffer<R>,
    wide: Buffer<R>,
    flat: Buffer<R>,
    /// By the results of a block, by those inside it, and by the sums before a
    /// normalisation.
    outside: Buffer<R>,
    inside: Buffer<R>,
    sums: Buffer<R>,
}

/// Places fresh tensors with He's initial weights.
struct Builder<R, F> {
    tensors: Tensors<R>,
    unit: F,
}

impl<R: Real, F: FnMut() -> f64> Builder<R, F> {
    fn random(&mut self, count: usize, fan_in: usize, gain: f64) -> Vec<R> {
        let deviation = (gain / fan_in as f64).sqrt();
        (0..count)
            .map(|_| {
                // Box and Muller; 1 - u is never zero.
                let radius = (-2.0 * (1.0 - (self.unit)()).ln()).sqrt();
                R::from_f64(deviation * radius * (std::f64::consts::TAU * (self.unit)()).cos())
            })
            .collect()
    }

    fn step(&mut self, name: &str, grid: Grid, channels: (usize, usize)) -> ConvBlock<R> {
        let (inputs, outputs) = channels;
        let value = self.random(9 * inputs * outputs, 9 * inputs, 2.0);
        let shape = [3, 3, inputs, outputs];
        let weight = self.tensors.learnt(format!("{name}.conv"), &shape, value);
        let norm = Norm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        ConvBlock {
            conv: Conv::new(weight, grid, channels),
            norm,
            sums: Buffer::default(),
            result: Buffer::default(),
        }
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize, gain: f64) -> Linear<R> {
        let value = self.random(inputs * outputs, inputs, gain);
        let weight = self.tensors.learnt(format!("{name}.weight"), &[inputs, outputs], value);
        let zeros = vec![R::ZERO; outputs];
        let bias = self.tensors.learnt(format!("{name}.bias"), &[outputs], zeros);
        Linear::new(weight, Some(bias), inputs, outputs)
    }

    fn neck(&mut self, name: &str, inputs: usize, outputs: usize) -> HeadConv<R> {
        let value = self.random(inputs * outputs, inputs, 2.0);
        let weight = self.tensors.learnt(format!("{name}.conv"), &[inputs, outputs], value);
        let norm = Norm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        HeadConv {
            linear: Linear::new(weight, None, inputs, outputs),
            norm,
            sums: Buffer::default(),
            result: Buffer::default(),
        }
    }
}

impl<R: Real> Network<R> {
    /// A network that knows nothing. `unit` draws from 0 (included) to 1
    /// (excluded).
    pub fn new(architecture: Architecture, unit: impl FnMut() -> f64) -> Self {
        Network::on(SimdLevel::best(), architecture, unit)
    }

    /// The same on a given simd.
    pub fn on(simd: SimdLevel, architecture: Architecture, unit: impl FnMut() -> f64) -> Self {
        let a = architecture;
        let grid = a.grid();
        let mut make = Builder { tensors: Tensors::new(), unit };
        let stem = make.step("stem", grid, (a.planes, a.channels));
        let residual = (a.channels, a.channels);
        let blocks = (0..a.blocks)
            .map(|i| {
                [1, 2].map(|half| make.step(&format!("block{}.{half}", i + 1), grid, residual))
            })
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
            simd,
            stem,
            blocks,
            policy_neck,
            policy,
            value_neck,
            hidden,
            value,
            logits: Buffer::default(),
            wide: Buffer::default(),
            values: Buffer::default(),
            gradients: Gradients::default(),
            scratch: Scratch::default(),
        }
    }

    /// Its sizes.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The loss of a batch; its gradient is added to the tensors' gradients.
    ///
    /// # Panics
    /// If there are not as many positions as targets, or a code is no move's.
    pub fn forward_backward(&mut self, planes: &[R], targets: &[Target]) -> Loss {
        assert_eq!(planes.len(), targets.len() * self.architecture.inputs());
        self.forward(planes);
        let moves = self.architecture.moves;
        let share = 1.0 / targets.len() as f64;
        let mut loss = Loss::default();
        let by_logits = self.gradients.logits.resized(self.logits.len()).chunks_exact_mut(moves);
        let by_values = self.gradients.values.resized(targets.len()).iter_mut();
        let judged = self.logits.chunks_exact(moves).zip(self.values.iter());
        for (((logits, &value), target), (by_logits, to)) in
            judged.zip(targets).zip(by_logits.zip(by_values))
        {
            let (one, by_value) = judge(logits, value, target, share, by_logits);
            loss.policy += one.policy * share;
            loss.value += one.value * share;
            // Through the tanh at once.
            *to = by_value * (R::ONE - value * value);
        }
        self.backward(planes);
        loss
    }

    /// Judge a batch as training does, by the batch's own means and variances.
    fn forward(&mut self, planes: &[R]) {
        let (simd, tensors, scratch) = (self.simd, &mut self.tensors, &mut self.scratch);
        self.stem.forward(simd, tensors, planes, None, scratch);
        let mut x: &[R] = &self.stem.result;
        for [first, second] in &mut self.blocks {
            first.forward(simd, tensors, x, None, scratch);
            second.forward(simd, tensors, &first.result, Some(x), scratch);
            x = &second.result;
        }
        self.policy_neck.forward(simd, tensors, x);
        self.policy.forward(simd, tensors, &self.policy_neck.result, &mut self.logits);
        self.value_neck.forward(simd, tensors, x);
        self.hidden.forward(simd, tensors, &self.value_neck.result, &mut self.wide);
        relu(&mut self.wide);
        self.value.forward(simd, tensors, &self.wide, &mut self.values);
        for value in self.values.iter_mut() {
            *value = R::from_f64(value.to_f64().tanh());
        }
    }

    /// From the gradients by logits and values back to every tensor.
    fn backward(&mut self, planes: &[R]) {
        let (simd, tensors, scratch) = (self.simd, &mut self.tensors, &mut self.scratch);
        let Gradients { logits, values, wide, flat, outside, inside, sums } = &mut self.gradients;
        let top = self.blocks.last().map_or(&self.stem.result, |[_, second]| &second.result);
        let wide = wide.resized(self.wide.len());
        self.value.backward(simd, tensors, &self.wide, values, wide, false);
        relu_backward(&self.wide, wide);
        let outside = outside.resized(top.len());
        let neck = &mut self.value_neck;
        let by_neck = flat.resized(neck.result.len());
        self.hidden.backward(simd, tensors, &neck.result, wide, by_neck, false);
        neck.backward(simd, tensors, top, by_neck, sums, outside, false);
        let neck = &mut self.policy_neck;
        let by_neck = flat.resized(neck.result.len());
        self.policy.backward(simd, tensors, &neck.result, logits, by_neck, false);
        neck.backward(simd, tensors, top, by_neck, sums, outside, true);

        let mut blocks = &mut self.blocks[..];
        while let Some(([first, second], before)) = blocks.split_last_mut() {
            let x = before.last().map_or(&self.stem.result, |[_, second]| &second.result);
            let inside = inside.resized(first.result.len());
            let into = Back::Into(inside);
            second.backward(simd, tensors, &first.result, outside, sums, into, scratch);
            // What goes residual the block is there already.
            let onto = Back::Onto(outside);
            first.backward(simd, tensors, x, inside, sums, onto, scratch);
            blocks = before;
        }
        self.stem.backward(simd, tensors, planes, outside, sums, Back::Nowhere, scratch);
    }

    /// The loss's third term, c |θ|² over everything learnt; its gradient is
    /// added to the tensors' gradients.
    pub fn add_weight_decay(&mut self, c: f64) -> f64 {
        let twice = R::from_f64(2.0 * c);
        let mut sum = 0.0;
        for tensor in self.tensors.iter_mut() {
            for (g, value) in tensor.gradient.chunks_mut(64).zip(tensor.value.chunks(64)) {
                // Sums side by side: in one, each would wait for the last.
                let mut sums = [R::ZERO; 8];
                for (i, (g, &value)) in g.iter_mut().zip(value).enumerate() {
                    *g += twice * value;
                    sums[i % 8] += value * value;
                }
                sum += sums.iter().map(|sum| sum.to_f64()).sum::<f64>();
            }
        }
        c * sum
    }
}

impl<R: Real> ConvBlock<R> {
    fn forward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        residual: Option<&[R]>,
        scratch: &mut Scratch<R>,
    ) {
        self.conv.forward(simd, tensors, x, &mut self.sums, scratch);
        let result = self.result.resized(self.sums.len());
        self.norm.forward(simd, tensors, &self.sums, residual, result);
    }

    /// The gradient by the results becomes that before the relu.
    #[allow(clippy::too_many_arguments)]
    fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        gradient: &mut [R],
        by_sums: &mut Buffer<R>,
        back: Back<'_, R>,
        scratch: &mut Scratch<R>,
    ) {
        let by_sums = by_sums.resized(self.sums.len());
        self.norm.backward(simd, tensors, (&self.sums, &self.result), gradient, by_sums);
        self.conv.backward(simd, tensors, x, by_sums, back, scratch);
    }
}

impl<R: Real> HeadConv<R> {
    fn forward(&mut self, simd: SimdLevel, tensors: &mut Tensors<R>, x: &[R]) {
        self.linear.forward(simd, tensors, x, &mut self.sums);
        let result = self.result.resized(self.sums.len());
        self.norm.forward(simd, tensors, &self.sums, None, result);
    }

    #[allow(clippy::too_many_arguments)]
    fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        gradient: &mut [R],
        by_sums: &mut Buffer<R>,
        back: &mut [R],
        add: bool,
    ) {
        let by_sums = by_sums.resized(self.sums.len());
        self.norm.backward(simd, tensors, (&self.sums, &self.result), gradient, by_sums);
        self.linear.backward(simd, tensors, x, by_sums, back, add);
    }
}
