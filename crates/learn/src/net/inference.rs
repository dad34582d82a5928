//! A network for inference: normalisations folded into the weights before them,
//! kernels transformed once, all memory reused.

use super::blocks::{ConvBlock, HeadConv};
use super::simd::SimdLevel;
use super::winograd::POINTS;
use super::winograd::kernels::transform_taps;
use super::{
    AlignedVec, Architecture, Boards, Buffer, Epilogue, Grid, Left, Linear, Network, Output, Pool,
    Real, Scratch, TensorId, Tensors, convolve, gemm, relu,
};

/// A convolution with its batch normalisation folded in.
#[derive(Clone, Debug)]
struct FoldedConv<R: Real> {
    channels: (usize, usize),
    kernel: AlignedVec<R>,
    bias: Vec<R>,
}

impl<R: Real> FoldedConv<R> {
    fn new(simd: SimdLevel, tensors: &Tensors<R>, block: &ConvBlock<R>) -> Self {
        let (factor, bias) = block.norm.folded(tensors);
        let taps = scaled(tensors, block.conv.weight, &factor);
        let (inputs, outputs) = block.conv.channels;
        let mut kernel = AlignedVec::default();
        transform_taps(simd, &taps, kernel.resized(POINTS * inputs * outputs));
        FoldedConv { channels: block.conv.channels, kernel, bias }
    }
}

/// A dense layer, possibly with a batch normalisation folded in.
#[derive(Clone, Debug)]
struct FoldedLinear<R: Real> {
    inputs: usize,
    weight: AlignedVec<R>,
    bias: Vec<R>,
}

impl<R: Real> FoldedLinear<R> {
    fn new(weight: &[R], bias: Vec<R>) -> Self {
        let inputs = weight.len() / bias.len();
        FoldedLinear { inputs, weight: AlignedVec::from(weight), bias }
    }

    fn of_linear(tensors: &Tensors<R>, linear: &Linear<R>) -> Self {
        let bias = linear.bias.map(|id| tensors[id].value.clone());
        let bias = bias.expect("dense layers without a normalisation have a bias");
        FoldedLinear::new(&tensors[linear.weight].value, bias)
    }

    fn forward(&self, simd: SimdLevel, x: &[R], y: &mut Vec<R>) {
        let outputs = self.bias.len();
        let rows = x.len() / self.inputs;
        y.clear();
        for _ in 0..rows {
            y.extend_from_slice(&self.bias);
        }
        let left = Left::rows(x, self.inputs);
        gemm(simd, (rows, outputs, self.inputs), left, &self.weight, y, true);
    }
}

/// The convolution of a head, and the pooling behind it if there is one.
#[derive(Clone, Debug)]
struct FoldedHead<R: Real> {
    conv: FoldedLinear<R>,
    pool: Option<Pool>,
    output: Vec<R>,
    pooled: Buffer<R>,
}

impl<R: Real> FoldedHead<R> {
    fn new(tensors: &Tensors<R>, head: &HeadConv<R>) -> Self {
        let (factor, bias) = head.norm.folded(tensors);
        FoldedHead {
            conv: FoldedLinear::new(&scaled(tensors, head.linear.weight, &factor), bias),
            pool: head.pool,
            output: Vec::new(),
            pooled: Buffer::default(),
        }
    }

    fn forward(&mut self, simd: SimdLevel, boards: &Boards, x: &[R]) -> &[R] {
        self.conv.forward(simd, x, &mut self.output);
        relu(&mut self.output);
        match self.pool {
            Some(pool) => {
                pool.forward(boards, self.conv.bias.len(), &self.output, &mut self.pooled);
                &self.pooled
            }
            None => &self.output,
        }
    }
}

