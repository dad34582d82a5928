//! Batch normalisation (Ioffe and Szegedy, 2015) and the relu behind it: each
//! channel brought to mean zero and variance one over the batch, scaled and
//! shifted as learnt, and what is below zero made zero. Running means and
//! variances stand in for the batch's when playing.
//!
//! The rows are the large part, so they are gone through as rarely as can be:
//! once for mean and variance together, once for the results; backward once for
//! the sums and once for the gradient. What a channel needs beside its numbers
//! is boiled down to a factor or two before.

use super::rows::{Rows, Strip, line};
use super::vector::Vector;
use super::{Real, SimdLevel, Slot, Tensors};

/// Added to variances, against division by zero.
pub const EPSILON: f64 = 1e-5;
/// How much of each batch goes into the running mean and variance.
const MOMENTUM: f64 = 0.1;

/// A normalisation of rows of channels, with a relu.
#[derive(Clone, Debug)]
pub struct Norm<R> {
    scale: Slot,
    shift: Slot,
    mean: Slot,
    variance: Slot,
    channels: usize,
    batch_mean: Vec<R>,
    inverse: Vec<R>,
    sums: [Vec<R>; 2],
    factors: [Vec<R>; 3],
}

impl<R: Real> Norm<R> {
    /// A fresh normalisation, its tensors placed in the list under `name`.
    pub fn new(tensors: &mut Tensors<R>, name: &str, channels: usize) -> Self {
        let shape = [channels];
        let ones = || vec![R::ONE; channels];
        let zeros = || vec![R::ZERO; channels];
        Norm {
            scale: tensors.learnt(format!("{name}.scale"), &shape, ones()),
            shift: tensors.learnt(format!("{name}.shift"), &shape, zeros()),
            mean: tensors.kept(format!("{name}.mean"), &shape, zeros()),
            variance: tensors.kept(format!("{name}.variance"), &shape, ones()),
            channels,
            batch_mean: zeros(),
            inverse: zeros(),
            sums: [zeros(), zeros()],
            factors: [zeros(), zeros(), zeros()],
        }
    }

    /// Normalise by the batch's own mean and variance, which are remembered and
    /// mixed into the running ones; add what goes `residual`; relu.
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
        // The population's variance is estimated from the batch, as is usual.
        let correction = rows as f64 / (rows as f64 - 1.0).max(1.0);
        let [sums, squares] = &mut self.sums;
        simd.run(Rows(Measure { channels: self.channels, x, sums, squares }));
        for c in 0..self.channels {
            let lead = sums[c] * share;
            let mean = x[c] + lead;
            let variance = squares[c] * share - lead * lead;
            // Rounding may leave less than nothing.
            let variance = if variance > R::ZERO { variance } else { R::ZERO };
            self.batch_mean[c] = mean;
            self.inverse[c] = R::ONE / (variance + R::from_f64(EPSILON)).sqrt();
            self.factors[0][c] = tensors[self.scale].value[c] * self.inverse[c];
            self.factors[1][c] = tensors[self.shift].value[c] - mean * self.factors[0][c];
            mix(&mut tensors[self.mean].value[c], mean, 1.0);
            mix(&mut tensors[self.variance].value[c], variance, correction);
        }
        let [factor, term, _] = &self.factors;
        simd.run(Rows(Apply { factor, term, x, residual, y }));
    }

    /// Add to the gradients of scale and shift. The gradient by the results `y`
    /// becomes that before the relu, which is also that of what went residual;
    /// that by the inputs `x` goes into `back`.
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
        simd.run(Rows(Gather { mean, x, y, gradient: &mut *gradient, sums, along }));
        for c in 0..self.channels {
            let inverse = self.inverse[c];
            let along = along[c] * inverse;
            tensors[self.shift].gradient[c] += sums[c];
            tensors[self.scale].gradient[c] += along;
            // (g - mean of g - n x mean of g n) x scale x inverse, where n is the
            // normal number (x - mean) x inverse.
            let factor = tensors[self.scale].value[c] * inverse;
            let by_x = -factor * along * share * inverse;
            self.factors[0][c] = factor;
            self.factors[1][c] = by_x;
            self.factors[2][c] = -factor * sums[c] * share - by_x * mean[c];
        }
        let [by_gradient, by_x, term] = &self.factors;
        simd.run(Rows(Spread { by_gradient, by_x, term, x, gradient, back }));
    }

    /// The same map with the running mean and variance, without the relu, as a
    /// factor and a term for each channel: what the layer before may swallow.
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

/// Sums of each channel and of its squares, counted from the first row: from
/// zero, the variance of numbers far from it would be lost in rounding.
struct Measure<'a, R> {
    channels: usize,
    x: &'a [R],
    sums: &'a mut [R],
    squares: &'a mut [R],
}

