//! Batch normalisation (Ioffe and Szegedy, 2015) and the ReLU behind it: each
//! channel is brought to mean 0 and variance 1 over the batch, scaled and shifted
//! by trained numbers, and rectified. At inference, running means and variances
//! take the place of the batch's.
//!
//! The rows are the large part, so they are read as rarely as possible: once for
//! mean and variance together, once for the output; backward once for the sums
//! and once for the gradient. What a channel needs beside its numbers is reduced
//! to a factor or two before.

use super::channels::{AllChannels, ChannelKernel, read_strip};
use super::simd::{SimdLevel, Vector};
use super::{Real, TensorId, Tensors};

/// Added to variances, against division by 0.
pub const EPSILON: f64 = 1e-5;
/// The share of each batch in the running mean and variance.
const MOMENTUM: f64 = 0.1;

/// Batch normalisation of rows of channels, with a ReLU.
#[derive(Clone, Debug)]
pub struct BatchNorm<R> {
    scale: TensorId,
    shift: TensorId,
    mean: TensorId,
    variance: TensorId,
    channels: usize,
    batch_mean: Vec<R>,
    inverse: Vec<R>,
    sums: [Vec<R>; 2],
    factors: [Vec<R>; 3],
}

impl<R: Real> BatchNorm<R> {
    /// A new normalisation, whose tensors are added to the list under `name`.
    pub fn new(tensors: &mut Tensors<R>, name: &str, channels: usize) -> Self {
        let shape = [channels];
        let ones = || vec![R::ONE; channels];
        let zeros = || vec![R::ZERO; channels];
        BatchNorm {
            scale: tensors.add_trained(format!("{name}.scale"), &shape, ones()),
            shift: tensors.add_trained(format!("{name}.shift"), &shape, zeros()),
            mean: tensors.add_fixed(format!("{name}.mean"), &shape, zeros()),
            variance: tensors.add_fixed(format!("{name}.variance"), &shape, ones()),
            channels,
            batch_mean: zeros(),
            inverse: zeros(),
            sums: [zeros(), zeros()],
            factors: [zeros(), zeros(), zeros()],
        }
    }

    /// Normalises by the batch's own mean and variance, which are kept for the
    /// backward pass and mixed into the running ones; adds the residual; ReLU.
    pub fn forward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        residual: Option<&[R]>,
        y: &mut [R],
    ) {
        let rows = x.len() / self.channels;
        let share = R::from_f64(1.0 / rows as f64);
        // The running variance is that of the population, estimated from the batch.
        let correction = rows as f64 / (rows as f64 - 1.0).max(1.0);
        let [sums, squares] = &mut self.sums;
        simd.run(AllChannels(Moments { channels: self.channels, x, sums, squares }));
        for c in 0..self.channels {
            let offset = sums[c] * share;
            let mean = x[c] + offset;
            let variance = squares[c] * share - offset * offset;
            // Rounding may make it negative.
            let variance = if variance > R::ZERO { variance } else { R::ZERO };
            self.batch_mean[c] = mean;
            self.inverse[c] = R::ONE / (variance + R::from_f64(EPSILON)).sqrt();
            self.factors[0][c] = tensors[self.scale].value[c] * self.inverse[c];
            self.factors[1][c] = tensors[self.shift].value[c] - mean * self.factors[0][c];
            mix(&mut tensors[self.mean].value[c], mean, 1.0);
            mix(&mut tensors[self.variance].value[c], variance, correction);
        }
        let [factor, term, _] = &self.factors;
        simd.run(AllChannels(Normalise { factor, term, x, residual, y }));
    }

    /// Adds to the gradients of scale and shift. The gradient of the output `y`
    /// becomes that before the ReLU, which is also that of the residual; that of
    /// the input `x` goes into `back`.
    pub fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        (x, y): (&[R], &[R]),
        gradient: &mut [R],
        back: &mut [R],
    ) {
        let share = R::from_f64(self.channels as f64 / x.len() as f64);
        let [sums, along] = &mut self.sums;
        let mean = &self.batch_mean;
        simd.run(AllChannels(GradientSums { mean, x, y, gradient: &mut *gradient, sums, along }));
        for c in 0..self.channels {
            let inverse = self.inverse[c];
            let along = along[c] * inverse;
            tensors[self.shift].gradient[c] += sums[c];
            tensors[self.scale].gradient[c] += along;
            // (g - mean of g - n * mean of g n) * scale * inverse, where n is the
            // normalised number (x - mean) * inverse.
            let factor = tensors[self.scale].value[c] * inverse;
            let by_x = -factor * along * share * inverse;
            self.factors[0][c] = factor;
            self.factors[1][c] = by_x;
            self.factors[2][c] = -factor * sums[c] * share - by_x * mean[c];
        }
        let [by_gradient, by_x, term] = &self.factors;
        simd.run(AllChannels(InputGradient { by_gradient, by_x, term, x, gradient, back }));
    }

    /// The same map with the running mean and variance, without the ReLU, as a
    /// factor and a term for each channel, to be folded into the layer before.
    pub fn folded(&self, tensors: &Tensors<R>) -> (Vec<R>, Vec<R>) {
        let variance = &tensors[self.variance].value;
        let factor: Vec<R> = (tensors[self.scale].value.iter().zip(variance))
            .map(|(&scale, &v)| scale / (v + R::from_f64(EPSILON)).sqrt())
            .collect();
        let term = (tensors[self.shift].value.iter().zip(&tensors[self.mean].value).zip(&factor))
            .map(|((&shift, &mean), &factor)| shift - mean * factor)
            .collect();
        (factor, term)
    }
}

