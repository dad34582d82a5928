//! Kernels over rows of channels that have a few numbers for each channel: these
//! stay in registers while the rows of a strip of channels go by.

use super::simd::{SimdKernel, Vector};

/// Work on one strip: `WIDE` vectors of channels from `column`, of `lanes`
/// numbers each.
pub trait ChannelKernel<R> {
    /// Channels in a row.
    fn channels(&self) -> usize;

    /// All rows of the strip. Must be `#[inline(always)]`, see [`SimdKernel`].
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    );
}

/// Work on all strips.
pub struct AllChannels<K>(pub K);

impl<R, K: ChannelKernel<R>> SimdKernel<R> for AllChannels<K> {
    #[inline(always)]
    fn run<V: Vector<R>>(mut self, proof: V::Proof) {
        let channels = self.0.channels();
        let mut column = 0;
        while column < channels {
            let rest = channels - column;
            if rest >= 4 * V::LANES {
                self.0.strip::<V, 4>(proof, column, V::LANES);
                column += 4 * V::LANES;
            } else {
                let lanes = rest.min(V::LANES);
                self.0.strip::<V, 1>(proof, column, lanes);
                column += lanes;
            }
        }
    }
}

/// `WIDE` vectors that begin at `at`.
#[inline(always)]
pub fn read_strip<R, V: Vector<R>, const WIDE: usize>(
    proof: V::Proof,
    from: &[R],
    at: usize,
    lanes: usize,
) -> [V; WIDE] {
    // `array::from_fn` would be a call, for which registers go through memory.
    let mut strip = [V::read(proof, from, at, lanes); WIDE];
    for (v, to) in strip.iter_mut().enumerate().skip(1) {
        *to = V::read(proof, from, at + v * V::LANES, lanes);
    }
    strip
}