impl<R: Real> Strip<R> for Measure<'_, R> {
    fn channels(&self) -> usize {
        self.channels
    }

    #[inline(always)]
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize) {
        // SAFETY, here and below: the instructions are the caller's promise.
        let first: [V; WIDE] = unsafe { line(self.x, column, lanes) };
        let mut sums = unsafe { [V::all(R::ZERO); WIDE] };
        let mut squares = sums;
        for row in self.x.chunks_exact(self.channels) {
            let x: [V; WIDE] = unsafe { line(row, column, lanes) };
            for v in 0..WIDE {
                let lead = x[v] - first[v];
                sums[v] = sums[v] + lead;
                squares[v] = squares[v].plus_product(lead, lead);
            }
        }
        for v in 0..WIDE {
            sums[v].write(self.sums, column + v * V::LANES, lanes);
            squares[v].write(self.squares, column + v * V::LANES, lanes);
        }
    }
}

/// The results.
struct Apply<'a, R> {
    factor: &'a [R],
    term: &'a [R],
    x: &'a [R],
    residual: Option<&'a [R]>,
    y: &'a mut [R],
}

impl<R: Real> Strip<R> for Apply<'_, R> {
    fn channels(&self) -> usize {
        self.factor.len()
    }

    #[inline(always)]
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize) {
        let factor: [V; WIDE] = unsafe { line(self.factor, column, lanes) };
        let term: [V; WIDE] = unsafe { line(self.term, column, lanes) };
        for at in (column..self.x.len()).step_by(self.factor.len()) {
            let x: [V; WIDE] = unsafe { line(self.x, at, lanes) };
            let residual: [V; WIDE] = match self.residual {
                Some(residual) => unsafe { line(residual, at, lanes) },
                None => unsafe { [V::all(R::ZERO); WIDE] },
            };
            for v in 0..WIDE {
                let y = (term[v] + residual[v]).plus_product(x[v], factor[v]);
                y.relu().write(self.y, at + v * V::LANES, lanes);
            }
        }
    }
}

/// The gradient back through the relu, its sums, and its sums along the inputs.
struct Gather<'a, R> {
    mean: &'a [R],
    x: &'a [R],
    y: &'a [R],
    gradient: &'a mut [R],
    sums: &'a mut [R],
    along: &'a mut [R],
}

impl<R: Real> Strip<R> for Gather<'_, R> {
    fn channels(&self) -> usize {
        self.mean.len()
    }

    #[inline(always)]
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize) {
        let mean: [V; WIDE] = unsafe { line(self.mean, column, lanes) };
        let mut sums = unsafe { [V::all(R::ZERO); WIDE] };
        let mut along = sums;
        for at in (column..self.x.len()).step_by(self.mean.len()) {
            let x: [V; WIDE] = unsafe { line(self.x, at, lanes) };
            let y: [V; WIDE] = unsafe { line(self.y, at, lanes) };
            let gradient: [V; WIDE] = unsafe { line(self.gradient, at, lanes) };
            for v in 0..WIDE {
                let gradient = gradient[v].relu_mask(y[v]);
                gradient.write(self.gradient, at + v * V::LANES, lanes);
                sums[v] = sums[v] + gradient;
                along[v] = along[v].plus_product(gradient, x[v] - mean[v]);
            }
        }
        for v in 0..WIDE {
            sums[v].write(self.sums, column + v * V::LANES, lanes);
            along[v].write(self.along, column + v * V::LANES, lanes);
        }
    }
}

/// The gradient by the inputs.
struct Spread<'a, R> {
    by_gradient: &'a [R],
    by_x: &'a [R],
    term: &'a [R],
    x: &'a [R],
    gradient: &'a [R],
    back: &'a mut [R],
}

impl<R: Real> Strip<R> for Spread<'_, R> {
    fn channels(&self) -> usize {
        self.term.len()
    }

    #[inline(always)]
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize) {
        let by_gradient: [V; WIDE] = unsafe { line(self.by_gradient, column, lanes) };
        let by_x: [V; WIDE] = unsafe { line(self.by_x, column, lanes) };
        let term: [V; WIDE] = unsafe { line(self.term, column, lanes) };
        for at in (column..self.x.len()).step_by(self.term.len()) {
            let x: [V; WIDE] = unsafe { line(self.x, at, lanes) };
            let gradient: [V; WIDE] = unsafe { line(self.gradient, at, lanes) };
            for v in 0..WIDE {
                let back = term[v].plus_product(x[v], by_x[v]);
                let back = back.plus_product(gradient[v], by_gradient[v]);
                back.write(self.back, at + v * V::LANES, lanes);
            }
        }
    }
}
