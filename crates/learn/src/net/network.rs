//! The 2020 paper's network, a residual tower with a policy head and a value
//! head, in the form that is trained; or the same tower under pooled heads.

use super::blocks::{Builder, ConvBlock, HeadConv};
use super::loss::position_loss;
use super::{
    Architecture, Boards, Buffer, Heads, InputGradient, Linear, Loss, Pool, Real, Scratch,
    SimdLevel, Target, Tensors, relu, relu_backward,
};

/// A network in training: it keeps what its backward pass needs.
///
/// ```
/// use learn::net::{Architecture, Grid, Network, Optimiser, Target, UpdateRule};
///
/// let architecture = Architecture {
///     blocks: 1,
///     channels: 8,
///     ..Architecture::new(Grid { height: 3, width: 3 }, 2, 9)
/// };
/// let mut seed = 0.1;
/// let mut network = Network::<f32>::new(architecture, || {
///     seed = (seed * 997.0_f64).fract();
///     seed
/// });
/// let mut optimiser = Optimiser::new(UpdateRule::Sgd { momentum: 0.9 });
/// let planes = vec![1.0; 4 * architecture.inputs()];
/// let target = Target { policy: vec![(0, 0.75), (4, 0.25)], value: 1.0 };
/// let targets = vec![target; 4];
/// let first = network.forward_backward(&planes, &targets);
/// for _ in 0..20 {
///     optimiser.step(&mut network.tensors, 0.05);
///     network.forward_backward(&planes, &targets);
/// }
/// assert!(network.forward_backward(&planes, &targets).total() < first.total());
/// ```
#[derive(Clone, Debug)]
pub struct Network<R> {
    /// All its numbers.
    pub tensors: Tensors<R>,
    pub(super) architecture: Architecture,
    simd: SimdLevel,
    pub(super) stem: ConvBlock<R>,
    pub(super) blocks: Vec<[ConvBlock<R>; 2]>,
    pub(super) policy_conv: HeadConv<R>,
    pub(super) policy: Linear<R>,
    pub(super) value_conv: HeadConv<R>,
    pub(super) hidden: Linear<R>,
    pub(super) value: Linear<R>,
    logits: Buffer<R>,
    hidden_output: Buffer<R>,
    values: Buffer<R>,
    gradients: Gradients<R>,
    scratch: Scratch<R>,
}

/// Gradients of the backward pass.
#[derive(Clone, Debug, Default)]
struct Gradients<R> {
    logits: Buffer<R>,
    values: Buffer<R>,
    hidden: Buffer<R>,
    head: Buffer<R>,
    /// Of a residual block's output.
    block: Buffer<R>,
    /// Of the output of a block's first convolution.
    inner: Buffer<R>,
    /// Of the sums before a normalisation.
    sums: Buffer<R>,
}

impl<R: Real> Network<R> {
    /// A network with random weights. `unit` gives random numbers from 0 (included)
    /// to 1 (excluded).
    pub fn new(architecture: Architecture, unit: impl FnMut() -> f64) -> Self {
        Network::on(SimdLevel::detect(), architecture, unit)
    }