fn mix<R: Real>(running: &mut R, batch: R, correction: f64) {
    *running = *running * R::from_f64(1.0 - MOMENTUM) + batch * R::from_f64(MOMENTUM * correction);
}

/// Sums of each channel and of its squares, counted from the first row: counted
/// from 0, the variance of numbers far from it would be lost in rounding.
struct Moments<'a, R> {
    channels: usize,
    x: &'a [R],
    sums: &'a mut [R],
    squares: &'a mut [R],
}

impl<R: Real> ChannelKernel<R> for Moments<'_, R> {
    fn channels(&self) -> usize {
        self.channels
    }

    #[inline(always)]
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    ) {
        let first: [V; WIDE] = read_strip(proof, self.x, column, lanes);
        let mut sums = [V::splat(proof, R::ZERO); WIDE];
        let mut squares = sums;
        for row in self.x.chunks_exact(self.channels) {
            let x: [V; WIDE] = read_strip(proof, row, column, lanes);
            for v in 0..WIDE {
                let offset = x[v] - first[v];
                sums[v] = sums[v] + offset;
                squares[v] = squares[v].add_product(offset, offset);
            }
        }
        for v in 0..WIDE {
            sums[v].write(self.sums, column + v * V::LANES, lanes);
            squares[v].write(self.squares, column + v * V::LANES, lanes);
        }
    }
}

/// The output.
struct Normalise<'a, R> {
    factor: &'a [R],
    term: &'a [R],
    x: &'a [R],
    residual: Option<&'a [R]>,
    y: &'a mut [R],
}

impl<R: Real> ChannelKernel<R> for Normalise<'_, R> {
    fn channels(&self) -> usize {
        self.factor.len()
    }

    #[inline(always)]
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    ) {
        let factor: [V; WIDE] = read_strip(proof, self.factor, column, lanes);
        let term: [V; WIDE] = read_strip(proof, self.term, column, lanes);
        for at in (column..self.x.len()).step_by(self.factor.len()) {
            let x: [V; WIDE] = read_strip(proof, self.x, at, lanes);
            let residual: [V; WIDE] = match self.residual {
                Some(residual) => read_strip(proof, residual, at, lanes),
                None => [V::splat(proof, R::ZERO); WIDE],
            };
            for v in 0..WIDE {
                let y = (term[v] + residual[v]).add_product(x[v], factor[v]);
                y.relu().write(self.y, at + v * V::LANES, lanes);
            }
        }
    }
}

/// The gradient back through the ReLU, its sums, and its sums along the input.
struct GradientSums<'a, R> {
    mean: &'a [R],
    x: &'a [R],
    y: &'a [R],
    gradient: &'a mut [R],
    sums: &'a mut [R],
    along: &'a mut [R],
}

impl<R: Real> ChannelKernel<R> for GradientSums<'_, R> {
    fn channels(&self) -> usize {
        self.mean.len()
    }

    #[inline(always)]
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    ) {
        let mean: [V; WIDE] = read_strip(proof, self.mean, column, lanes);
        let mut sums = [V::splat(proof, R::ZERO); WIDE];
        let mut along = sums;
        for at in (column..self.x.len()).step_by(self.mean.len()) {
            let x: [V; WIDE] = read_strip(proof, self.x, at, lanes);
            let y: [V; WIDE] = read_strip(proof, self.y, at, lanes);
            let gradient: [V; WIDE] = read_strip(proof, self.gradient, at, lanes);
            for v in 0..WIDE {
                let gradient = gradient[v].relu_mask(y[v]);
                gradient.write(self.gradient, at + v * V::LANES, lanes);
                sums[v] = sums[v] + gradient;
                along[v] = along[v].add_product(gradient, x[v] - mean[v]);
            }
        }
        for v in 0..WIDE {
            sums[v].write(self.sums, column + v * V::LANES, lanes);
            along[v].write(self.along, column + v * V::LANES, lanes);
        }
    }
}

/// The gradient of the input.
struct InputGradient<'a, R> {
    by_gradient: &'a [R],
    by_x: &'a [R],
    term: &'a [R],
    x: &'a [R],
    gradient: &'a [R],
    back: &'a mut [R],
}

impl<R: Real> ChannelKernel<R> for InputGradient<'_, R> {
    fn channels(&self) -> usize {
        self.term.len()
    }

    #[inline(always)]
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    ) {
        let by_gradient: [V; WIDE] = read_strip(proof, self.by_gradient, column, lanes);
        let by_x: [V; WIDE] = read_strip(proof, self.by_x, column, lanes);
        let term: [V; WIDE] = read_strip(proof, self.term, column, lanes);
        for at in (column..self.x.len()).step_by(self.term.len()) {
            let x: [V; WIDE] = read_strip(proof, self.x, at, lanes);
            let gradient: [V; WIDE] = read_strip(proof, self.gradient, at, lanes);
            for v in 0..WIDE {
                let back = term[v].add_product(x[v], by_x[v]);
                let back = back.add_product(gradient[v], by_gradient[v]);
                back.write(self.back, at + v * V::LANES, lanes);
            }
        }
    }
}
