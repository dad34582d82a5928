//! Batch normalisation (Ioffe and Szegedy, 2015): each channel brought to mean
//! nought and variance one over the batch, then scaled and shifted as learnt.
//! Running means and variances stand in for the batch's when playing.

use super::{Real, Slot, Tensors};

/// Added to variances, against division by nought.
pub const EPSILON: f64 = 1e-5;
/// How much of each batch goes into the running mean and variance.
const MOMENTUM: f64 = 0.1;

/// A normalisation of rows of channels.
#[derive(Clone, Debug)]
pub struct Norm<R> {
    scale: Slot,
    shift: Slot,
    mean: Slot,
    variance: Slot,
    channels: usize,
    normal: Vec<R>,
    inverse: Vec<R>,
}

impl<R: Real> Norm<R> {
    /// A fresh normalisation, its tensors placed in the list under `name`.
    pub fn new(tensors: &mut Tensors<R>, name: &str, channels: usize) -> Self {
        let shape = [channels];
        let ones = || vec![R::ONE; channels];
        let noughts = || vec![R::ZERO; channels];
        Norm {
            scale: tensors.learnt(format!("{name}.scale"), &shape, ones()),
            shift: tensors.learnt(format!("{name}.shift"), &shape, noughts()),
            mean: tensors.kept(format!("{name}.mean"), &shape, noughts()),
            variance: tensors.kept(format!("{name}.variance"), &shape, ones()),
            channels,
            normal: Vec::new(),
            inverse: Vec::new(),
        }
    }

    /// Normalise by the batch's own mean and variance, which are remembered and
    /// mixed into the running ones.
    pub fn forward(&mut self, tensors: &mut Tensors<R>, mut x: Vec<R>) -> Vec<R> {
        let channels = self.channels;
        let rows = x.len() / channels;
        let share = R::of(1.0 / rows as f64);
        let mut mean = vec![R::ZERO; channels];
        for row in x.chunks_exact(channels) {
            for (mean, &x) in mean.iter_mut().zip(row) {
                *mean += x * share;
            }
        }
        let mut variance = vec![R::ZERO; channels];
        for row in x.chunks_exact(channels) {
            for ((variance, &mean), &x) in variance.iter_mut().zip(&mean).zip(row) {
                *variance += (x - mean) * (x - mean) * share;
            }
        }
        self.inverse = variance.iter().map(|&v| R::ONE / (v + R::of(EPSILON)).sqrt()).collect();
        // The running variance is that of the population, as is usual.
        let correction = rows as f64 / (rows as f64 - 1.0).max(1.0);
        mix(&mut tensors[self.mean].value, &mean, 1.0);
        mix(&mut tensors[self.variance].value, &variance, correction);

        // One way through memory for both: these rows are the large part.
        let (scale, shift) = (&tensors[self.scale].value, &tensors[self.shift].value);
        let mut y = vec![R::ZERO; x.len()];
        for (x, y) in x.chunks_exact_mut(channels).zip(y.chunks_exact_mut(channels)) {
            let [mean, inverse] = [&mean[..channels], &self.inverse[..channels]];
            let [scale, shift] = [&scale[..channels], &shift[..channels]];
            for c in 0..channels {
                x[c] = (x[c] - mean[c]) * inverse[c];
                y[c] = x[c] * scale[c] + shift[c];
            }
        }
        self.normal = x;
        y
    }

    /// Add to the gradients of scale and shift; turn the gradient by the results
    /// into that by the inputs.
    pub fn backward(&mut self, tensors: &mut Tensors<R>, mut gradient: Vec<R>) -> Vec<R> {
        let channels = self.channels;
        let rows = gradient.len() / channels;
        let mut sum = vec![R::ZERO; channels];
        let mut along = vec![R::ZERO; channels];
        for (g, normal) in gradient.chunks_exact(channels).zip(self.normal.chunks_exact(channels)) {
            let (sum, along) = (&mut sum[..channels], &mut along[..channels]);
            for c in 0..channels {
                sum[c] += g[c];
                along[c] += g[c] * normal[c];
            }
        }
        for c in 0..channels {
            tensors[self.shift].gradient[c] += sum[c];
            tensors[self.scale].gradient[c] += along[c];
        }
        // The means of both sums, and what the whole is multiplied by.
        let share = R::of(1.0 / rows as f64);
        let scale = &tensors[self.scale].value;
        let factor: Vec<R> = scale.iter().zip(&self.inverse).map(|(&s, &i)| s * i).collect();
        sum.iter_mut().chain(&mut along).for_each(|total| *total *= share);
        let normal = self.normal.chunks_exact(channels);
        for (g, normal) in gradient.chunks_exact_mut(channels).zip(normal) {
            let [sum, along, factor] = [&sum[..channels], &along[..channels], &factor[..channels]];
            for c in 0..channels {
                g[c] = (g[c] - sum[c] - normal[c] * along[c]) * factor[c];
            }
        }
        gradient
    }

    /// The same map with the running mean and variance, as a factor and a term
    /// for each channel: what the layer before may swallow.
    pub fn folded(&self, tensors: &Tensors<R>) -> (Vec<R>, Vec<R>) {
        let variance = &tensors[self.variance].value;
        let factor: Vec<R> = (tensors[self.scale].value.iter().zip(variance))
            .map(|(&scale, &v)| scale / (v + R::of(EPSILON)).sqrt())
            .collect();
        let term = (tensors[self.shift].value.iter().zip(&tensors[self.mean].value).zip(&factor))
            .map(|((&shift, &mean), &factor)| shift - mean * factor)
            .collect();
        (factor, term)
    }
}

fn mix<R: Real>(running: &mut [R], batch: &[R], correction: f64) {
    for (running, &batch) in running.iter_mut().zip(batch) {
        *running = *running * R::of(1.0 - MOMENTUM) + batch * R::of(MOMENTUM * correction);
    }
}