    /// The same with the instructions of a level.
    pub fn on(simd: SimdLevel, architecture: Architecture, unit: impl FnMut() -> f64) -> Self {
        let a = architecture;
        let mut make = Builder { tensors: Tensors::new(), unit };
        let stem = make.conv_block("stem", (a.planes, a.channels));
        let inner = (a.channels, a.channels);
        let blocks = (0..a.blocks)
            .map(|i| [1, 2].map(|half| make.conv_block(&format!("block{}.{half}", i + 1), inner)))
            .collect();
        let pool = |pool| (a.heads == Heads::Pooled).then_some(pool);
        let [(policy_inputs, logits), (value_inputs, value_hidden)] = a.dense_layers();
        let kernels = (a.channels, a.policy_kernels);
        let policy_conv = make.head_conv("policy", kernels, pool(Pool::Columns));
        // Small logits, so that a new network's policy is nearly uniform.
        let policy = make.linear("policy.dense", policy_inputs, logits, 0.1);
        let kernels = (a.channels, a.value_kernels);
        let value_conv = make.head_conv("value", kernels, pool(Pool::Board));
        let hidden = make.linear("value.hidden", value_inputs, value_hidden, 2.0);
        let value = make.linear("value.dense", value_hidden, 1, 0.1);
        Network {
            tensors: make.tensors,
            architecture,
            simd,
            stem,
            blocks,
            policy_conv,
            policy,
            value_conv,
            hidden,
            value,
            logits: Buffer::default(),
            hidden_output: Buffer::default(),
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
        self.forward_backward_on(
            &Boards::of(self.architecture.grid(), targets.len()),
            planes,
            targets,
        )
    }

    /// The same for boards of these sizes.
    ///
    /// # Panics
    /// As above, and if the network is not for boards of such a size.
    pub fn forward_backward_on(
        &mut self,
        boards: &Boards,
        planes: &[R],
        targets: &[Target],
    ) -> Loss {
        let architecture = self.architecture;
        assert!(boards.runs().all(|(grid, _)| architecture.has_board(grid)), "boards of its sizes");
        assert_eq!(boards.positions(), targets.len());
        assert_eq!(planes.len(), boards.area() * architecture.planes);
        self.forward(boards, planes);
        let weight = 1.0 / targets.len() as f64;
        let mut loss = Loss::default();
        let mut logit_gradients = self.gradients.logits.resized(self.logits.len());
        let value_gradients = self.gradients.values.resized(targets.len());
        let mut logits = &self.logits[..];
        let positions = boards.iter().zip(targets).zip(self.values.iter()).zip(value_gradients);
        for (((grid, target), &value), value_gradient) in positions {
            let moves = architecture.logits_on(grid);
            let (mine, rest) = logits.split_at(moves);
            let (gradient, rest_gradients) = logit_gradients.split_at_mut(moves);
            (logits, logit_gradients) = (rest, rest_gradients);
            let (one, by_value) = position_loss(mine, value, target, weight, gradient);
            loss.policy += one.policy * weight;
            loss.value += one.value * weight;
            // The derivative of tanh included.
            *value_gradient = by_value * (R::ONE - value * value);
        }
        self.backward(boards, planes);
        loss
    }

    /// The forward pass of training, with the batch's own means and variances.
    fn forward(&mut self, boards: &Boards, planes: &[R]) {
        let (simd, tensors, scratch) = (self.simd, &mut self.tensors, &mut self.scratch);
        self.stem.forward(simd, tensors, boards, planes, None, scratch);
        let mut x: &[R] = &self.stem.output;
        for [first, second] in &mut self.blocks {
            first.forward(simd, tensors, boards, x, None, scratch);
            second.forward(simd, tensors, boards, &first.output, Some(x), scratch);
            x = &second.output;
        }
        self.policy_conv.forward(simd, tensors, boards, x);
        self.policy.forward(simd, tensors, self.policy_conv.features(), &mut self.logits);
        self.value_conv.forward(simd, tensors, boards, x);
        let hidden = &mut self.hidden_output;
        self.hidden.forward(simd, tensors, self.value_conv.features(), hidden);
        relu(hidden);
        self.value.forward(simd, tensors, hidden, &mut self.values);
        for value in self.values.iter_mut() {
            *value = R::from_f64(value.to_f64().tanh());
        }
    }

    /// From the gradients of logits and values back to every tensor.
    fn backward(&mut self, boards: &Boards, planes: &[R]) {
        let (simd, tensors, scratch) = (self.simd, &mut self.tensors, &mut self.scratch);
        let Gradients { logits, values, hidden, head, block, inner, sums } = &mut self.gradients;
        let tower = self.blocks.last().map_or(&self.stem.output, |[_, second]| &second.output);
        let hidden = hidden.resized(self.hidden_output.len());
        self.value.backward(simd, tensors, &self.hidden_output, values, hidden, false);
        relu_backward(&self.hidden_output, hidden);
        let block = block.resized(tower.len());
        let conv = &mut self.value_conv;
        let gradient = head.resized(conv.features().len());
        self.hidden.backward(simd, tensors, conv.features(), hidden, gradient, false);
        conv.backward(simd, tensors, boards, tower, gradient, sums, block, false);
        let conv = &mut self.policy_conv;
        let gradient = head.resized(conv.features().len());
        self.policy.backward(simd, tensors, conv.features(), logits, gradient, false);
        conv.backward(simd, tensors, boards, tower, gradient, sums, block, true);

        let mut blocks = &mut self.blocks[..];
        while let Some(([first, second], before)) = blocks.split_last_mut() {
            let x = before.last().map_or(&self.stem.output, |[_, second]| &second.output);
            let inner = inner.resized(first.output.len());
            let back = InputGradient::Overwrite(inner);
            second.backward(simd, tensors, boards, &first.output, block, sums, back, scratch);
            // The residual connection's gradient is in `block` already.
            let back = InputGradient::Add(block);
            first.backward(simd, tensors, boards, x, inner, sums, back, scratch);
            blocks = before;
        }
        let back = InputGradient::Skip;
        self.stem.backward(simd, tensors, boards, planes, block, sums, back, scratch);
    }

    /// The loss's third term, c |θ|² over all trained numbers; its gradient is added
    /// to the tensors' gradients.
    pub fn add_weight_decay(&mut self, c: f64) -> f64 {
        let twice = R::from_f64(2.0 * c);
        let mut sum = 0.0;
        for tensor in self.tensors.iter_mut() {
            for (g, value) in tensor.gradient.chunks_mut(64).zip(tensor.value.chunks(64)) {
                // Several sums: in one, each addition would wait for the last.
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
