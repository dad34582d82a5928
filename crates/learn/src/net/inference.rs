//! A network that plays: normalisations folded into the weights before them,
//! kernels transformed once, all room reused.

use super::kernels::from_kernel;
use super::winograd::POINTS;
use super::{
    Aligned, Architecture, Buffer, Epilogue, Left, Network, Output, Real, Scratch, SimdLevel, Slot,
    Tensors, convolve, gemm, relu,
};

/// A convolution with its normalisation in it.
#[derive(Clone, Debug)]
struct Folded<R: Real> {
    channels: (usize, usize),
    kernel: Aligned<R>,
    bias: Vec<R>,
}

/// A dense layer, also with a normalisation in it.
#[derive(Clone, Debug)]
struct Dense<R: Real> {
    inputs: usize,
    weight: Aligned<R>,
    bias: Vec<R>,
}

impl<R: Real> Dense<R> {
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

/// A network that plays.
#[derive(Clone, Debug)]
pub struct InferenceNet<R: Real> {
    architecture: Architecture,
    simd: SimdLevel,
    stem: Folded<R>,
    blocks: Vec<[Folded<R>; 2]>,
    policy_neck: Dense<R>,
    policy: Dense<R>,
    value_neck: Dense<R>,
    hidden: Dense<R>,
    value: Dense<R>,
    tower: [Buffer<R>; 3],
    flat: Vec<R>,
    wide: Vec<R>,
    scratch: Scratch<R>,
}

impl<R: Real> InferenceNet<R> {
    /// The network as it is now, on the fastest simd of this machine.
    pub fn new(network: &Network<R>) -> Self {
        InferenceNet::on(SimdLevel::best(), network)
    }

    /// The network as it is now, on a given simd.
    pub fn on(simd: SimdLevel, network: &Network<R>) -> Self {
        let tensors = &network.tensors;
        let step = |step: &super::network::ConvBlock<R>| {
            let (factor, bias) = step.norm.folded(tensors);
            let kernel = scaled(tensors, step.conv.weight, &factor);
            let (inputs, outputs) = step.conv.channels;
            let mut points = Aligned::default();
            from_kernel(simd, &kernel, points.resized(POINTS * inputs * outputs));
            Folded { channels: step.conv.channels, kernel: points, bias }
        };
        let neck = |neck: &super::network::HeadConv<R>| {
            let (factor, bias) = neck.norm.folded(tensors);
            let weight = scaled(tensors, neck.linear.weight, &factor);
            Dense { inputs: weight.len() / bias.len(), weight: Aligned::from(&weight), bias }
        };
        let dense = |linear: &super::Linear<R>| {
            let weight = Aligned::from(&tensors[linear.weight].value);
            let bias = linear.bias.map(|slot| tensors[slot].value.clone());
            let bias = bias.expect("dense layers without a normalisation have a bias");
            Dense { inputs: weight.len() / bias.len(), weight, bias }
        };
        InferenceNet {
            architecture: network.architecture,
            simd,
            stem: step(&network.stem),
            blocks: network.blocks.iter().map(|[a, b]| [step(a), step(b)]).collect(),
            policy_neck: neck(&network.policy_neck),
            policy: dense(&network.policy),
            value_neck: neck(&network.value_neck),
            hidden: dense(&network.hidden),
            value: dense(&network.value),
            tower: Default::default(),
            flat: Vec::new(),
            wide: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Its sizes.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Judge a batch of positions, each [`Architecture::inputs`] numbers, into
    /// `out`. A position's judgement does not depend on the others.
    ///
    /// # Panics
    /// If `planes` is not a whole number of positions.
    pub fn forward(&mut self, planes: &[R], out: &mut Output<R>) {
        let grid = self.architecture.grid();
        assert_eq!(planes.len() % self.architecture.inputs(), 0, "half a position");
        let batch = planes.len() / self.architecture.inputs();
        let (simd, scratch) = (self.simd, &mut self.scratch);
        let [x, inside, next] = &mut self.tower;
        for buffer in [&mut *x, &mut *inside, &mut *next] {
            buffer.resized(batch * grid.area() * self.architecture.channels);
        }
        let mut run = |layer: &Folded<R>, x: &[R], residual: Option<&[R]>, y: &mut [R]| {
            let epilogue = Epilogue { bias: Some(&layer.bias), residual, relu: true };
            convolve(simd, grid, layer.channels, &layer.kernel, x, y, epilogue, scratch);
        };
        run(&self.stem, planes, None, x);
        for [first, second] in &self.blocks {
            run(first, x, None, inside);
            run(second, inside, Some(x), next);
            std::mem::swap(x, next);
        }
        self.policy_neck.forward(simd, x, &mut self.flat);
        relu(&mut self.flat);
        self.policy.forward(simd, &self.flat, &mut out.logits);
        self.value_neck.forward(simd, x, &mut self.flat);
        relu(&mut self.flat);
        self.hidden.forward(simd, &self.flat, &mut self.wide);
        relu(&mut self.wide);
        self.value.forward(simd, &self.wide, &mut out.values);
        for value in &mut out.values {
            *value = R::from_f64(value.to_f64().tanh());
        }
    }
}

/// A weight whose last index is the channel of `factor`.
fn scaled<R: Real>(tensors: &Tensors<R>, weight: Slot, factor: &[R]) -> Vec<R> {
    let weight = &tensors[weight].value;
    weight.iter().zip(factor.iter().cycle()).map(|(&w, &f)| w * f).collect()
}