/// A network for inference.
///
/// ```
/// use learn::net::{Architecture, Grid, InferenceNet, Network, Output};
///
/// let architecture = Architecture::new(Grid { height: 6, width: 7 }, 4, 7);
/// let network = Network::<f32>::new(architecture, || 0.5);
/// let mut inference = InferenceNet::new(&network);
/// let mut out = Output::default();
/// inference.forward(&vec![0.0; 2 * architecture.inputs()], &mut out);
/// assert_eq!((out.logits.len(), out.values.len()), (2 * 7, 2));
/// ```
#[derive(Clone, Debug)]
pub struct InferenceNet<R: Real> {
    architecture: Architecture,
    simd: SimdLevel,
    stem: FoldedConv<R>,
    blocks: Vec<[FoldedConv<R>; 2]>,
    policy_conv: FoldedHead<R>,
    policy: FoldedLinear<R>,
    value_conv: FoldedHead<R>,
    hidden: FoldedLinear<R>,
    value: FoldedLinear<R>,
    tower: [Buffer<R>; 3],
    hidden_output: Vec<R>,
    scratch: Scratch<R>,
}

impl<R: Real> InferenceNet<R> {
    /// The network as it is now, with the best instructions of this machine.
    pub fn new(network: &Network<R>) -> Self {
        InferenceNet::on(SimdLevel::detect(), network)
    }

    /// The network as it is now, with the instructions of a level.
    pub fn on(simd: SimdLevel, network: &Network<R>) -> Self {
        let tensors = &network.tensors;
        let conv = |block| FoldedConv::new(simd, tensors, block);
        InferenceNet {
            architecture: network.architecture,
            simd,
            stem: conv(&network.stem),
            blocks: network.blocks.iter().map(|block| block.each_ref().map(conv)).collect(),
            policy_conv: FoldedHead::new(tensors, &network.policy_conv),
            policy: FoldedLinear::of_linear(tensors, &network.policy),
            value_conv: FoldedHead::new(tensors, &network.value_conv),
            hidden: FoldedLinear::of_linear(tensors, &network.hidden),
            value: FoldedLinear::of_linear(tensors, &network.value),
            tower: Default::default(),
            hidden_output: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Its sizes.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Evaluates a batch of positions, each [`Architecture::inputs`] numbers, into
    /// `out`. A position's evaluation does not depend on the others.
    ///
    /// # Panics
    /// If `planes` is not a whole number of positions.
    pub fn forward(&mut self, planes: &[R], out: &mut Output<R>) {
        self.forward_on(self.architecture.grid(), planes, out);
    }

    /// The same for boards of this size.
    ///
    /// # Panics
    /// As above, and if the network is not for boards of this size.
    pub fn forward_on(&mut self, grid: Grid, planes: &[R], out: &mut Output<R>) {
        assert!(self.architecture.has_board(grid), "a board of its size");
        let inputs = grid.area() * self.architecture.planes;
        let positions = planes.len() / inputs;
        assert_eq!(planes.len(), positions * inputs, "whole positions");
        let boards = Boards::of(grid, positions);
        let (simd, scratch) = (self.simd, &mut self.scratch);
        let [x, inner, next] = &mut self.tower;
        for buffer in [&mut *x, &mut *inner, &mut *next] {
            buffer.resized(positions * grid.area() * self.architecture.channels);
        }
        let mut conv = |layer: &FoldedConv<R>, x: &[R], residual: Option<&[R]>, y: &mut [R]| {
            let epilogue = Epilogue { bias: Some(&layer.bias), residual, relu: true };
            convolve(simd, grid, layer.channels, &layer.kernel, x, y, epilogue, scratch);
        };
        conv(&self.stem, planes, None, x);
        for [first, second] in &self.blocks {
            conv(first, x, None, inner);
            conv(second, inner, Some(x), next);
            std::mem::swap(x, next);
        }
        let features = self.policy_conv.forward(simd, &boards, x);
        self.policy.forward(simd, features, &mut out.logits);
        let features = self.value_conv.forward(simd, &boards, x);
        self.hidden.forward(simd, features, &mut self.hidden_output);
        relu(&mut self.hidden_output);
        self.value.forward(simd, &self.hidden_output, &mut out.values);
        for value in &mut out.values {
            *value = R::from_f64(value.to_f64().tanh());
        }
    }
}

/// A weight whose last index is the channel of `factor`.
fn scaled<R: Real>(tensors: &Tensors<R>, weight: TensorId, factor: &[R]) -> Vec<R> {
    let weight = &tensors[weight].value;
    weight.iter().zip(factor.iter().cycle()).map(|(&w, &f)| w * f).collect()
}
