//! The building blocks of the network in training: convolutions with batch
//! normalisation and a ReLU, and how layers are made.

use super::{
    BatchNorm, Boards, Buffer, Conv, InputGradient, Linear, Pool, Real, Scratch, SimdLevel, Tensors,
};

/// A 3 x 3 convolution, batch normalisation and a ReLU, with what the backward
/// pass needs.
#[derive(Clone, Debug)]
pub struct ConvBlock<R> {
    pub conv: Conv,
    pub norm: BatchNorm<R>,
    /// The sums before the normalisation.
    sums: Buffer<R>,
    /// The output of the ReLU.
    pub output: Buffer<R>,
}

impl<R: Real> ConvBlock<R> {
    pub fn forward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        boards: &Boards,
        x: &[R],
        residual: Option<&[R]>,
        scratch: &mut Scratch<R>,
    ) {
        self.conv.forward(simd, tensors, boards, x, &mut self.sums, scratch);
        let output = self.output.resized(self.sums.len());
        self.norm.forward(simd, tensors, &self.sums, residual, output);
    }

    /// The gradient of the output becomes that before the ReLU.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        boards: &Boards,
        x: &[R],
        gradient: &mut [R],
        sums_gradient: &mut Buffer<R>,
        back: InputGradient<'_, R>,
        scratch: &mut Scratch<R>,
    ) {
        let sums_gradient = sums_gradient.resized(self.sums.len());
        self.norm.backward(simd, tensors, (&self.sums, &self.output), gradient, sums_gradient);
        self.conv.backward(simd, tensors, boards, x, sums_gradient, back, scratch);
    }
}

/// The same with the 1 x 1 convolution of a head, and the pooling behind it if
/// there is one.
#[derive(Clone, Debug)]
pub struct HeadConv<R> {
    pub linear: Linear<R>,
    pub norm: BatchNorm<R>,
    pub pool: Option<Pool>,
    channels: usize,
    /// The sums before the normalisation.
    sums: Buffer<R>,
    /// The output of the ReLU.
    output: Buffer<R>,
    pooled: Buffer<R>,
    /// The gradient of the ReLU's output behind which is a pooling.
    pooled_back: Buffer<R>,
}

impl<R: Real> HeadConv<R> {
    pub fn forward(&mut self, simd: SimdLevel, tensors: &mut Tensors<R>, boards: &Boards, x: &[R]) {
        self.linear.forward(simd, tensors, x, &mut self.sums);
        let output = self.output.resized(self.sums.len());
        self.norm.forward(simd, tensors, &self.sums, None, output);
        if let Some(pool) = self.pool {
            pool.forward(boards, self.channels, &self.output, &mut self.pooled);
        }
    }

    /// The input of the dense layer behind it.
    pub fn features(&self) -> &[R] {
        if self.pool.is_some() { &self.pooled } else { &self.output }
    }

    /// The gradient is that of [`HeadConv::features`].
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        boards: &Boards,
        x: &[R],
        gradient: &mut [R],
        sums_gradient: &mut Buffer<R>,
        back: &mut [R],
        add: bool,
    ) {
        let gradient = match self.pool {
            Some(pool) => {
                let back = self.pooled_back.resized(self.output.len());
                let layer = (&*self.output, &*self.pooled);
                pool.backward(boards, self.channels, layer, gradient, back);
                back
            }
            None => gradient,
        };
        let sums_gradient = sums_gradient.resized(self.sums.len());
        self.norm.backward(simd, tensors, (&self.sums, &self.output), gradient, sums_gradient);
        self.linear.backward(simd, tensors, x, sums_gradient, back, add);
    }
}

/// Makes layers with He's initial weights.
pub struct Builder<R, F> {
    pub tensors: Tensors<R>,
    pub unit: F,
}

impl<R: Real, F: FnMut() -> f64> Builder<R, F> {
    fn random(&mut self, count: usize, fan_in: usize, gain: f64) -> Vec<R> {
        let deviation = (gain / fan_in as f64).sqrt();
        (0..count)
            .map(|_| {
                // Box and Muller; 1 - u is never 0.
                let radius = (-2.0 * (1.0 - (self.unit)()).ln()).sqrt();
                R::from_f64(deviation * radius * (std::f64::consts::TAU * (self.unit)()).cos())
            })
            .collect()
    }

    pub fn conv_block(&mut self, name: &str, channels: (usize, usize)) -> ConvBlock<R> {
        let (inputs, outputs) = channels;
        let value = self.random(9 * inputs * outputs, 9 * inputs, 2.0);
        let shape = [3, 3, inputs, outputs];
        let weight = self.tensors.add_trained(format!("{name}.conv"), &shape, value);
        let norm = BatchNorm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        ConvBlock {
            conv: Conv::new(weight, channels),
            norm,
            sums: Buffer::default(),
            output: Buffer::default(),
        }
    }

    pub fn linear(&mut self, name: &str, inputs: usize, outputs: usize, gain: f64) -> Linear<R> {
        let value = self.random(inputs * outputs, inputs, gain);
        let weight = self.tensors.add_trained(format!("{name}.weight"), &[inputs, outputs], value);
        let zeros = vec![R::ZERO; outputs];
        let bias = self.tensors.add_trained(format!("{name}.bias"), &[outputs], zeros);
        Linear::new(weight, Some(bias), inputs, outputs)
    }

    pub fn head_conv(
        &mut self,
        name: &str,
        (inputs, outputs): (usize, usize),
        pool: Option<Pool>,
    ) -> HeadConv<R> {
        let value = self.random(inputs * outputs, inputs, 2.0);
        let weight = self.tensors.add_trained(format!("{name}.conv"), &[inputs, outputs], value);
        let norm = BatchNorm::new(&mut self.tensors, &format!("{name}.norm"), outputs);
        HeadConv {
            linear: Linear::new(weight, None, inputs, outputs),
            norm,
            pool,
            channels: outputs,
            sums: Buffer::default(),
            output: Buffer::default(),
            pooled: Buffer::default(),
            pooled_back: Buffer::default(),
        }
    }
}
